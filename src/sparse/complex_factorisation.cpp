#include "sparse/complex_factorisation.hpp"

#include <cassert>
#include <limits>

#include "sparse/factorisation.hpp"
#include "sparse/klu_common.hpp"

namespace trunnion::sparse {

struct ComplexFactorisation::Klu {
  mutable klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  CscMatrix pattern;

  Klu() { klu_defaults(&common); }
  ~Klu() { clear(); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
  void clear() {
    klu_z_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  bool analyse(const Plan& plan) {
    clear();
    symbolic = klu_symbolic_of(pattern, plan, common);
    return symbolic != nullptr;
  }
};

namespace {

// KLU takes real and imaginary parts in turn, as they stand in memory, and only reads them.
double* parts(std::span<const ComplexFactorisation::Number> values) {
  return const_cast<double*>(reinterpret_cast<const double*>(values.data()));
}

}  // namespace

ComplexFactorisation::ComplexFactorisation() : klu_(std::make_unique<Klu>()) {}
ComplexFactorisation::~ComplexFactorisation() = default;
ComplexFactorisation::ComplexFactorisation(ComplexFactorisation&&) noexcept = default;
ComplexFactorisation& ComplexFactorisation::operator=(ComplexFactorisation&&) noexcept = default;

bool ComplexFactorisation::analyse(const CscMatrix& pattern, std::span<const int> order) {
  factored_ = false;
  given_order_ = !order.empty();
  klu_->pattern = pattern;
  return pattern.cols == 0 || klu_->analyse(Plan{order});
}

// Judged as the real ones are: the smallest pivot against the largest, rows being scaled.
bool ComplexFactorisation::good(std::span<const Number> values) {
  constexpr double kNothing = 4.0 * std::numeric_limits<double>::epsilon();
  if (klu_->numeric == nullptr || klu_z_rcond(klu_->symbolic, klu_->numeric, &klu_->common) == 0)
    return false;
  growth_ = 0;
  if (klu_z_rgrowth(mut(klu_->pattern.start), mut(klu_->pattern.row), parts(values), klu_->symbolic,
                    klu_->numeric, &klu_->common) != 0)
    growth_ = klu_->common.rgrowth;
  return klu_->common.rcond > kNothing;  // false for what is not a number
}

bool ComplexFactorisation::factor(std::span<const Number> values) {
  klu_z_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_z_factor(mut(klu_->pattern.start), mut(klu_->pattern.row), parts(values),
                               klu_->symbolic, &klu_->common);
  factored_ = good(values);
  pivoted_growth_ = growth_;
  return factored_;
}

bool ComplexFactorisation::update(std::span<const Number> values) {
  const CscMatrix& A = klu_->pattern;
  assert(values.size() == A.row.size());
  if (A.cols == 0) return factored_ = true;
  if (factored_) {
    klu_z_refactor(mut(A.start), mut(A.row), parts(values), klu_->symbolic, klu_->numeric, &klu_->common);
    if (good(values) && growth_ >= Factorisation::kRepivotBelow * pivoted_growth_) return true;
  }
  if (factor(values) || !given_order_) return factored_;
  // The order was chosen for pivots on the diagonal. Before the matrix is called singular, all pivots are tried.
  given_order_ = false;
  return klu_->analyse(Plan{.matching = false}) && factor(values);
}

void ComplexFactorisation::solve(Eigen::Ref<Eigen::VectorXcd> b) const {
  assert(factored_ && b.size() == klu_->pattern.cols);
  if (b.size() == 0) return;
  klu_z_solve(klu_->symbolic, klu_->numeric, klu_->pattern.cols, 1, reinterpret_cast<double*>(b.data()),
              &klu_->common);
}

}  // namespace trunnion::sparse
