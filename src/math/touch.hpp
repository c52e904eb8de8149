#pragma once
// Where two solids touch: points, depths and normals, with their derivatives by the place of one solid against the other.
//
// Everything is in the axes of the second body, which stands still; the first moves by a spatial twist ξ = (τ, φ), δx = τ + φ × x.
//
//   ball (sphere, point) with any solid   g = r − d(x), n = ∇d, δn = ∇²d δx                       d: signed distance (shape.hpp)
//   plane with a solid                     the point farthest into it: an ellipsoid's and a torus' own, the rims of a frustum, the
//                                          corners of a box
//   box with a solid over one of its faces that face as a plane, where the solid's ball lies over it
//   point, circle with a circle or curve   as a ball with a solid, within the plane
//   curve with a curve                     where the distance of the one's points from the other is least, d(x(α)), ∇d·x' = 0; of an open
//                                          curve its ends too
//   all else                               volumes of intersection of meshes (overlap.hpp)
// A rim is an ellipsoid as thin as kRim of its radius: where a cylinder stands on its end the lowest point moves over the face
// with the first milliradian, instead of jumping. A rim and the middle of an end count half and a corner a quarter of STIFFNESS and DAMPING,
// so that what lies or stands flat has them once.

#include "math/shape.hpp"

namespace trunnion::math {

// Of a volume, whose depth grows with more than the place of one point: the force is N times −g_x, a wrench.
struct Region {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Mat6 g_xx = Mat6::Zero();  // how g_x changes with ξ
  Mat3 tilt =
      Mat3::Zero();  // ω·tilt ω: mean square of the speed along n that a turn ω about c gives its points
  Eigen::Matrix<double, 9, 6> tilt_x = Eigen::Matrix<double, 9, 6>::Zero();
};

struct Touch {
  using Row6 = Eigen::Matrix<double, 1, 6>;
  using Mat36 = Eigen::Matrix<double, 3, 6>;
  double weight = 1;      // of the force
  int place = 0;          // which of the pair's points: the same one from call to call, below most_touches()
  double g = 0;           // penetration; negative: apart by that much
  Vec3 n = Vec3::Zero();  // unit, the way the first body is pushed
  Vec3 c = Vec3::Zero();  // half way between both surfaces
  Row6 g_x = Row6::Zero();  // by ξ
  Mat36 n_x = Mat36::Zero(), c_x = Mat36::Zero();
  double area = 0;  // across the normal, of a volume; 0 for points
  Row6 area_x = Row6::Zero();
  const Region* region =
      nullptr;  // of a volume, while it is being told; its g_x is there without derivatives too
};

class TouchSink {
 public:
  virtual ~TouchSink() = default;
  virtual void take(const Touch& touch) = 0;

  double reach = 0;  // points that are apart by less are told too; volumes and curves are not
};

// Of the points of a pair; the volumes of meshes count as one.
int most_touches(const Shape& first, const Shape& second);

// A solid's place in the axes of the second body.
struct Placed {
  const Shape* shape;
  Vec3 p;
  Mat3 R;
};

enum class Wanted {
  touches,   // all with g > −reach, without derivatives
  partials,  // with them
  gaps       // with g of any sign, without derivatives; apart, a mesh gives none
};

// Whether both can be taken apart by points; if not, both need a mesh. A sphere does not need the other's.
bool by_points(const Shape& first, const Shape& second);

void touch(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink);
// Without meeting triangles one by one: false only where touch() with that reach has nothing to tell.
bool may_touch(const Placed& first, const Placed& second, double reach = 0);
// How far both are apart at least: where balls or boxes around them do not meet, how far those are; else the distance, or `enough` where it is
// more. Negative: the largest penetration. A solid within another is apart from it.
double gap(const Placed& first, const Placed& second, double enough);

}  // namespace trunnion::math
