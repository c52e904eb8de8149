#include "math/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/mesh.hpp"
#include "math/plane_curve.hpp"

namespace trunnion::math {
namespace {

Distance sphere_distance(double radius, const Vec3& y) {
  const double length = y.norm();
  if (length == 0.0) return {-radius, Vec3::UnitZ(), Mat3::Zero()};
  const Vec3 n = y / length;
  return {length - radius, n, (Mat3::Identity() - n * n.transpose()) / length};
}

Distance box_distance(const Vec3& half, const Vec3& y) {
  const Vec3 beyond = y.cwiseAbs() - half;
  Distance d;
  if (beyond.maxCoeff() <= 0.0) {  // inside: the nearest face
    Eigen::Index k = 0;
    d.value = beyond.maxCoeff(&k);
    d.gradient = (y[k] < 0.0 ? -1.0 : 1.0) * Vec3::Unit(k);
    return d;
  }
  const Vec3 out = beyond.cwiseMax(0.0);
  d.value = out.norm();
  Mat3 along = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    d.gradient[k] = (y[k] < 0.0 ? -1.0 : 1.0) * out[k] / d.value;
    if (out[k] > 0.0) along(k, k) = 1.0;
  }
  d.hessian = (along - d.gradient * d.gradient.transpose()) / d.value;
  return d;
}

// A distance in the half plane (ρ, z) of a body of revolution.
struct Flat {
  using Vec2 = Eigen::Vector2d;
  double value = 0;
  Vec2 gradient = Vec2::Zero();
  Eigen::Matrix2d hessian = Eigen::Matrix2d::Zero();

  static Flat line(double value, const Vec2& normal) { return {value, normal, Eigen::Matrix2d::Zero()}; }
  static Flat from_point(const Vec2& w) {
    const double length = w.norm();
    if (length == 0.0) return {0.0, Vec2::UnitX(), Eigen::Matrix2d::Zero()};
    const Vec2 n = w / length;
    return {length, n, (Eigen::Matrix2d::Identity() - n * n.transpose()) / length};
  }
};

Distance revolved(const Flat& f, const Vec3& y, double rho) {
  Distance d;
  const Vec3 out = rho > 0.0 ? Vec3(y.x() / rho, y.y() / rho, 0.0) : Vec3(Vec3::UnitX());
  const Vec3 around(-out.y(), out.x(), 0.0), up = Vec3::UnitZ();
  d.value = f.value;
  d.gradient = f.gradient[0] * out + f.gradient[1] * up;
  d.hessian = f.hessian(0, 0) * out * out.transpose() + f.hessian(1, 1) * up * up.transpose() +
              f.hessian(0, 1) * (out * up.transpose() + up * out.transpose());
  if (rho > 0.0) d.hessian += f.gradient[0] / rho * around * around.transpose();
  return d;
}

Flat frustum_distance(const Shape& s, double rho, double z) {
  using Vec2 = Flat::Vec2;
  const double h = s.half.z();
  const Vec2 at(rho, z), low(s.low, -h), high(s.high, h);
  const Vec2 along = (high - low).normalized(), normal(along.y(), -along.x());
  const Flat side = Flat::line(normal.dot(at - low), normal), bottom = Flat::line(-h - z, {0.0, -1.0}),
             top = Flat::line(z - h, {0.0, 1.0});
  if (side.value <= 0.0 && bottom.value <= 0.0 && top.value <= 0.0)
    return std::max({side, bottom, top}, [](const Flat& a, const Flat& b) { return a.value < b.value; });
  const double t = along.dot(at - low);
  if (side.value > 0.0 && t >= 0.0 && t <= (high - low).norm()) return side;
  if (bottom.value > 0.0 && rho <= s.low) return bottom;
  if (top.value > 0.0 && rho <= s.high) return top;
  return Flat::from_point((at - low).squaredNorm() < (at - high).squaredNorm() ? at - low : at - high);
}

// The nearest point x of the surface has y = x + t x/a², with t the one root of Σ (a y/(a² + t))² = 1 above −min a².
Distance ellipsoid_distance(const Vec3& a, const Vec3& y) {
  const Vec3 aa = a.cwiseProduct(a);
  const double least = aa.minCoeff();
  const auto excess = [&](double t) {
    return (a.cwiseProduct(y).cwiseQuotient((aa.array() + t).matrix())).squaredNorm() - 1.0;
  };
  // Bracketed: at `low` one term alone reaches 1, at `high` all of them together do not.
  double low = -least, high = a.cwiseProduct(y).norm() - least;
  for (int k = 0; k < 3; ++k) low = std::max(low, a[k] * std::abs(y[k]) - aa[k]);
  double t = high;
  for (int k = 0; k < 200 && low < high;
       ++k) {  // Newton from the right converges from one side; bisection guards it
    const Vec3 w = (aa.array() + t).matrix();
    const double f = excess(t);
    (f > 0.0 ? low : high) = t;
    const double slope = -2.0 * (aa.cwiseProduct(y).cwiseProduct(y).array() / w.array().cube()).sum();
    double next = slope < 0.0 ? t - f / slope : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(t) + least)) {
      t = next;
      break;
    }
    t = next;
  }
  Vec3 x = aa.cwiseProduct(y).cwiseQuotient((aa.array() + t).cwiseMax(1e-300).matrix());
  Eigen::Index thin = 0;
  a.minCoeff(&thin);
  // Near the middle, in the plane across the shortest axis, two points are nearest: one of them is taken.
  if (constexpr double kMiddle = 1e-8; aa[thin] + t < kMiddle * least) {
    x[thin] = 0.0;
    const double rest = 1.0 - x.cwiseQuotient(a).squaredNorm();
    x[thin] = std::copysign(a[thin] * std::sqrt(std::max(rest, 0.0)), y[thin]);
  }
  const Vec3 G = x.cwiseQuotient(aa);
  const double size = G.norm();
  const Vec3 n = G / size;
  const Mat3 tangent = Mat3::Identity() - n * n.transpose();
  const Mat3 S = tangent * Mat3(aa.cwiseInverse().asDiagonal()) * tangent / size;  // curvature of the surface
  const double d = t * size;
  return {d, n, (Mat3::Identity() + d * S).inverse() * S};
}

Distance circle_distance(const Shape& s, const Vec3& y) {
  const double rho = std::hypot(y.x(), y.y());
  Distance d = revolved(Flat::line(rho - s.radius, {1.0, 0.0}), y, rho);
  if (!s.hole) return d;
  return {-d.value, -d.gradient, -d.hessian};
}

Distance curve_distance(const PlaneCurve& curve, const Vec3& y) {
  const PlaneCurve::Foot f = curve.foot(y.head<2>());
  const Vec3 n(f.normal.x(), f.normal.y(), 0.0), t(-n.y(), n.x(), 0.0);
  return {f.distance, n, f.curvature * t * t.transpose()};
}

}  // namespace

Distance distance(const Shape& s, const Vec3& y) {
  switch (s.kind) {
    case Shape::Kind::plane: return {y.z(), Vec3::UnitZ(), Mat3::Zero()};
    case Shape::Kind::box: return box_distance(s.half, y);
    case Shape::Kind::ellipsoid: return ellipsoid_distance(s.half, y);
    case Shape::Kind::circle: return circle_distance(s, y);
    case Shape::Kind::curve: return curve_distance(*s.curve, y);
    case Shape::Kind::frustum:
    case Shape::Kind::torus: {
      const double rho = std::hypot(y.x(), y.y());
      if (s.kind == Shape::Kind::frustum) return revolved(frustum_distance(s, rho, y.z()), y, rho);
      Flat f = Flat::from_point({rho - s.major, y.z()});
      f.value -= s.minor;
      return revolved(f, y, rho);
    }
    default: return sphere_distance(s.radius, y);
  }
}

Support ellipsoid_support(const Vec3& a, const Vec3& u) {
  const Vec3 aa = a.cwiseProduct(a);
  const double size = a.cwiseProduct(u).norm();
  Support s;
  s.point = aa.cwiseProduct(u) / size;
  s.by_u = (Mat3(aa.asDiagonal()) - s.point * s.point.transpose()) / size;
  return s;
}

void set_bound(Shape& s) {
  switch (s.kind) {
    case Shape::Kind::point: s.bound = 0.0; break;
    case Shape::Kind::sphere: s.bound = s.radius; break;
    case Shape::Kind::circle:
      s.bound = (s.hole ? 2 : 1) * s.radius;
      break;  // what is around a hole is that thick
    case Shape::Kind::curve: s.bound = s.curve->bound(); break;
    case Shape::Kind::plane: s.bound = std::numeric_limits<double>::infinity(); break;
    case Shape::Kind::box: s.bound = s.half.norm(); break;
    case Shape::Kind::frustum: s.bound = std::hypot(s.half.z(), std::max(s.low, s.high)); break;
    case Shape::Kind::torus: s.bound = s.major + s.minor; break;
    case Shape::Kind::ellipsoid: s.bound = s.half.maxCoeff(); break;
    case Shape::Kind::mesh: s.bound = s.mesh->bound(); break;
  }
}

}  // namespace trunnion::math
