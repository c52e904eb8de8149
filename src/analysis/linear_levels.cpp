#include "analysis/linear_levels.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;

sparse::CscMatrix to_csc(LinearLevels::Matrix c) {
  c.makeCompressed();
  sparse::CscMatrix out;
  out.rows = static_cast<int>(c.rows());
  out.cols = static_cast<int>(c.cols());
  out.start.assign(c.outerIndexPtr(), c.outerIndexPtr() + c.cols() + 1);
  out.row.assign(c.innerIndexPtr(), c.innerIndexPtr() + c.nonZeros());
  out.value.assign(c.valuePtr(), c.valuePtr() + c.nonZeros());
  return out;
}

LinearLevels::LinearLevels(const system::System& system, const AssemblyResult& at) {
  constexpr double kLinearMode = 7;  // what MODE reads
  const assembly::Layout& layout = system.layout();
  system::System::Workspace work(system);
  work.mode = kLinearMode;
  system::LevelSink sink(layout, at.active, at.state);
  system.evaluate(at.state, work, sink);
  q = sink.q();
  v = sink.v();
  a = sink.a();
  L = sink.L();
  G = sink.G();
  mechanical.assign(static_cast<std::size_t>(layout.size()), 0);
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    for (int i = 0; i < block.size; ++i) {
      if (block.kind == BlockKind::first_order) states.push_back(block.offset + i);
      else if (block.kind == BlockKind::algebraic) variables.push_back(block.offset + i);
      else mechanical[static_cast<std::size_t>(block.offset + i)] = 1;
    }
  }
  for (std::size_t k = 0; k < at.active.size(); ++k) {
    all_rows.push_back(static_cast<int>(k));
    if (layout.row(assembly::RowId{at.active[k]}).level == assembly::RowLevel::position)
      position_rows.push_back(static_cast<int>(k));
  }
}

void LinearLevels::leave_out_damping() {
  for (int c = 0; c < v.outerSize(); ++c) {
    if (!mechanical[static_cast<std::size_t>(c)]) continue;
    for (Matrix::InnerIterator it(v, c); it; ++it) it.valueRef() = 0;
  }
  v.prune(0.0);
}

}  // namespace trunnion::analysis
