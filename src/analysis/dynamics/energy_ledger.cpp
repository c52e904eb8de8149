#include "analysis/dynamics/energy_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::analysis {

using system::Power;

EnergyLedger::Point EnergyLedger::point(const assembly::State& state) {
  system_.update(state, work_);
  energy_ = system_.energy(state, work_);
  largest_ = std::max({largest_, energy_.kinetic, std::abs(sum_.work), std::abs(sum_.dissipated)});
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
  next_ = point(accepted);
  next_known_ = true;
  const Points points = with(next_);
  return !one_less_would_do(points, near(points, std::min(count_ + 1, kPoints)));
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

// Gauss, two points: exact for a cubic.
Power EnergyLedger::integral(const Points& points, int count, double from, double to) {
  const double half = (to - from) / 2, middle = (to + from) / 2, node = half / std::sqrt(3.0);
  const Power a = power_at(points, count, middle - node), b = power_at(points, count, middle + node);
  return {half * (a.dissipated + b.dissipated), half * (a.work + b.work)};
}

// Past points tell of a step that is about as short as those between them, and of a longer one where they change nothing that matters.
// After a kink (a contact that opens, a force that is cut off) steps grow tenfold, and a cubic that bends with what came before would
// swing over the whole of the long one.
int EnergyLedger::near(const Points& points, int count) const {
  constexpr double kLonger = 1.5;
  const auto step = [&](int k) {
    return points[static_cast<std::size_t>(k)].t - points[static_cast<std::size_t>(k) + 1].t;
  };
  int n = std::min(count, 2);
  while (n < count && (kLonger * step(n - 1) >= step(0) || one_less_would_do(points, n + 1))) ++n;
  return n;
}

bool EnergyLedger::one_less_would_do(const Points& points, int count) const {
  const Power all = integral(points, count, points[1].t, points[0].t),
              fewer = integral(points, count - 1, points[1].t, points[0].t);
  return std::max(std::abs(all.work - fewer.work), std::abs(all.dissipated - fewer.dissipated)) <=
         kSmall * largest_;
}

// After a kink: on with the slope that was, until it has come to what is at the end, and there it stays.
Power EnergyLedger::past_kink(const Points& points, double to) {
  const double h = points[0].t - points[1].t, before = points[1].t - points[2].t, x = to - points[1].t;
  const auto part = [&](double Power::*of) {
    const double start = points[1].power.*of, change = points[0].power.*of - start;
    const double slope = (start - points[2].power.*of) / before;
    const double until = slope * change > 0 ? std::min(h, change / slope) : h;
    const double slides = std::min(x, until);
    return start * x + change * (slides * slides / (2 * until) + (x - slides));
  };
  return {part(&Power::dissipated), part(&Power::work)};
}

Power EnergyLedger::between(const Points& points, int count, double from, double to) const {
  const int told = near(points, count);
  return told == 2 && count > 2 ? past_kink(points, to) : integral(points, told, from, to);
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
