#pragma once
// A space curve over the parameter α (CURVE statement): three piecewise polynomials.
// B-splines run over α in [−1, 1] with uniform knots:
//   control points   open: the curve starts and ends in the outer control points (clamped knots);
//                    closed: periodic knots, the first and last given points being the same point
//   curve points     the curve passes through the points, at equally spaced α. Order 2 is the polyline, 4 the
//                    C² cubic (closed: periodic), other orders open only, by solving for the control points.
// Beyond the ends an open curve goes on by its end pieces; a closed one is wrapped around.

#include <array>
#include <functional>
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

  // Computed by others, at any parameter: x, y, z with their derivatives. Beyond the ends of an open one it is asked all the same.
  using Function = std::function<std::array<Derivatives, 3>(double alpha)>;
  static Curve from_function(double min, double max, bool closed, Function function);

  Derivatives derivatives(double alpha, int component) const;  // component 0, 1, 2 = x, y, z
  double min_parameter() const { return min_; }
  double max_parameter() const { return max_; }
  bool closed() const { return closed_; }
  // Where its pieces begin and end; of one that is computed by others its ends alone.
  std::vector<double> breaks() const;
  bool straight() const { return !function_ && components_[0].degree() == 1; }  // between them

 private:
  std::array<PiecewisePolynomial, 3> components_;
  Function function_;  // in their place, where there is one
  double min_ = -1, max_ = 1;
  bool closed_ = false;
};

}  // namespace trunnion::math
