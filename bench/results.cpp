// What output costs: a hanging chain of 100 bodies, 1,000 output steps. Of a whole run with a store, and with a CSV too
// (written by a thread of its own), the counters are shares of the simulation's wall time, from the run's own report:
//   output        all that rows cost
//   reconciling   of it: interpolated rows made to satisfy all equations at all levels, an analysis of its own per row
//   writing       the rest: interpolating, sampling every channel, store, CSV
// `store` and `csv` are the writing of as many rows with as many channels alone.

#include <filesystem>
#include <fstream>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/session/run.hpp"
#include "lang/reader.hpp"
#include "results/write/csv.hpp"

namespace trunnion {
namespace {

namespace fs = std::filesystem;

constexpr int kBodies = 100, kRows = 1000;

api::Project chain() {
  std::string text =
      "chain\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n";
  for (int k = 1; k <= kBodies; ++k) {
    const int part = k + 1, cm = 10 * part, a = cm + 1, b = cm + 2;
    text += fmt::format("PART/{}, MASS=1, CM={}, IP=0.01, 0.01, 0.01, QG={}, 0, 0\n", part, cm, k - 0.5);
    text += fmt::format("MARKER/{}, PART={}\nMARKER/{}, PART={}, QP=-0.5, 0, 0\n", cm, part, a, part);
    text += fmt::format("MARKER/{}, PART={}, QP=0.5, 0, 0\n", b, part);
    text += fmt::format("JOINT/{}, SPHERICAL, I={}, J={}\n", k, a, k == 1 ? 1 : cm - 10 + 2);
  }
  text += "ACCGRAV/KGRAV=-9.81\nEND\n";
  api::Project project;
  project.model_path = "chain.adm";
  project.model =
      lang::read_model(project.sources, project.sources.add("chain.adm", text), project.diagnostics);
  const std::string script = fmt::format("\nSIMULATE/DYNAMICS, END=1, STEPS={}\nSTOP\n", kRows);
  project.script =
      lang::read_script(project.sources, project.sources.add("chain.acf", script), project.diagnostics);
  return project;
}

std::string scratch(const char* name) { return (fs::temp_directory_path() / name).string(); }

void whole_run(benchmark::State& state) {
  const api::Project project = chain();
  api::RunOptions options;
  options.folder = fs::temp_directory_path().string();
  options.prefix = "trunnion-bench";
  options.csv = scratch("trunnion-bench.csv");
  options.output.store = state.range(0) != 0;
  options.output.csv = state.range(1) != 0;
  for (auto _ : state) {
    const api::RunResult result = api::run(project, options, [](const std::string&) {});
    if (result.status != api::RunStatus::done) state.SkipWithError("the run failed");
  }
  std::ifstream file(scratch("trunnion-bench.report.json"));
  const auto seconds = nlohmann::json::parse(file)["simulations"][0]["seconds"];
  const double all = seconds["all"], output = seconds["output"], reconciling = seconds["output_reconciling"];
  state.counters["output_%"] = 100 * output / all;
  state.counters["reconciling_%"] = 100 * reconciling / all;
  state.counters["writing_%"] = 100 * (output - reconciling) / all;
}
BENCHMARK(whole_run)
    ->ArgNames({"store", "csv"})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(2);

std::vector<results::Channel> chain_channels() {
  std::vector<results::Channel> out{{"time", "second"}};
  for (int k = 1; k <= kBodies; ++k) {
    for (int c = 0; c < 18; ++c) out.push_back({fmt::format("PART/{}.C{}", k + 1, c), "1"});
  }
  for (int k = 1; k <= kBodies; ++k) {
    for (int c = 0; c < 6; ++c) out.push_back({fmt::format("JOINT/{}.C{}", k, c), "1"});
  }
  return out;
}

template <class Writer> void write_rows(benchmark::State& state, Writer& writer, const char* name) {
  const std::vector<results::Channel> channels = chain_channels();
  std::vector<double> values(channels.size(), 1.2345678901234567);
  for (auto _ : state) {
    if (!writer.open(scratch(name), channels)) state.SkipWithError(writer.error().c_str());
    for (int k = 0; k < kRows; ++k) {
      values[0] = k;
      writer.row(values);
    }
    writer.close();
  }
}

void store(benchmark::State& state) {
  results::StoreWriter writer({});
  write_rows(state, writer, "trunnion-bench-rows.h5");
}
BENCHMARK(store)->Unit(benchmark::kMillisecond);

void csv(benchmark::State& state) {
  results::CsvWriter writer;
  write_rows(state, writer, "trunnion-bench-rows.csv");
}
BENCHMARK(csv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trunnion
