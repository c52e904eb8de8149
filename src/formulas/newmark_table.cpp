#include "formulas/newmark_table.hpp"

namespace trunnion::formulas {

namespace {

// Second order, and the most damping at high frequencies that β allows.
NewmarkTable alpha_table(const char* name, double alpha_m, double alpha_f) {
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {name, (gamma + 0.5) * (gamma + 0.5) / 4, gamma, alpha_m, alpha_f};
}

}  // namespace

NewmarkTable hht_table(double alpha) { return alpha_table("HHT", 0, -alpha); }
NewmarkTable newmark_table(double beta, double gamma) { return {"NEWMARK", beta, gamma, 0, 0}; }
NewmarkTable generalized_alpha_table(double rho) {
  return alpha_table("GALPHA", (2 * rho - 1) / (rho + 1), rho / (rho + 1));
}
NewmarkTable wbz_table(double rho) { return alpha_table("WBZ", (rho - 1) / (rho + 1), 0); }

}  // namespace trunnion::formulas
