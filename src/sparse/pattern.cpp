#include "sparse/pattern.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace trunnion::sparse {
namespace {

bool is_zero(std::span<const double> values) {
  std::size_t k = 0;
  std::uint64_t bits = 0;
  const auto of = [&](std::size_t at) { return std::bit_cast<std::uint64_t>(values[at]); };
  for (; k + 4 <= values.size(); k += 4) bits |= of(k) | of(k + 1) | of(k + 2) | of(k + 3);
  for (; k < values.size(); ++k) bits |= of(k);
  return bits << 1 == 0;  // whatever the sign
}

}  // namespace

void CscMatrix::multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int j = 0; j < cols; ++j) {
    for (int k = start[j]; k < start[j + 1]; ++k) y[row[k]] += value[k] * x[j];
  }
}

void CscMatrix::transpose_multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int j = 0; j < cols; ++j) {
    double sum = 0.0;
    for (int k = start[j]; k < start[j + 1]; ++k) sum += value[k] * x[row[k]];
    y[j] += sum;
  }
}

bool Replay::escaped() const {
  constexpr double kRounding = 1e-13;
  double largest = 0, outside = 0;
  const std::size_t inside = matrix_.row.size();
  if (is_zero(std::span(matrix_.value).subspan(inside))) return false;  // nearly always
  for (std::size_t k = inside; k < matrix_.value.size(); ++k)
    outside = std::max(outside, std::abs(matrix_.value[k]));
  for (std::size_t k = 0; k < inside; ++k) largest = std::max(largest, std::abs(matrix_.value[k]));
  return outside > kRounding * largest;
}

Replay Recorder::compile(int rows, int cols, std::span<const char> used) const {
  // Two counting sorts, by row and then (stable) by column, bring equal positions together.
  const std::size_t n = entries_.size();
  std::vector<std::uint32_t> by_row(n), order(n);
  std::vector<std::uint32_t> next(static_cast<std::size_t>(rows) + 1, 0);
  for (const Entry& e : entries_) {
    assert(e.row >= 0 && e.row < rows && e.col >= 0 && e.col < cols);
    ++next[static_cast<std::size_t>(e.row) + 1];
  }
  for (int i = 0; i < rows; ++i) next[i + 1] += next[i];
  for (std::uint32_t k = 0; k < n; ++k) by_row[next[entries_[k].row]++] = k;
  next.assign(static_cast<std::size_t>(cols) + 1, 0);
  for (const Entry& e : entries_) ++next[static_cast<std::size_t>(e.col) + 1];
  for (int j = 0; j < cols; ++j) next[j + 1] += next[j];
  for (const std::uint32_t k : by_row) order[next[entries_[k].col]++] = k;

  Replay result;
  CscMatrix& m = result.matrix_;
  m.rows = rows;
  m.cols = cols;
  m.start.assign(static_cast<std::size_t>(cols) + 1, 0);
  result.slots_.resize(n);
  std::vector<std::uint32_t> left_out;
  for (std::size_t first = 0; first < n;) {
    const Entry e = entries_[order[first]];
    std::size_t end = first;
    bool in_pattern = used.empty();
    for (; end < n && entries_[order[end]].row == e.row && entries_[order[end]].col == e.col; ++end)
      in_pattern = in_pattern || used[order[end]] != 0;
    if (in_pattern) {
      m.row.push_back(e.row);
      ++m.start[static_cast<std::size_t>(e.col) + 1];
    }
    for (; first < end; ++first) {
      if (in_pattern) result.slots_[order[first]] = static_cast<std::uint32_t>(m.row.size()) - 1;
      else left_out.push_back(order[first]);
    }
  }
  // Each emission outside the pattern has a place of its own behind it, so that no two can cancel.
  auto place = static_cast<std::uint32_t>(m.row.size());
  for (const std::uint32_t k : left_out) result.slots_[k] = place++;
  for (int j = 0; j < cols; ++j) m.start[j + 1] += m.start[j];
  m.value.assign(place, 0.0);
  return result;
}

}  // namespace trunnion::sparse
