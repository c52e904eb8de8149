#pragma once
// Which part of a triangle is inside a solid of triangles: its area, first moment and the volume behind it (overlap.hpp says how).

#include "math/mesh.hpp"

namespace trunnion::math {

struct Polygon {
  std::array<Vec3, 12> at;
  int count = 0;

  // A clip of what is not quite convex by rounding must not run over.
  void add(const Vec3& x) {
    if (count < static_cast<int>(at.size())) at[static_cast<std::size_t>(count++)] = x;
  }
  const Vec3& operator[](int k) const { return at[static_cast<std::size_t>(k)]; }
};
using Corners = std::array<Vec3, 3>;

Polygon polygon(const Corners& corners);
// What has m·x ≤ limit.
Polygon clipped(const Polygon& from, const Vec3& m, double limit);
Bounds bounds_of(const Corners& corners);
Corners corners_of(const Mesh& mesh, const Mesh::Triangle& triangle);

// A point of a rule that is exact for polynomials of degree three over a piece, with its share of the area (either sign), and how far it is
// from there to what bounds the other solid along d.
struct SurfacePoint {
  Vec3 x;
  double area, column;
};

// ∫ dS, and the volume between the piece and what bounds the other solid along d.
struct Moments {
  double area = 0, volume = 0;

  // `up`: of the plane that bounds it, N/(N·d), with up·x = height there. The points are added to those given.
  void add(const Polygon& piece, const Vec3& normal, double sign, const Vec3& d, const Vec3& up,
           double height, std::vector<SurfacePoint>* points);
};

// Calls leaf(triangle) below all nodes whose boxes pass the test.
template <class Test, class Leaf>
void walk(const Mesh& mesh, const Test& test, const Leaf& leaf, std::int32_t at = 0) {
  const Mesh::Node& node = mesh.nodes()[static_cast<std::size_t>(at)];
  if (!test(node.box)) return;
  if (node.left >= 0) {
    walk(mesh, test, leaf, node.left);
    walk(mesh, test, leaf, node.right);
    return;
  }
  for (std::uint32_t k = node.first; k < node.first + node.count; ++k) leaf(static_cast<int>(k));
}

// One solid seen along an axis of its own, d = ±e_k.
class Inside {
 public:
  // From its middle to `towards` it is nearest to its surface. `other`: along the next axis but as many.
  Inside(const Mesh& mesh, const Vec3& towards, int other = 0);
  // With all that is behind it: what left the solid on the far side still counts for the volume.
  Bounds column(Bounds box) const;
  // The part of a triangle, in the solid's axes, that is inside.
  Moments of(const Corners& corners, const Vec3& normal, std::vector<SurfacePoint>* points = nullptr) const;
  Vec3 direction() const { return sign_ * Vec3::Unit(axis_); }  // d

 private:
  void add_prism(const Mesh::Triangle& t, const Polygon& whole, const Vec3& normal, Moments& sum,
                 std::vector<SurfacePoint>* points) const;

  const Mesh& mesh_;
  Eigen::Index axis_ = 2;
  double sign_ = 1, inset_ = 0;
};

}  // namespace trunnion::math
