#pragma once
// The order in which the unknowns of a stage are eliminated. In [ M Gᵀ; G 0 ] a multiplier has no pivot of its own until the bodies
// that its row holds are gone. Groups of unknowns are eliminated together, each a full block:
//   a body with the rows that hold it to the body next to it on the way to ground, along the mechanism's tree. On this body alone these
//   rows are independent wherever it moves, and its pivots are those of M and of −G M⁻¹ Gᵀ, definite both.
//   the rows of a joint that closes a loop, after all bodies of the loop: with some of them still to come the rest could, in some
//   position, leave the row nothing to hold.
//   a state or a variable.
// So pivots are good by structure, for a whole run. Among the groups the order is that of minimum degree.

#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::solve {

struct GroupedOrder {
  std::vector<int> order;   // a permutation of the stage's unknowns, first to be eliminated first
  std::vector<int> groups;  // where in it each group begins
};

GroupedOrder grouped_order(const assembly::Layout& layout, const StageEquations& stage);
// Of any other matrix [ A Gᵀ ; G 0 ] over the layout's tangent entries.
GroupedOrder grouped_order(const assembly::Layout& layout, const sparse::CscMatrix& matrix, int rows);
std::vector<int> elimination_order(const assembly::Layout& layout, const StageEquations& stage);

}  // namespace trunnion::solve
