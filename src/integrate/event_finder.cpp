#include "integrate/event_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trunnion::integrate {

using assembly::State;

bool crossed(const Event& event, double from, double to) {
  if (event.period > 0 && std::abs(to - from) > event.period / 2) return false;  // around, not through
  if (from < -event.tolerance && to >= -event.tolerance) return true;
  return event.both_ways && from > event.tolerance && to <= event.tolerance;
}

std::vector<int> crossed(const std::vector<Event>& events, const std::vector<double>& from,
                         const std::vector<double>& to) {
  std::vector<int> all;
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (crossed(events[k], from[k], to[k])) all.push_back(static_cast<int>(k));
  }
  return all;
}

void EventFinder::sense(const State& state, std::vector<double>& values) {
  values.resize(events_.size());
  if (values.empty()) return;
  system_.update(state, work_);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = events_[k].value(state, work_);
}

double EventFinder::value(const Event& event, double t) {
  formula_.interpolate(t, there_);
  system_.update(there_, work_);
  return event.value(there_, work_);
}

void EventFinder::sense_within(const State& state, double h) {
  for (std::size_t k = 0; k <= kParts; ++k) {
    Sample& s = samples_[k];
    s.t = k == kParts ? state.t : state.t - h + h * static_cast<double>(k) / kParts;
    if (k == 0) {
      s.values = before_;
    } else if (k == kParts) {
      sense(state, s.values);
    } else {
      formula_.interpolate(s.t, there_);
      sense(there_, s.values);
    }
  }
}

std::optional<double> EventFinder::first_crossing(std::size_t k) {
  const Event& event = events_[k];
  for (std::size_t i = 1; i <= kParts; ++i) {
    const double t0 = samples_[i - 1].t, e0 = samples_[i - 1].values[k], t1 = samples_[i].t,
                 e1 = samples_[i].values[k];
    if (crossed(event, e0, e1)) return locate(event, t0, e0, t1, e1);
    if (i == kParts) break;
    // The top of the parabola through three values that come close and go again.
    const double e2 = samples_[i + 1].values[k], bend = e0 - 2 * e1 + e2;
    if (!(e1 * bend > 0)) continue;
    const double t = t1 + (t1 - t0) * (e0 - e2) / (2 * bend);
    if (!(t > t0 && t < samples_[i + 1].t)) continue;
    const double e = value(event, t);
    if (crossed(event, e0, e)) return locate(event, t0, e0, t, e);
  }
  return {};
}

std::optional<EventFinder::Found> EventFinder::within(const State& state, double h) {
  sense_within(state, h);
  std::optional<Found> first;
  int which = -1;
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const std::optional<double> t = first_crossing(k);
    if (!t || (first && *t >= first->t)) continue;
    first = Found{*t};
    which = static_cast<int>(k);
  }
  if (first) {
    // Whatever is true at that time would not become true any more: it acts now, too.
    formula_.interpolate(first->t, there_);
    sense(there_, at_first_);
    first->which = crossed(events_, before_, at_first_);
    if (std::find(first->which.begin(), first->which.end(), which) == first->which.end())
      first->which.insert(std::upper_bound(first->which.begin(), first->which.end(), which), which);
  }
  before_ = samples_.back().values;
  return first;
}

// Bisection with a secant guess, on the interpolant.
double EventFinder::locate(const Event& event, double t0, double e0, double t1, double e1) {
  const double sign = e0 < 0 ? 1 : -1;
  e0 *= sign;
  e1 *= sign;
  constexpr int kHalvings = 100;
  for (int k = 0; k < kHalvings; ++k) {
    if (e1 >= 0 && e1 <= event.tolerance) break;
    if (t1 - t0 <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1))) break;
    double x = k % 3 == 2 || e1 <= e0 ? 0.5 : -e0 / (e1 - e0);
    x = std::clamp(x, 0.05, 0.95);
    const double t = t0 + x * (t1 - t0), e = sign * value(event, t);
    (e >= 0 ? t1 : t0) = t;
    (e >= 0 ? e1 : e0) = e;
  }
  return t1;
}

}  // namespace trunnion::integrate
