// Sampled states in time; see Sampled.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "system/elements.hpp"
#include "system/system.hpp"

namespace trunnion::system {

using assembly::State;

namespace {

double& place(State& state, int at) { return state.memory[static_cast<std::size_t>(at)]; }

// Sample times are sums of periods: a few roundings early is on time.
bool due(double next, double t) { return next <= t + 1e-12 * std::max(1.0, std::abs(t)); }

}  // namespace

double System::next_sample(const State& state) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Sampled& s : sampled_) next = std::min(next, state.memory[static_cast<std::size_t>(s.next)]);
  return next;
}

std::string System::take_samples(State& state, Workspace& work) const {
  // All that are due take effect before any of them is computed anew: none sees another's future.
  for (const Sampled& s : sampled_) {
    if (!due(place(state, s.next), state.t)) continue;
    for (int k = 0; k < s.count; ++k) place(state, s.states + k) = place(state, s.waiting + k);
  }
  update(state, work);
  for (const Sampled& s : sampled_) {
    if (!due(place(state, s.next), state.t)) continue;
    const assembly::Scratch::Frame frame(work.scratch);
    const auto at = this->at(state, work);
    const auto next = elements::evaluate(s.update, at, work.expression, s.columns, false);
    const double period = elements::evaluate(s.period, at, work.expression, s.columns, false).value[0];
    if (!(period > 0) || !std::isfinite(period))
      return fmt::format("{}: SAMPLE_PERIOD is {:.6g} at t = {:.9g}; it must be positive", s.label, period,
                         state.t);
    for (int k = 0; k < s.count; ++k) {
      if (!std::isfinite(next.value[k]))
        return fmt::format("{}: sampled state {} becomes {} at t = {:.9g}", s.label, k + 1, next.value[k],
                           state.t);
      place(state, s.waiting + k) = next.value[k];
    }
    place(state, s.next) += period;
  }
  return {};
}

}  // namespace trunnion::system
