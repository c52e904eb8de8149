#pragma once
// The constraint rows of a system at one state: φ, φ_t, γ and the sparse Jacobian G, for assembly and kinematics.
//   positions      G δq = −φ
//   velocities     G v  = −φ_t          (velocity-level rows: Newton with ψ_v, ψ)
//   accelerations  G a  = γ = −vᵀHv − 2 g_t·v − φ_tt        (velocity-level rows: −ψ_q·v − ψ_t)

#include <Eigen/Core>

#include "assembly/sink.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::system {

class ConstraintSink final : public assembly::Sink {
 public:
  explicit ConstraintSink(const assembly::Layout& layout);

  // Once before each evaluation: which quantities beyond φ and G are wanted. `state` gives v and must outlive it.
  void start(const assembly::State& state, bool accelerations);
  // Once after each evaluation. The first one fixes the pattern.
  void finish();

  const Eigen::VectorXd& phi() const { return phi_; }      // φ of position rows, ψ of velocity rows
  const Eigen::VectorXd& phi_t() const { return phi_t_; }  // φ_t of position rows, 0 for velocity rows
  const Eigen::VectorXd& gamma() const { return gamma_; }
  const sparse::CscMatrix& G() const { return replay_.matrix(); }  // g, or ψ_v for velocity rows

  assembly::Needs needs() const override;
  void residual(assembly::BlockId, assembly::Term, assembly::VecRef) override {}
  void partial(assembly::BlockId, assembly::BlockId, assembly::Level, assembly::MatRef) override {}
  void multiplier_partial(assembly::BlockId, assembly::RowId, assembly::VecRef) override {}
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override;
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override;

 private:
  void add_row(assembly::RowId row, std::span<const assembly::BlockId> blocks, assembly::VecRef values);
  // The entries of the state's v over these blocks.
  Eigen::Ref<const Eigen::VectorXd> gather(std::span<const assembly::BlockId> blocks, Eigen::Index size);

  const assembly::Layout& layout_;
  const assembly::State* state_ = nullptr;
  bool accelerations_ = false;
  bool recording_ = true;
  sparse::Recorder recorder_;
  sparse::Replay replay_;
  std::vector<double> recorded_;  // values of the recording pass, replayed once the pattern is known
  Eigen::VectorXd phi_, phi_t_, gamma_, v_;
};

}  // namespace trunnion::system
