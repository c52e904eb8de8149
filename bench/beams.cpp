// A cantilever of 64 elements of FE_PART, bent and moving: one evaluation of forces alone, and one of forces, K, C, M, with elements of two
// (order 1) or three nodes (order 2), damped or not. Time per element is the counter.

#include <cmath>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "api/session/session.hpp"
#include "elements/beam_element.hpp"
#include "lang/reader.hpp"
#include "system/levels.hpp"

namespace trunnion {
namespace {

constexpr int kElements = 64;

std::string model_text(int order, bool damped) {
  return fmt::format(
      "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.81\nPART/1, "
      "GROUND\n"
      "MARKER/1, PART=1\nMATERIAL/1, YOUNGS_MODULUS=2.07E11, POISSONS_RATIO=0.3, DENSITY=7800\n"
      "FE_PART/2, TYPE=3DBEAM{}, MATERIAL=1, NODE_LABELS=1,2, COORDINATES=1,0,0,0,0,0,0,2,1.5,0,0,0,0,0\n"
      ", SECTION=1,4E-4,1.33E-8,1.33E-8,0,2.25E-8,2,4E-4,1.33E-8,1.33E-8,0,2.25E-8, SUBDIVIDE={}{}\n"
      "MARKER/21, FE_PART=2, NODE_LABEL=1\nJOINT/1, REVOLUTE, I=21, J=1\nEND\n",
      order == 2 ? "3" : "", kElements, damped ? ", CRATIOK=1E-4" : "");
}

struct Case {
  std::shared_ptr<const system::System> system;
  assembly::State state;
};

Case make_case(int order, bool damped) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  api::Session session(
      lang::read_model(sources, sources.add("bench", model_text(order, damped)), diagnostics));
  session.assemble(analysis::Upto::accelerations);
  Case made{session.system(), {}};
  if (!made.system) throw std::runtime_error(core::render(session.diagnostics(), sources));
  made.state = session.place().state;
  // Bent and turning, so that no term is zero.
  for (Eigen::Index k = 0; k < made.state.v.size(); ++k) {
    made.state.v[k] = std::sin(0.3 * static_cast<double>(k));
    made.state.a[k] = std::cos(0.2 * static_cast<double>(k));
  }
  const Eigen::VectorXd shift = 1e-3 * made.state.v;
  const Eigen::VectorXd q = made.state.q;
  assembly::retract(made.system->layout(), q, shift, made.state.q);
  return made;
}

void evaluate(benchmark::State& bench, const assembly::Needs& needs) {
  const Case made = make_case(static_cast<int>(bench.range(0)), bench.range(1) != 0);
  system::System::Workspace work(*made.system, assembly::AnalysisMode::dynamics);
  system::Levels levels(made.system->layout());
  for (auto _ : bench) {
    levels.start(made.state, needs);
    made.system->evaluate(made.state, work, levels);
    levels.finish();
  }
  bench.counters["per_element"] = benchmark::Counter(
      kElements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
void beam_forces(benchmark::State& bench) { evaluate(bench, {true, false, false, false, false, false}); }
void beam_all(benchmark::State& bench) { evaluate(bench, {}); }

void cases(benchmark::internal::Benchmark* b) {
  for (const int order : {1, 2}) {
    for (const int damped : {0, 1}) b->Args({order, damped});
  }
  b->ArgNames({"order", "damped"})->Unit(benchmark::kMicrosecond);
}
BENCHMARK(beam_forces)->Apply(cases);
BENCHMARK(beam_all)->Apply(cases);

}  // namespace
}  // namespace trunnion
