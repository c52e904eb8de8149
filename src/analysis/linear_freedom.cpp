#include "analysis/linear_freedom.hpp"

#include <algorithm>

#include "sparse/rank.hpp"

namespace trunnion::analysis {

using Matrix = LinearLevels::Matrix;

namespace {

// The given rows, and columns (place: where each goes, −1 where left out).
Matrix part_of(const Matrix& m, const std::vector<int>& rows, const std::vector<int>& column_place,
               int width) {
  std::vector<int> row_place(static_cast<std::size_t>(m.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    row_place[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < m.outerSize(); ++c) {
    const int column = column_place[static_cast<std::size_t>(c)];
    for (Matrix::InnerIterator it(m, c); it && column >= 0; ++it) {
      const int row = row_place[static_cast<std::size_t>(it.row())];
      if (row >= 0) entries.emplace_back(row, column, it.value());
    }
  }
  Matrix out(static_cast<Eigen::Index>(rows.size()), width);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<int> places(int size, const std::vector<int>& chosen) {
  std::vector<int> out(static_cast<std::size_t>(size), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    out[static_cast<std::size_t>(chosen[k])] = static_cast<int>(k);
  return out;
}

}  // namespace

bool Freedom::find(const LinearLevels& at, const std::vector<int>& rows) {
  const auto n = static_cast<int>(at.mechanical.size());
  const auto m = static_cast<int>(rows.size());
  std::vector<int> columns;
  for (int i = 0; i < n; ++i) {
    if (at.mechanical[static_cast<std::size_t>(i)]) columns.push_back(i);
  }
  const auto width = static_cast<int>(columns.size());
  std::vector<int> free =
      sparse::row_rank(to_csc(part_of(at.G, rows, places(n, columns), width))).free_columns;
  if (static_cast<int>(free.size()) != width - m) return false;
  std::sort(free.begin(), free.end());
  rows_ = rows;
  entries_.clear();
  dependent_.clear();
  for (int c = 0, k = 0; c < width; ++c) {
    const bool is_free = k < static_cast<int>(free.size()) && free[static_cast<std::size_t>(k)] == c;
    (is_free ? entries_ : dependent_).push_back(columns[static_cast<std::size_t>(c)]);
    k += is_free;
  }
  std::vector<int> all(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  G_ = part_of(at.G, rows, all, n);
  if (m == 0) return true;
  const sparse::CscMatrix square = to_csc(part_of(at.G, rows, places(n, dependent_), m));
  return lu_.analyse(square) && lu_.factor(square) != sparse::FactorStatus::singular;
}

void Freedom::find_basis() {
  N_ = Eigen::MatrixXd::Zero(G_.cols(), static_cast<Eigen::Index>(entries_.size()));
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    Eigen::VectorXd b = -Eigen::VectorXd(G_.col(entries_[k]));
    if (b.size() > 0) lu_.solve(b);
    for (std::size_t j = 0; j < dependent_.size(); ++j)
      N_(dependent_[j], column) = b[static_cast<Eigen::Index>(j)];
    N_(entries_[k], column) = 1;
  }
}

void Freedom::complete(const double* free, Eigen::Ref<Eigen::VectorXd> x) const {
  x.setZero();
  for (std::size_t k = 0; k < entries_.size(); ++k) x[entries_[k]] = free[k];
  Eigen::VectorXd b = -(G_ * x);
  if (b.size() > 0) lu_.solve(b);
  for (std::size_t j = 0; j < dependent_.size(); ++j) x[dependent_[j]] = b[static_cast<Eigen::Index>(j)];
}

Eigen::VectorXd Freedom::particular(const Eigen::VectorXd& all) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(G_.cols()), b(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) b[static_cast<Eigen::Index>(k)] = all[rows_[k]];
  if (b.size() > 0) lu_.solve(b);
  for (std::size_t j = 0; j < dependent_.size(); ++j) x[dependent_[j]] = b[static_cast<Eigen::Index>(j)];
  return x;
}

}  // namespace trunnion::analysis
