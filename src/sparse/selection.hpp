#pragma once
// Some rows of a matrix as a matrix of their own, refilled without search or allocation as long as the pattern stays.

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

class RowSelection {
 public:
  // Row k of the selection is row rows[k] of A.
  void choose(const CscMatrix& A, const std::vector<int>& rows);
  void refill(const CscMatrix& A);
  const CscMatrix& matrix() const { return matrix_; }

 private:
  CscMatrix matrix_;
  std::vector<int> from_;  // of each entry, its place in A
};

}  // namespace trunnion::sparse
