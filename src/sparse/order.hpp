#pragma once
// Fill-reducing orders of groups of unknowns.

#include <vector>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

// Unknowns that are eliminated together. A group is made of parts, unknowns that couple to others alike: a body's coordinates, the
// multipliers that hold it.
struct Grouping {
  std::vector<int> part;                // of each unknown
  std::vector<int> group;               // of each part
  std::vector<std::vector<int>> after;  // of each group: those that must be eliminated before it
};

// An order of the groups for A + Aᵀ: at each point that of the groups whose turn may have come which reaches the fewest unknowns
// beyond its own (minimum degree, counted exactly by parts). Always the same for the same pattern.
std::vector<int> minimum_degree(const CscMatrix& A, const Grouping& grouping);

}  // namespace trunnion::sparse
