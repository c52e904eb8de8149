#include "solve/dependent_coordinates.hpp"

#include <algorithm>

namespace trunnion::solve {

bool DependentCoordinates::chosen_for(const std::vector<int>& rows, const std::vector<char>& held) const {
  return chosen_ && rows == rows_ && held == held_;
}

void DependentCoordinates::choose(const sparse::CscMatrix& G, const std::vector<int>& rows,
                                  const std::vector<char>& held) {
  rows_ = rows;
  held_ = held;
  columns_.clear();
  from_.clear();
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  matrix_ = {};
  matrix_.start.push_back(0);
  std::vector<std::pair<int, int>> column;  // row of the matrix, place in G
  for (int c = 0; c < G.cols; ++c) {
    if (!held.empty() && held[static_cast<std::size_t>(c)]) continue;
    columns_.push_back(c);
    column.clear();
    for (int k = G.start[static_cast<std::size_t>(c)]; k < G.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row >= 0) column.emplace_back(row, k);
    }
    std::sort(column.begin(), column.end());
    for (const auto& [row, place] : column) {
      matrix_.row.push_back(row);
      from_.push_back(place);
    }
    matrix_.start.push_back(matrix_.nonzeros());
  }
  matrix_.rows = static_cast<int>(rows.size());
  matrix_.cols = static_cast<int>(columns_.size());
  matrix_.value.resize(from_.size());
  x_.resize(matrix_.rows);
  chosen_ = true;
  analysed_ = false;
}

bool DependentCoordinates::factor(const sparse::CscMatrix& G) {
  for (std::size_t k = 0; k < from_.size(); ++k)
    matrix_.value[k] = G.value[static_cast<std::size_t>(from_[k])];
  if (!analysed_ && !factors_.analyse(matrix_)) return false;
  analysed_ = true;
  return factors_.update(matrix_) != sparse::FactorStatus::singular;
}

void DependentCoordinates::solve(const Eigen::VectorXd& b, Eigen::VectorXd& delta) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) x_[static_cast<Eigen::Index>(k)] = b[rows_[k]];
  factors_.solve(x_);
  delta.setZero();
  for (std::size_t k = 0; k < columns_.size(); ++k) delta[columns_[k]] = x_[static_cast<Eigen::Index>(k)];
}

void DependentCoordinates::solve_transpose(const Eigen::VectorXd& b, Eigen::VectorXd& lambda) const {
  for (std::size_t k = 0; k < columns_.size(); ++k) x_[static_cast<Eigen::Index>(k)] = b[columns_[k]];
  factors_.solve_transpose(x_);
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda[rows_[k]] = x_[static_cast<Eigen::Index>(k)];
}

}  // namespace trunnion::solve
