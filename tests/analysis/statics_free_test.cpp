// Searches that no equilibrium ends, and steps that the user bounds.

#include <cmath>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"

namespace trunnion::test {
namespace {

std::string wheel(const std::string& torque) {
  Planar t;
  t.marker(1, 1, 0, 0).part(2, 2, 1, 0, 0).revolute(1, 20, 1);
  return t.line("SFORCE/1, ROTATION, I=20, J=1, FUNCTION=" + torque).end();
}

analysis::StaticResult statics_of(Mechanism& m) {
  return analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model));
}

// Nothing ever balances it, and it never gets anywhere: each turn ends where it began. Steps are half a radian, ten turns count.
TEST(StaticsFree, AWheelUnderConstantTorqueIsToldSoon) {
  for (const char* torque : {"3", "3+2*SIN(AZ(20,1))"}) {
    Mechanism m(wheel(torque));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto result = statics_of(m);
    EXPECT_FALSE(result.ok);
    EXPECT_LT(result.iterations, 1000) << torque;
    EXPECT_THAT(
        result.messages,
        ::testing::Contains(::testing::HasSubstr("PART/2 rotation about body z is free, and forces push")));
  }
}

// A spring wound by 24 turns is found, turn by turn: T = 3 − 0.02 φ.
TEST(StaticsFree, AWoundSpringIsFoundAfterManyTurns) {
  Mechanism m(wheel("3-0.02*AZ(20,1)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.stability, analysis::Stability::stable);
}

// A spring of length 0.5 between two markers in one place has no direction there, and all of its force beside it.
TEST(StaticsFree, APlaceWhereAForceHasNoDirectionIsLeft) {
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoX);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
  t.line("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K=100, C=1, LENGTH=0.5");
  Mechanism m(t.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.stability, analysis::Stability::stable);
  EXPECT_NEAR(std::abs(m.sample().at("PART/2.X")), 0.5, 1e-6);
}

// A spring that pulls towards x = 3 over a barrier 0.02 wide at x = 1, from x = 0. A step as long as the search takes by itself steps
// over it; with TLIMIT it stops before it. Outward force of the barrier: 2 h (x − 1)/w² exp(−((x − 1)/w)²).
TEST(StaticsFree, TlimitKeepsTheSearchFromSteppingOverABarrier) {
  const double k = 1, h = 0.1, w = 0.01;
  const auto force = [&](double x) {
    return -k * (x - 3) + 2 * h * (x - 1) / (w * w) * std::exp(-std::pow((x - 1) / w, 2));
  };
  for (const bool bounded : {false, true}) {
    Planar t;
    t.marker(1, 1, 0, 0, kZtoX).marker(91, 1, 0, 0).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoX);
    t.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
    // A part that is fixed far away, so that the mechanism is some lengths long.
    t.part(3, 1, 1, 4, 0).marker(31, 1, 4, 0).line("JOINT/2, FIXED, I=30, J=31");
    t.line(
        fmt::format("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=-{0}*(DX(20,91)-3)"
                    "+2*{1}*(DX(20,91)-1)/{2}**2*EXP(-((DX(20,91)-1)/{2})**2)",
                    k, h, w));
    if (bounded) t.line("EQUILIBRIUM/TLIMIT=0.004, IMBALANCE=1E-9");
    Mechanism m(t.end());
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto result = statics_of(m);
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.stability, analysis::Stability::stable);
    const double x = m.sample().at("PART/2.X");
    EXPECT_NEAR(force(x), 0, bounded ? 1e-8 : 1e-3);
    if (bounded) {
      EXPECT_LT(x, 1);
      EXPECT_GT(x, 1 - 4 * w);
    } else {
      EXPECT_NEAR(x, 3, 1e-3);
    }
  }
}

}  // namespace
}  // namespace trunnion::test
