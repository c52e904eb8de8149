#include "math/series.hpp"

namespace trunnion::math {

Jet poly_jet(double x, double x0, std::span<const double> coefficients) {
  const double xi = x - x0;
  Jet f;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    f.d2 = f.d2 * xi + 2.0 * f.d1;
    f.d1 = f.d1 * xi + f.value;
    f.value = f.value * xi + coefficients[i];
  }
  return f;
}

Jet cheby_jet(double x, double x0, std::span<const double> coefficients) {
  const double xi = x - x0;
  Jet f, t0{1.0, 0.0, 0.0}, t1{xi, 1.0, 0.0};
  for (const double c : coefficients) {
    f.value += c * t0.value;
    f.d1 += c * t0.d1;
    f.d2 += c * t0.d2;
    const Jet t2{2.0 * xi * t1.value - t0.value, 2.0 * (t1.value + xi * t1.d1) - t0.d1,
                 2.0 * (2.0 * t1.d1 + xi * t1.d2) - t0.d2};
    t0 = t1;
    t1 = t2;
  }
  return f;
}

namespace {

Jet fourier(double x, double x0, double w, std::span<const double> coefficients, bool cosine) {
  Jet f;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    const double rate = static_cast<double>(j) * w;
    const double c = std::cos(rate * (x - x0)), s = std::sin(rate * (x - x0));
    const double value = j == 0 ? 1.0 : cosine ? c : s;
    f.value += coefficients[j] * value;
    f.d1 += coefficients[j] * rate * (cosine ? -s : c);
    f.d2 -= coefficients[j] * rate * rate * value;
  }
  return f;
}

}  // namespace

Jet forcos_jet(double x, double x0, double w, std::span<const double> coefficients) {
  return fourier(x, x0, w, coefficients, true);
}
Jet forsin_jet(double x, double x0, double w, std::span<const double> coefficients) {
  return fourier(x, x0, w, coefficients, false);
}
double poly(double x, double x0, std::span<const double> coefficients) {
  return poly_jet(x, x0, coefficients).value;
}
double cheby(double x, double x0, std::span<const double> coefficients) {
  return cheby_jet(x, x0, coefficients).value;
}
double forcos(double x, double x0, double w, std::span<const double> coefficients) {
  return forcos_jet(x, x0, w, coefficients).value;
}
double forsin(double x, double x0, double w, std::span<const double> coefficients) {
  return forsin_jet(x, x0, w, coefficients).value;
}

}  // namespace trunnion::math
