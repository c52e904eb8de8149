#pragma once
// L D Lᵀ of a sparse symmetric matrix, and the lowest modes of a pair by shift and invert.

#include <Eigen/Core>

#include "flex/fe_model.hpp"
#include "sparse/factorisation.hpp"

namespace trunnion::flex {

class SymmetricFactor {
 public:
  // False where it cannot be factored, or is singular.
  bool factor(const SparseMatrix& A);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  void solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const;
  int negative() const { return negative_; }  // eigenvalues below zero

 private:
  sparse::Factorisation factors_;
  int size_ = 0, negative_ = 0;
};

// A(rows, columns).
SparseMatrix part_of(const SparseMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns);

struct Modes {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // vectorsᵀ M vectors = 1
};

// The lowest `count` of K x = λ M x, K + shift M positive definite and given by its factors; M may be singular. Fewer where
// the pair has fewer. That none was passed over is made sure by counting eigenvalues below a place between two (Sylvester).
Modes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, double shift, const SymmetricFactor& shifted,
                   int count);

// Eigenvalues of K x = λ M x below `value`.
int count_below(const SparseMatrix& K, const SparseMatrix& M, double value);

}  // namespace trunnion::flex
