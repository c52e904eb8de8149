// What dynamics costs, and where the time goes.
//   bench_dynamics [LINKS]          chains of 10, 100 and 1,000 rods (or up to LINKS), 40 four-bars, Andrews, governor
// Rods of 0.1 m and 1 kg from horizontal, one second. Error: the largest difference of any mass centre at the end from a run with
// ERROR = 1e-9. The 1,000 rods' converged runs take a few minutes.

#include <cstdlib>

#include <fmt/format.h>

#include "chain_text.hpp"
#include "dynamics/mechanisms.hpp"
#include "run_model.hpp"

int main(int count, char** words) {
  using namespace trunnion;
  struct Model {
    std::string name;
    std::function<std::string(const std::string&)> text;
    double end;
  };
  const int longest = count > 1 ? std::atoi(words[1]) : 1000;
  std::vector<Model> models;
  for (const char* joint : {"SPHERICAL", "REVOLUTE"}) {
    for (const int rods : {10, 100, 1000}) {
      if (rods <= longest)
        models.push_back({fmt::format("{} {}", rods, joint),
                          [=](const std::string& i) { return bench::chain_text(rods, joint, i); }, 1});
    }
  }
  models.push_back({"40 four-bars", [](const std::string& i) { return test::four_bars(40, i); }, 1});
  models.push_back({"Andrews", test::andrews, 0.03});
  models.push_back({"governor", test::governor, 10});
  fmt::print("{:<15} {:<18} {:>8} {:>8} {:>6} {:>7} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>8}\n", "model",
             "method", "wall s", "CPU s", "steps", "iter", "Jacob", "pivots", "eval s", "fact s", "solve s",
             "out s", "error");
  for (const Model& model : models) {
    const bench::Outcome exact = bench::run(model.text("GSTIFF, ERROR=1E-9, INTERPOLATE=ON"), model.end);
    if (!exact.ok) fmt::print("{}: the converged run failed\n", model.name);
    for (const char* method : {"GSTIFF, ERROR=1E-3", "GSTIFF, ERROR=1E-5", "HHT, ERROR=1E-5"}) {
      const bench::Outcome out = bench::run(model.text(std::string(method) + ", INTERPOLATE=ON"), model.end);
      const auto& r = out.result;
      fmt::print(
          "{:<15} {:<18} {:>8.3g} {:>8.3g} {:>6} {:>7} {:>6} {:>6} {:>7.2g} {:>7.2g} {:>7.2g} {:>7.2g} "
          "{:>8.1e}{}\n",
          model.name, method, r.seconds, out.seconds, r.loop.counts.steps, r.corrector.iterations,
          r.corrector.refactorisations + r.corrector.factorisations, r.corrector.factorisations,
          r.seconds_evaluating, r.seconds_factoring, r.seconds_solving, r.loop.counts.seconds_output,
          bench::difference(out, exact), out.ok ? "" : "  failed");
    }
  }
  return 0;
}
