// Closed polygons, and the solids that they sweep: areas, volumes and middles against closed forms.

#include "math/outline.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "math/curve.hpp"
#include "math/mesh.hpp"

namespace trunnion::math {
namespace {

double area_of(const Outline& o, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) sum += math::area_of({o[a], o[b], o[c]});
  return sum;
}

// A comb with teeth of different lengths: no fan covers it.
Outline comb() {
  return {{0, 0}, {8, 0}, {8, 3}, {7, 3}, {7, 1}, {5, 1}, {5, 4}, {3, 4}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
}

TEST(Outline, EarsCoverItOnce) {
  const Outline o = comb();
  EXPECT_DOUBLE_EQ(math::area_of(o), 8.0 + 2 + 2 * 3 + 1);
  const auto triangles = triangulated(o);
  ASSERT_EQ(triangles.size(), o.size() - 2);
  EXPECT_NEAR(area_of(o, triangles), math::area_of(o), 1e-14);
  for (const auto& [a, b, c] : triangles) EXPECT_GT(math::area_of({o[a], o[b], o[c]}), 0);
}

TEST(Outline, StarsOfAnyShapeAreCovered) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(0.2, 1);
  for (int draw = 0; draw < 200; ++draw) {
    Outline o;
    const int n = 3 + draw % 40;
    for (int k = 0; k < n; ++k) {
      const double turn = 2 * M_PI * k / n, r = u(rng);
      o.emplace_back(r * std::cos(turn), r * std::sin(turn));
    }
    EXPECT_FALSE(meets_itself(o));
    const auto triangles = triangulated(o);
    ASSERT_EQ(triangles.size(), o.size() - 2) << draw;
    EXPECT_NEAR(area_of(o, triangles), math::area_of(o), 1e-13);
    const auto prism = extruded(o, -1, 3);
    EXPECT_EQ(prism->findings().open_edges, 0u) << draw;
    EXPECT_NEAR(prism->findings().volume, 3 * math::area_of(o), 1e-12);
  }
}

// Corners on sides lie beside them by rounding, and a triangle of three of them would be left out of a mesh.
TEST(Outline, CornersOnSidesLeaveNoGap) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> u(0.2, 1);
  for (int draw = 0; draw < 200; ++draw) {
    Outline o;
    const int n = 3 + draw % 10, more = 1 + draw % 3;
    for (int k = 0; k < n; ++k) {
      const double turn = 2 * M_PI * k / n, r = u(rng);
      o.emplace_back(2 + r * std::cos(turn), r * std::sin(turn));
    }
    Outline fine;
    for (std::size_t k = 0; k < o.size(); ++k) {
      for (int j = 0; j <= more; ++j)
        fine.push_back(o[k] + (o[(k + 1) % o.size()] - o[k]) * (static_cast<double>(j) / (more + 1)));
    }
    const auto prism = extruded(fine, 0, 1), ring = revolved(fine, 2, 12);
    EXPECT_EQ(prism->findings().degenerate, 0u) << draw;
    EXPECT_EQ(prism->findings().open_edges, 0u) << draw;
    EXPECT_EQ(ring->findings().open_edges, 0u) << draw;
    EXPECT_NEAR(prism->findings().volume, math::area_of(o), 1e-12);
  }
}

TEST(Outline, MeetsItself) {
  EXPECT_FALSE(meets_itself(comb()));
  EXPECT_TRUE(meets_itself({{0, 0}, {1, 1}, {1, 0}, {0, 1}}));          // a bow tie
  EXPECT_TRUE(meets_itself({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}));  // a corner on a side
  EXPECT_TRUE(meets_itself({{0, 0}, {2, 0}, {3, 0}, {1, 0}, {1, 1}}));  // there and back
}

// Pappus: the area times the way of its middle. An inscribed polygon of n corners has sin(2π/n)/(2π/n) of it.
TEST(Outline, RevolvedVolumesAreThoseOfPappus) {
  const int n = 96;
  const double chord = std::sin(2 * M_PI / n) / (2 * M_PI / n);
  const Outline ring = {{2, 0}, {3, 0}, {3, 1}, {2, 1}}, cone = {{0, 0}, {3, 0}, {0, 2}},
                hourglass = {{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}};
  EXPECT_NEAR(revolved(ring, 2 * M_PI, n)->findings().volume, chord * 2 * M_PI * 2.5, 1e-12);
  EXPECT_NEAR(revolved(cone, 2 * M_PI, n)->findings().volume, chord * M_PI * 9 * 2 / 3, 1e-12);
  EXPECT_NEAR(revolved(hourglass, 2 * M_PI, n)->findings().volume, chord * 2 * M_PI * 7 / 3, 1e-12);
  for (const Outline& o : {ring, cone, hourglass}) {
    for (const double angle : {2 * M_PI, 1.0, -4.0, 6.2}) {
      const auto solid = revolved(o, angle, n);
      EXPECT_EQ(solid->findings().open_edges, 0u) << angle;
      EXPECT_NEAR(solid->findings().volume,
                  revolved(o, 2 * M_PI, n)->findings().volume * std::abs(angle) / (2 * M_PI),
                  1e-3 * solid->findings().volume);
    }
  }
  Outline backwards(ring.rbegin(), ring.rend());
  EXPECT_FALSE(revolved(backwards, 2 * M_PI, n)->findings().inverted);
}

TEST(Outline, ACircleHasAsManyCornersAsAskedFor) {
  std::vector<Point> points;
  for (int k = 0; k <= 24; ++k) {
    const double turn = 2 * M_PI * (k % 24) / 24;
    points.push_back({5 + 2 * std::cos(turn), 2 * std::sin(turn), 1});
  }
  std::string why;
  const auto circle = Curve::through_points(points, 4, true, why);
  FlatCurve flat;
  ASSERT_TRUE(flatten(*circle, {0, 1, 2}, 64, flat, why)) << why;
  EXPECT_TRUE(flat.closed);
  EXPECT_DOUBLE_EQ(flat.across, 1);
  EXPECT_GE(flat.corners.size(), 40u);
  EXPECT_LE(flat.corners.size(), 100u);
  // No farther from it than the middle of a 64-gon's side.
  EXPECT_NEAR(math::area_of(flat.corners), 4 * M_PI, 2 * 2 * M_PI * 2 * (1 - std::cos(M_PI / 64)));

  points[3][2] = 1.01;
  EXPECT_FALSE(flatten(*Curve::through_points(points, 4, true, why), {0, 1, 2}, 64, flat, why));
  EXPECT_EQ(why, "has a curve that does not lie in its plane");
}

// A straight-sided curve has its own corners, however many.
TEST(Outline, CornersStay) {
  std::vector<Point> points;
  for (const auto& p : comb()) points.push_back({p.x(), 0, p.y()});
  points.push_back(points.front());
  std::string why;
  FlatCurve flat;
  ASSERT_TRUE(flatten(*Curve::through_points(points, 2, true, why), {0, 2, 1}, 64, flat, why)) << why;
  ASSERT_EQ(flat.corners.size(), comb().size());
  for (std::size_t k = 0; k < flat.corners.size(); ++k) EXPECT_EQ(flat.corners[k], comb()[k]);
}

}  // namespace
}  // namespace trunnion::math
