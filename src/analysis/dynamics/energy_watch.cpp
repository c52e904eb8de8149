#include "analysis/dynamics/energy_watch.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::analysis {

std::optional<EnergyDrift> EnergyWatch::step(double t, const system::Energy& energy,
                                             const system::Power& spent) {
  const double balance = energy.kinetic + energy.potential + spent.dissipated - spent.work;
  if (!began_) {
    began_ = true;
    span_ = std::max(0.0, begun_ - t);
    first_ = balance;
    kinetic_ = energy.kinetic;
    potential_ = lowest_ = energy.potential;
    work_ = spent.work;
  }
  lowest_ = std::min(lowest_, energy.potential);
  // What was taken out was in the motion before: counting it too would count it twice.
  most_work_ = std::max(most_work_, spent.work - work_);
  size_ = std::max({size_, energy.kinetic, std::abs(energy.potential), spent.dissipated});
  // Of sums of large numbers that cancel.
  constexpr double kRounding = 1e-9;
  const double scale =
      std::max({kinetic_ + (potential_ - lowest_) + most_work_, kRounding * size_ / kTold, least_});
  now_ = {t, balance - first_, scale > 0 ? std::abs(balance - first_) / scale : 0};
  // A motion may begin at any time, from rest, as a motion's STEP does: what is off then must last as long.
  above_ = now_.part > limit() && t >= begun_ ? above_ + 1 : 0;
  if (above_ == 1) since_ = t;
  if (above_ < kLasting || t - since_ < span_) return {};
  above_ = 0;
  while (now_.part > limit()) limit() *= 10;
  return now_;
}

std::optional<EnergyDrift> EnergyWatch::end() const {
  if (now_.part > (now_.amount > 0 ? gain_limit_ : loss_limit_)) return now_;
  return {};
}

}  // namespace trunnion::analysis
