#include "math/curve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/spline.hpp"

namespace trunnion::math {

namespace {

// Knots of a B-spline with `count` control points over [−1, 1].
std::vector<double> clamped_knots(int count, int order) {
  std::vector<double> t;
  const int pieces = count - order + 1;
  for (int i = 0; i < order - 1; ++i) t.push_back(-1.0);
  for (int i = 0; i <= pieces; ++i) t.push_back(-1.0 + 2.0 * i / pieces);
  for (int i = 0; i < order - 1; ++i) t.push_back(1.0);
  return t;
}

// Taylor coefficients, at the start of knot span s, of the B-spline with the given knots and coefficients:
// each derivative of a B-spline is again one, with divided differences as coefficients.
void span_coefficients(const std::vector<double>& t, const std::vector<double>& control, int order, int s,
                       std::vector<double>& out) {
  std::array<double, Curve::kMaxOrder> c{};
  const double x = t[static_cast<std::size_t>(s)];
  double factorial = 1.0;
  for (int i = 0; i < order; ++i)
    c[static_cast<std::size_t>(i)] = control[static_cast<std::size_t>(s - order + 1 + i)];
  for (int derivative = 0; derivative < order; ++derivative) {
    const int k = order - derivative;  // order of the current B-spline; it has k active coefficients
    std::array<double, Curve::kMaxOrder> b = c;
    for (int r = 1; r < k; ++r) {  // de Boor
      for (int i = k - 1; i >= r; --i) {
        const int j = s - k + 1 + i;
        const double left = t[static_cast<std::size_t>(j)], right = t[static_cast<std::size_t>(j + k - r)];
        const double w = (x - left) / (right - left);
        b[static_cast<std::size_t>(i)] =
            (1.0 - w) * b[static_cast<std::size_t>(i - 1)] + w * b[static_cast<std::size_t>(i)];
      }
    }
    if (derivative > 0) factorial *= derivative;
    out.push_back(b[static_cast<std::size_t>(k - 1)] / factorial);
    for (int i = 0; i + 1 < k; ++i) {
      const int j = s - k + 2 + i;
      const double width = t[static_cast<std::size_t>(j + k - 1)] - t[static_cast<std::size_t>(j)];
      c[static_cast<std::size_t>(i)] =
          (k - 1) * (c[static_cast<std::size_t>(i + 1)] - c[static_cast<std::size_t>(i)]) / width;
    }
  }
}

PiecewisePolynomial b_spline(const std::vector<double>& t, const std::vector<double>& control, int order) {
  std::vector<double> breaks, coefficients;
  const int count = static_cast<int>(control.size());
  for (int s = order - 1; s < count; ++s) {
    breaks.push_back(t[static_cast<std::size_t>(s)]);
    span_coefficients(t, control, order, s, coefficients);
  }
  breaks.push_back(t[static_cast<std::size_t>(count)]);
  return {std::move(breaks), order - 1, std::move(coefficients), Extrapolation::polynomial};
}

// Values at x of the `order` B-splines that do not vanish on span s (Cox-de Boor).
void basis(const std::vector<double>& t, int order, int s, double x, double* n) {
  n[0] = 1.0;
  for (int k = 1; k < order; ++k) {
    double saved = 0.0;
    for (int r = 0; r < k; ++r) {
      const double right = t[static_cast<std::size_t>(s + r + 1)] - x;
      const double left = x - t[static_cast<std::size_t>(s + 1 - k + r)];
      const double term = n[r] / (right + left);
      n[r] = saved + right * term;
      saved = left * term;
    }
    n[k] = saved;
  }
}

// Control points of the clamped B-spline through y at equally spaced α. Knots are means of the parameters
// they span, which keeps the banded matrix totally positive: elimination needs no pivoting.
PiecewisePolynomial interpolating_b_spline(const std::vector<double>& y, int order) {
  const int n = static_cast<int>(y.size());
  const auto parameter = [n](int i) { return -1.0 + 2.0 * i / (n - 1); };
  std::vector<double> t;
  for (int i = 0; i < order; ++i) t.push_back(-1.0);
  for (int i = 1; i <= n - order; ++i) {
    double sum = 0.0;
    for (int j = i; j < i + order - 1; ++j) sum += parameter(j);
    t.push_back(sum / (order - 1));
  }
  for (int i = 0; i < order; ++i) t.push_back(1.0);

  const int band = 2 * order - 1;  // columns i − order + 1 … i + order − 1 of row i
  std::vector<double> a(static_cast<std::size_t>(n * band), 0.0), right = y;
  const auto at = [&](int row, int column) -> double& {
    return a[static_cast<std::size_t>(row * band + column - row + order - 1)];
  };
  for (int i = 0; i < n; ++i) {
    const double x = parameter(i);
    const auto first = t.begin() + order, last = t.begin() + n;
    const int s = order - 1 + static_cast<int>(std::upper_bound(first, last, x) - first);
    double values[Curve::kMaxOrder];
    basis(t, order, s, x, values);
    for (int k = 0; k < order; ++k) {
      const int column = s - order + 1 + k;
      if (column > i - order && column < i + order) at(i, column) = values[k];
    }
  }
  for (int p = 0; p < n; ++p) {
    for (int i = p + 1; i < std::min(n, p + order); ++i) {
      const double f = at(i, p) / at(p, p);
      if (f == 0.0) continue;
      for (int k = p; k < std::min(n, p + order); ++k) at(i, k) -= f * at(p, k);
      right[static_cast<std::size_t>(i)] -= f * right[static_cast<std::size_t>(p)];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < std::min(n, i + order); ++k) {
      right[static_cast<std::size_t>(i)] -= at(i, k) * right[static_cast<std::size_t>(k)];
    }
    right[static_cast<std::size_t>(i)] /= at(i, i);
  }
  return b_spline(t, right, order);
}

std::string check(const std::vector<Point>& points, int order, bool closed) {
  if (order < 2 || order > Curve::kMaxOrder) {
    return fmt::format("ORDER must be between 2 and {}, {} given", Curve::kMaxOrder, order);
  }
  const int needed = closed ? std::max(order + 1, 4) : order;
  if (static_cast<int>(points.size()) < needed) {
    return fmt::format("a curve of order {} needs at least {} points, {} given", order, needed,
                       points.size());
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double v : points[i]) {
      if (!std::isfinite(v)) return fmt::format("point {} is not finite", i + 1);
    }
  }
  if (!closed) return {};
  double size = 0.0, gap = 0.0;
  for (const Point& p : points) {
    for (std::size_t k = 0; k < 3; ++k) size = std::max(size, std::abs(p[k] - points[0][k]));
  }
  for (std::size_t k = 0; k < 3; ++k) gap = std::max(gap, std::abs(points.back()[k] - points[0][k]));
  // Written coordinates carry six digits or so; a larger gap is a mistake rather than rounding.
  if (gap > 1e-5 * size) return "the first and last points of a closed curve must be the same";
  return {};
}

std::vector<double> column(const std::vector<Point>& points, std::size_t k) {
  std::vector<double> y;
  for (const Point& p : points) y.push_back(p[k]);
  return y;
}

}  // namespace

std::optional<Curve> Curve::from_control_points(const std::vector<Point>& points, int order, bool closed,
                                                std::string& error) {
  error = check(points, order, closed);
  if (!error.empty()) return std::nullopt;
  Curve curve;
  curve.closed_ = closed;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> y = column(points, k);
    if (!closed) {
      curve.components_[k] = b_spline(clamped_knots(static_cast<int>(y.size()), order), y, order);
      continue;
    }
    y.pop_back();
    const int pieces = static_cast<int>(y.size());
    for (int i = 0; i < order - 1; ++i) y.push_back(y[static_cast<std::size_t>(i)]);
    std::vector<double> t;
    for (int i = -(order - 1); i <= pieces + order - 1; ++i) t.push_back(-1.0 + 2.0 * i / pieces);
    curve.components_[k] = b_spline(t, y, order);
  }
  return curve;
}

std::optional<Curve> Curve::through_points(const std::vector<Point>& points, int order, bool closed,
                                           std::string& error) {
  error = check(points, order, closed);
  if (error.empty() && closed && order != 2 && order != 4) {
    error = fmt::format("a closed curve through points must have order 2 or 4, {} given", order);
  }
  if (!error.empty()) return std::nullopt;
  Curve curve;
  curve.closed_ = closed;
  std::vector<double> alpha;
  const double last = static_cast<double>(points.size() - 1);
  for (std::size_t i = 0; i < points.size(); ++i) alpha.push_back(-1.0 + 2.0 * static_cast<double>(i) / last);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> y = column(points, k);
    if (closed) y.back() = y.front();
    if (order == 2) {
      curve.components_[k] = linear_spline(alpha, y, Extrapolation::polynomial);
    } else if (order == 4) {
      curve.components_[k] = cubic_spline(alpha, y, closed ? CubicEnd::periodic : CubicEnd::four_point,
                                          Extrapolation::polynomial);
    } else {
      curve.components_[k] = interpolating_b_spline(y, order);
    }
  }
  return curve;
}

Curve Curve::from_function(double min, double max, bool closed, Function function) {
  Curve curve;
  curve.min_ = min;
  curve.max_ = max;
  curve.closed_ = closed;
  curve.function_ = std::move(function);
  return curve;
}

std::vector<double> Curve::breaks() const {
  if (function_) return {min_, max_};
  const std::span<const double> all = components_[0].breaks();
  return {all.begin(), all.end()};
}

Derivatives Curve::derivatives(double alpha, int component) const {
  if (closed_) {
    const double low = min_parameter(), period = max_parameter() - low;
    if (alpha < low || alpha >= low + period) alpha -= period * std::floor((alpha - low) / period);
  }
  if (function_) return function_(alpha)[static_cast<std::size_t>(component)];
  return components_[static_cast<std::size_t>(component)].derivatives(alpha);
}

}  // namespace trunnion::math
