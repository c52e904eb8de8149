// Roots found from a motion are those of the formula that made it.

#include "formulas/motion_roots.hpp"

#include <gtest/gtest.h>

namespace trunnion::formulas {
namespace {

using Complex = std::complex<double>;
using Sequence = std::vector<Complex>;  // of v + iωx, which goes by ẏ = iωy

// Positions and velocities of the motions from x = 1 and from v = 1, of the sequence that begins with 1. As the formula is linear with
// real weights, v + iωx of either is that sequence times its first value.
Motion motion_of(const Sequence& sequence) {
  Motion motion;
  for (const Complex& y : sequence) {
    const Complex from_x = Complex(0, 1) * y;
    motion.push_back((Eigen::Matrix2d() << from_x.imag(), y.imag(), from_x.real(), y.real()).finished());
  }
  return motion;
}

Sequence multistep(const StagedTable& table, Complex z) {
  Sequence y = {1.0};
  while (y.size() < kStepsForRoots + 1) {
    if (int(y.size()) <= table.past) {
      y.push_back(y.back() * (1.0 + z / 2.0) / (1.0 - z / 2.0));
      continue;
    }
    Complex sum = 0;
    for (int j = 0; j <= table.past; ++j)
      sum += (table.last().a[j] + z * table.last().b[j]) * y[y.size() - 1 - j];
    y.push_back(sum / (1.0 - z * table.last().implicit));
  }
  return y;
}

Sequence one_step(Complex root) {
  Sequence y = {1.0};
  while (y.size() < kStepsForRoots + 1) y.push_back(y.back() * root);
  return y;
}

template <typename Make>
void expect_spectrum(const std::string& name, const Make& sequence, const std::vector<SpectrumPoint>& wanted,
                     int stages, std::span<const double> x) {
  const auto found =
      spectrum_of([&](double y) { return motion_roots(motion_of(sequence(Complex(0, y)))); }, stages, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(found[k].decay_percent, wanted[k].decay_percent, 1e-9) << name << " at " << x[k];
    EXPECT_NEAR(found[k].elongation_percent, wanted[k].elongation_percent, 1e-9) << name << " at " << x[k];
    EXPECT_NEAR(found[k].radius, wanted[k].radius, 1e-9) << name << " at " << x[k];
  }
}

constexpr double kPlaces[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3};

TEST(MotionRoots, OfMultistepFormulas) {
  for (int steps = 2; steps <= 4; ++steps)
    for (const double rho : {0.0, 0.3, 0.6, 0.9}) {
      const StagedTable table = lms_table(steps, rho);
      expect_spectrum(
          table.name + " " + std::to_string(rho), [&](Complex z) { return multistep(table, z); },
          spectrum(table, 1, kPlaces), 1, kPlaces);
    }
}

TEST(MotionRoots, OfFormulasThatKeepNothing) {
  for (const StagedTable& table :
       {bathe_table(0), esdirk46_table(), mssth_table(5, 0.6), trapezoidal_table()})
    expect_spectrum(
        table.name, [&](Complex z) { return one_step(amplification_roots(table, z)[0]); },
        spectrum(table, table.stages, kPlaces), table.stages, kPlaces);
}

}  // namespace
}  // namespace trunnion::formulas
