#include "results/channels/multipliers.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/text.hpp"
#include "results/channels/selection.hpp"
#include "results/channels/unit_names.hpp"

namespace trunnion::results {

MultiplierChannels::MultiplierChannels(const system::System& system, std::string_view patterns)
    : ucf_(system.units().ucf) {
  std::vector<std::string> words = split_patterns(patterns);
  std::erase_if(words,
                [](const std::string& w) { return core::to_upper(w).find(".LAMBDA") == std::string::npos; });
  if (words.empty()) return;
  const UnitNames u = unit_names(system.units());
  const std::vector<int>& only_at_start = system.start_rows();
  std::map<core::Subject, int> counted;
  for (int r = 0; r < system.layout().row_count(); ++r) {
    if (std::find(only_at_start.begin(), only_at_start.end(), r) != only_at_start.end()) continue;
    const assembly::Row& row = system.layout().row(assembly::RowId{r});
    const core::Subject owner = row.owner.subject();
    const std::string name =
        fmt::format("{}/{}.LAMBDA{}", model::schema_of(owner.kind).keyword, owner.id, ++counted[owner]);
    if (!matches_any(words, name)) continue;
    list_.push_back({name, row.residual.quantity == assembly::Quantity::length ? u.force : u.torque});
    rows_.push_back(r);
  }
}

void MultiplierChannels::sample(const assembly::State& state, std::vector<double>& values) const {
  for (const int row : rows_) values.push_back(state.lambda[row] / ucf_);
}

}  // namespace trunnion::results
