// True error against ERROR and against work, for five mechanisms and three methods: does the user's tolerance mean something?
//   bench_work_precision            a table, and the slope of log error over log ERROR for each pair
// The true error is the largest difference of any body's mass centre at the end from a run with ERROR = 1e-12.

#include <cmath>

#include <fmt/format.h>

#include "dynamics/mechanisms.hpp"
#include "run_model.hpp"

int main() {
  using namespace trunnion;
  using bench::difference;
  using bench::Outcome;
  using bench::run;
  struct Model {
    const char* name;
    std::string (*text)(const std::string&);
    double end;
  };
  const Model models[] = {{"pendulum", test::simple_pendulum, 2},
                          {"heavy top", test::heavy_top, 0.5},
                          {"two four-bars", [](const std::string& i) { return test::four_bars(2, i); }, 1},
                          {"Bricard", test::bricard, 2},
                          {"governor", test::governor, 1}};
  fmt::print("{:<14} {:<12} {:>7} {:>9} {:>7} {:>7} {:>9}\n", "model", "method", "ERROR", "true", "steps",
             "iter", "CPU s");
  for (const Model& model : models) {
    const Outcome reference = run(model.text("GSTIFF, ERROR=1E-12, INTERPOLATE=ON, HMIN=1E-14"), model.end);
    if (!reference.ok) fmt::print("{}: the reference failed\n", model.name);
    for (const char* method : {"GSTIFF", "GSTIFF, SI2", "HHT"}) {
      double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
      for (int k = 3; k <= 9; ++k) {
        const Outcome out = run(
            model.text(fmt::format("{}, ERROR=1E-{}, INTERPOLATE=ON, HMAX={}", method, k, model.end / 20)),
            model.end);
        const double error = difference(out, reference);
        fmt::print("{:<14} {:<12} {:>7} {:>9.1e} {:>7} {:>7} {:>9.2e}{}\n", model.name, method,
                   fmt::format("1e-{}", k), error, out.result.loop.counts.steps,
                   out.result.corrector.iterations, out.seconds, out.ok ? "" : "  failed");
        if (!out.ok || error <= 0) continue;
        const double x = -k, y = std::log10(error);
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
      }
      fmt::print("{:<14} {:<12} slope {:.2f}\n", model.name, method,
                 (n * sxy - sx * sy) / (n * sxx - sx * sx));
    }
  }
  return 0;
}
