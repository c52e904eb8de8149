#pragma once
// SHF    a sin(ω(x − x0) − φ) + b
// SWEEP  r(x) a sin(2π θ(x)), a sine of linearly rising frequency:
//          θ = f0 x                                              x < x0
//              f0 x + (f1 − f0)(x − x0)²/(2(x1 − x0))            x0 ≤ x < x1
//              f1 x − (f1 − f0)(x0 + x1)/2                       x1 ≤ x
//        r = STEP5(x, x0, 0, x0 + dx, 1); dx = 0 switches on at x0 without a ramp.
// The public formula pages write the ramp as STEP5(x, 0, 0, dx, 1) while their text says that the function
// begins at x0 and is fully active dx later; both agree for x0 = 0, the usual case. We follow the text: with
// x0 ≠ 0 the other reading would let the sine run before its stated start. The phase θ is continuous with a
// continuous slope.

#include <cmath>
#include <numbers>

#include "math/dual.hpp"
#include "math/ramp.hpp"

namespace trunnion::math {

// Arguments a = x, x0, a, ω, φ, b.
template <class T> T shf_partials(const T* a, T* p) {
  using std::cos;
  using std::sin;
  const T xi = a[0] - a[1];
  const T angle = a[3] * xi - a[4];
  const T s = sin(angle);
  const T slope = a[2] * cos(angle);
  p[0] = slope * a[3];
  p[1] = -p[0];
  p[2] = s;
  p[3] = slope * xi;
  p[4] = -slope;
  p[5] = T(1.0);
  return a[2] * s + a[5];
}

// Arguments a = x, a, x0, f0, x1, f1, dx.
template <class T> T sweep_partials(const T* a, T* p) {
  using std::cos;
  using std::sin;
  const T &x = a[0], &x0 = a[2], &f0 = a[3], &x1 = a[4], &f1 = a[5];
  T theta, q[7];  // q: partials of θ
  for (T& entry : q) entry = T(0.0);
  const T rise = f1 - f0;
  if (value_of(x) < value_of(x0)) {
    theta = f0 * x;
    q[0] = f0;
    q[3] = x;
  } else if (value_of(x) < value_of(x1)) {
    const T width = x1 - x0, xi = x - x0, u = xi / width;
    theta = f0 * x + 0.5 * rise * xi * u;
    q[0] = f0 + rise * u;
    q[2] = rise * u * (0.5 * u - 1.0);
    q[3] = x - 0.5 * xi * u;
    q[4] = -0.5 * rise * u * u;
    q[5] = 0.5 * xi * u;
  } else {
    theta = f1 * x - 0.5 * rise * (x0 + x1);
    q[0] = f1;
    q[2] = q[4] = -0.5 * rise;
    q[3] = 0.5 * (x0 + x1);
    q[5] = x - 0.5 * (x0 + x1);
  }
  T r(1.0), rp[5];
  for (T& entry : rp) entry = T(0.0);
  if (value_of(a[6]) != 0.0) {
    const T b[5] = {x, x0, T(0.0), x0 + a[6], T(1.0)};
    r = ramp_partials<RampShape::quintic>(b, rp);
  } else if (value_of(x) < value_of(x0)) {
    r = T(0.0);
  }
  const T angle = 2.0 * std::numbers::pi * theta;
  const T s = sin(angle);
  const T by_theta = 2.0 * std::numbers::pi * r * a[1] * cos(angle);
  const T by_ramp = a[1] * s;
  p[0] = by_theta * q[0] + by_ramp * rp[0];
  p[1] = r * s;
  p[2] = by_theta * q[2] + by_ramp * (rp[1] + rp[3]);
  p[3] = by_theta * q[3];
  p[4] = by_theta * q[4];
  p[5] = by_theta * q[5];
  p[6] = by_ramp * rp[3];
  return r * a[1] * s;
}

double shf(double x, double x0, double a, double w, double phi, double b);
double sweep(double x, double a, double x0, double f0, double x1, double f1, double dx);
Jet shf_jet(double x, double x0, double a, double w, double phi, double b);  // derivatives by x
Jet sweep_jet(double x, double a, double x0, double f0, double x1, double f1, double dx);

}  // namespace trunnion::math
