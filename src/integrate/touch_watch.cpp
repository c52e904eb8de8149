#include "integrate/touch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::integrate {

void TouchWatch::begin(const assembly::State& state) {
  if (idle()) return;
  system_.update(state, work_);
  contacts_.penetrations(state, work_, before_);
}

double TouchWatch::part(const assembly::State& trial) {
  constexpr double kEntry = 0.05;  // of DMAX
  constexpr int kTries = 30;
  if (idle()) return 1;
  system_.update(trial, work_);
  contacts_.penetrations(trial, work_, depth_);
  double least = 1;
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    const double entry = kEntry * contacts_.full_damping(k), from = before_[k];
    if (from > 0 || depth_[k] <= entry) continue;
    least = std::min(least, std::isfinite(from) ? (0.5 * entry - from) / (depth_[k] - from) : 0.5);
  }
  return least < 1 && ++tries_ <= kTries ? least : 1;
}

TouchWatch::Begun TouchWatch::accepted(double h) {
  Begun begun;
  tries_ = 0;
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    const double from = before_[k], to = depth_[k];
    if (from > 0 || to <= 0) continue;
    if (std::isfinite(from))
      begun.longest = std::min(begun.longest, h * contacts_.full_damping(k) / (to - from));
    if (std::exchange(touched_[k], 1) == 0) begun.first.push_back(contacts_.label(k));
  }
  before_.swap(depth_);
  return begun;
}

}  // namespace trunnion::integrate
