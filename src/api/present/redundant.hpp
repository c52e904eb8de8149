#pragma once
// Redundant equations as people read them: one line each where they are few, a line for each pattern where they are many.

#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "model/model.hpp"

namespace trunnion::api {

// "JOINT/1…40 REVOLUTE: rotation about x (40 equations)". `all`: every equation with what implies it.
std::vector<std::string> redundant_lines(const system::System& system, const model::Model& model,
                                         const std::vector<analysis::RedundantRow>& redundant, bool all);

}  // namespace trunnion::api
