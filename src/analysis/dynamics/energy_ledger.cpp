#include "analysis/dynamics/energy_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::analysis {

using system::Power;

EnergyLedger::Point EnergyLedger::point(const assembly::State& state) {
  system_.update(state, work_);
  energy_ = system_.energy(state, work_);
  return {state.t, system_.power(state, work_)};
}

void EnergyLedger::begin(const assembly::State& state) {
  if (count_ > 0) sum_ = at(state.t);
  reached_ = state.t;
  points_[0] = point(state);
  count_ = 1;
}

void EnergyLedger::step(const assembly::State& accepted) {
  sum_ = at(points_[0].t);
  reached_ = points_[0].t;
  std::move_backward(points_.begin(), points_.end() - 1, points_.end());
  points_[0] = point(accepted);
  count_ = std::min(count_ + 1, kPoints);
}

Power EnergyLedger::power_at(double t) const {
  Power p;
  for (int k = 0; k < count_; ++k) {
    const Point& here = points_[static_cast<std::size_t>(k)];
    double weight = 1.0;  // Lagrange
    for (int j = 0; j < count_; ++j) {
      const double other = points_[static_cast<std::size_t>(j)].t;
      if (j != k) weight *= (t - other) / (here.t - other);
    }
    p.dissipated += weight * here.power.dissipated;
    p.work += weight * here.power.work;
  }
  return p;
}

// Gauss, two points: exact for a cubic.
Power EnergyLedger::at(double t) const {
  if (count_ == 0) return sum_;
  const double half = (t - reached_) / 2, middle = (t + reached_) / 2, node = half / std::sqrt(3.0);
  const Power a = power_at(middle - node), b = power_at(middle + node);
  return {sum_.dissipated + half * (a.dissipated + b.dissipated), sum_.work + half * (a.work + b.work)};
}

}  // namespace trunnion::analysis
