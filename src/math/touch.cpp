#include "math/touch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "math/overlap.hpp"
#include "math/plane_curve.hpp"

namespace trunnion::math {
namespace {

using Kind = Shape::Kind;
using Mat36 = Touch::Mat36;

constexpr double kRim = 1e-3;

bool is_ball(Kind kind) { return kind == Kind::sphere || kind == Kind::point; }

// δx of a point of the moving body.
Mat36 motion_of(const Vec3& x) {
  Mat36 m;
  m << Mat3::Identity(), -hat(x);
  return m;
}

// From "the second moves" to "the first moves", with the push turned round: moving one by ξ is moving the other by −ξ, and then all
// by ξ.
class Exchanged final : public TouchSink {
 public:
  explicit Exchanged(TouchSink& to) : to_(to) { reach = to.reach; }
  void take(const Touch& t) override {
    Touch r = t;
    r.g_x = -t.g_x;
    r.area_x = -t.area_x;
    r.c_x = motion_of(t.c) - t.c_x;
    r.n = -t.n;
    r.n_x = t.n_x;  // −(φ × n − n_x)
    r.n_x.rightCols<3>() += hat(t.n);
    Region region;
    if (t.region) {
      region = exchanged(*t.region, r.g_x);
      r.region = &region;
    }
    to_.take(r);
  }

 private:
  // Moving everything by ξ turns and shifts the wrench, and turns the tensor.
  static Region exchanged(const Region& t, const Touch::Row6& g_x) {
    Region r;
    const Vec3 f = g_x.head<3>(), m = g_x.tail<3>();
    r.g_xx = t.g_xx;
    r.g_xx.topRightCorner<3, 3>() -= hat(f);
    r.g_xx.bottomLeftCorner<3, 3>() -= hat(f);
    r.g_xx.bottomRightCorner<3, 3>() -= hat(m);
    r.tilt = t.tilt;
    r.tilt_x = -t.tilt_x;
    for (int k = 0; k < 3; ++k) {
      const Mat3 turn = hat(Vec3::Unit(k)), turned = turn * t.tilt - t.tilt * turn;
      r.tilt_x.col(3 + k) += Eigen::Map<const Eigen::Matrix<double, 9, 1>>(turned.data());
    }
    return r;
  }

  TouchSink& to_;
};

void ball_in_field(const Vec3& x, double radius, double weight, const Placed& field, Wanted wanted,
                   TouchSink& sink) {
  const Distance d = distance(*field.shape, field.R.transpose() * (x - field.p));
  const double g = radius - d.value;
  if (g <= -sink.reach && wanted != Wanted::gaps) return;
  Touch t;
  t.weight = weight;
  t.g = g;
  t.n = field.R * d.gradient;
  const double to_middle = radius - 0.5 * t.g;
  t.c = x - to_middle * t.n;
  if (wanted == Wanted::partials) {
    const Mat36 X = motion_of(x);
    t.g_x = -t.n.transpose() * X;
    t.n_x = field.R * d.hessian * field.R.transpose() * X;
    t.c_x = X - to_middle * t.n_x + 0.5 * t.n * t.g_x;
  }
  sink.take(t);
}

bool is_line(Kind kind) { return kind == Kind::circle || kind == Kind::curve; }
bool is_disc(const Shape& s) { return s.kind == Kind::circle && !s.hole; }

// The points of a curve against the distance from another.
class CurveInField {
 public:
  CurveInField(const Placed& curve, const Placed& field, Wanted wanted, TouchSink& sink)
      : curve_(*curve.shape->curve), solid_(curve), field_(field), wanted_(wanted), sink_(sink) {}

  void run() {
    const std::vector<double>& alpha = curve_.samples();
    const std::size_t n = alpha.size();
    thread_local std::vector<double> d;
    d.resize(n);
    double least = std::numeric_limits<double>::infinity();
    // A distance changes by no more than the way: samples that cannot be inside, or nearer than the nearest, are not asked.
    constexpr double kFar = std::numeric_limits<double>::max();
    const double margin = 2 * curve_.most_apart();
    const bool ends =
        field_.shape->curve && !field_.shape->curve->closed();  // beyond them the distance jumps
    double clear = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k > 0) clear -= curve_.apart()[k - 1];
      d[k] = kFar;
      if (clear > margin) continue;
      const Vec3 x = sample(k);
      const double bound = field_.shape->bound, far = (x - field_.p).norm();
      // Outside of its ball all of the field is outside.
      const bool beyond = wanted_ != Wanted::gaps && far > bound + margin;
      const double value = beyond ? far - bound : distance_at(x).value;
      if (!beyond) d[k] = value;
      least = std::min(least, d[k]);
      clear = ends ? 0 : wanted_ == Wanted::gaps ? value - least : value;
    }
    const std::size_t last = n - 1;
    for (std::size_t k = 0; k < n; ++k) {
      const bool closed = curve_.closed(), end = k == 0 || k == last;
      if (closed && k == last) break;  // its first once more
      const std::size_t before = k > 0 ? k - 1 : last - 1, after = k < last ? k + 1 : 1;
      const bool has_before = closed || k > 0, has_after = closed || k < last;
      if (d[k] == kFar || (has_before && d[before] < d[k]) || (has_after && d[after] <= d[k])) continue;
      // Between samples it is deeper by no more than they are apart.
      const double apart = curve_.most_apart();
      if (wanted_ == Wanted::gaps ? d[k] - apart > least : d[k] - apart > 0) continue;
      if (end && !closed) {
        at_end(alpha[k], alpha[has_before ? before : after]);
        continue;
      }
      const double range = alpha[last] - alpha[0];
      const double low = k > 0 ? alpha[before] : alpha[before] - range;
      within(low, alpha[after]);
    }
  }

 private:
  struct Place {
    Vec3 x, d1, d2;
  };
  Place place(double alpha) const {
    const PlaneCurve::At a = curve_.at(alpha);
    const auto up = [&](const PlaneCurve::Vec2& v) { return Vec3(solid_.R.leftCols<2>() * v); };
    return {solid_.p + up(a.c), up(a.d1), up(a.d2)};
  }
  Vec3 sample(std::size_t k) const { return solid_.p + solid_.R.leftCols<2>() * curve_.points()[k]; }
  Distance distance_at(const Vec3& x) const {
    Distance d = distance(*field_.shape, field_.R.transpose() * (x - field_.p));
    d.gradient = field_.R * d.gradient;
    d.hessian = field_.R * d.hessian * field_.R.transpose();
    return d;
  }

  void within(double low, double high) {
    double a = 0.5 * (low + high);
    for (int k = 0; k < 60; ++k) {
      const Place x = place(a);
      const Distance d = distance_at(x.x);
      const double f = d.gradient.dot(x.d1), slope = x.d1.dot(d.hessian * x.d1) + d.gradient.dot(x.d2);
      (f > 0 ? high : low) = a;
      double next = slope > 0 ? a - f / slope : low;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const bool done = std::abs(next - a) <= 4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(a));
      a = next;
      if (done) break;
    }
    give(a, true);
  }
  // The end itself, or the foot beside it.
  void at_end(double end, double beside) {
    const Place x = place(end);
    const double outward = distance_at(x.x).gradient.dot(x.d1) * (end - beside);
    if (outward > 0) within(std::min(end, beside), std::max(end, beside));
    else give(end, false);
  }

  void give(double alpha, bool free) {
    const Place at = place(alpha);
    const Distance d = distance_at(at.x);
    if (d.value >= 0 && wanted_ != Wanted::gaps) return;
    Touch t;
    const double range = curve_.samples().back() - curve_.samples().front();
    double part = (alpha - curve_.samples().front()) / range;
    part -= std::floor(part);
    t.place = std::min(static_cast<int>(part * kPlaces), kPlaces - 1);
    t.g = -d.value;
    t.n = d.gradient;
    t.c = at.x + 0.5 * t.g * t.n;
    if (wanted_ == Wanted::partials) {
      const Mat36 X = motion_of(at.x);
      Mat36 x_x = X;
      if (free) {
        Touch::Row6 f_x = at.d1.transpose() * d.hessian * X;
        f_x.rightCols<3>() += at.d1.cross(t.n).transpose();
        const double slope = at.d1.dot(d.hessian * at.d1) + t.n.dot(at.d2);
        if (slope > 0) x_x -= at.d1 * f_x / slope;
      }
      t.g_x = -t.n.transpose() * X;
      t.n_x = d.hessian * x_x;
      t.c_x = x_x + 0.5 * (t.n * t.g_x + t.g * t.n_x);
    }
    sink_.take(t);
  }

 public:
  static constexpr int kPlaces = 8;  // parts of the curve that keep a creep each

 private:
  const PlaneCurve& curve_;
  const Placed &solid_, &field_;
  Wanted wanted_;
  TouchSink& sink_;
};

struct Plane {
  Vec3 p, n;
};

// The point of a smooth solid farthest into the plane: s in the solid's axes, S = ∂s/∂u.
void deepest(const Placed& solid, const Support& s, double weight, int place, const Plane& plane,
             Wanted wanted, TouchSink& sink) {
  const Vec3 x = solid.p + solid.R * s.point;
  const double g = -plane.n.dot(x - plane.p);
  if (g <= -sink.reach && wanted != Wanted::gaps) return;
  Touch t;
  t.weight = weight;
  t.place = place;
  t.g = g;
  t.n = plane.n;
  t.c = x + 0.5 * t.g * t.n;
  if (wanted == Wanted::partials) {
    const Mat36 X = motion_of(x);
    t.g_x = -t.n.transpose() * X;
    t.c_x = X + 0.5 * t.n * t.g_x;
    t.c_x.rightCols<3>() -= solid.R * s.by_u * solid.R.transpose() * hat(plane.n);  // δu = −Rᵀ n̂ φ
  }
  sink.take(t);
}

void solid_on_plane(const Placed& solid, const Plane& plane, Wanted wanted, TouchSink& sink) {
  const Shape& s = *solid.shape;
  const Vec3 u = -solid.R.transpose() * plane.n;
  // An end of a frustum, with half of the force in its rim and half in its middle: that much again where it stands on it.
  const auto end = [&](double radius, double side, int place) {
    constexpr double kHalf = 0.5;
    const Vec3 middle(0, 0, side * s.half.z());
    deepest(solid, {middle, Mat3::Zero()}, kHalf, place, plane, wanted, sink);
    if (!(radius > 0.0)) return;
    Support rim = ellipsoid_support({radius, radius, kRim * radius}, u);
    rim.point.z() += middle.z() - side * kRim * radius;
    deepest(solid, rim, kHalf, place + 2, plane, wanted, sink);
  };
  switch (s.kind) {
    case Kind::ellipsoid: deepest(solid, ellipsoid_support(s.half, u), 1.0, 0, plane, wanted, sink); return;
    case Kind::torus: {
      Support at = ellipsoid_support({s.major, s.major, kRim * s.major}, u);
      at.point += s.minor * u;
      at.by_u += s.minor * (Mat3::Identity() - u * u.transpose());
      deepest(solid, at, 1.0, 0, plane, wanted, sink);
      return;
    }
    case Kind::frustum:
      end(s.low, -1.0, 0);
      end(s.high, 1.0, 1);
      return;
    default: break;
  }
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 at((corner & 1 ? 1 : -1) * s.half.x(), (corner & 2 ? 1 : -1) * s.half.y(),
                  (corner & 4 ? 1 : -1) * s.half.z());
    deepest(solid, {at, Mat3::Zero()}, 0.25, corner, plane, wanted, sink);
  }
}

bool has_points(Kind kind) {
  return kind == Kind::ellipsoid || kind == Kind::torus || kind == Kind::frustum || kind == Kind::box;
}

// The face of a box that a solid lies over with all of its ball; false where there is none.
bool face_below(const Placed& solid, const Placed& box, Plane& face) {
  const Vec3 y = box.R.transpose() * (solid.p - box.p);
  const Vec3 room = box.shape->half - y.cwiseAbs();
  for (int k = 0; k < 3; ++k) {
    if (room[(k + 1) % 3] < solid.shape->bound || room[(k + 2) % 3] < solid.shape->bound) continue;
    const double side = y[k] < 0.0 ? -1.0 : 1.0;
    face.n = side * box.R.col(k);
    face.p = box.p + box.shape->half[k] * face.n;
    return true;
  }
  return false;
}

// False: the pair is not one of points in this order.
bool touch_by_points(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink) {
  const Kind a = first.shape->kind, b = second.shape->kind;
  if (is_line(b) && (is_disc(*first.shape) || (a == Kind::curve && !is_disc(*second.shape)))) {
    if (a == Kind::curve) CurveInField(first, second, wanted, sink).run();
    else ball_in_field(first.p, first.shape->radius, 1.0, second, wanted, sink);
    return true;
  }
  if (is_ball(a) && b != Kind::mesh) {
    ball_in_field(first.p, first.shape->radius, 1.0, second, wanted, sink);
    return true;
  }
  if (!has_points(a)) return false;
  Plane plane;
  if (b == Kind::plane) plane = {second.p, second.R.col(2)};
  else if (b != Kind::box || !face_below(first, second, plane)) return false;
  solid_on_plane(first, plane, wanted, sink);
  return true;
}

}  // namespace

bool by_points(const Shape& first, const Shape& second) {
  const auto one_way = [](Kind a, Kind b) {
    return (is_ball(a) && b != Kind::mesh) || (has_points(a) && b == Kind::plane) ||
           (is_line(a) && is_line(b));
  };
  return one_way(first.kind, second.kind) || one_way(second.kind, first.kind);
}

int most_touches(const Shape& first, const Shape& second) {
  const auto of = [](Kind kind) { return kind == Kind::box ? 8 : kind == Kind::frustum ? 4 : 1; };
  if (is_ball(first.kind) || is_ball(second.kind)) return 1;
  if (is_line(first.kind)) return is_disc(first) || is_disc(second) ? 1 : CurveInField::kPlaces;
  return std::max(of(first.kind), of(second.kind));
}

void touch(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink) {
  if (touch_by_points(first, second, wanted, sink)) return;
  Exchanged back(sink);
  if (touch_by_points(second, first, wanted, back)) return;
  if (first.shape->kind == Kind::plane) overlap(second, first, wanted, back);
  else overlap(first, second, wanted, sink);
}

double gap(const Placed& first, const Placed& second, double enough) {
  struct Most final : TouchSink {
    void take(const Touch& t) override { value = std::max(value, t.g); }
    double value = -std::numeric_limits<double>::infinity();
  } most;
  if (!by_points(*first.shape, *second.shape)) {
    const double balls = (first.p - second.p).norm() - first.shape->bound - second.shape->bound;
    if (balls > 0) return balls;
  }
  touch(first, second, Wanted::gaps, most);
  if (std::isfinite(most.value)) return -most.value;
  const bool exchanged = first.shape->kind == Kind::plane;
  const Placed &mesh = exchanged ? second : first, &other = exchanged ? first : second;
  if (!mesh.shape->mesh) return enough;
  const double boxes = boxes_apart(mesh, other);
  return boxes > 0 ? boxes : apart_by(mesh, other, enough);
}

bool may_touch(const Placed& first, const Placed& second, double reach) {
  struct Any final : TouchSink {
    void take(const Touch&) override { found = true; }
    bool found = false;
  } any;
  any.reach = reach;
  if (touch_by_points(first, second, Wanted::touches, any) ||
      touch_by_points(second, first, Wanted::touches, any))
    return any.found;
  return first.shape->kind == Kind::plane ? boxes_meet(second, first) : boxes_meet(first, second);
}

}  // namespace trunnion::math
