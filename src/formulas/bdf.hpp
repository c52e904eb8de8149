#pragma once
// BDF of order k at equal steps (C. W. Gear 1971):  Σ a_j yₙ₊₁₋ⱼ = h ẏₙ₊₁,  a from Σ_{i ≤ k} ∇ⁱ/i. Of unequal steps the program takes the
// polynomial through the points that there are (integrate/multistep.hpp).

#include <string>
#include <vector>

namespace trunnion::formulas {

inline constexpr int kHighestBdfOrder = 6;  // beyond it no step is stable

std::vector<double> bdf_weights(int order);
// α of A(α)-stability in degrees: a vibration is damped at any step where the damping ratio is cos α and more. 90: every one is.
double bdf_angle(int order);
// As of tables (conditions.hpp): which conditions fail, of all orders.
std::vector<std::string> bdf_conditions();

}  // namespace trunnion::formulas
