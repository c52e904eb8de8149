#pragma once
// What proves a table: consistency of every stage, order, stage order 2, A-stability, ρ∞, and that the last stage is the end of the
// step. A table that does not pass is not used. Each returns the conditions that fail, in words; empty: the table is right.

#include <string>
#include <vector>

#include "formulas/collocation_table.hpp"
#include "formulas/newmark_table.hpp"
#include "formulas/single_step_table.hpp"
#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

std::vector<std::string> conditions(const StagedTable& table);
std::vector<std::string> conditions(const SingleStepTable& table);
std::vector<std::string> conditions(const CollocationTable& table);
// Of tables that promise a radius; BETA and GAMMA of NEWMARK are the user's, who is told what they do.
std::vector<std::string> conditions(const NewmarkTable& table);
// Of order 2, where the step is `ratio` times as long as the one before.
std::vector<std::string> conditions(const StageRow& row, double ratio);

}  // namespace trunnion::formulas
