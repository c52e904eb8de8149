/* Forces of a quarter car in C: a progressive spring with partials handed back, and a tyre that can leave the road. */
#include <math.h>

#include "trunnion_user.h"

TRUNNION_USER_LIBRARY

/* SFORCE, USER(i, j, free length, stiffness, cubic stiffness): pushes i and j apart. */
TRUNNION_EXPORT void spring(trunnion_context* c, int id, double time, const double* par, int npar, int dflag,
                            int iflag, double* result) {
  const int i = (int)par[0], j = (int)par[1];
  const double x = par[2] - trunnion_read(c, "DM", 2, i, j);
  (void)id, (void)time, (void)iflag;
  if (npar != 5) {
    trunnion_fail(c, "spring needs USER(i, j, free length, stiffness, cubic stiffness)");
    return;
  }
  result[0] = par[3] * x + par[4] * x * x * x;
  if (dflag) trunnion_partial(c, 0, -par[3] - 3 * par[4] * x * x, "DM", 2, i, j);
}

/* VFORCE, USER(wheel, road, radius, stiffness, damping): along z only, and only while the tyre is pressed. Without
 * partials: the solver takes differences over the two readings. */
TRUNNION_EXPORT void tyre(trunnion_context* c, int id, double time, const double* par, int npar, int dflag,
                          int iflag, double* result) {
  const int wheel = (int)par[0], road = (int)par[1];
  /* Both are read in every call, so that the first one declares them, whether the tyre touches or not. */
  const double gap = trunnion_read(c, "DZ", 3, wheel, road, road) - par[2];
  const double rate = trunnion_read(c, "VZ", 4, wheel, road, road, road);
  (void)id, (void)time, (void)npar, (void)dflag, (void)iflag;
  if (gap < 0) result[2] = fmax(0.0, -par[3] * gap - par[4] * rate);
}

/* MOTION, USER(height, begin, end): a kerb as a smooth rise, with its velocity and acceleration. */
TRUNNION_EXPORT void kerb(trunnion_context* c, int id, double time, const double* par, int npar, int dflag,
                          int iflag, double* result) {
  const double T = par[2] - par[1], u = (time - par[1]) / T, h = par[0];
  (void)c, (void)id, (void)npar, (void)dflag, (void)iflag;
  if (u <= 0) return;
  if (u >= 1) {
    result[0] = h;
    return;
  }
  result[0] = h * u * u * u * (10 - 15 * u + 6 * u * u);
  result[1] = h * u * u * (30 - 60 * u + 30 * u * u) / T;
  result[2] = h * u * (60 - 180 * u + 120 * u * u) / (T * T);
}
