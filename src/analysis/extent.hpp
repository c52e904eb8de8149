#pragma once
// How large a mechanism is and how fast it moves, for steps that must be small by both.

#include "system/system.hpp"

namespace trunnion::analysis {

// The largest side of the box around the markers and mass centres of all that may move and the places of ground it is held and pushed at; 0
// where that is one point. Other markers of ground and what is driven over may be anywhere and are no measure of a motion.
double spread(const system::System& system, const assembly::Kinematics& kinematics);
// The same: what a travel is long or short by. 1 where all is one point.
double extent(const system::System& system, const assembly::Kinematics& kinematics);

// Radians, or extents, in a unit of time that the fastest part moves by its velocity or acceleration. The workspace is brought there.
double pace(const system::System& system, const assembly::State& state, system::System::Workspace& work);

}  // namespace trunnion::analysis
