#include "formulas/single_step_table.hpp"

#include <cmath>

#include <fmt/format.h>

#include "formulas/newton.hpp"

namespace trunnion::formulas {

namespace {

using Complex = SingleStepTable::Complex;

// Odd γ at ρ = 0: 1/(1 − ξ) of the roots ξ ≠ 1 of the multistep formula's Σ α ξ. For r = 4 they solve 4/7 γ³ − 2 γ² + 12/5 γ − 1 = 0.
std::array<Complex, 3> odd_without_damping(int steps) {
  if (steps == 2) return {1.5};
  if (steps == 3) return {Complex(1.25, std::sqrt(15.0) / 12), Complex(1.25, -std::sqrt(15.0) / 12)};
  const double real = root_near(1.34238, [](Complex g) { return ((4.0 / 7 * g - 2.0) * g + 2.4) * g - 1.0; });
  const double half_sum = (3.5 - real) / 2, product = 1.75 / real;
  const double imaginary = std::sqrt(product - half_sum * half_sum);
  return {real, Complex(half_sum, imaginary), Complex(half_sum, -imaginary)};
}

}  // namespace

SingleStepTable single_step_table(int steps, double rho) {
  SingleStepTable table;
  table.name = fmt::format("SS{}", steps);
  table.steps = steps;
  table.rho = rho;
  const std::array<Complex, 3> odd = odd_without_damping(steps);
  for (int i = 0; i < 2 * steps - 1; ++i)
    table.gamma[i] = i % 2 == 0 ? 1 / (1 + rho) : (odd[i / 2] - (odd[i / 2] - 1.0) * rho) / (1 + rho);
  return table;
}

SingleStepTable::Filter SingleStepTable::filter(int m) const {
  const Complex own = gamma[2 * (steps - m) - 1], below = gamma[2 * (steps - m)];
  return {below / own, (1.0 - below) / own, -(1.0 - own) / own};
}

SingleStepTable::Weights SingleStepTable::weights() const {
  Weights w;
  Complex factor = gamma[0];  // of p'ᵐ, as it is replaced by what it is made of
  Complex rest = 1.0 - gamma[0];
  for (int m = steps - 1; m >= 1; --m) {
    const Filter f = filter(m);
    w.auxiliary[m] = rest + factor * f.kept;
    rest = factor * f.older;
    factor *= f.newer;
  }
  w.implicit = factor.real();
  w.old = rest.real();
  return w;
}

}  // namespace trunnion::formulas
