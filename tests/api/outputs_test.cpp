// What results say where there is nothing to say: values that are no numbers, forces without direction, SENVAL, and the loads of
// bearings under a GEAR.

#include <cmath>

#include <gmock/gmock.h>

#include "support/run_text.hpp"
#include "support/user_code.hpp"

namespace trunnion {
namespace {

using test::run_text;
using test::RunOfText;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kFalling =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "PART/1, GROUND\nMARKER/1, PART=1\n"
    "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,1,0\nMARKER/20, PART=2\n"
    "ACCGRAV/JGRAV=-10\n";

TEST(NotANumber, InARequestIsToldOnceAndHeldByTheResults) {
  const std::string model = kFalling + "REQUEST/1, F2=SQRT(DY(20,1)-0.5)\\F3=DY(20,1)\\F4=1/(TIME-0.4)\n";
  const RunOfText r = run_text(model, "SIMULATE/DYNAMICS, END=0.5, STEPS=5\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("square root of the negative number"), 1u) << r.said;
  EXPECT_THAT(
      r.said,
      HasSubstr("warning: REQUEST/1, F2 at t = 0.4: SQRT(DY(20,1)-0.5) is not a number: square root of the "
                "negative number -0.3; the results hold nan there"));
  EXPECT_THAT(
      r.said,
      HasSubstr(
          "REQUEST/1, F4 at t = 0.4: 1/(TIME-0.4) is infinite: division of 1 by zero; the results hold inf"));
  EXPECT_THAT(r.said, HasSubstr("REQUEST/1 is at"));
  EXPECT_TRUE(std::isnan(r.last("REQUEST/1.F2")));
  EXPECT_FALSE(std::isnan(r.rows.at("REQUEST/1.F2").front()));
  EXPECT_NEAR(r.last("REQUEST/1.F3"), -0.25, 1e-3);
  // All analyses say it.
  for (const char* command :
       {"SIMULATE/INITIAL_CONDITIONS\n", "SIMULATE/STATICS\n", "SIMULATE/STATICS, END=1, STEPS=2\n"}) {
    const RunOfText other = run_text(
        kFalling + "JOINT/1, FIXED, I=20, J=9\nMARKER/9, PART=1, QP=0,1,0\nREQUEST/1, F2=LOG(-DY(20,1))\n",
        command);
    EXPECT_EQ(other.status, api::RunStatus::done) << other.said;
    EXPECT_EQ(other.times_said("LOG(-DY(20,1)) is not a number: logarithm of -1, which is not positive"), 1u)
        << other.said;
  }
}

TEST(NotANumber, FromUserCodeInARequestIsToldOnce) {
  if (!test::have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library =
      test::build_text("roots", test::kHead + test::routine("reqsub",
                                                            "for (int k = 0; k < 8; ++k) { result[k] = k; }\n"
                                                            "result[2] = sqrt(0.25 - time);"));
  const RunOfText r = run_text(kFalling + "REQUEST/1, FUNCTION=USER(1)\\ROUTINE=roots::reqsub\n",
                               "SIMULATE/DYNAMICS, END=0.5, STEPS=5\n",
                               [&](api::RunOptions& options) { options.user_libraries = {library}; });
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("its user code has no finite result"), 1u) << r.said;
  EXPECT_THAT(r.said, HasSubstr("warning: REQUEST/1, F3 at t = 0.3"));
  EXPECT_TRUE(std::isnan(r.last("REQUEST/1.F3")));
  EXPECT_EQ(r.last("REQUEST/1.F4"), 3);
}

TEST(NotANumber, InAForceEndsTheRunWithTheOperation) {
  const std::string model = kFalling + "SFORCE/1, I=20, J=1, TRANSLATIONAL, FUNCTION=2*SQRT(DY(20,1)-0.5)\n";
  const RunOfText r = run_text(model, "SIMULATE/DYNAMICS, END=1, STEPS=10\n");
  EXPECT_EQ(r.status, api::RunStatus::failed) << r.said;
  EXPECT_THAT(r.said, HasSubstr("SFORCE/1 at t = 0.3"));
  EXPECT_THAT(r.said, HasSubstr("SQRT(DY(20,1)-0.5) is not a number: square root of the negative number -"));
  EXPECT_THAT(r.said, HasSubstr("SFORCE/1 is at"));
  EXPECT_THAT(r.said, HasSubstr("keep the argument where the function is defined"));
}

TEST(NotANumber, InAVariableEndsInitialConditions) {
  for (const char* command :
       {"SIMULATE/INITIAL_CONDITIONS\n", "SIMULATE/STATICS\n", "SIMULATE/DYNAMICS, END=0.1, STEPS=1\n"}) {
    const RunOfText r = run_text(
        kFalling +
            "JOINT/1, FIXED, I=20, J=9\nMARKER/9, PART=1, QP=0,1,0\nVARIABLE/1, FUNCTION=SQRT(-DY(20,1))\n",
        command);
    EXPECT_EQ(r.status, api::RunStatus::failed) << command << r.said;
    EXPECT_THAT(
        r.said,
        HasSubstr(
            "VARIABLE/1 at t = 0: SQRT(-DY(20,1)) is not a number: square root of the negative number -1"))
        << command;
  }
}

// `check`, which goes through the commands without carrying them out, finds it too.
TEST(NotANumber, IsFoundByARehearsal) {
  const auto rehearse = [](api::RunOptions& options) { options.rehearse = true; };
  const RunOfText r = run_text(kFalling + "VARIABLE/1, FUNCTION=SQRT(-1-TIME)\n",
                               "SIMULATE/DYNAMICS, END=1, STEPS=4\n", rehearse);
  EXPECT_EQ(r.status, api::RunStatus::failed) << r.said;
  EXPECT_THAT(r.said, HasSubstr("error: VARIABLE/1 at t = 0: SQRT(-1-TIME) is not a number"));
}

// The cause is told, not those who read it.
TEST(NotANumber, OnlyTheCauseIsTold) {
  const RunOfText r = run_text(kFalling +
                                   "VARIABLE/1, FUNCTION=LOG(-1-TIME)\n"
                                   "SFORCE/1, I=20, J=1, TRANSLATIONAL, FUNCTION=VARVAL(1)\n",
                               "SIMULATE/INITIAL_CONDITIONS\n");
  EXPECT_EQ(r.status, api::RunStatus::failed);
  EXPECT_THAT(
      r.said,
      HasSubstr("VARIABLE/1 at t = 0: LOG(-1-TIME) is not a number: logarithm of -1, which is not positive"));
  EXPECT_THAT(r.said, Not(HasSubstr("SFORCE/1 at t")));
}

TEST(NotANumber, InAMotionAndInTheForcesOfKinematics) {
  const std::string slide = kFalling + "MARKER/9, PART=1, QP=0,1,0\nJOINT/1, TRANSLATIONAL, I=20, J=9\n";
  const RunOfText motion = run_text(slide + "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=SQRT(0.5-TIME)\n",
                                    "SIMULATE/KINEMATICS, END=1, STEPS=5\n");
  EXPECT_EQ(motion.status, api::RunStatus::failed) << motion.said;
  EXPECT_THAT(motion.said, HasSubstr("MOTION/1 at t = 0.5"));
  EXPECT_THAT(motion.said, HasSubstr("SQRT(0.5-TIME) is not a number: square root of the negative number -"));
  const RunOfText force = run_text(slide +
                                       "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=TIME\n"
                                       "SFORCE/1, I=20, J=1, TRANSLATIONAL, FUNCTION=LOG(0.5-DZ(20,1))\n",
                                   "SIMULATE/KINEMATICS, END=1, STEPS=4\n");
  EXPECT_EQ(force.status, api::RunStatus::failed) << force.said;
  EXPECT_THAT(force.said, HasSubstr("LOG(0.5-DZ(20,1)) is "));
}

TEST(NotANumber, OfASensorIsTold) {
  const RunOfText r = run_text(kFalling + "SENSOR/1, FUNCTION=SQRT(TIME-1), VALUE=0.5, ERROR=1E-3, HALT\n",
                               "SIMULATE/DYNAMICS, END=0.3, STEPS=3\n");
  EXPECT_EQ(
      r.times_said(
          "SENSOR/1 at t = 0: SQRT(TIME-1) is not a number: square root of the negative number -1; a SENSOR"),
      1u)
      << r.said;
}

TEST(Senval, ReadsTheSameInARequestAndAVariable) {
  const RunOfText r = run_text(kFalling +
                                   "SENSOR/1, FUNCTION=TIME, VALUE=0.15, ERROR=1E-6, EVALUATE=DY(20,1)\n"
                                   "SENSOR/2, FUNCTION=TIME, VALUE=0.2, ERROR=1E-6\n"
                                   "VARIABLE/1, FUNCTION=SENVAL(1)\n"
                                   "REQUEST/1, F2=SENVAL(1)\\F3=SENVAL(2)\n",
                               "SIMULATE/DYNAMICS, END=0.3, STEPS=3\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.rows.at("REQUEST/1.F2").front(), 0);
  EXPECT_NEAR(r.last("REQUEST/1.F2"), 1 - 0.5 * 10 * 0.15 * 0.15,
              1e-4);  // located within ERROR, default integrator
  EXPECT_DOUBLE_EQ(r.last("REQUEST/1.F2"), r.last("VARIABLE/1"));
  EXPECT_EQ(r.last("REQUEST/1.F3"), 0);  // no EVALUATE
}

TEST(Undirected, AForceBetweenCoincidentMarkersIsToldOnce) {
  const RunOfText r = run_text(kFalling +
                                   "MARKER/9, PART=1, QP=0,1,0\nJOINT/1, FIXED, I=20, J=9\n"
                                   "SFORCE/1, I=20, J=9, TRANSLATIONAL, FUNCTION=5\n"
                                   "SPRINGDAMPER/1, I=20, J=9, TRANSLATION, K=100, LENGTH=0\n",
                               "SIMULATE/STATICS\nSIMULATE/DYNAMICS, END=0.1, STEPS=5\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("SFORCE/1 at t = 0: MARKER/20 and MARKER/9 coincide, so that its force of 5 has no "
                         "direction; none acts"),
            1u)
      << r.said;
  EXPECT_EQ(r.times_said("coincide"), 1u) << r.said;  // a spring that pulls with nothing needs no direction
}

// A linear law takes its angles one by one: two large ones are told, one is not, nor are three in a law without torques.
TEST(Turned, ALinearLawTurnedFarAboutTwoAxesIsTold) {
  const auto told = [](const char* torques, const char* stiffness) {
    const RunOfText r = run_text(
        kFalling + "VTORQUE/1, I=20, JFLOAT=99, RM=1, " + torques +
            "\nMARKER/99, PART=1, FLOATING\nBUSHING/1, I=20, J=1, K=1E4,1E4,1E4, C=10,10,10, CT=5,5,5, KT=" +
            stiffness + "\n",
        "SIMULATE/DYNAMICS, END=3, STEPS=30\n");
    EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
    return r.times_said("BUSHING/1 at t = ");
  };
  EXPECT_EQ(told("TX=12\\TY=12\\TZ=0", "10,10,10"), 1u);
  EXPECT_EQ(told("TX=12\\TY=0\\TZ=0", "10,10,10"), 0u);
  EXPECT_EQ(told("TX=1\\TY=1\\TZ=1", "10,10,10"), 0u);
  EXPECT_EQ(told("TX=12\\TY=12\\TZ=0", "0,0,0"), 0u);
}

// A turn about x beyond 90 degrees makes two large angles, one about z does not; only FIELD and BEAM have another formulation.
TEST(Turned, WhatHelpsIsSaidOfEachKind) {
  const auto said = [](const char* spin, const char* force) {
    return run_text(std::string("UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                                "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/20, PART=2\n"
                                "PART/2, MASS=1, CM=20, IP=1,1,1, ") +
                        spin + "=1\n" + force + "\n",
                    "SIMULATE/DYNAMICS, END=3, STEPS=30\n")
        .said;
  };
  const char* const bushing = "BUSHING/1, I=20, J=1, K=1E3,1E3,1E3, C=1,1,1, KT=1E-3,1E-3,1E-3, CT=0,0,0";
  EXPECT_THAT(said("WX", bushing), HasSubstr("BUSHING/1 at t = 1.6: two of its three angles are 9"));
  EXPECT_THAT(said("WX", bushing), HasSubstr("the turn about z is the large one"));
  EXPECT_THAT(said("WZ", bushing), Not(HasSubstr("three angles")));
  std::string diagonal;
  for (int k = 0; k < 36; ++k) diagonal += k % 7 != 0 ? ",0" : k < 21 ? ",1E3" : ",1E-3";
  const std::string nforce =
      "NFORCE/1, IMARKERS=20, J=1, KMATRIX=1\nMATRIX/1, FULL=CORDER, ROWS=6, COLUMNS=6, VALUES=" +
      diagonal.substr(1);
  EXPECT_THAT(said("WX", nforce.c_str()),
              ::testing::AllOf(HasSubstr("three angles"), Not(HasSubstr("FORMULATION"))));
}

const std::string kSlider =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
    "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,0.1, VZ=2\nMARKER/20, PART=2\n"
    "JOINT/1, TRANSLATIONAL, I=20, J=1\n";

// From 0.1 drawn, at 2 m/s, an overlap of 0.5 m is used up after 0.25 s: the rows are 0.1 s apart.
TEST(Friction, ASliderThatLeavesItsGuideIsTold) {
  const std::string friction =
      "FRICTION/1, JOINT=1, MU_STATIC=0, MU_DYNAMIC=0, STICTION_TRANSITION_VELOCITY=0.01, "
      "MAX_STICTION_DEFORMATION=1E-3, REACTION_ARM=0.1, INITIAL_OVERLAP=0.5, OVERLAP_DELTA=";
  const auto said = [&](const char* change) {
    return run_text(kSlider + friction + change + "\n", "SIMULATE/DYNAMICS, END=1, STEPS=10\n");
  };
  const RunOfText r = said("DECREASE");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("is used up"), 1u) << r.said;
  EXPECT_THAT(r.said,
              HasSubstr("FRICTION/1 at t = 0.3: INITIAL_OVERLAP = 0.5 is used up by a travel of 0.6: "));
  for (const char* change : {"INCREASE", "CONSTANT"}) EXPECT_EQ(said(change).times_said("used up"), 0u);
}

TEST(Motion, ThatJumpsIsTold) {
  const auto said = [](const std::string& function, const char* analysis) {
    return run_text(kSlider + "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=" + function + "\n",
                    std::string("SIMULATE/") + analysis + ", END=1, STEPS=10\n");
  };
  const RunOfText moved = said("IF(TIME-0.55: 0, 0, 0.3+0.1*TIME)", "KINEMATICS");
  EXPECT_EQ(moved.status, api::RunStatus::done) << moved.said;
  EXPECT_EQ(moved.times_said("MOTION/1: FUNCTION jumps by 0.355 at t = 0.55: "), 1u) << moved.said;
  EXPECT_EQ(said("IF(TIME-0.55: 0, 0, 0.3)", "DYNAMICS").times_said("MOTION/1: FUNCTION jumps by 0.3 at"),
            1u);
  // Corners and steps of a finite width are no jumps.
  for (const char* smooth : {"ABS(TIME-0.5)", "STEP(TIME,0.5,0,0.5001,1)",
                             "IF(TIME-0.5: 0, 0, 100*(TIME-0.5))", "MAX(0,TIME-0.3)"})
    EXPECT_EQ(said(smooth, "KINEMATICS").times_said("jumps by"), 0u) << smooth;
}

// A state's rate that jumps by so much that no step of HMIN meets ERROR: what stops the run is named, though the search for it looks
// ahead of the last step only; also where the jump has a factor of the motion.
TEST(StepTooSmall, NamesWhatJumpsWithTheTime) {
  for (const char* rate : {"IF(TIME-0.5: 0, 1E6, 1E6)", "IF(TIME-0.5: 0, 1E6, 1E6)*(2+DZ(20,1))"}) {
    const RunOfText r =
        run_text(kSlider + "DIFF/1, IC=0, FUNCTION=" + rate + "\nINTEGRATOR/GSTIFF, ERROR=1E-4, HMIN=1E-8\n",
                 "SIMULATE/DYNAMICS, END=1, STEPS=10\n");
    EXPECT_EQ(r.status, api::RunStatus::failed);
    EXPECT_EQ(r.times_said("  DIFF/1: FUNCTION jumps with the time at t = 0.5; try STEP over a finite width"),
              1u)
        << r.said;
  }
}

TEST(Undirected, ADamperBetweenCoincidentMarkersIsTold) {
  const RunOfText r = run_text(kFalling +
                                   "MARKER/9, PART=1, QP=0,1,0\n"
                                   "SPRINGDAMPER/1, I=20, J=9, TRANSLATION, K=100, C=3, LENGTH=0\n",
                               "SIMULATE/DYNAMICS, END=0.1, STEPS=5\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(
      r.times_said("SPRINGDAMPER/1 at t = 0: MARKER/20 and MARKER/9 coincide; a damper along their line "
                   "has no direction there"),
      1u)
      << r.said;
}

// Spur gears of radii 0.2 and 0.3, the pitch point 0.1 above their joints' markers. A torque of −6 on the second: the teeth press with
// 20 along y, and the bearings carry that with its moment about their markers.
std::string spur_gears(const char* first_joint) {
  return std::string(
             "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
             "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0.5,0,0\n"
             "MARKER/3, PART=1, QP=0.2,0,0.1, REULER=180D,90D,0\n"
             "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
             "PART/3, MASS=1, CM=30, IP=1,1,1, QG=0.5,0,0\nMARKER/30, PART=3\n") +
         first_joint +
         "JOINT/2, REVOLUTE, I=30, J=2\nGEAR/1, JOINTS=1,2, CV=3\n"
         "SFORCE/1, I=30, J=2, ROTATIONAL, FUNCTION=-6\n";
}

TEST(Gear, BearingsCarryTheToothForce) {
  for (const char* joint : {"JOINT/1, REVOLUTE, I=20, J=1\n", "JOINT/1, REVOLUTE, I=1, J=20\n"}) {
    const double on_first = joint[21] == '2' ? 1 : -1;  // the gear is I, or J
    const RunOfText r = run_text(spur_gears(joint) + "MOTION/1, I=20, J=1, B3, FUNCTION=0.5*TIME\n",
                                 "SIMULATE/KINEMATICS, END=1, STEPS=4\n");
    ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
    EXPECT_NEAR(r.last("PART/3.WZ"), -0.5 * 0.2 / 0.3, 1e-10);
    EXPECT_NEAR(r.last("JOINT/2.FY"), 20, 1e-9);
    EXPECT_NEAR(r.last("JOINT/2.TX"), -2, 1e-9);
    EXPECT_NEAR(r.last("JOINT/1.FY"), -20 * on_first, 1e-9);
    EXPECT_NEAR(r.last("JOINT/1.TX"), 2 * on_first, 1e-9);
    EXPECT_NEAR(r.last("MOTION/1.TZ"), -4, 1e-9);
    EXPECT_NEAR(r.last("GEAR/1.FY"), 20 * on_first, 1e-9);
    EXPECT_NEAR(r.last("GEAR/1.TZ"), 4 * on_first, 1e-9);
    EXPECT_NEAR(r.last("GEAR/1.FX"), 0, 1e-9);
  }
}

// The wheel slides along its shaft: the teeth stay where the carrier has the pitch point.
TEST(Gear, OnASlidingWheelTheToothForceStaysAtThePitchPoint) {
  const RunOfText r = run_text(spur_gears("JOINT/1, CYLINDRICAL, I=20, J=1\n") +
                                   "MOTION/1, I=20, J=1, B3, FUNCTION=0.5*TIME\n"
                                   "MOTION/2, I=20, J=1, Z, FUNCTION=0.3*TIME\n",
                               "SIMULATE/KINEMATICS, END=1, STEPS=4\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("PART/2.Z"), 0.3, 1e-12);
  EXPECT_NEAR(r.last("JOINT/1.FY"), -20, 1e-9);
  EXPECT_NEAR(r.last("JOINT/1.TX"), (0.1 - 0.3) * 20, 1e-9);
  EXPECT_NEAR(r.last("MOTION/1.TZ"), -4, 1e-9);
}

TEST(Gear, RefusesAPitchPointThatDoesNotMove) {
  std::string model = spur_gears("JOINT/1, REVOLUTE, I=20, J=1\n");
  model.replace(model.find("REULER=180D,90D,0\n"), 17, "REULER=0,0,0     ");
  const RunOfText r = run_text(model, "SIMULATE/DYNAMICS, END=1, STEPS=4\n");
  EXPECT_EQ(r.status, api::RunStatus::refused);
  EXPECT_THAT(r.said, HasSubstr("JOINT/1 does not move the pitch point along z of MARKER/3"));
  EXPECT_THAT(r.said, HasSubstr("z along the common velocity of the teeth"));
}

}  // namespace
}  // namespace trunnion
