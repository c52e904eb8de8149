#include "analysis/dynamics/sampled.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/initial/accelerations.hpp"

namespace trunnion::analysis {

namespace {

// The sample, and what jumps with it. False, with a message, where that cannot be done.
bool sample(const system::System& system, assembly::AnalysisMode mode, AssemblyResult& from,
            core::Words& message) {
  system::System::Workspace work(system, mode);
  message = system.take_samples(from.state, work);
  if (!message.empty()) return false;
  return solve_accelerations(system, from.active, from.state, work, message);
}

}  // namespace

DynamicResult sampled_dynamics(const system::System& system, AssemblyResult& from, double end,
                               const math::OutputTimes& times, const DynamicSettings& settings,
                               const DynamicHooks& hooks) {
  if (system.sampled().empty()) return dynamics(system, from, end, times, settings, hooks);
  DynamicSettings between = settings;
  // A piece may begin just before an output time: the step is bounded by the distance of output times, not by that.
  if (between.hmax == 0 && !between.interpolate) between.hmax = output_step(from.state.t, end, times);
  // What take_samples() counts as now.
  const auto soon = [&] { return 1e-12 * std::max(1.0, std::abs(from.state.t)); };
  DynamicResult result;
  result.ok = true;
  bool first = true;
  for (;;) {
    core::Words message;
    while (system.next_sample(from.state) <= from.state.t + soon()) {
      if (sample(system, settings.mode, from, message)) continue;
      result.ok = false;
      result.loop.end = integrate::LoopEnd::inconsistent;
      result.loop.messages.push_back(message);
      return result;
    }
    if (from.state.t >= end - soon()) return result;
    const double stop = std::min(end, system.next_sample(from.state));
    // An output at a sample time, or a rounding beside it, is from before the sample.
    const math::OutputTimes here = times.within(from.state.t + soon(), stop + soon(), stop);
    DynamicResult piece = dynamics(system, from, stop, here, between, hooks);
    if (!first) add_earlier(result, piece);
    first = false;
    result = std::move(piece);
    if (!result.ok) return result;
  }
}

}  // namespace trunnion::analysis
