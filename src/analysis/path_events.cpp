#include "analysis/path_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace trunnion::analysis {

using assembly::State;
using integrate::Event;

void PathEvents::sense(const State& state, std::vector<double>& values) {
  values.resize(events_.size());
  if (values.empty()) return;
  system_.update(state, work_);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = events_[k].value(state, work_);
}

std::vector<int> PathEvents::happened(State& state, double begin, const At& at) {
  if (events_.empty()) return {};
  sense(state, after_);
  std::optional<State> first;
  for (std::size_t k = 0; k < after_.size(); ++k) {
    if (!integrate::crossed(events_[k], before_[k], after_[k])) continue;
    State there = locate(k, begin, state, at);
    if (!first || there.t < first->t) first = std::move(there);
  }
  std::vector<int> all;
  if (first) {
    state = std::move(*first);
    sense(state, after_);
    all = integrate::crossed(events_, before_, after_);
  }
  std::swap(before_, after_);
  return all;
}

State PathEvents::locate(std::size_t which, double begin, const State& end, const At& at) {
  const Event& event = events_[which];
  const double sign = before_[which] < 0 ? 1 : -1;
  double low = begin, e0 = sign * before_[which], e1 = sign * after_[which];
  State high = end, there = end;
  constexpr int kHalvings = 100;
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  for (int k = 0; k < kHalvings && !(e1 >= 0 && e1 <= event.tolerance); ++k) {
    if (high.t - low <= kRounding * std::max(std::abs(low), std::abs(high.t))) break;
    const double x = k % 3 == 2 || e1 <= e0 ? 0.5 : std::clamp(-e0 / (e1 - e0), 0.05, 0.95);
    const double t = low + x * (high.t - low);
    if (!at(t, there)) break;
    system_.update(there, work_);
    const double e = sign * event.value(there, work_);
    if (e >= 0) {
      high = there;
      e1 = e;
    } else {
      low = t;
      e0 = e;
    }
  }
  return high;
}

}  // namespace trunnion::analysis
