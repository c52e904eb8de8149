#pragma once
// Accelerations and multipliers from positions and velocities: one linear system (primer Eq. 40).

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trunnion::analysis {

// Accelerations and multipliers at a state whose positions and velocities are consistent. False, with a message, where the
// system is singular: a massless part that is free to move, or rows that have become dependent, unless these are kept: reactions are then
// shared (solve/kept_rows.hpp).
bool solve_accelerations(const system::System& system, const std::vector<int>& active, assembly::State& state,
                         system::System::Workspace& work, core::Words& message, bool keep_redundant = false);

}  // namespace trunnion::analysis
