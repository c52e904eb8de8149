// formulas, study and run --integrator as a user calls them, with bad input too.

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace trunnion {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class StudyProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    put("m.adm",
        "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
        "PART=1\n"
        "PART/2, QG=1,0,0, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nMARKER/3, PART=2, QP=-1,0,0\n"
        "JOINT/1, REVOLUTE, I=3, J=1\nACCGRAV/JGRAV=-9.81\nEND\n");
    put("m.acf", "m.adm\nm\nINTEGRATOR/HHT, ERROR=1E-4\nSIMULATE/DYNAMICS, END=0.2, STEPS=4\nSTOP\n");
  }
};

TEST_F(StudyProgram, FormulasAreListedAndShown) {
  EXPECT_THAT(run("formulas").out, HasSubstr("MSSTC3"));
  const auto one = run("formulas galpha:0.5");
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("αf = 0.333333"));  // ρ/(1 + ρ)
  const auto wrong = run("formulas GALPA");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean GALPHA?"));
  EXPECT_EQ(run("formulas HHT:2").code, 2);
  EXPECT_THAT(run("formulas RADAU5:0.5").err, HasSubstr("RADAU5 takes no RHO"));
  EXPECT_THAT(run("formulas LMS3:1").err, HasSubstr("LMS3 needs RHO below 1"));
  EXPECT_EQ(run("formulas GALPHA:nan").code, 2);
  EXPECT_THAT(run("formulas :0.5").err, HasSubstr("the name of a formula was expected"));
  // BDF of order 5 is A(51.84°)-stable (E. Hairer, G. Wanner, Solving ODEs II, V.2).
  EXPECT_THAT(run("formulas gstiff").out,
              HasSubstr("order 5: a vibration is damped at any step within 51.84 degrees"));
  EXPECT_THAT(run("formulas --json LMS3").out, HasSubstr("\"order\": 2"));
  EXPECT_THAT(one.out, HasSubstr("conditions met: order, A-stability, spectral radius at infinity"));
  EXPECT_THAT(run("formulas ENERGY_DECAYING:1").out, HasSubstr("start"));
  for (const char* name : {"GALPHA", "LMS3", "SS3", "ESDIRK46", "RADAU5", "DOP853"}) {
    const std::string text = run(std::string("formulas --json ") + name).out;
    EXPECT_THAT(text, HasSubstr("\"table\": {")) << name;
    EXPECT_THAT(text, HasSubstr("\"failed\": []")) << name;
  }
  EXPECT_THAT(run("formulas --json BATHE:0.5").out, HasSubstr("\"used\": 0.5"));
}

TEST_F(StudyProgram, AFormulaOfTheCommandLineGoesOnTopOfTheScripts) {
  const auto done = run("run m.acf --integrator 'LMS2, RHO=0.3' --report");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("LMS2 I3 done"));
  EXPECT_THAT(done.err, HasSubstr("RHO = 0.3"));
  const auto wrong = run("run m.acf --integrator 'LMS9'");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--integrator:1"));
}

// Rows at 0.05, 0.1, …: steps of 0.02 meet the second and the fourth. What is not compared must not count as exact.
TEST_F(StudyProgram, StepsThatMissRowsAreComparedWhereTheyMeetThem) {
  const auto done = run("study m.acf --formulas HHT --steps 0.02,0.01 -o s.csv");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out + done.err, HasSubstr("HHT H=0.02: its steps meet 2 of the 4 rows"));
  EXPECT_THAT(done.out, Not(HasSubstr("0.00e+00")));
  EXPECT_THAT(done.out, HasSubstr("  2.0 2.0 "));  // of q and v
}

// ERROR says nothing where H fixes the step; steps a third of the swing's quarter are off by more than a hundredth.
TEST_F(StudyProgram, AFixedStepIsHalvedBeforeItIsTrusted) {
  put("h.acf", "m.adm\nh\nINTEGRATOR/BATHE, H=0.15\nSIMULATE/DYNAMICS, END=1.2, STEPS=4\nSTOP\n");
  EXPECT_THAT(run("study h.acf --validate").out, HasSubstr("verdict: no, its results still change by "));
  put("h.acf", "m.adm\nh\nINTEGRATOR/BATHE, H=0.002\nSIMULATE/DYNAMICS, END=1.2, STEPS=4\nSTOP\n");
  const auto fine = run("study h.acf --validate");
  EXPECT_THAT(fine.out, HasSubstr("BATHE H = 0.001"));
  EXPECT_THAT(fine.out, HasSubstr("verdict: yes"));
}

// RADAU5 is soon as exact as the reference: that is said, and no order, which would be below zero.
TEST_F(StudyProgram, AnOrderIsToldOnlyWhereTheReferenceIsFiner) {
  const auto done = run("study m.acf --formulas RADAU5 --steps 0.05,0.025,0.005,0.0025");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, AnyOf(HasSubstr("at rounding"), HasSubstr(" rnd")));
  EXPECT_THAT(done.out, Not(testing::ContainsRegex(" -[0-9]\\.[0-9] ")));
}

// Formulas over independent coordinates have no reactions of their own; those that are compared belong to their places and speeds.
TEST_F(StudyProgram, ReactionsOfExplicitFormulasAreConsistent) {
  EXPECT_EQ(run("study m.acf --formulas ABAM,DOP853,TLISMNI --steps 0.01 -o s.csv").code, 0);
  const std::string csv = get("s.csv");
  for (const char* name : {"ABAM", "DOP853", "TLISMNI"}) {
    const std::size_t at = csv.find(std::string("\n") + name + ",,independent,");
    ASSERT_NE(at, std::string::npos) << csv;
    std::istringstream line(csv.substr(at + 1, csv.find('\n', at + 1) - at - 1));
    std::vector<double> cells;
    for (std::string cell; std::getline(line, cell, ',');) cells.push_back(std::atof(cell.c_str()));
    ASSERT_GT(cells.size(), 9u);
    // λ follows from places and speeds, twice as far off as v² is, and the pendulum's own weight.
    const double v = cells[7], lambda = cells[9];
    EXPECT_LT(lambda, 10 * (cells[6] + v) + 1e-12) << name;
  }
}

// The reference's reactions are as exact as its velocities: those of GAUSS4 are seen to be of order 4.
TEST_F(StudyProgram, OrdersOfReactionsAreSeen) {
  const std::string out = run("study m.acf --formulas GAUSS4 --reference RADAU5:SI2 --steps 0.05,0.025").out;
  EXPECT_THAT(
      out, testing::ContainsRegex(
               " (3\\.[5-9]|4\\.[0-9]) (3\\.[5-9]|4\\.[0-9]) (3\\.[5-9]|4\\.[0-9]) (3\\.[5-9]|4\\.[0-9]) "));
}

TEST_F(StudyProgram, OrdersShow) {
  const auto done = run("study m.acf --formulas HHT,BATHE:0.6 --steps 0.01,0.005 -o s.csv");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("2.0 2.0 2.0 2.0"));  // HHT: order 2 in q, v, a, λ
  EXPECT_THAT(get("s.csv"), HasSubstr("BATHE,0.6,I3,0.005,,1,"));
  EXPECT_EQ(run("study m.acf --formulas HHT --steps 0.01,0.005 -o s.html").code, 0);
  EXPECT_THAT(get("s.html"), HasSubstr("<svg"));
}

// From the equilibrium nothing moves: all formulas agree to rounding.
TEST_F(StudyProgram, StartsFromTheScriptsEquilibrium) {
  put("s.acf", "m.adm\ns\nSIMULATE/STATICS\nSIMULATE/DYNAMICS, END=0.2, STEPS=4\nSTOP\n");
  const auto done = run("study s.acf --formulas HHT,RADAU5 --errors 1e-4 -o s.csv");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(get("s.csv"), HasSubstr("RADAU5,,I3,,0.0001,1,"));
  EXPECT_THAT(done.out, Not(HasSubstr("warning")));
}

TEST_F(StudyProgram, MistakesAreTold) {
  EXPECT_THAT(run("study m.acf --formulas HTT").err, HasSubstr("did you mean HHT?"));
  EXPECT_THAT(run("study m.acf --formulas HHT:SI2").err, HasSubstr("HHT solves index 3 only"));
  EXPECT_THAT(run("study m.acf --steps 0").err, HasSubstr("above zero"));
  EXPECT_THAT(run("study m.acf --rows 0").err, HasSubstr("--rows"));
  EXPECT_THAT(run("study m.acf --end -1").err, HasSubstr("--end"));
  EXPECT_THAT(run("study m.acf --formulas ''").err, HasSubstr("the name of a formula was expected"));
  EXPECT_THAT(run("study m.acf -o s.txt").err, HasSubstr(".csv or .html"));
  EXPECT_THAT(run("study m.adm --errors 1e-3").out, HasSubstr("--end"));
}

// The script's INTEGRATOR is the one that is judged.
TEST_F(StudyProgram, ARunIsValidated) {
  const auto done = run("study m.acf --validate");
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr("HHT ERROR = 1e-05"));
  EXPECT_THAT(done.out, HasSubstr("verdict: yes"));
}

}  // namespace
}  // namespace trunnion
