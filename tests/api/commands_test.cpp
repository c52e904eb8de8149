// Commands between simulations: what they change, what they leave alone, and what they cannot do and say.

#include <cmath>

#include <gmock/gmock.h>

#include "support/run_text.hpp"

namespace trunnion::test {
namespace {

using testing::HasSubstr;

// A free body that turns at 1 rad/s about z while its origin flies along x.
const std::string kFree =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "PART/1, GROUND\nMARKER/1, PART=1\n"
    "PART/2, MASS=1, CM=20, IP=1,1,1, VX=1, WZ=1{}\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\n"
    "MARKER/22, PART=2\n"
    "REQUEST/1, F2=DX(22,1)\\F3=DY(22,1)\\F4=VX(22,1,1)\\F6=VY(22,1,1)\\F7=AZ(22,1)\\F8=WZ(22,1)\n";

void expect_body_stays(const std::string& planar) {
  const std::string model = fmt::format(fmt::runtime(kFree), planar);
  // The row at t = 1 of the second SIMULATE is written after the command.
  const RunOfText r = run_text(model,
                               "SIMULATE/DYNAMICS, END=1, STEPS=10\nPART/2, CM=21\n"
                               "SIMULATE/DYNAMICS, END=1.1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  for (const char* f : {"F2", "F3", "F4", "F6", "F7", "F8"}) {
    const std::vector<double>& rows = r.rows.at(std::string("REQUEST/1.") + f);
    ASSERT_GE(rows.size(), 3u);
    EXPECT_NEAR(rows[rows.size() - 2], rows[rows.size() - 3], 1e-9) << f;
  }
  // From then on the new mass centre flies straight on, with the velocity that point has: v = (1, 0) + ω × (cos 1, sin 1).
  const double vx = 1 - std::sin(1.0), vy = std::cos(1.0);
  const double cx = 1 + std::cos(1.0) + 0.1 * vx, cy = std::sin(1.0) + 0.1 * vy;
  EXPECT_NEAR(r.last("REQUEST/1.F2"), cx - std::cos(1.1), 2e-3);
  EXPECT_NEAR(r.last("REQUEST/1.F3"), cy - std::sin(1.1), 2e-3);
}

TEST(Commands, ANewMassCentreLeavesTheBodyWhereItIs) { expect_body_stays(""); }
TEST(Commands, ANewMassCentreLeavesAPlanarBodyWhereItIs) { expect_body_stays(", PLANAR"); }

TEST(Commands, StartValuesThatComeLateAreTold) {
  const RunOfText r = run_text(fmt::format(fmt::runtime(kFree), ""),
                               "PART/2, VX=1\nSIMULATE/DYNAMICS, END=1, STEPS=1\nPART/2, VX=7, QG=100,0,0\n"
                               "SIMULATE/DYNAMICS, END=2, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("no effect"), 1u) << r.said;
  EXPECT_THAT(r.said, HasSubstr("PART/2: VX and QG have no effect: values of the start, and the run goes on "
                                "from t = 1; give them before the first SIMULATE"));
}

TEST(Commands, WhatCannotBeSwitchedOffIsTold) {
  const RunOfText r = run_text(fmt::format(fmt::runtime(kFree), "") + "DIFF/1, IC=2, FUNCTION=1\n",
                               "DEACTIVATE/DIFF, ID=1\nDEACTIVATE/JOINT, RANGE=5,9\n"
                               "SIMULATE/DYNAMICS, END=1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("DIFF/1"), 3, 1e-6);
  EXPECT_THAT(r.said, HasSubstr("DEACTIVATE/DIFF has no effect"));
  EXPECT_THAT(r.said, HasSubstr("DEACTIVATE/JOINT: the model has none from 5 to 9"));
}

TEST(Commands, AForceThatIsSwitchedOffReadsAsZero) {
  const RunOfText r =
      run_text(fmt::format(fmt::runtime(kFree), "") +
                   "SFORCE/1, TRANSLATIONAL, I=20, J=1, FUNCTION=5\nREQUEST/2, F2=SFORCE(1,0,2)\\F3=TIME\n",
               "DEACTIVATE/SFORCE, ID=1\nSIMULATE/DYNAMICS, END=1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.last("REQUEST/2.F2"), 0);
  EXPECT_EQ(r.last("REQUEST/2.F3"), 1);
}

TEST(Commands, AMotionOnAJointThatIsSwitchedOffIsTold) {
  const RunOfText r =
      run_text(fmt::format(fmt::runtime(kFree), "") +
                   "JOINT/1, REVOLUTE, I=22, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n",
               "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\n");
  EXPECT_THAT(r.said, HasSubstr("MOTION/1 goes on to drive the markers of JOINT/1"));
}

TEST(Commands, StartVelocitiesThatConstraintsForbidAreTold) {
  const RunOfText r =
      run_text(fmt::format(fmt::runtime(kFree), "") + "JOINT/1, REVOLUTE, I=22, J=1\n", "SIMULATE/INITIAL\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_THAT(r.said, HasSubstr("start velocities were changed to satisfy the constraints:"));
  EXPECT_THAT(r.said, HasSubstr("PART/2: VX 1 → 0"));
  EXPECT_EQ(r.times_said("WZ 1"), 0u) << r.said;
}

// Gears of 1 : 5, the first started at 1 rad: the second must turn by 5.
TEST(Commands, AssemblyTurnsACoupledWheelByMoreThanHalfATurn) {
  const RunOfText r = run_text(
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, QP=1,0,0\nPART/2, MASS=1, CM=20, IP=1,1,2\nMARKER/20, PART=2\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=1,0,0\nMARKER/30, PART=3\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=30, J=2\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=1\nCOUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=5,-1\n"
      "REQUEST/1, F2=AZ(30,2)\n",
      "SIMULATE/INITIAL\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("REQUEST/1.F2"), 5, 1e-8);
}

// Circles of radius 1 and 0.5 that touch: each keeps its own point of contact when a command comes between.
TEST(Commands, CurvesKeepTheirPointsOfContact) {
  const auto circle = [](int id, double radius) {
    std::string text = fmt::format("MATRIX/{}, FULL=RORDER, ROWS=25, COLUMNS=3, VALUES=", id);
    for (int k = 0; k <= 24; ++k) {
      const double a = k % 24 * 2 * 3.14159265358979323846 / 24;
      text +=
          fmt::format("{}{:.15g},{:.15g},0", k == 0 ? "" : "\n,", radius * std::cos(a), radius * std::sin(a));
    }
    return text + fmt::format("\nCURVE/{}, CLOSED, MATRIX={}, CURVE_POINTS\n", id, id);
  };
  const std::string model =
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, QP=1.6,0,0, REULER=90D,90D,0\nMARKER/9, PART=1, FLOATING\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0.3,0,0\nMARKER/20, PART=2, QP=-0.3,0,0\nMARKER/21, "
      "PART=2\nMARKER/29, PART=2, FLOATING\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=1.8,0,0\nMARKER/30, PART=3, REULER=90D,90D,0\nMARKER/31, "
      "PART=3\nMARKER/39, PART=3, FLOATING\n" +
      circle(1, 1.0) + circle(2, 0.5) +
      "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=2\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n"
      "CVCV/1, ICURVE=1, JCURVE=2, IRM=21, JRM=31, IFLOAT=29, JFLOAT=39, IDISP=1,0,0, JDISP=-0.5,0,0\n";
  const RunOfText whole = run_text(model, "SIMULATE/KINEMATICS, END=1, STEPS=4\n");
  ASSERT_EQ(whole.status, api::RunStatus::done) << whole.said;
  const RunOfText parted = run_text(model,
                                    "SIMULATE/KINEMATICS, END=0.5, STEPS=2\nACCGRAV/JGRAV=0\n"
                                    "SIMULATE/KINEMATICS, END=1, STEPS=2\n");
  ASSERT_EQ(parted.status, api::RunStatus::done) << parted.said;
  EXPECT_NEAR(parted.last("PART/3.X"), whole.last("PART/3.X"), 1e-8);
  // The centres stay 1.5 apart: an eccentric of 0.3 with its follower on the x axis.
  const double s = std::sin(1.0);
  EXPECT_NEAR(whole.last("PART/3.X"), 0.3 * std::cos(1.0) + std::sqrt(1.5 * 1.5 - 0.09 * s * s), 1e-3);
}

// A wheel at 5 rad/s meets one at rest, of inertias 2 and 1: closing a clutch keeps 2·5 = 3 ω, whatever the start's data say.
TEST(Commands, AConstraintThatClosesInMidRunActsAsAnImpulse) {
  const RunOfText r = run_text(
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, QP=1,0,0\nPART/2, MASS=1, CM=20, IP=1,1,2, WZ=5\nMARKER/20, PART=2\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=1,0,0\nMARKER/30, PART=3\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=30, J=2\n"
      "GCON/1, FUNCTION=WZ(20,1)-WZ(30,2)\n",
      "DEACTIVATE/GCON, ID=1\nSIMULATE/DYNAMICS, DURATION=1, STEPS=1\n"
      "ACTIVATE/GCON, ID=1\nSIMULATE/DYNAMICS, DURATION=0.1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("PART/2.WZ"), 10.0 / 3, 1e-3);
  EXPECT_NEAR(r.last("PART/3.WZ"), 10.0 / 3, 1e-3);
  EXPECT_THAT(r.said, HasSubstr("as an impulse without rebound does: PART/2, PART/3"));
}

// A crank that a motion turns at 1 rad/s.
const std::string kCrank =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
    "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=1\n"
    "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n";

TEST(Sensors, ActInKinematics) {
  const RunOfText r = run_text(kCrank + "SENSOR/1, FUNCTION=AZ(20,1), VALUE=0.55, GE, ERROR=1E-6, HALT\n",
                               "SIMULATE/KINEMATICS, END=2, STEPS=4\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("PART/2.PSI"), 0.55, 1e-6);
  EXPECT_THAT(r.said, HasSubstr("SENSOR/1 acts, the run halts"));
}

// What comes true at one time acts together, whatever its id and the analysis: the last of these would otherwise never be true again.
TEST(Sensors, OfOneTimeAllAct) {
  const std::string both = kCrank +
                           "SENSOR/1, FUNCTION=AZ(20,1), VALUE=0.55, GE, EVALUATE=7\n"
                           "SENSOR/2, FUNCTION=2*AZ(20,1), VALUE=1.1, GE, EVALUATE=9\n"
                           "SENSOR/3, FUNCTION=AZ(20,1), VALUE=0.5505, GE, HALT\n"
                           "REQUEST/1, F2=SENVAL(1)\\F3=SENVAL(2)\n";
  for (const char* analysis : {"KINEMATICS", "DYNAMICS"}) {
    const RunOfText r = run_text(both, fmt::format("SIMULATE/{}, END=2, STEPS=4\n", analysis));
    EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
    EXPECT_EQ(r.last("REQUEST/1.F2"), 7) << analysis;
    EXPECT_EQ(r.last("REQUEST/1.F3"), 9) << analysis;
    EXPECT_NEAR(r.last("PART/2.PSI"), 0.55, 2e-3) << analysis;  // ERROR of a SENSOR is 1e-3
  }
}

// A slider driven by its velocity.
std::string slider(const std::string& motion) {
  return "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
         "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
         "MOTION/1, JOINT=1, TRANSLATION, " +
         motion + "\n";
}

// 1000 units a second for 2 ms, between rows that are half a second apart.
TEST(DrivenVelocity, APulseBetweenRowsCounts) {
  const std::string pulse =
      slider("VELOCITY, FUNCTION=1000*(STEP(TIME,0.501,0,0.502,1)-STEP(TIME,0.503,0,0.504,1))");
  for (const char* analysis : {"KINEMATICS", "DYNAMICS"}) {
    const RunOfText r = run_text(pulse, fmt::format("SIMULATE/{}, END=2, STEPS=4\n", analysis));
    ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
    EXPECT_NEAR(r.last("PART/2.Z"), 2, 1e-9) << analysis;
  }
}

// Integrals over whole periods cancel; their halves must agree as the integral of |f| allows.
TEST(DrivenVelocity, AnOscillationIsIntegratedExactly) {
  const RunOfText r =
      run_text(slider("VELOCITY, FUNCTION=SIN(50*TIME)"), "SIMULATE/DYNAMICS, END=2, STEPS=4\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("PART/2.Z"), (1 - std::cos(100.0)) / 50, 1e-10);
}

// A bead on a straight wire from x = −1 to 1 at 45 degrees.
std::string bead(const std::string& start) {
  return "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
         "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0.5,0.5,0\nMARKER/9, PART=1, FLOATING\n"
         "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0.6,0.6,0\nMARKER/20, PART=2\n"
         "MATRIX/1, FULL=RORDER, ROWS=5, COLUMNS=3, VALUES=-1,-1,0,-0.5,-0.5,0,0,0,0,0.5,0.5,0,1,1,0\n"
         "CURVE/1, OPEN, MATRIX=1, CURVE_POINTS\nPTCV/1, I=20, JFLOAT=9, CURVE=1, RM=1" +
         start + "\n";
}

TEST(CurveStart, AContactBeginsWithTheGivenVelocityAndRunsOffTheEnd) {
  const RunOfText r = run_text(bead(", VEL=2"), "SIMULATE/DYNAMICS, END=0.5, STEPS=5\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.rows.at("PART/2.VX").front(), std::sqrt(2.0),
              1e-9);  // what is given weighs 1e10 as much as the rest
  EXPECT_NEAR(r.last("PART/2.X"), 0.6 + 0.5 * std::sqrt(2.0), 1e-3);
  EXPECT_EQ(r.times_said("PTCV/1 at t = 0.3: the contact has run over the end of its open curve"), 1u)
      << r.said;
}

TEST(CurveStart, AContactBeginsAtTheGivenPointInItsFrame) {
  const RunOfText r = run_text(bead(", DISP=-0.3,-0.3,0, ICM=2"), "SIMULATE/INITIAL\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("PART/2.X"), 0.2, 1e-8);
  EXPECT_NEAR(r.last("PART/2.Y"), 0.2, 1e-8);
}

}  // namespace
}  // namespace trunnion::test
