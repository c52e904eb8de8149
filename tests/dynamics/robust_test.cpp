// Trouble, and what is said about it: never a NaN, never a crash, always a name; and what the scaling of the matrix promises.

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"
#include "formulas/conditions.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::every;
using test::Mechanism;
using test::Motion;
using testing::HasSubstr;

// A mass free to move along z, with the statements given.
std::string slider(const std::string& statements) {
  return fmt::format(R"(slider
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=1,1,1
MARKER/20, PART=2
JOINT/1, TRANSLATIONAL, I=20, J=1
{}END
)",
                     statements);
}

void expect_finite(const Motion& motion) {
  for (const auto& row : motion.rows) {
    for (const auto& [name, value] : row) EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

TEST(Robust, StepInAForceIsPassed) {
  Mechanism m(
      slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=IF(TIME-0.5: 0, 0, "
             "100)\nINTEGRATOR/GSTIFF, ERROR=1E-6\n"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 1));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  expect_finite(motion);
  // The step that meets the jump errs by ERROR in position, hence by ERROR/h in velocity, h ≈ (ERROR/100)^½ there.
  EXPECT_NEAR(motion.at(1, "PART/2.Z"), 0.5 * 100 * 0.25, 0.02);
}

// A state that reads a reaction. After a change of step a formula that holds places alone answers the velocities it has left across
// the constraints with reactions that grow as the step shrinks: cut after cut, down to HMIN.
TEST(Robust, AStateThatReadsAReactionIsFollowed) {
  constexpr double kEnd = 2, kMass = 2, kAbout = 1 + kMass, kG = 9.81;
  // θ from the horizontal, ω, z: the same by Runge-Kutta's formula.
  using Vector = std::array<double, 3>;
  const auto rate = [&](const Vector& y) {
    const double turning = -kMass * kG * std::cos(y[0]) / kAbout;
    const double up = kMass * (kG + turning * std::cos(y[0]) - y[1] * y[1] * std::sin(y[0]));
    return Vector{y[1], turning, up - y[2]};
  };
  const auto moved = [](const Vector& y, double h, const Vector& d) {
    return Vector{y[0] + h * d[0], y[1] + h * d[1], y[2] + h * d[2]};
  };
  Vector y{};
  constexpr int kSteps = 4000;
  const double h = kEnd / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    const Vector a = rate(y), b = rate(moved(y, h / 2, a)), c = rate(moved(y, h / 2, b)),
                 d = rate(moved(y, h, c));
    y = moved(moved(moved(moved(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  struct Case {
    const char* formula;
    double error;
  };
  // From 1e-4 down BDF solves SI2: index 3 took 1.7 million steps at 1e-7. The undamped ones of order 2 find the reaction of an earlier time
  // than that of the state.
  for (const auto& [formula, error] :
       {Case{"HHT", 1e-6}, Case{"GALPHA", 1e-6}, Case{"WBZ", 1e-6}, Case{"LMS3", 1e-6}, Case{"RADAU5", 1e-6},
        Case{"GSTIFF", 1e-6}, Case{"GSTIFF", 1e-7}, Case{"GSTIFF", 1e-9}, Case{"MIDPOINT", 1e-7},
        Case{"TRAPEZOIDAL", 1e-7}, Case{"NEWMARK, GAMMA=0.5, BETA=0.25", 1e-7}}) {
    SCOPED_TRACE(fmt::format("{} {}", formula, error));
    Mechanism m(R"(pendulum
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=2, CM=20, IP=1,1,1
MARKER/20, PART=2, QP=1,0,0
MARKER/21, PART=2
JOINT/1, REVOLUTE, I=21, J=1
DIFF/1, FUNCTION=-DIF(1)+JOINT(1,0,3,1)
ACCGRAV/JGRAV=-9.81
INTEGRATOR/)" + fmt::format("{}, ERROR={}\nEND\n", formula, error));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, kEnd));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    // Each step may err by ERROR of the value.
    const double allowed = error * static_cast<double>(motion.result.loop.counts.steps) * std::max(1.0, y[2]);
    // What lags by a part of the step is followed with steps of √ERROR.
    const bool lags = std::string(formula) == "MIDPOINT" || std::string(formula) == "TRAPEZOIDAL" ||
                      std::string(formula).starts_with("NEWMARK");
    EXPECT_LT(motion.result.loop.counts.steps, lags ? kEnd / std::sqrt(error) * 10 : 10000);
    EXPECT_NEAR(motion.at(kEnd, "DIFF/1"), y[2], allowed);
  }
}

std::string pendulum_with(const std::string& statements) {
  return "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\nPART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2, QP=1,0,0\nMARKER/21, PART=2\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n" +
         statements + "END\n";
}

// Of a state that jumps by itself it is not said, whoever else reads reactions, and SI2 is not advised where it is solved.
TEST(Robust, OnlyStatesThatFollowReactionsAreSaidTo) {
  const std::string jumps = "DIFF/2, FUNCTION=IF(TIME-0.0012345: 0,0,1E4)\n",
                    reads = "VARIABLE/1, FUNCTION=JOINT(1,0,3,1)\n";
  const std::pair<std::string, bool> cases[] = {
      {jumps + reads + "INTEGRATOR/GSTIFF, ERROR=1E-5, HMIN=1E-7\n", false},
      {jumps + reads + "DIFF/1, FUNCTION=VARVAL(1)\nINTEGRATOR/HHT, ERROR=1E-5, HMIN=1E-6\n", false},
      {"DIFF/2, FUNCTION=IF(TIME-0.0012345: 0,0,1E4)+VARVAL(1)\n" + reads +
           "INTEGRATOR/GSTIFF, SI2, ERROR=1E-5, HMIN=1E-7\n",
       false},
      {"DIFF/2, FUNCTION=IF(TIME-0.0012345: 0,0,1E4)+VARVAL(1)\n" + reads +
           "INTEGRATOR/GSTIFF, I3, ERROR=1E-5, HMIN=1E-7\n",
       true},
  };
  for (const auto& [statements, told] : cases) {
    Mechanism m(pendulum_with(statements));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.01, 0.05));
    EXPECT_FALSE(motion.result.ok) << statements;
    EXPECT_THAT(motion.messages(), HasSubstr("largest error      DIFF/2 state"));
    EXPECT_EQ(motion.messages().find("follows a reaction") != std::string::npos, told)
        << statements << motion.messages();
  }
}

// A mass slides along an arm that is turned: the work of the motor took 919,184 steps of index 3 at 1e-6, and 22,668 of WSTIFF at 1e-5.
TEST(Robust, WorkByAReactionTakesFewSteps) {
  for (const char* integrator :
       {"GSTIFF, ERROR=1E-6", "WSTIFF, ERROR=1E-5", "WSTIFF, ERROR=1E-4", "GSTIFF, ERROR=1E-5"}) {
    Mechanism m(R"(arm
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=5, CM=20, IP=1,1,1
MARKER/20, PART=2
MARKER/21, PART=2, REULER=90D,90D,0
PART/3, MASS=2, CM=30, IP=0.1,0.1,0.1, QG=1,0,0, VY=3
MARKER/30, PART=3
MARKER/31, PART=3, REULER=90D,90D,0
JOINT/1, REVOLUTE, I=20, J=1
JOINT/2, TRANSLATIONAL, I=31, J=21
MOTION/1, JOINT=1, ROTATIONAL, FUNCTION=3*TIME+0.2*TIME**2
SPRINGDAMPER/1, TRANSLATIONAL, I=30, J=20, K=100, C=0.5, LENGTH=0.8
DIFF/1, FUNCTION=MOTION(1,0,8,0)*WZ(20)
INTEGRATOR/)" + std::string(integrator) +
                "\nEND\n");
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.05, 3));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    EXPECT_LT(motion.result.loop.counts.steps, 1000) << integrator;
  }
}

// A coupler's or a gear's reaction is one as a joint's is.
TEST(Robust, SI2IsSolvedForStatesThatFollowAnyReaction) {
  const std::string coupled =
      "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\nMARKER/31, PART=3\nJOINT/2, REVOLUTE, I=31, J=1\n"
      "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,2\n";
  for (const char* reads : {"COUPLER(1,0,8,1)", "JOINT(1,0,3,1)", "FX(21,1,1)"}) {
    Mechanism m(
        pendulum_with(coupled + "DIFF/1, FUNCTION=" + reads + "-DIF(1)\nINTEGRATOR/GSTIFF, ERROR=1E-7\n"));
    EXPECT_EQ(analysis::dynamic_settings(m.read.model).formulation, model::Integrator::Formulation::si2)
        << reads;
  }
}

// What IC/ERROR lets assembly leave is closed: the error of a step would see it whatever the step is. All links are written at the origin.
TEST(Robust, WhatWasAssembledBeginsAtATightError) {
  std::string links;
  for (int k = 0; k < 4; ++k)
    links += fmt::format(
        "PART/{0}, MASS={1}, CM={0}0, IP={2},.15,{3}\nMARKER/{0}0, PART={0}, QP=.3,{4},-{5}\n"
        "MARKER/{0}1, PART={0}, REULER={6}D,{7}D,0\nMARKER/{0}5, PART={8}, QP={9}, REULER={6}D,{7}D,0\n"
        "JOINT/{0}, {10}, I={0}1, J={0}5\n",
        k + 2, 1 + 0.3 * k, 0.1 + 0.02 * k, 0.2 + 0.01 * k, 0.05 * k, 0.1 * k, 10 * k, 20 * k + 5, k + 1,
        k == 0 ? "0,0,0" : ".6,.1,0", k == 1 ? "REVOLUTE" : "SPHERICAL");
  for (const char* formula : {"RADAU5, ERROR=1E-9", "RADAU5, SI2, ERROR=1E-9", "GSTIFF, SI2, ERROR=1E-12"}) {
    Mechanism m(
        fmt::format("links\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n{}"
                    "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/{}\nEND\n",
                    links, formula));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_EQ(m.assembled.iterations, 3);
    EXPECT_LT(m.assembled.violation, 1e-12);
    const Motion motion = simulate(m, {0.1});
    EXPECT_TRUE(motion.result.ok) << formula << motion.messages();
  }
}

const char* const kFriction =
    "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=IF(VZ(20,1,1): 10, 0, -10) + 5*SIN(3*TIME)\n";

// A step that fails across a jump names what jumped, and not what merely follows it.
TEST(Robust, TheExpressionThatJumpsIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {kFriction, "SFORCE/1 jumps from "},
      {"MOTION/1, JOINT=1, FUNCTION=IF(TIME-0.5: 0, 0, 0.1)\nSPRINGDAMPER/1, TRANSLATION, I=20, J=1, K=1E5, "
       "C=1, "
       "LENGTH=1\n",
       "MOTION/1 jumps by 0.1 at t = 0.5"},
      {"VARIABLE/1, FUNCTION=IF(VZ(20,1,1): 10, 0, -10)\nSFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
       "FUNCTION=VARVAL(1) + 5*SIN(3*TIME)\n",
       "VARIABLE/1 jumps by "},
  };
  for (const auto& [statements, told] : cases) {
    Mechanism m(slider(statements));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, 1));
    EXPECT_FALSE(motion.result.ok);
    expect_finite(motion);
    EXPECT_THAT(motion.messages(), HasSubstr(told));
    EXPECT_THAT(motion.messages(), HasSubstr("try: STEP over a finite width instead of IF"));
  }
}

TEST(Robust, ASteepFunctionIsNoJump) {
  Mechanism m(
      slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=1E4*SIN(20*TIME)\nINTEGRATOR/GSTIFF, "
             "HMIN=0.1, ERROR=1E-6\n"));
  const Motion motion = simulate(m, every(0.4, 4));
  EXPECT_FALSE(motion.result.ok);
  EXPECT_THAT(motion.messages(), testing::Not(HasSubstr("jumps from")));
  EXPECT_THAT(motion.messages(), testing::Not(HasSubstr("jumps by")));
}

// The angle of a part that is turned faster and faster is counted from the other side where a step fails: a whole turn, no jump.
TEST(Robust, ATurnThatGrowsTooFastIsNoJump) {
  Mechanism m(
      "driven\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.01,0.01,0.02\nMARKER/20, "
      "PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION=EXP(1500*TIME)\nEND\n");
  const Motion motion = simulate(m, every(0.1, 1));
  EXPECT_FALSE(motion.result.ok);
  EXPECT_THAT(motion.messages(), testing::Not(HasSubstr("jumps by")));
}

// What the corrector leaves of a constraint is noise: a joint is not blamed for it where steps are short for another reason.
TEST(Robust, RoundingOfAJointIsNoJump) {
  Mechanism m(
      "two rotors\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.2, WZ=200\n"
      "MARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=1\nMARKER/21, PART=2, REULER=0,90D,0\n"
      "PART/3, MASS=1, CM=30, IP=0.01,0.01,0.01\nMARKER/30, PART=3, REULER=0,90D,0\n"
      "JOINT/2, REVOLUTE, I=30, J=21\nMOTION/1, JOINT=2, ROTATION, FUNCTION=300*TIME\n"
      "INTEGRATOR/NEWMARK\nEND\n");
  const Motion motion = simulate(m, every(0.1, 0.2));
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  for (const std::string& note : motion.notes) EXPECT_THAT(note, testing::Not(HasSubstr("jumps by")));
}

// Methods that get through, with steps of a microsecond, say what makes them short.
TEST(Robust, ChatterIsTold) {
  for (const char* integrator : {"HHT", "GSTIFF, SI2"}) {
    Mechanism m(slider(kFriction + fmt::format("INTEGRATOR/{}\n", integrator)));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(1e-3, 1e-3));
    ASSERT_TRUE(motion.result.ok) << integrator << motion.messages();
    ASSERT_FALSE(motion.notes.empty()) << integrator;
    EXPECT_THAT(motion.notes.front(), HasSubstr("were rejected; SFORCE/1 jumps from ")) << integrator;
    EXPECT_LT(motion.notes.size(), 6u);  // not a line for each window
  }
}

// A crank of 1 and a rod of 0.8 cannot go round.
TEST(Robust, AnImpossibleMotionIsNamed) {
  for (const char* integrator : {"GSTIFF", "HHT", "GSTIFF, SI2"}) {
    Mechanism m(fmt::format(R"(locks
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
MARKER/2, PART=1, QP=1.8,0,0, REULER=90D,90D,0
PART/2, MASS=1, CM=29, IP=.1,.1,.1
MARKER/29, PART=2, QP=0.5,0,0
MARKER/21, PART=2
MARKER/22, PART=2, QP=1,0,0
PART/3, MASS=1, CM=39, IP=.1,.1,.1
MARKER/39, PART=3, QP=1.4,0,0
MARKER/31, PART=3, QP=1,0,0
MARKER/32, PART=3, QP=1.8,0,0
PART/4, MASS=1, CM=49, IP=.1,.1,.1
MARKER/49, PART=4, QP=1.8,0,0
MARKER/42, PART=4, QP=1.8,0,0, REULER=90D,90D,0
JOINT/1, REVOLUTE, I=21, J=1
JOINT/2, REVOLUTE, I=22, J=31
JOINT/3, SPHERICAL, I=32, J=49
JOINT/4, TRANSLATIONAL, I=42, J=2
MOTION/1, JOINT=1, FUNCTION=TIME
INTEGRATOR/{}
END
)",
                            integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, 3));
    EXPECT_FALSE(motion.result.ok);
    expect_finite(motion);
    EXPECT_NEAR(m.assembled.state.t, std::asin(0.8), 1e-3) << integrator;
    EXPECT_THAT(motion.messages(), HasSubstr("close to losing rank here: MOTION/1")) << integrator;
  }
}

// Three parallel cranks: the third is implied by the two others, in any unit. Shorter by `off` with its foot that much higher, it is
// so only while all three stand upright.
std::string parallel_cranks(double unit, double off, const char* integrator) {
  std::string text =
      fmt::format("cranks\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH={}, TIME=SECOND\nPART/1, GROUND\n",
                  unit == 1 ? "METER" : "MILLIMETER");
  const double I = unit * unit / 12;
  for (int k = 0; k < 3; ++k) {
    const double x = k * unit, foot = k == 2 ? off * unit : 0.0;
    text += fmt::format(
        "MARKER/{0}, PART=1, QP={1},{2},0\nPART/{3}, MASS=1, CM={3}9, IP={4},{4},{4}\n"
        "MARKER/{3}9, PART={3}, QP={1},{5},0\nMARKER/{3}1, PART={3}, QP={1},{2},0\n"
        "MARKER/{3}2, PART={3}, QP={1},{6},0\nJOINT/{0}, REVOLUTE, I={3}1, J={0}\n",
        k + 1, x, foot, k + 2, I, unit / 2, unit);
  }
  text +=
      fmt::format("PART/5, MASS=2, CM=59, IP={0},{0},{0}\nMARKER/59, PART=5, QP={1},{1},0\n", 4 * I, unit);
  for (int k = 0; k < 3; ++k)
    text += fmt::format("MARKER/5{0}, PART=5, QP={1},{2},0\nJOINT/{3}, REVOLUTE, I={4}2, J=5{0}\n", k + 1,
                        k * unit, unit, k + 4, k + 2);
  return text +
         fmt::format(
             "ACCGRAV/JGRAV={}\nSFORCE/1, ROTATION, ACTIONONLY, I=21, J=1, FUNCTION={}\nINTEGRATOR/{}\nEND\n",
             -9.80665 * unit, 50 * unit, integrator);
}

TEST(Robust, RedundantRowsHoldInEveryUnit) {
  for (const char* integrator : {"GSTIFF", "GSTIFF, ERROR=1E-2", "HHT, ERROR=1E-3", "GSTIFF, AUGMENTED=ON"}) {
    for (const double unit : {1.0, 1000.0}) {
      Mechanism m(parallel_cranks(unit, 0, integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      EXPECT_EQ(m.assembled.redundant.size(), 7u);
      const Motion motion = simulate(m, every(0.05, 1));
      EXPECT_TRUE(motion.result.ok) << integrator << ", " << unit << ": " << motion.messages();
    }
  }
}

TEST(Robust, ARedundantRowThatTurnsIncompatibleIsNamed) {
  for (const char* integrator : {"GSTIFF", "GSTIFF, AUGMENTED=ON"}) {
    for (const double unit : {1.0, 1000.0}) {
      Mechanism m(parallel_cranks(unit, 0.2, integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(0.05, 1));
      EXPECT_FALSE(motion.result.ok) << unit;
      expect_finite(motion);
      // Where they take part they hold it.
      const bool kept = m.read.model.single<model::Integrator>()->augmented.given();
      EXPECT_EQ(motion.result.loop.end,
                kept ? integrate::LoopEnd::step_too_small : integrate::LoopEnd::redundancy)
          << integrator << ", " << unit << ": " << motion.messages();
      EXPECT_THAT(motion.messages(), HasSubstr("contradict")) << unit;
      EXPECT_THAT(motion.messages(), HasSubstr("JOINT/")) << unit;
    }
  }
}

// Nothing contradicts where a coarse fixed step leaves all of a hinge's equations open alike: it is told as a violation.
TEST(Robust, WhatTheCorrectorLeavesOpenIsNoContradiction) {
  const std::string hinge = "JOINT/2, REVOLUTE, I=22, J=2\n", coarse = "INTEGRATOR/CONSTANT_BDF, ERROR=0.1";
  for (const std::string& statements : {hinge + coarse + "\n", coarse + ", AUGMENTED=ON\n"}) {
    Mechanism m(
        "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,1\nPART/2, MASS=2, CM=20, IP=.1,.1,.1\n"
        "MARKER/20, PART=2, QP=1,0,0\nMARKER/21, PART=2\nMARKER/22, PART=2, QP=0,0,1\n"
        "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n" +
        statements + "END\n");
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.5, 20));
    EXPECT_TRUE(motion.result.ok) << statements << motion.messages();
    EXPECT_GT(motion.result.loop.counts.worst_violation, 1e-4);
  }
}

// The longest step follows the longest output step, not a short rest of one.
TEST(Robust, AShortLastOutputStepCostsNothing) {
  const char* statement = "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=SIN(TIME)\n";
  Mechanism a(slider(statement)), b(slider(statement));
  const Motion even = simulate(a, {0.25, 0.5, 0.75, 1.0}),
               short_rest = simulate(b, {0.25, 0.5, 0.75, 1.0, 1.0001});
  ASSERT_TRUE(short_rest.result.ok);
  EXPECT_LE(short_rest.result.loop.counts.steps, even.result.loop.counts.steps + 5);
}

TEST(Robust, HhtDoesNotTakeSi2) {
  Mechanism plain(test::simple_pendulum("HHT")), mixed(test::simple_pendulum("HHT, SI2"));
  EXPECT_THAT(analysis::dynamic_settings(mixed.read.model).notes, testing::ElementsAre(HasSubstr("SI2")));
  const Motion a = simulate(plain, every(0.1, 1)), b = simulate(mixed, every(0.1, 1));
  EXPECT_EQ(a.at(1, "PART/2.X"), b.at(1, "PART/2.X"));
}

// β = 1/6 takes the leading term of the local error away, not the error.
TEST(Robust, NewmarkOfLinearAccelerationIsControlled) {
  Mechanism m(
      slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=100*(1-DZ(20,1,1))\n"
             "INTEGRATOR/NEWMARK, BETA=0.16666666666666666, GAMMA=0.5, ERROR=1E-5\n"));
  const Motion motion = simulate(m, every(1, 1));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  // ERROR of position each step, and ω·ERROR of velocity, which goes on for a second.
  EXPECT_NEAR(motion.at(1, "PART/2.Z"), 1 - std::cos(10),
              (1 + 10) * 1e-5 * static_cast<double>(motion.result.loop.counts.steps));
}

// Accelerations do not ask for slopes by position, so one that is infinite at the start does no harm there; the steps that do
// ask for it name the equation, and nothing innocent.
TEST(Robust, AnInfiniteSlopeIsNoLoop) {
  Mechanism m(
      slider("VARIABLE/1, FUNCTION=2\nSFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
             "FUNCTION=1-SQRT(ABS(DZ(20,1,1)))\n"));
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(m.sample().at("PART/2.ACCZ"), 1, 1e-12);
  const Motion motion = simulate(m, every(0.1, 1));
  expect_finite(motion);
  EXPECT_THAT(motion.messages(), testing::Not(HasSubstr("loop")));
  EXPECT_THAT(motion.messages(), testing::Not(HasSubstr("singular")));
}

TEST(Robust, NotANumberIsNamed) {
  Mechanism m(slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=10+SQRT(0.5-DZ(20,1,1))\n"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.01, 2));
  EXPECT_FALSE(motion.result.ok);
  expect_finite(motion);
  EXPECT_THAT(motion.messages(), HasSubstr("not a number"));
  EXPECT_THAT(motion.messages(), HasSubstr("PART/2"));
  EXPECT_GT(motion.rows.size(), 5u);  // what was computed is kept
}

TEST(Robust, HminIsSaid) {
  Mechanism m(
      slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=1E4*SIN(1E3*TIME)\n"
             "INTEGRATOR/GSTIFF, ERROR=1E-12, HMIN=1E-3, HINIT=1E-3\n"));
  const Motion motion = simulate(m, every(0.1, 1));
  EXPECT_FALSE(motion.result.ok);
  EXPECT_THAT(motion.messages(), HasSubstr("HMIN"));
}

TEST(Robust, RejectedStepsLeaveNoTraceAndRunsRepeat) {
  const auto once = [] {
    Mechanism m(test::governor("GSTIFF, ERROR=1e-5"));
    return simulate(m, every(0.1, 1));
  };
  const Motion a = once(), b = once();
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    for (const auto& [name, value] : a.rows[k]) EXPECT_EQ(value, b.rows[k].at(name)) << name;
  }
}

// Three masses on springs of 1e6, 1e8 and 1e12 N/m in a row: the slow motion sets the step. (Each on a spring of its own, as a paper has
// them: independent_test.cpp.)
TEST(Robust, StiffSpringsAreStepped) {
  std::string text = R"(stiff
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
)";
  const char* k[] = {"1E6", "1E8", "1E12"};
  for (int i = 0; i < 3; ++i) {
    const int p = i + 2;
    text +=
        fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1,1,1, QG=0,0,{1}\nMARKER/{0}0, PART={0}\n", p, i + 1.0);
    text += fmt::format("JOINT/{}, TRANSLATIONAL, I={}0, J=1\n", i + 1, p);
    text += fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}0, J={}, K={}, C=1, LENGTH=1\n", i + 1, p,
                        i == 0 ? std::string("1") : fmt::format("{}0", p - 1), k[i]);
  }
  text += "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=40, J=1, FUNCTION=1E3*SIN(10*TIME)\n";
  for (const char* integrator : {"HHT, ERROR=1E-5", "GSTIFF, ERROR=1E-5"}) {
    Mechanism m(text + fmt::format("INTEGRATOR/{}\nEND\n", integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.01, 1));
    ASSERT_TRUE(motion.result.ok) << integrator << motion.messages();
    expect_finite(motion);
    // Quasi-static: the force passes through the first spring.
    EXPECT_NEAR(motion.at(0.5, "PART/2.Z"), 1 + 1e3 * std::sin(5) / 1e6, 2e-4) << integrator;
    EXPECT_LT(motion.result.loop.counts.steps, 20000) << integrator;
  }
}

// The condition number of the iteration matrix does not depend on the step (the scaling paper's Table 1, in our terms). The
// governor's stiff springs and dampers take part in long steps: K h² and C h are not small against its masses above 1e-4.
TEST(Robust, ConditionOfTheMatrixIsFlatInTheStep) {
  const std::pair<std::string, double> cases[] = {
      {test::simple_pendulum("HHT"), 1e-1}, {test::four_bars(1, "HHT"), 1e-1}, {test::governor("HHT"), 1e-4}};
  for (const auto& [text, longest] : cases) {
    Mechanism m(text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto condition = [&](integrate::Formula& formula, double h) {
      solve::StageSolver corrector(*m.system, m.assembled.active, false, {});
      system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
      formula.start({&m.assembled.state, 1});
      assembly::State trial = m.assembled.state;
      formula.step(h, corrector, work, trial);
      return corrector.lu().condition(corrector.equations().matrix());
    };
    double smallest = 1e300, largest = 0;
    for (double h = longest; h > 0.5e-8; h /= 10) {
      integrate::Newmark hht(m.system->layout(), formulas::hht_table(-0.3), 1e-5);
      integrate::Multistep bdf(m.system->layout(), {}, 1e-5);
      for (const double c : {condition(hht, h), condition(bdf, h)}) {
        smallest = std::min(smallest, c);
        largest = std::max(largest, c);
      }
    }
    EXPECT_LT(largest, 4 * smallest);
  }
}

// A skate: what it may not do is slip sideways (Chaplygin's sleigh). Stages that are solved together once repeated one step for ever.
TEST(Robust, ASkateRunsWithStagesSolvedTogether) {
  for (const char* integrator : {"GAUSS4", "MIDPOINT", "RADAU5", "ENERGY_DECAYING"}) {
    Mechanism m(fmt::format(
        "sleigh\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
        "PART=1\n"
        "PART/2, MASS=2, CM=20, IP=.5,.5,.5, QG=0.3,0,0, VX=1, VY=0.6, WZ=2\nMARKER/20, PART=2\n"
        "MARKER/21, PART=2, QP=-0.3,0,0\nJOINT/1, PLANAR, I=20, J=1\nGCON/1, FUNCTION=VY(21,1,21)\n"
        "INTEGRATOR/{}\nEND\n",
        integrator));
    const Motion motion = simulate(m, every(0.1, 0.5));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    // Nothing does work.
    EXPECT_NEAR(motion.energy.back(), motion.energy.front(), 1e-3 * motion.energy.front()) << integrator;
  }
}

// Whoever asks for it: a script, a study or a program.
TEST(Robust, AFormulaWhoseNumbersFailAConditionDoesNotRun) {
  Mechanism m(slider("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/GALPHA, RHO=0.5\n"));
  analysis::DynamicSettings settings = analysis::dynamic_settings(m.read.model);
  ASSERT_TRUE(settings.failed.empty());
  formulas::NewmarkTable table = formulas::generalized_alpha_table(0.5);
  table.gamma += 0.01;
  settings.failed = formulas::conditions(table);
  const State before = m.assembled.state;
  const auto result = analysis::dynamics(*m.system, m.assembled, 1.0, {1.0}, settings, {});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(m.assembled.state.t, before.t);
  ASSERT_FALSE(result.loop.messages.empty());
  EXPECT_THAT(std::string(result.loop.messages[0]), HasSubstr("fail a condition: "));
  EXPECT_THAT(std::string(result.loop.messages[0]), HasSubstr("order 2"));
}

}  // namespace
}  // namespace trunnion
