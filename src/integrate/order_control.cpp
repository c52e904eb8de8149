#include "integrate/order_control.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::integrate {

namespace {

// By how much the step may grow at order j with this error. Biases as in LSODE: the higher order has to earn its place.
double step_for(int j, double size, double bias) {
  return 1 / (bias * std::pow(std::max(size, 1e-12), 1.0 / (j + 1)) + 1e-6);
}
constexpr double kBiasHere = 1.2, kBiasDown = 1.3, kBiasUp = 1.4;

}  // namespace

void OrderControl::start(int order) {
  order_ = order;
  h_ = 0;
  steps_at_this_ = 0;
  starting_ = true;
  failures_ = 0;
  accepted_h_ = 0;
  equal_steps_ = 0;
  stability_.forget();
  spell_.forget();
}

void OrderControl::go_on(int order) {
  start(order);
  starting_ = false;
}

void OrderControl::begin_step(double h) {
  if (h != h_) steps_at_this_ = 0;
  h_ = h;
}

void OrderControl::see(const Derivatives& seen) {
  seen_ = seen;
  keep_peaks();
}

// Derivatives of a swing are zero twice in it, one after the other: their peaks of late tell its pace.
void OrderControl::keep_peaks() {
  constexpr double kFade = 0.93;
  steps_at_order_ = order_ == peaks_order_ ? steps_at_order_ + 1 : 0;
  peaks_order_ = order_;
  for (int j = 0; j <= kHighestBdf + 1; ++j) {
    const bool known = j >= order_ - 1 && j <= order_ + 1 && seen_.of[j] >= 0;
    peak_[j] = known ? std::max(kFade * peak_[j], seen_.of[j]) : 0;
  }
  keep_hidden();
}

// One derivative of a motion may vanish for good where its neighbours do not: the third of a thin disc that nutates does, in the
// chart that spins with it, and the formula of order 2 errs in velocities alone, unseen. Where axes of spin change, one that stays far
// below what lies between its neighbours is hidden, unless the upper one is noise or the motion is not smooth. In a swing each is
// so for 0.4 radians.
void OrderControl::keep_hidden() {
  constexpr double kNoise = 0.1, kFar = 0.2;  // over what is allowed; of what lies between
  constexpr double kSmooth = 0.05;            // (ωh)² of a motion that steps resolve
  for (int j = 1; j <= kHighestBdf; ++j) {
    const bool known = seen_.spin_axes_change && j >= order_ - 1 && j <= order_ && seen_.of[j - 1] >= 0 &&
                       seen_.of[j + 1] >= 0;
    const double above = seen_.of[j + 1], below = seen_.of[j - 1];
    const bool far =
        known && above > kNoise && above < kSmooth * below && seen_.of[j] < kFar * std::sqrt(below * above);
    hidden_phase_[j] = far ? hidden_phase_[j] + std::sqrt(above / below) : 0;
  }
}

bool OrderControl::hidden(int j) const {
  constexpr double kLong = 0.7;
  return j > 0 && hidden_phase_[j] > kLong;
}

double OrderControl::usual(int j) const {
  return hidden(j) ? std::sqrt(seen_.of[j - 1] * seen_.of[j + 1]) : seen_.of[j];
}

// What errs most at order k swings at this ωh.
double OrderControl::pace(int k) const {
  return k > 0 && peak_[k - 1] > 0 ? peak_[k] / std::max(peak_[k - 1], usual(k - 1)) : 0;
}

void OrderControl::change_order(int by) {
  order_ += by;
  steps_at_this_ = 0;
}

// Orders 3 and 4 feed a vibration without damping, 5 and 6 one that they do not resolve.
bool OrderControl::feeds() {
  if (!watches() || seen_.low < 0) return false;
  stability_.see(seen_.high, h_);
  return spell_.begins(stability_, {order_, h_, order_ > kDamping ? low_step() : 1.0, equal_steps_});
}

double OrderControl::low_step() const { return step_for(kDamping, seen_.low / (kDamping + 1), kBiasDown); }

double OrderControl::next_step(double error, double largest, int points) {
  failures_ = 0;
  ++steps_at_this_;
  constexpr double kSameStep = 1e-9;
  equal_steps_ = std::abs(h_ - accepted_h_) <= kSameStep * h_ ? equal_steps_ + 1 : 0;
  accepted_h_ = h_;
  const int k = order_;
  if (limits_.constant) {
    if (points > order_ && order_ < limits_.highest) ++order_;
    return std::min(h_, largest);
  }
  // While starting, order and step grow together as long as the higher derivatives do not object.
  const bool lower_is_better = k > 1 && seen_.of[k - 1] >= 0 && seen_.of[k - 1] <= seen_.of[k];
  if (starting_ && k < limits_.highest && !lower_is_better && error < 0.5)
    return while_starting(error, largest, points);
  starting_ = false;
  if (feeds()) {
    change_order(kDamping - k);
    return std::min(h_ * std::min(1.0, low_step()), largest);
  }
  if (h_ >= largest * (1 - 1e-12) && error < 1) return at_largest(largest);
  return by_derivatives(error, largest, points);
}

double OrderControl::while_starting(double error, double largest, int points) {
  const int k = order_;
  if (k < points) ++order_;
  steps_at_this_ = 0;
  const double room = std::pow(2 * std::max(error, 1e-14), -1.0 / (k + 1));
  return std::min(h_ * std::min(2.0, std::max(1.0, room)), largest);
}

// The step cannot grow: the order with the smallest error costs nothing. By ERROR's own measure, which with SI2 does not fall
// to zero twice in every swing.
double OrderControl::at_largest(double largest) {
  const int k = order_;
  if (steps_at_this_ <= k) return largest;
  constexpr double kWorse = 2;  // what one more point has to gain to be worth its noise
  if (k < limits_.highest && seen_.of[k + 1] >= 0 &&
      kWorse * seen_.plain[k + 1] / (k + 2) < seen_.plain_error && may_rise())
    change_order(1);
  else if (k > 1 && seen_.of[k - 1] >= 0 && seen_.plain[k - 1] / k < seen_.plain_error && !hidden(k - 1))
    change_order(-1);
  return largest;
}

double OrderControl::by_derivatives(double error, double largest, int points) {
  const int k = order_;
  const double here = step_for(k, error, kBiasHere);
  if (k < limits_.highest && hidden(k) && points > k + 1 && may_rise()) {
    change_order(1);
    return std::min(h_ * std::clamp(step_for(k + 1, seen_.of[k + 1] / (k + 2), kBiasUp), 0.5, 1.0), largest);
  }
  if (steps_at_this_ > k) {
    // Vibrations that a step hardly resolves are fed by orders 3 and 4 (at most 9 and 35 % a step). Order 2 needs little shorter
    // steps there and is rid of them.
    const bool seen = steps_at_order_ > kSeen;
    if (seen && k > kDamping && k <= kFeeding && pace(k) > kFast) {
      change_order(-1);
      return std::min(h_ * std::clamp(step_for(k - 1, seen_.of[k - 1] / k, kBiasDown), 0.5, 1.0), largest);
    }
    double best = here;
    int order = k;
    const auto weigh = [&](int other, double size, double bias) {
      const double step = step_for(other, size, bias);
      if (!(step > best)) return;
      best = step;
      order = other;
    };
    if (k > 1 && seen_.of[k - 1] >= 0) weigh(k - 1, usual(k - 1) / k, kBiasDown);
    if (k < limits_.highest && seen_.of[k + 1] >= 0 && (!seen || k != kDamping || pace(k + 1) < kFast) &&
        may_rise())
      weigh(k + 1, seen_.of[k + 1] / (k + 2), kBiasUp);
    constexpr double kWorthIt = 1.2;
    if (best < kWorthIt && best >= 1) return std::min(h_, largest);
    if (best >= 1) {
      if (order != k) change_order(order - k);
      return std::min(h_ * std::min(best, 2.0), largest);
    }
  }
  if (here >= 1) return std::min(h_, largest);
  return std::min(h_ * std::clamp(here, 0.5, 0.95), largest);
}

double OrderControl::smaller_step(double error, Rejection why) {
  starting_ = false;
  ++failures_;
  if (why == Rejection::corrector) {
    if (failures_ > 3) order_ = 1;
    return h_ / 4;
  }
  if (failures_ == 1) {
    // The order below may be the better one here.
    if (order_ > 1 && seen_.of[order_ - 1] >= 0 && seen_.of[order_ - 1] < seen_.of[order_] &&
        !hidden(order_ - 1))
      --order_;
    return h_ * std::clamp(0.9 * std::pow(2 * error, -1.0 / (order_ + 1)), 0.25, 0.9);
  }
  if (failures_ > 2) order_ = 1;
  return h_ / 4;
}

}  // namespace trunnion::integrate
