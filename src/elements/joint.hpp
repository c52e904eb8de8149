#pragma once
// JOINT and JPRIM: lists of primitive rows between marker I and marker J.
//
// Primitives, d = p_I − p_J, axes of a marker x, y, z:
//   coincide(c)   e_c · d = 0            along a ground axis
//   dot1(a, b)    a_I · b_J = 0          I's axis a stays perpendicular to J's axis b
//   dot2(c)       c_J · d = 0            I's origin stays in a plane of J
//   mirror        x_I·y_J + y_I·x_J = 0  equal and opposite spins about z_I and z_J (CONVEL)
// The joint's freedom is I relative to J about and along z_J; z_I and z_J are parallel and co-directed where rows say parallel.
//   REVOLUTE coincide, z_I ∥ z_J        TRANSLATIONAL dot2 x y, all axes parallel     CYLINDRICAL dot2 x y, z_I ∥ z_J
//   SPHERICAL coincide                  FIXED coincide, all axes parallel             PLANAR dot2 z, z_I ∥ z_J
//   UNIVERSAL coincide, z_I ⊥ z_J: the z axes are the arms of the cross
//   HOOKE     coincide, x_I ⊥ y_J: the z axes are the shafts, x_I and y_J the arms of the cross
//   CONVEL    coincide, mirror: z axes down the shafts, away from the joint; x_I ∥ x_J or y_I ∥ y_J when straight
// SCREW, RACKPIN and distances are sums of measures (measure_row.hpp).
// Reaction: multiplier λ, force −λ ∂φ/∂p and torque −λ ∂φ/∂φ on either side (primer Eqs. 41, 42).
// Not modelled: friction inside the joint.

#include <cstdint>
#include <span>

#include "assembly/columns.hpp"
#include "assembly/evaluation.hpp"
#include "assembly/sink.hpp"
#include "core/joint_type.hpp"
#include "elements/wrench.hpp"

namespace trunnion::elements {

using core::JointType;

enum class Primitive : std::uint8_t { coincide, dot1, dot2, mirror };

struct PrimitiveRow {
  Primitive kind;
  int a = 0, b = 0;      // axes, 0 to 2
  const char* equation;  // for names: "z_I·x_J = 0"
  assembly::Measured residual;
  const char*
      removes;  // the freedom it takes, in words; coincide along ground axes, all others along the axes of J
};

// Empty for a joint that is not made of primitives.
std::span<const PrimitiveRow> joint_rows(JointType type);

struct Joint {
  JointType type = JointType::spherical;
  assembly::Port i, j;
  assembly::Columns columns;
  assembly::RowId first_row;  // its rows are consecutive, in the order of joint_rows()
};

// Adds the rows to the layout under the owner's name ("JOINT/12 'crank_pin'").
Joint make_joint(JointType type, assembly::MarkerId i, assembly::MarkerId j, const core::Words& owner,
                 assembly::Layout& layout, const assembly::MarkerTable& table);

void evaluate(const Joint& joint, const assembly::Evaluation& at, assembly::Sink& sink);

// On the body of the joint's marker `on` (I or J), about that marker.
Wrench reaction(const Joint& joint, const assembly::Evaluation& at, assembly::MarkerId on);

}  // namespace trunnion::elements
