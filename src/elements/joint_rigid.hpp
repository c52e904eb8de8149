#pragma once
// The rows of a joint between two rigid parts, or a rigid part and ground, all at once and in body axes. What a row of its own would
// work out with 3×3 products and a full H is a few vectors there: with p the marker's place and u its axis, both constant in the
// body's axes, and ω its angular velocity in them,
//   coincide   e = Rᵀe_c                g_θ = p × e          H = e pᵀ − (p·e) 1
//   dot1       s = u·w                  g_θa = u_a × w_a     H_aa = w_a u_aᵀ − s 1,  H_ab = s RaᵀRb − w_a u_bᵀ
//                                       g_θb = −u_b × w_b    H_bb = u_b w_bᵀ − s 1,  H_ba = s RbᵀRa − u_b w_aᵀ
// H is linear in e and in w: Σ λ H is worked out from Σ λ e and Σ λ w, once. The rows of joint.cpp say the same for any carrier, and
// check this in the registry of elements.

#include "elements/joint.hpp"

namespace trunnion::elements {

// False: the joint has other rows or other bodies, or the sink wants rows one by one; nothing was emitted.
bool evaluate_rigid(const Joint& joint, const assembly::Evaluation& at, assembly::Sink& sink);

}  // namespace trunnion::elements
