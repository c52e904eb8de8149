#include "math/surface.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/spline.hpp"

namespace trunnion::math {

std::string check_spline_data(const SplineData& data) {
  if (data.y.empty()) return "a spline needs y values";
  if (data.y.size() > 1 && data.z.size() != data.y.size()) {
    return fmt::format("{} curves but {} z values", data.y.size(), data.z.size());
  }
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    std::string message = check_spline_points(data.x, data.y[i]);
    if (!message.empty()) return data.y.size() == 1 ? message : fmt::format("curve {}: {}", i + 1, message);
  }
  if (data.y.size() == 1) return {};
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    if (!std::isfinite(data.z[i])) return fmt::format("z{} is not a finite number", i + 1);
    if (i > 0 && data.z[i] <= data.z[i - 1]) {
      return fmt::format("z values must increase: z{} = {} follows z{} = {}", i + 1, data.z[i], i,
                         data.z[i - 1]);
    }
  }
  return {};
}

Surface::Surface(const SplineData& data, Interpolation method) : z_(data.z) {
  const Extrapolation outside = data.linear_extrapolate ? Extrapolation::linear
                                : method == Interpolation::linear_hold || method == Interpolation::cubic_hold
                                    ? Extrapolation::constant
                                    : Extrapolation::polynomial;
  curves_.reserve(data.y.size());
  for (const std::vector<double>& y : data.y) {
    switch (method) {
      case Interpolation::akima: curves_.push_back(akima_spline(data.x, y, outside)); break;
      case Interpolation::linear_hold: curves_.push_back(linear_spline(data.x, y, outside)); break;
      case Interpolation::cubic:
      case Interpolation::cubic_hold:
        curves_.push_back(cubic_spline(data.x, y, CubicEnd::four_point, outside));
        break;
    }
  }
}

std::size_t Surface::member(double z) const {
  const auto first = z_.begin() + 1, last = z_.end() - 1;
  return static_cast<std::size_t>(std::upper_bound(first, last, z) - first);
}

double Surface::value(double x, double z) const {
  if (curves_.size() == 1) return curves_[0].value(x);
  const std::size_t i = member(z);
  const double a = curves_[i].value(x), b = curves_[i + 1].value(x);
  return a + (b - a) * ((z - z_[i]) / (z_[i + 1] - z_[i]));
}

double Surface::derivative(double x, double z, int order) const {
  return order == 0 ? value(x, z) : derivatives(x, z).d[static_cast<std::size_t>(order)];
}

SurfaceDerivatives Surface::derivatives(double x, double z) const {
  if (curves_.size() == 1) return {curves_[0].derivatives(x), {}};
  const std::size_t i = member(z);
  const Derivatives a = curves_[i].derivatives(x), b = curves_[i + 1].derivatives(x);
  const double width = z_[i + 1] - z_[i], u = (z - z_[i]) / width;
  SurfaceDerivatives result;
  for (std::size_t k = 0; k < kDerivativeCount; ++k) {
    result.d[k] = a[k] + (b[k] - a[k]) * u;
    result.dz[k] = (b[k] - a[k]) / width;
  }
  return result;
}

}  // namespace trunnion::math
