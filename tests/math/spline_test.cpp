#include "math/spline.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "math/surface.hpp"

namespace trunnion::math {
namespace {

const std::vector<double> kX = {-1.0, 0.2, 0.9, 2.0, 3.7, 4.1, 6.0};
const std::vector<double> kY = {0.5, 1.5, -0.3, 0.8, 2.2, 2.0, -1.0};

std::vector<PiecewisePolynomial> all_methods(Extrapolation e) {
  return {akima_spline(kX, kY, e), cubic_spline(kX, kY, CubicEnd::four_point, e),
          cubic_spline(kX, kY, CubicEnd::natural, e), linear_spline(kX, kY, e)};
}

TEST(Spline, PassesThroughItsPoints) {
  for (const PiecewisePolynomial& s : all_methods(Extrapolation::polynomial)) {
    for (std::size_t k = 0; k < kX.size(); ++k) EXPECT_NEAR(s.value(kX[k]), kY[k], 1e-13);
  }
}

TEST(Spline, ValueAgreesWithDerivatives) {
  for (const Extrapolation e : {Extrapolation::polynomial, Extrapolation::linear, Extrapolation::constant}) {
    for (const PiecewisePolynomial& s : all_methods(e)) {
      for (double x = -2.05; x < 8; x += 0.1) EXPECT_NEAR(s.value(x), s.derivatives(x)[0], 1e-12);
    }
  }
}

// Jumps of f, f′, f″ across the inner points.
TEST(Spline, Smoothness) {
  const auto jump = [](const PiecewisePolynomial& s, double x, std::size_t k) {
    const double e = 1e-9;
    return std::abs(s.derivatives(x + e)[k] - s.derivatives(x - e)[k]);
  };
  for (std::size_t i = 1; i + 1 < kX.size(); ++i) {
    for (const PiecewisePolynomial& s : all_methods(Extrapolation::polynomial))
      EXPECT_LT(jump(s, kX[i], 0), 1e-7);
    EXPECT_LT(jump(akima_spline(kX, kY, Extrapolation::polynomial), kX[i], 1), 1e-6);
    for (const CubicEnd end : {CubicEnd::four_point, CubicEnd::natural}) {
      EXPECT_LT(jump(cubic_spline(kX, kY, end, Extrapolation::polynomial), kX[i], 1), 1e-6);
      EXPECT_LT(jump(cubic_spline(kX, kY, end, Extrapolation::polynomial), kX[i], 2), 1e-6);
    }
  }
}

TEST(Spline, JointsBelongToTheRight) {
  const PiecewisePolynomial s = linear_spline(kX, kY, Extrapolation::constant);
  EXPECT_DOUBLE_EQ(s.derivatives(kX[2])[1], (kY[3] - kY[2]) / (kX[3] - kX[2]));
  EXPECT_EQ(s.derivatives(kX.back())[1], 0.0);  // past the last point the value is held
  EXPECT_DOUBLE_EQ(s.derivatives(kX[0])[1], (kY[1] - kY[0]) / (kX[1] - kX[0]));
}

TEST(Spline, EndConditions) {
  const PiecewisePolynomial natural = cubic_spline(kX, kY, CubicEnd::natural, Extrapolation::polynomial);
  EXPECT_NEAR(natural.derivatives(kX.front())[2], 0, 1e-12);
  EXPECT_NEAR(natural.derivatives(kX.back())[2], 0, 1e-11);
  // The four-point end reproduces any cubic, inside and beyond.
  std::vector<double> y;
  const auto cubic = [](double x) { return 1 - x * (2 + x * (0.5 - 0.3 * x)); };
  for (const double x : kX) y.push_back(cubic(x));
  const PiecewisePolynomial fmm = cubic_spline(kX, y, CubicEnd::four_point, Extrapolation::polynomial);
  for (double x = -3; x < 9; x += 0.3)
    EXPECT_NEAR(fmm.value(x), cubic(x), 1e-11 * (1 + std::abs(cubic(x)))) << x;
}

TEST(Spline, Periodic) {
  std::vector<double> x, y;
  const int n = 16;
  for (int k = 0; k <= n; ++k) {
    x.push_back(2 * M_PI * k / n);
    y.push_back(std::sin(x.back()));
  }
  y.back() = y.front();
  const PiecewisePolynomial s = cubic_spline(x, y, CubicEnd::periodic, Extrapolation::polynomial);
  // A periodic cubic is off by about h⁴/384 · f⁗ = 6e-5.
  for (double t = 0; t < 6.28; t += 0.1) EXPECT_NEAR(s.value(t), std::sin(t), 7e-5);
  const Derivatives start = s.derivatives(0.0), end = s.derivatives(2 * M_PI);
  EXPECT_NEAR(start[1], end[1], 1e-12);
  EXPECT_NEAR(start[2], end[2], 1e-11);
}

// Akima's published rule on hand-worked numbers: slopes 0 0 1 1 … keep the flat part flat.
TEST(Spline, AkimaKeepsFlatPartsFlat) {
  const std::vector<double> x = {0, 1, 2, 3, 4, 5, 6}, y = {0, 0, 0, 0, 1, 2, 3};
  const PiecewisePolynomial s = akima_spline(x, y, Extrapolation::linear);
  for (double t = -2; t <= 2; t += 0.25) EXPECT_NEAR(s.value(t), 0, 1e-15) << t;
  for (double t = 4; t < 9; t += 0.25) EXPECT_NEAR(s.value(t), t - 3, 1e-14) << t;
  EXPECT_DOUBLE_EQ(s.derivatives(3.0)[1], 0.5);  // both weights vanish: mean of the chords
}

TEST(Spline, Extrapolation) {
  const PiecewisePolynomial line = akima_spline(kX, kY, Extrapolation::linear);
  const PiecewisePolynomial hold = akima_spline(kX, kY, Extrapolation::constant);
  const Derivatives end = akima_spline(kX, kY, Extrapolation::polynomial).derivatives(6.0);
  EXPECT_NEAR(line.value(8.0), kY.back() + 2 * end[1], 1e-12);
  EXPECT_EQ(line.derivatives(8.0)[2], 0.0);
  EXPECT_NEAR(hold.value(8.0), kY.back(), 1e-13);
  EXPECT_NEAR(hold.value(-8.0), kY.front(), 1e-13);
  const Derivatives first = line.derivatives(-1.0);
  EXPECT_NEAR(line.value(-2.0), kY.front() - first[1], 1e-12);
}

TEST(Spline, ShortTables) {
  const std::vector<double> x2 = {0, 2}, y2 = {1, 5}, x3 = {0, 1, 3}, y3 = {0, 1, 9};
  EXPECT_DOUBLE_EQ(akima_spline(x2, y2, Extrapolation::polynomial).value(1), 3);
  EXPECT_DOUBLE_EQ(cubic_spline(x2, y2, CubicEnd::four_point, Extrapolation::polynomial).value(1), 3);
  EXPECT_NEAR(cubic_spline(x3, y3, CubicEnd::four_point, Extrapolation::polynomial).value(2), 4,
              1e-13);  // x²
  EXPECT_NEAR(akima_spline(x3, y3, Extrapolation::polynomial).value(1), 1, 1e-13);
}

TEST(Surface, LinearInZ) {
  SplineData data;
  data.x = kX;
  data.z = {0, 1, 3};
  data.y = {kY, kY, kY};
  for (double& y : data.y[1]) y *= 2;
  for (double& y : data.y[2]) y *= 4;
  ASSERT_EQ(check_spline_data(data), "");
  const Surface s(data, Interpolation::cubic);
  const PiecewisePolynomial base = cubic_spline(kX, kY, CubicEnd::four_point, Extrapolation::polynomial);
  for (const double z :
       {-1.0, 0.0, 0.4, 1.0, 2.5, 4.0}) {  // factors 1, 2, 4 at 0, 1, 3 lie on one line: 1 + z
    for (const double x : {-2.0, 0.5, 5.0, 7.0}) {
      const Derivatives d = base.derivatives(x);
      const SurfaceDerivatives f = s.derivatives(x, z);
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(f.d[k], (1 + z) * d[k], 1e-11 * (1 + std::abs(d[k])));
        EXPECT_NEAR(f.dz[k], d[k], 1e-11 * (1 + std::abs(d[k])));
      }
      EXPECT_NEAR(s.value(x, z), f.d[0], 1e-11);
    }
  }
}

}  // namespace
}  // namespace trunnion::math
