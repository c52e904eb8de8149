#include "math/impact.hpp"

#include <cmath>

namespace trunnion::math {

double impact(double x, double xd, double x1, double k, double e, double c, double d) {
  const double depth = x1 - x;
  if (depth <= 0.0) return 0.0;
  double s = 1.0;
  if (depth < d) {
    const double u = depth / d;
    s = u * u * (3.0 - 2.0 * u);
  }
  const double force = k * std::pow(depth, e) - c * s * xd;
  return force <= 0.0 ? 0.0 : force;  // a NaN passes through
}

double bistop(double x, double xd, double x1, double x2, double k, double e, double c, double d) {
  if (x < x1) return impact(x, xd, x1, k, e, c, d);
  return -impact(-x, -xd, -x2, k, e, c, d);
}

namespace {

// Two sweeps, along x and along ẋ, give the three second partials.
template <class Partials> ImpactJet second_order(Dual* a, Dual* p, Partials partials) {
  ImpactJet jet;
  a[0].d = 1.0;
  jet.value = partials(a, p).v;
  jet.d_x = p[0].v;
  jet.d_v = p[1].v;
  jet.d_xx = p[0].d;
  jet.d_xv = p[1].d;
  a[0].d = 0.0;
  a[1].d = 1.0;
  partials(a, p);
  jet.d_vv = p[1].d;
  return jet;
}

}  // namespace

ImpactJet impact_jet(double x, double xd, double x1, double k, double e, double c, double d) {
  Dual a[7] = {x, xd, x1, k, e, c, d}, p[7];
  return second_order(a, p, [](const Dual* in, Dual* out) { return impact_partials(in, out, false); });
}

ImpactJet bistop_jet(double x, double xd, double x1, double x2, double k, double e, double c, double d) {
  Dual a[8] = {x, xd, x1, x2, k, e, c, d}, p[8];
  return second_order(a, p, [](const Dual* in, Dual* out) { return bistop_partials(in, out, false); });
}

}  // namespace trunnion::math
