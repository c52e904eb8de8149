#pragma once
// Interpolants through points (x, y): each returns a piecewise polynomial.
//
// Akima (AKISPL): cubic, slopes from the four neighbouring chords (H. Akima, J. ACM 17, 1970), so a point
//   moves only its neighbourhood. Two chords are added beyond each end by the rule that second differences of
//   slopes vanish. Where the weights are both zero the slope is the mean of the chords beside the point.
// Cubic (CUBSPL): continuous curvature. End conditions:
//   four_point  the third derivative of the end piece is that of the cubic through the four end points, as in
//               the classic Forsythe-Malcolm-Moler spline. It reproduces cubics and needs four points, the
//               fewest a SPLINE statement may have. Our default for CUBSPL: the commercial solver's own end
//               condition was found in no public text, so this is a choice, not a fact about it.
//   natural     no curvature at the ends
//   periodic    slope and curvature agree across the ends (first and last y equal)
// Linear (INTERP with method 1).
//
// Two points give a line and three points a parabola or less, so that nothing fails on short tables.

#include <span>
#include <string>
#include <vector>

#include "math/piecewise.hpp"

namespace trunnion::math {

enum class CubicEnd { four_point, natural, periodic };

// Empty if x and y can be interpolated; otherwise what is wrong, in words for the user.
std::string check_spline_points(std::span<const double> x, std::span<const double> y);

// The points must have passed check_spline_points.
PiecewisePolynomial akima_spline(std::span<const double> x, std::span<const double> y,
                                 Extrapolation extrapolation);
PiecewisePolynomial cubic_spline(std::span<const double> x, std::span<const double> y, CubicEnd end,
                                 Extrapolation extrapolation);
PiecewisePolynomial linear_spline(std::span<const double> x, std::span<const double> y,
                                  Extrapolation extrapolation);

}  // namespace trunnion::math
