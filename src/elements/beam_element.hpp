#pragma once
// FE_PART: an element of a geometrically exact beam between two nodes, each with a place and a rotation; docs/theory/beams.md.
//
// Strain. The section's frame goes from node a to node b along the one motion of constant twist, ε = log(H_a⁻¹ H_b):
//   e = ε/L − e₀      (stretch, shear y, shear z; twist, bending y, bending z) in section axes, e₀ that of the unstressed shape
//   V = ½ L eᵀ K e,   w = K e + C ė,   forces on the nodes in their own axes  f_b = S(ε)ᵀ w,  f_a = −S(−ε)ᵀ w      (math/se3.hpp)
// Only the motion of one node against the other enters: no rigid motion strains it, however far it turns, and no locking. K is not the
// section's stiffness but that of the element: the moment varies along it, and with A(s) that takes the wrench at mid-span to s
//   K⁻¹ = 1/L ∫ A(s)ᵀ K_s(s)⁻¹ A(s) ds        (for a constant section 1/GA → 1/GA + L²/12EI)
// so that nodes are exact in small bending, with taper and coupled sections, too.
//
// Inertia. Axis and section axes (directors D_i) between the nodes, ξ = s/L, t the axis' direction in section axes:
//   x = (1−ξ) x_a + ξ x_b + L/2 (ξ−ξ²)(R_a t − R_b t),      D_i = (1−ξ) R_a e_i + ξ R_b e_i
// are linear in y = (x_a, R_a e₁ … e₃, x_b, R_b e₁ … e₃), so that the kinetic energy is ½ Σ M_kl ẏ_k·ẏ_l with a constant M: momentum
// and moment of momentum are kept exactly, and the inertia forces Σ M_kl ÿ_l with all gyroscopic terms have exact partials. To the integral
// over the length 1/12 of the same form in the element's strain x_b − x_a − L/2 (R_a + R_b) t and D_b − D_a is added: with it frequencies
// of stretching, twisting and bending of a straight beam are all of order h⁴.
//
// Limits: linear elastic sections, no warping; the two nodes may be turned against each other by less than half a turn, which is told where
// it comes near.

#include <memory>

#include "assembly/evaluation.hpp"
#include "assembly/sink.hpp"
#include "core/words.hpp"
#include "elements/troubles.hpp"
#include "math/se3.hpp"

namespace trunnion::elements {

// Of one cross section, in its axes: x along the beam.
struct BeamCrossSection {
  math::Mat6 K = math::Mat6::Zero();       // forces and moments by strains
  math::Mat6 C = math::Mat6::Zero();       // and by their rates, beside what is proportional to K
  double mass = 0.0;                       // per length
  math::Vec3 moment = math::Vec3::Zero();  // ∫ρ r dA, r from the node
  math::Mat3 second = math::Mat3::Zero();  // ∫ρ r rᵀ dA
};
BeamCrossSection between(const BeamCrossSection& a, const BeamCrossSection& b, double xi);

struct BeamElement {
  using Vec8 = Eigen::Matrix<double, 8, 1>;
  using Mat8 = Eigen::Matrix<double, 8, 8>;

  assembly::BlockId a, b;  // rigid or planar
  double length = 0.0;
  math::Vec6 reference = math::Vec6::Zero();  // e₀
  math::Mat6 K = math::Mat6::Zero();
  Mat8 M = Mat8::Zero();
  Vec8 first = Vec8::Zero();                // ∫ρ dV of each y_k: what a field of acceleration acts on
  math::Mat6 C = math::Mat6::Zero();        // damping by rates of strain
  double mass_damping = 0.0;                // force −d ∂T/∂q̇; 1/time
  math::Vec3 gravity = math::Vec3::Zero();  // ground axes
  core::Words owner;                        // for messages
  std::shared_ptr<Troubles> troubles;

  double mass() const { return first[0] + first[4]; }
  bool damped() const { return !C.isZero(0.0); }
};

// Between two nodes in their unstressed poses. The stiffness of both sections must be positive definite. `ratio`: C over K, time.
BeamElement make_beam_element(const assembly::Pose& a, const assembly::Pose& b, const BeamCrossSection& at_a,
                              const BeamCrossSection& at_b, double ratio = 0.0);

void evaluate(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink);

// Only the partials of its inertia by velocity, which are no damping. The kinematics must have been brought to the state.
void evaluate_gyroscopic(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink);

// Strain e and section forces w at mid-span, in section axes there.
struct BeamStrain {
  math::Vec6 strain = math::Vec6::Zero();
  math::Vec6 force = math::Vec6::Zero();
  double turn = 0.0;  // of one node against the other
};
BeamStrain strain_of(const BeamElement& beam, const assembly::Evaluation& at);
// Forces and moments of the section at either node, in that node's axes: what the part beyond it (towards b) acts with.
struct BeamEnds {
  math::Vec6 a = math::Vec6::Zero(), b = math::Vec6::Zero();
};
BeamEnds section_forces(const BeamElement& beam, const assembly::Evaluation& at);

double kinetic_energy(const BeamElement& beam, const assembly::Evaluation& at);
double potential_energy(const BeamElement& beam, const assembly::Evaluation& at);  // strain and weight
double dissipated_power(const BeamElement& beam, const assembly::Evaluation& at);

// What a node of the element weighs as a body of its own: mass, and inertia about the node in its axes. For scales and shares.
struct NodeInertia {
  double mass = 0.0;
  math::Mat3 J = math::Mat3::Zero();
};
NodeInertia node_inertia(const BeamElement& beam, bool at_b);

}  // namespace trunnion::elements
