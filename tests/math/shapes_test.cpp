// STEP … SWEEP as plain functions: jets against differences of their own values, and the partial formulas by
// every argument.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "math/harmonic.hpp"
#include "math/impact.hpp"
#include "math/ramp.hpp"
#include "math/series.hpp"

namespace trunnion::math {
namespace {

constexpr double kStep = 1e-5;

// Central differences: truncation h² f‴/6 with f‴ up to 1e3 for these parameters, rounding 1e-16/h · |f|.
void expect_slope(double derivative, double low, double high, const std::string& what) {
  const double slope = (high - low) / (2 * kStep);
  EXPECT_NEAR(derivative, slope, 1e-7 * (1 + std::abs(slope) + std::abs(high))) << what;
}

TEST(Shapes, JetsMatchDifferences) {
  const std::vector<double> c = {0.3, -1.2, 0.7, 0.4};
  const std::vector<std::pair<std::string, std::function<Jet(double)>>> functions = {
      {"step", [](double x) { return step_jet(x, -0.5, 2, 1.5, -1); }},
      {"step reversed", [](double x) { return step_jet(x, 1.5, 2, -0.5, -1); }},
      {"step5", [](double x) { return step5_jet(x, -0.5, 2, 1.5, -1); }},
      {"havsin", [](double x) { return havsin_jet(x, -0.5, 2, 1.5, -1); }},
      {"poly", [&](double x) { return poly_jet(x, 0.2, c); }},
      {"cheby", [&](double x) { return cheby_jet(x, 0.2, c); }},
      {"forcos", [&](double x) { return forcos_jet(x, 0.2, 1.7, c); }},
      {"forsin", [&](double x) { return forsin_jet(x, 0.2, 1.7, c); }},
      {"shf", [](double x) { return shf_jet(x, 0.2, 1.5, 2.5, 0.4, 3); }},
      {"sweep", [](double x) { return sweep_jet(x, 2, -1, 0.2, 1, 0.8, 0.7); }},
  };
  for (const auto& [name, f] : functions) {
    for (double x = -1.93; x < 2.5; x += 0.37) {
      const Jet at = f(x), low = f(x - kStep), high = f(x + kStep);
      expect_slope(at.d1, low.value, high.value, name);
      expect_slope(at.d2, low.d1, high.d1, name);
    }
  }
}

TEST(Shapes, ImpactJetsMatchDifferences) {
  const auto one = [](double x, double v) { return impact_jet(x, v, 1, 30, 2.2, 4, 0.3); };
  const auto two = [](double x, double v) { return bistop_jet(x, v, -0.4, 0.9, 30, 2.2, 4, 0.3); };
  for (const auto& f :
       {std::function<ImpactJet(double, double)>(one), std::function<ImpactJet(double, double)>(two)}) {
    for (double x = -1.03; x < 1.6; x += 0.17) {
      for (const double v : {-1.3, 0.2, 0.9}) {
        const ImpactJet at = f(x, v), left = f(x - kStep, v), right = f(x + kStep, v), down = f(x, v - kStep),
                        up = f(x, v + kStep);
        expect_slope(at.d_x, left.value, right.value, "x");
        expect_slope(at.d_v, down.value, up.value, "v");
        expect_slope(at.d_xx, left.d_x, right.d_x, "xx");
        expect_slope(at.d_xv, left.d_v, right.d_v, "xv");
        expect_slope(at.d_vv, down.d_v, up.d_v, "vv");
      }
    }
  }
  EXPECT_EQ(impact(0.5, 1.0, 1.0, 10, 1, 3, 0.0), 5.0 - 3.0);  // no ramp: full damping at once
  EXPECT_EQ(impact(0.5, 9.0, 1.0, 10, 1, 3, 0.1), 0.0);        // never pulls
  EXPECT_EQ(bistop(0.0, 1.0, -1, 1, 10, 1, 3, 0.1), 0.0);
}

TEST(Shapes, RampContinuity) {
  // STEP: slope continuous; STEP5: curvature too.
  for (const double x : {1.0 - 1e-9, 1.0 + 1e-9}) {
    EXPECT_NEAR(step_jet(x, 0, 0, 1, 1).d1, 0, 1e-8);
    EXPECT_NEAR(step5_jet(x, 0, 0, 1, 1).d2, 0, 1e-7);
  }
  EXPECT_EQ(step(0.5, 0, 0, 1, 1), 0.5);
  EXPECT_EQ(step5(0.5, 0, 0, 1, 1), 0.5);
  EXPECT_NEAR(havsin(0.5, 0, 0, 1, 1), 0.5, 1e-16);
  EXPECT_TRUE(std::isnan(step(0.5, 1, 0, 1, 1)));
}

TEST(Shapes, SweepFrequency) {
  // Zeros of the phase: past the end the sine runs at f1, before the start it is silent.
  EXPECT_EQ(sweep(-0.5, 1, 0, 1, 2, 3, 0.1), 0.0);
  const double theta_end = 1 * 2 + (3 - 1) * 2.0 * 2.0 / (2 * 2);
  EXPECT_NEAR(sweep(2.0, 1, 0, 1, 2, 3, 0.1), std::sin(2 * std::acos(-1.0) * theta_end), 1e-12);
  EXPECT_NEAR(sweep_jet(5.0, 1, 0, 1, 2, 3, 0.1).d2,
              -std::pow(6 * std::acos(-1.0), 2) * sweep(5.0, 1, 0, 1, 2, 3, 0.1), 1e-9);
  EXPECT_EQ(sweep(-0.1, 1, 0, 1, 2, 3, 0.0), 0.0);
  EXPECT_NEAR(sweep(0.1, 1, 0, 1, 2, 1, 0.0), std::sin(0.2 * std::acos(-1.0)), 1e-15);
}

TEST(Dual, MatchesKnownDerivatives) {
  const Dual x(0.6, 1.0);
  EXPECT_DOUBLE_EQ(sin(x).d, std::cos(0.6));
  EXPECT_DOUBLE_EQ(tan(x).d, 1 / (std::cos(0.6) * std::cos(0.6)));
  EXPECT_DOUBLE_EQ((x / (x + 1.0)).d, 1 / (1.6 * 1.6));
  EXPECT_DOUBLE_EQ(pow(x, x).d, std::pow(0.6, 0.6) * (std::log(0.6) + 1));
  EXPECT_DOUBLE_EQ(atan2(x, Dual(2.0)).d, 2.0 / (4 + 0.36));
  EXPECT_EQ(sqrt(Dual(0.0)).d, 0.0);
  EXPECT_EQ(integer_power(3.0, 5), 243.0);
  EXPECT_EQ(integer_power(2.0, -2), 0.25);
  EXPECT_EQ(integer_power(2.0, 0), 1.0);
}

}  // namespace
}  // namespace trunnion::math
