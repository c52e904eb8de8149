#pragma once
// The motion over the coordinates of joints: positions and velocities of a tree follow from them by recursion, with no equation to solve, and
// accelerations by the articulated-body recursion (docs/theory/recursion.md). Constraints beside the tree (loops, motions, couplers, gears,
// curves of the language) are rows over it, closed at all three levels by the change that is least in the masses.
//
// Forces, states and variables come from the same elements as everywhere, their residuals only.

#include "solve/explicit_motion.hpp"

namespace trunnion::solve {

// None, and `why` says what stands against it, where the mechanism is no such tree.
std::unique_ptr<ExplicitMotion> make_tree_motion(StageSolver& solver, const assembly::State& state,
                                                 system::System::Workspace& work, std::string& why);

}  // namespace trunnion::solve
