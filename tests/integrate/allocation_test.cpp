// A step takes no memory from the heap: what it needs is made before the first one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"
#include "integrate/step_loop.hpp"
#include "support/count_allocations.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::Mechanism;

std::string chain(int links) {
  std::string text =
      "chain\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1, "
      "REULER=0,90D,0\n";
  for (int k = 2; k < links + 2; ++k) {
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1E-4,1E-3,1E-3, QG={1},0,0\nMARKER/{0}0, PART={0}\n",
                        k, 0.1 * (k - 2) + 0.05);
    text += fmt::format("MARKER/{0}1, PART={0}, QP=-0.05,0,0, REULER=0,90D,0\n", k);
    text += fmt::format("MARKER/{0}2, PART={0}, QP=0.05,0,0, REULER=0,90D,0\n", k);
    text += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={1}\n", k, k == 2 ? "1" : fmt::format("{}2", k - 1));
    text +=
        fmt::format("SFORCE/{0}, ROTATIONAL, I={0}0, J=1, FUNCTION=-0.01*WZ({0}0)-STEP(TIME,0,0,1,0.1)\n", k);
  }
  return text + "ACCGRAV/KGRAV=-9.81\nEND\n";
}

long allocations_of_steps(integrate::Formula& formula, const Mechanism& m, bool stabilised) {
  solve::Corrector corrector(*m.system, m.assembled.active, stabilised, {});
  solve::Consistent consistent(*m.system, m.assembled.active);
  integrate::LoopHooks hooks;
  long count = 0, steps = 0;
  hooks.accepted = [&](const integrate::StepAttempt& a, const State&) {
    constexpr long kWarm = 30;
    const long since = test::stop_counting_allocations();
    steps = a.step - kWarm;
    if (steps > 0) count += since;
    test::start_counting_allocations();
  };
  State state = m.assembled.state;
  const auto result = integrate::integrate(*m.system, formula, corrector, consistent, state, 0.2, {},
                                           {1e-4, 0.01, 1e-12}, hooks);
  test::stop_counting_allocations();
  EXPECT_EQ(result.end, integrate::LoopEnd::done);
  EXPECT_GT(steps, 20);
  return count;
}

TEST(Allocation, NoneInAStep) {
  if (!test::can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  test::start_counting_allocations();
  const Mechanism m(chain(40));
  EXPECT_GT(test::stop_counting_allocations(), 1000) << "the counter does not count";
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  for (const bool stabilised : {false, true}) {
    integrate::MultistepSettings s;
    s.stabilised = stabilised;
    integrate::Multistep bdf(m.system->layout(), s, 1e-5);
    EXPECT_EQ(allocations_of_steps(bdf, m, stabilised), 0) << stabilised;
  }
  integrate::Newmark hht(m.system->layout(), formulas::hht_table(-0.3), 1e-6);
  EXPECT_EQ(allocations_of_steps(hht, m, false), 0);
}

}  // namespace
}  // namespace trunnion
