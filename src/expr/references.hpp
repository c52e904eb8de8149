#pragma once
// The statements that an expression names, also where it has errors: all that is wrong with it can then be told at once.

#include <string_view>
#include <vector>

#include "expr/program.hpp"

namespace trunnion::expr {

std::vector<Reference> references(std::string_view text);

}  // namespace trunnion::expr
