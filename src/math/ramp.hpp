#pragma once
// STEP, STEP5 and HAVSIN: h0 before x0, h1 after x1, a smooth rise s(u), u = (x − x0)/(x1 − x0), between.
//   STEP    s = u²(3 − 2u)                 continuous slope
//   STEP5   s = u³(10 − 15u + 6u²)         continuous curvature
//   HAVSIN  s = (1 + sin(πu − π/2))/2      continuous slope
// Outside [0, 1] the value is exactly h0 or h1. x1 < x0 is taken as written: the rise then runs towards
// smaller x. x1 = x0 gives NaN. At u = 0 and u = 1 derivatives are those of the side of larger u.

#include <limits>
#include <numbers>

#include "math/dual.hpp"

namespace trunnion::math {

enum class RampShape { cubic, quintic, haversine };

// s and s' for 0 ≤ u < 1.
template <RampShape shape, class T> void ramp_shape(const T& u, T& s, T& s1) {
  using std::cos;
  using std::sin;
  if constexpr (shape == RampShape::cubic) {
    s = u * u * (3.0 - 2.0 * u);
    s1 = 6.0 * u * (1.0 - u);
  } else if constexpr (shape == RampShape::quintic) {
    const T v = 1.0 - u;
    s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    s1 = 30.0 * u * u * v * v;
  } else {
    const T w = std::numbers::pi * u;
    s = 0.5 - 0.5 * cos(w);
    s1 = 0.5 * std::numbers::pi * sin(w);
  }
}

// Arguments a = x, x0, h0, x1, h1; partials in the same order.
template <RampShape shape, class T> T ramp_partials(const T* a, T* p) {
  const T width = a[3] - a[1];
  if (value_of(width) == 0.0) {
    for (int i = 0; i < 5; ++i) p[i] = T(std::numeric_limits<double>::quiet_NaN());
    return p[0];
  }
  const T u = (a[0] - a[1]) / width;
  if (value_of(u) < 0.0 || value_of(u) >= 1.0) {
    const bool after = value_of(u) >= 1.0;
    p[0] = p[1] = p[3] = T(0.0);
    p[2] = T(after ? 0.0 : 1.0);
    p[4] = T(after ? 1.0 : 0.0);
    return after ? a[4] : a[2];
  }
  T s, s1;
  ramp_shape<shape>(u, s, s1);
  const T rise = a[4] - a[2];
  const T slope = rise * s1 / width;
  p[0] = slope;
  p[1] = -slope * (1.0 - u);
  p[2] = 1.0 - s;
  p[3] = -slope * u;
  p[4] = s;
  return a[2] + rise * s;
}

template <RampShape shape> double ramp(const double* a) {
  const double u = (a[0] - a[1]) / (a[3] - a[1]);
  if (a[3] == a[1]) return std::numeric_limits<double>::quiet_NaN();
  if (u < 0.0) return a[2];
  if (u >= 1.0) return a[4];
  double s, s1;
  ramp_shape<shape>(u, s, s1);
  return a[2] + (a[4] - a[2]) * s;
}

double step(double x, double x0, double h0, double x1, double h1);
double step5(double x, double x0, double h0, double x1, double h1);
double havsin(double x, double x0, double h0, double x1, double h1);
Jet step_jet(double x, double x0, double h0, double x1, double h1);  // derivatives by x
Jet step5_jet(double x, double x0, double h0, double x1, double h1);
Jet havsin_jet(double x, double x0, double h0, double x1, double h1);

}  // namespace trunnion::math
