#include "analysis/dynamics/energy_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
  next_known_ = false;
  past_.clear();
  keep_past();
}

void EnergyLedger::keep_past() {
  constexpr std::size_t kMost = 256, kNeeded = 128;
  if (past_.size() == kMost) past_.erase(past_.begin(), past_.end() - kNeeded);
  past_.push_back({points_[0], sum_});
}

EnergyLedger::Points EnergyLedger::with(const Point& newest) const {
  Points points;
  points[0] = newest;
  std::copy(points_.begin(), points_.end() - 1, points.begin() + 1);
  return points;
}

void EnergyLedger::step(const assembly::State& accepted) {
  if (points_[0].t > reached_) {
    sum_ = at(points_[0].t);
    reached_ = points_[0].t;
    keep_past();
  }
  const bool known = std::exchange(next_known_, false) && next_.t == accepted.t;
  points_ = with(known ? next_ : point(accepted));
  count_ = std::min(count_ + 1, kPoints);
}

bool EnergyLedger::rough(const assembly::State& accepted) {
  constexpr double kSmall = 1e-5;
  next_ = point(accepted);
  next_known_ = true;
  largest_ = std::max({largest_, energy_.kinetic, std::abs(sum_.work), std::abs(sum_.dissipated)});
  const Points points = with(next_);
  const int count = near(points, std::min(count_ + 1, kPoints));
  const Power all = between(points, count, points_[0].t, accepted.t),
              fewer = between(points, count - 1, points_[0].t, accepted.t);
  const double off = std::max(std::abs(all.work - fewer.work), std::abs(all.dissipated - fewer.dissipated));
  return off > kSmall * largest_;
}

Power EnergyLedger::power_at(const Points& points, int count, double t) {
  Power p;
  for (int k = 0; k < count; ++k) {
    const Point& here = points[static_cast<std::size_t>(k)];
    double weight = 1.0;  // Lagrange
    for (int j = 0; j < count; ++j) {
      const double other = points[static_cast<std::size_t>(j)].t;
      if (j != k) weight *= (t - other) / (here.t - other);
    }
    p.dissipated += weight * here.power.dissipated;
    p.work += weight * here.power.work;
  }
  return p;
}

// Past points tell of a step that is about as short as those between them. After a kink (a contact that opens, a force that is cut off)
// steps grow tenfold, and a cubic that bends with what came before would swing over the whole of the long one.
int EnergyLedger::near(const Points& points, int count) {
  constexpr double kLonger = 2;
  const auto step = [&](int k) {
    return points[static_cast<std::size_t>(k)].t - points[static_cast<std::size_t>(k) + 1].t;
  };
  int n = std::min(count, 2);
  while (n < count && (kLonger * step(n - 1) >= step(0) || calm(points, n + 1))) ++n;
  return n;
}

// Whether within the newest step the polynomial stays about where its points are.
bool EnergyLedger::calm(const Points& points, int count) {
  const auto within = [&](double Power::*part) {
    double low = points[0].power.*part, high = low;
    for (int k = 1; k < count; ++k) {
      low = std::min(low, points[static_cast<std::size_t>(k)].power.*part);
      high = std::max(high, points[static_cast<std::size_t>(k)].power.*part);
    }
    const double slack = (high - low) / 4;
    constexpr int kLooks = 4;
    for (int k = 1; k < kLooks; ++k) {
      const double t = points[1].t + k * (points[0].t - points[1].t) / kLooks;
      const double value = power_at(points, count, t).*part;
      if (value < low - slack || value > high + slack) return false;
    }
    return true;
  };
  return within(&Power::dissipated) && within(&Power::work);
}

// Gauss, two points: exact for a cubic.
Power EnergyLedger::between(const Points& points, int count, double from, double to) {
  count = near(points, count);
  const double half = (to - from) / 2, middle = (to + from) / 2, node = half / std::sqrt(3.0);
  const Power a = power_at(points, count, middle - node), b = power_at(points, count, middle + node);
  return {half * (a.dissipated + b.dissipated), half * (a.work + b.work)};
}

// Sums and powers at both ends of the part that t lies in, and the cubic that has them.
Power EnergyLedger::before(double t) const {
  const auto after = std::find_if(past_.begin(), past_.end(), [&](const Past& p) { return p.point.t >= t; });
  if (after == past_.end()) return sum_;
  if (after == past_.begin()) return after->sum;
  const Past &a = *(after - 1), &b = *after;
  const double h = b.point.t - a.point.t, x = (t - a.point.t) / h;
  const auto cubic = [&](double from, double to, double rate, double rate_end) {
    const double change = to - from;
    return from + x * (h * rate + x * (3 * change - h * (2 * rate + rate_end) +
                                       x * (h * (rate + rate_end) - 2 * change)));
  };
  return {cubic(a.sum.dissipated, b.sum.dissipated, a.point.power.dissipated, b.point.power.dissipated),
          cubic(a.sum.work, b.sum.work, a.point.power.work, b.point.power.work)};
}

Power EnergyLedger::at(double t) const {
  if (count_ == 0) return sum_;
  if (t < reached_) return before(t);
  const Power more = between(points_, count_, reached_, t);
  return {sum_.dissipated + more.dissipated, sum_.work + more.work};
}

}  // namespace trunnion::analysis
