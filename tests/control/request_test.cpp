// REQUEST in all its forms, MREQUEST, RM frames and YPR, on a part whose motion is known: x = (1 + t, 2 t², 0), turning about its own
// axes by a constant rate.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;
using ::testing::Not;

// PART/2 flies with gravity 4 along y and turns about global z at 0.5; marker 5 has x along global y.
const std::string kFlight =
    "request\nACCGRAV/JGRAV=4\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/5, PART=1, REULER=90D,0,0\n"
    "PART/2, QG=1,0,0, MASS=3, CM=20, IP=1,1,1, VX=1, WZ=0.5\nMARKER/20, PART=2\n"
    "MARKER/21, PART=2, REULER=0.3,0.4,0.2\n";
const std::string kFly = "INTEGRATOR/GSTIFF, ERROR=1E-8\nSIMULATE/DYNAMICS, END=1, DTOUT=0.5\n";
constexpr double kClose = 1e-6;  // a few dozen steps of 1e-8

Session fly(const std::string& name, const std::string& statements) {
  const Session s = run_text(name, kFlight + statements + "END\n", kFly);
  EXPECT_EQ(s.status, api::RunStatus::done) << s.said;
  return s;
}

TEST(Request, StandardQuantitiesAlongRm) {
  const Session s =
      fly("quantities",
          "REQUEST/1, DISPLACEMENT, I=21, J=1\nREQUEST/2, DISPLACEMENT, I=21, J=1, RM=5\n"
          "REQUEST/3, VELOCITY, I=20, J=1, RM=5\nREQUEST/4, ACCELERATION, I=20, RM=5\n"
          "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=7\nREQUEST/5, FORCE, I=20, RM=5\n");
  const auto expect = [&](const std::string& request, const std::array<double, 8>& values) {
    for (int k = 1; k <= 8; ++k)
      EXPECT_NEAR(s.at(1, request + ".F" + std::to_string(k)), values[static_cast<std::size_t>(k - 1)],
                  kClose)
          << request << " " << k;
  };
  // The force along z: 7/3 · ½ at t = 1. Along marker 5: x is global y, y is −x.
  const double z = 7.0 / 6, far = std::hypot(2, 2, z), fast = std::hypot(1, 4, 2 * z),
               pull = std::hypot(4, 2 * z);
  expect("REQUEST/1", {far, 2, 2, z, 0, 0.8, 0.4, 0.2});
  expect("REQUEST/2", {far, 2, -2, z, 0, 0.8, 0.4, 0.2});
  expect("REQUEST/3", {fast, 4, -1, 2 * z, 0.5, 0, 0, 0.5});
  expect("REQUEST/4", {pull, 4, 0, 2 * z, 0, 0, 0, 0});
  expect("REQUEST/5", {7, 0, 0, 7, 0, 0, 0, 0});
}

TEST(Request, ReadsVariables) {
  const Session s =
      fly("variables", "VARIABLE/3, FUNCTION=TIME*5\nVARIABLE/4, FUNCTION=7\nREQUEST/1, VARIABLES=4,3\n");
  EXPECT_NEAR(s.at(1, "REQUEST/1.F1"), 7, 1e-12);
  EXPECT_NEAR(s.at(1, "REQUEST/1.F2"), 5, 1e-12);
  EXPECT_EQ(s.at(1, "REQUEST/1.F3"), 0);
}

// ψ, θ, φ of the marker in the part, turned by 0.5 t about z; the yaw, pitch and roll of that rotation are what the functions read.
// Dimensions by name, other words as units; what would end a heading is left out.
TEST(Request, CunitsLabelTheColumns) {
  const std::string model =
      "units\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
      "PART/1, GROUND\nREQUEST/1, F1=TIME, F2=2, F3=3, F4=4, F5=5\n"
      ", CUNITS=\"no_units\", \"Acceleration\", \"angular_velocity\", \"rpm\", \"k],g\"\nEND\n";
  const Session s = run_text("cunits", model, "SIMULATE/TRANSIENT, END=1, STEPS=1\n");
  EXPECT_EQ(s.status, api::RunStatus::done) << s.said;
  EXPECT_THAT(s.heading, HasSubstr("REQUEST/1.F1,REQUEST/1.F2 [millimeter/second^2],REQUEST/1.F3 "
                                   "[rad/second],REQUEST/1.F4 [rpm],REQUEST/1.F5 [kg]"));
}

TEST(Request, YprChangesTheAnglesOfDisplacements) {
  const std::string requests =
      "REQUEST/1, DISPLACEMENT, I=21, J=1\nREQUEST/2, F2=YAW(21,1)\\F3=PITCH(21,1)\\F4=ROLL(21,1)\n";
  const Session plain = fly("plain", requests), turned = fly("ypr", requests + "OUTPUT/YPR\n");
  const double euler[] = {0.3 + 0.5, 0.4, 0.2};
  for (int k = 0; k < 3; ++k) {
    const std::string angle = "REQUEST/1.F" + std::to_string(6 + k),
                      function = "REQUEST/2.F" + std::to_string(2 + k);
    EXPECT_NEAR(plain.at(1, angle), euler[k], kClose);
    EXPECT_NEAR(turned.at(1, angle), turned.at(1, function), 1e-12);
    EXPECT_GT(std::abs(turned.at(1, angle) - plain.at(1, angle)), 0.01);
  }
}

TEST(Mrequest, IsARequestForEach) {
  const std::string more =
      "PART/3, QG=0,0,5, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\nMARKER/6, PART=1, QP=0,0,5\n"
      "JOINT/4, REVOLUTE, I=30, J=6\nSPRINGDAMPER/9, TRANSLATION, I=30, J=20, K=2, LENGTH=1\n";
  const Session s =
      fly("mrequest", more +
                          "MREQUEST/7, DISPLACEMENT, PARTS=ALL, RM=5\nMREQUEST/8, FORCE, JOINTS=4\n"
                          "MREQUEST/9, FORCE, APPFORS=9\nREQUEST/1, DISPLACEMENT, I=20, RM=5\n"
                          "REQUEST/2, FORCE, I=30, J=6\nREQUEST/3, FORCE, I=30, J=20\n");
  for (int k = 1; k <= 8; ++k) {
    const std::string f = ".F" + std::to_string(k);
    EXPECT_EQ(s.at(1, "MREQUEST/7.2" + f), s.at(1, "REQUEST/1" + f));
    EXPECT_EQ(s.at(1, "MREQUEST/8.4" + f), s.at(1, "REQUEST/2" + f));
    EXPECT_EQ(s.at(1, "MREQUEST/9.9" + f), s.at(1, "REQUEST/3" + f));
  }
  EXPECT_NEAR(s.at(1, "MREQUEST/7.3.F4"), 5, kClose);
  EXPECT_GT(s.at(1, "MREQUEST/8.4.F1"), 1);
  EXPECT_GT(s.at(1, "MREQUEST/9.9.F1"), 1);
  EXPECT_THAT(fly("mrequest_wrong", "MREQUEST/7, FORCE, JOINTS=4\n").said,
              HasSubstr("MREQUEST/7: left out of the results: JOINT/4 is not in the model"));
}

// ż = −z + 1 from 2: held in dynamics, found in statics; STATIC_HOLD the other way round.
TEST(Diff, HoldsWhereItIsToldTo) {
  const std::string states =
      "DIFF/1, IC=2, FUNCTION=1-DIF(1)\nDIFF/2, IC=2, FUNCTION=1-DIF(2), DYNAMIC_HOLD\n"
      "DIFF/3, IC=2, FUNCTION=1-DIF(3), STATIC_HOLD\nDIFF/4, IC=2, IMPLICIT, FUNCTION=DIF1(4)+DIF(4)-1, "
      "DYNAMIC_HOLD\n"
      "DIFF/5, IC=2, IMPLICIT, FUNCTION=DIF(5)**3-8-19*DIF(1), DYNAMIC_HOLD\n";
  const Session moving = fly("hold", states);
  EXPECT_NEAR(moving.at(1, "DIFF/1"), 1 + std::exp(-1), kClose);
  EXPECT_NEAR(moving.at(1, "DIFF/3"), 1 + std::exp(-1), kClose);
  for (const char* held : {"DIFF/2", "DIFF/4", "DIFF/5"}) EXPECT_NEAR(moving.at(1, held), 2, 1e-12) << held;
  const std::string resting =
      "rest\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=3, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nSPRINGDAMPER/1, ROTATION, I=20, J=1, KT=5\n" +
      states + "END\n";
  const Session still = run_text("rest", resting, "SIMULATE/STATICS\n");
  ASSERT_EQ(still.status, api::RunStatus::done) << still.said;
  for (const auto& [state, value] : std::map<std::string, double>{
           {"DIFF/1", 1}, {"DIFF/2", 1}, {"DIFF/3", 2}, {"DIFF/4", 1}, {"DIFF/5", 3}})
    EXPECT_NEAR(still.rows.back().at(state), value, 1e-6) << state;
}

// A block on a slope, held by a spring along it: with friction in statics it may rest where it is, without it the spring carries all.
// A block that creeps against its friction: rows within long steps tell the force that acts there, as rows of short steps do. The pull is
// 10.05 N, and what of it speeds 10 kg up is friction's complement.
TEST(Friction, WithinAStepIsThatOfItsPlace) {
  const std::string block =
      "block\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=10, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, FRICTION_FORCE_PRELOAD=10, INPUTS=PRELOAD\n"
      ", STICTION_TRANSITION_VELOCITY=0.01, MAX_STICTION_DEFORMATION=1E-4\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=10.05\nREQUEST/1, F2=FRICTION(1,4)\nEND\n";
  const auto run = [&](const std::string& integrator, int steps) {
    const std::string commands =
        "INTEGRATOR/" + integrator + "\nSIMULATE/DYNAMICS, END=0.4, STEPS=" + std::to_string(steps) + "\n";
    return run_text("creeps", block, commands);
  };
  const Session fine = run("HHT, ERROR=1E-8", 2000);
  for (const char* integrator :
       {"GSTIFF, ERROR=1E-5", "GSTIFF, SI2, ERROR=1E-5", "HHT, ERROR=1E-6", "DOP853, ERROR=1E-6",
        "RKF45, ERROR=1E-8", "ABAM, ERROR=1E-8", "RADAU5, ERROR=1E-6"}) {
    SCOPED_TRACE(integrator);
    const Session s = run(integrator, 8);
    ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
    for (int k = 1; k <= 8; ++k) {
      const double t = 0.05 * k;
      EXPECT_NEAR(s.at(t, "REQUEST/1.F2"), fine.at(t, "REQUEST/1.F2"), 0.02) << t;
      EXPECT_NEAR(s.at(t, "PART/2.ACCZ"), fine.at(t, "PART/2.ACCZ"), 0.002) << t;
    }
  }
}

TEST(Friction, ActsInStaticsUnlessInactive) {
  const auto rest = [](const std::string& friction) {
    return run_text(
        "slope",
        "slope\nACCGRAV/KGRAV=-10\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, REULER=90D,60D,0D\n"
        "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2, REULER=90D,60D,0D\n"
        "JOINT/1, TRANSLATIONAL, I=20, J=2\nSFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=2, "
        "FUNCTION=-100*DZ(20,2,2)\nFRICTION/1, JOINT=1, MU_STATIC=0.9, MU_DYNAMIC=0.5, "
        "MAX_STICTION_DEFORMATION=1E-3" +
            friction + "\nREQUEST/1, F2=DZ(20,2,2)\nEND\n",
        "SIMULATE/STATICS\n");
  };
  const Session inactive = rest(", INACTIVE=STATIC"), active = rest("");
  ASSERT_EQ(inactive.status, api::RunStatus::done) << inactive.said;
  ASSERT_EQ(active.status, api::RunStatus::done) << active.said;
  const double pull = std::abs(inactive.rows.back().at("REQUEST/1.F2")) * 100;
  EXPECT_NEAR(pull, 10 * std::cos(pi / 3), 1e-6);
  // There are many places to rest: friction carries something, up to μs N.
  const double carried = pull - 100 * std::abs(active.rows.back().at("REQUEST/1.F2"));
  EXPECT_GT(carried, 0.1);
  EXPECT_LT(carried, 0.9 * 10 * std::sin(pi / 3));
  EXPECT_THAT(active.said, Not(HasSubstr("LUGRE")));
  const Session bristles = rest(", FORMULATION=LUGRE");
  EXPECT_THAT(
      bristles.said,
      HasSubstr("note: FRICTION/1: the bristles of FORMULATION=LUGRE keep their deflection in statics"));
  EXPECT_NEAR(std::abs(bristles.rows.back().at("REQUEST/1.F2")), pull / 100, 1e-6);
}

}  // namespace
}  // namespace trunnion::test
