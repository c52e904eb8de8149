#include "math/harmonic.hpp"

namespace trunnion::math {

double shf(double x, double x0, double a, double w, double phi, double b) {
  return a * std::sin(w * (x - x0) - phi) + b;
}

Jet shf_jet(double x, double x0, double a, double w, double phi, double b) {
  const double angle = w * (x - x0) - phi;
  const double s = a * std::sin(angle);
  return {s + b, a * w * std::cos(angle), -w * w * s};
}

Jet sweep_jet(double x, double a, double x0, double f0, double x1, double f1, double dx) {
  const Dual args[7] = {{x, 1.0}, a, x0, f0, x1, f1, dx};
  Dual p[7];
  const Dual f = sweep_partials(args, p);
  return {f.v, p[0].v, p[0].d};
}

double sweep(double x, double a, double x0, double f0, double x1, double f1, double dx) {
  const double args[7] = {x, a, x0, f0, x1, f1, dx};
  double p[7];
  return sweep_partials(args, p);
}

}  // namespace trunnion::math
