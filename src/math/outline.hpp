#pragma once
// Closed polygons in a plane, and the solids that they sweep.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "math/so3.hpp"

namespace trunnion::math {

class Curve;
class Mesh;

// Corners in order, the last one joined to the first.
using Outline = std::vector<Eigen::Vector2d>;

// A curve's components x, y; z is what must not change along it.
struct Plane3 {
  int x = 0, y = 1, z = 2;
};

// A curve as a polygon of no more corners than its bends need: as near to it as `corners` of a circle are to a circle of half its size. Open
// curves stay open: their ends are the first and the last corner.
struct FlatCurve {
  Outline corners;
  bool closed = false;
  double across = 0;  // the component that does not change
  double size = 0;    // the larger of its extents
};
// False, with the reason, where it is no flat curve with a length.
bool flatten(const Curve& curve, Plane3 plane, int corners, FlatCurve& flat, std::string& why);

double area_of(const Outline& outline);  // positive where it goes round counterclockwise
// Whether two sides meet that are not neighbours.
bool meets_itself(const Outline& outline);
// Of one that does not meet itself and goes round counterclockwise: triangles that do so too, between its corners. Fewer than its corners less
// two where it does meet itself.
std::vector<std::array<std::uint32_t, 3>> triangulated(const Outline& outline);

// From `base` along z by `length`, of either sign. Outlines must not meet themselves.
std::shared_ptr<const Mesh> extruded(Outline outline, double base, double length);
// Corners (ρ, z), ρ ≥ 0, go about z from the xz plane by `angle`, of either sign, up to a full turn; `corners` for that.
std::shared_ptr<const Mesh> revolved(Outline outline, double angle, int corners);

}  // namespace trunnion::math
