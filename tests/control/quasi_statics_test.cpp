// Quasi-statics and the settings of statics as a command file asks for them.

#include <gmock/gmock.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A mass on a spring of 100, pulled by 50 t.
const std::string kSlider =
    "slider\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
    "MARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
    "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
    "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=100, C=1, LENGTH=1\n"
    "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=50*TIME\n";

TEST(QuasiStaticCommand, SensorsHaltAndReturn) {
  const std::string sensor = "SENSOR/1, FUNCTION=DZ(20,1), VALUE=0.33, GE, ERROR=1E-9, ";
  const std::string twice =
      "SIMULATE/STATICS, END=1, STEPS=10\nDEACTIVATE/SENSOR, ID=1\nSIMULATE/STATICS, END=1, STEPS=2\n";
  const Session halted = run_text("qs_halt", kSlider + sensor + "HALT\nEND\n", twice);
  EXPECT_THAT(halted.said, HasSubstr("t = 0.66: SENSOR/1 acts, the run halts"));
  EXPECT_NEAR(halted.rows.back().at("TIME"), 0.66, 1e-8);
  const Session returned = run_text("qs_return", kSlider + sensor + "RETURN\nEND\n", twice);
  EXPECT_THAT(returned.said, HasSubstr("t = 0.66: SENSOR/1 acts, the simulation returns"));
  EXPECT_NEAR(returned.rows.back().at("TIME"), 1, 1e-12);
}

TEST(QuasiStaticCommand, OtherSensorsLetItGoOn) {
  const Session s = run_text(
      "qs_dt",
      kSlider + "SENSOR/1, FUNCTION=DZ(20,1), VALUE=0.25, GE, ERROR=1E-9, DT=0.25, PRINT, CODGEN\nEND\n",
      "SIMULATE/STATICS, END=1, STEPS=5\n");
  EXPECT_NEAR(s.at(0.75, "PART/2.Z"), 0.375, 1e-8) << s.said;  // an output of the SENSOR's own DT
  EXPECT_NEAR(s.rows.back().at("TIME"), 1, 1e-12);
  EXPECT_THAT(s.said, HasSubstr("warning: SENSOR/1: CODGEN is for dynamics; here it does nothing"));
}

TEST(QuasiStaticCommand, StepsWithoutAnEndAreRefused) {
  const Session s = run_text("qs_steps", kSlider + "END\n", "SIMULATE/STATICS, STEPS=10\n");
  EXPECT_NE(s.status, api::RunStatus::done);
  EXPECT_THAT(s.said, HasSubstr("error: SIMULATE/STATICS: STEPS without END or DURATION"));
}

TEST(QuasiStaticCommand, WhereNothingHoldsAnyMoreTheResultsAreKept) {
  const Session s =
      run_text("qs_torque",
               "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
               "MARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,-1,0\nMARKER/20, PART=2\n"
               "MARKER/21, PART=2, QP=0,1,0\nJOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n"
               "SFORCE/1, ROTATION, I=21, J=1, FUNCTION=10*TIME\nEND\n",
               "SIMULATE/STATICS, END=1, STEPS=10\n");
  EXPECT_NE(s.status, api::RunStatus::done);
  EXPECT_THAT(s.said, HasSubstr("error: t = 0.981: limit point; no equilibrium beyond it was found"));
  EXPECT_THAT(s.said, HasSubstr("largest imbalance: PART/2"));
  EXPECT_THAT(s.said, HasSubstr("PART/2 is at "));
  EXPECT_THAT(s.said, HasSubstr("qs_torque.adm:5"));
  EXPECT_NEAR(s.rows.back().at("TIME"), 0.9, 1e-12);
}

TEST(Default, SettingsGoBackToTheStandardValues) {
  const auto listed = [](const char* name, const std::string& before) {
    return run_text(name, kSlider + "END\n",
                    before + "EQUILIBRIUM/LIST\nINTEGRATOR/LIST\nIC/LIST\nKINEMATICS/LIST\n")
        .said;
  };
  const std::string changes =
      "EQUILIBRIUM/METHOD=ORIGINAL, MAXIT=2, LEAVE_UNSTABLE\nINTEGRATOR/HHT, ERROR=1E-9\nIC/ERROR=1E-3\n"
      "KINEMATICS/MAXIT=3\n";
  const std::string standard = listed("default_0", "");
  EXPECT_THAT(standard, HasSubstr("MAXIT = 25"));
  EXPECT_NE(listed("default_0", changes), standard);
  EXPECT_EQ(listed("default_0",
                   changes + "EQUILIBRIUM/DEFAULT\nINTEGRATOR/DEFAULT\nIC/DEFAULT\nKINEMATICS/DEFAULT\n"),
            standard);
  // What stands beside it counts after it.
  EXPECT_THAT(listed("default_0", changes + "KINEMATICS/DEFAULT, MAXIT=4\n"), HasSubstr("MAXIT = 4"));
}

}  // namespace
}  // namespace trunnion::test
