#pragma once
// How far BUSHINGs, FIELDs and BEAMs of linear laws are turned. Their torques take the three angles of I in J one by one, each projected along
// its axis, which means something while two of them are small.

#include "system/system.hpp"

namespace trunnion::system {

// The second largest of the three, beyond those of the unloaded place; 0 where no torque follows them. The workspace has been brought to a state.
double second_turn(const System& system, const Force& force, const System::Workspace& work);

}  // namespace trunnion::system
