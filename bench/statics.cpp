// Equilibria: chains of 10 to 10,000 rods on ball joints from level to hanging, and their first modes; and from how far an
// equilibrium is found: 200 random starts of six mechanisms, our default beside METHOD=ORIGINAL (rates as counters).

#include "analysis/statics/statics.hpp"

#include <memory>

#include <benchmark/benchmark.h>

#include "analysis/linear/linear.hpp"
#include "core/diagnostics.hpp"
#include "lang/reader.hpp"
#include "support/reading.hpp"
#include "support/static_models.hpp"
#include "system/compile/compile.hpp"

namespace trunnion {
namespace {

struct Assembled {
  test::Read read;
  std::shared_ptr<const system::System> system;
  analysis::AssemblyResult start;

  explicit Assembled(const std::string& text) : read(test::check_adm(text)) {
    system = system::compile(read.model, {}, read.diagnostics);
    if (system)
      start = analysis::initial_conditions(*system, system->start(), analysis::assembly_settings(read.model),
                                           analysis::Upto::accelerations);
  }
};

void hanging_chain(benchmark::State& bench) {
  const int links = static_cast<int>(bench.range(0));
  const Assembled chain(test::hanging_chain(links, 0.1, false) + "END\n");
  if (!chain.start.ok) {
    bench.SkipWithError("not assembled");
    return;
  }
  analysis::StaticSettings settings = analysis::static_settings(chain.read.model);
  settings.judge = false;
  int iterations = 0;
  double off = 0;
  for (auto _ : bench) {
    analysis::AssemblyResult from = chain.start;
    const auto result = analysis::statics(*chain.system, from, settings);
    if (!result.ok) {
      bench.SkipWithError(result.messages.empty() ? "not found" : result.messages.front().c_str());
      return;
    }
    iterations = result.iterations;
    off = std::abs(
        from.state.q[chain.system->layout().block(chain.system->bodies().back().block).pose_offset + 2] +
        0.1 * (links - 0.5));
  }
  bench.counters["iterations"] = iterations;
  bench.counters["tip_error"] = off;
  bench.counters["per_link"] =
      benchmark::Counter(links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(hanging_chain)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

// 20 slowest modes of a hanging chain on hinges.
void chain_modes(benchmark::State& bench) {
  const int links = static_cast<int>(bench.range(0));
  const Assembled chain(test::plumb_chain(links, 0.1));
  if (!chain.start.ok) {
    bench.SkipWithError("not assembled");
    return;
  }
  analysis::ModesOptions options;
  options.count = 20;
  double first = 0;
  int factorisations = 0, solutions = 0;
  for (auto _ : bench) {
    const auto found = analysis::modes(*chain.system, chain.start, options);
    if (!found.ok || found.modes.empty()) {
      bench.SkipWithError(found.messages.empty() ? "no modes" : found.messages.front().c_str());
      return;
    }
    first = found.modes.front().value.imag();
    factorisations = found.factorisations;
    solutions = found.solutions;
  }
  // Of the continuous chain: j₀₁/2 √(g/L).
  bench.counters["factorisations"] = factorisations;
  bench.counters["solutions"] = solutions;
  bench.counters["to_continuous"] = first / (2.404825557695773 / 2 * std::sqrt(9.81 / (0.1 * links)));
  bench.counters["per_link"] =
      benchmark::Counter(links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(chain_modes)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

void random_starts(benchmark::State& bench) {
  const test::StaticModel model = test::static_models()[static_cast<std::size_t>(bench.range(0))];
  const bool plain = bench.range(1) != 0;
  const Assembled m(model.text);
  bench.SetLabel(model.name + (plain ? ", ORIGINAL" : ", default"));
  analysis::StaticSettings settings = analysis::static_settings(m.read.model);
  settings.plain_newton = plain;
  constexpr int kStarts = 200;
  int started = 0, found = 0, unstable = 0, motions = 0;
  long iterations = 0;
  for (auto _ : bench) {
    started = found = unstable = motions = 0;
    iterations = 0;
    for (int k = 0; k < kStarts; ++k) {
      analysis::AssemblyResult from = test::random_start(*m.system, m.start, model.length, k);
      if (!from.ok) continue;
      ++started;
      const auto result = analysis::statics(*m.system, from, settings);
      found += result.ok;
      unstable += result.ok && result.stability == analysis::Stability::unstable;
      motions += result.ok && result.method != "descent";
      iterations += result.iterations;
    }
  }
  bench.counters["started"] = started;
  bench.counters["found"] = found;
  bench.counters["unstable"] = unstable;
  bench.counters["not_by_descent"] = plain ? 0 : motions;
  bench.counters["iterations"] = started > 0 ? static_cast<double>(iterations) / started : 0;
}
BENCHMARK(random_starts)
    ->ArgsProduct({{0, 1, 2, 3, 4, 5}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace trunnion
