#pragma once
// POLY, CHEBY, FORCOS, FORSIN: sums over a list of coefficients in ξ = x − x0.
//   POLY    Σ aj ξ^j
//   CHEBY   Σ aj Tj(ξ)            T0 = 1, T1 = ξ, Tj = 2ξ Tj−1 − Tj−2
//   FORCOS  a0 + Σ aj cos(j ω ξ)
//   FORSIN  a0 + Σ aj sin(j ω ξ)

#include <cmath>
#include <span>

#include "math/dual.hpp"

namespace trunnion::math {

// Arguments a = x, x0, a0 … a(n−3).
template <class T> T poly_partials(const T* a, int n, T* p) {
  const T xi = a[0] - a[1];
  T value(0.0), slope(0.0);
  for (int i = n - 1; i >= 2; --i) {
    slope = slope * xi + value;
    value = value * xi + a[i];
  }
  T power(1.0);
  for (int i = 2; i < n; ++i) {
    p[i] = power;
    power = power * xi;
  }
  p[0] = slope;
  p[1] = -slope;
  return value;
}

template <class T> T cheby_partials(const T* a, int n, T* p) {
  const T xi = a[0] - a[1];
  T value(0.0), slope(0.0);
  T t0(1.0), t1 = xi;      // T(j), T(j+1)
  T d0(0.0), d1 = T(1.0);  // and their slopes
  for (int i = 2; i < n; ++i) {
    p[i] = t0;
    value += a[i] * t0;
    slope += a[i] * d0;
    const T t2 = 2.0 * xi * t1 - t0;
    const T d2 = 2.0 * t1 + 2.0 * xi * d1 - d0;
    t0 = t1;
    t1 = t2;
    d0 = d1;
    d1 = d2;
  }
  p[0] = slope;
  p[1] = -slope;
  return value;
}

// Arguments a = x, x0, ω, a0 … a(n−4).
template <bool cosine, class T> T fourier_partials(const T* a, int n, T* p) {
  using std::cos;
  using std::sin;
  const T xi = a[0] - a[1];
  T value = a[3];
  T by_angle(0.0);  // ∂/∂(ω ξ)
  p[3] = T(1.0);
  for (int i = 4; i < n; ++i) {
    const double j = i - 3;
    const T angle = j * a[2] * xi;
    const T c = cos(angle), s = sin(angle);
    p[i] = cosine ? c : s;
    value += a[i] * p[i];
    by_angle += j * a[i] * (cosine ? -s : c);
  }
  p[0] = by_angle * a[2];
  p[1] = -p[0];
  p[2] = by_angle * xi;
  return value;
}

double poly(double x, double x0, std::span<const double> coefficients);
double cheby(double x, double x0, std::span<const double> coefficients);
double forcos(double x, double x0, double w, std::span<const double> coefficients);
double forsin(double x, double x0, double w, std::span<const double> coefficients);
Jet poly_jet(double x, double x0, std::span<const double> coefficients);  // derivatives by x
Jet cheby_jet(double x, double x0, std::span<const double> coefficients);
Jet forcos_jet(double x, double x0, double w, std::span<const double> coefficients);
Jet forsin_jet(double x, double x0, double w, std::span<const double> coefficients);

}  // namespace trunnion::math
