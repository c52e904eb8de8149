// Trouble, and what is said about it: never a NaN, never a crash, always a name; and what the scaling of the matrix promises.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"

namespace trunnion {
namespace {

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

TEST(Robust, ChatterEndsWithAMessageOrIsPassed) {
  Mechanism m(
      slider("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=1-IF(DZ(20,1,1)-0.1: 0, 0, 1E6)\n"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 2));
  expect_finite(motion);
  if (!motion.result.ok) {
    EXPECT_THAT(motion.messages(), HasSubstr("t = "));
  }
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

// Three masses on springs of 1e6, 1e8 and 1e12 N/m in a row (paper 3): the slow motion sets the step.
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

// The condition number of the iteration matrix does not depend on the step (the scaling paper's Table 1, in our terms).
TEST(Robust, ConditionOfTheMatrixIsFlatInTheStep) {
  for (const std::string& text :
       {test::simple_pendulum("HHT"), test::four_bars(1, "HHT"), test::governor("HHT")}) {
    Mechanism m(text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto condition = [&](integrate::Method& method, double h) {
      solve::Corrector corrector(*m.system, m.assembled.active, false, {});
      system::System::Workspace work(*m.system);
      method.start(m.assembled.state);
      assembly::State trial = m.assembled.state;
      method.predict(h, trial);
      corrector.solve(method, trial, work);
      return corrector.lu().condition(corrector.sink().matrix());
    };
    double smallest = 1e300, largest = 0;
    // Above 1e-3 the governor's springs take part: K h² is not small there.
    for (double h = 1e-4; h > 0.5e-8; h /= 10) {
      integrate::Newmark hht(m.system->layout(), integrate::hht_table(-0.3), 1e-5);
      integrate::Multistep bdf(m.system->layout(), {}, 1e-5);
      for (const double c : {condition(hht, h), condition(bdf, h)}) {
        smallest = std::min(smallest, c);
        largest = std::max(largest, c);
      }
    }
    EXPECT_LT(largest, 4 * smallest);
  }
}

}  // namespace
}  // namespace trunnion
