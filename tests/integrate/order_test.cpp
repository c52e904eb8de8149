// The observed order of every formula at fixed step in positions, velocities and reactions, as the formula gives them.

#include <cmath>

#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/mechanisms.hpp"
#include "integrate/multistep.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::Mechanism;

struct Final {
  Eigen::VectorXd x, v, lambda;
};

// Positions as vectors: the poses' own numbers.
Final run(const Mechanism& m, integrate::Formula& formula, bool stabilised, const State& start, double end,
          int steps, std::vector<State> earlier = {}) {
  solve::CorrectorSettings settings;
  settings.c = 1e-4;  // of ERROR = 1e-8 below: far below the errors compared, above rounding
  settings.maxit = 30;
  solve::StageSolver corrector(*m.system, m.assembled.active, stabilised, settings);
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
  const auto result = integrate::integrate(*m.system, formula, corrector, state, end, {}, loop, hooks);
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

class Order : public testing::TestWithParam<test::Moving> {};
INSTANTIATE_TEST_SUITE_P(Mechanisms, Order,
                         testing::ValuesIn(test::moving_mechanisms().begin(),
                                           test::moving_mechanisms().end()),
                         [](const auto& which) {
                           std::string name = which.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

// The state at times start, start − h, …: from a run at high accuracy.
std::vector<State> past_of(const Mechanism& m, double t, double h, int count) {
  integrate::MultistepSettings s;
  s.stabilised = true;
  integrate::Multistep method(m.system->layout(), s, 1e-11);
  solve::CorrectorSettings settings;
  settings.c = 1e-3;
  solve::StageSolver corrector(*m.system, m.assembled.active, true, settings);
  std::vector<double> times;
  for (int k = count - 1; k >= 0; --k) times.push_back(t - k * h);
  std::vector<State> past;
  integrate::LoopHooks hooks;
  hooks.output = [&](const State& state) {
    past.insert(past.begin(), state);
    return true;
  };
  State state = m.assembled.state;
  const auto result =
      integrate::integrate(*m.system, method, corrector, state, t, times, {1e-5, 0.01, 1e-12}, hooks);
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
