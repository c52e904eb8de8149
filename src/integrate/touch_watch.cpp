#include "integrate/touch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::integrate {

void TouchWatch::begin(const assembly::State& state) {
  if (idle()) return;
  system_.update(state, work_);
  contacts_.penetrations(work_, before_);
  contacts_.paces(work_, pace_before_);
}

double TouchWatch::part(const assembly::State& from, const assembly::State& trial) {
  constexpr double kEntry = 0.05;  // of DMAX
  constexpr int kTries = 40;
  if (idle()) return 1;
  system_.update(trial, work_);
  contacts_.penetrations(work_, depth_);
  contacts_.paces(work_, pace_);
  if (tries_ >= kTries) return 1;
  double least = met_within(from, trial);
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    const double apart = before_[k];
    if (apart > 0 || depth_[k] <= 0) continue;
    const std::size_t contact = contacts_.contact_of(k);
    const double entry = kEntry * contacts_.depth_of_onset(contact, pace_[contact]);
    if (depth_[k] <= entry) continue;
    // Of meshes near each other nothing is known but that they do not touch yet.
    least = std::min(least, apart < 0 ? (0.5 * entry - apart) / (depth_[k] - apart) : 0.5);
  }
  if (least < 1) ++tries_;
  return least;
}

// Where the way of a step is longer than both distances together. What comes by so slowly that it moves by a small part of the
// smallest solid cannot have passed through.
bool TouchWatch::may_have_met(std::size_t k, double h, double& way) const {
  constexpr double kFaster = 1.2, kPasses = 0.1;
  if (before_[k] > 0 || depth_[k] > 0) return false;
  const std::size_t contact = contacts_.contact_of(k);
  way = kFaster * h * std::max(pace_before_[contact], pace_[contact]);
  return way > -before_[k] - depth_[k] && way > kPasses * contacts_.smaller_solid(k);
}

// The first part of the step after which a pair touches that does not at its ends; 1 where there is none.
double TouchWatch::met_within(const assembly::State& from, const assembly::State& trial) {
  constexpr double kLooks = 4, kMost = 64;  // in a way as long as the smallest solid
  const double h = trial.t - from.t;
  double looks = 0;
  suspects_.clear();
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    double way = 0;
    if (!may_have_met(k, h, way)) continue;
    suspects_.push_back(k);
    looks = std::max(looks, std::ceil(kLooks * way / contacts_.smaller_solid(k)));
  }
  if (suspects_.empty()) return 1;
  looks = std::clamp(looks, kLooks, kMost);
  const assembly::Layout& layout = system_.layout();
  move_.resize(layout.size());
  part_of_move_.resize(layout.size());
  assembly::difference(layout, from.q, trial.q, move_);
  const int n = layout.mechanical_size();
  double first = 1;
  for (double look = 1; look < looks && first == 1; ++look) {
    // The cubic that has the velocities of both ends, as far as those are rates of the coordinates.
    const double x = look / looks;
    part_of_move_ = x * move_;
    part_of_move_.head(n) = x * x * (3 - 2 * x) * move_.head(n) +
                            h * x * (1 - x) * ((1 - x) * from.v.head(n) - x * trial.v.head(n));
    there_ = trial;
    there_.t = from.t + x * h;
    assembly::retract(layout, from.q, part_of_move_, there_.q);
    system_.update(there_, work_);
    between_.resize(contacts_.pairs());
    std::size_t done = contacts_.size();  // none
    for (const std::size_t k : suspects_) {
      if (std::exchange(done, contacts_.contact_of(k)) != contacts_.contact_of(k))
        contacts_.penetrations(contacts_.contact_of(k), work_, between_);
      if (between_[k] > 0) first = x;
    }
  }
  return first;
}

bool TouchWatch::any_touches(std::size_t contact, const std::vector<double>& depths) const {
  for (std::size_t k = contacts_.first_pair(contact); k < contacts_.end_pair(contact); ++k) {
    if (depths[k] > 0) return true;
  }
  return false;
}

const TouchWatch::Changes& TouchWatch::accepted(double h) {
  changes_ = {std::numeric_limits<double>::infinity(), std::move(changes_.all)};
  changes_.all.clear();
  tries_ = 0;
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    const double from = before_[k], to = depth_[k];
    if (from >= 0 || to <= 0) continue;
    const std::size_t contact = contacts_.contact_of(k);
    changes_.longest =
        std::min(changes_.longest, h * contacts_.depth_of_onset(contact, pace_[contact]) / (to - from));
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const bool touches = any_touches(c, depth_);
    if (touches != any_touches(c, before_)) changes_.all.push_back({&contacts_.label(c), touches});
  }
  before_.swap(depth_);
  pace_before_.swap(pace_);
  return changes_;
}

const TouchWatch::Changes& TouchWatch::at_start() {
  changes_.all.clear();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (any_touches(c, before_)) changes_.all.push_back({&contacts_.label(c), true});
  }
  return changes_;
}

}  // namespace trunnion::integrate
