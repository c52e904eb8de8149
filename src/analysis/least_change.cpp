#include "analysis/least_change.hpp"

namespace trunnion::analysis {

LeastChange::LeastChange(int size, const std::vector<system::Weight>& exact) : size_(size), exact_(exact) {}

bool LeastChange::factor(const sparse::CscMatrix& G, const std::vector<int>& active) {
  active_ = active;
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < active.size(); ++k)
    position[static_cast<std::size_t>(active[k])] = static_cast<int>(k);
  sparse::Recorder recorder;
  std::vector<double> values;
  const auto entry = [&](int row, int col, double value) {
    recorder.entry(row, col);
    values.push_back(value);
  };
  const int n = size_ + static_cast<int>(active.size());
  for (int i = 0; i < size_; ++i) entry(i, i, 1.0);
  for (const system::Weight& w : exact_) {
    for (int i = 0; i < w.size; ++i) {
      for (int j = 0; j < w.size; ++j) entry(w.offset + i, w.offset + j, (kExact - 1) * w.c[i] * w.c[j]);
    }
  }
  for (int col = 0; col < G.cols; ++col) {
    for (int k = G.start[static_cast<std::size_t>(col)]; k < G.start[static_cast<std::size_t>(col) + 1];
         ++k) {
      const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row < 0) continue;
      entry(size_ + row, col, G.value[static_cast<std::size_t>(k)]);
      entry(col, size_ + row, G.value[static_cast<std::size_t>(k)]);
    }
  }
  for (int i = size_; i < n; ++i) entry(i, i, 0.0);
  sparse::Replay replay = recorder.compile(n, n);
  replay.start();
  for (const double value : values) replay.add(value);
  matrix_ = replay.matrix();
  singular_ = -1;
  const bool good = lu_.analyse(matrix_) && lu_.factor(matrix_) != sparse::FactorStatus::singular;
  if (!good && lu_.singular()) singular_ = lu_.singular()->col;
  return good;
}

Eigen::VectorXd LeastChange::solve(const Eigen::VectorXd& d0, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(matrix_.rows);
  x.head(size_) = d0;
  for (const system::Weight& w : exact_) {
    const double along = w.c.head(w.size).dot(d0.segment(w.offset, w.size));
    x.segment(w.offset, w.size) += (kExact - 1) * along * w.c.head(w.size);
  }
  for (std::size_t k = 0; k < active_.size(); ++k) x[size_ + static_cast<Eigen::Index>(k)] = b[active_[k]];
  Eigen::VectorXd right = x;
  lu_.solve(x);
  // One step of refinement: the weights span ten powers of ten.
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size());
  matrix_.multiply_add(x, product);
  Eigen::VectorXd correction = right - product;
  lu_.solve(correction);
  x += correction;
  return x.head(size_);
}

}  // namespace trunnion::analysis
