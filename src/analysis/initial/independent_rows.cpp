#include "analysis/initial/independent_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "system/levels.hpp"

namespace trunnion::analysis {

IndependentRows take_independent_rows(const system::System& system, assembly::AnalysisMode mode,
                                      AssemblyResult& at) {
  IndependentRows out;
  system::System::Workspace work(system, mode);
  system::Levels levels(system.layout());
  levels.evaluate_rows(system, at.state, work, false);
  std::vector<int> among = at.active;
  for (const RedundantRow& r : at.redundant) among.push_back(r.row);
  std::vector<RedundantRow> redundant;
  std::vector<int> rows = independent_rows(system.layout(), levels.gradient(), among, redundant);
  give_slack(system.layout(), at.data, redundant);
  for (const RedundantRow& r : redundant) {
    if (std::find(at.active.begin(), at.active.end(), r.row) != at.active.end()) out.fallen.push_back(r);
  }
  if (!out.fallen.empty()) return out;
  for (const RedundantRow& r : at.redundant) {
    if (std::binary_search(rows.begin(), rows.end(), r.row)) out.joined.push_back(r.row);
  }
  if (out.joined.empty()) return out;
  at.active = std::move(rows);
  at.redundant = std::move(redundant);
  at.freedoms = system.layout().mechanical_size() - static_cast<int>(at.active.size());
  return out;
}

AssemblyResult with_independent_rows(const system::System& system, const AssemblyResult& at,
                                     core::Words& trouble) {
  AssemblyResult here = at;
  const IndependentRows found = take_independent_rows(system, assembly::AnalysisMode::linear, here);
  if (!found.fallen.empty())
    trouble = core::words(
        "this is a dead point: {} here. Linear equations need constraints that are independent; try a place "
        "beside it",
        describe(system, found.fallen.front()));
  return here;
}

}  // namespace trunnion::analysis
