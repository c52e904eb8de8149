#pragma once
// How large a mechanism is and how fast it moves, for steps that must be small by both.

#include "system/system.hpp"

namespace trunnion::analysis {

// The largest side of the box around all markers and mass centres; 0 where all is one point.
double spread(const system::System& system, const assembly::Kinematics& kinematics);
// The same: what a travel is long or short by. 1 where all is one point.
double extent(const system::System& system, const assembly::Kinematics& kinematics);

// Radians, or extents, in a unit of time that the fastest part moves by its velocity or acceleration. The workspace is brought there.
double pace(const system::System& system, const assembly::State& state, system::System::Workspace& work);

}  // namespace trunnion::analysis
