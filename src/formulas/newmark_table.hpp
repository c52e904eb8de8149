#pragma once
// The Newmark family as numbers (integrate/newmark.hpp has what they do).

#include <optional>

namespace trunnion::formulas {

struct NewmarkTable {
  const char* name;
  double beta, gamma, alpha_m, alpha_f;
  std::optional<double> rho =
      {};  // spectral radius at infinity that it promises; none: its numbers are the user's
  // First-order states by z = zₙ + h((1 − ρ) żₙ + ρ żₙ₊₁) (HHT paper, Eq. 9); none: by the filter of the accelerations.
  std::optional<double> rho_states = {};
};
NewmarkTable hht_table(double alpha);  // α in [−1/3, 0]; 0 is the trapezoidal rule
NewmarkTable newmark_table(double beta, double gamma);
NewmarkTable generalized_alpha_table(double rho);  // Chung and Hulbert; ρ∞ in [0, 1]
NewmarkTable wbz_table(double rho);                // Wood, Bossak, Zienkiewicz; ρ∞ in [0, 1]

// Of a vibration whose period is short beside the step.
double radius_at_infinity(const NewmarkTable& table);

}  // namespace trunnion::formulas
