#include "solve/least_change.hpp"

#include <algorithm>
#include <cmath>

#include "solve/ordering.hpp"

namespace trunnion::solve {

LeastChange::LeastChange(int size, const std::vector<system::Weight>& exact, const assembly::Layout* bodies)
    : size_(size), bodies_(bodies), exact_(exact) {}

template <class Put> void LeastChange::emit(const sparse::CscMatrix& G, const Put& put) const {
  for (int i = 0; i < size_; ++i) put(i, i, 1.0);
  for (const system::Weight& w : exact_) {
    for (int i = 0; i < w.size; ++i) {
      for (int j = 0; j < w.size; ++j) put(w.offset + i, w.offset + j, (kExact - 1) * w.c[i] * w.c[j]);
    }
  }
  for (int col = 0; col < G.cols; ++col) {
    for (int k = G.start[static_cast<std::size_t>(col)]; k < G.start[static_cast<std::size_t>(col) + 1];
         ++k) {
      const int row = position_[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row < 0) continue;
      const double value = scale_[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])] *
                           G.value[static_cast<std::size_t>(k)];
      put(size_ + row, col, value);
      put(col, size_ + row, value);
    }
  }
  const int n = size_ + static_cast<int>(active_.size());
  for (int i = size_; i < n; ++i) put(i, i, 0.0);
}

void LeastChange::record(const sparse::CscMatrix& G) {
  position_.assign(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < active_.size(); ++k)
    position_[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  const int n = size_ + static_cast<int>(active_.size());
  sparse::Recorder recorder;
  recorder.reserve(static_cast<std::size_t>(n) + 2 * G.row.size() + 36 * exact_.size());
  emit(G, [&](int row, int col, double) { recorder.entry(row, col); });
  replay_ = recorder.compile(n, n);
  recorded_ = G.nonzeros();
}

void LeastChange::scale(const sparse::CscMatrix& G) {
  scale_.assign(static_cast<std::size_t>(G.rows), 0.0);
  for (std::size_t k = 0; k < G.row.size(); ++k)
    scale_[static_cast<std::size_t>(G.row[k])] += G.value[k] * G.value[k];
  const double length = exact_.empty() ? 1.0 : std::sqrt(kExact);
  for (double& s : scale_) s = s > 0 ? length / std::sqrt(s) : 1.0;
}

bool LeastChange::factor(const sparse::CscMatrix& G, const std::vector<int>& active) {
  scale(G);
  const bool known = recorded_ == G.nonzeros() && active == active_;
  if (!known) {
    active_ = active;
    record(G);
  }
  replay_.start();
  emit(G, [&](int, int, double value) { replay_.add(value); });
  singular_ = -1;
  if (factor_recorded(known)) return true;
  const int where = lu_.singular() ? lu_.singular()->col : -1;
  if (factor_by_bodies()) return true;
  recorded_ = -1;
  singular_ = where;
  return false;
}

bool LeastChange::factor_recorded(bool known) {
  const sparse::CscMatrix& A = replay_.matrix();
  return (known || lu_.analyse(A)) && lu_.update(A) != sparse::FactorStatus::singular;
}

bool LeastChange::factor_by_bodies() {
  if (bodies_ == nullptr) return false;
  const sparse::CscMatrix& A = replay_.matrix();
  const GroupedOrder found = grouped_order(*bodies_, A, static_cast<int>(active_.size()));
  return lu_.analyse(A, sparse::Plan{.order = found.order, .groups = found.groups}) &&
         lu_.factor(A) != sparse::FactorStatus::singular;
}

Eigen::VectorXd LeastChange::solved(const Eigen::VectorXd& right) {
  Eigen::VectorXd x = right;
  lu_.solve(x);
  // One step of refinement: the weights span ten powers of ten.
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size());
  replay_.matrix().multiply_add(x, product);
  Eigen::VectorXd correction = right - product;
  lu_.solve(correction);
  return x + correction;
}

Eigen::VectorXd LeastChange::right_of(const Eigen::VectorXd& d0, const Eigen::VectorXd& b) const {
  const sparse::CscMatrix& matrix = replay_.matrix();
  Eigen::VectorXd start = Eigen::VectorXd::Zero(matrix.rows), right = start;
  start.head(size_) = d0;
  matrix.multiply_add(start, right);
  right = -right;
  right.head(size_).setZero();
  for (std::size_t k = 0; k < active_.size(); ++k)
    right[size_ + static_cast<Eigen::Index>(k)] +=
        scale_[static_cast<std::size_t>(active_[k])] * b[active_[k]];
  return right;
}

Eigen::VectorXd LeastChange::solve(const Eigen::VectorXd& d0, const Eigen::VectorXd& b) {
  return d0 + solved(right_of(d0, b)).head(size_);
}

// What is missing falls by S/(S + kExact) a pass, S being the squares of the arms of all that follows a turn that is kept: much in
// millimetres. Where it stands still instead the constraints do not allow it.
Eigen::VectorXd LeastChange::solve_keeping(const Eigen::VectorXd& d0, const Eigen::VectorXd& b) {
  Eigen::VectorXd right = right_of(d0, b);
  const Eigen::VectorXd first = solved(right).head(size_);
  Eigen::VectorXd change = first;
  const auto missing = [&](const system::Weight& w) {
    return -w.c.head(w.size).dot(change.segment(w.offset, w.size));
  };
  constexpr int kPasses = 1000, kStill = 5;
  constexpr double kKept = 1e-13, kFalls = 0.999;
  // Turns are no lengths: each is judged by the largest of its kind.
  const auto turns = [&](int k) { return bodies_ != nullptr && bodies_->is_turn(k); };
  double sizes[2] = {0, 0};
  for (int k = 0; k < size_; ++k)
    sizes[turns(k)] = std::max({sizes[turns(k)], std::abs(d0[k]), std::abs(first[k])});
  const auto part_missing = [&](const system::Weight& w) {
    Eigen::Index main = 0;
    w.c.head(w.size).cwiseAbs().maxCoeff(&main);
    const double size = sizes[turns(w.offset + static_cast<int>(main))];
    return size > 0 ? std::abs(missing(w)) / size : 0.0;
  };
  double before = 0;
  int still = 0;
  for (int pass = 0; pass < kPasses && still < kStill; ++pass) {
    double largest = 0;
    for (const system::Weight& w : exact_) largest = std::max(largest, part_missing(w));
    if (largest <= kKept) return d0 + change;
    still = pass > 0 && largest > kFalls * before ? still + 1 : 0;
    before = largest;
    for (const system::Weight& w : exact_)
      right.segment(w.offset, w.size) += (kExact - 1) * missing(w) * w.c.head(w.size);
    change = solved(right).head(size_);
  }
  constexpr double kRounding = 1e-9;  // below that it may stand still too
  return d0 + (before <= kRounding || still < kStill ? change : first);
}

}  // namespace trunnion::solve
