#pragma once
// Functions that jump at a known time: MOTIONs, which then ask for two places at one time, and whatever stops a step there.

#include <vector>

#include "core/words.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace trunnion::api {

// A line for each place between begin and end where the FUNCTION of a MOTION, of the time alone, jumps.
std::vector<core::Words> motion_jumps(const model::Model& model, const system::System& system, double begin,
                                      double end);

// A line for each expression that acts on the motion and jumps with the time, whatever else it reads, within `width` of t.
std::vector<core::Words> jumps_near(const model::Model& model, const system::System& system, double t,
                                    double width);

}  // namespace trunnion::api
