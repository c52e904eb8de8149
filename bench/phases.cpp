// What each phase of a stage costs, in µs a body: residual, residual with matrix, sum of the levels, factors, solution, a reconciled
// output row; with the elimination by blocks and with KLU on the same order.
//   bench_phases [LINKS]          chains up to so many rods, four-bars, Andrews

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

#include <fmt/format.h>

#include "chain_text.hpp"
#include "dynamics/mechanisms.hpp"
#include "run_model.hpp"
#include "solve/ordering.hpp"
#include "sparse/block_fronts.hpp"

namespace trunnion::bench {
namespace {

// The best of several batches, in µs a call.
double microseconds(const std::function<void()>& call) {
  constexpr double kBatch = 0.01;
  constexpr int kBatches = 15, kCalls = 10;
  double best = 1e300;
  for (int batch = 0; batch < kBatches; ++batch) {
    int calls = 0;
    const std::clock_t began = std::clock();
    double seconds = 0;
    while (seconds < kBatch) {
      for (int k = 0; k < kCalls; ++k) call();
      calls += kCalls;
      seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    }
    best = std::min(best, 1e6 * seconds / calls);
  }
  return best;
}

void phases(const std::string& name, const std::string& text) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::Session session(model);
  if (!session.assemble()) {
    fmt::print("{}: not assembled\n", name);
    return;
  }
  const system::System& system = *session.system();
  assembly::State state = session.place().state;
  for (int k = 0; k < state.lambda.size(); ++k) state.lambda[k] += 0.01 * std::sin(k);
  system::System::Workspace work(system, assembly::AnalysisMode::dynamics);
  const double bodies = static_cast<double>(system.bodies().size());
  constexpr double kStep = 1e-3;
  const assembly::Turns turns(system.layout().triples().size(), math::Mat3::Identity());
  solve::LevelMaps maps;
  maps.body = {kStep * kStep / 4, kStep / 2, 1};
  maps.state = {kStep / 2, 1, 0};
  maps.turn = &turns;
  solve::StageEquations stage(system.layout(), session.place().active, solve::StageEquations::Rows::position);
  stage.evaluate(system, state, work, maps, true);
  const double residual = microseconds([&] { stage.evaluate(system, state, work, maps, false); });
  const double matrix = microseconds([&] { stage.evaluate(system, state, work, maps, true); });
  const double sum = microseconds([&] { stage.combine(maps); });
  const solve::GroupedOrder order = solve::grouped_order(system.layout(), stage);
  fmt::print("{:<16} {:>6} {:>8.3f} {:>8.3f} {:>8.3f}", name, bodies, residual / bodies, matrix / bodies,
             sum / bodies);
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(stage.size(), -1, 1);
  Eigen::VectorXd x = right;
  for (const bool blocks : {true, false}) {
    sparse::Factorisation lu;
    sparse::Plan plan{.order = order.order};
    if (blocks) plan.groups = order.groups;
    if (!lu.analyse(stage.matrix(), plan) || lu.factor(stage.matrix()) == sparse::FactorStatus::singular) {
      fmt::print(" singular");
      continue;
    }
    const double factor = microseconds([&] { lu.refactor(stage.matrix()); });
    const double solve = microseconds([&] {
      x = right;
      lu.solve(x);
    });
    x = right;
    lu.solve(x);
    Eigen::VectorXd rest = -right;
    stage.matrix().multiply_add(x, rest);
    fmt::print("  {:<18} {:>7.3f} {:>7.3f} {:>8.1e} {:>8.1e}", lu.solver(), factor / bodies, solve / bodies,
               lu.growth(), rest.lpNorm<Eigen::Infinity>() / x.lpNorm<Eigen::Infinity>());
  }
  const sparse::BlockFronts fronts(stage.matrix(), order.order, order.groups);
  fmt::print("  {:>6.0f} {:>6.0f} {:>4}\n", fronts.flops / bodies,
             sparse::scalar_flops(stage.matrix(), order.order) / bodies, fronts.widest);
}

}  // namespace
}  // namespace trunnion::bench

int main(int count, char** words) {
  using namespace trunnion;
  const int longest = count > 1 ? std::atoi(words[1]) : 1000;
  fmt::print(
      "{:<16} {:>6} {:>8} {:>8} {:>8}  {:<18} {:>7} {:>7} {:>8} {:>8}  {:<18} {:>7} {:>7} {:>8} {:>8}  {:>6} "
      "{:>6} {:>4}\n",
      "model", "bodies", "residual", "matrix", "sum", "solver", "factor", "solve", "growth", "rest", "solver",
      "factor", "solve", "growth", "rest", "flops", "scalar", "wide");
  const std::string integrator = "GSTIFF, ERROR=1E-5";
  for (const char* joint : {"SPHERICAL", "REVOLUTE"}) {
    for (const int rods : {10, 100, 1000, 10000, 100000}) {
      if (rods <= longest)
        bench::phases(fmt::format("{} {}", rods, joint), bench::chain_text(rods, joint, integrator));
    }
  }
  bench::phases("Andrews", test::andrews(integrator));
  bench::phases("governor", test::governor(integrator));
  for (const int bars : {1, 10, 40})
    bench::phases(fmt::format("{} four-bars", bars), test::four_bars(bars, integrator));
  return 0;
}
