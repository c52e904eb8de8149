// A motion that gains energy from nowhere is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// An oscillator of 1 rad/s in steps of 0.5 s, too small for ERROR: order 3 multiplies its energy by exp(0.0218) a step.
Session oscillator(const std::string& integrator) {
  const std::string model =
      "oscillator\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-1\n"
      "PART/2, QG=0,0,1E-4, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=1, LENGTH=1\nINTEGRATOR/" +
      integrator + "\nEND\n";
  return run_text("oscillator", model, "SIMULATE/DYNAMICS, END=50, DTOUT=0.5\n");
}

TEST(EnergyFromNowhere, IsTold) {
  const Session fed = oscillator("GSTIFF, SI2, ERROR=1E-2, HMAX=0.5, KMAX=3");
  EXPECT_EQ(fed.status, api::RunStatus::done);
  EXPECT_THAT(fed.said, HasSubstr("warning: t = 50: the energy rose by"));
  EXPECT_THAT(fed.said,
              HasSubstr("times the largest kinetic energy; GSTIFF above order 2 feeds vibrations without "
                        "damping: try KMAX = 2, HHT, or a smaller ERROR or HMAX"));
}

TEST(EnergyFromNowhere, IsNotToldOfMotionsThatKeepOrLoseIt) {
  for (const char* integrator :
       {"GSTIFF, SI2, ERROR=1E-2, HMAX=0.5, KMAX=2", "GSTIFF, SI2, ERROR=1E-8", "HHT, ERROR=1E-6"})
    EXPECT_THAT(oscillator(integrator).said, Not(HasSubstr("the energy rose"))) << integrator;
}

// tests/analysis/field_test.cpp has it by hand: t/√(1 − t²/2), t = tan 0.2.
TEST(EnergyFromNowhere, SpringsWithoutPotentialAreNamedWhereAVibrationGrows) {
  const auto field = [](const char* formulation) {
    const std::string model =
        "twisted\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.25,0.25,0.25\nMARKER/20, "
        "PART=2\n"
        "MARKER/21, PART=2, REULER=0,0.2,0\nFIELD/1, I=21, J=1, LENGTH=0,0,0,0.2,0,0" +
        std::string(formulation) +
        "\n, KMATRIX=900,0,0,0,0,0\n, 0,900,0,0,0,0\n, 0,0,900,0,0,0\n, 0,0,0,400,0,0\n"
        ", 0,0,0,0,400,-40.542\n, 0,0,0,0,-40.542,400\nEND\n";
    return run_text("twisted", model, "SIMULATE/STATICS\n").said;
  };
  EXPECT_THAT(field(""),
              HasSubstr("FIELD/1: stiffness asymmetric by 20 %, of KMATRIX or of projected angles"));
  EXPECT_THAT(field(", FORMULATION=NONLINEAR"), Not(HasSubstr("asymmetric")));
}

}  // namespace
}  // namespace trunnion::test
