#pragma once
// Factors of a square sparse matrix with a fixed pattern; which solver makes them (linear_solver.hpp) follows from the matrix:
//   analyse    once per pattern: the solver, and an order that reduces fill
//   factor     with pivoting
//   refactor   new numbers, the same pivots: several times cheaper, allocates nothing
//   update     refactors, and pivots anew when the old pivots have become bad

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <Eigen/Core>

#include "sparse/inertia.hpp"
#include "sparse/linear_solver.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::sparse {

enum class FactorStatus {
  refactored,  // on the old pivots
  pivoted,     // pivots chosen anew
  singular,    // see Factorisation::singular(); solve() must not be called
};

class Factorisation {
 public:
  // False if the pattern alone makes every such matrix singular; singular() then tells one column and row left unmatched.
  // With an order: eliminates in that order, pivots on the diagonal as long as they are not tiny, for matrices whose order was
  // chosen so that they are good. Before such a matrix is called singular, all pivots are tried. With groups in that order too: by
  // blocks without pivoting between them, and entry by entry where that goes wrong (gave_up()).
  bool analyse(const CscMatrix& A, std::span<const int> order = {}) { return analyse(A, Plan{order}); }
  bool analyse(const CscMatrix& A, const Plan& plan);
  FactorStatus factor(const CscMatrix& A);
  // Needs a successful factor() before. The pivots stay, whatever becomes of them: ask growth().
  FactorStatus refactor(const CscMatrix& A);
  FactorStatus update(const CscMatrix& A);
  // All that a client needs that has no more to say: analyses where that is due, updates. False: singular.
  bool renew(const CscMatrix& A, bool new_pattern, std::span<const int> order = {});

  void solve(Eigen::Ref<Eigen::VectorXd> b) const;            // b ← A⁻¹ b
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const;  // b ← A⁻ᵀ b

  bool factored() const { return has_factors_ && !singular_; }
  std::string_view solver() const { return name_; }  // for reports
  // How often a solver without pivoting gave up since the first analyse() and another one took its place.
  int gave_up() const { return gave_up_; }
  // Reciprocal pivot growth, 1 at best: how much larger than A the factor became.
  double growth() const { return growth_; }
  // Smallest over largest pivot of the scaled matrix (rows, and the columns of multipliers): a cheap, optimistic guess at 1/condition.
  double rcond() const { return rcond_; }
  // Estimate of ‖A‖₁‖A⁻¹‖₁ (Hager, Higham); a few solves.
  double condition(const CscMatrix& A) const;
  std::optional<SingularPivot> singular() const { return singular_; }
  // After an update() that chose pivots anew: the smallest of the old ones, which had become bad.
  std::optional<SingularPivot> left_pivot() const { return left_; }
  // Sign of the determinant: along a smooth path it changes where a singular matrix is passed. 0 where not factored.
  int determinant_sign() const;
  // Of a symmetric plan.
  std::optional<Inertia> inertia() const;

  // New pivots once the growth falls below this fraction of what pivoting had reached: three digits of a solution at most.
  static constexpr double kRepivotBelow = 1e-3;

 private:
  FactorStatus pivot(const CscMatrix& A);
  void scale_columns(const CscMatrix& A);
  double pivot_size(std::size_t k) const;  // of the scaled matrix
  FactorStatus finish(const CscMatrix& A, FactorStatus done);
  bool pivots_are_numbers(const CscMatrix& A, double nothing) const;
  bool pivots_stay(const CscMatrix& A, double nothing) const;

  std::unique_ptr<LinearSolver> solver_;
  std::string_view name_;
  int size_ = 0, gave_up_ = 0;
  std::vector<int> order_;  // given
  bool given_order_ = false, grouped_ = false, has_factors_ = false;
  std::vector<double> column_scale_;  // when pivots were chosen
  double growth_ = 0.0, pivoted_growth_ = 0.0, rcond_ = 0.0;
  std::optional<SingularPivot> singular_, left_;
  SingularPivot smallest_;
  double trusted_ = 0.0;  // smallest over largest pivot that was small and found to be a number; 0: none was
  mutable std::vector<char> seen_;  // of determinant_sign()
};

}  // namespace trunnion::sparse
