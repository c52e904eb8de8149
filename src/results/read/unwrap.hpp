#pragma once
// Angles over time without their jumps by a full turn.

#include <vector>

#include "results/channels/channel.hpp"

namespace trunnion::results {

// A full turn in the unit of an angle; 0 for everything else.
double full_turn(const Channel& channel);

// A step of more than half a turn from a row to the next becomes the shorter one in its place. An angle that goes beyond one turn
// has its turns counted already, and is left as it is.
void unwrap(std::vector<double>& angles, double turn);

}  // namespace trunnion::results
