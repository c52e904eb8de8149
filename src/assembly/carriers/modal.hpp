#pragma once
// A node of a body that deforms by mode shapes: how it carries a marker. See docs/theory/flexible.md.
//
// The body is two blocks: its floating frame B, a rigid part's six entries, and M modal coordinates q. With the node's place s and its
// shapes Φ_t, Φ_r (all in B), d = Φ_t q, ψ = Φ_r q and the marker's arm e from the undeformed node:
//   p = x + R (s + d + A e),  R_GM = R A R_BM,      A = 1 + c (ψ̂ + ½ ψ̂²),  c = 1/(1 + ¼|ψ|²)
//   spin of the node in B:  u = T ψ̇,  T = c (1 + ½ ψ̂)

#include <memory>

#include "assembly/carrier.hpp"

namespace trunnion::assembly {

struct NodeShape {
  Vec3 s = Vec3::Zero();
  Eigen::Matrix<double, 6, Eigen::Dynamic>
      modes;  // Φ_t above Φ_r, a column for each entry of the modal block
  Eigen::Matrix<double, Eigen::Dynamic, 6> across = {};  // the same transposed; modal_carrier() fills it in
};

// For MarkerDef::carrier; p_BM of the marker is its undeformed place in B.
std::shared_ptr<const Carrier> modal_carrier(BlockId frame, BlockId modes, NodeShape shape);

// For elements that treat such markers by themselves. A marker on a node moves by (x, θ, d, ψ), x and θ of B's block, d and ψ = shape.modes · q.
inline constexpr int kNodeMotions = 12;
// Null for any other carrier.
const NodeShape* modal_shape(const Carrier& carrier);
// (δp, δφ), ground axes, over those motions; and ∂(Jᵀ(f, τ))/∂(x, θ, d, ψ) with f, τ held. For carriers that have a shape.
Eigen::Matrix<double, 6, kNodeMotions> modal_jacobian(const Seat& seat);
Eigen::Matrix<double, kNodeMotions, kNodeMotions> modal_curvature(const Seat& seat, const Vec3& f,
                                                                  const Vec3& tau);

// A(ψ), for others that turn frames with a node.
Mat3 node_turn(const Vec3& psi);

}  // namespace trunnion::assembly
