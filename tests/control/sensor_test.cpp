// SENSOR: what each of its actions does to a run.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// x = cos 2t
const std::string kSwing =
    "sensor\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, REULER=90D,90D,0D\n"
    "PART/2, QG=1,0,0, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D,90D,0D\n"
    "JOINT/1, TRANSLATIONAL, I=21, J=2\n"
    "SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=2, FUNCTION=-4*DX(20,1)\n";

Session swing(
    const std::string& name, const std::string& sensor,
    const std::string& commands = "INTEGRATOR/GSTIFF, ERROR=1E-6\nSIMULATE/DYNAMICS, END=1, DTOUT=0.1\n") {
  const Session s = run_text(name, kSwing + sensor + "END\n", commands);
  EXPECT_EQ(s.status, api::RunStatus::done) << s.said;
  return s;
}

// The steps of "… done in N steps".
int steps(const Session& s) {
  const std::size_t at = s.said.find(" done in ");
  EXPECT_NE(at, std::string::npos) << s.said;
  return at == std::string::npos ? 0 : std::stoi(s.said.substr(at + 9));
}

// x falls through ½ at t = π/6.
TEST(Sensor, DtIsTheOutputStepFromTheEventOn) {
  const double when = std::acos(0.5) / 2;
  const Session s = swing("dt", "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.5, LE, ERROR=1E-9, DT=0.02\n");
  std::vector<double> times;
  for (const auto& row : s.rows) times.push_back(row.at("TIME"));
  std::vector<double> expected;
  for (int k = 0; k <= 5; ++k) expected.push_back(0.1 * k);
  for (double t = when + 0.02; t < 1; t += 0.02) expected.push_back(t);
  expected.push_back(1);
  ASSERT_EQ(times.size(), expected.size());
  // ERROR = 1e-6 of x moves the event by some 1e-6.
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], expected[k], 1e-4);
}

// x comes up to 1 at t = π and goes again, all within one step: seen neither at its beginning nor at its end.
TEST(Sensor, WhatComesAndGoesWithinAStepIsSeen) {
  const Session s = swing("within", "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.999, GE, ERROR=1E-6, PRINT\n",
                          "INTEGRATOR/HHT, ERROR=1E-4\nSIMULATE/DYNAMICS, END=4, DTOUT=0.5\n");
  EXPECT_THAT(s.said, HasSubstr("SENSOR/1 acts"));
  const double when = (2 * M_PI - std::acos(0.999)) / 2;
  const auto near = [&](const auto& row) { return std::abs(row.at("TIME") - when) < 0.02; };
  EXPECT_TRUE(std::any_of(s.rows.begin(), s.rows.end(), near)) << s.said;
}

// An angle is the same after a turn, and jumps half a turn from there: that is no crossing.
TEST(Sensor, AnAngleDoesNotActHalfATurnAway) {
  const std::string disc =
      "disc\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, WZ=2, REULER=1,0,0\n"
      "MARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=1\n"
      "SENSOR/1, FUNCTION=AZ(20,1), VALUE=0, EQ, ANGLE, PRINT\nEND\n";
  const Session s = run_text("angle", disc, "SIMULATE/DYNAMICS, END=4, STEPS=20\n");
  const std::size_t first = s.said.find("SENSOR/1 acts");
  ASSERT_NE(first, std::string::npos) << s.said;
  EXPECT_EQ(s.said.find("SENSOR/1 acts", first + 1), std::string::npos) << s.said;
  EXPECT_THAT(s.said, HasSubstr("t = 2.64"));  // (2π − 1)/2 = 2.6416
}

TEST(Sensor, PrintWritesARowAtTheEvent) {
  const Session s = swing("print", "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.5, LE, ERROR=1E-9, PRINT\n");
  ASSERT_EQ(s.rows.size(), 12u);
  EXPECT_NEAR(s.rows[6].at("PART/2.X"), 0.5, 2e-9);
}

// The formula goes on from the event with the step given; a hundred times shorter than what it would choose is seen in their number.
// At an output time, or a rounding beside it, there is one row, and rows are in order.
TEST(Sensor, ARowAtAnOutputTimeIsWrittenOnce) {
  const std::string flight =
      "flight\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, VX=1\nMARKER/20, PART=2\n"
      "SENSOR/1, FUNCTION=TIME, GE, VALUE=0.5, ERROR=1E-6, PRINT\n"
      "SENSOR/2, FUNCTION=DX(20,1), GE, VALUE=0.7, ERROR=1E-9, PRINT\nEND\n";
  const Session s = run_text("once", flight, "SIMULATE/DYNAMICS, END=1, DTOUT=0.1\n");
  EXPECT_EQ(s.rows.size(), 11u);
  for (std::size_t k = 1; k < s.rows.size(); ++k)
    EXPECT_GT(s.rows[k].at("TIME"), s.rows[k - 1].at("TIME") + 0.05);
}

// The row of a SENSOR with EVALUATE has the new value of SENVAL, also where an output row had the old one.
TEST(Sensor, ARowWithANewValueIsARowOfItsOwn) {
  const Session s = swing("valued",
                          "SENSOR/1, FUNCTION=TIME, GE, VALUE=0.5, ERROR=1E-9, PRINT, EVALUATE=3\n"
                          "REQUEST/1, F2=SENVAL(1)\n");
  ASSERT_EQ(s.rows.size(), 12u);
  EXPECT_EQ(s.rows[5].at("REQUEST/1.F2"), 0);
  EXPECT_EQ(s.rows[6].at("REQUEST/1.F2"), 3);
  EXPECT_EQ(s.rows[5].at("TIME"), s.rows[6].at("TIME"));
}

// A MOTION goes to where a SENSOR said: what that kept stands still between its events.
TEST(Sensor, AMotionReadsWhatWasKept) {
  const Session s = run_text(
      "motion",
      "goes\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/1, TRANSLATIONAL, I=20, J=1\nVARIABLE/1, FUNCTION=SENVAL(1)+1\n"
      "MOTION/1, JOINT=1, FUNCTION=STEP(TIME,1.5,0,2.5,VARVAL(1)*SENVAL(1))\n"
      "SENSOR/1, FUNCTION=TIME, GE, VALUE=1, ERROR=1E-6, RETURN, EVALUATE=2\nEND\n",
      "SIMULATE/DYNAMICS, END=3, DTOUT=0.5\nDEACTIVATE/SENSOR, ID=1\nSIMULATE/DYNAMICS, END=3, DTOUT=0.5\n");
  ASSERT_FALSE(s.rows.empty());
  EXPECT_NEAR(s.rows.back().at("TIME"), 3, 1e-9);
  EXPECT_NEAR(s.rows.back().at("PART/2.Z"), 6, 1e-6);
  EXPECT_NEAR(s.rows[1].at("PART/2.Z"), 0, 1e-9);
}

TEST(Sensor, TrueAtTheStartIsSaid) {
  for (const char* simulate :
       {"SIMULATE/DYNAMICS, END=1, DTOUT=0.1\n", "SIMULATE/STATICS, END=1, STEPS=2\n"}) {
    const Session s = swing(
        "true", "SENSOR/1, FUNCTION=TIME, GE, VALUE=-1, HALT\nSENSOR/2, FUNCTION=TIME, GE, VALUE=9, HALT\n",
        simulate);
    EXPECT_THAT(s.said, HasSubstr("SENSOR/1 is true at the start; it acts only when it becomes true again"));
    EXPECT_THAT(s.said, Not(HasSubstr("SENSOR/2 is true")));
  }
}

TEST(Sensor, StepsizeIsTheFirstStepAfterTheEvent) {
  const std::string sensor = "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.5, LE, ERROR=1E-9";
  const int usual = steps(swing("step0", sensor + "\n")),
            shorter = steps(swing("step1", sensor + ", STEPSIZE=1E-7\n"));
  EXPECT_GT(shorter, usual + 5);
}

TEST(Sensor, YydumpWritesTheStates) {
  const Session s = swing("dump", "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.5, LE, ERROR=1E-9, YYDUMP\n");
  EXPECT_THAT(s.said, testing::AnyOf(HasSubstr("  PART/2: 0.5"), HasSubstr("  PART/2: 0.499999999")));
  EXPECT_THAT(s.said, HasSubstr("; rates -1.73"));
  EXPECT_THAT(s.said, HasSubstr("  multiplier of JOINT/1"));
}

TEST(Sensor, HaltEndsTheCommandsReturnTheSimulation) {
  const std::string twice =
      "INTEGRATOR/GSTIFF, ERROR=1E-6\nSIMULATE/DYNAMICS, END=1, DTOUT=0.1\nDEACTIVATE/SENSOR, ID=1\n"
      "SIMULATE/DYNAMICS, END=1, DTOUT=0.1\n";
  const std::string sensor = "SENSOR/1, FUNCTION=DX(20,1), VALUE=0.5, LE, ERROR=1E-9, ";
  EXPECT_NEAR(run_text("halt", kSwing + sensor + "HALT\nEND\n", twice).rows.back().at("TIME"),
              std::acos(0.5) / 2, 1e-4);
  EXPECT_NEAR(run_text("return", kSwing + sensor + "RETURN\nEND\n", twice).rows.back().at("TIME"), 1, 1e-12);
}

// An event just before an output time, a rounding before it, and on it: the steps after it are those of any start.
TEST(Sensor, AnEventBesideAnOutputDoesNotShortenTheSteps) {
  const int without = steps(swing("beside0", ""));
  for (const char* when : {"0.2999999999", "0.299999999999999", "0.3", "0.3000000001"}) {
    for (const char* interpolate : {"", ", INTERPOLATE=ON"}) {
      const Session s = swing(
          std::string("beside") + when,
          std::string("SENSOR/1, FUNCTION=TIME, VALUE=") + when + ", GE, ERROR=1E-13, EVALUATE=DX(20,1)\n",
          std::string("INTEGRATOR/GSTIFF, ERROR=1E-6") + interpolate +
              "\nSIMULATE/DYNAMICS, END=1, DTOUT=0.1\n");
      EXPECT_THAT(s.said, HasSubstr("SENSOR/1 acts"));
      EXPECT_LE(steps(s), 2 * without) << when << interpolate << "\n" << s.said;
      EXPECT_NEAR(s.at(1, "PART/2.X"), std::cos(2.0), 1e-4) << when << interpolate;
    }
  }
}

}  // namespace
}  // namespace trunnion::test
