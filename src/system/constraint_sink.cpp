#include "system/constraint_sink.hpp"

namespace trunnion::system {

using assembly::BlockId;
using assembly::RowId;

ConstraintSink::ConstraintSink(const assembly::Layout& layout)
    : layout_(layout),
      phi_(Eigen::VectorXd::Zero(layout.row_count())),
      phi_t_(Eigen::VectorXd::Zero(layout.row_count())),
      gamma_(Eigen::VectorXd::Zero(layout.row_count())) {}

void ConstraintSink::start(const assembly::State& state, bool accelerations) {
  state_ = &state;
  accelerations_ = accelerations;
  phi_.setZero();
  phi_t_.setZero();
  gamma_.setZero();
  if (!recording_) replay_.start();
}

void ConstraintSink::finish() {
  if (!recording_) return;
  replay_ = recorder_.compile(layout_.row_count(), layout_.size());
  replay_.start();
  for (const double value : recorded_) replay_.add(value);
  recorded_.clear();
  recording_ = false;
}

assembly::Needs ConstraintSink::needs() const {
  return {.residual = false,
          .partial_q = false,
          .partial_v = false,
          .partial_a = false,
          .constraints = true,
          .hessians = accelerations_};
}

void ConstraintSink::add_row(RowId row, std::span<const BlockId> blocks, assembly::VecRef values) {
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const assembly::Block& block = layout_.block(id);
    for (int i = 0; i < block.size; ++i, ++k) {
      if (recording_) {
        recorder_.entry(row.index, block.offset + i);
        recorded_.push_back(values[k]);
      } else {
        replay_.add(values[k]);
      }
    }
  }
}

Eigen::Ref<const Eigen::VectorXd> ConstraintSink::gather(std::span<const BlockId> blocks, Eigen::Index size) {
  if (v_.size() < size) v_.resize(size);
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const assembly::Block& block = layout_.block(id);
    v_.segment(k, block.size) = state_->v.segment(block.offset, block.size);
    k += block.size;
  }
  return v_.head(size);
}

void ConstraintSink::constraint(RowId row, const assembly::ConstraintRow& value) {
  phi_[row.index] = value.phi;
  phi_t_[row.index] = value.phi_t;
  add_row(row, value.blocks, value.g);
  if (!accelerations_) return;
  const Eigen::Ref<const Eigen::VectorXd> v = gather(value.blocks, value.g.size());
  double gamma = -value.phi_tt;
  if (value.H.size() > 0) gamma -= v.dot(value.H.lazyProduct(v));  // without a temporary
  if (value.g_t.size() > 0) gamma -= 2 * value.g_t.dot(v);
  gamma_[row.index] = gamma;
}

void ConstraintSink::velocity_constraint(RowId row, const assembly::VelocityRow& value) {
  phi_[row.index] = value.psi;
  add_row(row, value.blocks, value.psi_v);
  if (!accelerations_) return;
  const Eigen::Ref<const Eigen::VectorXd> v = gather(value.blocks, value.psi_v.size());
  gamma_[row.index] = -value.psi_t - value.psi_q.dot(v);
}

}  // namespace trunnion::system
