#include "sparse/lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include <klu.h>

#include "sparse/dense_lu.hpp"

namespace trunnion::sparse {

struct SparseLu::Klu {
  mutable klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  int n = 0;
  bool given_order = false;
  bool full = false;      // small and not block triangular: `dense` does the work
  bool has_full = false;  // `dense` holds factors
  DenseLu dense;
  mutable std::vector<char> seen;  // of determinant_sign()

  Klu() {
    klu_defaults(&common);
    common.halt_if_singular = 0;  // goes on past a zero pivot, so that its row and column can be named
  }
  ~Klu() { clear(); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
  bool has_factors() const { return full ? has_full : numeric != nullptr; }
  double pivot(int k) const { return full ? dense.pivot(k) : static_cast<const double*>(numeric->Udiag)[k]; }
  const int* row_order() const { return full ? dense.rows().data() : numeric->Pnum; }
  void clear() {
    has_full = false;
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
};

namespace {

// KLU's interface is not const-correct; it only reads the matrix.
int* mut(const std::vector<int>& v) { return const_cast<int*>(v.data()); }
double* mut(const std::vector<double>& v) { return const_cast<double*>(v.data()); }

}  // namespace

SparseLu::SparseLu() : klu_(std::make_unique<Klu>()) {}
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

bool SparseLu::factored() const { return klu_->has_factors() && !singular_; }

bool SparseLu::analyse(const CscMatrix& A) {
  assert(A.rows == A.cols);
  klu_->clear();
  singular_.reset();
  klu_->n = A.cols;
  if (A.cols == 0) return true;
  klu_common standard;
  klu_defaults(&standard);
  klu_->given_order = false;
  klu_->common.btf = standard.btf;
  klu_->common.tol = standard.tol;
  klu_->symbolic = klu_analyze(A.cols, mut(A.start), mut(A.row), &klu_->common);
  if (klu_->symbolic == nullptr) {
    singular_ = SingularPivot{};
    return false;
  }
  const int rank = klu_->symbolic->structural_rank;
  if (rank >= 0 && rank < A.cols) {
    // BTF puts the unmatched rows and columns last, as in Duff's maximum transversal.
    singular_ = SingularPivot{klu_->symbolic->P[A.cols - 1], klu_->symbolic->Q[A.cols - 1]};
    return false;
  }
  klu_->full = A.cols <= kDenseUpTo && 2 * klu_->symbolic->maxblock >= A.cols;
  return true;
}

bool SparseLu::analyse(const CscMatrix& A, const std::vector<int>& order) {
  assert(A.rows == A.cols && static_cast<int>(order.size()) == A.cols);
  klu_->clear();
  singular_.reset();
  klu_->n = A.cols;
  if (A.cols == 0) return true;
  constexpr double kTiny = 1e-6;
  klu_->given_order = true;
  klu_->common.btf = 0;
  klu_->common.tol = kTiny;
  klu_->symbolic = klu_analyze_given(A.cols, mut(A.start), mut(A.row), mut(order), mut(order), &klu_->common);
  if (klu_->symbolic == nullptr) singular_ = SingularPivot{};
  return klu_->symbolic != nullptr;
}

FactorStatus SparseLu::factor(const CscMatrix& A) {
  singular_.reset();
  trusted_ = 0;
  if (klu_->n == 0) return FactorStatus::pivoted;
  assert(klu_->symbolic != nullptr);
  if (klu_->full) {
    klu_->dense.factor(A);
    klu_->has_full = true;
    const FactorStatus status = finish(A, FactorStatus::pivoted);
    pivoted_growth_ = growth_;
    return status;
  }
  const FactorStatus status = factor_sparse(A);
  // The order was chosen for pivots on the diagonal. Before the matrix is called singular, all pivots are tried.
  if (status != FactorStatus::singular || !klu_->given_order) return status;
  const std::optional<SingularPivot> first = singular_;
  if (analyse(A) && factor(A) != FactorStatus::singular) return FactorStatus::pivoted;
  singular_ = first;  // a place in the caller's own order
  return FactorStatus::singular;
}

FactorStatus SparseLu::factor_sparse(const CscMatrix& A) {
  klu_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_factor(mut(A.start), mut(A.row), mut(A.value), klu_->symbolic, &klu_->common);
  if (klu_->numeric == nullptr) {
    // Only a matrix with numbers that are not finite, or no memory, ends here: the row scaling rejects a zero row by itself.
    singular_ = SingularPivot{-1, klu_->common.singular_col < klu_->n ? klu_->common.singular_col : -1};
    return FactorStatus::singular;
  }
  const FactorStatus status = finish(A, FactorStatus::pivoted);
  pivoted_growth_ = growth_;
  return status;
}

FactorStatus SparseLu::refactor(const CscMatrix& A) {
  if (klu_->n == 0) return FactorStatus::refactored;
  assert(klu_->has_factors());
  singular_.reset();
  if (klu_->full) {
    klu_->dense.refactor(A);
    return finish(A, FactorStatus::refactored);
  }
  klu_refactor(mut(A.start), mut(A.row), mut(A.value), klu_->symbolic, klu_->numeric, &klu_->common);
  return finish(A, FactorStatus::refactored);
}

FactorStatus SparseLu::update(const CscMatrix& A) {
  if (!factored() && klu_->n != 0) return factor(A);
  const FactorStatus status = refactor(A);
  const bool good =
      status == FactorStatus::refactored && growth_ >= kRepivotBelow * pivoted_growth_;  // false for NaN
  left_.reset();
  if (good || klu_->n == 0) return status;
  left_ = smallest_;
  return factor(A);
}

// Looks for a vanished pivot and takes the measures of quality.
FactorStatus SparseLu::finish(const CscMatrix& A, FactorStatus done) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  int worst = 0;  // also where all pivots are infinite
  bool finite = true;
  for (int k = 0; k < klu_->n; ++k) {
    const double size = std::abs(klu_->pivot(k));
    finite = finite && std::isfinite(size);
    if (!(size >= smallest)) {
      smallest = size;
      worst = k;
    }
    if (size > largest) largest = size;
  }
  smallest_ = {klu_->row_order()[worst], klu_->full ? worst : klu_->symbolic->Q[worst], smallest};
  rcond_ = finite && largest > 0.0 ? smallest / largest : 0.0;
  growth_ = 0.0;
  if (klu_->full) {
    if (finite) growth_ = klu_->dense.growth();
  } else if (finite && klu_rgrowth(mut(A.start), mut(A.row), mut(A.value), klu_->symbolic, klu_->numeric,
                                   &klu_->common) != 0)
    growth_ = klu_->common.rgrowth;
  // Rows are scaled to a largest entry of 1, so that a pivot this small is in doubt.
  const double nothing = 4.0 * std::numeric_limits<double>::epsilon() * largest;
  bool good = finite && smallest > nothing;
  if (!good && finite && smallest > 0 && !klu_->given_order) {
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
bool SparseLu::pivots_are_numbers(const CscMatrix& A, double nothing) const {
  // Known to a quarter, a pivot is no zero, and corrections that are refined with it gain two bits each.
  constexpr double kSure = 4;
  const int n = klu_->n;
  Factors f;
  std::vector<int> block(1, 0);
  if (klu_->full) {
    f = klu_->dense.factors();
  } else {
    const auto lnz = static_cast<std::size_t>(klu_->numeric->lnz);
    const auto unz = static_cast<std::size_t>(klu_->numeric->unz);
    f.l_start.resize(static_cast<std::size_t>(n) + 1);
    f.u_start.resize(static_cast<std::size_t>(n) + 1);
    f.l_row.resize(lnz);
    f.l_value.resize(lnz);
    f.u_row.resize(unz);
    f.u_value.resize(unz);
    block.resize(static_cast<std::size_t>(klu_->symbolic->nblocks) + 1);
    if (klu_extract(klu_->numeric, klu_->symbolic, f.l_start.data(), f.l_row.data(), f.l_value.data(),
                    f.u_start.data(), f.u_row.data(), f.u_value.data(), nullptr, nullptr, nullptr, nullptr,
                    nullptr, nullptr, block.data(), &klu_->common) == 0)
      return false;
  }
  f.rows.assign(klu_->row_order(), klu_->row_order() + n);
  f.cols.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) f.cols[static_cast<std::size_t>(k)] = klu_->full ? k : klu_->symbolic->Q[k];
  for (int k = 0; k < n; ++k) {
    const double size = std::abs(klu_->pivot(k));
    if (size > nothing) continue;
    const int first = *std::prev(std::upper_bound(block.begin(), block.end(), k));
    if (!(size > kSure * pivot_rounding(f, A, first, k))) return false;
  }
  return true;
}

void SparseLu::solve(Eigen::Ref<Eigen::VectorXd> b) const {
  assert(b.size() == klu_->n);
  if (klu_->n == 0) return;
  if (klu_->full) return klu_->dense.solve(b);
  klu_solve(klu_->symbolic, klu_->numeric, klu_->n, 1, b.data(), &klu_->common);
}

void SparseLu::solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const {
  assert(b.size() == klu_->n);
  if (klu_->n == 0) return;
  if (klu_->full) return klu_->dense.solve_transpose(b);
  klu_tsolve(klu_->symbolic, klu_->numeric, klu_->n, 1, b.data(), &klu_->common);
}

namespace {

// +1 for an even permutation, −1 for an odd one: a cycle of even length is odd.
int parity(const int* permutation, int n, std::vector<char>& seen) {
  seen.assign(static_cast<std::size_t>(n), 0);
  int sign = 1;
  for (int first = 0; first < n; ++first) {
    for (int k = first, length = 0; !seen[static_cast<std::size_t>(k)]; k = permutation[k], ++length) {
      seen[static_cast<std::size_t>(k)] = 1;
      if (length > 0) sign = -sign;
    }
  }
  return sign;
}

}  // namespace

int SparseLu::determinant_sign() const {
  if (klu_->n == 0) return 1;
  if (!factored()) return 0;
  // Rows are scaled by positive numbers, and what block triangular form leaves outside its blocks has no part in it.
  int sign = parity(klu_->row_order(), klu_->n, klu_->seen);
  if (!klu_->full) sign *= parity(klu_->symbolic->Q, klu_->n, klu_->seen);
  for (int k = 0; k < klu_->n; ++k) {
    if (klu_->pivot(k) < 0) sign = -sign;
  }
  return sign;
}

double SparseLu::condition(const CscMatrix& A) const {
  if (klu_->n == 0) return 1.0;
  if (!factored()) return std::numeric_limits<double>::infinity();
  if (klu_->full) return klu_->dense.condition(A);
  klu_condest(mut(A.start), mut(A.value), klu_->symbolic, klu_->numeric, &klu_->common);
  return klu_->common.condest;
}

}  // namespace trunnion::sparse
