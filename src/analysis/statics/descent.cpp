#include "analysis/statics/descent.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/initial/correction_limit.hpp"

namespace trunnion::analysis {

using assembly::State;

namespace {

constexpr int kMostSteps = 2000;

// How a step is judged by the work done over the work promised.
constexpr double kPoor = 0.1;    // less is not taken: the forces changed on the way
constexpr double kFair = 0.4;    // from here on the shift falls, by half at most
constexpr double kGood = 0.8;    // and from here on by as much as has proved well
constexpr double kMeagre = 0.2;  // below, the shift grows though the step is taken
constexpr double kWindfall = 2;  // forces grew on the way: taken, but nothing is concluded from it

// The shift after a step.
constexpr double kEasiest = 0.1,
                 kHardest = 0.7;  // of a good step, where none had to be repeated and where many had to
constexpr double kHalf = 0.5, kRaiseTaken = 3;  // of a fair step at least; of a meagre one
constexpr double kRaise = 4, kMostRaise = 1e3;  // after a repeated one: towards the curvature along it
constexpr double kMostRaiseLong = 30;           // of one that is too long: by how much it is
constexpr double kOutweigh = 1.5, kRaiseIndefinite = 8;  // to outweigh a negative curvature

// Of a step by residual, before its direction is turned towards the forces.
constexpr double kSmallestPart = 1.0 / 64;

// Forces that did what they promised to this part may be trusted twice as far.
constexpr double kTrusted = 0.25;
// Longer than this many longest steps it comes from a stiffness next to singular: its direction means nothing.
constexpr double kFarTooLong = 4;
// Constraints that bend a step by its own length lead elsewhere than it was meant to.
constexpr double kBent = 1;
// Steps shorter than this do work that is lost in rounding: the residual decides there.
constexpr double kClose = 1e-3;
// A fall of the merit (a square) that counts as progress beyond doubt, and the least that a step by residual must bring.
constexpr double kClearFall = 0.25, kLeastFall = 1e-4;
// Newton's step from the start is taken at any length where it leaves a thousandth of the force and did the work it promised:
// all forces on the way are then linear.
constexpr double kKilled = 1e-6, kAsPromised = 0.05;
// On the way joints may be apart by this many lengths: each step closes them again.
constexpr double kLoose = 1e-7;
// A curvature is rounding below this many times ε |K||δ|²: the operations behind an entry.
constexpr double kRounding = 64;
// Steps this much shorter than any stiffness or force asks for change nothing: forces jump here.
constexpr double kHopeless = 1e15;
// Beyond this many lengths a part is away unless stiffness would hold it within so many times the way it has come.
constexpr double kAway = 1e3, kHope = 10;
// Iterations in which either the forces do a thousandth of all the work they did, or their rest falls by a tenth.
constexpr int kStretch = 100;
constexpr double kWorthwhile = 1e-3, kFallInStretch = 0.9;

}  // namespace

StaticDescent::StaticDescent(StaticSearch& search, State& state, Merit by)
    : search_(search),
      equations_(search.equations()),
      layout_(search.equations().system().layout()),
      state_(state),
      start_(state),
      by_(by),
      gap_(search.gap_tolerance(state)),
      ease_(kEasiest),
      turning_(layout_) {}

Search StaticDescent::run() {
  if (!begin()) return Search::singular;
  for (int k = 0; k < kMostSteps; ++k) {
    if (search_.stopped()) return search_.how_stopped();
    const bool fresh = !looked_;
    if (fresh) look();
    if (!std::isfinite(imbalance_)) return Search::not_converged;
    if (fresh && balanced_ && at_rest()) return jumps_ ? Search::not_converged : Search::converged;
    if (k == 0 && newton_alone()) continue;
    if (!steered_ && !direction()) {
      if (undetermined()) {
        search_.note_singular();
        return Search::undetermined;
      }
      s_ = std::max(10 * s_, search_.smallest_shift());
      if (s_ < kHopeless * std::max(equations_.stiffest(), first_s_)) continue;
      search_.note_singular();
      return Search::singular;
    }
    if (misleading()) continue;
    const double factor = longest_part(size_);
    go(factor, trial_);
    const bool taken = worth(trial_, factor);
    search_.tell(by_ == Merit::work ? "descent" : "residual", imbalance_, size_, s_, r_, d_, taken);
    if (!taken) {
      if (!back_off() || idle()) return Search::not_converged;
      continue;
    }
    const bool away = by_ == Merit::work && runs_away(trial_.moved, trial_.x);
    advance(trial_);
    if (away || (by_ == Merit::work && turning_.on(trial_.moved, merit_))) return Search::runs_away;
    if (idle()) return Search::not_converged;
  }
  return Search::not_converged;
}

// The first step is to go a part of the way that the forces alone would take it.
bool StaticDescent::begin() {
  if (!equations_.place(state_, gap_, trial_.x)) return false;
  first_s_ = search_.extent(trial_.x) / kLongestStep;
  // Newton's own direction is the one in which the residual falls, also about an unstable place.
  s_ = by_ == Merit::work ? first_s_ : 0.0;
  merit_ = stretch_merit_ = search_.merit(trial_.x);
  return true;
}

void StaticDescent::look() {
  equations_.evaluate(state_, true);
  equations_.keep_stiffness();
  r_ = equations_.residual();
  imbalance_ = equations_.largest_imbalance();
  balanced_ = search_.balanced(state_);
  looked_ = true;
}

double StaticDescent::size(const Eigen::VectorXd& d) const {
  const auto [turn, travel] = search_.turn_and_travel(d);
  return std::max(turn, travel / (reach_ * equations_.length_scale()));
}

bool StaticDescent::is_rounding(const Eigen::VectorXd& d, double curvature) const {
  return std::abs(curvature) <= kRounding * equations_.curvature_rounding(d);
}

// The forces balance; is the place also known? By the correction that is left, without a shift: it would hide how soft the
// mechanism is in some direction. Only where a direction has no stiffness but rounding a shift keeps the correction there at nothing.
bool StaticDescent::at_rest() {
  Eigen::VectorXd d;
  for (double shift : {0.0, search_.smallest_shift()}) {
    if (!equations_.factor_kept(shift)) continue;
    d = -r_;
    equations_.solve_stiffness(d);
    if (!d.allFinite()) continue;
    const double left = search_.extent(d);
    if (left <= search_.largest_correction()) {
      jumps_ = shift > 0 && search_.forces_jump(state_);
      search_.tell(by_ == Merit::work ? "descent" : "residual", imbalance_, left, shift, r_, d, true);
      finish(d);
      return true;
    }
    if (shift == 0 && !is_rounding(d, -search_.work_product(r_, d))) return false;
  }
  return false;
}

// The last correction, unless it leads out of the balance because forces bend within it. Without a freedom there is no such force:
// links near a straight line are then held by the gaps in their joints only, which is for verify() to refuse.
void StaticDescent::finish(const Eigen::VectorXd& d) {
  State better = state_;
  equations_.add(d, 1, better);
  search_.polish(better);
  equations_.evaluate(better, true);
  const bool stays = equations_.largest_gap() <= gap_ && search_.balanced(better);
  const bool free = equations_.stage().active_count() < layout_.mechanical_size();
  if (!stays && free && equations_.place(state_, gap_, trial_.x)) {
    equations_.evaluate(state_, false);
    if (equations_.largest_imbalance() <= search_.settings().imbalance) return;
  }
  std::swap(state_, better);
}

// Of a mechanism whose forces are linear, the place of rest at once, however far.
bool StaticDescent::newton_alone() {
  if (by_ != Merit::work || !equations_.factor_kept(0)) return false;
  d_ = -r_;
  equations_.solve_stiffness(d_);
  if (!d_.allFinite()) return false;
  const auto [turn, travel] = search_.turn_and_travel(d_);
  promise_ = -search_.work_product(r_, d_);
  if (!(turn <= kLongestStep) || !(promise_ > 0) || is_rounding(d_, promise_)) return false;
  const StaticSettings& given = search_.settings();
  if (given.bounded && correction_limit(layout_, d_, given.alimit, given.tlimit) < 1) return false;
  curvature_ = promise_;
  size_ = std::max(turn, travel / equations_.length_scale());
  go(1, trial_);
  const bool taken = trial_.placed && trial_.merit <= kKilled * merit_ &&
                     std::abs(trial_.share - 1) <= kAsPromised && trial_.bent <= kBent;
  search_.tell("Newton", imbalance_, size_, 0, r_, d_, taken);
  if (!taken) return false;
  advance(trial_);
  return true;
}

// δ of the shifted stiffness, and what it promises.
bool StaticDescent::direction() {
  constexpr double kLowest = 1e-10;  // of the smallest that may be needed: the rest is Newton's method
  const double needed = search_.smallest_shift();
  s_ = std::max(s_, kLowest * needed);
  for (;;) {
    if (!equations_.kept()) look();
    if (!equations_.factor_kept(s_)) return false;
    d_ = -r_;
    equations_.solve_stiffness(d_);
    if (!d_.allFinite()) return false;
    promise_ = -search_.work_product(r_, d_);
    weight_ = search_.merit_of(d_);
    curvature_ = promise_ - s_ * weight_;
    if (s_ >= needed || !is_rounding(d_, curvature_)) break;
    s_ = needed;  // nothing holds it that way; without the shift it would go where rounding takes it
  }
  size_ = size(d_);
  search_.note_direction(d_);
  steered_ = true;
  return true;
}

bool StaticDescent::undetermined() const {
  const auto at = equations_.stiffness_singular();
  return at && at->col >= 0 && at->col < layout_.size() && !equations_.is_mechanical(at->col);
}

// A step that is not worth trying, with the shift it should have had.
bool StaticDescent::misleading() {
  if (by_ != Merit::work) return false;
  const double comparable = weight_ > 0 ? std::abs(curvature_) / weight_ : 0.0;
  const bool indefinite = promise_ <= 0 && !balanced_;
  const bool too_long = size_ > kFarTooLong * kLongestStep && s_ < kHopeless * first_s_;
  if (!indefinite && !too_long) return false;
  search_.tell("descent", imbalance_, size_, s_, r_, d_, false);
  // A negative direction that the shift does not yet outweigh; or a stiffness near a singular or indefinite one.
  steered_ = false;
  if (indefinite) s_ = std::max(kRaiseIndefinite * s_, kOutweigh * comparable);
  else s_ *= std::clamp(size_ / kLongestStep, kRaise, kMostRaiseLong);
  return true;
}

double StaticDescent::longest_part(double size) const {
  const StaticSettings& given = search_.settings();
  double factor = part_ * (size > kLongestStep ? kLongestStep / size : 1.0);
  if (given.bounded) factor = std::min(factor, correction_limit(layout_, d_, given.alimit, given.tlimit));
  return factor;
}

void StaticDescent::go(double factor, Trial& trial) {
  trial.state = state_;
  equations_.add(d_, factor, trial.state);
  const bool close = balanced_ || size_ < kClose;
  const double apart = close ? gap_ : std::max(gap_, kLoose * equations_.length_scale());
  trial.placed = equations_.place(trial.state, apart, trial.x);
  if (!trial.placed) return;
  trial.merit = search_.merit(trial.x);
  trial.moved.resize(layout_.size());
  assembly::difference(layout_, state_.q, trial.state.q, trial.moved);
  trial.work = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (equations_.is_mechanical(i))
      trial.work -= 0.5 * (r_[i] - equations_.weights()[i] * trial.x[i]) * trial.moved[i];
  }
  const double promised = factor * promise_ - 0.5 * factor * factor * curvature_;
  trial.share = promised > 0 ? trial.work / promised : 0.0;
  trial.bent = search_.extent(trial.moved - factor * d_.head(layout_.size())) / (factor * search_.extent(d_));
}

// Whether a trial becomes the place to go on from; its share then says how the shift should go on.
bool StaticDescent::worth(Trial& trial, double factor) const {
  if (!trial.placed) return false;
  bool taken = false;
  if (by_ == Merit::work) {
    taken = trial.share > kPoor || (size_ < kClose && trial.merit < kClearFall * merit_);
  } else {
    taken = trial.merit < merit_ * (1 - kLeastFall * factor);
    trial.share = trial.merit < kClearFall * merit_ ? 1 : trial.merit < merit_ ? kFair : 0;
  }
  if (trial.bent > kBent) taken = false;
  else if (trial.bent > 0.5 * kBent) trial.share = std::min(trial.share, 0.5 * (kMeagre + kFair));
  else if (trial.share > kWindfall) trial.share = 0.5 * (kFair + kGood);
  return taken || (balanced_ && size_ <= search_.largest_correction());
}

// False: no shorter step helps.
bool StaticDescent::back_off() {
  const double comparable = weight_ > 0 ? std::abs(curvature_) / weight_ : 0.0;
  if (by_ == Merit::residual && part_ > kSmallestPart) {
    part_ /= 4;
    return true;
  }
  part_ = 1;
  steered_ = false;
  ease_ = std::min(kHardest, std::sqrt(ease_));
  reach_ = std::max(1.0, reach_ / kRaise);
  s_ = std::max(kRaise * s_, std::min(comparable, kMostRaise * s_));
  return s_ <= kHopeless * std::max(equations_.stiffest(), first_s_);
}

void StaticDescent::advance(Trial& trial) {
  const double travel = search_.turn_and_travel(trial.moved).second;
  const bool far = travel / (reach_ * equations_.length_scale()) > 0.5 * kLongestStep;
  if (far && std::abs(trial.share - 1) < kTrusted) reach_ *= 2;
  std::swap(state_, trial.state);
  merit_ = trial.merit;
  work_ += trial.work;
  stretch_work_ += trial.work;
  search_.remember(state_);
  looked_ = steered_ = false;
  part_ = std::min(1.0, 4 * part_);
  if (trial.share > kGood) {
    s_ *= ease_;
    ease_ = std::max(kEasiest, kHardest * ease_);
  } else if (trial.share > kFair) {
    s_ *= std::max(ease_, kHalf);
  } else if (trial.share < kMeagre) {
    s_ *= kRaiseTaken;
  }
}

// Far off, with a force along the way that no stiffness would bring to nothing.
bool StaticDescent::runs_away(const Eigen::VectorXd& moved, const Eigen::VectorXd& x) const {
  const double come = search_.distance(start_, trial_.state);
  if (!(come > kAway)) return false;
  double before = 0, after = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (!equations_.is_mechanical(i)) continue;
    before -= r_[i] * moved[i];
    after += equations_.weights()[i] * x[i] * moved[i];
  }
  if (!(after > 0)) return false;
  const double fall = before - after;
  return fall <= 0 || after / fall * search_.extent(moved) > kHope * come;
}

// A stretch of iterations that led nowhere.
bool StaticDescent::idle() {
  if (++tried_ < kStretch) return false;
  const bool by_work = by_ == Merit::work && stretch_work_ > kWorthwhile * work_;
  const bool by_merit = merit_ < kFallInStretch * stretch_merit_;
  tried_ = 0;
  stretch_work_ = 0;
  stretch_merit_ = merit_;
  return !by_work && !by_merit;
}

}  // namespace trunnion::analysis
