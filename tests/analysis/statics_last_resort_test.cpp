// Mechanisms that the plain search does not bring to rest: each needs one of what comes after it, and is told so.

#include <cmath>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"

namespace trunnion::test {
namespace {

using analysis::Stability;
using testing::HasSubstr;
using testing::Not;

std::string lines(const std::vector<core::Words>& messages) {
  std::string out;
  for (const std::string& line : messages) out += line + "\n";
  return out;
}

struct Rested {
  analysis::StaticResult result;
  std::map<std::string, double> at;
  std::string said;
};

Rested rest(const std::string& text) {
  Mechanism m(text, analysis::Upto::velocities);
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Rested out;
  out.result = analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model));
  out.at = m.sample();
  out.said = lines(out.result.messages);
  return out;
}

// A part on a guide along x.
Planar slider(const std::string& more) {
  Planar t;
  t.marker(1, 1, 0, 0).marker(3, 1, 0, 0, kZtoX).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoX);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=3").line(more);
  return t;
}

// Two magnets on one guide, begun on top of each other: the force 1/d − 2 has no value there. Rest at d = 1/2.
TEST(LastResort, RestartFromAPlaceNearby) {
  const auto r = rest(slider("SFORCE/1, TRANSLATION, I=20, J=1, FUNCTION=1/DM(20,1)-2").end());
  ASSERT_TRUE(r.result.ok) << r.said;
  EXPECT_THAT(r.said, HasSubstr("from a place nearby, chosen at random"));
  EXPECT_NEAR(std::abs(r.at.at("PART/2.X")), 0.5, 1e-9);
  EXPECT_EQ(r.result.stability, Stability::stable);
}

// A controller with an integrator holds a weight, its force limited: far off the limit nothing depends on anything any more, neither
// work nor residual shows the way. Rest at 0.2, with 20 tanh(30 z) = m g.
TEST(LastResort, DampedMotionByItself) {
  Planar t;
  t.marker(1, 1, 0, 0).marker(3, 1, 0, 0, kZtoY).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoY);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=3").line("ACCGRAV/JGRAV=-9.81");
  t.line("DIFF/1, FUNCTION=0.2-DY(20,1), IC=-20");
  t.line(
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=3, "
      "FUNCTION=20*TANH(50*(0.2-DY(20,1))-10*VY(20,1)+30*DIF(1))");
  const auto r = rest(t.end());
  ASSERT_TRUE(r.result.ok) << r.said;
  EXPECT_EQ(r.result.method, "damped motion and descent");
  EXPECT_THAT(r.said, HasSubstr("the search for balanced forces failed; a damped motion is tried"));
  EXPECT_NEAR(r.at.at("PART/2.Y"), 0.2, 1e-8);
  EXPECT_NEAR(r.at.at("DIFF/1"), std::atanh(9.81 / 20) / 30, 1e-8);
}

// A four-bar that begins with all links in one line, where one row is dependent for that place only: it has to be left, and the rows
// chosen anew. At rest the weights do no work along the one freedom.
Planar links_in_one_line() {
  const double a = 1, b = 2, c = 1.5, g = 1.5;
  Planar t;
  t.marker(1, 1, 0, 0).marker(2, 1, g, 0);
  t.part(2, 1, 1, a / 2, 0).marker(21, 2, -a / 2, 0).marker(22, 2, a / 2, 0);
  t.part(3, 2, 1, a + b / 2, 0).marker(31, 3, -b / 2, 0).marker(32, 3, b / 2, 0);
  t.part(4, 3, 1, g + c / 2, 0).marker(41, 4, -c / 2, 0).marker(42, 4, c / 2, 0);
  t.revolute(1, 21, 1).revolute(2, 31, 22).revolute(3, 32, 42).revolute(4, 41, 2);
  return t.line("ACCGRAV/JGRAV=-9.81");
}

// MAXIT is for all starts together; a search may take one iteration more with Newton's first step.
TEST(LastResort, MaxitIsForAllStartsTogether) {
  int least = 0;
  for (int maxit = 1; maxit <= 60; ++maxit) {
    const auto r = rest(links_in_one_line().line(fmt::format("EQUILIBRIUM/MAXIT={}", maxit)).end());
    EXPECT_LE(r.result.iterations, maxit + 2) << r.said;
    if (!r.result.ok) {
      EXPECT_THAT(r.said, HasSubstr("MAXIT")) << maxit;
    } else if (least == 0) {
      least = maxit;
    }
  }
  EXPECT_GT(least, 1);
}

TEST(LastResort, LinksInOneLine) {
  const double a = 1, b = 2, c = 1.5, g = 1.5;
  const auto r = rest(links_in_one_line().end());
  ASSERT_TRUE(r.result.ok) << r.said;
  EXPECT_THAT(r.said, HasSubstr("singular place"));
  EXPECT_THAT(r.said, HasSubstr("with 1 degree of freedom"));
  // Height of the weights over the crank's angle, on the branch the mechanism is in.
  const double angle = std::atan2(2 * r.at.at("PART/2.Y"), 2 * r.at.at("PART/2.X"));
  const double knee_x = 2 * r.at.at("PART/4.X") - g, knee_y = 2 * r.at.at("PART/4.Y");
  const auto potential = [&](double phi) {
    const double x = a * std::cos(phi), y = a * std::sin(phi), dx = g - x, dy = -y, d = std::hypot(dx, dy);
    const double along = (d * d + b * b - c * c) / (2 * d), across = std::sqrt(b * b - along * along);
    double best = HUGE_VAL, height = 0;
    for (const double side : {1.0, -1.0}) {
      const double kx = x + (along * dx - side * across * dy) / d,
                   ky = y + (along * dy + side * across * dx) / d;
      const double off = std::hypot(kx - knee_x, ky - knee_y);
      if (off > best) continue;
      best = off;
      height = 1 * y / 2 + 2 * (y + ky) / 2 + 3 * ky / 2;
    }
    return height;
  };
  const double h = 1e-4;
  EXPECT_NEAR((potential(angle + h) - potential(angle - h)) / (2 * h), 0,
              1e-6);  // h² times the third derivative
  EXPECT_GT(potential(angle + h) + potential(angle - h), 2 * potential(angle));
}

// Statics needs no accelerations: a part without mass that springs hold.
TEST(LastResort, PartWithoutMass) {
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX).line("PART/2, QG=1,0,0").marker(21, 2, 0, 0, kZtoX);
  t.part(3, 2, 1, 2, 0).marker(31, 3, 0, 0, kZtoX);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line("JOINT/2, TRANSLATIONAL, I=31, J=1");
  t.line("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K=300, C=0, LENGTH=1");
  t.line("SPRINGDAMPER/2, TRANSLATION, I=31, J=21, K=700, C=0, LENGTH=1").line("ACCGRAV/IGRAV=10");
  const auto r = rest(t.end());
  ASSERT_TRUE(r.result.ok) << r.said;
  EXPECT_NEAR(r.at.at("PART/2.X"), 1 + 20.0 / 300, 1e-9);
  EXPECT_NEAR(r.at.at("PART/3.X"), 2 + 20.0 / 300 + 20.0 / 700, 1e-9);
}

TEST(LastResort, UnstablePlaceIsLeftWhereAsked) {
  const auto upright = [](const std::string& more) {
    Planar t;
    t.marker(1, 1, 0, 0).part(2, 1, 0.1, 0, 0.5).marker(21, 2, 0, -0.5).revolute(1, 21, 1);
    t.line("ACCGRAV/JGRAV=-9.81");
    if (!more.empty()) t.line(more);
    return rest(t.end());
  };
  const auto stays = upright(""), goes = upright("EQUILIBRIUM/LEAVE_UNSTABLE");
  ASSERT_TRUE(stays.result.ok && goes.result.ok) << stays.said << goes.said;
  EXPECT_EQ(stays.result.stability, Stability::unstable);
  EXPECT_THAT(stays.said, HasSubstr("to go on from here: EQUILIBRIUM/LEAVE_UNSTABLE"));
  EXPECT_NEAR(stays.at.at("PART/2.Y"), 0.5, 1e-9);
  EXPECT_EQ(goes.result.stability, Stability::stable) << goes.said;
  EXPECT_THAT(goes.said, HasSubstr("1 unstable equilibrium was passed on the way"));
  EXPECT_NEAR(goes.at.at("PART/2.Y"), -0.5, 1e-9);
  const auto spent = upright("EQUILIBRIUM/LEAVE_UNSTABLE, MAXIT=3");
  EXPECT_THAT(spent.said, HasSubstr("ended before it found one: MAXIT is used up"));
}

// --- what is said where there is no rest

TEST(LastResort, WhatNothingHoldsIsNamed) {
  Planar t;
  t.marker(1, 1, 0, 0).part(2, 1, 1, 0, 0).revolute(1, 20, 1);
  t.line("SFORCE/1, ROTATION, ACTIONONLY, I=20, J=1, FUNCTION=3");
  const auto r = rest(t.end());
  EXPECT_FALSE(r.result.ok);
  EXPECT_THAT(r.said, HasSubstr("largest imbalance: PART/2 torque about body z: -3"));
  EXPECT_THAT(r.said, HasSubstr("PART/2 rotation about body z is free, and forces push it on without end"));
  EXPECT_THAT(r.said, HasSubstr("try: a spring, stop or support for it"));
}

TEST(LastResort, ForceWithoutAValueIsNamed) {
  const auto r =
      rest(slider("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=3, FUNCTION=SQRT(-1-DX(20,1)**2)").end());
  EXPECT_FALSE(r.result.ok);
  EXPECT_THAT(r.said, HasSubstr("SFORCE/1 at t = 0: SQRT(-1-DX(20,1)**2) is not a number: square root of the "
                                "negative number -1"));
}

TEST(LastResort, SupportsThatContradictAreNamed) {
  // Stretched: crank and coupler as long as the way to the pin, so that it can only stay; a moment pulls at it.
  Planar t;
  t.marker(1, 1, 0, 0).marker(2, 1, 3, 0);
  t.part(2, 1, 1, 0.5, 0).marker(21, 2, -0.5, 0).marker(22, 2, 0.5, 0);
  t.part(3, 2, 1, 2, 0).marker(31, 3, -1, 0).marker(32, 3, 1, 0);
  t.revolute(1, 21, 1).revolute(2, 31, 22).revolute(3, 32, 2).line("ACCGRAV/JGRAV=-9.81");
  const auto r = rest(t.end());
  EXPECT_FALSE(r.result.ok);
  EXPECT_THAT(r.said, HasSubstr("supports contradict each other at the place found: JOINT/3"));
  EXPECT_THAT(r.said, HasSubstr("try: a start where links do not lie in one line"));
  EXPECT_THAT(r.said, Not(HasSubstr("forces that jump")));
}

}  // namespace
}  // namespace trunnion::test
