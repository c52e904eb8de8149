#include "integrate/touch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::integrate {

// From one end of a step to the other: the cubics that have the places and speeds of both.
class TouchWatch::Path {
 public:
  using Relation = system::Contacts::Relation;
  Path(const Relation& from, const Relation& to, double h)
      : from_(from), to_(to), h_(h), turn_(math::so3_log(math::Mat3(from.R.transpose() * to.R))) {
    first_ = h * from.R.transpose() * from.w;
    last_ = math::so3_right_jacobian_inverse(turn_) * (h * to.R.transpose() * to.w);
    turn_in_j_ = from.R * turn_;
  }
  math::Vec3 place(double x) const {
    return from_.p + x * x * (3 - 2 * x) * (to_.p - from_.p) +
           h_ * x * (1 - x) * ((1 - x) * from_.v - x * to_.v);
  }
  math::Mat3 axes(double x) const {
    return from_.R *
           math::so3_exp(x * x * (3 - 2 * x) * turn_ + x * (1 - x) * ((1 - x) * first_ - x * last_));
  }
  const math::Vec3& turn() const { return turn_in_j_; }
  double h() const { return h_; }

  double way = 0;    // the most by which the distance may change on all of it
  double least = 0;  // of that, what is not looked at more closely

 private:
  const Relation &from_, &to_;
  double h_;
  math::Vec3 turn_, turn_in_j_, first_, last_;
};

void TouchWatch::begin(const assembly::State& state) {
  if (idle()) return;
  system_.update(state, work_);
  contacts_.penetrations(work_, before_);
  contacts_.relations(work_, from_);
  pace_before_.resize(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) pace_before_[c] = contacts_.pace(c, from_[c]);
}

double TouchWatch::entry(std::size_t pair) const {
  constexpr double kEntry = 0.05;  // of DMAX
  const std::size_t contact = contacts_.contact_of(pair);
  return kEntry * contacts_.depth_of_onset(contact, pace_[contact]);
}

double TouchWatch::part(const assembly::State& from, const assembly::State& trial) {
  constexpr int kTries = 40;
  if (idle()) return 1;
  system_.update(trial, work_);
  contacts_.penetrations(work_, depth_);
  contacts_.relations(work_, to_);
  pace_.resize(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) pace_[c] = contacts_.pace(c, to_[c]);
  if (tries_ >= kTries) return 1;
  double least = 1;
  for (std::size_t k = 0; k < depth_.size(); ++k) {
    const double h = trial.t - from.t;
    least = std::min(least, before_[k] <= 0 ? met_within(k, h) : pushes_again(k, h));
  }
  if (least < 1) ++tries_;
  return least;
}

// The part of the step after which a pair that does not touch at its start should end; 1 where that is all of it.
double TouchWatch::met_within(std::size_t k, double h) {
  constexpr double kFaster = 1.2;
  const std::size_t c = contacts_.contact_of(k);
  const double to_go = -before_[k] - std::min(depth_[k], 0.0);
  if (const double moved = kFaster * h * std::max(pace_before_[c], pace_[c]); moved <= to_go) {
    ends_apart_by(k, -before_[k] - moved);
    return 1;
  }
  Path path(from_[c], to_[c], h);
  const double touch = first_touch(k, path), deepest = entry(k);
  if (depth_[k] <= 0) return touch;
  if (depth_[k] <= deepest) return touch < 1 ? sinks_at(k, path, touch) : 1;
  if (touch < 1) return touch;
  const double apart = -contacts_.gap(k, from_[c].p, from_[c].R, to_go + depth_[k]);
  return apart < 0 ? (0.5 * deepest - apart) / (depth_[k] - apart) : 0.5;
}

// The rate is known as a mean over a step alone, which what draws back does not keep: a touch that is held by nothing at a somewhat larger one counts.
bool TouchWatch::may_be_free(std::size_t k, double depth, double rate) const {
  constexpr double kFaster = 1.5;
  return contacts_.push(contacts_.contact_of(k), depth, kFaster * rate) == 0;
}

// The part of the step after which a force has come back that its ends do not have; 1 where there is none.
double TouchWatch::pushes_again(std::size_t k, double h) const {
  constexpr int kLooks = 8;
  constexpr double kLarger = 2;
  const std::size_t c = contacts_.contact_of(k);
  const double mean = (depth_[k] - before_[k]) / h;
  if (mean >= 0 || contacts_.push(c, depth_[k], mean) > 0 || !may_be_free(k, before_[k], mean)) return 1;
  Path path(from_[c], to_[c], h);
  path.way = before_[k];
  const auto depth = [&](int look) { return -gap(k, path, static_cast<double>(look) / kLooks); };
  const double per = 0.5 * kLooks / h;
  double last = before_[k], here = depth(1), next = depth(2);
  const double at_start = contacts_.push(c, last, per * (4 * here - next - 3 * last));
  for (int look = 1; look < kLooks && here > 0; ++look) {
    if (contacts_.push(c, here, per * (next - last)) > kLarger * at_start)
      return static_cast<double>(look) / kLooks;
    last = std::exchange(here, next);
    if (look + 2 <= kLooks) next = depth(look + 2);
  }
  return 1;
}

// The penetrations of meshes near each other tell nothing of their distance: what is known of it is kept for the next step.
void TouchWatch::ends_apart_by(std::size_t k, double distance) {
  if (depth_[k] <= 0) depth_[k] = std::min(depth_[k], -distance);
}

// What touches lightly at the end may be on its way out on the other side.
double TouchWatch::sinks_at(std::size_t k, const Path& path, double touch) const {
  constexpr int kLooks = 8;
  for (int look = 1; look < kLooks; ++look) {
    const double x = touch + (1 - touch) * look / kLooks;
    if (gap(k, path, x) < -entry(k)) return touch;
  }
  return 1;
}

// The first part of the step after which a pair touches; 1: it does not before the end.
double TouchWatch::first_touch(std::size_t k, Path& path) {
  constexpr double kFaster = 1.2, kMost = 256;
  const std::size_t c = contacts_.contact_of(k);
  // The bound of the cubics, with a margin for what they leave out.
  path.way = kFaster * contacts_.way(k, from_[c], to_[c], path.turn(), path.h());
  if (!(path.way > 0)) return 1;
  path.least = std::max(std::min(entry(k), 0.5 * contacts_.smaller_solid(k)), path.way / kMost);
  const double at_end = std::max(-depth_[k], 0.0);
  double x = 0, d = -before_[k], x_before = 0, d_before = 0;
  if (d < path.least) d = std::max(d, gap(k, path, 0));
  while (d + at_end < path.way * (1 - x)) {
    const double next = std::min(1.0, x + std::max(d, path.least) / path.way);
    const double there = next < 1 ? gap(k, path, next) : std::max(at_end, gap(k, path, 1));
    if (there < 0) return next;
    const bool open = d + there < path.way * (next - x);  // nothing keeps it from touching in between
    double found = 1;
    if (x > 0 && d <= d_before && d <= there && (open || d_before + d < path.way * (x - x_before)))
      found = dip(k, path, {x_before, x, next, d});
    if (found == 1 && open && (x == 0 || next == 1)) {
      const double middle = 0.5 * (x + next), between = gap(k, path, middle);
      if (between < 0) return middle;
      if (between < d && between < there) found = dip(k, path, {x, middle, next, between});
    }
    if (found < 1) return found;
    x_before = std::exchange(x, next);
    d_before = std::exchange(d, there);
    if (x == 1) break;
  }
  ends_apart_by(k, d - path.way * (1 - x));
  return 1;
}

double TouchWatch::gap(std::size_t k, const Path& path, double x) const {
  return contacts_.gap(k, path.place(x), path.axes(x), path.way);
}

// Between three places the middle of which is the nearest: by golden sections until it touches, or cannot.
double TouchWatch::dip(std::size_t k, const Path& path, Bracket b) const {
  constexpr double kGolden = 0.381966011250105, kSmall = 1e-3;
  while ((b.high - b.low) * path.way > kSmall * path.least) {
    if (b.gap >= path.way * std::max(b.middle - b.low, b.high - b.middle)) return 1;
    const bool right = b.high - b.middle > b.middle - b.low;
    const double x = b.middle + kGolden * (right ? b.high - b.middle : b.low - b.middle);
    const double d = gap(k, path, x);
    if (d < 0) return x;
    if (d < b.gap) {
      (right ? b.low : b.high) = b.middle;
      b.middle = x;
      b.gap = d;
    } else {
      (right ? b.high : b.low) = x;
    }
  }
  return 1;
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
    const std::size_t contact = contacts_.contact_of(k);
    if (to > 0 && to < from) {
      // A force that came back as it draws back: the next steps are to be parts of what is left of it.
      constexpr double kPart = 0.25;
      const double rate = (to - from) / h;
      if (may_be_free(k, from, rate) && contacts_.push(contact, to, rate) > 0)
        changes_.longest = std::min(changes_.longest, -kPart * std::max(to, entry(k)) / rate);
    }
    if (from >= 0 || to <= 0) continue;
    changes_.longest =
        std::min(changes_.longest, h * contacts_.depth_of_onset(contact, pace_[contact]) / (to - from));
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const bool touches = any_touches(c, depth_);
    if (touches != any_touches(c, before_)) changes_.all.push_back({&contacts_.label(c), touches});
  }
  before_.swap(depth_);
  from_.swap(to_);
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
