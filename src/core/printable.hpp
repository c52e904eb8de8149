#pragma once
// Text of any origin, made safe for a terminal.

#include <string>
#include <string_view>

namespace trunnion::core {

// core::printable() of each line.
std::string printable_lines(std::string_view text);

}  // namespace trunnion::core
