// Cost of an expression's value, gradient and Hessian. The gradient should cost at most four values.
// Run: bench_expression; the counter `ratio` of the gradient rows is gradient time over value time.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include <benchmark/benchmark.h>

#include "expr/program.hpp"

namespace {

using namespace trunnion;

const char* const kTexts[] = {
    "-1e4*(DM(2,3)-0.1) - 20*VR(2,3) + 5.0",
    "-VARVAL(1)*(DX(1,2)-0.1)*DX(1,2)/DM(1,2) - 20*VX(1,2)*DM(1,2) + VARVAL(2)**2",
    "STEP(TIME, 0.1, 0, 0.9, VARVAL(1))*DX(1,2)",
    "IMPACT(DM(2,3), VR(2,3), 1.0, 1E5, 1.5, 1E2, 0.001)",
    "AKISPL(DX(1,2), 0, 1)*VX(1,2)",
    "SQRT(DX(1,2)**2+DY(1,2)**2)*SIN(2*PI*TIME)*EXP(-0.1*TIME)",
    "IF(VARVAL(1): -DX(1,2)*1e3, 0, STEP(DX(1,2),0,0,1,1)*VX(1,2))",
};

expr::TableSet& tables() {
  static expr::TableSet set = [] {
    expr::TableSet t;
    math::SplineData data;
    data.y.emplace_back();
    for (int k = 0; k < 40; ++k) {
      data.x.push_back(0.05 * k);
      data.y[0].push_back(std::sin(0.3 * k));
    }
    t.add_spline(1, data);
    return t;
  }();
  return set;
}

struct Case {
  explicit Case(std::size_t index) : program(*expr::compile(kTexts[index]).program), work(program) {
    program.bind(tables());
    const std::size_t n = program.inputs().size();
    inputs.assign(n, 0.43);
    grad.resize(n);
    hess.resize(n * n);
  }
  double value() {
    inputs[0] = inputs[0] < 0.6 ? inputs[0] + 1e-4 : 0.43;  // so that nothing is computed once for all
    return program.value(inputs, work);
  }
  double gradient() {
    inputs[0] = inputs[0] < 0.6 ? inputs[0] + 1e-4 : 0.43;
    return program.gradient(inputs, work, grad);
  }
  expr::Program program;
  expr::Workspace work;
  std::vector<double> inputs, grad, hess;
};

double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Median over many pairs, value and gradient in turn, in CPU time of this thread: on a busy machine two
// separate rows of the table are measured under different conditions and their quotient says little.
double gradient_over_value(Case& c) {
  const auto time = [](auto&& f) {
    const double start = thread_seconds();
    for (int k = 0; k < 10000; ++k) benchmark::DoNotOptimize(f());
    return thread_seconds() - start;
  };
  std::vector<double> ratios;
  for (int pair = 0; pair < 101; ++pair) {
    const double value_time = time([&] { return c.value(); });
    ratios.push_back(time([&] { return c.gradient(); }) / value_time);
  }
  std::nth_element(ratios.begin(), ratios.begin() + 50, ratios.end());
  return ratios[50];
}

void value(benchmark::State& state) {
  Case c(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(c.value());
  state.SetLabel(kTexts[state.range(0)]);
}

void gradient(benchmark::State& state) {
  Case c(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(c.gradient());
  state.counters["ratio"] = gradient_over_value(c);
}

void hessian(benchmark::State& state) {
  Case c(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(c.program.hessian(c.inputs, c.work, c.grad, c.hess));
}

void compile_text(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(expr::compile(kTexts[state.range(0)]));
}

constexpr int kLast = static_cast<int>(std::size(kTexts)) - 1;
BENCHMARK(value)->DenseRange(0, kLast);
BENCHMARK(gradient)->DenseRange(0, kLast);
BENCHMARK(hessian)->DenseRange(0, kLast);
BENCHMARK(compile_text)->DenseRange(0, kLast);

}  // namespace
