#pragma once
// The types of JOINT and JPRIM: what the language names, the elements make rows of and messages count. One list, so that a new joint is
// a line here, a word of the schema (model/schema/constraints.cpp) and its rows (elements/joint.cpp).

#include <cstdint>

namespace trunnion::core {

enum class JointType : std::uint8_t {
  revolute,
  translational,
  cylindrical,
  spherical,
  universal,
  hooke,
  fixed,
  planar,
  convel,
  atpoint,
  inline_,
  inplane,
  orientation,
  parallel_axes,
  perpendicular,
  screw,  // these two tie travel to turns: one row, a sum of measures
  rackpin,
};
inline constexpr int kPrimitiveJointTypes = static_cast<int>(JointType::screw);  // those made of primitives

}  // namespace trunnion::core
