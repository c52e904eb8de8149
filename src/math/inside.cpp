#include "math/inside.hpp"

#include <cmath>
#include <limits>

namespace trunnion::math {

namespace {

// Prisms are drawn in by this part of the solid's size, so that a face that lies in one plane with theirs counts as outside however
// it is rounded.
constexpr double kInset = 1e-12;

}  // namespace

// Each clip adds one corner at most: three and five clips stay below twelve.
Polygon clipped(const Polygon& from, const Vec3& m, double limit) {
  Polygon to;
  for (int k = 0; k < from.count; ++k) {
    const Vec3 &a = from[k], &b = from[(k + 1) % from.count];
    const double fa = m.dot(a) - limit, fb = m.dot(b) - limit;
    if (fa <= 0) to.add(a);
    if ((fa < 0 && fb > 0) || (fa > 0 && fb < 0)) to.add(a + fa / (fa - fb) * (b - a));
  }
  return to;
}

Polygon polygon(const Corners& c) {
  Polygon p;
  for (const Vec3& x : c) p.add(x);
  return p;
}

Bounds bounds_of(const Corners& c) {
  return {c[0].cwiseMin(c[1]).cwiseMin(c[2]), c[0].cwiseMax(c[1]).cwiseMax(c[2])};
}

Corners corners_of(const Mesh& mesh, const Mesh::Triangle& t) {
  return {mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
}

namespace {

// Exact for polynomials of degree three.
void add_points(const Vec3& a, const Vec3& b, const Vec3& c, double area, const Vec3& up, double height,
                std::vector<SurfacePoint>& points) {
  constexpr double kMiddle = -27.0 / 48, kCorner = 25.0 / 48, kNear = 0.6, kFar = 0.2;
  const auto add = [&](const Vec3& x, double part) {
    points.push_back({x, part * area, height - up.dot(x)});
  };
  add((a + b + c) / 3, kMiddle);
  add(kNear * a + kFar * (b + c), kCorner);
  add(kNear * b + kFar * (c + a), kCorner);
  add(kNear * c + kFar * (a + b), kCorner);
}

}  // namespace

void Moments::add(const Polygon& p, const Vec3& normal, double sign, const Vec3& d, const Vec3& up,
                  double height, std::vector<SurfacePoint>* points) {
  for (int k = 2; k < p.count; ++k) {
    const double a = 0.5 * sign * normal.dot((p[k - 1] - p[0]).cross(p[k] - p[0]));
    const Vec3 middle = (p[0] + p[k - 1] + p[k]) / 3;
    area += a;
    volume += a * (up.dot(middle) - height) * d.dot(normal);
    if (points) add_points(p[0], p[k - 1], p[k], a, up, height, *points);
  }
}

Inside::Inside(const Mesh& mesh, const Vec3& towards, int other) : mesh_(mesh) {
  const Bounds& box = mesh.nodes()[0].box;
  const Vec3 middle = 0.5 * (box.low + box.high), half = (0.5 * (box.high - box.low)).cwiseMax(1e-300);
  const Vec3 way = (towards - middle).cwiseQuotient(half);
  way.cwiseAbs().maxCoeff(&axis_);
  axis_ = (axis_ + other) % 3;
  sign_ = way[axis_] < 0 ? -1.0 : 1.0;
  inset_ = kInset * half.maxCoeff();
}

Bounds Inside::column(Bounds box) const {
  (sign_ > 0 ? box.low : box.high)[axis_] = -sign_ * std::numeric_limits<double>::infinity();
  return box;
}

Moments Inside::of(const Corners& c, const Vec3& normal, std::vector<SurfacePoint>* points) const {
  const Bounds box = bounds_of(c);
  const Polygon whole = polygon(c);
  Moments sum;
  const auto above = [&](const Bounds& b) {
    for (Eigen::Index k = 0; k < 3; ++k) {
      if (k == axis_) continue;
      if (b.high[k] < box.low[k] || b.low[k] > box.high[k]) return false;
    }
    return sign_ > 0 ? b.high[axis_] >= box.low[axis_] : b.low[axis_] <= box.high[axis_];
  };
  walk(mesh_, above,
       [&](int j) { add_prism(mesh_.triangles()[static_cast<std::size_t>(j)], whole, normal, sum, points); });
  return sum;
}

void Inside::add_prism(const Mesh::Triangle& t, const Polygon& whole, const Vec3& normal, Moments& sum,
                       std::vector<SurfacePoint>* points) const {
  const double facing = sign_ * t.normal[axis_];
  constexpr double kOnEdge = 1e-12;
  if (std::abs(facing) < kOnEdge) return;
  const double side = facing < 0 ? -1.0 : 1.0;
  Polygon p = whole;
  const Vec3 d = direction();
  for (int k = 0; k < 3 && p.count > 2; ++k) {
    const Vec3 &a = mesh_.corner(t, k), &b = mesh_.corner(t, (k + 1) % 3);
    const Vec3 out = side * (b - a).cross(d);
    p = clipped(p, out, out.dot(a) - inset_ * out.norm());
  }
  if (p.count > 2) p = clipped(p, side * t.normal, side * t.normal.dot(mesh_.corner(t, 0)));
  if (p.count > 2) {
    const Vec3 up = t.normal / t.normal.dot(d);
    sum.add(p, normal, side, d, up, up.dot(mesh_.corner(t, 0)), points);
  }
}

}  // namespace trunnion::math
