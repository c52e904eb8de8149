// One phase of a stage again and again, for callgrind (bench/floors.py):
//   bench_floors MODEL residual|matrix|new_step|factor COUNT
//   bench_floors MODEL INTEGRATOR END     a motion by these settings: prints steps and iterations
//   bench_floors MODEL read COUNT
//   bench_floors models FOLDER            writes the models that are measured
// This file is compiled by the program as it was before the levels were kept apart, too: where a new step size was a new evaluation.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "lang/reader.hpp"

#if __has_include("solve/stage_equations.hpp")
#include "analysis/dynamics/dynamics.hpp"
#include "analysis/initial/initial_conditions.hpp"
#include "chain_text.hpp"
#include "dynamics/mechanisms.hpp"
#include "solve/ordering.hpp"
#include "solve/stage_equations.hpp"
#include "sparse/factorisation.hpp"
#include "system/compile/compile.hpp"
#define TRUNNION_LEVELS 1
#else
#include "analysis/dynamics.hpp"
#include "analysis/initial_conditions.hpp"
#include "solve/ordering.hpp"
#include "solve/pattern.hpp"
#include "sparse/lu.hpp"
#include "system/compile.hpp"
#include "system/stage_sink.hpp"
#define TRUNNION_LEVELS 0
#endif

// What callgrind counts.
extern "C" __attribute__((noinline)) void measured(const std::function<void()>& call, int count) {
  for (int k = 0; k < count; ++k) call();
}

namespace trunnion::bench {
namespace {

constexpr double kStep = 1e-3;

model::Model read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  return lang::read_model(sources, sources.add(path, text.str()), diagnostics);
}

struct Model {
  model::Model model;
  std::shared_ptr<const system::System> system;
  analysis::AssemblyResult at;

  explicit Model(model::Model given) : model(std::move(given)) {
    core::Diagnostics diagnostics;
    system = system::compile(model, {}, diagnostics);
    if (!system) std::exit(1);
    at = analysis::initial_conditions(*system, system->start(), {}, analysis::Upto::accelerations);
    if (!at.ok) std::exit(1);
  }
  // So that no multiplier is zero.
  void disturb() {
    for (int k = 0; k < at.state.lambda.size(); ++k) at.state.lambda[k] += 0.01 * std::sin(k);
  }
};

#if TRUNNION_LEVELS

void run(const std::string& path, const std::string& phase, int count) {
  Model m(read(path));
  m.disturb();
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  const assembly::Turns turns(m.system->layout().triples().size(), math::Mat3::Identity());
  solve::LevelMaps maps;
  maps.body = {kStep * kStep / 4, kStep / 2, 1};
  maps.state = {kStep / 2, 1, 0};
  maps.turn = &turns;
  solve::StageEquations stage(m.system->layout(), m.at.active, solve::StageEquations::Rows::position);
  stage.use_physical_scale();
  const auto evaluate = [&](bool matrix) { stage.evaluate(*m.system, m.at.state, work, maps, matrix); };
  evaluate(true);
  const solve::GroupedOrder order = solve::grouped_order(m.system->layout(), stage);
  sparse::Factorisation lu;
  if (!lu.analyse(stage.matrix(), {.order = order.order, .groups = order.groups}) ||
      lu.factor(stage.matrix()) == sparse::FactorStatus::singular)
    std::exit(1);
  if (phase == "residual") measured([&] { evaluate(false); }, count);
  if (phase == "matrix") measured([&] { evaluate(true); }, count);
  if (phase == "new_step") measured([&] { stage.combine(maps); }, count);
  if (phase == "factor") measured([&] { lu.refactor(stage.matrix()); }, count);
}

void write_models(const std::string& folder) {
  const auto put = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name + ".adm") << text;
  };
  const std::string none = "GSTIFF";  // each run says its own
  put("revolutes", chain_text(100, "REVOLUTE", none));
  put("sphericals", chain_text(100, "SPHERICAL", none));
  put("four-bars", test::four_bars(40, none));
  put("andrews", test::andrews(none));
  put("governor", test::governor(none));
}

#else

void run(const std::string& path, const std::string& phase, int count) {
  Model m(read(path));
  m.disturb();
  system::System::Workspace work(*m.system);
  const std::vector<math::Mat3> turns(static_cast<std::size_t>(m.system->layout().block_count()),
                                      math::Mat3::Identity());
  system::LevelMaps maps;
  maps.body = {kStep * kStep / 4, kStep / 2, 1};
  maps.state = {kStep / 2, 1, 0};
  maps.turn = &turns;
  system::StageSink stage(m.system->layout(), m.at.active, system::StageSink::Rows::position);
  const auto evaluate = [&](bool matrix) {
    stage.start(m.at.state, maps, matrix);
    m.system->evaluate(m.at.state, work, stage);
    stage.finish();
  };
  solve::find_pattern(*m.system, m.at.state, maps, work, stage);
  evaluate(true);
  sparse::SparseLu lu;
  if (!lu.analyse(stage.matrix(), solve::elimination_order(m.system->layout(), stage)) ||
      lu.factor(stage.matrix()) == sparse::FactorStatus::singular)
    std::exit(1);
  if (phase == "residual") measured([&] { evaluate(false); }, count);
  if (phase == "matrix" || phase == "new_step") measured([&] { evaluate(true); }, count);
  if (phase == "factor") measured([&] { lu.refactor(stage.matrix()); }, count);
}

void write_models(const std::string&) {}

#endif

void read_again(const std::string& path, int count) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  measured(
      [&] {
        core::SourceSet sources;
        core::Diagnostics diagnostics;
        lang::read_model(sources, sources.add(path, text.str()), diagnostics);
      },
      count);
}

void move(const std::string& path, const std::string& integrator, double end) {
  model::Model model = read(path);
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto more = lang::read_model(
      sources, sources.add("integrator", "settings\nINTEGRATOR/" + integrator + "\nEND\n"), diagnostics);
  model.add(*more.single<model::Integrator>());
  Model m(std::move(model));
  analysis::DynamicResult result;
  measured(
      [&] {
        result = analysis::dynamics(*m.system, m.at, end, {end}, analysis::dynamic_settings(m.model), {});
      },
      1);
  fmt::print("{} {} {}\n", result.ok ? "done" : "failed", result.loop.counts.steps,
             result.corrector.iterations);
}

}  // namespace
}  // namespace trunnion::bench

int main(int count, char** words) {
  using namespace trunnion;
  const std::string phase = count > 2 ? words[2] : "";
  if (count == 3 && std::string(words[1]) == "models") bench::write_models(words[2]);
  else if (count == 4 && phase == "read") bench::read_again(words[1], std::atoi(words[3]));
  else if (count == 4 && phase.find(',') != std::string::npos)
    bench::move(words[1], phase, std::atof(words[3]));
  else if (count == 4) bench::run(words[1], phase, std::atoi(words[3]));
  else fmt::print(stderr, "bench_floors MODEL PHASE COUNT\nbench_floors models FOLDER\n");
  return 0;
}
