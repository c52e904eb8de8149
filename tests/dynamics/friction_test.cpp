// Friction in joints over time: what is below the limit holds, what is above slides, and energy only leaves.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

constexpr double kG = 10.0;
constexpr const char* kIntegrators[] = {"GSTIFF, ERROR=1e-5", "GSTIFF, SI2, ERROR=1e-5", "HHT, ERROR=1e-6"};

// A block on a guide inclined by `angle`, z up the slope.
std::string incline(double angle, const std::string& friction, const std::string& integrator) {
  return fmt::format(
      "block\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/KGRAV={0}\nPART/1, "
      "GROUND\n"
      "MARKER/1, PART=1, REULER=0,{1},0\nPART/2, REULER=0,{1},0, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "{2}\nREQUEST/1, F2=DZ(20,1,1)\\F3=VZ(20,1,1,1)\nINTEGRATOR/{3}\nEND\n",
      -kG, M_PI / 2 - angle, friction, integrator);
}
const std::string kFriction =
    "JOINT/1, TRANSLATIONAL, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=0.5, MU_DYNAMIC=0.3\n"
    ", STICTION_TRANSITION_VELOCITY=0.01, MAX_STICTION_DEFORMATION=1E-4";
// The older form of the same
const std::string kInJoint =
    "JOINT/1, TRANSLATIONAL, I=20, J=1, MU_STAT_TRANS=0.5, MU_DYN_TRANS=0.3, DELTA_V=0.01\n"
    ", MAXIMUM_DEFORMATION=1E-4";

void only_loses(const Motion& motion, double scale) {
  for (std::size_t k = 1; k < motion.energy.size(); ++k)
    EXPECT_LE(motion.energy[k], motion.energy[k - 1] + 1e-3 * scale) << "t = " << motion.t[k];
}

TEST(Friction, BlockOnAnInclineHoldsBelowTheLimit) {
  for (const std::string& friction : {kFriction, kInJoint}) {
    for (const char* integrator : kIntegrators) {
      Mechanism m(incline(std::atan(0.4), friction, integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(0.1, 10));
      ASSERT_TRUE(motion.result.ok) << integrator << motion.messages();
      // Within the deflection that carries it, and at rest there: between 1 s and 10 s it does not creep.
      EXPECT_LE(std::abs(motion.at(10, "REQUEST/1.F2")), 1e-4) << integrator;
      EXPECT_LT(motion.at(10, "REQUEST/1.F2"), 0.0);
      EXPECT_NEAR(motion.at(10, "REQUEST/1.F2"), motion.at(1, "REQUEST/1.F2"), 1e-8) << integrator;
      fmt::print("holds {}: {} steps, {:.3e} at 1 s, {:.3e} at 10 s\n", integrator,
                 motion.result.loop.counts.steps, motion.at(1, "REQUEST/1.F2"),
                 motion.at(10, "REQUEST/1.F2"));
    }
  }
}

TEST(Friction, BlockOnAnInclineSlidesAboveTheLimit) {
  for (const std::string& friction : {kFriction, kInJoint}) {
    for (const char* integrator : kIntegrators) {
      const double angle = std::atan(0.8);
      Mechanism m(incline(angle, friction, integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(0.05, 1));
      ASSERT_TRUE(motion.result.ok) << integrator << motion.messages();
      // Once free it falls by g (sin − μd cos); it is late by the little time the start takes.
      const double a = kG * (std::sin(angle) - 0.3 * std::cos(angle));
      const double v = motion.at(1, "REQUEST/1.F3") - motion.at(0.5, "REQUEST/1.F3");
      EXPECT_NEAR(v, -0.5 * a, 1e-3 * a) << integrator;
      EXPECT_NEAR(motion.at(1, "REQUEST/1.F3"), -a, 0.02 * a) << integrator;
      only_loses(motion, 2 * kG);
    }
  }
}

// Thrown up the slope it stops, and stays where it stopped.
TEST(Friction, ThrownBlockStopsAndStays) {
  const double angle = std::atan(0.4);
  std::string text = incline(angle, kFriction, "GSTIFF, ERROR=1e-5");
  text.replace(text.find("MASS=2"), 6, fmt::format("VY={:.12g}, VZ={:.12g}, MASS=2", 0.0, 0.0));
  text.replace(text.find("JOINT/1, TRANSLATIONAL, I=20, J=1"), 33,
               "JOINT/1, TRANSLATIONAL, IC=0,1, I=20, J=1");
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.01, 2));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double a = kG * (std::sin(angle) + 0.3 * std::cos(angle));
  EXPECT_NEAR(motion.at(2, "REQUEST/1.F2"), 0.5 / a, 2e-3 * 0.5 / a);
  EXPECT_NEAR(motion.at(2, "REQUEST/1.F2"), motion.at(1, "REQUEST/1.F2"), 1e-7);
  only_loses(motion, 2.0);
}

// A pendulum on one arm of a universal joint swings out; both yokes of both kinds.
TEST(Friction, CardanJointsLoseEnergyAndHold) {
  for (const char* type : {"UNIVERSAL", "HOOKE"}) {
    for (const char* yoke : {"I_YOKE", "J_YOKE"}) {
      const bool hooke = std::string(type) == "HOOKE";
      // UNIVERSAL: z of I along x, z of J along y. HOOKE: x of I along x, y of J along y.
      const std::string i = hooke ? "" : ", REULER=90D,90D,0", j = hooke ? "" : ", REULER=0,90D,0";
      Mechanism m(fmt::format(
          "cardan\nACCGRAV/KGRAV=-10\nPART/1, GROUND\nMARKER/1, PART=1{1}\n"
          "PART/2, QG=0.3,0.2,-0.9, MASS=1, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\n"
          "MARKER/21, PART=2, QP=-0.3,-0.2,0.9{0}\nJOINT/1, {2}, I=21, J=1\n"
          "FRICTION/1, JOINT=1, MU_STATIC=0.4, MU_DYNAMIC=0.3, STICTION_TRANSITION_VELOCITY=0.01, {3}\n"
          ", PIN_RADIUS=0.05, FRICTION_ARM=0.05, BENDING_REACTION_ARM=0.1, MAX_STICTION_DEFORMATION=1E-4\n"
          "VARIABLE/1, FUNCTION=FRICTION(1,5)\nINTEGRATOR/GSTIFF, ERROR=1E-5\nEND\n",
          i, j, type, yoke));
      ASSERT_TRUE(m.assembled.ok) << type << m.messages();
      const Motion motion = simulate(m, every(0.05, 4));
      ASSERT_TRUE(motion.result.ok) << type << yoke << motion.messages();
      only_loses(motion, 1.0);
      EXPECT_LT(motion.energy.back(), motion.energy.front() - 0.1) << type << yoke;
      EXPECT_GT(motion.rows[5].at("VARIABLE/1"), 0.0);
    }
  }
}

}  // namespace
}  // namespace trunnion::test
