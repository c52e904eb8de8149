#include "integrate/independent/abam.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/step_control.hpp"

namespace trunnion::integrate {

using assembly::State;

namespace {

// Over a swing predicting and correcting at high orders takes several times the energy that the error of the prediction tells of.
AmplitudeTest strict(AmplitudeTest amplitude) {
  constexpr double kAllowed = 1e-7;
  amplitude.allowed = std::min(amplitude.allowed, kAllowed);
  return amplitude;
}

}  // namespace

// One point more than the order, for the error of the next higher one.
Abam::Abam(const assembly::Layout& layout, const AbamSettings& settings, double error,
           AmplitudeTest amplitude)
    : Adams(layout, error, strict(std::move(amplitude)), kHighestAdams + 1, formulas::dop853_table()),
      settings_(settings) {
  settings_.highest = std::clamp(settings_.highest, 1, kHighestAdams);
}

void Abam::fit() {
  Adams::fit();
  first_d_ = d_;
  first_v_ = end_.v;
}

void Abam::start(std::span<const State> past) {
  Adams::start(past);
  constexpr int kBegun = 4;  // by few Runge-Kutta steps
  order_ = used_ = !settings_.constant     ? 1
                   : settings_.order_given ? settings_.highest
                                           : std::min(kBegun, settings_.highest);
  steps_at_order_ = failures_ = 0;
  starting_ = true;
  seen_ = {};
}

solve::Outcome Abam::attempt(double h, const Place& place) {
  solve::Outcome outcome = open(h, place);
  if (outcome != solve::Outcome::converged) return outcome;
  const int points = chart_past(order_ + 1);
  by_starter_ = settings_.constant && known() < order_;
  if (by_starter_) return runge_kutta(starter_, place);
  used_ = std::min(order_, points);
  set_nodes(points);
  bashforth(used_);
  take_prediction();
  outcome = evaluate(1, place, end_);
  if (outcome != solve::Outcome::converged) return outcome;
  // The error is that of the predicted rates: those of the corrected ones are an order better and say less.
  seen_ = {};
  local_error(used_);
  seen_.here = size(error_, velocity_error_);
  if (used_ > 1) {
    local_error(used_ - 1);
    seen_.lower = size(error_, velocity_error_);
  }
  first_d_ = d_;
  first_v_ = y_.v.head(sizes_.coordinates);
  stages_[0] = end_;
  moulton(used_ + 1);
  outcome = evaluate(1, place, end_);
  if (outcome != solve::Outcome::converged) return outcome;
  watch_stiffness(stability(used_), first_d_, first_v_, stages_[0], place);
  if (points > used_) {
    local_error(used_ + 1);
    seen_.higher = size(error_, velocity_error_);
  }
  local_error(used_);
  return outcome;
}

// h times a frequency at which predict, evaluate, correct, evaluate ends being stable. A motion whose step that holds comes to low orders,
// where it is longest; at high ones as much is what accuracy asks for.
double Abam::stability(int order) {
  constexpr double kBound[] = {1.2, 1.2, 1.0, 0.8};
  constexpr int kLow = 4;
  return order <= kLow ? kBound[order - 1] : std::numeric_limits<double>::infinity();
}

double Abam::error(const State&) {
  if (by_starter_) return runge_kutta_error(starter_);
  return seen_.here;
}

void Abam::change_order(int by) {
  order_ += by;
  steps_at_order_ = 0;
}

double Abam::next_step(double, double largest) {
  failures_ = 0;
  if (settings_.constant) {
    if (!settings_.order_given && !by_starter_) take_least_error();
    return h_;
  }
  order_ = std::min(order_, used_);
  ++steps_at_order_;
  if (turned_ > 0)  // a change of spin turns a body further by the square of the step
    largest = std::min(largest, 0.9 * h_ * std::sqrt(assembly::kLargestTurn / turned_));
  return starting_ ? while_starting(largest) : by_errors(largest);
}

// Steps that cannot be cut may be too long for a high order to be stable: what it feeds on shows in its own differences before it does in
// the motion, and an order less has the smaller error.
void Abam::take_least_error() {
  ++steps_at_order_;
  if (used_ > 1 && seen_.lower <= seen_.here) return change_order(-1);
  const bool settled = steps_at_order_ > used_;
  if (settled && used_ < settings_.highest && seen_.higher >= 0 && seen_.higher < seen_.here) change_order(1);
}

// Order and step grow together until an order less would do as well, or the error is in sight.
double Abam::while_starting(double largest) {
  constexpr double kInSight = 0.1;
  if ((seen_.lower >= 0 && seen_.lower <= seen_.here) || order_ == settings_.highest ||
      seen_.here > kInSight) {
    starting_ = false;
    return by_errors(largest);
  }
  change_order(1);
  return std::min(2 * h_, largest);
}

double Abam::by_errors(double largest) {
  constexpr double kSafety = 2, kGrowth = 2, kHold = 1.2, kLeast = 1e-14;
  const auto factor = [=](double error, int order) {
    return std::pow(kSafety * std::max(error, kLeast), -1.0 / (order + 1));
  };
  double best = factor(seen_.here, used_);
  int by = 0;
  if (steps_at_order_ > used_) {
    // No step is worth more than HMAX: then the lower order.
    const double most = largest / h_;
    const double lower = seen_.lower >= 0 ? factor(seen_.lower, used_ - 1) : 0;
    const double higher =
        seen_.higher >= 0 && used_ < settings_.highest ? factor(seen_.higher, used_ + 1) : 0;
    if (std::min(lower, most) >= std::min(best, most) && lower >= higher) {
      best = lower;
      by = -1;
    } else if (higher > best && best < most) {
      best = higher;
      by = 1;
    }
  }
  if (by != 0) change_order(by);
  if (best >= 1 && best < kHold) return std::min(h_, largest);
  return std::min(h_ * std::clamp(best, 0.5, kGrowth), largest);
}

double Abam::smaller_step(double error, Rejection why) {
  starting_ = false;
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  constexpr int kGiveUp = 3;
  if (++failures_ >= kGiveUp && order_ > 1) {
    change_order(1 - order_);
  } else if (order_ > 1 && seen_.lower >= 0 && seen_.lower <= seen_.here) {
    change_order(-1);
  }
  return StepControl::after_error(h_, error, 1.0 / (used_ + 1));
}

}  // namespace trunnion::integrate
