// Where energy enters and leaves.

#include "assembly/row_sink.hpp"
#include "system/elements.hpp"
#include "system/system.hpp"

namespace trunnion::system {
namespace {

// −(Gᵀλ)·v of the rows it meets, over bodies: a motor's torque times the velocity its joint has. Where the row holds this is λ φ_t; but
// a large force that acts against the motor does its work on the velocity there is, and only with the same one do both cancel.
class WorkSink final : public assembly::RowSink {
 public:
  WorkSink(const assembly::Layout& layout, const assembly::State& state)
      : RowSink(false), layout_(layout), state_(state) {}
  double work() const { return work_; }

  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override {
    add(row, value.blocks, value.g);
  }
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override {
    add(row, value.blocks, value.psi_v);
  }

 private:
  // A multiplier does not act on states and variables the row reads; what it does at a curve's parameter sums to zero.
  void add(assembly::RowId row, std::span<const assembly::BlockId> blocks, assembly::VecRef direction) {
    Eigen::Index at = 0;
    for (const assembly::BlockId b : blocks) {
      const assembly::Block& block = layout_.block(b);
      if (block.is_mechanical())
        work_ -= state_.lambda[row.index] *
                 direction.segment(at, block.size).dot(state_.v.segment(block.offset, block.size));
      at += block.size;
    }
  }

  const assembly::Layout& layout_;
  const assembly::State& state_;
  double work_ = 0;
};

}  // namespace

Power System::power(const assembly::State& state, Workspace& work) const {
  const assembly::Evaluation at = this->at(state, work);
  Power sum;
  for (const elements::Load& load : elements_->loads) {
    const double p = elements::power_beyond_potential(load, at, work.expression);
    (load.passive ? sum.dissipated : sum.work) += load.passive ? -p : p;
  }
  for (const elements::ModalLoad& load : elements_->modal_loads) {
    const double p = elements::power(load, at, work.expression);
    (load.damping ? sum.dissipated : sum.work) += load.damping ? -p : p;
  }
  for (const elements::ModalBody& body : elements_->modal_bodies)
    sum.dissipated += elements::dissipated_power(body, at);
  for (const elements::BeamElement& beam : elements_->beams)
    sum.dissipated += elements::dissipated_power(beam, at);
  WorkSink sink(layout_, state);
  for (const elements::MeasureRow& row : elements_->measure_rows) {
    if (row.drive < 0) continue;
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(row, at, sink);
  }
  for (const elements::Gcon& gcon : elements_->gcons) {
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(gcon, at, work.expression, sink);
  }
  sum.work += sink.work();
  return sum;
}

}  // namespace trunnion::system
