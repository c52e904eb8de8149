#include "formulas/conditions.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "formulas/amplification.hpp"
#include "formulas/rooted_trees.hpp"

namespace trunnion::formulas {

namespace {

using Complex = std::complex<double>;
using Failures = std::vector<std::string>;

// Of sums of a few dozen products of numbers of size 1; a bound that grows with the numbers is given where they are large.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

void expect(Failures& failures, const std::string& what, double defect, double allowed) {
  if (!(std::abs(defect) <= allowed)) failures.push_back(fmt::format("{} is off by {:.1e}", what, defect));
}

// 0.001 … 1e5, where the imaginary axis is looked at.
double place_on_axis(int k) { return std::pow(10.0, -3 + k / 50.0); }
constexpr int kPlaces = 401;

double time_of(const StagedTable& table, int j) {
  return j <= table.past ? -j : table.rows[j - 1 - table.past].c;  // older points at equal steps
}

// Σ a t^power + power (Σ b t^(power−1) + implicit c^(power−1)) = c^power, what makes a row exact for t^power.
template <typename Time>
void expect_row(Failures& failures, const std::string& name, const StageRow& row, int points, int power,
                const Time& time) {
  double sum = -std::pow(row.c, power) + (power > 0 ? power * row.implicit * std::pow(row.c, power - 1) : 0);
  double size = 2 * std::abs(std::pow(row.c, power));
  for (int j = 0; j < points; ++j) {
    const double value = row.a[j] * std::pow(time(j), power);
    const double rate = power > 0 ? power * row.b[j] * std::pow(time(j), power - 1) : 0;
    sum += value + rate;
    size += std::abs(value) + std::abs(rate);
  }
  expect(failures, fmt::format("{} for y = t^{}", name, power), sum, kRounding * (1 + size));
}

void expect_stages(Failures& failures, const StagedTable& table) {
  for (int k = 0; k < table.stages; ++k)
    for (int power = 0; power <= 2; ++power)
      expect_row(failures, fmt::format("{}, stage {}", power < 2 ? "consistency" : "stage order 2", k + 1),
                 table.rows[k], table.place(k), power, [&table](int j) { return time_of(table, j); });
}

void expect_multistep_order(Failures& failures, const StagedTable& table) {
  for (int power = 1; power <= table.order; ++power)
    expect_row(failures, fmt::format("order {}", power), table.last(), table.place(table.stages - 1), power,
               [&table](int j) { return time_of(table, j); });
}

void expect_trees(Failures& failures, const ButcherTable& butcher, int order, int linear_order,
                  const char* whose) {
  for (const OrderCondition& condition : order_conditions(butcher, std::max(order, linear_order)))
    if (condition.order <= order || (condition.tall && condition.order <= linear_order))
      expect(failures, fmt::format("{}order {}, {}", whose, condition.order, condition.text),
             condition.defect, condition.rounding);
}

ButcherTable butcher_of(const StagedTable& table) {
  const int n = table.stages + 1;
  ButcherTable butcher{Eigen::MatrixXd::Zero(n, n), {}};
  for (int k = 0; k < table.stages; ++k) {
    for (int j = 0; j <= k; ++j) butcher.A(k + 1, j) = table.rows[k].b[j];
    butcher.A(k + 1, k + 1) = table.rows[k].implicit;
  }
  butcher.b = butcher.A.row(n - 1);
  return butcher;
}

// The start of the step as a stage of its own.
ButcherTable butcher_of(const CollocationTable& table) {
  const int n = table.stages + 1;
  ButcherTable butcher{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  butcher.A.bottomRightCorner(n - 1, n - 1) = table.A;
  butcher.A.bottomLeftCorner(n - 1, 1) = table.start;
  butcher.b.tail(n - 1) = table.b;
  if (table.stiffly_accurate) butcher.b[0] = table.start[table.stages - 1];
  return butcher;
}

// The size that the numbers of a step reach at z, as a measure of its rounding.
double size_of_step(const StagedTable& table, Complex z) {
  std::array<double, 1 + kMostPast + kMostStages> size;
  for (int j = 0; j <= table.past; ++j) size[j] = 1;
  for (int k = 0; k < table.stages; ++k) {
    const StageRow& row = table.rows[k];
    double sum = 0;
    for (int j = 0; j < table.place(k); ++j) sum += (std::abs(row.a[j]) + std::abs(z * row.b[j])) * size[j];
    size[table.place(k)] = sum / std::abs(1.0 - z * row.implicit);
  }
  return size[table.place(table.stages - 1)];
}

// |R(iy)| ≤ 1, and no pole in the left half-plane.
template <typename Table, typename Size>
void expect_stable_axis(Failures& failures, const Table& table, const Size& size) {
  double worst = 0, where = 0;
  for (int k = 0; k < kPlaces; ++k) {
    const Complex z(0, place_on_axis(k));
    const double excess = std::abs(amplification_roots(table, z)[0]) - 1;
    if (excess <= kRounding * (1 + size(z)) || excess <= worst) continue;
    worst = excess;
    where = z.imag();
  }
  if (worst > 0)
    failures.push_back(fmt::format("A-stability: |R(iy)| is 1 + {:.1e} at y = {:.3g}", worst, where));
}

// A linear multistep formula as polynomials of ξ, highest power first: α(ξ) y = h σ(ξ) ẏ.
struct Polynomials {
  std::vector<Complex> alpha, sigma;
};

Complex value(const std::vector<Complex>& polynomial, Complex at) {
  Complex sum = 0;
  for (const Complex& coefficient : polynomial) sum = sum * at + coefficient;
  return sum;
}

double size(const std::vector<Complex>& polynomial) {
  double sum = 0;
  for (const Complex& coefficient : polynomial) sum += std::abs(coefficient);
  return sum;
}

Polynomials polynomials(const StagedTable& table) {
  const StageRow& row = table.last();
  Polynomials p{{1.0}, {row.implicit}};
  for (int j = 0; j <= table.past; ++j) {
    p.alpha.emplace_back(-row.a[j]);
    p.sigma.emplace_back(row.b[j]);
  }
  return p;
}

// times 1 + γ(ξ − 1)
void multiply(std::vector<Complex>& polynomial, Complex gamma) {
  polynomial.emplace_back(0);
  for (std::size_t k = polynomial.size() - 1; k > 0; --k)
    polynomial[k] = gamma * polynomial[k] + (1.0 - gamma) * polynomial[k - 1];
  polynomial[0] *= gamma;
}

Polynomials polynomials(const SingleStepTable& table) {
  Polynomials p{{1.0, -1.0}, {1.0}};
  for (int i = 0; i < 2 * table.steps - 1; ++i) multiply(i % 2 == 0 ? p.sigma : p.alpha, table.gamma[i]);
  return p;
}

// All roots at infinity are −ρ: σ(ξ) = σ₀ (ξ + ρ)ʳ.
void expect_roots_at_infinity(Failures& failures, const Polynomials& p, double rho) {
  double wanted = 1, worst = 0;
  const int r = int(p.sigma.size()) - 1;
  for (int j = 0; j <= r; ++j) {
    const double defect = std::abs(p.sigma[j] / p.sigma[0] - wanted);
    if (!(defect <= worst)) worst = defect;
    wanted *= rho * (r - j) / (j + 1);
  }
  expect(failures, fmt::format("rho_inf = {}: (xi + rho)^{} of the roots at infinity", rho, r), worst,
         kRounding * 16);
}

// For a formula whose roots at infinity are inside the unit circle: Re α/σ has its least value outside the circle on it.
void expect_stable_locus(Failures& failures, const Polynomials& p) {
  double worst = 0, where = 0;
  for (int k = 1; k <= 2 * kPlaces; ++k) {
    const double angle = std::numbers::pi * k / (2 * kPlaces);
    const Complex at = std::polar(1.0, angle), below = value(p.sigma, at);
    const double real = (value(p.alpha, at) / below).real();
    if (real >= -kRounding * (1 + size(p.alpha) / std::abs(below)) || -real <= worst) continue;
    worst = -real;
    where = angle;
  }
  if (worst > 0)
    failures.push_back(fmt::format(
        "A-stability: at the boundary xi = e^(i {:.3g}) the real part of h lambda is -{:.1e}", where, worst));
}

// Roots of α are inside the unit circle but for the single one at 1.
void expect_zero_stable(Failures& failures, const Roots& roots) {
  // A root of multiplicity m is found to ε^(1/m), 1e-5 for three: nearer to the circle than this, none can be told from one on it.
  constexpr double kNear = 1e-4;
  int on_circle = 0;
  for (const Complex& root : roots) {
    if (!(std::abs(root) < 1 + kNear))
      failures.push_back(fmt::format("zero-stability: a root of size {:.6g}", std::abs(root)));
    if (std::abs(root) > 1 - kNear) ++on_circle;
  }
  if (on_circle > 1)
    failures.push_back(fmt::format("zero-stability: {} roots on the unit circle", on_circle));
}

void expect_multistep_stable(Failures& failures, const Polynomials& p, const Roots& at_rest, double rho) {
  expect_roots_at_infinity(failures, p, rho);
  expect_zero_stable(failures, at_rest);
  expect_stable_locus(failures, p);
}

void expect_one_step_stable(Failures& failures, const StagedTable& table) {
  for (int k = 0; k < table.stages; ++k)
    if (!(table.rows[k].implicit > 0))
      failures.push_back(fmt::format("A-stability: stage {} has a pole in the left half-plane", k + 1));
  expect_stable_axis(failures, table, [&table](Complex z) { return size_of_step(table, z); });
  // At infinity the rounding of a stage is that of a large z.
  expect(failures, fmt::format("rho_inf = {}", table.rho), radius_at_infinity(table) - table.rho,
         kRounding * (1 + size_of_step(table, Complex(0, 1e6))));
}

void expect_embedded(Failures& failures, const ButcherTable& full, const Eigen::VectorXd& weights,
                     int order) {
  expect_trees(failures, {full.A, weights}, order, order, "embedded ");
  if ((weights - full.b).norm() < 1e-6)
    failures.push_back("embedded weights are those of the formula itself");
}

std::vector<std::string> named(const std::string& name, Failures failures) {
  for (std::string& failure : failures) failure = fmt::format("{}: {}", name, failure);
  return failures;
}

bool finite(const StagedTable& table) {
  for (const StageRow& row : table.rows) {
    if (!std::isfinite(row.c + row.implicit)) return false;
    for (std::size_t j = 0; j < row.a.size(); ++j)
      if (!std::isfinite(row.a[j] + row.b[j])) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> conditions(const StagedTable& table) {
  if (!finite(table)) return {fmt::format("{}: a weight is not a number", table.name)};
  Failures failures;
  expect_stages(failures, table);
  if (table.last().c != 1)
    failures.push_back(
        fmt::format("stiff accuracy: the last stage is at {} of the step, not at its end", table.last().c));
  if (table.past > 0) {
    expect_multistep_order(failures, table);
    expect_multistep_stable(failures, polynomials(table), amplification_roots(table, 0), table.rho);
  } else {
    const ButcherTable butcher = butcher_of(table);
    expect_trees(failures, butcher, table.order, table.order, "");
    expect_one_step_stable(failures, table);
    if (table.embedded)
      expect_embedded(failures, butcher,
                      Eigen::Map<const Eigen::VectorXd>(table.embedded_weights.data(), table.stages + 1),
                      table.embedded_order);
  }
  return named(table.name, failures);
}

std::vector<std::string> conditions(const SingleStepTable& table) {
  Failures failures;
  Complex surplus = 0;
  for (int i = 0; i < 2 * table.steps - 1; ++i) surplus += i % 2 == 0 ? table.gamma[i] : -table.gamma[i];
  expect(failures, "order 2: the sum of the even less that of the odd gamma, 1/2,", std::abs(surplus - 0.5),
         kRounding);
  const Polynomials p = polynomials(table);
  double imaginary = 0;
  for (const Complex& coefficient : p.alpha) imaginary = std::max(imaginary, std::abs(coefficient.imag()));
  expect(failures, "real solution: the imaginary part of the product of the odd gamma's factors", imaginary,
         kRounding);
  expect_multistep_stable(failures, p, amplification_roots(table, 0), table.rho);
  return named(table.name, failures);
}

std::vector<std::string> conditions(const CollocationTable& table) {
  Failures failures;
  const ButcherTable butcher = butcher_of(table);
  expect_trees(failures, butcher, table.order, table.linear_order, "");
  const Eigen::VectorXd sums = table.A.rowwise().sum() + table.start;
  for (int k = 0; k < table.stages; ++k)
    expect(failures, fmt::format("consistency, stage {} for y = t^1", k + 1), sums[k] - table.c[k],
           kRounding);
  if (table.stiffly_accurate) {
    expect(failures, "stiff accuracy: the last row of A",
           (table.A.row(table.stages - 1).transpose() - table.b).norm(), kRounding);
    expect(failures, "stiff accuracy: the time of the last stage", table.c[table.stages - 1] - 1, kRounding);
  }
  for (const Complex& eigenvalue : table.A.eigenvalues())
    if (!(eigenvalue.real() > 0))
      failures.push_back("A-stability: an eigenvalue of A is not in the right half-plane");
  expect_stable_axis(failures, table, [](Complex) { return 16.0; });
  expect(failures, fmt::format("rho_inf = {}", table.rho), radius_at_infinity(table) - table.rho, kRounding);
  if (table.embedded) {
    Eigen::VectorXd weights(table.stages + 1);
    weights << table.embedded_start, table.embedded_b;
    expect_embedded(failures, butcher, weights, table.embedded_order);
  }
  return named(table.name, failures);
}

std::vector<std::string> conditions(const NewmarkTable& table) {
  const double lag = table.alpha_f - table.alpha_m;
  if (!std::isfinite(table.beta + table.gamma + lag))
    return {fmt::format("{}: a weight is not a number", table.name)};
  if (!table.rho) return {};
  Failures failures;
  expect(failures, "order 2: gamma, 1/2 + alpha_f - alpha_m,", table.gamma - (0.5 + lag), kRounding);
  // J. Chung and G. M. Hulbert (1993): what no step makes unstable.
  if (!(table.alpha_m <= table.alpha_f + kRounding && table.alpha_f <= 0.5 + kRounding))
    failures.push_back(fmt::format("A-stability: alpha_m = {:.3g} ≤ alpha_f = {:.3g} ≤ 1/2 does not hold",
                                   table.alpha_m, table.alpha_f));
  const double least = 0.25 + lag / 2;
  if (!(table.beta >= least - kRounding))
    failures.push_back(fmt::format("A-stability: beta = {:.3g} is below 1/4 + (alpha_f - alpha_m)/2 = {:.3g}",
                                   table.beta, least));
  // Two roots meet there: rounding is felt by its square root.
  expect(failures, fmt::format("rho_inf = {:.3g}", *table.rho), radius_at_infinity(table) - *table.rho,
         4 * std::sqrt(kRounding));
  return named(table.name, failures);
}

std::vector<std::string> conditions(const StageRow& row, double ratio) {
  Failures failures;
  for (int power = 0; power <= 2; ++power)
    expect_row(failures, fmt::format("step ratio {}, order {}", ratio, power), row, 2, power,
               [ratio](int j) { return -j / ratio; });
  return failures;
}

}  // namespace trunnion::formulas
