// What every formula of the catalogue must show, by being listed there: its conditions, its order in positions, velocities and reactions at
// equal and at changing steps, its dense output, that a step which is not accepted leaves no trace, that steps allocate nothing,
// and that it runs where there is nothing to move.

#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/mechanisms.hpp"
#include "integrate/registry.hpp"
#include "integrate/step_loop.hpp"
#include "support/count_allocations.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::Mechanism;

// A formula with its form of the equations, as INTEGRATOR names it.
struct Listed {
  int index;
  bool si2;
  double rho;
  const formulas::Entry& entry() const { return formulas::entry(index); }
  std::string name() const {
    std::string text = fmt::format("{}_{}", entry().keyword,
                                   si2                         ? "SI2"
                                   : formulas::index2(entry()) ? "I2"
                                                               : "I3");
    if (entry().damping == formulas::Damping::rho) text += fmt::format("_rho{:.0f}", 100 * rho);
    return text;
  }
  integrate::FormulaSettings settings() const {
    integrate::FormulaSettings s;
    s.parameters.rho = rho;
    // NEWMARK of order 2; BDF of an order that allows steps to change at once by a factor of two.
    s.parameters.beta = 0.25;
    s.parameters.gamma = 0.5;
    s.kmax = 2;
    s.constant = true;
    s.stabilised = si2;
    s.error = 1e-9;
    return s;
  }
  std::unique_ptr<integrate::Formula> make(const Mechanism& m) const {
    return integrate::make_formula(entry(), m.system->layout(), settings());
  }
};

std::vector<Listed> all_listed() {
  std::vector<Listed> all;
  for (int k = 0; k < static_cast<int>(formulas::catalogue().size()); ++k) {
    const formulas::Entry& entry = formulas::entry(k);
    if (formulas::is<formulas::NotYet>(entry)) continue;
    std::vector<double> rhos{entry.rho};
    if (entry.damping == formulas::Damping::rho) rhos = {0, 0.6};
    for (const double rho : rhos) {
      if (entry.i3 || formulas::index2(entry)) all.push_back({k, false, rho});
      if (entry.si2) all.push_back({k, true, rho});
    }
  }
  return all;
}

class Listing : public testing::TestWithParam<Listed> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, Listing, testing::ValuesIn(all_listed()),
                         [](const auto& which) { return which.param.name(); });

TEST_P(Listing, NumbersMeetTheirConditions) {
  for (const std::string& failed :
       formulas::failed_conditions(GetParam().entry(), GetParam().settings().parameters))
    ADD_FAILURE() << failed;
}

// A run by the formula alone, no step rejected.
class Driver {
 public:
  Driver(const Mechanism& m, const Listed& listed)
      : m_(m),
        si2_(listed.si2),
        rows_(integrate::rows_of(listed.entry())),
        formula(listed.make(m)),
        corrector(*m.system, m.assembled.active, listed.si2, settings(), rows_),
        work(*m.system, assembly::AnalysisMode::dynamics),
        now(m.assembled.state),
        trial(now) {
    formula->start({&now, 1});
  }
  // By a solver of its own: the pivots of another matrix would be seen in the last digits.
  solve::Outcome try_elsewhere(double h) {
    solve::StageSolver other(*m_.system, m_.assembled.active, si2_, settings(), rows_);
    return formula->step(h, other, work, trial);
  }
  solve::Outcome try_step(double h) { return formula->step(h, corrector, work, trial); }
  void accept() {
    formula->error(trial);
    formula->next_step(0.5, 1e9);
    m_.system->accept(trial, work);
    formula->accept(trial);
    now = trial;
  }
  void run(const std::vector<double>& steps) {
    for (const double h : steps) {
      ASSERT_EQ(try_step(h), solve::Outcome::converged) << "at " << now.t;
      accept();
    }
  }

 private:
  static solve::CorrectorSettings settings() {
    solve::CorrectorSettings s;
    s.c = 1e-4;  // of ERROR: far below the errors compared, above rounding
    s.maxit = 30;
    s.pattern = {1};
    return s;
  }
  const Mechanism& m_;
  bool si2_;
  solve::StageEquations::Rows rows_;

 public:
  std::unique_ptr<integrate::Formula> formula;
  solve::StageSolver corrector;
  system::System::Workspace work;
  State now, trial;
};

enum class Lengths { equal, alternating, random };
std::vector<double> steps_of(Lengths lengths, double span, int count) {
  std::vector<double> h(static_cast<std::size_t>(count), 1.0);
  std::mt19937_64 random(7);
  for (std::size_t k = 0; k < h.size(); ++k) {
    if (lengths == Lengths::alternating) h[k] = k % 2 == 0 ? 1 : 2;
    if (lengths == Lengths::random) h[k] = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
  }
  double sum = 0;
  for (const double x : h) sum += x;
  for (double& x : h) x *= span / sum;
  return h;
}

struct Final {
  Eigen::VectorXd q, v, lambda;
};
Final final_of(const Mechanism& m, const Listed& listed, Lengths lengths, double span, int count) {
  Driver driver(m, listed);
  driver.run(steps_of(lengths, span, count));
  return {driver.now.q, driver.now.v, driver.now.lambda};
}
// By another formula than those it is compared with, but for RADAU5 itself, which ESDIRK46 and GAUSS4 meet there; reactions as the
// equations of motion have them.
Final reference_of(const Mechanism& m, double span, int count) {
  Driver driver(m, {formulas::index_of("RADAU5"), true, 0});
  driver.run(steps_of(Lengths::equal, span, count));
  EXPECT_TRUE(driver.corrector.accelerations(driver.now, driver.work));
  return {driver.now.q, driver.now.v, driver.now.lambda};
}

// What theory leaves of a formula's order (docs/theory/formulas.md); 0: nothing is promised.
struct Promise {
  double q, v, lambda;
};
Promise promise_of(const Listed& listed, Lengths lengths) {
  const formulas::Entry& entry = listed.entry();
  // Constraints at the stages (E. Hairer, C. Lubich, M. Roche 1989): on index 3 q, v and λ have 2s − 1, s and s − 1, on index 2 2s − 1,
  // 2s − 1 and s. What ends on the constraints has all of its order.
  if (formulas::is<formulas::CollocationType>(entry)) {
    const double s = entry.stages, order = entry.order;
    if (formulas::index2(entry)) return {order, order, order};
    const Promise p = listed.si2 ? Promise{order, order, s} : Promise{order, s, s - 1};
    if (lengths == Lengths::random) return {p.q, listed.si2 ? p.v : 0, 0};  // as below
    return p;
  }
  // Over independent coordinates, orders above 4 and reactions are better than what they would be compared with:
  // tests/dynamics/independent_test.cpp sees them.
  if (formulas::on_independent_coordinates(entry)) {
    if (formulas::is<formulas::ExplicitType>(entry)) return {0, 0, 0};
    const double order = formulas::index_of("ABAM") == listed.index ? 2 : 3;
    return {order, order, 0};
  }
  if (formulas::is<formulas::AutomaticType>(entry)) return {2, 2, 0};  // ABAM's: nothing here is stiff
  const bool equal = lengths == Lengths::equal, inner = entry.stages > 1;
  const double order = formulas::is<formulas::Bdf>(entry) ? 2 : std::min(entry.order, listed.si2 ? 3 : 2);
  // Without damping the reactions of index 3 swing with growing size, and changing steps feed that.
  const bool undamped = entry.damping == formulas::Damping::none || entry.damping == formulas::Damping::gamma;
  if (undamped && !listed.si2) return equal ? Promise{order, order, 0} : Promise{0, 0, 0};
  // Steps of random lengths end on lengths that have nothing to do with each other: reactions, and velocities on index 3, follow those.
  if (lengths == Lengths::random) return {order, listed.si2 ? order : 0, 0};
  const double lambda = listed.si2 ? (inner || (undamped && !equal) ? 1 : 2) : (inner || !equal ? 1 : 2);
  return {order, order, lambda};
}

// Found once for each mechanism.
const Final& truth_of(const test::Moving& c, const Mechanism& m) {
  static std::map<std::string, Final> known;
  const auto [at, fresh] = known.try_emplace(c.name);
  if (fresh) at->second = reference_of(m, c.span, 320 * c.finer);
  return at->second;
}

TEST_P(Listing, HasItsOrder) {
  for (const test::Moving& c : test::moving_mechanisms()) {
    const Mechanism m(c.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Final& truth = truth_of(c, m);
    for (const Lengths lengths : {Lengths::equal, Lengths::alternating, Lengths::random}) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, static_cast<int>(lengths)));
      const Promise promise = promise_of(GetParam(), lengths);
      const int n = (promise.q > 3 ? 24 : 80) * c.finer;  // errors well above rounding
      const Final a = final_of(m, GetParam(), lengths, c.span, n),
                  b = final_of(m, GetParam(), lengths, c.span, 2 * n);
      const auto expect = [&](auto what, double promised) {
        constexpr double kLeft = 0.5;  // the leading term is not alone yet: neighbouring orders stay apart
        if (promised == 0) return;
        EXPECT_GT(std::log2((a.*what - truth.*what).norm() / (b.*what - truth.*what).norm()),
                  promised - kLeft);
      };
      expect(&Final::q, promise.q);
      expect(&Final::v, promise.v);
      expect(&Final::lambda, promise.lambda);
    }
  }
}

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
