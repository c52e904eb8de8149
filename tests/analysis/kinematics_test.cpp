// Mechanisms moved through their motions, against closed forms.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

analysis::KinematicResult move(Mechanism& m, double end, int steps,
                               const std::function<void(const assembly::State&)>& at) {
  std::vector<double> times;
  for (int k = 1; k <= steps; ++k) times.push_back(end * k / steps);
  return analysis::kinematics(*m.system, m.assembled, times, {}, at);
}

// Crank r, rod l along x; crank angle φ = ω t. Slider x = r cos φ + √(l² − r² sin² φ).
TEST(Kinematics, SliderCrankAgainstTheClosedForm) {
  const double r = 1, l = 3, omega = 2 * pi, mass = 2;
  Mechanism m(
      "slider crank\nPART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=4,0,0, REULER=90D,90D,0D\n"
      "PART/2, CM=20\nMARKER/20, PART=2\nMARKER/21, PART=2\nMARKER/22, PART=2, QP=1,0,0\n"
      "PART/3, CM=30, QG=1,0,0\nMARKER/30, PART=3\nMARKER/31, PART=3\nMARKER/32, PART=3, QP=3,0,0\n"
      "PART/4, MASS=2, CM=40, IP=1,1,1, QG=4,0,0\nMARKER/40, PART=4\nMARKER/42, PART=4, REULER=90D,90D,0D\n"
      "JOINT/1, REVOLUTE, I=21, J=11\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=32, J=40\n"
      "JOINT/4, TRANSLATIONAL, I=42, J=12\nMOTION/1, JOINT=1, FUNCTION=360D*TIME\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  int frames = 0;
  const auto result = move(m, 1.0, 50, [&](const assembly::State& state) {
    ++frames;
    const auto c = m.sample(state);
    const double phi = omega * state.t, s = std::sin(phi), k = std::cos(phi);
    const double root = std::sqrt(l * l - r * r * s * s);
    const double x = r * k + root;
    const double dx = -r * s - r * r * s * k / root;
    const double ddx =
        -r * k - (r * r * (k * k - s * s) * root * root + std::pow(r * r * s * k, 2)) / std::pow(root, 3);
    EXPECT_NEAR(c.at("PART/4.X"), x, 1e-10);
    EXPECT_NEAR(c.at("PART/4.VX"), dx * omega, 1e-10 * omega);
    EXPECT_NEAR(c.at("PART/4.ACCX"), ddx * omega * omega, 1e-9 * omega * omega);
    // Power balance: crank torque · ω = m ẍ ẋ.
    EXPECT_NEAR(c.at("MOTION/1.TZ") * omega, mass * ddx * omega * omega * dx * omega, 1e-7);
  });
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(frames, 50);
}

TEST(Kinematics, MotionGivenAsAVelocityIsIntegrated) {
  Mechanism m(
      "wheel\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, "
      "PART=2\nMARKER/21, PART=2\n"
      "JOINT/1, REVOLUTE, I=21, J=10\nMOTION/1, JOINT=1, VELOCITY, ICDISP=0.5, FUNCTION=3*TIME**2+COS(TIME)\n"
      "REQUEST/1, F2=AZ(21,10)\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  move(m, 3.0, 20, [&](const assembly::State& state) {
    const auto c = m.sample(state);
    const double t = state.t;
    // Turns are counted: the angle passes 27.
    EXPECT_NEAR(c.at("REQUEST/1.F2"), 0.5 + t * t * t + std::sin(t), 1e-9);
    EXPECT_NEAR(c.at("PART/2.WZ"), 3 * t * t + std::cos(t), 1e-9);
    EXPECT_NEAR(c.at("PART/2.WDZ"), 6 * t - std::sin(t), 1e-9);
  });
}

TEST(Kinematics, VelocityMotionWithoutStartGoesOnFromWhereThePartStands) {
  Mechanism m(
      "wheel\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, "
      "REULER=30D,0D,0D\nMARKER/20, PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=10\nMOTION/1, JOINT=1, VELOCITY, FUNCTION=2\nREQUEST/1, "
      "F2=AZ(20,10)\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(m.sample().at("REQUEST/1.F2"), pi / 6, 1e-12);
  move(m, 1.0, 4, [&](const assembly::State& state) {
    EXPECT_NEAR(m.sample(state).at("REQUEST/1.F2"), pi / 6 + 2 * state.t, 1e-10);
  });
}

// An angle in a general constraint is counted over full turns, as in a MOTION.
TEST(Kinematics, GconFollowsAnAngleOverSeveralTurns) {
  Mechanism m(
      "wheel\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=10\nGCON/1, FUNCTION=AZ(20,10)-4*TIME\nREQUEST/1, F2=AZ(20,10)\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  double last = 0;
  const auto result =
      move(m, 4.0, 40, [&](const assembly::State& state) { last = m.sample(state).at("REQUEST/1.F2"); });
  EXPECT_TRUE(result.ok);
  EXPECT_NEAR(last, 16.0, 1e-9);
}

TEST(Kinematics, FreedomThatIsLeftIsNamed) {
  Mechanism m(small_model());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto names = analysis::free_coordinates(*m.system, m.assembled);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_THAT(names[0], HasSubstr("PART/2"));
}

// A rod of 1 between a crank of 2 and a slider on the crank's own line cannot reach past asin(1/2): the mechanism locks at 30°.
TEST(Kinematics, LockUpIsReportedWithTheTime) {
  Mechanism m(
      "short rod\nPART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=3,0,0, REULER=90D,90D,0D\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2\nMARKER/22, PART=2, QP=2,0,0\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=2,0,0\nMARKER/30, PART=3\nMARKER/31, PART=3\nMARKER/32, PART=3, "
      "QP=1,0,0\n"
      "PART/4, MASS=1, CM=40, IP=1,1,1, QG=3,0,0\nMARKER/40, PART=4\nMARKER/42, PART=4, REULER=90D,90D,0D\n"
      "JOINT/1, REVOLUTE, I=21, J=11\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=32, J=40\n"
      "JOINT/4, TRANSLATIONAL, I=42, J=12\nMOTION/1, JOINT=1, FUNCTION=TIME\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  double last = 0;
  const auto result = move(m, 1.0, 100, [&](const assembly::State& state) { last = state.t; });
  EXPECT_FALSE(result.ok);
  EXPECT_LT(last, pi / 6);
  EXPECT_NEAR(m.assembled.state.t, pi / 6, 1e-4);
  ASSERT_FALSE(result.messages.empty());
  EXPECT_THAT(result.messages.back(), HasSubstr("try:"));
}

}  // namespace
}  // namespace trunnion::test
