// Formulas of several implicit stages with one γ and a spectral radius at infinity of choice: ρ∞-Bathe (G. Noh, K. J. Bathe, Comput.
// Struct. 212 (2019) 299-310) and n substeps (H. Zhang and others, Nonlinear Dyn. 102 (2020) 1939-1962; MSSTH as modified in the
// appendix of Multibody Syst. Dyn. 54 (2022) 263-301). All are stiffly accurate, of stage order 2, with c₂ = 2γ.

#include <array>
#include <cmath>
#include <complex>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "formulas/estimate.hpp"
#include "formulas/newton.hpp"
#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

namespace {

using Complex = std::complex<double>;
using Real = long double;  // where differences of large terms leave small ones

// The parabola through values at ρ = 0, 1/2, 1: where Newton's method starts.
double between(const std::array<double, 3>& value, double rho) {
  return value[0] * (1 - rho) * (1 - 2 * rho) + value[1] * 4 * rho * (1 - rho) +
         value[2] * rho * (2 * rho - 1);
}

StagedTable one_step(std::string name, int order, int stages, double rho, double gamma) {
  StagedTable table;
  table.name = std::move(name);
  table.order = order;
  table.stages = stages;
  table.rho = rho;
  for (int k = 0; k < stages; ++k) {
    table.rows[k].a[0] = 1;
    table.rows[k].implicit = gamma;
  }
  return table;
}

// Row k, from 0, by its time and its weights from the second rate on; that of ẏ₀ follows from c.
void set_row(StagedTable& table, int k, Real c, std::initializer_list<Real> weights) {
  StageRow& row = table.rows[k];
  row.c = double(c);
  Real first = c - row.implicit;
  int j = 1;
  for (const Real w : weights) {
    first -= w;
    row.b[j++] = double(w);
  }
  row.b[0] = double(first);
}

// Of the numerator P(z) = 1 + Σ aₖ zᵏ of MSSTC(n)'s R(z) = P/(1 − γz)ⁿ: order 2 gives a₁ and a₂, R(∞) gives aₙ, the rest, and γ by
// the defect that is left, make |P(iy)|² and |1 − iγy|²ⁿ agree up to y²ⁿ⁻².
template <typename T> struct Numerator {
  std::array<T, 6> a{};
  T defect{};
};

template <typename T> Numerator<T> numerator(int n, double rho, T g) {
  using std::sqrt;
  Numerator<T> p;
  auto& a = p.a;
  const T g2 = g * g, g4 = g2 * g2, g6 = g4 * g2;
  a[1] = 1.0 - double(n) * g;
  a[2] = 0.5 - double(n) * g + 0.5 * n * (n - 1) * g2;
  if (n == 3) {
    a[3] = rho * g2 * g;
    p.defect = a[2] * a[2] - 2.0 * a[1] * a[3] - 3.0 * g4;
  } else if (n == 4) {
    a[4] = rho * g4;
    a[3] = (a[2] * a[2] + 2.0 * a[4] - 6.0 * g4) / (2.0 * a[1]);
    p.defect = a[3] * a[3] - 2.0 * a[2] * a[4] - 4.0 * g6;
  } else {
    a[5] = rho * g4 * g;
    const T product = a[1] * a[2], spare = 10.0 * g4 - a[2] * a[2];
    a[3] = product - sqrt(product * product + a[2] * spare - 2.0 * a[1] * a[5] + 10.0 * g6);
    a[4] = 0.5 * spare + a[1] * a[3];
    p.defect = a[4] * a[4] - 2.0 * a[3] * a[5] - 5.0 * g6 * g2;
  }
  return p;
}

// Weights b₁ … bₙ of the last row from P(z) = (1 − γz)ⁿ⁻¹ + z Σ bᵢ₊₁ (1 + γz)ⁱ (1 − γz)ⁿ⁻¹⁻ⁱ.
Eigen::VectorXd last_weights(int n, double gamma, const std::array<double, 6>& a) {
  const auto binomials = [n, gamma](int plus) {  // (1 + γz)^plus (1 − γz)^(n−1−plus)
    Eigen::VectorXd p = Eigen::VectorXd::Zero(n);
    p[0] = 1;
    for (int i = 0; i < n - 1; ++i)
      for (int k = n - 1; k > 0; --k) p[k] += (i < plus ? gamma : -gamma) * p[k - 1];
    return p;
  };
  Eigen::MatrixXd columns(n, n);
  for (int i = 0; i < n; ++i) columns.col(i) = binomials(i);
  Eigen::VectorXd wanted(n);
  const Eigen::VectorXd first = binomials(0);
  for (int k = 0; k < n; ++k) wanted[k] = a[k + 1] - (k + 1 < n ? first[k + 1] : 0);
  return columns.fullPivLu().solve(wanted);
}

// γ of MSSTH(n): the limit of R at infinity is pₙ(γ)/(−γ)ⁿ = ±ρ, pₙ = Σ C(n, k) (−γ)ᵏ/(n − k)!. (For n = 3 the γ that the
// paper prints are those of MSSTC(3).)
double mssth_gamma(int n, double rho) {
  static constexpr std::array<std::array<double, 3>, 3> kNear = {{{0.4358665, 0.3756022, 0.3333333},
                                                                  {0.5728161, 0.4704806, 0.3943376},
                                                                  {0.2780538, 0.2605154, 0.2465052}}};
  const double wanted = n == 5 ? -rho : rho;
  return root_near(between(kNear[n - 3], rho), [n, wanted](Complex g) {
    Complex sum = 0, power = 1;  // (−γ)ᵏ
    double factor = 1;           // C(n, k)/(n − k)!
    for (int k = 2; k <= n; ++k) factor /= k;
    for (int k = 0; k <= n; ++k) {
      sum += (k == n ? factor - wanted : factor) * power;
      factor *= double(n - k) * (n - k) / (k + 1);
      power *= -g;
    }
    return sum;
  });
}

struct Nodes {
  double c3, c4;
};

// Index of ρ among 0, 0.1, …, 1; −1 between them.
int printed_line(double rho) {
  const double line = std::round(10 * rho);
  return std::abs(10 * rho - line) < 1e-9 ? int(line) : -1;
}

// c₃, c₄ of MSSTH(4), free as far as order and stability go. At ρ = 0, 0.1, …, 1 as the paper prints them. Printed ones cross between
// 0.6 and 0.7, where weights have no bound, and are not the least ‖σ⁽⁵⁾‖ that they are said to be (1 % to 50 % above it; the least one
// has c₄ = 2γ near 0.74). Between the lines: a pair with weights below 3 and ‖σ⁽⁵⁾‖ below 1.5 times the least, for every ρ.
Nodes nodes_of_four(double rho) {
  static constexpr Nodes kPrinted[] = {
      {0.5590985754229417305, 0.7414011664833654036}, {0.6002938888698324122, 0.7584129875780372121},
      {0.6385228144891605953, 0.7731436659604612460}, {0.6752454071331807752, 0.7860312064122737530},
      {0.7116626313535582440, 0.7972514819203143643}, {0.7489373901316857946, 0.8067140747427041791},
      {0.7884370115210036155, 0.8139662529419134929}, {0.8321495959968309361, 0.8179301032006714989},
      {0.8836585039419085905, 0.8162478946500242305}, {0.9508833135343227253, 0.8036295352568830763},
      {1.0534803411702867302, 0.7689305362617052664}};
  if (const int line = printed_line(rho); line >= 0) return kPrinted[line];
  return {0.75, 0.65};
}

// c₃, c₄ of MSSTH(5), likewise; c₃ = 0.1 has no bounded weights near ρ = 0.55, nor the printed c₄ near 0.9. Between the lines: a
// pair with weights below 6 and ‖σ⁽⁶⁾‖ < 0.0024 (0.0019 … 0.0023 on the lines) for every ρ.
Nodes nodes_of_five(double rho) {
  static constexpr double kPrinted[] = {0.9673258605571696256, 0.9085500184865173967, 0.8510912674088796370,
                                        0.7951780419709296721, 0.7409689864721386021, 0.6885609787040850582,
                                        0.6379972790560722862, 0.5892756783804685705, 0.5423562209596147765,
                                        0.4971683414199104534, 0.4536172576687555469};
  if (const int line = printed_line(rho); line >= 0) return {0.1, kPrinted[line]};
  return {0.32, 0.74};
}

Real a32(Real g, Real c3) { return c3 * (c3 - 2 * g) / (4 * g); }

// What Σ b c = ½, or Σ a c = c²/2 of a stage, leaves for the weight of the rate at 2γ; `later` is Σ of the other weights × c.
Real weight_at_2g(Real g, Real c, Real later) { return (c * c - 2 * later - 2 * c * g) / (4 * g); }

void fill_three(StagedTable& t, Real g) {
  const Real c3 = (24 * g * g - 20 * g + 3) / (24 * g * g - 24 * g + 4);
  const Real b3 = (6 * g * g - 6 * g + 1) / (3 * c3 * (c3 - 2 * g));
  set_row(t, 1, c3, {a32(g, c3)});
  set_row(t, 2, 1, {weight_at_2g(g, 1, b3 * c3), b3});
}

void fill_four(StagedTable& t, Real g, Nodes nodes) {
  const Real c3 = nodes.c3, c4 = nodes.c4, g2 = g * g, g3 = g2 * g, c33 = c3 * c3;
  const Real eta1 = 48 * (1 - c4) * g3 + 8 * (3 * c33 - 6 * c3 + 9 * c4 - 5) * g2 +
                    6 * (-4 * c33 + 6 * c3 - 4 * c4 + 1) * g + 4 * c33 - 5 * c3 + 2 * c4;
  const Real eta2 = 48 * (1 - c3) * g3 + 8 * (3 * c33 + 3 * c3 - 5) * g2 + 6 * (-4 * c33 + 2 * c3 + 1) * g +
                    4 * c33 - 3 * c3;
  const Real a42 = c4 * (c4 - 2 * g) * eta1 / (4 * g * eta2);
  const auto numerator = [g, g2](Real x) { return 24 * (x - 1) * g2 + 4 * (5 - 6 * x) * g + 4 * x - 3; };
  const Real b3 = numerator(c4) / (12 * c3 * (c4 - c3) * (c3 - 2 * g));
  const Real b4 = -numerator(c3) / (12 * c4 * (c4 - c3) * (c4 - 2 * g));
  set_row(t, 1, c3, {a32(g, c3)});
  set_row(t, 2, c4, {a42, (c4 * c4 - 4 * a42 * g - 2 * c4 * g) / (2 * c3)});
  set_row(t, 3, 1, {weight_at_2g(g, 1, b3 * c3 + b4 * c4), b3, b4});
}

void fill_five(StagedTable& t, Real g, Nodes nodes) {
  const Real c3 = nodes.c3, c4 = nodes.c4, g2 = g * g, g3 = g2 * g, g4 = g3 * g, g5 = g4 * g, c33 = c3 * c3,
             c44 = c4 * c4;
  const Real eta1 = 240 * (1 - c4) * g4 + 40 * (3 * c33 - 6 * c3 + 12 * c4 - 7) * g3 +
                    20 * (-9 * c33 + 13 * c3 - 12 * c4 + 4) * g2 + (60 * c33 - 70 * c3 + 40 * c4 - 6) * g -
                    5 * c33 + 5 * c3 - 2 * c4;
  const Real eta2 = 120 * (1 - c3) * g3 + 20 * (9 * c3 - 7) * g2 + 20 * (2 - 3 * c3) * g + 5 * c3 - 3;
  const Real eta3 = -720 * g5 + (360 * c3 + 848) * g4 + (-336 * c3 - 368) * g3 + (120 * c3 + 64) * g2 +
                    (-18 * c3 - 4) * g + c3;
  const Real eta4 = -480 * g5 + (240 * c3 + 600) * g4 + (-240 * c3 - 288) * g3 + (96 * c3 + 56) * g2 +
                    (-16 * c3 - 4) * g + c3;
  const Real c5 = eta3 / eta4;
  const Real eta5 = 120 * (-c44 + 2 * c4 - c3 - c5 + c3 * c5) * g3 +
                    20 * (9 * c44 - 15 * c4 + 8 * c3 + 7 * c5 - 9 * c3 * c5) * g2 +
                    10 * (-6 * c44 + 9 * c4 - 5 * c3 - 4 * c5 + 6 * c3 * c5) * g + 5 * c44 - 7 * c4 + 4 * c3 +
                    3 * c5 - 5 * c3 * c5;
  const auto pair = [g, g2](Real x, Real y) {  // η₆, η₈, η₉, η₁₀
    return 120 * (x + y - x * y - 1) * g2 + 10 * (12 * x * y - 10 * y - 10 * x + 9) * g + 15 * x + 15 * y -
           20 * x * y - 12;
  };
  const Real a42 = -c4 * (c4 - 2 * g) * eta1 / (4 * g * (c3 - 2 * g) * eta2);
  const Real a53 = c5 * (c5 - c3) * (c5 - 2 * g) * eta5 / (c3 * (c4 - c3) * (c3 - 2 * g) * pair(c3, c4));
  const Real a54 =
      c5 * (c5 - c3) * (c5 - c4) * (c5 - 2 * g) * eta2 / (c4 * (c4 - c3) * (c4 - 2 * g) * pair(c3, c4));
  const Real b3 = -pair(c4, c5) / (60 * c3 * (c4 - c3) * (c5 - c3) * (c3 - 2 * g));
  const Real b4 = pair(c3, c5) / (60 * c4 * (c4 - c3) * (c5 - c4) * (c4 - 2 * g));
  const Real b5 = -pair(c3, c4) / (60 * c5 * (c5 - c3) * (c5 - c4) * (c5 - 2 * g));
  set_row(t, 1, c3, {a32(g, c3)});
  set_row(t, 2, c4, {a42, (c4 * c4 - 4 * a42 * g - 2 * c4 * g) / (2 * c3)});
  set_row(t, 3, c5, {weight_at_2g(g, c5, a53 * c3 + a54 * c4), a53, a54});
  set_row(t, 4, 1, {weight_at_2g(g, 1, b3 * c3 + b4 * c4 + b5 * c5), b3, b4, b5});
}

}  // namespace

StagedTable bathe_table(double rho) {
  // γ = (2 − √(2(1 + ρ)))/(2(1 − ρ)), written so that ρ = 1 needs no case of its own.
  const double gamma = 1 / (2 + std::sqrt(2 * (1 + rho)));
  StagedTable table = one_step("BATHE", 2, 2, rho, gamma);
  set_row(table, 0, 2 * gamma, {});
  set_row(table, 1, 1, {(1 - 2 * gamma) / (4 * gamma)});
  return table;
}

StagedTable msstc_table(int n, double rho) {
  static constexpr std::array<std::array<double, 3>, 3> kNear = {
      {{0.1804253, 0.1725480, 0.1666667}, {0.1313787, 0.1277430, 0.125}, {0.1035571, 0.1015330, 0.1}}};
  const double gamma =
      root_near(between(kNear[n - 3], rho), [n, rho](Complex g) { return numerator(n, rho, g).defect; });
  StagedTable table = one_step(fmt::format("MSSTC{}", n), 2, n, rho, gamma);
  for (int k = 0; k < n - 1; ++k) {  // trapezoidal substeps of 2γh
    StageRow& row = table.rows[k];
    row.c = 2 * gamma * (k + 1);
    row.b[0] = gamma;
    for (int j = 1; j <= k; ++j) row.b[j] = 2 * gamma;
  }
  const Eigen::VectorXd last = last_weights(n, gamma, numerator(n, rho, gamma).a);
  for (int j = 0; j < n; ++j) table.rows[n - 1].b[j] = last[j];
  return table;
}

StagedTable mssth_table(int n, double rho) {
  const double gamma = mssth_gamma(n, rho);
  StagedTable table = one_step(fmt::format("MSSTH{}", n), n, n, rho, gamma);
  set_row(table, 0, 2 * gamma, {});
  if (n == 3) fill_three(table, gamma);
  if (n == 4) fill_four(table, gamma, nodes_of_four(rho));
  if (n == 5) fill_five(table, gamma, nodes_of_five(rho));
  add_estimate(table);
  return table;
}

}  // namespace trunnion::formulas
