#include "integrate/independent/tlismni.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/step_control.hpp"

namespace trunnion::integrate {

using assembly::State;

// Points: those of the predictor, and one more for the local error.
Tlismni::Tlismni(const assembly::Layout& layout, const TlismniSettings& settings, double error)
    : Adams(layout, error, {}, std::max(settings.order, 3), formulas::rkf45_table()), settings_(settings) {}

void Tlismni::fit() {
  Adams::fit();
  last_ = predicted_;
  first_d_ = d_;
  first_v_ = last_.v;
}

// Through the last two points and the rate at the newest: for equal steps yₙ₋₁ + 2 h ẏₙ.
void Tlismni::midpoint() {
  const int n = sizes_.coordinates;
  const double ratio = h_ / (now_.t - time(1));
  predicted_.d = (h_ * (1 + ratio)) * rates(0).d + (ratio * ratio) * coordinates(1);
  predicted_.v =
      (h_ * (1 + ratio)) * rates(0).v + (ratio * ratio) * (velocities(1).head(n) - velocities(0).head(n));
}

double Tlismni::change_of(const Change& from) {
  error_ = corrected_.d - from.d;
  velocity_error_ = corrected_.v - from.v;
  return size(error_, velocity_error_);
}

solve::Outcome Tlismni::attempt(double h, const Place& place) {
  solve::Outcome outcome = open(h, place);
  if (outcome != solve::Outcome::converged) return outcome;
  const int p = settings_.order;
  by_starter_ = chart_past(p) < p;
  if (by_starter_) return runge_kutta(starter_, place);
  set_nodes(p);
  if (p == 2) midpoint();
  else bashforth(p - 1);
  take_prediction();
  for (int k = 0; k < settings_.outer; ++k) {
    outcome = evaluate(1, place, end_);
    if (outcome != solve::Outcome::converged) return outcome;
    last_ = corrected_;
    first_d_ = d_;
    first_v_ = y_.v.head(sizes_.coordinates);
    stages_[0] = end_;
    moulton(p);
    left_ = change_of(last_);
    if (!(left_ > 1)) break;
  }
  outcome = evaluate(1, place, end_);
  if (outcome != solve::Outcome::converged) return outcome;
  if (left_ > 1) return outcome;  // and the error shows what is left
  // Where ERROR sees a vibration its step is half as long; beyond twice as long no iteration converges.
  constexpr double kStiffFrom = 1;
  watch_stiffness(kStiffFrom, first_d_, first_v_, stages_[0], place);
  local_error(p);
  truncation_ = size(error_, velocity_error_);
  return outcome;
}

double Tlismni::error(const State&) {
  if (by_starter_) return runge_kutta_error(starter_);
  return left_ > 1 ? left_ : std::max(left_, truncation_);
}

// Eqs. 9 and 12: (h/h₀)^(p+1) |e| = ERROR/2, never shorter, five times as long at most.
double Tlismni::next_step(double error, double largest) {
  constexpr double kGrowth = 5, kLeast = 1e-12;
  if (turned_ > 0) largest = std::min(largest, 0.9 * h_ * std::sqrt(assembly::kLargestTurn / turned_));
  const double factor = std::pow(2 * std::max(error, kLeast), -1.0 / (settings_.order + 1));
  return std::min(h_ * std::clamp(factor, 1.0, kGrowth), largest);
}

// Eqs. 10 and 13: no shorter than half. A step whose constraints cannot be met is halved too.
double Tlismni::smaller_step(double error, Rejection why) {
  constexpr double kLongest = 0.9;
  if (why == Rejection::corrector || !std::isfinite(error)) return h_ / 2;
  const double factor = std::pow(2 * error, -1.0 / (settings_.order + 1));
  return h_ * std::clamp(factor, 0.5, kLongest);
}

}  // namespace trunnion::integrate
