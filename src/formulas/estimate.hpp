#pragma once
// An embedded solution for a formula that comes without one, so that its steps can be controlled: weights of order one less.

#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

// For one-step tables of order 3, 4, 5 whose stages are of order 2.
void add_estimate(StagedTable& table);

}  // namespace trunnion::formulas
