// A semi-active damper in C++: a VARIABLE chooses the damping, a DIFF filters a velocity, a REQUEST reports.

#include <algorithm>
#include <cmath>

#include "trunnion_user.h"

TRUNNION_USER_LIBRARY

namespace {

// A smooth switch between 0 and 1 as x passes zero over a width w.
double smooth(double x, double w) { return 0.5 * (1 + std::tanh(x / w)); }

}  // namespace

// VARIABLE, USER(body, wheel, ground, soft, stiff): the skyhook rule. Stiff where the damper can slow the body down.
TRUNNION_EXPORT void skyhook(trunnion_context* c, int, double, const double* par, int, int, int,
                             double* result) {
  const int body = static_cast<int>(par[0]), wheel = static_cast<int>(par[1]),
            ground = static_cast<int>(par[2]);
  double v_body[3], v_relative[3];
  trunnion_read_array(c, v_body, 3, "TVEL", 4, body, ground, ground, ground);
  trunnion_read_array(c, v_relative, 3, "TVEL", 4, body, wheel, ground, ground);
  const double width = 1e-4;  // of the product of two velocities
  result[0] = par[3] + (par[4] - par[3]) * smooth(v_body[2] * v_relative[2], width);
}

// DIFF, USER(diff, variable, time constant): follows a VARIABLE with a lag.
TRUNNION_EXPORT void lag(trunnion_context* c, int, double, const double* par, int, int dflag, int,
                         double* result) {
  const int diff = static_cast<int>(par[0]), variable = static_cast<int>(par[1]);
  const double T = par[2];
  result[0] = (trunnion_read(c, "VARVAL", 1, variable) - trunnion_read(c, "DIF", 1, diff)) / T;
  if (!dflag) return;
  trunnion_partial(c, 0, 1 / T, "VARVAL", 1, variable);
  trunnion_partial(c, 0, -1 / T, "DIF", 1, diff);
}

// REQUEST, USER(body, wheel, ground): stroke in F2, wheel load in F3, power of the damper in F4.
TRUNNION_EXPORT void report(trunnion_context* c, int, double, const double* par, int, int, int,
                            double* result) {
  const int body = static_cast<int>(par[0]), wheel = static_cast<int>(par[1]),
            ground = static_cast<int>(par[2]);
  const double rate = trunnion_read(c, "VR", 2, body, wheel);
  result[1] = trunnion_read(c, "DZ", 3, body, wheel, ground);
  result[2] = trunnion_read(c, "VFORCE", 4, 1, 0, 4, 0);
  result[3] = trunnion_read(c, "DIF", 1, 1) * rate * rate;
}
