#pragma once
// The order in which the unknowns of a stage are eliminated. In [ M Gᵀ; G 0 ] a multiplier has no pivot of its own until a body
// that its row holds is gone. Each row is therefore tied to the body it hangs on ground by, seen along the mechanism's tree, and
// body and rows are eliminated together: their pivots are those of M and of −G M⁻¹ Gᵀ, definite both, wherever the mechanism
// moves, so that the factors can be renewed on the same pivots for a whole run. Rows that close loops stand alone; pivoting finds
// their pivots. Among these groups the order is that of approximate minimum degree.

#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::solve {

// A permutation of the stage's unknowns, first to be eliminated first.
std::vector<int> elimination_order(const assembly::Layout& layout, const StageEquations& stage);

}  // namespace trunnion::solve
