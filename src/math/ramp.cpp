#include "math/ramp.hpp"

namespace trunnion::math {

namespace {

template <RampShape shape> Jet jet(double x, double x0, double h0, double x1, double h1) {
  const Dual a[5] = {{x, 1.0}, x0, h0, x1, h1};
  Dual p[5];
  const Dual f = ramp_partials<shape>(a, p);
  return {f.v, p[0].v, p[0].d};
}

template <RampShape shape> double plain(double x, double x0, double h0, double x1, double h1) {
  const double a[5] = {x, x0, h0, x1, h1};
  return ramp<shape>(a);
}

}  // namespace

double step(double x, double x0, double h0, double x1, double h1) {
  return plain<RampShape::cubic>(x, x0, h0, x1, h1);
}
double step5(double x, double x0, double h0, double x1, double h1) {
  return plain<RampShape::quintic>(x, x0, h0, x1, h1);
}
double havsin(double x, double x0, double h0, double x1, double h1) {
  return plain<RampShape::haversine>(x, x0, h0, x1, h1);
}
Jet step_jet(double x, double x0, double h0, double x1, double h1) {
  return jet<RampShape::cubic>(x, x0, h0, x1, h1);
}
Jet step5_jet(double x, double x0, double h0, double x1, double h1) {
  return jet<RampShape::quintic>(x, x0, h0, x1, h1);
}
Jet havsin_jet(double x, double x0, double h0, double x1, double h1) {
  return jet<RampShape::haversine>(x, x0, h0, x1, h1);
}

}  // namespace trunnion::math
