#pragma once
// The equations of motion at one state, taken apart by level, for linearisation:
//   A_a δa + A_v δv + A_q δq + L δλ = 0        bodies, states (q = z, v = ż) and variables (q = w), one row per tangent entry
//   G δq = 0                                   active rows; velocity-level ones: G δv + B δq = 0
//   G δv + B δq = 0                            the rates of the others: B = ∂(G v + φ_t)/∂q = vᵀH + g_t
// A_q holds Hλ, L is Gᵀ with what functions of reactions add to it. Made once a state, so that triplets will do.

#include <vector>

#include <Eigen/SparseCore>

#include "assembly/sink.hpp"

namespace trunnion::system {

class LevelSink final : public assembly::Sink {
 public:
  LevelSink(const assembly::Layout& layout, const std::vector<int>& active_rows, const assembly::State& state,
            const assembly::Needs& needs = {});

  using Matrix = Eigen::SparseMatrix<double>;
  Matrix q() const { return make(q_, layout_.size(), layout_.size()); }
  Matrix v() const { return make(v_, layout_.size(), layout_.size()); }
  Matrix a() const { return make(a_, layout_.size(), layout_.size()); }
  Matrix L() const { return make(L_, layout_.size(), active_count()); }
  Matrix G() const { return make(G_, active_count(), layout_.size()); }
  Matrix B() const { return make(B_, active_count(), layout_.size()); }
  int active_count() const { return active_count_; }

  assembly::Needs needs() const override { return needs_; }
  void residual(assembly::BlockId, assembly::Term, assembly::VecRef) override {}
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level level,
               assembly::MatRef value) override;
  void multiplier_partial(assembly::BlockId row, assembly::RowId col, assembly::VecRef value) override;
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override;
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override;

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  static Matrix make(const Triplets& entries, int rows, int cols);
  void add_gradient(int position, std::span<const assembly::BlockId> blocks, assembly::VecRef g);
  void add_rate(int position, std::span<const assembly::BlockId> blocks, assembly::VecRef b);
  Eigen::VectorXd velocities(std::span<const assembly::BlockId> blocks) const;
  void add_square(std::span<const assembly::BlockId> blocks, double factor, assembly::MatRef H, Triplets& to);

  const assembly::Layout& layout_;
  const assembly::State& state_;
  assembly::Needs needs_;
  std::vector<int> position_;  // of each row among the active ones, −1 where redundant
  int active_count_;
  Triplets q_, v_, a_, L_, G_, B_;
};

}  // namespace trunnion::system
