#pragma once
// What an expression may say and hardly means: it has a value, but not the one that is looked for.

#include <vector>

#include "expr/error.hpp"
#include "expr/program.hpp"

namespace trunnion::expr {

// Of IMPACT and BISTOP whose numbers make them push without bound, pull, feed energy, or jump.
std::vector<ExprError> doubts(const Program& program);

}  // namespace trunnion::expr
