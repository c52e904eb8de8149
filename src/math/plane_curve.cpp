#include "math/plane_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trunnion::math {

namespace {

constexpr int kSamples = 256;
constexpr double kCorner = 0.05;  // rad; what turns by less at once is taken as smooth
constexpr double kInside =
    1e-9;  // of a piece: derivatives are taken this much within it, where its ends are corners

Vec3 point_of(const Curve& curve, double alpha) {
  Vec3 x;
  for (int k = 0; k < 3; ++k) x[k] = curve.derivatives(alpha, k)[0];
  return x;
}

double angle_between(const PlaneCurve::Vec2& a, const PlaneCurve::Vec2& b) {
  return std::abs(std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b)));
}

}  // namespace

std::shared_ptr<const PlaneCurve> PlaneCurve::make(const Curve& curve, const Vec3& up, bool turned,
                                                   std::string& why) {
  auto one = std::make_shared<PlaneCurve>();
  one->curve_ = curve;
  one->closed_ = curve.closed();
  if (!one->find_plane(up, why)) return nullptr;
  one->take_samples();
  double twice_area = 0;
  const std::vector<Vec2>& x = one->points_;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Vec2& next = x[(k + 1) % x.size()];
    twice_area += x[k].x() * next.y() - x[k].y() * next.x();
    one->bound_ = std::max(one->bound_, x[k].norm());
  }
  // Between samples it may bulge out by a part of their distance.
  for (std::size_t k = 1; k < x.size(); ++k)
    one->bound_ = std::max(one->bound_, x[k].norm() + 0.5 * (x[k] - x[k - 1]).norm());
  one->side_ = one->closed_ && twice_area < 0 ? -1 : 1;
  if (turned) one->side_ = -one->side_;
  if (turned && one->closed_) one->bound_ *= 2;
  return one;
}

bool PlaneCurve::find_plane(const Vec3& up, std::string& why) {
  const double low = curve_.min_parameter(), high = curve_.max_parameter();
  std::vector<Vec3> points;
  for (int k = 0; k <= kSamples; ++k) points.push_back(point_of(curve_, low + (high - low) * k / kSamples));
  p_.setZero();
  for (const Vec3& x : points) p_ += x / (kSamples + 1);
  Vec3 across = Vec3::Zero(), along = Vec3::Zero();
  double size = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec3 a = points[k - 1] - p_, b = points[k] - p_;
    if (!b.allFinite()) {
      why = "has points that are no numbers";
      return false;
    }
    across += a.cross(b);
    if (b.norm() > size) {
      size = b.norm();
      along = b;
    }
  }
  constexpr double kThin = 1e-9, kFlat = 1e-6;
  if (!(size > 0)) {
    why = "has no length";
    return false;
  }
  // An S goes round as much one way as the other: then, and of a straight line, the side it is seen from says which plane.
  const auto off_plane = [&](const Vec3& z) {
    double most = 0;
    for (const Vec3& x : points) most = std::max(most, std::abs(z.dot(x - p_)));
    return most;
  };
  Vec3 z = up.normalized();
  if (off_plane(z) > kFlat * size) {
    if (across.norm() > kThin * size * size) z = across.normalized();
    if (z.dot(up) < 0) z = -z;
  }
  if (off_plane(z) > kFlat * size) {
    why = "does not lie in a plane";
    return false;
  }
  R_.col(2) = z;
  R_.col(0) = (along - z * z.dot(along)).normalized();
  R_.col(1) = z.cross(R_.col(0));
  return true;
}

PlaneCurve::At PlaneCurve::at(double alpha) const {
  Vec3 c, d1, d2;
  for (int k = 0; k < 3; ++k) {
    const Derivatives d = curve_.derivatives(alpha, k);
    c[k] = d[0];
    d1[k] = d[1];
    d2[k] = d[2];
  }
  const Eigen::Matrix<double, 2, 3> down = R_.leftCols<2>().transpose();
  return {down * (c - p_), down * d1, down * d2};
}

// Where a tangent turns at once: found by halving, and made a sample.
void PlaneCurve::add_corner(double low, double high) {
  const auto turn = [&](double a, double b) {
    const double within = kInside * (b - a);
    return angle_between(at(a + within).d1, at(b - within).d1);
  };
  if (turn(low, high) < kCorner) return;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (turn(low, middle) > turn(middle, high) ? high : low) = middle;
  }
  const double step = 1e-6 * (curve_.max_parameter() - curve_.min_parameter());
  if (angle_between(at(low - step).d1, at(high + step).d1) < kCorner) return;
  corners_ = true;
  alpha_.push_back(0.5 * (low + high));
}

void PlaneCurve::take_samples() {
  const double low = curve_.min_parameter(), high = curve_.max_parameter();
  for (int k = 0; k <= kSamples; ++k) {
    const double next = low + (high - low) * k / kSamples;
    if (k > 0) add_corner(low + (high - low) * (k - 1) / kSamples, next);
    alpha_.push_back(next);
  }
  // Corners that are samples anyway.
  for (int k = 1; k < kSamples; ++k) {
    const double a = low + (high - low) * k / kSamples, step = 1e-7 * (high - low);
    if (angle_between(at(a - step).d1, at(a + step).d1) > kCorner) corners_ = true;
  }
  if (closed_ && angle_between(at(low + 1e-7 * (high - low)).d1, at(high - 1e-7 * (high - low)).d1) > kCorner)
    corners_ = true;
  std::sort(alpha_.begin(), alpha_.end());
  alpha_.erase(std::unique(alpha_.begin(), alpha_.end()), alpha_.end());
  for (const double a : alpha_) points_.push_back(at(a).c);
  for (std::size_t k = 0; k + 1 < points_.size(); ++k) apart_.push_back((points_[k + 1] - points_[k]).norm());
  most_apart_ = *std::max_element(apart_.begin(), apart_.end());
  group_samples();
}

void PlaneCurve::group_samples() {
  constexpr std::size_t kGroup = 16;
  for (std::size_t first = 0; first + 1 < points_.size(); first += kGroup) {
    Group g{first, std::min(first + kGroup, points_.size() - 1), Vec2::Zero(), 0};
    Vec2 low = points_[first], high = low;
    for (std::size_t k = g.first; k <= g.last; ++k) {
      low = low.cwiseMin(points_[k]);
      high = high.cwiseMax(points_[k]);
    }
    g.middle = 0.5 * (low + high);
    for (std::size_t k = g.first; k <= g.last; ++k)
      g.radius = std::max(g.radius, (points_[k] - g.middle).norm());
    groups_.push_back(g);
  }
}

PlaneCurve::Vec2 PlaneCurve::outward(const Vec2& tangent) const {
  return side_ * Vec2(tangent.y(), -tangent.x()).normalized();
}

// The foot between two samples, where the distance falls from the first and rises to the second.
PlaneCurve::Foot PlaneCurve::foot_within(const Vec2& y, double low, double high) const {
  double a = 0.5 * (low + high);
  At x = at(a);
  for (int k = 0; k < 60; ++k) {
    const Vec2 r = x.c - y;
    const double f = r.dot(x.d1), slope = x.d1.squaredNorm() + r.dot(x.d2);
    (f > 0 ? high : low) = a;
    double next = slope > 0 ? a - f / slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - a) <= 4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(a));
    a = next;
    x = at(a);
    if (done) break;
  }
  return smooth_foot(y, a);
}

PlaneCurve::Foot PlaneCurve::smooth_foot(const Vec2& y, double alpha) const {
  const At x = at(alpha);
  Foot f;
  f.alpha = alpha;
  f.normal = outward(x.d1);
  f.distance = f.normal.dot(y - x.c);
  const double k = x.d2.dot(f.normal) / x.d1.squaredNorm(), rest = 1 - k * f.distance;
  constexpr double kCentre = 1e-6;  // the centre of curvature: two feet become one
  f.curvature = -k / std::max(rest, kCentre);
  return f;
}

// A corner or an end: everything around it is as far as it is.
PlaneCurve::Foot PlaneCurve::foot_at_sample(const Vec2& y, std::size_t k) const {
  Foot f;
  f.alpha = alpha_[k];
  const Vec2 r = y - points_[k];
  const double length = r.norm();
  const std::size_t last = alpha_.size() - 1;
  const double step = 1e-7 * (curve_.max_parameter() - curve_.min_parameter());
  const bool first_end = k == 0, end = k == 0 || k == last;
  if (end && !closed_) {  // no inside here
    f.distance = length;
    f.normal = length > 0 ? Vec2(r / length) : outward(at(f.alpha).d1);
    f.curvature = length > 0 ? 1 / length : 0;
    return f;
  }
  const double before = first_end && closed_ ? curve_.max_parameter() - step : f.alpha - step,
               after = end && !first_end ? curve_.min_parameter() + step : f.alpha + step;
  const Vec2 left = outward(at(before).d1), right = outward(at(after).d1), bisector = left + right;
  if (angle_between(left, right) < kCorner) return smooth_foot(y, f.alpha);
  const double sign = bisector.dot(r) < 0 ? -1 : 1;
  f.distance = sign * length;
  f.normal = length > 0 ? Vec2(sign * r / length) : Vec2(bisector.normalized());
  f.curvature = length > 0 ? sign / length : 0;
  return f;
}

PlaneCurve::Foot PlaneCurve::foot(const Vec2& y) const {
  thread_local std::vector<double> far;
  far.resize(points_.size());
  double best = std::numeric_limits<double>::infinity();
  // Groups whose nearest point is farther than another's farthest are out of it.
  for (const Group& g : groups_) best = std::min(best, (g.middle - y).norm() + g.radius);
  const auto counts = [&](const Group& g) { return (g.middle - y).norm() - g.radius - most_apart_ <= best; };
  for (const Group& g : groups_) {
    if (!counts(g)) continue;
    for (std::size_t k = g.first; k <= g.last; ++k) best = std::min(best, far[k] = (points_[k] - y).norm());
  }
  Foot nearest;
  double least = std::numeric_limits<double>::infinity();
  const auto take = [&](const Foot& f, double length) {
    if (length >= least) return;
    least = length;
    nearest = f;
  };
  const auto take_sample = [&](std::size_t k, double length) {
    if (length < least) take(foot_at_sample(y, k), length);
  };
  // Between two samples a distance falls below theirs by less than theirs from each other.
  const auto look_between = [&](std::size_t k) {
    const double from = far[k], to = far[k + 1];
    if (std::min(from, to) - apart_[k] > best) return;
    const double within = kInside * (alpha_[k + 1] - alpha_[k]), low = alpha_[k] + within,
                 high = alpha_[k + 1] - within;
    const At a = at(low), b = at(high);
    const bool falls = (a.c - y).dot(a.d1)<0, rises = (b.c - y).dot(b.d1)> 0;
    if (falls && rises) {
      const Foot f = foot_within(y, low, high);
      take(f, std::abs(f.distance));
    }
    if (!falls) take_sample(k, from);
    if (!rises) take_sample(k + 1, to);
  };
  for (const Group& g : groups_) {
    if (!counts(g)) continue;
    // best may have fallen since; the first look was with more.
    for (std::size_t k = g.first; k < g.last; ++k) look_between(k);
  }
  return nearest;
}

}  // namespace trunnion::math
