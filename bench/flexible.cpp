// A modal body with M modes, held and loaded at ten nodes by spherical joints to rigid parts: one evaluation of forces alone, one of
// forces, K, C, M and rows, one of the body's own; and a motion of 0.05 s. M = 0 is the same with the body rigid. Modes are those of a
// beam (tests/support/flex_beam.hpp); with `all` the fifth and ninth invariants count too.

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "analysis/dynamics/dynamics.hpp"
#include "api/session/session.hpp"
#include "lang/reader.hpp"
#include "support/flex_beam.hpp"
#include "system/levels.hpp"

namespace trunnion {
namespace {

std::string model_text(const std::string& matrices, bool all, const char* hinge, const char* formula) {
  std::string text = fmt::format(
      "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.81\nPART/1, "
      "GROUND\n"
      "MARKER/1, PART=1\nMATRIX/1, FILE={}\nFLEX_BODY/2, MATRICES=1{}\n"
      "MARKER/20, FLEX_BODY=2, NODE_ID=1\nJOINT/1, {}, I=20, J=1\n",
      matrices, all ? ", INVARIANTS=T:T:T:T:T:T:T:T:T" : "", hinge);
  for (int k = 0; k < 10; ++k) {
    const int id = 100 + k, node = 3 * k + 4;
    const double x = (node - 1) / 33.0;
    text += fmt::format(
        "PART/{0}, MASS=0.05, CM={0}1, IP=1E-5,1E-5,1E-5, QG={1:.17g},-0.1,0\nMARKER/{0}1, "
        "PART={0}\nMARKER/{0}2, PART={0}, "
        "QP=0,0.1,0\nMARKER/{0}3, FLEX_BODY=2, NODE_ID={2}\nJOINT/{0}, SPHERICAL, I={0}2, J={0}3\n",
        id, x, node);
  }
  return text + fmt::format("INTEGRATOR/{}, ERROR=1E-5\nEND\n", formula);
}

struct Case {
  std::shared_ptr<const system::System> system;
  analysis::AssemblyResult assembled;
  model::Model model;
};

Case make_case(int modes, bool all, const char* hinge = "REVOLUTE", const char* formula = "HHT") {
  test::FlexBeam beam;
  beam.elements = 33;
  const test::MatrixText file(
      fmt::format("bench_{}_{}", modes, all),
      beam.matrices(modes > 0 ? beam.free_modes(modes) : Eigen::MatrixXd::Zero(beam.dofs(), 0)));
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  Case made;
  made.model = lang::read_model(sources, sources.add("bench", model_text(file.path(), all, hinge, formula)),
                                diagnostics);
  api::Session session(made.model);
  session.assemble(analysis::Upto::accelerations);
  made.system = session.system();
  if (!made.system || diagnostics.has_errors())
    throw std::runtime_error(core::render(session.diagnostics(), sources));
  made.assembled = session.place();
  return made;
}

const assembly::Needs kForces{true, false, false, false, false, false};

void evaluate(benchmark::State& bench, const assembly::Needs& needs) {
  const Case made = make_case(static_cast<int>(bench.range(0)), bench.range(1) != 0);
  system::System::Workspace work(*made.system, assembly::AnalysisMode::dynamics);
  system::Levels levels(made.system->layout());
  for (auto _ : bench) {
    levels.start(made.assembled.state, needs);
    made.system->evaluate(made.assembled.state, work, levels);
    levels.finish();
  }
}
void flexible_forces(benchmark::State& bench) { evaluate(bench, kForces); }
void flexible_all(benchmark::State& bench) { evaluate(bench, {}); }

void move(benchmark::State& bench, const char* hinge, const char* formula) {
  const Case made = make_case(static_cast<int>(bench.range(0)), bench.range(1) != 0, hinge, formula);
  const analysis::DynamicSettings settings = analysis::dynamic_settings(made.model);
  double steps = 0;
  const math::OutputTimes times{0.05};
  for (auto _ : bench) {
    analysis::AssemblyResult from = made.assembled;
    const auto result = analysis::dynamics(*made.system, from, 0.05, times, settings, {});
    steps = static_cast<double>(result.loop.counts.steps);
  }
  bench.counters["steps"] = steps;
}
void flexible_motion(benchmark::State& bench) { move(bench, "REVOLUTE", "HHT"); }
// The axis of a hinge turns with the modes and couples them; a ball joint leaves their matrix a diagonal. A stabilised stage has a
// correction beside each.
void flexible_ball(benchmark::State& bench) { move(bench, "SPHERICAL", "GSTIFF"); }
void flexible_ball_si2(benchmark::State& bench) { move(bench, "SPHERICAL", "GSTIFF, SI2"); }

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int all : {0, 1}) {
    for (const int modes : {0, 10, 34, 134}) {
      if (all == 0 || modes > 0) bench->Args({modes, all});
    }
  }
  bench->ArgNames({"modes", "all"});
}
BENCHMARK(flexible_forces)->Apply(sizes);
BENCHMARK(flexible_all)->Apply(sizes);
BENCHMARK(flexible_motion)->Apply(sizes)->Unit(benchmark::kMillisecond);
BENCHMARK(flexible_ball)->Apply(sizes)->Unit(benchmark::kMillisecond);
BENCHMARK(flexible_ball_si2)->Apply(sizes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trunnion
