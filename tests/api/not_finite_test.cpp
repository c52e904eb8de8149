// An expression without a value ends the run, and is named: statement, expression, function, argument.

#include "support/run_text.hpp"

namespace trunnion {
namespace {

using test::run_text;
using test::RunOfText;

// A driven wheel, and a slider that is free, so that the motion is dynamics.
std::string wheel_and_slider(const std::string& more) {
  return "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.2\nMARKER/20, PART=2\n"
         "JOINT/1, REVOLUTE, I=20, J=1\nPART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\n"
         "JOINT/2, TRANSLATIONAL, I=30, J=1\n" +
         more + "\n";
}

void expect_named(const std::string& statement, const std::string& who, const std::string& why) {
  SCOPED_TRACE(statement);
  const RunOfText r = run_text(wheel_and_slider(statement), "SIMULATE/DYNAMICS, END=1, STEPS=4\n");
  EXPECT_EQ(r.status, api::RunStatus::failed);
  EXPECT_NE(r.said.find(who + " at t = "), std::string::npos) << r.said;
  EXPECT_NE(r.said.find(why), std::string::npos) << r.said;
  EXPECT_EQ(r.said.find("jumps"), std::string::npos) << r.said;
}

// Those of rates and accelerations are integrated over a step: where they have no value the integral has none, at once.
TEST(NotFinite, MotionThatEndsOnTheWay) {
  const std::string joint = "MOTION/1, JOINT=1, ROTATION, ";
  expect_named(joint + "FUNCTION=SQRT(0.5-TIME)", "MOTION/1",
               "SQRT(0.5-TIME) is not a number: square root of the negative number -");
  expect_named(joint + "VELOCITY, FUNCTION=LOG(0.5-TIME)", "MOTION/1",
               "LOG(0.5-TIME) is not a number: logarithm of");
  expect_named(joint + "ACCELERATION, FUNCTION=SQRT(0.5-TIME)", "MOTION/1",
               "SQRT(0.5-TIME) is not a number: square root of the negative number -");
}

// It ends where a row lies, with a value there and a rate without end: nothing locks up.
TEST(NotFinite, KinematicMotionThatEndsAtARow) {
  const RunOfText r = run_text(
      "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.2\nMARKER/20, PART=2\n"
      "JOINT/1, TRANSLATIONAL, I=20, J=1\nMOTION/1, JOINT=1, TRANSLATION, FUNCTION=ASIN(2*TIME)\n",
      "SIMULATE/KINEMATICS, END=1, STEPS=4\n");
  EXPECT_EQ(r.status, api::RunStatus::failed);
  EXPECT_NE(r.said.find("MOTION/1 at t = "), std::string::npos) << r.said;
  EXPECT_NE(r.said.find("ASIN(2*TIME) is not a number"), std::string::npos) << r.said;
  EXPECT_EQ(r.said.find("locks up"), std::string::npos) << r.said;
}

TEST(NotFinite, MotionWithoutAValueAtTheStart) {
  const std::string joint = "MOTION/1, JOINT=1, ROTATION, ";
  expect_named(joint + "FUNCTION=SQRT(TIME)", "MOTION/1", "SQRT(TIME) has no finite derivative");
  expect_named(joint + "FUNCTION=EXP(1500)", "MOTION/1",
               "EXP(1500) is infinite: too large to represent, for arguments 1500");
  expect_named(joint + "VELOCITY, FUNCTION=LOG(-1-TIME)", "MOTION/1",
               "LOG(-1-TIME) is not a number: logarithm of -1, which is not positive");
  expect_named(joint + "VELOCITY, FUNCTION=EXP(1500)", "MOTION/1", "EXP(1500) is infinite");
}

TEST(NotFinite, StatesAndForces) {
  expect_named("DIFF/1, IC=0, FUNCTION=SQRT(-1-DIF(1))", "DIFF/1",
               "SQRT(-1-DIF(1)) is not a number: square root of the negative number -1");
  expect_named("VARIABLE/1, FUNCTION=EXP(1500*TIME)", "VARIABLE/1", "EXP(1500*TIME) is infinite");
  expect_named("SFORCE/1, ROTATION, I=20, J=1, FUNCTION=ACOS(1.0000000001)", "SFORCE/1",
               "ACOS(1.0000000001) is not a number: the argument is 1.0000000001, outside of -1 to 1");
}

TEST(NotFinite, TwoMotionsOfOneJointAreBothNamed) {
  const RunOfText r = run_text(wheel_and_slider("MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n"
                                                "MOTION/2, JOINT=1, ROTATION, FUNCTION=2*TIME"),
                               "SIMULATE/DYNAMICS, END=1, STEPS=4\n");
  EXPECT_EQ(r.status, api::RunStatus::failed);
  EXPECT_NE(r.said.find("the initial velocities contradict each other"), std::string::npos) << r.said;
  EXPECT_NE(r.said.find("MOTION/2: AZ = f(t) is redundant with MOTION/1"), std::string::npos) << r.said;
}

}  // namespace
}  // namespace trunnion
