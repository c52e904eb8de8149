#pragma once
// Two bodies that the program does not have: a rigid frame with two modes, and a point between two nodes. Elements know carriers only,
// so that all of them work on these: the registry runs every joint, force and measure on both.
//
// Each says where its marker is and how it moves, v and ω as functions of poses and rates. What else a carrier answers are derivatives
// of that one function along the manifold, and nested dual numbers take them.

#include <memory>

#include "assembly/carrier.hpp"

namespace trunnion::elements::test {

using assembly::BlockId;
using math::Mat3;
using math::Vec3;

// Block `modes` has two amplitudes η. In body axes, with A = exp(η₁ u₁) exp(η₂ u₂):
//   p = x + R (p₀ + s₁ η₁ + s₂ η₂ + s₁₂ η₁ η₂)       R_GM = R A R_BM
struct ModalShape {
  Vec3 p0, s1, s2, s12;
  Vec3 u1, u2;  // unit
};
std::shared_ptr<const assembly::Carrier> modal_carrier(BlockId frame, BlockId modes, const ModalShape& shape);

// Between two rigid nodes; it turns with node a, and about an axis of it by how the two are turned against each other:
//   p = (1 − ξ)(x_a + R_a s_a) + ξ (x_b + R_b s_b)    R_GM = R_a exp(θ u) R_BM,   θ = κ (R_a e_a)·(R_b e_b)
struct BetweenShape {
  double xi, kappa;
  Vec3 s_a, s_b;
  Vec3 u, e_a, e_b;  // unit
};
std::shared_ptr<const assembly::Carrier> between_carrier(BlockId a, BlockId b, const BetweenShape& shape);

}  // namespace trunnion::elements::test
