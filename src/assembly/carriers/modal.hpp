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
};

// For MarkerDef::carrier; p_BM of the marker is its undeformed place in B.
std::shared_ptr<const Carrier> modal_carrier(BlockId frame, BlockId modes, NodeShape shape);

// A(ψ), for others that turn frames with a node.
Mat3 node_turn(const Vec3& psi);

}  // namespace trunnion::assembly
