#pragma once
// The equations of a system at one state, taken apart by level: the one sink that assembles.
//   r = M a + h − Q       K = ∂r/∂q + Σ λ H,  C = ∂r/∂v (+ Σ λ H_v of velocity rows),  M = ∂r/∂a,  L = ∂r/∂λ
//   φ, φ_t                G = ∂φ/∂q,  B = ∂(G v + φ_t)/∂q = Hᵀv + g_t,  γ = −(vᵀHv + 2 g_t·v + φ_tt)
//   ψ of velocity rows    G = ∂ψ/∂v,  B = ∂ψ/∂q,  γ = −(ψ_q·v + ψ_t)
// Matrices are kept as small full blocks, one for each pair of the layout's blocks that something couples, and rows as one run of
// numbers over their blocks. Which element adds to which block is found when it emits for the first time and replayed after that:
// no search, no allocation. A matrix for a formula, for statics or for accelerations is a sum of these levels
// (solve/stage_equations.hpp): another step size needs no new evaluation.

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/SparseCore>

#include "assembly/sink.hpp"
#include "sparse/pattern.hpp"
#include "system/system.hpp"

namespace trunnion::system {

class Levels final : public assembly::Sink {
 public:
  using Workspace = System::Workspace;
  // A pair of blocks and where the numbers of its matrices stand among values(), column by column; −1: there is none.
  struct Pair {
    assembly::BlockId row, col;
    std::array<int, 4> at{-1, -1, -1, -1};  // K, C, M by Level, and Σ μ H at kMu
  };
  // The part of a row over one block; the same place in g() and b().
  struct Part {
    assembly::BlockId block;
    int at = 0;
  };
  struct RowParts {
    int first = 0, count = 0;  // in parts()
  };
  // ∂r/∂λ of one block by one row, beyond Gᵀ.
  struct Reading {
    assembly::BlockId block;
    assembly::RowId row;
    int at = 0;  // in l()
  };

  static constexpr std::size_t kMu = 3;

  // With `stabilised` Σ μ H is kept too.
  explicit Levels(const assembly::Layout& layout, bool stabilised = false);

  // Before and after each evaluation. The state must outlive it. What is not needed keeps its numbers from before.
  void start(const assembly::State& state, const assembly::Needs& needs);
  void finish();
  // For finding what is zero by structure: every number that has been other than zero since the first start() counts as used.
  void note_used();

  // The rows alone at a state: φ, φ_t, G; with `accelerations` B and γ too.
  void evaluate_rows(const System& system, const assembly::State& state, Workspace& work, bool accelerations);
  // Forces alone: r.
  void evaluate_forces(const System& system, const assembly::State& state, Workspace& work);

  const assembly::Layout& layout() const { return layout_; }
  std::span<const Pair> pairs() const { return pairs_; }
  std::span<const Part> parts() const { return parts_; }
  std::span<const RowParts> rows() const { return rows_; }  // one for each row of the layout
  std::span<const Reading> readings() const { return readings_; }
  // The numbers that places in pairs(), parts() and readings() lead to.
  struct Numbers {
    std::span<const double> values, g, b, l;
  };
  Numbers numbers() const { return {values_, g_, b_, l_}; }
  // The same with 1 for each that is used, 0 for each that is zero by structure.
  Numbers used() const { return {used_, used_g_, used_b_, used_l_}; }

  // How often something has told a partial by accelerations at one evaluation.
  int inertia_terms() const { return static_cast<int>(calls_[kMass].at.size()); }

  const Eigen::VectorXd& residual() const { return residual_; }  // r without Gᵀλ
  const Eigen::VectorXd& phi() const { return phi_; }            // φ, and ψ of velocity rows
  const Eigen::VectorXd& phi_t() const { return phi_t_; }        // φ_t; 0 for velocity rows
  const Eigen::VectorXd& rate() const { return rate_; }          // φ̇, and ψ of velocity rows
  const Eigen::VectorXd& gamma() const { return gamma_; }        // where Hessians were needed

  // r += sign Gᵀλ of these rows.
  void add_reactions(std::span<const int> rows, const Eigen::VectorXd& lambda, double sign,
                     Eigen::Ref<Eigen::VectorXd> r) const;
  // G x and B x of one row over the entries of bodies.
  double along(int row, const Eigen::VectorXd& x) const { return along(g_, row, x); }
  double along_B(int row, const Eigen::VectorXd& x) const { return along(b_, row, x); }
  // r += M x
  void add_inertia(const Eigen::VectorXd& x, Eigen::Ref<Eigen::VectorXd> r) const;
  // G of all rows, one column for each tangent entry.
  const sparse::CscMatrix& gradient() const;

  // Whole matrices, for analyses that are done once. Rows are those listed.
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix level(assembly::Level level) const;
  Matrix G(std::span<const int> rows) const { return row_matrix(rows, g_); }
  Matrix B(std::span<const int> rows) const { return row_matrix(rows, b_); }
  Matrix L(std::span<const int> rows) const;  // Gᵀ with what functions of reactions add to it

  assembly::Needs needs() const override { return needs_; }
  void residual(assembly::BlockId row, assembly::Term term, assembly::VecRef value) override;
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level level,
               assembly::MatRef value) override;
  void multiplier_partial(assembly::BlockId row, assembly::RowId col, assembly::VecRef value) override;
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override;
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override;
  bool takes_turning_rows() const override { return true; }
  void turning_rows(const assembly::TurningRows& rows) override;

 private:
  // The calls of one kind, in the order they come: where each one's numbers go.
  struct Calls {
    std::vector<int> at;
    std::size_t next = 0;
    bool known = false;  // all of them have come once
    bool wanted = false;
  };
  enum Kind { kStiffness, kDamping, kMass, kCurvature, kRateCurvature, kReadings, kRows, kKinds };
  static constexpr int kNone = -1;

  int pair_of(assembly::BlockId row, assembly::BlockId col);
  int room(std::size_t level, assembly::BlockId row, assembly::BlockId col);
  template <class Find> int next_place(Kind kind, Find find);
  int begin_row(assembly::RowId row, std::span<const assembly::BlockId> blocks, const double* g,
                Eigen::Index size);
  Eigen::Map<const Eigen::VectorXd> gather(const Eigen::VectorXd& from,
                                           std::span<const assembly::BlockId> blocks, Eigen::Index size);
  void add_square(std::span<const assembly::BlockId> blocks, assembly::RowShape shape, double factor,
                  assembly::MatRef H, std::size_t level, Kind kind);
  double along(const std::vector<double>& numbers, int row, const Eigen::VectorXd& x) const;
  Matrix row_matrix(std::span<const int> rows, const std::vector<double>& values) const;

  const assembly::Layout& layout_;
  bool stabilised_;
  assembly::Needs needs_;
  const assembly::State* state_ = nullptr;
  std::array<Calls, kKinds> calls_;
  std::vector<Pair> pairs_;
  std::map<std::pair<int, int>, int> place_of_pair_;
  std::vector<Part> parts_;
  std::vector<RowParts> rows_;
  std::vector<Reading> readings_;
  std::vector<double> values_, g_, b_, l_;
  std::vector<double> used_, used_g_, used_b_, used_l_;
  std::array<std::vector<std::pair<int, int>>, 4>
      ranges_;  // of each level's numbers among values_, and of Σ μ H
  Eigen::VectorXd residual_, phi_, phi_t_, rate_, gamma_, gathered_;
  mutable sparse::CscMatrix gradient_;
  mutable std::vector<int> gradient_place_;  // of each number of g_
};

}  // namespace trunnion::system
