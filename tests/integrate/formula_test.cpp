// What every formula of the catalogue must show, by being listed there: its conditions, its order in positions, velocities and reactions at
// equal and at changing steps, its dense output, that a step which is not accepted leaves no trace, that steps allocate nothing,
// and that it runs where there is nothing to move.

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "integrate/listed.hpp"
#include "integrate/mechanisms.hpp"
#include "support/count_allocations.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::all_listed;
using test::Driver;
using test::Final;
using test::final_of;
using test::Lengths;
using test::Listed;
using test::Mechanism;
using test::Promise;
using test::promise_of;
using test::reference_of;

class Listing : public testing::TestWithParam<Listed> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, Listing, testing::ValuesIn(all_listed()),
                         [](const auto& which) { return which.param.name(); });

TEST_P(Listing, NumbersMeetTheirConditions) {
  for (const std::string& failed :
       formulas::failed_conditions(GetParam().entry(), GetParam().settings().parameters))
    ADD_FAILURE() << failed;
}

// Found once for each mechanism.
const Final& truth_of(const test::Moving& c, const Mechanism& m) {
  static std::map<std::string, Final> known;
  const auto [at, fresh] = known.try_emplace(c.name);
  if (fresh) at->second = reference_of(m, c.span, 320 * c.finer);
  return at->second;
}

void expect_orders(const Listed& listed, std::span<const test::Moving> mechanisms) {
  for (const test::Moving& c : mechanisms) {
    const Mechanism m(c.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Final& truth = truth_of(c, m);
    for (const Lengths lengths : {Lengths::equal, Lengths::alternating, Lengths::random}) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, static_cast<int>(lengths)));
      const Promise promise = promise_of(listed, lengths);
      const int n = (promise.q > 3 ? 24 : 80) * c.finer;  // errors well above rounding
      // Of random steps the long ones decide, and their errors change sign by chance: over a longer way that counts less.
      const int finer = lengths == Lengths::random && promise.q <= 3 ? 4 : 2;
      const Final a = final_of(m, listed, test::steps_of(lengths, c.span, n)),
                  b = final_of(m, listed, test::finer_steps(lengths, c.span, n, finer));
      const auto expect = [&](auto what, double promised) {
        // The leading term is not alone yet: neighbouring orders stay apart. Less so of high orders, whose steps are few.
        const double left = promised > 3 ? 0.7 : 0.5;
        if (promised == 0) return;
        const double ratio = (a.*what - truth.*what).norm() / (b.*what - truth.*what).norm();
        EXPECT_GT(std::log(ratio) / std::log(finer), promised - left);
      };
      expect(&Final::q, promise.q);
      expect(&Final::v, promise.v);
      expect(&Final::lambda, promise.lambda);
    }
  }
}

TEST_P(Listing, HasItsOrder) { expect_orders(GetParam(), test::moving_mechanisms()); }
TEST_P(Listing, HasItsOrderInLoops) { expect_orders(GetParam(), test::loops()); }

// Within a step the motion is known as well as at its ends.
TEST_P(Listing, DenseOutputHasItsOrder) {
  constexpr double kDense = 4;  // cubics through both ends
  const Promise promise = promise_of(GetParam(), Lengths::equal);
  const double expected = std::min({promise.q, promise.v, kDense});
  const test::Moving& c = test::moving_mechanisms().front();
  const Mechanism m(c.text);
  const auto worst = [&](int count) {
    Driver coarse(m, GetParam()), fine(m, {formulas::index_of("ESDIRK46"), true, 0});
    double off = 0;
    constexpr int kFiner = 8;
    const double h = c.span / count;
    State within;
    for (int k = 0; k < count; ++k) {
      coarse.run({h});
      for (int i = 0; i < kFiner; ++i) {
        fine.run({h / kFiner});
        coarse.formula->interpolate(fine.now.t, within);
        off = std::max({off, (within.q - fine.now.q).norm(), (within.v - fine.now.v).norm()});
      }
    }
    return off;
  };
  EXPECT_GT(std::log2(worst(40) / worst(80)), expected - 0.3);
}

TEST_P(Listing, AStepNotAcceptedLeavesNoTrace) {
  const test::Moving& c = test::moving_mechanisms().back();
  const Mechanism m(c.text);
  Driver straight(m, GetParam()), hesitant(m, GetParam());
  const double h = c.span / 100;
  for (int k = 0; k < 12; ++k) {
    const double length = k % 5 == 4 ? h / 2 : h;
    ASSERT_EQ(hesitant.try_elsewhere(3 * h), solve::Outcome::converged);
    ASSERT_EQ(hesitant.try_step(length), solve::Outcome::converged);
    ASSERT_EQ(straight.try_step(length), solve::Outcome::converged);
    ASSERT_EQ(straight.trial.q, hesitant.trial.q) << k;
    ASSERT_EQ(straight.trial.v, hesitant.trial.v) << k;
    ASSERT_EQ(straight.trial.lambda, hesitant.trial.lambda) << k;
    straight.accept();
    hesitant.accept();
  }
}

TEST_P(Listing, StepsAllocateNothing) {
  if (!test::can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  const Mechanism m(test::moving_mechanisms().back().text);
  Driver driver(m, GetParam());
  driver.run(std::vector<double>(20, 1e-3));
  test::start_counting_allocations();
  long count = 0;
  for (int k = 0; k < 20; ++k) {
    driver.try_step(1e-3);
    driver.accept();
  }
  count = test::stop_counting_allocations();
  EXPECT_EQ(count, 0);
}

TEST_P(Listing, NothingToMoveIsNoFailure) {
  const Mechanism m("nothing\nPART/1, GROUND\nMARKER/1, PART=1\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  Driver driver(m, GetParam());
  driver.run({0.1, 0.2});
  EXPECT_NEAR(driver.now.t, 0.3, 1e-15);
  EXPECT_EQ(driver.formula->error(driver.trial), 0);
}

// The whole loop with error control, on a chain of 40 links with forces.
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

long allocations_of_steps(integrate::Formula& formula, const Mechanism& m, const Listed& listed) {
  solve::StageSolver corrector(*m.system, m.assembled.active, listed.si2, {},
                               integrate::rows_of(listed.entry()));
  integrate::LoopHooks hooks;
  long count = 0, steps = 0;
  hooks.accepted = [&](const integrate::StepAttempt& a, const State&) {
    constexpr long kWarm = 30;
    const long since = test::stop_counting_allocations();
    steps = a.step - kWarm;
    if (steps > 0) count += since;
    test::start_counting_allocations();
  };
  constexpr long kEnough = 60;
  hooks.interrupted = [&] { return steps > kEnough; };
  State state = m.assembled.state;
  integrate::integrate(*m.system, formula, corrector, state, 0.2, {}, {1e-4, 2e-3, 1e-12}, hooks);
  test::stop_counting_allocations();
  EXPECT_GT(steps, 20);
  return count;
}

TEST(Allocation, NoneInAStep) {
  if (!test::can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  test::start_counting_allocations();
  const Mechanism m(chain(40));
  EXPECT_GT(test::stop_counting_allocations(), 1000) << "the counter does not count";
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  for (const Listed& listed : all_listed()) {
    if (listed.entry().step != formulas::Steps::controlled) continue;
    integrate::FormulaSettings settings = listed.settings();
    settings.error = 1e-6;
    settings.constant = false;
    const auto formula = integrate::make_formula(listed.entry(), m.system->layout(), settings);
    EXPECT_EQ(allocations_of_steps(*formula, m, listed), 0) << listed.name();
  }
}

}  // namespace
}  // namespace trunnion
