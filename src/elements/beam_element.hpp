#pragma once
// FE_PART: an element of a geometrically exact beam over two or three nodes, each with a place and a rotation; docs/theory/beams.md.
//
// Strain. From a node to the next the section's frame goes along the one motion of constant twist, ε_i = log(H_i⁻¹ H_i+1). Two nodes
// (length L, one point):
//   e = ε/L − e₀      (stretch, shear y, shear z; twist, bending y, bending z) in section axes, e₀ that of the unstressed shape
// Three nodes (halves l = L/2, Gauss' two points at ±l/√3), where e is linear along the element and [,] the bracket of twists:
//   e± = ((½ ∓ 1/√3) ε₁ + (½ ± 1/√3) ε₂ − [ε₁, ε₂]/12)/l − e₀±          (Magnus' series of fourth order, inverted)
// With weights L or l of the points
//   V = ½ Σ_g weight e_gᵀ K_g e_g,   w_g = K_g e_g + C_g ė_g,   W_i = Σ_g weight (∂e_g/∂ε_i)ᵀ w_g
// and forces on the nodes of each ε in their own axes  f_to = S(ε)ᵀ W,  f_from = −S(−ε)ᵀ W      (math/se3.hpp)
// Only the motion of one node against the other enters: no rigid motion strains it, however far it turns, and no locking. K of two nodes
// is not the section's stiffness but that of the element: the moment varies along it, and with A(s) that takes the wrench at mid-span to s
//   K⁻¹ = 1/L ∫ A(s)ᵀ K_s(s)⁻¹ A(s) ds        (for a constant section 1/GA → 1/GA + L²/12EI)
// so that nodes are exact in small bending, with taper and coupled sections, too. Three nodes need no such thing: their strain varies.
//
// Inertia. Axis and section axes (directors D_i) between the nodes, t the axis' direction in section axes, ξ = s/L or, about the middle,
// s/l, N Lagrange's polynomials:
//   two:    x = (1−ξ) x_a + ξ x_b + L/2 (ξ−ξ²)(R_a t − R_b t),                    D_i = (1−ξ) R_a e_i + ξ R_b e_i
//   three:  x = Σ N_n x_n + l/6 (ξ³−ξ)(R_a t − 2 R_m t + R_b t),                   D_i = Σ N_n R_n e_i
// are linear in y = (x_n, R_n e₁ … e₃ of node after node), so that the kinetic energy is ½ Σ M_kl ẏ_k·ẏ_l with a constant M: momentum
// and moment of momentum are kept exactly, and the inertia forces Σ M_kl ÿ_l with all gyroscopic terms have exact partials. To the integral
// over the length a share of the same form in the element's strain is added, 1/12 in x_b − x_a − L/2 (R_a + R_b) t and D_b − D_a, or 1/45
// in x_a − 2 x_m + x_b − R_m c (c: unstressed, it is zero) and D_a − 2 D_m + D_b: with it frequencies of a straight beam are of order h⁴,
// with three nodes those of stretching, twisting and slender bending of order h⁶.
//
// Limits: linear elastic sections, no warping; a node may be turned against the next by less than half a turn, which is told where it comes
// near.

#include <array>
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

// Where an element's strain is taken.
struct BeamPoint {
  math::Vec6 reference = math::Vec6::Zero();  // e₀
  math::Mat6 K = math::Mat6::Zero();
  math::Mat6 C = math::Mat6::Zero();  // damping by rates of strain
};

struct BeamElement {
  static constexpr int kMostNodes = 3, kOfNode = 4;  // kOfNode: entries of y that belong to one node
  using OverY = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kOfNode * kMostNodes, 1>;
  using MassMatrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kOfNode * kMostNodes, kOfNode * kMostNodes>;

  int count = 2;                                    // nodes
  std::array<assembly::BlockId, kMostNodes> nodes;  // along the axis, rigid or planar
  double length = 0.0;
  math::Vec3 tangent = math::Vec3::UnitX();      // of the unstressed axis, in section axes
  std::array<BeamPoint, kMostNodes - 1> points;  // count − 1 of them
  MassMatrix M;
  OverY first;                              // ∫ρ dV of each y_k: what a field of acceleration acts on
  double mass_damping = 0.0;                // force −d ∂T/∂q̇; 1/time
  math::Vec3 gravity = math::Vec3::Zero();  // ground axes
  core::Words owner;                        // for messages
  std::shared_ptr<Troubles> troubles;

  int segments() const { return count - 1; }  // from a node to the next
  double mass() const;
  bool damped() const;
};

// Between two nodes in their unstressed poses. The stiffness of both sections must be positive definite. `ratio`: C over K, time.
BeamElement make_beam_element(const assembly::Pose& a, const assembly::Pose& b, const BeamCrossSection& at_a,
                              const BeamCrossSection& at_b, double ratio = 0.0);
// The same with a node half-way along.
BeamElement make_beam_element(const assembly::Pose& a, const assembly::Pose& middle, const assembly::Pose& b,
                              const BeamCrossSection& at_a, const BeamCrossSection& at_b, double ratio = 0.0);

void evaluate(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink);

// For linear equations without damping: the partials of the inertia by velocity, which are no damping, and those by q that belong to
// damping alone (in a beam that turns as a whole they cancel against those by velocity). The kinematics must have been brought to the
// state.
void evaluate_gyroscopic(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink);
void evaluate_damping_by_place(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink);

// Strain e and section forces w half-way between a node and the next, in section axes there. Damping is in the forces.
struct BeamStrain {
  math::Vec6 strain = math::Vec6::Zero();
  math::Vec6 force = math::Vec6::Zero();
  math::Vec3 turn = math::Vec3::Zero();  // of one node against the other; at most half a turn
};
using BeamStrains = std::array<BeamStrain, BeamElement::kMostNodes - 1>;  // of the segments
BeamStrains strains_of(const BeamElement& beam, const assembly::Evaluation& at);
// The turn of a node against the next, above which a run is warned; the logarithm changes sides at π.
inline constexpr double kLargeTurn = 0.8 * 3.14159265358979323846;

// How a load per length is shared out: as that of `length` on the node, `arm` off it in its axes.
struct LoadShare {
  double length = 0.0;
  math::Vec3 moment = math::Vec3::Zero();  // length times arm
};
LoadShare load_share(const BeamElement& beam, int node);

double kinetic_energy(const BeamElement& beam, const assembly::Evaluation& at);
double potential_energy(const BeamElement& beam, const assembly::Evaluation& at);  // strain and weight
double dissipated_power(const BeamElement& beam, const assembly::Evaluation& at);

// What a node of the element weighs as a body of its own: mass, and inertia about the node in its axes. For scales and shares.
struct NodeInertia {
  double mass = 0.0;
  math::Mat3 J = math::Mat3::Zero();
};
NodeInertia node_inertia(const BeamElement& beam, int node);

}  // namespace trunnion::elements
