#include "solve/dependent_coordinates.hpp"

#include <map>

namespace trunnion::solve {

bool DependentCoordinates::chosen_for(const std::vector<int>& rows, const std::vector<char>& held) const {
  return chosen_ && rows == rows_ && held == held_;
}

void DependentCoordinates::choose(const sparse::CscMatrix& G, const std::vector<int>& rows,
                                  const std::vector<char>& held, std::span<const assembly::Triple> triples) {
  rows_ = rows;
  held_ = held;
  columns_.clear();
  from_.clear();
  source_.clear();
  std::vector<Source> source_of(static_cast<std::size_t>(G.cols));
  for (std::size_t k = 0; k < triples.size(); ++k) {
    for (int axis = 0; axis < 3; ++axis)
      source_of[static_cast<std::size_t>(triples[k].offset + axis)] = {static_cast<int>(k), axis};
  }
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  matrix_ = {};
  matrix_.start.push_back(0);
  std::map<int, std::array<int, 3>> column;  // row of the matrix, places in G
  for (int c = 0; c < G.cols; ++c) {
    if (!held.empty() && held[static_cast<std::size_t>(c)]) continue;
    const Source& source = source_of[static_cast<std::size_t>(c)];
    columns_.push_back(c);
    source_.push_back(source);
    column.clear();
    const int first = source.triple < 0 ? c : c - source.axis, count = source.triple < 0 ? 1 : 3;
    for (int i = 0; i < count; ++i) {
      const auto of = static_cast<std::size_t>(first + i);
      for (int k = G.start[of]; k < G.start[of + 1]; ++k) {
        const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
        if (row < 0) continue;
        column.try_emplace(row, std::array<int, 3>{-1, -1, -1}).first->second[static_cast<std::size_t>(i)] =
            k;
      }
    }
    for (const auto& [row, places] : column) {
      matrix_.row.push_back(row);
      from_.push_back(places);
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

bool DependentCoordinates::factor(const sparse::CscMatrix& G, const assembly::Turns* turn) {
  const auto value = [&G](int place) { return place < 0 ? 0.0 : G.value[static_cast<std::size_t>(place)]; };
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Source& source = source_[c];
    const auto axis = static_cast<std::size_t>(source.axis);
    for (int e = matrix_.start[c]; e < matrix_.start[c + 1]; ++e) {
      const std::array<int, 3>& from = from_[static_cast<std::size_t>(e)];
      double& to = matrix_.value[static_cast<std::size_t>(e)];
      if (source.triple < 0 || turn == nullptr) {
        to = value(from[source.triple < 0 ? 0 : axis]);
        continue;
      }
      const auto T = (*turn)[static_cast<std::size_t>(source.triple)].col(source.axis);
      to = value(from[0]) * T[0] + value(from[1]) * T[1] + value(from[2]) * T[2];
    }
  }
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
