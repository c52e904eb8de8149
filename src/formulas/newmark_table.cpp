#include "formulas/newmark_table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace trunnion::formulas {

namespace {

// Second order, and the most damping at high frequencies that β allows.
NewmarkTable alpha_table(const char* name, double alpha_m, double alpha_f, double rho) {
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {name, (gamma + 0.5) * (gamma + 0.5) / 4, gamma, alpha_m, alpha_f, rho};
}

}  // namespace

NewmarkTable hht_table(double alpha) { return alpha_table("HHT", 0, -alpha, (1 + alpha) / (1 - alpha)); }
NewmarkTable newmark_table(double beta, double gamma) { return {"NEWMARK", beta, gamma, 0, 0}; }
NewmarkTable generalized_alpha_table(double rho) {
  return alpha_table("GALPHA", (2 * rho - 1) / (rho + 1), rho / (rho + 1), rho);
}
NewmarkTable wbz_table(double rho) { return alpha_table("WBZ", (rho - 1) / (rho + 1), 0, rho); }

// There positions hold by themselves, (1 − αf) x' + αf x = 0, and what is left of velocity and acceleration goes on with x = 0:
// β ξ² + (½ + γ − 2β) ξ + ½ − γ + β = 0.
double radius_at_infinity(const NewmarkTable& t) {
  const double b = 0.5 + t.gamma - 2 * t.beta, c = 0.5 - t.gamma + t.beta;
  const std::complex<double> root = std::sqrt(std::complex<double>(b * b - 4 * t.beta * c));
  return std::max({std::abs(t.alpha_f / (1 - t.alpha_f)), std::abs(b + root) / (2 * t.beta),
                   std::abs(b - root) / (2 * t.beta)});
}

}  // namespace trunnion::formulas
