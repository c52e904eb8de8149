// The observed order of every formula at fixed step in positions, velocities and reactions, as the formula gives them.

#include <cmath>

#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::Mechanism;

// Two bars in space: a spherical joint, a revolute one with a skew axis, turning out of plane.
constexpr const char* kDoublePendulum = R"(double pendulum
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1.5, CM=21, IP=0.02,0.3,0.31, QG=0.5,0,0, WZ=0.8
MARKER/21, PART=2
MARKER/22, PART=2, QP=-0.5,0,0
MARKER/23, PART=2, QP=0.5,0,0, REULER=20D,70D,10D
PART/3, MASS=0.7, CM=31, IP=0.01,0.1,0.12, QG=1.4,0,0, WY=1.1
MARKER/31, PART=3
MARKER/32, PART=3, QP=-0.4,0,0, REULER=20D,70D,10D
JOINT/1, SPHERICAL, I=22, J=1
JOINT/2, REVOLUTE, I=32, J=23
ACCGRAV/KGRAV=-9.81
END
)";

// A fast top held at its tip (Brüls, Cardona, Arnold).
constexpr const char* kHeavyTop = R"(heavy top
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=15, CM=21, IP=0.234375,0.46875,0.234375, QG=0,1,0, WY=150, WZ=-4.61538
MARKER/21, PART=2
MARKER/22, PART=2, QP=0,-1,0
JOINT/1, SPHERICAL, I=22, J=1
ACCGRAV/KGRAV=-9.81
END
)";

// A turning crank carries a pendulum; a controller with two states and a variable acts on it.
constexpr const char* kDriven = R"(driven pendulum with a controller
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=21, IP=0.1,0.1,0.1
MARKER/21, PART=2
MARKER/22, PART=2, QP=0.4,0,0, REULER=0,30D,0
PART/3, MASS=0.7, CM=31, IP=0.01,0.1,0.12, QG=0.9,0,0
MARKER/31, PART=3
MARKER/32, PART=3, QP=-0.5,0,0, REULER=0,30D,0
JOINT/1, REVOLUTE, I=21, J=1
MOTION/1, JOINT=1, ROTATION, FUNCTION=0.8*SIN(3*TIME)
JOINT/2, REVOLUTE, I=32, J=22
DIFF/1, IC=0.2, FUNCTION=4*(AZ(32,22)-DIF(1))
DIFF/2, IC=0, FUNCTION=DIF(1)-0.5*DIF(2)*DIF(2)
VARIABLE/1, FUNCTION=-2*DIF(1)-0.6*DIF(2)
SFORCE/1, ROTATIONAL, I=32, J=22, FUNCTION=VARVAL(1)-0.1*WZ(32,22)
ACCGRAV/JGRAV=-9.81
END
)";

// What they are, and how fine the steps must be for the order to show: steps over 0.4 s by order.
struct Case {
  const char* name;
  const char* text;
  double span;  // seconds of each run, before and after the start of the steps
  int finer;    // times as many steps as the slow ones need
};
constexpr Case kCases[] = {{"double pendulum", kDoublePendulum, 0.4, 1},
                           {"heavy top", kHeavyTop, 0.1, 2},
                           {"driven", kDriven, 0.4, 1}};

struct Final {
  Eigen::VectorXd x, v, lambda;
};

// Positions as vectors: the poses' own numbers.
Final run(const Mechanism& m, integrate::Formula& formula, bool stabilised, const State& start, double end,
          int steps, std::vector<State> earlier = {}) {
  solve::CorrectorSettings settings;
  settings.c = 1e-4;  // of ERROR = 1e-8 below: far below the errors compared, above rounding
  settings.maxit = 30;
  solve::Corrector corrector(*m.system, m.assembled.active, stabilised, settings);
  solve::Consistent consistent(*m.system, m.assembled.active);
  integrate::LoopSettings loop;
  loop.hinit = (end - start.t) / steps;
  loop.hmax = loop.hinit * (1 + 1e-9);
  loop.hmin = 1e-12;
  loop.fixed = true;
  loop.earlier = std::move(earlier);
  integrate::LoopHooks hooks;
  Final final;
  hooks.accepted = [&](const integrate::StepAttempt&, const State& s) { final = {s.q, s.v, s.lambda}; };
  State state = start;
  const auto result =
      integrate::integrate(*m.system, formula, corrector, consistent, state, end, {}, loop, hooks);
  EXPECT_EQ(result.end, integrate::LoopEnd::done) << (result.messages.empty() ? "" : result.messages[0]);
  EXPECT_EQ(result.counts.steps, steps);
  return final;
}

struct Orders {
  double q, v, lambda;
};
template <class Run> Orders observed(const Run& run_with, int steps) {
  const Final a = run_with(steps), b = run_with(2 * steps), c = run_with(4 * steps);
  const auto order = [](const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& z) {
    return std::log2((x - y).norm() / (y - z).norm());
  };
  return {order(a.x, b.x, c.x), order(a.v, b.v, c.v), order(a.lambda, b.lambda, c.lambda)};
}

class Order : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Mechanisms, Order, testing::ValuesIn(kCases), [](const auto& which) {
  std::string name = which.param.name;
  std::erase(name, ' ');
  return name;
});

TEST_P(Order, HhtAndRelatives) {
  const Mechanism m(GetParam().text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const formulas::NewmarkTable tables[] = {formulas::hht_table(-0.3), formulas::hht_table(0),
                                            formulas::newmark_table(0.25, 0.5),
                                            formulas::generalized_alpha_table(0.6)};
  for (const auto& table : tables) {
    const auto with = [&](int steps) {
      integrate::Newmark method(m.system->layout(), table, 1e-8);
      return run(m, method, false, m.assembled.state, GetParam().span, steps);
    };
    const Orders o = observed(with, 50 * GetParam().finer);
    EXPECT_NEAR(o.q, 2, 0.1) << table.name << table.alpha_f;
    EXPECT_NEAR(o.v, 2, 0.1) << table.name << table.alpha_f;
    EXPECT_NEAR(o.lambda, 2, 0.15) << table.name << table.alpha_f;
  }
}

// The state at times start, start − h, …: from a run at high accuracy.
std::vector<State> past_of(const Mechanism& m, double t, double h, int count) {
  integrate::MultistepSettings s;
  s.stabilised = true;
  integrate::Multistep method(m.system->layout(), s, 1e-11);
  solve::CorrectorSettings settings;
  settings.c = 1e-3;
  solve::Corrector corrector(*m.system, m.assembled.active, true, settings);
  solve::Consistent consistent(*m.system, m.assembled.active);
  std::vector<double> times;
  for (int k = count - 1; k >= 0; --k) times.push_back(t - k * h);
  std::vector<State> past;
  integrate::LoopHooks hooks;
  hooks.output = [&](const State& state) {
    past.insert(past.begin(), state);
    return true;
  };
  State state = m.assembled.state;
  const auto result = integrate::integrate(*m.system, method, corrector, consistent, state, t, times,
                                           {1e-5, 0.01, 1e-12}, hooks);
  EXPECT_EQ(result.end, integrate::LoopEnd::done) << (result.messages.empty() ? "" : result.messages[0]);
  return past;
}

TEST_P(Order, Bdf) {
  const Mechanism m(GetParam().text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const double span = GetParam().span;
  using C = integrate::MultistepSettings::Coefficients;
  for (const bool stabilised : {false, true}) {
    for (const C coefficients : {C::fixed_leading, C::variable}) {
      for (int k = 1; k <= 6; ++k) {
        const auto with = [&](int steps) {
          integrate::MultistepSettings s;
          s.stabilised = stabilised;
          s.coefficients = coefficients;
          s.highest_order = k;
          s.constant = true;
          integrate::Multistep method(m.system->layout(), s, 1e-8);
          const double h = span / steps;
          const auto past = past_of(m, span, h, k + 2);
          return run(m, method, stabilised, past[0], 2 * span, steps, {past.begin() + 1, past.end()});
        };
        const Orders o = observed(with, GetParam().finer * (k == 1 ? 200 : k == 6 ? 30 : k >= 4 ? 50 : 80));
        // At order 6 rounding rules before the leading term alone does.
        const double more = k == 6 ? 0.5 : 0;
        EXPECT_NEAR(o.q, k, 0.3 + more) << k << stabilised << static_cast<int>(coefficients);
        EXPECT_NEAR(o.v, k, 0.4 + more) << k << stabilised << static_cast<int>(coefficients);
        EXPECT_NEAR(o.lambda, k, 0.5 + more) << k << stabilised << static_cast<int>(coefficients);
      }
    }
  }
}

}  // namespace
}  // namespace trunnion
