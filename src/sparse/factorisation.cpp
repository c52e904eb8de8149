#include "sparse/factorisation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace trunnion::sparse {

bool Factorisation::analyse(const CscMatrix& A, const Plan& plan) {
  assert(A.rows == A.cols);
  singular_.reset();
  has_factors_ = false;
  size_ = A.cols;
  given_order_ = !plan.order.empty();
  grouped_ = !plan.groups.empty();
  if (plan.order.data() != order_.data()) order_.assign(plan.order.begin(), plan.order.end());
  if (size_ == 0) return true;
  const SolverEntry& entry = choose_solver(A, plan);
  if (!solver_ || name_ != entry.name) solver_ = entry.make();
  name_ = entry.name;
  if (solver_->analyse(A, plan)) return true;
  singular_ = solver_->unmatched();
  return false;
}

FactorStatus Factorisation::factor(const CscMatrix& A) {
  FactorStatus status = pivot(A);
  if (grouped_ && (status == FactorStatus::singular || !solver_->usable())) {
    ++gave_up_;
    analyse(A, Plan{.order = order_});
    status = pivot(A);
  }
  if (status != FactorStatus::singular || !given_order_) return status;
  const std::optional<SingularPivot> first = singular_;
  if (analyse(A, Plan{.matching = false}) && pivot(A) != FactorStatus::singular) return FactorStatus::pivoted;
  singular_ = first;  // a place in the caller's own order
  return FactorStatus::singular;
}

FactorStatus Factorisation::pivot(const CscMatrix& A) {
  singular_.reset();
  trusted_ = 0;
  if (size_ == 0) {
    has_factors_ = true;
    return FactorStatus::pivoted;
  }
  assert(solver_);
  has_factors_ = solver_->factor(A);
  if (!has_factors_) {
    singular_ = solver_->unmatched();
    return FactorStatus::singular;
  }
  scale_columns(A);
  const FactorStatus status = finish(A, FactorStatus::pivoted);
  pivoted_growth_ = growth_;
  return status;
}

FactorStatus Factorisation::refactor(const CscMatrix& A) {
  if (size_ == 0) return FactorStatus::refactored;
  assert(has_factors_);
  singular_.reset();
  solver_->refactor(A);
  return finish(A, FactorStatus::refactored);
}

FactorStatus Factorisation::update(const CscMatrix& A) {
  if (!factored() && size_ != 0) return factor(A);
  const FactorStatus status = refactor(A);
  const bool good =
      status == FactorStatus::refactored && growth_ >= kRepivotBelow * pivoted_growth_;  // false for NaN
  left_.reset();
  if (good || size_ == 0) return status;
  left_ = smallest_;
  return factor(A);
}

bool Factorisation::renew(const CscMatrix& A, bool new_pattern, std::span<const int> order) {
  if (new_pattern && !analyse(A, order)) return false;
  return update(A) != FactorStatus::singular;
}

// A multiplier's column beside scaled rows is as small as the inertia of its bodies is large, by the unit of mass alone. It is told by its
// diagonal, which is zero. (Other columns may be small because they are nothing but rounding.)
void Factorisation::scale_columns(const CscMatrix& A) {
  std::vector<double> row(static_cast<std::size_t>(A.rows), 0.0);
  for (std::size_t k = 0; k < A.row.size(); ++k) {
    double& largest = row[static_cast<std::size_t>(A.row[k])];
    largest = std::max(largest, std::abs(A.value[k]));
  }
  column_scale_.assign(static_cast<std::size_t>(A.cols), 1.0);
  for (int j = 0; j < A.cols; ++j) {
    double largest = 0, diagonal = 0;
    for (auto k = static_cast<std::size_t>(A.start[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(A.start[static_cast<std::size_t>(j) + 1]); ++k) {
      if (A.row[k] == j) diagonal = A.value[k];
      else if (A.value[k] != 0)
        largest = std::max(largest, std::abs(A.value[k]) / row[static_cast<std::size_t>(A.row[k])]);
    }
    if (diagonal == 0 && largest > 0) column_scale_[static_cast<std::size_t>(j)] = 1 / largest;
  }
}

double Factorisation::pivot_size(std::size_t k) const {
  return std::abs(solver_->pivots()[k]) * column_scale_[static_cast<std::size_t>(solver_->pivot_cols()[k])];
}

// Looks for a vanished pivot and takes the measures of quality.
FactorStatus Factorisation::finish(const CscMatrix& A, FactorStatus done) {
  const std::span<const double> pivots = solver_->pivots();
  if (pivots.empty()) {
    rcond_ = growth_ = solver_->vanished() == 0 ? 1.0 : 0.0;
    if (solver_->vanished() == 0) return done;
    singular_ = SingularPivot{};
    return FactorStatus::singular;
  }
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  std::size_t worst = 0;  // also where all pivots are infinite
  bool finite = true;
  const std::span<const int> columns = solver_->pivot_cols();
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    const double size = std::abs(pivots[k]) * column_scale_[static_cast<std::size_t>(columns[k])];
    finite = finite && std::isfinite(size);
    if (!(size >= smallest)) {
      smallest = size;
      worst = k;
    }
    if (size > largest) largest = size;
  }
  smallest_ = {solver_->pivot_rows()[worst], solver_->pivot_cols()[worst], smallest};
  rcond_ = finite && largest > 0.0 ? smallest / largest : 0.0;
  growth_ = finite ? solver_->growth(A) : 0.0;
  // Rows are scaled to a largest entry of 1, so that a pivot this small is in doubt.
  const double nothing = 4.0 * std::numeric_limits<double>::epsilon() * largest;
  bool good = finite && smallest > nothing;
  // A small pivot on a given diagonal may be a bad choice. A block's own are chosen, and usable() tells what they are good for.
  if (!good && finite && smallest > 0 && (!given_order_ || grouped_)) {
    constexpr double kAlike = 0.01;  // looked into once, not at every refactorisation
    const bool known = done == FactorStatus::refactored && trusted_ > 0 && rcond_ >= kAlike * trusted_;
    good = known || (done == FactorStatus::pivoted && pivots_are_numbers(A, nothing));
    if (good && !known) trusted_ = rcond_;
  }
  if (!good) {
    singular_ = smallest_;
    return FactorStatus::singular;
  }
  return done;
}

// Of all pivots below `nothing`.
bool Factorisation::pivots_are_numbers(const CscMatrix& A, double nothing) const {
  // Known to a quarter, a pivot is no zero, and corrections that are refined with it gain two bits each.
  constexpr double kSure = 4;
  // Each takes a pass through the factors.
  constexpr int kMost = 100;
  const std::span<const double> pivots = solver_->pivots();
  int doubtful = 0;
  for (std::size_t k = 0; k < pivots.size(); ++k) doubtful += !(pivot_size(k) > nothing);
  if (grouped_ && doubtful > kMost) return pivots_stay(A, nothing);
  Factors f;
  std::vector<int> blocks;
  if (!solver_->factors(f, blocks)) return false;
  const std::span<const int> rows = solver_->pivot_rows(), cols = solver_->pivot_cols();
  f.rows.assign(rows.begin(), rows.end());
  f.cols.assign(cols.begin(), cols.end());
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    if (pivot_size(k) > nothing) continue;
    const double size = std::abs(pivots[k]);
    const int at = static_cast<int>(k);
    const int first = *std::prev(std::upper_bound(blocks.begin(), blocks.end(), at));
    if (!(size > kSure * pivot_rounding(f, A, first, at))) return false;
  }
  return true;
}

// Of many pivots: the same elimination with every entry moved in its last digits. What comes out as before is a number, what rounding left of
// zero comes out as something else each time. (Inertia adds up along a chain: a free link of 10,000 has 1e-16 of the largest pivot.)
bool Factorisation::pivots_stay(const CscMatrix& A, double nothing) const {
  constexpr int kTimes = 3;
  constexpr double kUnits = 4 * std::numeric_limits<double>::epsilon(), kSame = 1.0 / 16;
  const std::span<const double> pivots = solver_->pivots();
  const std::vector<double> before(pivots.begin(), pivots.end());
  CscMatrix moved = A;
  std::uint32_t random = 1;
  bool good = true;
  for (int time = 0; time < kTimes && good; ++time) {
    for (std::size_t k = 0; k < A.row.size(); ++k) {
      random = random * 1664525u + 1013904223u;
      moved.value[k] = A.value[k] * (1 + ((random >> 31) != 0 ? kUnits : -kUnits));
    }
    solver_->refactor(moved);
    for (std::size_t k = 0; k < before.size() && good; ++k) {
      const double size =
          std::abs(before[k]) * column_scale_[static_cast<std::size_t>(solver_->pivot_cols()[k])];
      good = size > nothing || std::abs(pivots[k] - before[k]) <= kSame * std::abs(before[k]);
    }
  }
  solver_->refactor(A);
  return good;
}

void Factorisation::solve(Eigen::Ref<Eigen::VectorXd> b) const {
  assert(b.size() == size_);
  if (size_ != 0) solver_->solve(b);
}

void Factorisation::solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const {
  assert(b.size() == size_);
  if (size_ != 0) solver_->solve_transpose(b);
}

namespace {

// +1 for an even permutation, −1 for an odd one: a cycle of even length is odd.
int parity(std::span<const int> permutation, std::vector<char>& seen) {
  const int n = static_cast<int>(permutation.size());
  seen.assign(permutation.size(), 0);
  int sign = 1;
  for (int first = 0; first < n; ++first) {
    for (int k = first, length = 0; !seen[static_cast<std::size_t>(k)];
         k = permutation[static_cast<std::size_t>(k)], ++length) {
      seen[static_cast<std::size_t>(k)] = 1;
      if (length > 0) sign = -sign;
    }
  }
  return sign;
}

}  // namespace

int Factorisation::determinant_sign() const {
  if (size_ == 0) return 1;
  if (!factored()) return 0;
  // Rows are scaled by positive numbers, and what block triangular form leaves outside its blocks has no part in it.
  int sign = parity(solver_->pivot_rows(), seen_) * parity(solver_->pivot_cols(), seen_);
  for (const double pivot : solver_->pivots()) {
    if (pivot < 0) sign = -sign;
  }
  return sign;
}

double Factorisation::condition(const CscMatrix& A) const {
  if (size_ == 0) return 1.0;
  if (!factored()) return std::numeric_limits<double>::infinity();
  return solver_->condition(A);
}

std::optional<Inertia> Factorisation::inertia() const {
  if (size_ == 0) return Inertia{};
  return has_factors_ ? solver_->inertia() : std::nullopt;
}

}  // namespace trunnion::sparse
