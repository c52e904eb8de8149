#include "analysis/linear/freedom.hpp"

#include <algorithm>
#include <cmath>

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
  Matrix measured = part_of(at.G, rows, places(n, columns), width);
  for (int c = 0; c < width; ++c)
    measured.col(c) /= at.unit[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])];
  std::vector<int> free = sparse::free_columns(to_csc(std::move(measured)));
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
  if (!factor(at)) return false;
  constexpr int kExchanges = 200;
  for (int k = 0; k < kExchanges && exchange(at); ++k) {
    if (!factor(at)) return false;
  }
  return true;
}

bool Freedom::factor(const LinearLevels& at) {
  std::vector<int> all(rows_.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  const sparse::CscMatrix square = to_csc(part_of(
      G_, all, places(static_cast<int>(at.mechanical.size()), dependent_), static_cast<int>(all.size())));
  return lu_.analyse(square) && lu_.factor(square) != sparse::FactorStatus::singular;
}

// The dependent coordinates that move most where the free ones move by ±1, by place in dependent_.
std::vector<int> Freedom::largest_rows(const LinearLevels& at) const {
  constexpr std::size_t kLooks = 8;
  constexpr int kProbes = 3;
  Eigen::VectorXd size = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dependent_.size()));
  std::uint32_t random = 1;
  for (int p = 0; p < kProbes; ++p) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(G_.cols());
    for (const int f : entries_) {
      random = random * 1664525u + 1013904223u;
      x[f] = (random >> 31 ? 1 : -1) / at.unit[static_cast<std::size_t>(f)];
    }
    Eigen::VectorXd b = G_ * x;
    lu_.solve(b);
    for (std::size_t k = 0; k < dependent_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      size[i] = std::max(size[i], std::abs(b[i]) * at.unit[static_cast<std::size_t>(dependent_[k])]);
    }
  }
  std::vector<int> order(dependent_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  const std::size_t looks = std::min(kLooks, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looks), order.end(),
                    [&](int i, int j) { return size[i] != size[j] ? size[i] > size[j] : i < j; });
  order.resize(looks);
  return order;
}

// One exchange; false where none is due.
bool Freedom::exchange(const LinearLevels& at) {
  constexpr double kLargest = 4;
  if (entries_.empty()) return false;
  for (const int d : largest_rows(at)) {
    Eigen::VectorXd y = Eigen::VectorXd::Unit(static_cast<Eigen::Index>(dependent_.size()), d);
    lu_.solve_transpose(y);
    const Eigen::VectorXd row = G_.transpose() * y;  // −N_d by all coordinates
    const double unit = at.unit[static_cast<std::size_t>(dependent_[static_cast<std::size_t>(d)])];
    std::size_t best = 0;
    double largest = 0;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const double size = std::abs(row[entries_[k]]) * unit / at.unit[static_cast<std::size_t>(entries_[k])];
      if (size > largest) best = k, largest = size;
    }
    if (!(largest > kLargest)) continue;
    std::swap(dependent_[static_cast<std::size_t>(d)], entries_[best]);
    std::sort(entries_.begin(), entries_.end());
    std::sort(dependent_.begin(), dependent_.end());
    return true;
  }
  return false;
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

Eigen::VectorXd Freedom::reduced(const Eigen::VectorXd& y) const {
  Eigen::VectorXd b(static_cast<Eigen::Index>(dependent_.size())),
      out(static_cast<Eigen::Index>(entries_.size()));
  for (std::size_t j = 0; j < dependent_.size(); ++j) b[static_cast<Eigen::Index>(j)] = y[dependent_[j]];
  if (b.size() > 0) lu_.solve_transpose(b);
  const Eigen::VectorXd carried = G_.transpose() * b;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    out[static_cast<Eigen::Index>(k)] = y[entries_[k]] - carried[entries_[k]];
  return out;
}

Eigen::VectorXd Freedom::particular(const Eigen::VectorXd& all) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(G_.cols()), b(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) b[static_cast<Eigen::Index>(k)] = all[rows_[k]];
  if (b.size() > 0) lu_.solve(b);
  for (std::size_t j = 0; j < dependent_.size(); ++j) x[dependent_[j]] = b[static_cast<Eigen::Index>(j)];
  return x;
}

}  // namespace trunnion::analysis
