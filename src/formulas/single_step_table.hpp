#pragma once
// The multistep formulas LMS2, 3, 4 as single-step formulas with auxiliary rates (H. Zhang, R. Zhang, P. Masarati, Comput. Mech. 67
// (2021) 289-313): SSr, r = 2, 3, 4, with p⁰ = ẏ and auxiliary rates p¹ … pʳ⁻¹ that start as ẏ₀.
//
//   y' = y + h ((1 − γ₀) pʳ⁻¹ + γ₀ p'ʳ⁻¹)
//   (1 − γ₂ₘ₋₁) pʳ⁻ᵐ + γ₂ₘ₋₁ p'ʳ⁻ᵐ = (1 − γ₂ₘ) pʳ⁻ᵐ⁻¹ + γ₂ₘ p'ʳ⁻ᵐ⁻¹,   m = 1 … r − 1
// The even γ are 1/(1 + ρ); the odd ones are complex for r = 3, 4, and so are the auxiliary rates, but y is real. Any step.

#include <array>
#include <complex>
#include <string>

namespace trunnion::formulas {

inline constexpr int kMostSingleSteps = 4;

struct SingleStepTable {
  using Complex = std::complex<double>;

  std::string name;
  int order = 2;
  int steps = 2;  // r
  double rho = 0;
  std::array<Complex, 2 * kMostSingleSteps - 1> gamma{};

  // y' = y + h (implicit ẏ' + old ẏ + Σ auxiliary[m] pᵐ), m = 1 … r − 1; auxiliary[0] is not used.
  struct Weights {
    double implicit = 0, old = 0;
    std::array<Complex, kMostSingleSteps> auxiliary{};
  };
  Weights weights() const;

  // p'ᵐ = newer p'ᵐ⁻¹ + older pᵐ⁻¹ + kept pᵐ, m = 1 … r − 1.
  struct Filter {
    Complex newer, older, kept;
  };
  Filter filter(int m) const;
};

// r = 2, 3, 4; 0 ≤ ρ ≤ 1.
SingleStepTable single_step_table(int steps, double rho);

}  // namespace trunnion::formulas
