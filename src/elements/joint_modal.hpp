#pragma once
// All rows of a joint with a marker on a flexible body at once. A marker on a node moves by twelve numbers (x, θ, d, ψ), d and ψ linear in the
// modes; so Σ λ H is a square over those of both markers, worked out once and then taken to the modes, instead of an H over all
// modes for each row. Between modes it is zero, at every state, where the marker stands on its node and only forces act on it.

#include "elements/joint.hpp"

namespace trunnion::elements {

// False where it is not for this joint or this sink, and nothing was done.
bool evaluate_modal(const Joint& joint, const assembly::Evaluation& at, assembly::Sink& sink);

}  // namespace trunnion::elements
