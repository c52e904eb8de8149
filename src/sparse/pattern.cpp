#include "sparse/pattern.hpp"

#include <cassert>

namespace trunnion::sparse {

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

Replay Recorder::compile(int rows, int cols) const {
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
  int last_row = -1, last_col = -1;
  for (const std::uint32_t k : order) {
    const Entry e = entries_[k];
    if (e.row != last_row || e.col != last_col) {
      m.row.push_back(e.row);
      ++m.start[static_cast<std::size_t>(e.col) + 1];
      last_row = e.row;
      last_col = e.col;
    }
    result.slots_[k] = static_cast<std::uint32_t>(m.row.size()) - 1;
  }
  for (int j = 0; j < cols; ++j) m.start[j + 1] += m.start[j];
  m.value.assign(m.row.size(), 0.0);
  return result;
}

}  // namespace trunnion::sparse
