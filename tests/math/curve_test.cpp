#include "math/curve.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace trunnion::math {
namespace {

std::vector<Point> helix(int n) {
  std::vector<Point> points;
  for (int k = 0; k < n; ++k) points.push_back({std::cos(0.5 * k), std::sin(0.5 * k), 0.1 * k});
  return points;
}

std::vector<Point> circle(int n) {
  std::vector<Point> points;
  for (int k = 0; k <= n; ++k)
    points.push_back({std::cos(2 * M_PI * k / n), std::sin(2 * M_PI * k / n), 1.0});
  points.back() = points.front();
  return points;
}

Curve make(std::optional<Curve> curve, const std::string& error) {
  EXPECT_TRUE(curve) << error;
  return curve ? *curve : Curve();
}

TEST(Curve, PassesThroughItsPoints) {
  const std::vector<Point> points = helix(9);
  for (int order = 2; order <= 7; ++order) {
    std::string error;
    const Curve curve = make(Curve::through_points(points, order, false, error), error);
    EXPECT_EQ(curve.min_parameter(), -1.0);
    EXPECT_EQ(curve.max_parameter(), 1.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const double alpha = -1 + 2.0 * static_cast<double>(i) / 8;
        EXPECT_NEAR(curve.derivatives(alpha, k)[0], points[i][static_cast<std::size_t>(k)], 1e-11) << order;
      }
    }
  }
}

// Polynomials of degree below the order come back exactly, and so do their derivatives.
TEST(Curve, ReproducesPolynomials) {
  std::vector<Point> points;
  for (int k = 0; k <= 8; ++k) {
    const double a = -1 + 0.25 * k;
    points.push_back({a * a * a - a, a * a * a * a, 2 - a});
  }
  std::string error;
  const Curve curve = make(Curve::through_points(points, 5, false, error), error);
  for (double a = -0.95; a < 1; a += 0.13) {
    const Derivatives x = curve.derivatives(a, 0), y = curve.derivatives(a, 1);
    EXPECT_NEAR(x[0], a * a * a - a, 1e-12);
    EXPECT_NEAR(x[1], 3 * a * a - 1, 1e-10);
    EXPECT_NEAR(y[2], 12 * a * a, 1e-8);
    EXPECT_NEAR(y[4], 24, 1e-5);
  }
}

TEST(Curve, ControlPolygon) {
  const std::vector<Point> points = helix(7);
  std::string error;
  for (int order = 2; order <= 6; ++order) {
    const Curve curve = make(Curve::from_control_points(points, order, false, error), error);
    // Starts and ends in the outer control points, along the outer legs.
    for (int k = 0; k < 3; ++k) {
      const auto c = static_cast<std::size_t>(k);
      EXPECT_NEAR(curve.derivatives(-1, k)[0], points[0][c], 1e-12);
      EXPECT_NEAR(curve.derivatives(1, k)[0], points[6][c], 1e-10);
      const double legs = order == 2 ? 6 : 7 - order + 1;
      EXPECT_NEAR(curve.derivatives(-1, k)[1], (order - 1) * legs / 2 * (points[1][c] - points[0][c]), 1e-10)
          << order;
    }
  }
  // Continuous derivatives up to order − 2 across the knots.
  const Curve cubic = make(Curve::from_control_points(points, 4, false, error), error);
  for (const double knot : {-0.5, 0.0, 0.5}) {
    for (std::size_t d = 0; d <= 2; ++d) {
      EXPECT_NEAR(cubic.derivatives(knot - 1e-9, 0)[d], cubic.derivatives(knot + 1e-9, 0)[d], 1e-5);
    }
  }
}

TEST(Curve, ClosedCurvesClose) {
  std::string error;
  const Curve fit = make(Curve::through_points(circle(24), 4, true, error), error);
  for (double a = -1; a < 1; a += 0.07) {
    EXPECT_NEAR(std::hypot(fit.derivatives(a, 0)[0], fit.derivatives(a, 1)[0]), 1.0, 2e-5);  // h⁴/384
    EXPECT_NEAR(fit.derivatives(a + 2, 0)[0], fit.derivatives(a, 0)[0], 1e-12);              // wraps
    EXPECT_NEAR(fit.derivatives(a - 4, 1)[1], fit.derivatives(a, 1)[1], 1e-10);
  }
  for (const int order : {3, 4, 5}) {
    const Curve b = make(Curve::from_control_points(circle(12), order, true, error), error);
    for (int k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d + 2 <= static_cast<std::size_t>(order); ++d) {
        EXPECT_NEAR(b.derivatives(-1 + 1e-10, k)[d], b.derivatives(1 - 1e-10, k)[d], 1e-5)
            << order << " " << d;
      }
    }
  }
}

TEST(Curve, Errors) {
  std::string error;
  EXPECT_FALSE(Curve::through_points(helix(3), 4, false, error));
  EXPECT_EQ(error, "a curve of order 4 needs at least 4 points, 3 given");
  EXPECT_FALSE(Curve::through_points(helix(9), 4, true, error));
  EXPECT_EQ(error, "the first and last points of a closed curve must be the same");
  EXPECT_FALSE(Curve::from_control_points(helix(9), 1, false, error));
  EXPECT_EQ(error, "ORDER must be between 2 and 10, 1 given");
  EXPECT_FALSE(Curve::through_points(circle(9), 5, true, error));
  EXPECT_EQ(error, "a closed curve through points must have order 2 or 4, 5 given");
}

// A closed curve by a function goes around: its parameter is brought back to where it was given.
TEST(Curve, FromAFunction) {
  const auto helix_turn = [](double alpha) {
    EXPECT_GE(alpha, 0);
    EXPECT_LT(alpha, 2);
    return std::array<Derivatives, 3>{Derivatives{alpha, 1, 0, 0, 0},
                                      Derivatives{alpha * alpha, 2 * alpha, 2, 0, 0}, Derivatives{}};
  };
  const Curve curve = Curve::from_function(0, 2, true, helix_turn);
  EXPECT_EQ(curve.min_parameter(), 0);
  EXPECT_EQ(curve.max_parameter(), 2);
  EXPECT_DOUBLE_EQ(curve.derivatives(0.5, 1)[1], 1);
  EXPECT_DOUBLE_EQ(curve.derivatives(4.5, 1)[0], 0.25);
  EXPECT_DOUBLE_EQ(curve.derivatives(-1.5, 0)[0], 0.5);
}

}  // namespace
}  // namespace trunnion::math
