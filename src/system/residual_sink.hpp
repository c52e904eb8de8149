#pragma once
// What the bodies and forces leave of the equations of motion, M a + h − Q, at the accelerations of the state: the right
// side of Gᵀλ = −r (primer Eq. 45).

#include <Eigen/Core>

#include "assembly/sink.hpp"

namespace trunnion::system {

class ResidualSink final : public assembly::Sink {
 public:
  explicit ResidualSink(const assembly::Layout& layout)
      : layout_(layout), r_(Eigen::VectorXd::Zero(layout.size())) {}

  void start() { r_.setZero(); }
  const Eigen::VectorXd& residual() const { return r_; }

  assembly::Needs needs() const override {
    return {.residual = true,
            .partial_q = false,
            .partial_v = false,
            .partial_a = false,
            .constraints = false,
            .hessians = false};
  }
  void residual(assembly::BlockId row, assembly::Term, assembly::VecRef value) override {
    const assembly::Block& block = layout_.block(row);
    r_.segment(block.offset, block.size) += value;
  }
  void partial(assembly::BlockId, assembly::BlockId, assembly::Level, assembly::MatRef) override {}
  void multiplier_partial(assembly::BlockId, assembly::RowId, assembly::VecRef) override {}
  void constraint(assembly::RowId, const assembly::ConstraintRow&) override {}
  void velocity_constraint(assembly::RowId, const assembly::VelocityRow&) override {}

 private:
  const assembly::Layout& layout_;
  Eigen::VectorXd r_;
};

}  // namespace trunnion::system
