// Where energy enters and leaves.

#include "assembly/row_sink.hpp"
#include "system/system.hpp"

namespace trunnion::system {
namespace {

// −(Gᵀλ)·v of the rows it meets. A row that holds has G v = −φ_t, so that only time does work through it; a velocity row acts as
// ψ_vᵀ λ.
class WorkSink final : public assembly::RowSink {
 public:
  WorkSink(const assembly::Layout& layout, const assembly::State& state)
      : RowSink(false), layout_(layout), state_(state) {}
  double work() const { return work_; }

  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override {
    work_ += state_.lambda[row.index] * value.phi_t;
  }
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override {
    Eigen::Index at = 0;
    for (const assembly::BlockId b : value.blocks) {
      const assembly::Block& block = layout_.block(b);
      work_ -= state_.lambda[row.index] *
               value.psi_v.segment(at, block.size).dot(state_.v.segment(block.offset, block.size));
      at += block.size;
    }
  }

 private:
  const assembly::Layout& layout_;
  const assembly::State& state_;
  double work_ = 0;
};

}  // namespace

Power System::power(const assembly::State& state, Workspace& work) const {
  const assembly::Evaluation at = this->at(state, work);
  Power sum;
  for (const elements::Load& load : loads_) {
    const double p = elements::power_beyond_potential(load, at, work.expression);
    (load.passive ? sum.dissipated : sum.work) += load.passive ? -p : p;
  }
  WorkSink sink(layout_, state);
  for (const elements::MeasureRow& row : measure_rows_) {
    if (row.drive < 0) continue;
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(row, at, sink);
  }
  for (const elements::Gcon& gcon : gcons_) {
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(gcon, at, work.expression, sink);
  }
  sum.work += sink.work();
  return sum;
}

}  // namespace trunnion::system
