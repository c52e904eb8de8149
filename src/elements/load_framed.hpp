#pragma once
// A load between bodies that have a frame each (rigid, planar and point bodies, ground), with all partials at once. What the rows of
// measures say one by one, each in the unknowns of its bodies, is here one 6×6 matrix for each body b, over its small motion in ground
// axes, δξ_b = (δx, δφ):
//   δ(F, T) = Σ_b S_b δξ_b,     S_b = Σ_s w_s g_sbᵀ + how the directions turn,     w_s = Σ_m e_m ∂c_m/∂(signal s)
// g_sb is the gradient of signal s, a wrench at a marker taken to the body's origin. Body r of the rows takes ±(F, T + r × F), r from its origin
// to where the load acts, and the blocks of unknowns come last, J_rᵀ(…)J_b with δξ = J δq: J is diag(1, R) of a rigid part.

#include "elements/load.hpp"

namespace trunnion::elements {

// Of a load that has all its signals; none where it reads another kind of measure, acts within one body, or meets a body without a frame.
std::optional<Load::Frames> find_frames(const Load& load);

// Of a load with frames, within reach.
void evaluate_framed(const Load& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);

}  // namespace trunnion::elements
