#include "math/spline.hpp"

#include <cmath>

#include <fmt/format.h>

namespace trunnion::math {

std::string check_spline_points(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2) return fmt::format("a spline needs at least 2 points, {} given", x.size());
  if (x.size() != y.size()) return fmt::format("{} x values but {} y values", x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return fmt::format("point {} is not a finite number", i + 1);
    if (i > 0 && x[i] <= x[i - 1]) {
      return fmt::format("x values must increase: x{} = {} follows x{} = {}", i + 1, x[i], i, x[i - 1]);
    }
  }
  return {};
}

namespace {

// Cubic pieces from values and slopes at the points.
PiecewisePolynomial hermite(std::span<const double> x, std::span<const double> y,
                            std::span<const double> slope, Extrapolation extrapolation) {
  std::vector<double> c;
  c.reserve(4 * (x.size() - 1));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    const double chord = (y[i + 1] - y[i]) / h;
    c.push_back(y[i]);
    c.push_back(slope[i]);
    c.push_back((3.0 * chord - 2.0 * slope[i] - slope[i + 1]) / h);
    c.push_back((slope[i] + slope[i + 1] - 2.0 * chord) / (h * h));
  }
  return {{x.begin(), x.end()}, 3, std::move(c), extrapolation};
}

}  // namespace

PiecewisePolynomial linear_spline(std::span<const double> x, std::span<const double> y,
                                  Extrapolation extrapolation) {
  std::vector<double> c;
  c.reserve(2 * (x.size() - 1));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    c.push_back(y[i]);
    c.push_back((y[i + 1] - y[i]) / (x[i + 1] - x[i]));
  }
  return {{x.begin(), x.end()}, 1, std::move(c), extrapolation};
}

PiecewisePolynomial akima_spline(std::span<const double> x, std::span<const double> y,
                                 Extrapolation extrapolation) {
  const std::size_t n = x.size();
  if (n == 2) return linear_spline(x, y, extrapolation);
  std::vector<double> m(n + 3);  // chord i is m[i + 2]; two made-up chords at each end
  for (std::size_t i = 0; i + 1 < n; ++i) m[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  m[1] = 2.0 * m[2] - m[3];
  m[0] = 2.0 * m[1] - m[2];
  m[n + 1] = 2.0 * m[n] - m[n - 1];
  m[n + 2] = 2.0 * m[n + 1] - m[n];
  std::vector<double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = std::abs(m[i + 1] - m[i]), after = std::abs(m[i + 3] - m[i + 2]);
    slope[i] = before + after > 0.0 ? (after * m[i + 1] + before * m[i + 2]) / (before + after)
                                    : 0.5 * (m[i + 1] + m[i + 2]);
  }
  return hermite(x, y, slope, extrapolation);
}

namespace {

// Slopes of the C² cubic with periodic ends, by the tridiagonal rule with the corner entries taken out
// (Sherman-Morrison). Unknowns are the slopes of points 0 … n−2; point n−1 repeats point 0.
std::vector<double> periodic_slopes(std::span<const double> x, std::span<const double> y) {
  const std::size_t m = x.size() - 1;
  std::vector<double> lower(m), diagonal(m), upper(m), right(m);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t before = i == 0 ? m - 1 : i - 1;
    const double h0 = x[before + 1] - x[before], h1 = x[i + 1] - x[i];
    const double m0 = (y[before + 1] - y[before]) / h0, m1 = (y[i + 1] - y[i]) / h1;
    lower[i] = 1.0 / h0;
    diagonal[i] = 2.0 / h0 + 2.0 / h1;
    upper[i] = 1.0 / h1;
    right[i] = 3.0 * (m0 / h0 + m1 / h1);
  }
  const double corner_low = lower[0], corner_high = upper[m - 1], gamma = -diagonal[0];
  diagonal[0] -= gamma;
  diagonal[m - 1] -= corner_low * corner_high / gamma;
  std::vector<double> u(m, 0.0);
  u[0] = gamma;
  u[m - 1] = corner_high;
  for (std::size_t i = 1; i < m; ++i) {
    const double f = lower[i] / diagonal[i - 1];
    diagonal[i] -= f * upper[i - 1];
    right[i] -= f * right[i - 1];
    u[i] -= f * u[i - 1];
  }
  for (std::size_t i = m; i-- > 0;) {
    const double r = i + 1 < m ? right[i + 1] * upper[i] : 0.0, w = i + 1 < m ? u[i + 1] * upper[i] : 0.0;
    right[i] = (right[i] - r) / diagonal[i];
    u[i] = (u[i] - w) / diagonal[i];
  }
  const double factor =
      (right[0] + corner_low * right[m - 1] / gamma) / (1.0 + u[0] + corner_low * u[m - 1] / gamma);
  for (std::size_t i = 0; i < m; ++i) right[i] -= factor * u[i];
  right.push_back(right[0]);
  return right;
}

// Slopes of the C² cubic. Curvatures M solve a tridiagonal system; the end rows state the end condition.
std::vector<double> open_slopes(std::span<const double> x, std::span<const double> y, CubicEnd end) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), chord(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    chord[i] = (y[i + 1] - y[i]) / h[i];
  }
  // With M = f″: h(i−1) M(i−1) + 2(h(i−1)+h(i)) M(i) + h(i) M(i+1) = 6 (chord(i) − chord(i−1)).
  std::vector<double> diagonal(n, 1.0), upper(n, 0.0), lower(n, 0.0), right(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h[i - 1];
    diagonal[i] = 2.0 * (h[i - 1] + h[i]);
    upper[i] = h[i];
    right[i] = 6.0 * (chord[i] - chord[i - 1]);
  }
  if (end == CubicEnd::four_point && n >= 4) {
    // (M1 − M0)/h0 = 6 × the third divided difference at that end. The row is scaled with −h so that the
    // matrix stays like its inner rows.
    const auto third = [&](std::size_t i) {
      const double a = (chord[i + 1] - chord[i]) / (x[i + 2] - x[i]);
      const double b = (chord[i + 2] - chord[i + 1]) / (x[i + 3] - x[i + 1]);
      return (b - a) / (x[i + 3] - x[i]);
    };
    diagonal[0] = -h[0];
    upper[0] = h[0];
    right[0] = 6.0 * h[0] * h[0] * third(0);
    diagonal[n - 1] = -h[n - 2];
    lower[n - 1] = h[n - 2];
    right[n - 1] = -6.0 * h[n - 2] * h[n - 2] * third(n - 4);
  } else if (end == CubicEnd::four_point && n == 3) {
    const double curvature = 2.0 * (chord[1] - chord[0]) / (x[2] - x[0]);  // the parabola
    right[0] = right[2] = curvature;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double f = lower[i] / diagonal[i - 1];
    diagonal[i] -= f * upper[i - 1];
    right[i] -= f * right[i - 1];
  }
  std::vector<double> m(n);
  for (std::size_t i = n; i-- > 0;) m[i] = (right[i] - (i + 1 < n ? upper[i] * m[i + 1] : 0.0)) / diagonal[i];
  std::vector<double> slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) slope[i] = chord[i] - h[i] * (2.0 * m[i] + m[i + 1]) / 6.0;
  slope[n - 1] = chord[n - 2] + h[n - 2] * (m[n - 2] + 2.0 * m[n - 1]) / 6.0;
  return slope;
}

}  // namespace

PiecewisePolynomial cubic_spline(std::span<const double> x, std::span<const double> y, CubicEnd end,
                                 Extrapolation extrapolation) {
  if (x.size() == 2) return linear_spline(x, y, extrapolation);
  if (end == CubicEnd::periodic) return hermite(x, y, periodic_slopes(x, y), extrapolation);
  return hermite(x, y, open_slopes(x, y, end), extrapolation);
}

}  // namespace trunnion::math
