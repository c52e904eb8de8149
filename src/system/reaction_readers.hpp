#pragma once
// Which equations of states and variables know reactions of constraints, straight or through others that do without delay.

#include <vector>

#include "system/system.hpp"

namespace trunnion::system {

// Of each block of the layout. What integrates a reaction passes on none: only its rate does.
std::vector<char> reaction_readers(const System& system);

}  // namespace trunnion::system
