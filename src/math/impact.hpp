#pragma once
// IMPACT and BISTOP: one-sided and two-sided contact force along one coordinate.
//   δ = x1 − x;  F = max(0, k δ^e − c s(δ/d) ẋ)  for δ > 0, else 0;  s = cubic step, 0 at δ = 0, 1 at δ = d.
// BISTOP adds the mirror image at x2: F = −IMPACT(−x, −ẋ, −x2, …). A gap x1 > x2 is not checked; x1 is asked
// first. Derivatives: at x = x1 those of the open gap (zero); where the clamp holds F at 0 they are zero.
// d = 0 means full damping from the first contact.

#include <limits>

#include "math/dual.hpp"
#include "math/ramp.hpp"

namespace trunnion::math {

// Arguments a = x, ẋ, x1, k, e, c, d; partials in the same order. `exponent_varies` says whether ∂/∂e is
// wanted: it costs a logarithm, and nearly always e is a number.
template <class T> T impact_partials(const T* a, T* p, bool exponent_varies) {
  using std::log;
  using std::pow;
  for (int i = 0; i < 7; ++i) p[i] = T(0.0);
  const T depth = a[2] - a[0];
  if (value_of(depth) <= 0.0) return T(0.0);
  T s(1.0), s1(0.0), u(1.0);
  if (value_of(depth) < value_of(a[6])) {
    u = depth / a[6];
    ramp_shape<RampShape::cubic>(u, s, s1);
  }
  const T power = pow(depth, a[4]);
  const T elastic = a[3] * power;
  const T damping = a[5] * s;
  const T force = elastic - damping * a[1];
  if (!(value_of(force) > 0.0) && value_of(force) == value_of(force)) return T(0.0);
  // s1 = 0 past full depth, where a[6] may be 0.
  const T ramp_slope = value_of(s1) == 0.0 ? T(0.0) : a[5] * a[1] * s1 / a[6];
  const T by_depth = a[4] * elastic / depth - ramp_slope;
  p[0] = -by_depth;
  p[1] = -damping;
  p[2] = by_depth;
  p[3] = power;
  if (exponent_varies) p[4] = elastic * log(depth);
  p[5] = -s * a[1];
  p[6] = ramp_slope * u;
  return force;
}

// Arguments a = x, ẋ, x1, x2, k, e, c, d.
template <class T> T bistop_partials(const T* a, T* p, bool exponent_varies) {
  T q[7];
  p[2] = p[3] = T(0.0);
  if (value_of(a[0]) < value_of(a[2])) {
    const T b[7] = {a[0], a[1], a[2], a[4], a[5], a[6], a[7]};
    const T force = impact_partials(b, q, exponent_varies);
    p[0] = q[0];
    p[1] = q[1];
    p[2] = q[2];
    for (int i = 3; i < 7; ++i) p[i + 1] = q[i];
    return force;
  }
  const T b[7] = {-a[0], -a[1], -a[3], a[4], a[5], a[6], a[7]};
  const T force = -impact_partials(b, q, exponent_varies);
  p[0] = q[0];  // two mirror signs cancel
  p[1] = q[1];
  p[3] = q[2];
  for (int i = 3; i < 7; ++i) p[i + 1] = -q[i];
  return force;
}

double impact(double x, double xd, double x1, double k, double e, double c, double d);
double bistop(double x, double xd, double x1, double x2, double k, double e, double c, double d);

// Force with partials by position and velocity.
struct ImpactJet {
  double value = 0.0;
  double d_x = 0.0, d_v = 0.0;
  double d_xx = 0.0, d_xv = 0.0, d_vv = 0.0;
};
ImpactJet impact_jet(double x, double xd, double x1, double k, double e, double c, double d);
ImpactJet bistop_jet(double x, double xd, double x1, double x2, double k, double e, double c, double d);

}  // namespace trunnion::math
