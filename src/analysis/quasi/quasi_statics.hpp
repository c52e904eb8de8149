#pragma once
// SIMULATE/STATICS, END=, STEPS=: a path of equilibria over time (docs/theory/statics-and-linear.md, Quasi-statics).

#include <functional>
#include <string>
#include <vector>

#include "analysis/statics/statics.hpp"
#include "integrate/step_loop.hpp"
#include "math/output_times.hpp"

namespace trunnion::analysis {

struct QuasiStaticHooks {
  std::function<bool(const assembly::State&)> output;  // false stops the run
  StaticListener listener = {};
  std::vector<integrate::Event> events = {};  // SENSORs: the path stops where one acts
  std::string length_unit = "length";         // of the model, for messages
};

struct QuasiStaticResult {
  bool ok = false;
  int steps = 0, iterations = 0;
  std::vector<int> events = {};           // which ones stopped the path
  std::vector<core::Words> messages;      // limit points, bifurcations, what went wrong
  std::size_t error = std::string::npos;  // where it failed: the message that says why, if any
};

// Equilibria over the output times. The state in `from` is left at the last one found.
QuasiStaticResult quasi_statics(const system::System& system, AssemblyResult& from,
                                const math::OutputTimes& times, const StaticSettings& settings,
                                const QuasiStaticHooks& hooks);

}  // namespace trunnion::analysis
