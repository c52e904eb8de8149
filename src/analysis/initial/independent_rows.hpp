#pragma once
// Rows are chosen where a mechanism is assembled. At another place some that were redundant there are needed (links that lay in one
// line stand apart), and some that were independent may no longer be (a dead point).

#include <string>

#include "analysis/initial/initial_conditions.hpp"

namespace trunnion::analysis {

struct IndependentRows {
  std::vector<int> joined;           // rows that take part from here on
  std::vector<RedundantRow> fallen;  // rows of `at` that others imply here: nothing was changed then
};
// Rows that took part keep their place before others, so that multipliers stay with them.
IndependentRows take_independent_rows(const system::System& system, assembly::AnalysisMode mode,
                                      AssemblyResult& at);

// For linear equations: `at` with the rows of its place. `trouble` is not empty where they are dependent there.
AssemblyResult with_independent_rows(const system::System& system, const AssemblyResult& at,
                                     core::Words& trouble);

}  // namespace trunnion::analysis
