// Rows that others imply: which, by how much they may be off, and in words.

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "analysis/initial/initial_conditions.hpp"
#include "sparse/selection.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using system::System;

std::vector<int> independent_rows(const sparse::CscMatrix& G, const std::vector<int>& among,
                                  std::vector<RedundantRow>& redundant, double tolerance) {
  sparse::RowSelection rows;
  rows.choose(G, among);
  const sparse::RankResult rank = sparse::row_rank(rows.matrix(), tolerance);
  std::vector<int> independent;
  for (const int k : rank.independent) independent.push_back(among[static_cast<std::size_t>(k)]);
  redundant.clear();
  for (const sparse::DependentRow& d : rank.dependent) {
    RedundantRow r{among[static_cast<std::size_t>(d.row)]};
    for (const auto& share : d.shares) {
      r.implied_by.push_back(among[static_cast<std::size_t>(share.row)]);
      r.shares.push_back(share.coefficient);
      r.magnification += std::abs(share.coefficient);
    }
    redundant.push_back(std::move(r));
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

void give_slack(const assembly::Layout& layout, const DataPrecision& data,
                std::vector<RedundantRow>& redundant) {
  constexpr double kFrames = 4;  // two markers and two parts, each off by its own last digit
  for (RedundantRow& r : redundant) {
    r.slack = data.of(layout.row(RowId{r.row}));
    for (std::size_t k = 0; k < r.implied_by.size(); ++k)
      r.slack += std::abs(r.shares[k]) * data.of(layout.row(RowId{r.implied_by[k]}));
    r.slack *= kFrames;
  }
}

std::string describe(const System& system, const RedundantRow& row) {
  const assembly::Layout& layout = system.layout();
  std::vector<std::string> owners;
  std::set<std::string_view> seen;
  for (const int r : row.implied_by) {
    const std::string& owner = layout.row(RowId{r}).owner;
    if (seen.insert(owner).second) owners.push_back(owner);
  }
  std::string others;
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < owners.size() && k < kShown; ++k) others += (k ? ", " : "") + owners[k];
  if (owners.size() > kShown) others += fmt::format(" and {} more", owners.size() - kShown);
  if (owners.empty()) return fmt::format("{} constrains nothing", layout.row_words(RowId{row.row}));
  return fmt::format("{} is redundant with {}", layout.row_words(RowId{row.row}), others);
}

}  // namespace trunnion::analysis
