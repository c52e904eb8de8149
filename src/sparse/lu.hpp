#pragma once
// Sparse LU of a square matrix with a fixed pattern (SuiteSparse KLU behind it):
//   analyse    once per pattern: block triangular form and fill-reducing order
//   factor     with pivoting
//   refactor   new numbers, the same pivots: several times cheaper, allocates nothing
//   update     refactors, and pivots anew when the old pivots have become bad
// Small matrices that block triangular form does not take apart are factored as full ones: up to kDenseUpTo unknowns that
// is two to three times faster (docs/theory/assembly.md).

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

enum class FactorStatus {
  refactored,  // on the old pivots
  pivoted,     // pivots chosen anew
  singular,    // see SparseLu::singular(); solve() must not be called
};

// The first pivot that vanished: this row and column depend on those before them.
struct SingularPivot {
  int row = -1, col = -1;
  double size = 0;  // of the pivot, the row's largest entry being 1
};

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  // False if the pattern alone makes every such matrix singular; singular() then tells one column and row left unmatched.
  bool analyse(const CscMatrix& A);
  // Eliminates in the given order, pivots on the diagonal as long as they are not tiny: for matrices whose order was chosen so
  // that they are good.
  bool analyse(const CscMatrix& A, const std::vector<int>& order);
  FactorStatus factor(const CscMatrix& A);
  // Needs a successful factor() before. The pivots stay, whatever becomes of them: ask growth().
  FactorStatus refactor(const CscMatrix& A);
  FactorStatus update(const CscMatrix& A);

  void solve(Eigen::Ref<Eigen::VectorXd> b) const;            // b ← A⁻¹ b
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const;  // b ← A⁻ᵀ b

  bool factored() const;
  // Reciprocal pivot growth, 1 at best: how much larger than A the factor became.
  double growth() const { return growth_; }
  // Smallest over largest pivot of the row-scaled matrix: a cheap, optimistic guess at 1/condition.
  double rcond() const { return rcond_; }
  // Estimate of ‖A‖₁‖A⁻¹‖₁ (Hager, Higham); a few solves.
  double condition(const CscMatrix& A) const;
  std::optional<SingularPivot> singular() const { return singular_; }
  // After an update() that chose pivots anew: the smallest of the old ones, which had become bad.
  std::optional<SingularPivot> left_pivot() const { return left_; }
  // Sign of the determinant: along a smooth path it changes where a singular matrix is passed. 0 where not factored.
  int determinant_sign() const;

  // New pivots once the growth falls below this fraction of what pivoting had reached: three digits of a solution at most.
  static constexpr double kRepivotBelow = 1e-3;
  static constexpr int kDenseUpTo = 36;

 private:
  struct Klu;
  FactorStatus factor_sparse(const CscMatrix& A);
  bool pivots_are_numbers(const CscMatrix& A, double nothing) const;
  FactorStatus finish(const CscMatrix& A, FactorStatus done);

  std::unique_ptr<Klu> klu_;
  double growth_ = 0.0, pivoted_growth_ = 0.0, rcond_ = 0.0;
  std::optional<SingularPivot> singular_, left_;
  SingularPivot smallest_;
  double trusted_ = 0.0;  // smallest over largest pivot that was small and found to be a number; 0: none was
};

}  // namespace trunnion::sparse
