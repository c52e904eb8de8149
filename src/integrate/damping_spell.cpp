#include "integrate/damping_spell.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::integrate {

namespace {

constexpr double kSmall = 0.1;                     // of the speed of the motion; more is the motion itself
constexpr double kMuch = 0.03;                     // growth in a step by which it would be seen before long
constexpr double kWorth = 0.4, kWorthMuch = 0.15;  // of the step: order 2 costs little
constexpr double kShort = 300;                     // steps: so does the spell
constexpr double kSettling = 16;  // steps at an order, after which what it makes of a vibration is seen
constexpr double kSpell = 4;      // times what should do
constexpr double kMorePatient = 4;
// As long as each other must be the steps that show what ERROR does not see: a corner of a force (friction that turns) shakes high
// differences too, as it shakes the step. Taken for a vibration it had three steps of four made at order 2.
constexpr int kEqual = 8;
constexpr double kNever = 1e9;  // steps

bool same_pace(double a, double b) {
  constexpr double kSame = 1.5;
  return a < kSame * b && b < kSame * a;
}

}  // namespace

void DampingSpell::forget() {
  since_ = 0;
  followed_ = left_ = least_ = 0;
  free_ = kNever;
  driven_ = 0;
  patience_ = 1;
}

bool DampingSpell::begins(const StabilityLimit& seen, const Step& step) {
  if (++since_ < kLook) return false;
  since_ = 0;
  if (lasts()) {
    go_on(seen, step);
    return false;
  }
  free_ += kLook;
  const auto v = seen.vibration(step.order);
  return v && feeds(*v, step);
}

// What ERROR does not see grows without bound until it does: order 2 at once, where that costs little. What it sees sets the step.
bool DampingSpell::feeds(const StabilityLimit::Vibration& v, const Step& step) {
  const bool seen = v.size > 1;
  if (seen ? v.part > kSmall || step.order <= kOrder : !(v.undamped && step.equal >= kEqual)) return false;
  const double growth = bdf_growth(std::max(step.order, kOrder + 1), v.y);
  if (!(growth > growth_)) return false;
  const double needed = steps_for(v.y * std::min(1.0, step.low_step));
  const bool cheap = needed < kShort && step.low_step > (growth > kMuch ? kWorthMuch : kWorth);
  if (!seen && !cheap) return false;
  const bool again = same_pace(v.y / step.h, driven_);
  followed_ += kLook;
  if (followed_ < ((again ? patience_ : 1) - (seen ? 0 : 1)) * needed) return false;
  // Back at once: what made it is still there, and the next try comes later.
  least_ = free_ < std::max(least_, kSpell * needed) ? std::max(2 * least_, kSpell * needed) : 0;
  least_left_ = least_;
  free_ = 0;
  constexpr double kLess = 1e-2, kGone = 1e-3;  // of ERROR: it takes a while to come back from
  gone_ = std::min(kGone, kLess * v.size);
  start(needed, v.size);
  omega_ = v.y / step.h;
  if (seen) told_ = omega_;
  return step.order > kOrder;
}

double DampingSpell::steps_for(double y) { return kSettling + 1 / -bdf_growth(kOrder, y); }

void DampingSpell::start(double steps, double size) {
  left_ = std::max(kSpell * steps, least_);
  size_ = size;
  followed_ = 0;
}

// One that goes on falling is given more time; where another one is seen instead, that of the spell is gone.
void DampingSpell::go_on(const StabilityLimit& seen, const Step& step) {
  constexpr double kFalling = 0.3;
  left_ -= kLook;
  least_left_ -= kLook;
  if (least_left_ > 0) return;
  const auto v = seen.vibration(kOrder);
  if (!v) return;
  if (v->size < gone_) {
    left_ = 0;
    patience_ = std::max(1.0, patience_ / kMorePatient);
  } else if (left_ <= 0 && same_pace(v->y / step.h, omega_)) {
    if (v->size < kFalling * size_) return start(steps_for(v->y), v->size);
    patience_ = same_pace(omega_, driven_) ? kMorePatient * patience_ : kMorePatient;
    driven_ = omega_;
  }
}

}  // namespace trunnion::integrate
