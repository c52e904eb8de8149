#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trunnion::api {

// What does not act, a line for each reason.
std::vector<std::string> inactive_lines(const system::System& system);

}  // namespace trunnion::api
