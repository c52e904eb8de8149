#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trunnion::analysis {

// Owners of constraints (GCON) whose velocity or acceleration equations need rates of states and variables that are not known
// (ż at a start, z̈, ẇ, ẅ): positions and equilibria are right, a motion would not be.
std::vector<core::Words> constraints_on_states(const system::System& system, const assembly::State& state);

}  // namespace trunnion::analysis
