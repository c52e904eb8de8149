// A motion that gains or loses energy with nothing to account for it is told, as soon as a hundredth of it is gone astray.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// An oscillator of 1 rad/s in steps of 0.5 s: order 3 multiplies its energy by exp(0.0218) a step.
Session oscillator(const std::string& integrator) {
  const std::string model =
      "oscillator\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-1\n"
      "PART/2, QG=0,0,1E-4, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=1, LENGTH=1\nINTEGRATOR/" +
      integrator + "\nEND\n";
  return run_text("oscillator", model, "SIMULATE/DYNAMICS, END=50, DTOUT=0.5\n");
}

TEST(EnergyFromNowhere, IsTold) {
  const Session fed = oscillator("CONSTANT_BDF, SI2, KMAX=3");
  EXPECT_EQ(fed.status, api::RunStatus::done);
  EXPECT_THAT(fed.said, HasSubstr(": the energy rose by"));
  EXPECT_THAT(fed.said,
              HasSubstr("% of the energy of the motion, and the results should not be trusted; CONSTANT_BDF "
                        "above order 2 feeds vibrations without damping: try KMAX = 2, HHT, or a smaller "
                        "HINIT"));
  // The first time early: after ten steps above a hundredth, 2.2 % a step.
  const auto first = fed.said.find("warning: t = ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(std::stod(fed.said.substr(first + 13)), 15) << fed.said;
}

// GAMMA beyond ½ is the user's or the language's choice, and damps.
TEST(EnergyFromNowhere, LossesAreTold) {
  const std::string model =
      "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/1, PART=1\nPART/2, MASS=1, CM=20, QG=-1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\nINTEGRATOR/NEWMARK\nEND\n";
  const Session lost = run_text("pendulum", model, "SIMULATE/DYNAMICS, END=10, DTOUT=0.1\n");
  EXPECT_EQ(lost.status, api::RunStatus::done);
  EXPECT_THAT(lost.said, HasSubstr(": the energy fell by"));
  EXPECT_THAT(lost.said, HasSubstr("newton*meter that no force, damper or motion took, "));
  EXPECT_THAT(lost.said,
              HasSubstr("NEWMARK with GAMMA = 0.7 damps every motion: try GAMMA = 0.5 with BETA = 0.25"));
  const auto first = lost.said.find("warning: t = ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(std::stod(lost.said.substr(first + 13)), 9) << lost.said;  // before the end
}

// A ball from 100 m on an elastic floor, output every 0.1 s: it comes back as high, or what is missing is told.
TEST(EnergyFromNowhere, AShortContactIsResolvedOrTold) {
  const std::string model =
      "ball\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,100\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
      "FUNCTION=IMPACT(DZ(20,1,1),VZ(20,1,1),0.5,1E6,1.5,0,0.01)\nACCGRAV/KGRAV=-9.81\n";
  for (const char* integrator : {"GSTIFF", "GSTIFF, SI2", "HHT", "NEWMARK"}) {
    const Session ball = run_text("ball", model + "INTEGRATOR/" + integrator + "\nEND\n",
                                  "SIMULATE/DYNAMICS, END=9, DTOUT=0.1\n");
    ASSERT_EQ(ball.status, api::RunStatus::done) << ball.said;
    double highest = 0;
    for (const auto& row : ball.rows) {
      if (row.at("TIME") > 6) highest = std::max(highest, row.at("PART/2.Z"));
    }
    // The energy of the motion is what the fall gave and the floor's work: a hundredth of it is two metres; rows may miss the top.
    if (std::abs(highest - 100) > 2.1) {
      EXPECT_THAT(ball.said, HasSubstr(": the energy ")) << integrator << " " << highest;
    }
  }
}

// A ball that bounces on a spring without damping: what the floor takes it gives back, and the ledger has counted both. A hundredth of
// the energy may be missing untold.
TEST(EnergyFromNowhere, TheWorkOfAContactIsCounted) {
  const std::string model =
      "ball\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
      "FUNCTION=IMPACT(DZ(20,1,1),VZ(20,1,1),0.5,1E6,1.5,0,0.01)\nACCGRAV/KGRAV=-9.81\n";
  constexpr double kEnergy = 9.81 * 0.5;
  for (const char* integrator : {"GSTIFF", "GSTIFF, SI2", "WSTIFF, SI2", "HHT"}) {
    const Session ball = run_text("bounce", model + "INTEGRATOR/" + integrator + "\nEND\n",
                                  "SIMULATE/DYNAMICS, END=2, DTOUT=0.01\n");
    ASSERT_EQ(ball.status, api::RunStatus::done) << ball.said;
    const auto& last = ball.rows.back();
    const auto energy = [](const auto& row) { return row.at("ENERGY.KINETIC") + row.at("ENERGY.POTENTIAL"); };
    const double gained = energy(last) - energy(ball.rows.front());
    // The energy of the motion is the fall's and the floor's work, twice kEnergy.
    if (std::abs(gained) > 0.02 * kEnergy) {
      EXPECT_THAT(ball.said, HasSubstr(": the energy ")) << integrator;
    }
    EXPECT_LT(std::abs(last.at("ENERGY.WORK")), 0.02 * kEnergy) << integrator;
  }
}

// A damped hit, then free flight in steps a thousand times as long: the powers of the hit tell nothing of the flight. What the ledger
// says was lost is what the motion lost, to the 1 % beyond which a run complains.
TEST(EnergyFromNowhere, TheLossOfADampedHitIsCounted) {
  const std::string model =
      "ball\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,120\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
      "FUNCTION=IMPACT(DZ(20,1,1),VZ(20,1,1),20,1E5,1.5,10,0.1)\nACCGRAV/KGRAV=-9806.65\n";
  constexpr double kEnergy = 9.80665 * 100;  // N mm
  for (const char* integrator :
       {"HHT, ERROR=1E-6", "HHT, ERROR=1E-5", "BATHE, ERROR=1E-5", "ABAM, ERROR=1E-6"}) {
    const Session ball = run_text("hit", model + "INTEGRATOR/" + integrator + "\nEND\n",
                                  "SIMULATE/DYNAMICS, END=0.2, STEPS=20\n");
    ASSERT_EQ(ball.status, api::RunStatus::done) << ball.said;
    const auto& last = ball.rows.back();
    const auto energy = [](const auto& row) { return row.at("ENERGY.KINETIC") + row.at("ENERGY.POTENTIAL"); };
    const double lost = energy(ball.rows.front()) - energy(last);
    EXPECT_GT(lost, 0.1 * kEnergy) << integrator;
    EXPECT_NEAR(last.at("ENERGY.DISSIPATED") - last.at("ENERGY.WORK"), lost, 0.01 * kEnergy) << integrator;
    EXPECT_THAT(ball.said, Not(HasSubstr("the energy rose"))) << integrator;
  }
}

TEST(EnergyFromNowhere, IsNotToldOfMotionsThatKeepIt) {
  for (const char* integrator : {"GSTIFF, SI2, ERROR=1E-8", "GSTIFF, ERROR=1E-8", "HHT, ERROR=1E-7"}) {
    const std::string said = oscillator(integrator).said;
    EXPECT_THAT(said, Not(HasSubstr("the energy rose"))) << integrator;
    EXPECT_THAT(said, Not(HasSubstr("the energy fell"))) << integrator;
  }
}

// Two beams of 5 m that hang at rest: forces are exact to the rounding of positions of 10,000 mm times 4e7 N/mm and no better, which no
// shorter step mends. Output steps of 0.01 s and a start are all it takes; 7,713 steps were.
TEST(Rest, StiffBeamsTakeTheStepsOfTheOutput) {
  std::string model =
      "beams\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "ACCGRAV/JGRAV=-9806.65\n";
  for (int k = 0; k < 2; ++k)
    model += fmt::format(
        "PART/{0}, MASS=10, CM={0}0, IP=2E7,2E7,2E7, QG={1},0,0\nMARKER/{0}0, PART={0}\n"
        "BEAM/{2}, I={0}0, J={3}, LENGTH=5000, IXX=2E6, IYY=1E6, IZZ=1E6, AREA=1000, EMODULUS=2.1E5, "
        "GMODULUS=8E4, CRATIO=0\n",
        k + 2, 5000 * (k + 1), k + 1, k == 0 ? 1 : 20);
  for (const char* integrator : {"GSTIFF", "GSTIFF, ERROR=1E-6", "GSTIFF, SI2", "HHT", "HHT, ERROR=1E-7"}) {
    const Session rest = run_text("beams", model + "INTEGRATOR/" + integrator + "\nEND\n",
                                  "SIMULATE/STATICS\nSIMULATE/DYNAMICS, END=1, DTOUT=0.01\n");
    EXPECT_EQ(rest.status, api::RunStatus::done);
    const auto at = rest.said.find(" done in ");
    ASSERT_NE(at, std::string::npos) << rest.said;
    EXPECT_LT(std::stoi(rest.said.substr(at + 9)), 150) << integrator << rest.said;
  }
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

// Friction that is inactive in statics does not remember where it stuck before.
TEST(AfterStatics, InactiveFrictionBeginsWhereTheEquilibriumIs) {
  const Session session = run_text(
      "inactive_friction",
      "block\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "MARKER/2, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, REULER=90D,90D,0\nJOINT/1, TRANSLATIONAL, I=21, J=2\n"
      "FRICTION/1, JOINT=1, MU_STATIC=.3, MU_DYNAMIC=.2, INACTIVE_DURING=STATIC, INPUTS=REACTION_FORCE\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=2, FUNCTION=1-10*DX(20,1)\nACCGRAV/KGRAV=-9.81\n"
      "REQUEST/1, F2=FRICTION(1,1)\\F3=DX(20,1)\nEND\n",
      "SIMULATE/STATICS\nSIMULATE/DYNAMICS, END=1, STEPS=2\nSTOP\n");
  EXPECT_NEAR(session.at(1, "PART/2.X"), 0.1, 1e-6);
  EXPECT_NEAR(session.at(1, "FRICTION/1.FX"), 0, 1e-5);
}

// What a long step of a high order does within counts: the motion is right, and so is its balance.
TEST(Energy, BalancesOverLongSteps) {
  for (const char* integrator : {"DOP853", "ABAM", "RADAU5", "GSTIFF, SI2"}) {
    const Session session = run_text(
        "long_steps",
        std::string("shaken\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
                    "MARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
                    "MARKER/99, PART=1, FLOATING\nVFORCE/1, I=20, JFLOAT=99, RM=1, "
                    "FX=100*SIN(200*TIME)\\FY=0\\FZ=0\nINTEGRATOR/") +
            integrator + ", ERROR=1E-7\nEND\n",
        "SIMULATE/DYNAMICS, END=1, STEPS=10\nSTOP\n");
    // v = 0.5 (1 − cos 200 t), so that at most ½ J is in it.
    for (const auto& row : session.rows)
      EXPECT_NEAR(row.at("ENERGY.BALANCE"), session.rows.front().at("ENERGY.BALANCE"), 5e-4) << integrator;
    EXPECT_EQ(session.said.find("energy"), std::string::npos) << session.said;
  }
}

}  // namespace
}  // namespace trunnion::test
