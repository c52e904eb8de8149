#pragma once
// Fill-reducing orders of groups of unknowns (SuiteSparse AMD behind it).

#include <vector>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

// An order of the groups for A + Aᵀ, each group taken as one node. group[i] in [0, groups) for every unknown i.
std::vector<int> minimum_degree(const CscMatrix& A, const std::vector<int>& group, int groups);

}  // namespace trunnion::sparse
