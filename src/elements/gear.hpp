#pragma once
// GEAR: two wheels (or racks) on one carrier whose teeth have a common velocity along z of the marker CV at the pitch point.
//
//   φ = d₁ − d₂ = 0 ,   d = displacement along z_CV of the wheel's material at the pitch point P, relative to the carrier
// With W the wheel's marker of its joint, C the carrier's, q the travel along z_C, r = p_CV − p_C, all along the axes of C:
//   d = z·(p_W − p_C) + m·θ ,   m = (r − q e_z) × z
//   θ = ( −z_W·y_C , z_W·x_C , AZ(W, C) )      turns about the axes of C: small ones, and the counted one
// Where the joints hold, p_W − p_C and the tilts vanish but for the freedom of the joint, and d is what the wheel has turned and
// travelled: b θ or q z_z. Their gradients do not vanish: λ is a force along z_CV at P on one wheel and its opposite on the other, so
// that the bearings carry the tooth force and its moment (the vendor: tooth forces act along z of CV, pressure angle zero).
// The carrier's own shares cancel. P is fixed on the carrier, so that r and z are constants.
// Limits: no pressure angle, backlash or friction.

#include <array>

#include "elements/measure_row.hpp"

namespace trunnion::elements {

struct GearSide {
  MarkerId wheel, carrier;  // of the joint
  MarkerId i, j;            // the same two as the joint has them: AZ(i, j) is counted
  int memory = -1;          // of that angle
  bool travels = false;     // along z_C: translational, cylindrical
  math::Vec3 r, z;  // from the carrier's marker to the pitch point, and z_CV; along the carrier's marker
};

MeasureRow make_gear(const std::array<GearSide, 2>& sides, MarkerId cv, const core::Words& owner,
                     assembly::Layout& layout, const assembly::MarkerTable& table);

// How far the pitch point moves along z_CV for a unit of turn, and of travel.
inline double gear_turn_ratio(const GearSide& side) { return side.r.cross(side.z).z(); }
inline double gear_travel_ratio(const GearSide& side) { return side.travels ? side.z.z() : 0.0; }

}  // namespace trunnion::elements
