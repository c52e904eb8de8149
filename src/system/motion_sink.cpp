#include "system/motion_sink.hpp"

namespace trunnion::system {

using assembly::BlockId;
using assembly::RowId;

namespace {

// States and variables have no acceleration: they stay as they are here, and constraints do not push them.
bool moves(const assembly::Block& block) {
  return block.kind != assembly::BlockKind::first_order && block.kind != assembly::BlockKind::algebraic;
}

}  // namespace

MotionSink::MotionSink(const assembly::Layout& layout, const std::vector<int>& active_rows)
    : layout_(layout), active_(active_rows), position_(static_cast<std::size_t>(layout.row_count()), -1) {
  for (std::size_t k = 0; k < active_.size(); ++k)
    position_[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  right_side_ = Eigen::VectorXd::Zero(layout.size() + active_count());
}

void MotionSink::start(const assembly::State& state) {
  state_ = &state;
  right_side_.setZero();
  if (!recording_) replay_.start();
}

void MotionSink::finish() {
  if (!recording_) return;
  // A diagonal for every unknown, so that a massless direction is a zero pivot with a name and not a missing column.
  const int n = layout_.size() + active_count();
  for (int i = 0; i < n; ++i)
    entry(i, i, i < layout_.size() && !moves(layout_.block(layout_.block_of(i))) ? 1.0 : 0.0);
  replay_ = recorder_.compile(n, n);
  replay_.start();
  for (const double value : recorded_) replay_.add(value);
  recorded_.clear();
  recording_ = false;
}

assembly::Needs MotionSink::needs() const {
  return {.residual = true,
          .partial_q = false,
          .partial_v = false,
          .partial_a = true,
          .constraints = true,
          .hessians = true};
}

void MotionSink::entry(int row, int col, double value) {
  if (recording_) {
    recorder_.entry(row, col);
    recorded_.push_back(value);
  } else {
    replay_.add(value);
  }
}

int MotionSink::equation_of(RowId row) const {
  const int k = position_[static_cast<std::size_t>(row.index)];
  return k < 0 ? -1 : layout_.size() + k;
}

void MotionSink::residual(BlockId row, assembly::Term, assembly::VecRef value) {
  const assembly::Block& block = layout_.block(row);
  if (!moves(block)) return;
  right_side_.segment(block.offset, block.size) -= value;
}

void MotionSink::partial(BlockId row, BlockId col, assembly::Level level, assembly::MatRef value) {
  if (level != assembly::Level::a) return;
  const assembly::Block& r = layout_.block(row);
  const assembly::Block& c = layout_.block(col);
  if (!moves(r)) return;
  for (int j = 0; j < c.size; ++j) {
    for (int i = 0; i < r.size; ++i) entry(r.offset + i, c.offset + j, value(i, j));
  }
}

void MotionSink::multiplier_partial(BlockId row, RowId col, assembly::VecRef value) {
  const int equation = equation_of(col);
  const assembly::Block& block = layout_.block(row);
  if (equation < 0 || !moves(block)) return;
  for (int i = 0; i < block.size; ++i) entry(block.offset + i, equation, value[i]);
}

void MotionSink::add_constraint(int equation, std::span<const BlockId> blocks, assembly::VecRef values,
                                double gamma) {
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const assembly::Block& block = layout_.block(id);
    for (int i = 0; i < block.size; ++i, ++k) {
      entry(equation, block.offset + i, values[k]);
      if (moves(block)) entry(block.offset + i, equation, values[k]);
    }
  }
  right_side_[equation] = gamma;
}

void MotionSink::constraint(RowId row, const assembly::ConstraintRow& value) {
  const int equation = equation_of(row);
  if (equation < 0) return;
  if (v_.size() != value.g.size()) v_.resize(value.g.size());
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const assembly::Block& block = layout_.block(id);
    v_.segment(k, block.size) = state_->v.segment(block.offset, block.size);
    k += block.size;
  }
  double gamma = -value.phi_tt;
  if (value.H.size() > 0) gamma -= v_.dot(value.H * v_);
  if (value.g_t.size() > 0) gamma -= 2 * value.g_t.dot(v_);
  add_constraint(equation, value.blocks, value.g, gamma);
}

void MotionSink::velocity_constraint(RowId row, const assembly::VelocityRow& value) {
  const int equation = equation_of(row);
  if (equation < 0) return;
  double gamma = -value.psi_t;
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const assembly::Block& block = layout_.block(id);
    gamma -= value.psi_q.segment(k, block.size).dot(state_->v.segment(block.offset, block.size));
    k += block.size;
  }
  add_constraint(equation, value.blocks, value.psi_v, gamma);
}

}  // namespace trunnion::system
