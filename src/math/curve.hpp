#pragma once
// A space curve over the parameter α (CURVE statement): three piecewise polynomials.
// B-splines run over α in [−1, 1] with uniform knots:
//   control points   open: the curve starts and ends in the outer control points (clamped knots);
//                    closed: periodic knots, the first and last given points being the same point
//   curve points     the curve passes through the points, at equally spaced α. Order 2 is the polyline, 4 the
//                    C² cubic (closed: periodic), other orders open only, by solving for the control points.
// Beyond the ends an open curve goes on by its end pieces; a closed one is wrapped around.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "math/piecewise.hpp"

namespace trunnion::math {

using Point = std::array<double, 3>;

class Curve {
 public:
  static constexpr int kMaxOrder = 10;

  // Empty, with `error` set, if the points or the order do not make a curve.
  static std::optional<Curve> from_control_points(const std::vector<Point>& points, int order, bool closed,
                                                  std::string& error);
  static std::optional<Curve> through_points(const std::vector<Point>& points, int order, bool closed,
                                             std::string& error);

  Derivatives derivatives(double alpha, int component) const;  // component 0, 1, 2 = x, y, z
  double min_parameter() const { return components_[0].breaks().front(); }
  double max_parameter() const { return components_[0].breaks().back(); }
  bool closed() const { return closed_; }

 private:
  std::array<PiecewisePolynomial, 3> components_;
  bool closed_ = false;
};

}  // namespace trunnion::math
