#include "sparse/selection.hpp"

#include <algorithm>

namespace trunnion::sparse {

void RowSelection::choose(const CscMatrix& A, const std::vector<int>& rows) {
  std::vector<int> position(static_cast<std::size_t>(A.rows), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  matrix_ = {};
  from_.clear();
  matrix_.rows = static_cast<int>(rows.size());
  matrix_.cols = A.cols;
  matrix_.start.push_back(0);
  std::vector<std::pair<int, int>> column;  // row of the selection, place in A
  for (int col = 0; col < A.cols; ++col) {
    column.clear();
    for (int k = A.start[static_cast<std::size_t>(col)]; k < A.start[static_cast<std::size_t>(col) + 1];
         ++k) {
      const int row = position[static_cast<std::size_t>(A.row[static_cast<std::size_t>(k)])];
      if (row >= 0) column.emplace_back(row, k);
    }
    std::sort(column.begin(), column.end());
    for (const auto& [row, place] : column) {
      matrix_.row.push_back(row);
      from_.push_back(place);
    }
    matrix_.start.push_back(matrix_.nonzeros());
  }
  matrix_.value.resize(from_.size());
  refill(A);
}

void RowSelection::refill(const CscMatrix& A) {
  for (std::size_t k = 0; k < from_.size(); ++k)
    matrix_.value[k] = A.value[static_cast<std::size_t>(from_[k])];
}

}  // namespace trunnion::sparse
