#pragma once
// PART, POINT_MASS and ACCGRAV: inertia and weight. The block's origin is the mass centre, J the inertia tensor about it in
// body axes (off-diagonals −∫xy dm; the language gives +∫xy dm).
//
//   rigid    m ẍ − m g = 0                J α + ω × J ω = 0         ω, α in body axes
//   planar   the same along its two axes and about its normal n: m ü − m g·e = 0, (n·J n) θ̈ = 0
//   point    m ẍ − m g = 0
// A massless part is m = 0, J = 0: its rows then hold forces in balance, and its accelerations are found only where
// constraints or other forces fix them.

#include "assembly/evaluation.hpp"
#include "assembly/sink.hpp"

namespace trunnion::elements {

struct Body {
  assembly::BlockId block;  // rigid, planar or point
  double mass = 0.0;
  math::Mat3 J = math::Mat3::Zero();
  math::Vec3 gravity = math::Vec3::Zero();  // ACCGRAV, ground axes
};

void evaluate(const Body& body, const assembly::Evaluation& at, assembly::Sink& sink);

// ½ m ẋ² + ½ ω·J ω, and −m g·x.
double kinetic_energy(const Body& body, const assembly::Evaluation& at);
double potential_energy(const Body& body, const assembly::Evaluation& at);

// The tensor about the mass centre in body axes from a PART's IP (Ixx, Iyy, Izz, Ixy, Ixz, Iyz with products +∫xy dm), given
// about the origin of a frame IM with axes R_BI and the mass centre at p_IC from it, both in body axes.
math::Mat3 inertia_about_mass_centre(const double (&ip)[6], double mass, const math::Mat3& R_BI,
                                     const math::Vec3& p_IC_B);

}  // namespace trunnion::elements
