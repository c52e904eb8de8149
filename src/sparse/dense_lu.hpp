#pragma once
// LU of a small matrix as a full one: rows scaled to a largest entry of 1, partial pivoting, pivots that can be kept.
// For SparseLu, which decides when it pays.

#include <vector>

#include <Eigen/Core>

#include "sparse/pattern.hpp"
#include "sparse/pivots.hpp"

namespace trunnion::sparse {

class DenseLu {
 public:
  void factor(const CscMatrix& A) { eliminate(A, true); }
  void refactor(const CscMatrix& A) { eliminate(A, false); }  // on the pivots of the last factor()

  void solve(Eigen::Ref<Eigen::VectorXd> b) const;
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const;

  double pivot(int k) const { return lu_(k, k); }
  Factors factors() const;
  const std::vector<int>& rows() const { return row_; }  // row_[k]: the row that gave pivot k
  double growth() const { return growth_; }              // least over the columns of max |A| / max |U|
  double condition(const CscMatrix& A) const;            // ‖A‖₁‖A⁻¹‖₁

 private:
  void load(const CscMatrix& A);
  void eliminate(const CscMatrix& A, bool choose);

  Eigen::MatrixXd lu_;
  Eigen::VectorXd scale_, column_size_;
  std::vector<int> row_, place_;  // place_[i]: where row i of A stands
  double growth_ = 0.0;
  mutable Eigen::VectorXd work_;
};

}  // namespace trunnion::sparse
