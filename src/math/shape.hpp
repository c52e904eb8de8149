#pragma once
// Solids that can touch, each in its own axes, and how far a point is from them.
//
//   point       the origin
//   sphere      radius about the origin
//   plane       the half space z ≤ 0, without end
//   box         |x| ≤ half.x, |y| ≤ half.y, |z| ≤ half.z
//   frustum     radius `low` at z = −half.z, `high` at z = +half.z; a cylinder where both are equal
//   torus       ring of radius `major` about z, tube of radius `minor`
//   ellipsoid   semi-axes `half`
//   circle      radius about the origin in the xy plane; without end along z, so that it acts within its plane only
//   curve       in the xy plane (plane_curve.hpp), likewise
//   mesh        a closed surface of triangles (mesh.hpp)

#include <memory>

#include "math/so3.hpp"

namespace trunnion::math {

class Mesh;
class PlaneCurve;

struct Shape {
  enum class Kind { point, sphere, plane, box, frustum, torus, ellipsoid, circle, curve, mesh };
  Kind kind = Kind::point;
  Vec3 p = Vec3::Zero();  // where it is on its body …
  Mat3 R = Mat3::Identity();
  Vec3 half = Vec3::Zero();
  double radius = 0;            // of a sphere or circle
  bool hole = false;            // of a circle: its inside is outside
  double low = 0, high = 0;     // of a frustum
  double major = 0, minor = 0;  // of a torus
  std::shared_ptr<const PlaneCurve> curve;
  std::shared_ptr<const Mesh> mesh;  // of a mesh, and of any solid that meets one
  double bound = 0;                  // radius of a ball about p that holds it; infinite for a plane
  int id = 0;                        // of its GRAPHICS
};

// Sets `bound` from the rest.
void set_bound(Shape& shape);

// Signed distance from the surface, negative inside, with first and second derivatives by place. On the few places where the
// nearest point is not unique (a sphere's centre) one of them is taken. Curvature jumps between faces and edges.
struct Distance {
  double value = 0;
  Vec3 gradient = Vec3::UnitZ();
  Mat3 hessian = Mat3::Zero();
};
// Of every kind but mesh.
Distance distance(const Shape& shape, const Vec3& y);

// The point farthest along the unit vector u, and its derivative by u (along the surface only).
struct Support {
  Vec3 point = Vec3::Zero();
  Mat3 by_u = Mat3::Zero();
};
Support ellipsoid_support(const Vec3& semi_axes, const Vec3& u);

}  // namespace trunnion::math
