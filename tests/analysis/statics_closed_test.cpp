// Equilibria of mechanisms with several bodies, far from the start, against one or two scalar equations by virtual work.

#include <cmath>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"
#include "support/static_models.hpp"

namespace trunnion::test {
namespace {

// A toggle clamp: two links of length l, a knee pushed down by F, a slider against a springy workpiece, a stop under the knee.
// Knee at height y = l sin θ, slider at x = 2 l cos θ, workpiece N = k (x − x₀): F − R = 2 N tan θ with the stop's force R upwards
// for y < −gap.
struct ToggleClamp {
  double l = 1, k = 2000, x0 = 1.9, F = 30, stop = 1e5, gap = 0.05;

  std::string text(double theta) const {
    const double x = l * std::cos(theta), y = l * std::sin(theta);
    Planar t;
    t.marker(1, 1, 0, 0).marker(2, 1, 0, 0, kZtoX).marker(3, 1, 0, 0);
    t.part(2, 1e-3, 1e-3, x / 2, y / 2, theta).marker(21, 2, -l / 2, 0).marker(22, 2, l / 2, 0);
    t.part(3, 1e-3, 1e-3, 1.5 * x, y / 2, -theta).marker(31, 3, -l / 2, 0).marker(32, 3, l / 2, 0);
    t.part(4, 1e-3, 1e-3, 2 * x, 0).marker(41, 4, 0, 0).marker(42, 4, 0, 0, kZtoX);
    t.revolute(1, 21, 1).revolute(2, 31, 22).revolute(3, 41, 32).line("JOINT/4, TRANSLATIONAL, I=42, J=2");
    t.line(
        fmt::format("SFORCE/1, TRANSLATION, ACTIONONLY, I=42, J=2, FUNCTION=-{}*MAX(0,DX(40,3)-{})", k, x0));
    t.line("MARKER/99, PART=1, FLOATING");
    t.line(fmt::format("VFORCE/1, I=22, JFLOAT=99, RM=3, FX=0\\FY=-{}+{}*MAX(0,-{}-DY(22,3))\\FZ=0", F, stop,
                       gap));
    return t.end();
  }
  // Force on the knee upwards at angle θ, over the constraint.
  double unbalance(double theta) const {
    const double N = k * std::max(0.0, 2 * l * std::cos(theta) - x0), y = l * std::sin(theta);
    return stop * std::max(0.0, -gap - y) - F + 2 * N * std::tan(theta);
  }
};

TEST(Statics, ToggleClampLocksBeyondItsCentre) {
  const ToggleClamp clamp;
  // Begun where the force has brought it past the workpiece's resistance: it goes through the centre and rests on the stop.
  Mechanism m(clamp.text(0.02));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_TRUE(analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model)).ok);
  double low = -0.3, high = -std::asin(clamp.gap / clamp.l);
  for (int k = 0; k < 100; ++k) {
    const double mid = (low + high) / 2;
    (clamp.unbalance(mid) > 0 ? low : high) = mid;
  }
  EXPECT_NEAR(2 * m.sample().at("PART/2.Y"), clamp.l * std::sin(low), 1e-9);
}

TEST(Statics, ToggleClampStopsAtTheWorkpiece) {
  ToggleClamp clamp;
  clamp.F = 10;  // too little to close it
  // From just before it touches: a search from far away may step over so thin a barrier in one stride.
  Mechanism m(clamp.text(0.33));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto result = analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.stability, analysis::Stability::stable);
  // Between touching the workpiece and where N tan θ is greatest the force rises as θ falls.
  double low = 0.2, high = std::acos(clamp.x0 / 2 / clamp.l);
  for (int k = 0; k < 100; ++k) {
    const double mid = (low + high) / 2;
    (clamp.unbalance(mid) > 0 ? low : high) = mid;
  }
  EXPECT_NEAR(2 * m.sample().at("PART/2.Y"), clamp.l * std::sin(low), 1e-9);
}

// The prism of static_models(): top points at radius ρ, turned by t, height h by the struts' length. Its energy in ρ and t must be
// stationary where the search ends.
TEST(Statics, TensegrityIsStationaryInItsTwoCoordinates) {
  std::string text;
  for (const StaticModel& model : static_models()) {
    if (model.name == "tensegrity") text = model.text;
  }
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_TRUE(analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model)).ok);
  const double third = 2.0943951023931953, twist = 2.6;
  const double strut2 = 2 - 2 * std::cos(twist) + 1.5 * 1.5;
  const auto at = m.sample();
  double rho = 0, turn = 0;
  for (int k = 0; k < 3; ++k) {
    const std::string part = fmt::format("PART/{}.", k + 2);
    const double x = 2 * at.at(part + "X") - std::cos(third * k),
                 y = 2 * at.at(part + "Y") - std::sin(third * k);
    const double t = std::remainder(std::atan2(y, x) - third * k, 3 * third);
    if (k > 0) {
      EXPECT_NEAR(std::hypot(x, y), rho, 1e-8);
      EXPECT_NEAR(t, turn, 1e-8);
    }
    rho = std::hypot(x, y);
    turn = t;
  }
  const auto energy = [&](double r, double t) {
    const double h2 = strut2 - (1 + r * r - 2 * r * std::cos(t)), h = std::sqrt(h2);
    const double side = std::sqrt(3.0) * r - 1.2,
                 tie = std::sqrt(1 + r * r - 2 * r * std::cos(t - third) + h2) - 1.0;
    return 3 * (100 * side * side + 100 * tie * tie + 9.81 * h / 2);
  };
  const double d = 1e-5;
  // Central differences: d² times third derivatives of some 10³.
  EXPECT_NEAR((energy(rho + d, turn) - energy(rho - d, turn)) / (2 * d), 0, 2e-6);
  EXPECT_NEAR((energy(rho, turn + d) - energy(rho, turn - d)) / (2 * d), 0, 2e-6);
}

}  // namespace
}  // namespace trunnion::test
