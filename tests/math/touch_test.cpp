// Solids that touch: depths, normals and points against closed forms, their derivatives against differences, and geometry that is damaged.

#include "math/touch.hpp"

#include <cmath>
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "math/mesh.hpp"
#include "math/plane_curve.hpp"
#include "math/shell.hpp"

namespace trunnion::math {
namespace {

using Kind = Shape::Kind;

struct All final : TouchSink {
  std::vector<Touch> touches;
  std::deque<Region> regions;
  void take(const Touch& t) override {
    touches.push_back(t);
    if (t.region) touches.back().region = &regions.emplace_back(*t.region);
  }
};

Shape shape(Kind kind, const Vec3& half) {
  Shape s;
  s.kind = kind;
  s.half = half;
  s.radius = half.x();
  s.low = s.high = half.x();
  s.major = half.x();
  s.minor = half.y();
  s.mesh = mesh_of(s, 32);
  set_bound(s);
  return s;
}

std::vector<Touch> touches(const Shape& a, const Vec3& p, const Mat3& R, const Shape& b,
                           Wanted wanted = Wanted::partials) {
  static std::deque<All> kept;  // regions are pointed to
  if (kept.size() > 64) kept.pop_front();
  All& all = kept.emplace_back();
  touch({&a, p, R}, {&b, Vec3::Zero(), Mat3::Identity()}, wanted, all);
  return all.touches;
}

TEST(Touch, DepthsAreThoseOfClosedForms) {
  const Shape ball = shape(Kind::sphere, Vec3::Constant(2)), plane = shape(Kind::plane, Vec3::Zero()),
              box = shape(Kind::box, {1, 2, 3}), can = shape(Kind::frustum, {1, 1, 2}),
              ring = shape(Kind::torus, {3, 1, 0}), egg = shape(Kind::ellipsoid, {1, 2, 3});
  const auto depth = [&](const Shape& a, const Vec3& p, const Shape& b) {
    const auto all = touches(a, p, Mat3::Identity(), b);
    return all.size() == 1 ? all[0].g : -1.0;
  };
  EXPECT_NEAR(depth(ball, {5, 6, 1.5}, plane), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {0, 0, 3.5}, ball), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {2.5, 0, 0}, box), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {2, 3, 4}, box), 2 - std::sqrt(3.0), 1e-15);  // a corner
  EXPECT_NEAR(depth(ball, {2.5, 0, 1}, can), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {0.5, 0, 3.5}, can), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {2, 0, 3}, can), 2 - std::sqrt(2.0), 1e-15);  // its rim
  EXPECT_NEAR(depth(ball, {0, 3, 2.5}, ring), 0.5, 1e-15);
  EXPECT_NEAR(depth(ball, {0, 0, 4.5}, egg), 0.5, 1e-14);
  EXPECT_NEAR(depth(ball, {0, 3.5, 0}, egg), 0.5, 1e-14);
  EXPECT_NEAR(depth(egg, {0, 0, 2.5}, plane), 0.5, 1e-15);
  EXPECT_TRUE(touches(ball, {5, 6, 2.5}, Mat3::Identity(), plane).empty());
}

TEST(Touch, WhatRestsFlatHasItsForceOnce) {
  const Shape plane = shape(Kind::plane, Vec3::Zero());
  const auto weight = [&](const Shape& s, const Mat3& R, double height) {
    double sum = 0;
    for (const Touch& t : touches(s, {0, 0, height}, R, plane)) {
      sum += t.weight;
      EXPECT_NEAR(t.g, 0.1, 1e-12);
    }
    return sum;
  };
  const Mat3 lying = so3_exp(Vec3(M_PI / 2, 0, 0));
  EXPECT_EQ(weight(shape(Kind::box, {1, 2, 3}), Mat3::Identity(), 2.9), 1.0);
  EXPECT_EQ(weight(shape(Kind::frustum, {1, 1, 2}), lying, 0.9), 1.0);
  EXPECT_EQ(weight(shape(Kind::frustum, {1, 1, 2}), Mat3::Identity(), 1.9), 1.0);
  EXPECT_EQ(weight(shape(Kind::frustum, {1, 1, 2}), so3_exp(Vec3(M_PI, 0, 0)), 1.9), 1.0);
}

// Two boxes overlap in a box of edges a, b, c: r rᵀ has the mean (a², b², c²)/12, so that 1/g² = 1/a² + 1/b² + 1/c², and by each edge g grows by
// (g/edge)³.
TEST(Overlap, OfBoxesIsABox) {
  const Shape box = shape(Kind::box, Vec3::Ones());
  const auto all = touches(box, {0.3, -0.2, 1.9}, Mat3::Identity(), box);
  ASSERT_EQ(all.size(), 1u);
  const Vec3 edges(1.7, 1.8, 0.1), by_edge = edges.cwiseInverse();
  const double g = 1 / by_edge.norm();
  const Vec3 push = (g * by_edge).array().cube() * Vec3(1, -1, 1).array();
  EXPECT_NEAR(all[0].g, g, 1e-8);
  EXPECT_LT((all[0].g_x.head<3>().transpose() + push).norm(), 1e-8);
  EXPECT_LT((all[0].n - push.normalized()).norm(), 1e-8);
}

TEST(Overlap, OfStackedBoxesIsFlat) {
  const Shape box = shape(Kind::box, Vec3::Ones());
  const auto all = touches(box, {0, 0, 1.9}, Mat3::Identity(), box);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].g, 1 / std::sqrt(100.0 + 0.25 + 0.25), 1e-8);
  EXPECT_LT((all[0].n - Vec3::UnitZ()).norm(), 1e-8);
  EXPECT_LT((all[0].c - Vec3(0, 0, 0.95)).norm(), 1e-8);
}

// On a plane a prism of any cross-section is as deep as it is. With a mean square s of x over the face and a tilt θ, all of it under, columns of
// depth t = g + θ x have the mean ⟨t²⟩/2⟨t⟩ and the mean square ⟨t³⟩/3⟨t⟩: 12 times the variance is g² + 6 θ² s − 3 θ⁴ s²/g², which drives the tilt
// back.
TEST(Overlap, OnAPlaneIsAsDeepAsItIs) {
  Shape rod = shape(Kind::box, {0.5, 0.5, 4});
  rod.kind = Kind::mesh;
  const Shape plane = shape(Kind::plane, Vec3::Zero());
  for (const double depth : {1e-6, 0.01, 3.0}) {
    const auto all = touches(rod, {7, 8, 4 - depth}, Mat3::Identity(), plane);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].g, depth, 1e-9 * depth + 1e-14);
    EXPECT_LT((all[0].g_x.head<3>().transpose() + Vec3::UnitZ()).norm(), 1e-8);
  }
  const double g = 0.1, tilt = 0.01, s = 1.0 / 12;
  const Mat3 R = so3_exp(Vec3(0, tilt, 0));
  const auto all = touches(rod, Vec3(0, 0, -g) - R * Vec3(0, 0, -4), R, plane);
  ASSERT_EQ(all.size(), 1u);
  const double slope = std::tan(tilt) * std::tan(tilt), mean = s * std::cos(tilt) * std::cos(tilt);
  const double square = g * g + 6 * slope * mean - 3 * slope * slope * mean * mean / (g * g);
  // The sides are not upright: they add prisms of width g θ at both ends.
  EXPECT_NEAR(all[0].g, std::sqrt(square), 2 * g * tilt * tilt);
  EXPECT_GT(all[0].g_x[4],
            0.9 * 6 * tilt * s / g);  // about y through the face's middle, which is at the origin but for g
}

// A table stands with four feet, and each is a volume of its own; a bar through a plate bounds one with both of its ends.
TEST(Overlap, KeepsSeparateVolumesApart) {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> faces;
  const Shape leg = shape(Kind::box, {0.1, 0.1, 1});
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    const auto first = static_cast<std::uint32_t>(points.size());
    for (const Vec3& p : leg.mesh->points()) points.push_back(p + Vec3(x, y, 0));
    for (const Mesh::Triangle& t : leg.mesh->triangles())
      faces.push_back({first + t.corners[0], first + t.corners[1], first + t.corners[2]});
  }
  Shape table;
  table.kind = Kind::mesh;
  table.mesh = std::make_shared<Mesh>(points, faces);
  set_bound(table);
  const Shape plane = shape(Kind::plane, Vec3::Zero()), floor = shape(Kind::box, {5, 5, 1});
  EXPECT_EQ(touches(table, {0, 0, 0.9}, Mat3::Identity(), plane).size(), 4u);
  const auto on_box = touches(table, {0, 0, 1.9}, Mat3::Identity(), floor);
  ASSERT_EQ(on_box.size(), 4u);
  for (const Touch& t : on_box) EXPECT_NEAR(t.g, 1 / std::sqrt(100.0 + 25 + 25), 1e-8);
  // Through the flank of a cone and its foot. What goes through a plate with parallel faces is as thick wherever it is: nothing pushes it.
  Shape cone = shape(Kind::frustum, {3, 3, 0.2});
  cone.high = 0.5;
  cone.mesh = mesh_of(cone, 32);
  const Mat3 leans = so3_exp(Vec3(0.1, 0.2, 0));
  EXPECT_EQ(touches(cone, {1.5, 0, 0}, Mat3::Identity(), leg).size(), 1u);
  EXPECT_EQ(touches(leg, {1.5, 0, 0}, leans, cone).size(), 1u);
  EXPECT_EQ(touches(leg, {0, 0, 0}, leans, shape(Kind::box, {1, 1, 0.1})).size(), 0u);
}

TEST(Touch, PartialsAreTheDifferences) {
  std::mt19937 rng(3);
  const auto vector = [&](double size) {
    std::uniform_real_distribution<double> u(-size, size);
    return Vec3(u(rng), u(rng), u(rng));
  };
  const Shape ball = shape(Kind::sphere, Vec3::Constant(3)), box = shape(Kind::box, {2, 1.5, 1}),
              can = shape(Kind::frustum, {1.5, 1.5, 1}), egg = shape(Kind::ellipsoid, {2, 1.5, 1}),
              ring = shape(Kind::torus, {1.5, 0.5, 0}), plane = shape(Kind::plane, Vec3::Zero());
  const std::pair<const Shape*, const Shape*> pairs[] = {
      {&ball, &plane}, {&ball, &box},  {&box, &ball},   {&ball, &can},  {&ball, &ring},
      {&ball, &egg},   {&egg, &plane}, {&ring, &plane}, {&plane, &can}, {&box, &plane},
      {&box, &box},    {&can, &box},   {&egg, &can}};
  int compared = 0;
  for (const auto& pair : pairs) {
    const Shape *const a = pair.first, *const b = pair.second;
    for (int draw = 0; draw < 20; ++draw) {
      const Vec3 p = vector(1);
      const Mat3 R = so3_exp(vector(1.5));
      const auto here = touches(*a, p, R, *b);
      for (int c = 0; c < 6; ++c) {
        constexpr double kStep = 1e-5;
        Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
        (c < 3 ? shift[c] : turn[c - 3]) = kStep;
        const auto moved = [&](double sign) {
          const Mat3 E = so3_exp(sign * turn);
          return touches(*a, E * p + sign * shift, E * R, *b, Wanted::touches);
        };
        const auto before = moved(-1), after = moved(1);
        if (before.size() != here.size() || after.size() != here.size()) continue;
        for (std::size_t k = 0; k < here.size(); ++k) {
          // Of h² times the third derivative over sizes of 1, and the rounding of the volumes' insets over h.
          constexpr double kNear = 2e-3;
          const Touch &t = here[k], &l = before[k], &r = after[k];
          ++compared;
          ASSERT_NEAR((r.g - l.g) / (2 * kStep), t.g_x[c], kNear);
          ASSERT_LT(((r.n - l.n) / (2 * kStep) - t.n_x.col(c)).norm(), kNear);
          ASSERT_LT(((r.c - l.c) / (2 * kStep) - t.c_x.col(c)).norm(), kNear);
        }
      }
    }
  }
  EXPECT_GT(compared, 500);
}

// A closed curve of 64 points: a rounded triangle of about this radius; smooth, with parts that are nearly flat.
Shape cam(double size, double lobes, bool turned = false) {
  std::vector<Point> points;
  constexpr int kPoints = 64;
  for (int k = 0; k <= kPoints; ++k) {
    const double turn = 2 * M_PI * (k % kPoints) / kPoints, r = size * (1 + lobes * std::cos(3 * turn));
    points.push_back({r * std::cos(turn), r * std::sin(turn), 0});
  }
  std::string error;
  Shape s;
  s.kind = Kind::curve;
  s.curve = PlaneCurve::make(*Curve::through_points(points, 4, true, error), Vec3::UnitZ(), turned, error);
  s.p = s.curve->p();
  s.R = s.curve->R();
  set_bound(s);
  return s;
}
// Turned in its plane, moved in it.
std::vector<Touch> in_plane(const Shape& a, const Vec3& p, double turn, const Shape& b,
                            Wanted wanted = Wanted::partials) {
  All all;
  const Mat3 R = so3_exp(Vec3(0, 0, turn));
  touch({&a, p + R * a.p, R * a.R}, {&b, b.p, b.R}, wanted, all);
  return all.touches;
}

// A cubic through 64 points of a circle is off by some h⁴/384 of its radius, h = 2π/64: 2.4e-7, and its tangent by
// h³/24 or less: 4e-5.
TEST(Curves, ThroughACirclesPointsAreACircle) {
  Shape round = cam(2, 0), disc = shape(Kind::circle, Vec3::Constant(1)),
        hole = shape(Kind::circle, Vec3::Constant(3)), point = shape(Kind::point, Vec3::Zero());
  hole.hole = true;
  set_bound(hole);
  constexpr double kNear = 5e-7;
  const Vec3 at(1.9 * std::cos(0.7), 1.9 * std::sin(0.7), 0), way = at.normalized();
  const auto depth = [&](const Shape& a, const Vec3& p, const Shape& b, double g, const Vec3& n) {
    const auto all = in_plane(a, p, 0.3, b);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].g, g, kNear);
    EXPECT_LT((all[0].n - n).norm(), 4e-5);
  };
  depth(point, at, round, 0.1, way);
  depth(disc, 2.9 / 1.9 * at, round, 0.1, way);
  depth(round, 2.9 / 1.9 * at, disc, 0.1, way);
  depth(round, 3.9 / 1.9 * at, round, 0.1, way);
  depth(disc, 2.1 * way, hole, 0.1, -way);  // a pin in a bore
  depth(round, 1.1 * way, hole, 0.1, -way);
  depth(hole, 1.1 * way, round, 0.1, -way);
  EXPECT_TRUE(in_plane(point, 2.1 / 1.9 * at, 0, round).empty());
  EXPECT_TRUE(in_plane(round, 4.1 * way, 0, round).empty());
  // What is beside the plane is seen in it.
  depth(point, at + Vec3(0, 0, 5), round, 0.1, way);
}

TEST(Curves, PartialsAreTheDifferences) {
  const Shape three = cam(2, 0.08), other = cam(1.5, 0.05), bore = cam(5, 0.02, true),
              disc = shape(Kind::circle, Vec3::Constant(1)), point = shape(Kind::point, Vec3::Zero());
  std::mt19937 rng(11);
  std::uniform_real_distribution<double> u(-1, 1);
  const std::pair<const Shape*, const Shape*> pairs[] = {{&point, &three}, {&three, &point}, {&disc, &three},
                                                         {&three, &disc},  {&three, &other}, {&other, &three},
                                                         {&three, &bore},  {&bore, &other}};
  int compared = 0;
  for (const auto& pair : pairs) {
    const Shape *const a = pair.first, *const b = pair.second;
    const bool inside = a == &bore || b == &bore;
    const double reach = inside ? 5 * 0.98 - (b == &bore ? 2 : 1.5) : a->bound + b->bound - 0.25;
    for (int draw = 0; draw < 4; ++draw) {
      const double way = M_PI * u(rng), far = inside ? reach + 0.1 : reach - 0.05 * std::abs(u(rng));
      const Vec3 p = far * Vec3(std::cos(way), std::sin(way), 0);
      const double turn = 3 * u(rng);
      const auto here = in_plane(*a, p, turn, *b);
      for (int c = 0; c < 6; ++c) {
        constexpr double kStep = 1e-5;
        Vec3 shift = Vec3::Zero(), about = Vec3::Zero();
        (c < 3 ? shift[c] : about[c - 3]) = kStep;
        const auto moved = [&](double sign) {
          All all;
          const Mat3 E = so3_exp(sign * about), R = so3_exp(Vec3(0, 0, turn));
          const Shape &first = *a, &second = *b;
          touch({&first, E * (p + R * first.p) + sign * shift, E * R * first.R},
                {&second, second.p, second.R}, Wanted::touches, all);
          return all.touches;
        };
        const auto before = moved(-1), after = moved(1);
        if (before.size() != here.size() || after.size() != here.size()) continue;
        for (std::size_t k = 0; k < here.size(); ++k) {
          // Of h² times third derivatives, which a knot makes jump: up to h times the curvature's slope.
          constexpr double kNear = 1e-3;
          const Touch &t = here[k], &l = before[k], &r = after[k];
          ++compared;
          EXPECT_NEAR((r.g - l.g) / (2 * kStep), t.g_x[c], 1e-6 * (1 + t.g_x.norm()));
          EXPECT_LT(((r.n - l.n) / (2 * kStep) - t.n_x.col(c)).norm(), kNear * (1 + t.n_x.norm()));
          EXPECT_LT(((r.c - l.c) / (2 * kStep) - t.c_x.col(c)).norm(), kNear * (1 + t.c_x.norm()));
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
}

// A square by straight lines: corners outside are round, and an open curve has no inside beyond its ends.
TEST(Curves, CornersAndEnds) {
  std::string error;
  const std::vector<Point> square = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  Shape block;
  block.kind = Kind::curve;
  block.curve = PlaneCurve::make(*Curve::through_points(square, 2, true, error), Vec3::UnitZ(), false, error);
  ASSERT_TRUE(block.curve) << error;
  EXPECT_TRUE(block.curve->has_corners());
  const auto distance_of = [](const Shape& s, double x, double y) {
    const Vec3 at = s.curve->R().transpose() * (Vec3(x, y, 0) - s.curve->p());
    return s.curve->foot(at.head<2>()).distance;
  };
  EXPECT_NEAR(distance_of(block, 2, 0.3), 1, 1e-9);
  EXPECT_NEAR(distance_of(block, 0.9, 0.3), -0.1, 1e-9);
  EXPECT_NEAR(distance_of(block, 1.3, 1.4), 0.5, 1e-7);
  EXPECT_NEAR(distance_of(block, -1.3, -1.4), 0.5, 1e-7);  // where it begins
  Shape line;
  line.kind = Kind::curve;
  line.curve =
      PlaneCurve::make(*Curve::through_points({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 2, false, error),
                       Vec3::UnitZ(), false, error);
  ASSERT_TRUE(line.curve) << error;
  EXPECT_NEAR(distance_of(line, 1, 0.2), -0.2, 1e-9);  // on the left
  EXPECT_NEAR(distance_of(line, 1, -0.2), 0.2, 1e-9);
  EXPECT_NEAR(distance_of(line, 3.3, 0.4), 0.5, 1e-9);
  EXPECT_FALSE(PlaneCurve::make(
      *Curve::through_points({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 2, 3}}, 4, false, error),
      Vec3::UnitZ(), false, error));
  EXPECT_EQ(error, "does not lie in a plane");
}

TEST(Mesh, APartOfACylinder) {
  const double full = 2 * M_PI;
  for (const double angle : {0.5, 2.0, 4.0, -1.0}) {
    const auto part = wedge_of(3, 1, 1, angle, 256), cone = wedge_of(3, 1, 0, angle, 256);
    EXPECT_EQ(part->findings().open_edges, 0u);
    EXPECT_EQ(cone->findings().open_edges, 0u);
    // An inscribed polygon lacks (2π/256)²/6 of the area.
    EXPECT_NEAR(part->findings().volume, 3 * M_PI * std::abs(angle) / full, 2e-4 * 3 * M_PI);
    EXPECT_NEAR(cone->findings().volume, M_PI * std::abs(angle) / full, 2e-4 * M_PI);
  }
}

// Where the differences of two step sizes agree the surface of values has no kink there, and the derivatives must be those: of boxes and
// cylinders that touch, overlap, and lie nearly or with all but a corner inside each other.
TEST(Overlap, PartialsAreThoseOfTheLimit) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const Shape box = shape(Kind::box, {2, 1.5, 1}), small = shape(Kind::box, {0.6, 0.5, 0.4}),
              can = shape(Kind::frustum, {1.5, 1.5, 1});
  const std::pair<const Shape*, const Shape*> pairs[] = {
      {&box, &box}, {&small, &box}, {&box, &small}, {&can, &box}};
  int compared = 0, all_of_them = 0;
  for (const auto& pair : pairs) {
    const Shape *const a = pair.first, *const b = pair.second;
    for (int draw = 0; draw < 60; ++draw) {
      const Vec3 p = Vec3(2.2 * u(rng), 1.7 * u(rng), 1.3 * u(rng));
      const Mat3 R = so3_exp(1.5 * Vec3(u(rng), u(rng), u(rng)));
      const auto here = touches(*a, p, R, *b);
      for (int c = 0; c < 6; ++c) {
        const auto difference = [&](double step, std::vector<Touch>& d) {
          Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
          (c < 3 ? shift[c] : turn[c - 3]) = step;
          const Mat3 E = so3_exp(turn), B = so3_exp(-turn);
          const auto r = touches(*a, E * p + shift, E * R, *b, Wanted::touches),
                     l = touches(*a, B * p - shift, B * R, *b, Wanted::touches);
          if (r.size() != here.size() || l.size() != here.size()) return false;
          d.resize(here.size());
          for (std::size_t k = 0; k < here.size(); ++k) {
            d[k].g = (r[k].g - l[k].g) / (2 * step);
            d[k].n = (r[k].n - l[k].n) / (2 * step);
            d[k].c = (r[k].c - l[k].c) / (2 * step);
            d[k].g_x.setZero();
            d[k].area_x.setZero();
            if (!here[k].region || !r[k].region || !l[k].region) continue;
            d[k].g_x = (r[k].g_x - l[k].g_x) / (2 * step);
            d[k].area = (r[k].region->tilt - l[k].region->tilt).norm() / (2 * step);
          }
          return true;
        };
        std::vector<Touch> coarse, fine, finest;
        if (!difference(2e-4, coarse) || !difference(1e-4, fine) || !difference(5e-5, finest)) continue;
        for (std::size_t k = 0; k < here.size(); ++k) {
          ++all_of_them;
          const Touch& t = here[k];
          const auto off = [](const Touch& x, const Touch& y) {
            return std::abs(x.g - y.g) + (x.n - y.n).norm() + (x.c - y.c).norm() + (x.g_x - y.g_x).norm() +
                   std::abs(x.area - y.area);
          };
          const bool volume = t.region != nullptr;
          const double size = 1 + std::abs(t.g_x[c]) + t.n_x.col(c).norm() + t.c_x.col(c).norm() +
                              (volume ? t.region->g_xx.col(c).norm() + t.region->tilt_x.col(c).norm() : 0.0);
          // Smooth: the error of the difference falls by four. A kink within the steps makes it fall by two or not at all.
          const double change = off(fine[k], finest[k]), rounding = 1e-6 * size;
          if (change > 1e-4 * size || change > off(coarse[k], fine[k]) / 3 + rounding) continue;
          Touch given;
          given.g = t.g_x[c];
          given.n = t.n_x.col(c);
          given.c = t.c_x.col(c);
          if (volume) {
            given.g_x = t.region->g_xx.col(c).transpose();
            given.area = t.region->tilt_x.col(c).norm();
          }
          ++compared;
          ASSERT_LT(off(finest[k], given), change + rounding)
              << "column " << c << " of touch " << k << " at " << p.transpose() << " depth " << t.g;
        }
      }
    }
  }
  EXPECT_GT(compared, 0.8 * all_of_them);
}

// Boxes of half edges 1: a face over a face, a corner over one, edges that cross, edges side by side.
TEST(Overlap, GapsOfMeshesAreTheirDistances) {
  Shape mesh = shape(Kind::box, Vec3::Ones());
  mesh.kind = Kind::mesh;
  const double enough = 10, apart = 0.3;
  const auto gap_of = [&](const Vec3& p, const Mat3& R, const Shape& b, const Mat3& R_b, double most) {
    return gap({&mesh, p, R}, {&b, Vec3::Zero(), R_b}, most);
  };
  const Mat3 none = Mat3::Identity(), about_x = so3_exp(Vec3(M_PI / 4, 0, 0)),
             about_y = so3_exp(Vec3(0, M_PI / 4, 0));
  const Mat3 on_corner = so3_exp(Vec3(std::atan(std::sqrt(0.5)), 0, 0)) * about_y;
  EXPECT_NEAR(gap_of({0.4, -0.7, 2 + apart}, none, mesh, none, enough), apart, 1e-14);
  EXPECT_NEAR(gap_of({0, 0, 1 + std::sqrt(3.0) + apart}, on_corner, mesh, none, enough), apart, 1e-14);
  EXPECT_NEAR(gap_of({0, 0, std::sqrt(8.0) + apart}, about_x, mesh, about_y, enough), apart, 1e-14);
  EXPECT_NEAR(gap_of({2.3, 0.2, 2.4}, none, mesh, none, enough), 0.5, 1e-14);
  EXPECT_GE(gap_of({0.4, -0.7, 2 + apart}, none, mesh, none, 0.1), 0.1);
  EXPECT_LE(gap_of({0.4, -0.7, 2 + apart}, none, mesh, none, 0.1), apart);
  const Shape plane = shape(Kind::plane, Vec3::Zero());
  EXPECT_NEAR(gap_of({3, 5, std::sqrt(3.0) + apart}, on_corner, plane, none, enough), apart, 1e-14);
  EXPECT_LT(gap_of({0.4, -0.7, 1.9}, none, mesh, none, enough), 0.0);
}

TEST(Mesh, TellsWhatIsWrongWithIt) {
  const Shape box = shape(Kind::box, Vec3::Ones());
  const std::vector<Vec3> points = box.mesh->points();
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (const Mesh::Triangle& t : box.mesh->triangles()) faces.push_back(t.corners);
  EXPECT_EQ(box.mesh->findings().open_edges, 0u);
  EXPECT_NEAR(box.mesh->findings().volume, 8.0, 1e-14);
  auto inverted = faces;
  for (auto& f : inverted) std::swap(f[0], f[1]);
  const Mesh turned(points, inverted);
  EXPECT_TRUE(turned.findings().inverted);
  EXPECT_EQ(turned.findings().open_edges, 0u);
  auto open = faces;
  open.pop_back();
  EXPECT_EQ(Mesh(points, open).findings().open_edges, 3u);
  auto degenerate = faces;
  degenerate.push_back({0, 0, 1});
  EXPECT_EQ(Mesh(points, degenerate).findings().degenerate, 1u);
  EXPECT_TRUE(Mesh(points, {}).nodes().empty());
}

// Files with numbers that are none, too large, cut off, or that name corners that are not there: refused, each with a reason.
TEST(Mesh, FilesThatAreDamagedAreRefused) {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  Shell shell;
  for (const std::string& obj : {std::string("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                                 std::string("v 0 0 1e38\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                                 triangle + "f 1 2 9\n", triangle + "f 1 2 99999999999999999999\n",
                                 triangle + "f 1 2 -9\n", triangle, std::string("v 0 0"), std::string()}) {
    std::string error;
    EXPECT_FALSE(read_obj(obj, shell, error)) << obj;
    EXPECT_FALSE(error.empty());
    EXPECT_TRUE(shell.faces.empty() || !error.empty());
  }
  std::string bytes(84, '\0');
  bytes[80] = 1;
  std::string body(50, '\0');
  for (int k = 12; k < 48; ++k) body[static_cast<std::size_t>(k)] = static_cast<char>(0xff);  // not a number
  std::string error;
  EXPECT_FALSE(read_stl(bytes + body, shell, error));
  EXPECT_NE(error.find("no numbers"), std::string::npos);
  error.clear();
  EXPECT_FALSE(read_stl(bytes + body.substr(0, 40), shell, error));  // cut off
  error.clear();
  EXPECT_FALSE(read_stl(bytes.substr(0, 80) + std::string(4, '\0'), shell, error));  // no triangles
  // Corners that are written twice are one: the surface is closed.
  error.clear();
  std::string seams;
  const Shape box = shape(Kind::box, Vec3::Ones());
  int n = 0;
  std::string faces;
  for (const Mesh::Triangle& t : box.mesh->triangles()) {
    for (int k = 0; k < 3; ++k) {
      const Vec3& x = box.mesh->corner(t, k);
      seams +=
          "v " + std::to_string(x.x()) + " " + std::to_string(x.y()) + " " + std::to_string(x.z()) + "\n";
    }
    faces += "f " + std::to_string(n + 1) + " " + std::to_string(n + 2) + " " + std::to_string(n + 3) + "\n";
    n += 3;
  }
  ASSERT_TRUE(read_obj(seams + faces, shell, error)) << error;
  EXPECT_EQ(mesh_of(shell)->findings().open_edges, 0u);
}

// Points moved at random, triangles dropped, turned and doubled, solids in one and the same place: all numbers stay finite.
TEST(Overlap, DamagedGeometryGivesNumbers) {
  std::mt19937 rng(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng); };
  const Shape whole = shape(Kind::frustum, {1, 1, 1});
  for (int draw = 0; draw < 200; ++draw) {
    std::vector<Vec3> points = whole.mesh->points();
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (const Mesh::Triangle& t : whole.mesh->triangles()) faces.push_back(t.corners);
    for (int k = 0; k < 3; ++k) {
      switch (below(4)) {
        case 0: points[below(points.size())] = points[below(points.size())]; break;
        case 1: faces.erase(faces.begin() + static_cast<std::ptrdiff_t>(below(faces.size()))); break;
        case 2: std::swap(faces[below(faces.size())][0], faces[below(faces.size())][1]); break;
        default: points[below(points.size())] *= -2.0; break;
      }
    }
    Shape damaged;
    damaged.kind = Kind::mesh;
    damaged.mesh = std::make_shared<Mesh>(points, faces);
    set_bound(damaged);
    const Vec3 at = draw % 2 == 0 ? Vec3(Vec3::Zero()) : Vec3(0.1 * draw / 20, 0, 1.9);
    for (const Touch& t : touches(damaged, at, Mat3::Identity(), whole)) {
      EXPECT_TRUE(std::isfinite(t.g) && t.n.allFinite() && t.c.allFinite() && t.g_x.allFinite() &&
                  t.n_x.allFinite() && t.c_x.allFinite());
    }
  }
}

}  // namespace
}  // namespace trunnion::math
