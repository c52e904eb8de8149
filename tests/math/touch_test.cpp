// Solids that touch: depths, normals and points against closed forms, their derivatives against differences, and geometry that is damaged.

#include "math/touch.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "math/mesh.hpp"

namespace trunnion::math {
namespace {

using Kind = Shape::Kind;

struct All final : TouchSink {
  std::vector<Touch> touches;
  void take(const Touch& t) override { touches.push_back(t); }
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
  All all;
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
}

// Two boxes overlap in a box: V = (2 − |x|)(2 − |y|)(2 − |z|). Where all three faces are at an angle the volume is that of a corner.
TEST(Overlap, OfBoxesIsABox) {
  const Shape box = shape(Kind::box, Vec3::Ones());
  const auto all = touches(box, {0.3, -0.2, 1.9}, Mat3::Identity(), box);
  ASSERT_EQ(all.size(), 1u);
  const Vec3 edges(1.7, 1.8, 0.1);
  const double V = edges.prod();
  const Vec3 S0 = V * edges.cwiseInverse().cwiseProduct(
                          Vec3(1, -1, 1));  // of the faces that are inside, outward of the other
  EXPECT_NEAR(all[0].g, V / S0.norm(), 1e-8);
  EXPECT_LT((all[0].n - S0.normalized()).norm(), 1e-8);
}

TEST(Overlap, OfStackedBoxesIsFlat) {
  const Shape box = shape(Kind::box, Vec3::Ones());
  const auto all = touches(box, {0, 0, 1.9}, Mat3::Identity(), box);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].g, 0.1, 1e-8);
  EXPECT_LT((all[0].n - Vec3::UnitZ()).norm(), 1e-8);
  EXPECT_LT((all[0].c - Vec3(0, 0, 0.9)).norm(), 1e-8);
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
  for (const Touch& t : on_box) EXPECT_NEAR(t.g, 0.1, 1e-8);
  EXPECT_EQ(touches(leg, {0, 0, 0}, so3_exp(Vec3(0.1, 0.2, 0)), shape(Kind::box, {1, 1, 0.1})).size(), 1u);
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
