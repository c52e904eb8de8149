#pragma once
// What Adams formulas of any order and any steps are made of: integrals over a step of polynomials through given points. Times are
// counted in steps from the last accepted point: the step is 0 … 1, the end of it stands at 1, the past at 0, −h₁/h, …

namespace trunnion::integrate {

inline constexpr int kHighestAdams = 12;

// ∫₀¹ of the Lagrange polynomials of `count` nodes.
void lagrange_integrals(const double* node, int count, double* weight);
// ∫₀¹ Π (x − node[i])
double product_integral(const double* node, int count);
// The divided difference over `count` nodes as weights of the values there.
void divided_difference(const double* node, int count, double* weight);

}  // namespace trunnion::integrate
