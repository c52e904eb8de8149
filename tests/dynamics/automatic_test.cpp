// INTEGRATOR/AUTO: explicit where the motion allows it, implicit where it is stiff.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* kUnits = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";

std::string pendulum(const std::string& more, const std::string& integrator) {
  return fmt::format(
      "pendulum\n{}PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=1,0,0\n"
      "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n{}"
      "INTEGRATOR/{}\nEND\n",
      kUnits, more, integrator);
}

TEST(Automatic, IsAbamWhereNothingIsStiff) {
  Mechanism a(pendulum("", "AUTO, ERROR=1E-7")), b(pendulum("", "ABAM, ERROR=1E-7"));
  const Motion by_auto = simulate(a, every(0.5, 10)), by_abam = simulate(b, every(0.5, 10));
  ASSERT_TRUE(by_auto.result.ok) << by_auto.messages();
  EXPECT_EQ(by_auto.result.loop.counts.steps, by_abam.result.loop.counts.steps);
  EXPECT_EQ(by_auto.at(10, "PART/2.X"), by_abam.at(10, "PART/2.X"));
  EXPECT_TRUE(by_auto.notes.empty());
}

// A small mass on a stiff spring with a damper hangs on the pendulum's end: 1e4 rad/s.
const std::string kStiff =
    "MARKER/22, PART=2\nPART/3, MASS=0.01, CM=30, IP=1E-4,1E-4,1E-4, QG=1,0,0\nMARKER/30, PART=3\n"
    "BUSHING/1, I=30, J=22, K=1E6,1E6,1E6, C=100,100,100, KT=1E4,1E4,1E4, CT=1,1,1\n";

TEST(Automatic, HandsOverWhereItIsStiffAndSaysSo) {
  Mechanism a(pendulum(kStiff, "AUTO, ERROR=1E-6")), b(pendulum(kStiff, "GSTIFF, SI2, ERROR=1E-8"));
  const Motion by_auto = simulate(a, every(0.5, 5)), right = simulate(b, every(0.5, 5));
  ASSERT_TRUE(by_auto.result.ok) << by_auto.messages();
  EXPECT_THAT(by_auto.notes, Contains(HasSubstr("from here GSTIFF SI2: this motion is stiff")));
  const double n = static_cast<double>(by_auto.result.loop.counts.steps);
  EXPECT_LT(n, 10000);  // 5 s of explicit steps of 1e-4 s would be 50,000
  for (const double t : {1.0, 3.0, 5.0})
    EXPECT_NEAR(by_auto.at(t, "PART/2.X"), right.at(t, "PART/2.X"), 1e-6 * n) << t;
}

// A spring stiff for one second of three: back to the explicit formula after it.
TEST(Automatic, GoesBackWhereTheMotionIsSoftAgain) {
  const std::string text = pendulum(
      "SFORCE/1, ROTATIONAL, ACTIONONLY, I=21, J=1, "
      "FUNCTION=-STEP(TIME,1,0,1.1,1)*STEP(TIME,2,1,2.1,0)*(1E6*AZ(21,1)+1E4*"
      "WZ(21,1))\n",
      "AUTO, ERROR=1E-6");
  Mechanism a(text);
  long at_end = 0;
  analysis::DynamicHooks hooks;
  hooks.accepted = [&](const integrate::StepAttempt& step, const assembly::State&) { at_end = step.order; };
  const analysis::DynamicResult result = analysis::dynamics(*a.system, a.assembled, 20, every(0.5, 20),
                                                            analysis::dynamic_settings(a.read.model), hooks);
  ASSERT_TRUE(result.ok);
  EXPECT_GT(at_end, 6);  // orders that GSTIFF does not have
}

}  // namespace
}  // namespace trunnion::test
