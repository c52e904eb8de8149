// Rows that others imply: which, by how much they may be off, and in words.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "analysis/initial/initial_conditions.hpp"
#include "model/schema.hpp"
#include "model/statements.hpp"
#include "sparse/selection.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using system::System;

namespace {

// Rows of joints hold distances and directions: over parts that are free in space their gradients are about one. What is left of them
// in a plane, where parts are not, may be rounding and the last digits of angles: nothing.
bool is_of_a_joint(const assembly::Row& row) {
  const core::Kind kind = row.owner.subject().kind;
  return kind == model::kind_of<model::Joint>() || kind == model::kind_of<model::Jprim>();
}

constexpr double kNoise = 1e-6;  // angles of six digits

void clear_rows_of_noise(const assembly::Layout& layout, const std::vector<int>& among, double tolerance,
                         sparse::CscMatrix& rows) {
  std::vector<double> largest(among.size(), 0.0);
  std::vector<char> in_a_plane(among.size(), 0);
  for (int c = 0; c < rows.cols; ++c) {
    const bool is_in_a_plane = layout.block(layout.block_of(c)).plane >= 0;
    for (int k = rows.start[static_cast<std::size_t>(c)]; k < rows.start[static_cast<std::size_t>(c) + 1];
         ++k) {
      const auto r = static_cast<std::size_t>(rows.row[static_cast<std::size_t>(k)]);
      largest[r] = std::max(largest[r], std::abs(rows.value[static_cast<std::size_t>(k)]));
      if (is_in_a_plane) in_a_plane[r] = 1;
    }
  }
  for (std::size_t k = 0; k < rows.row.size(); ++k) {
    const auto r = static_cast<std::size_t>(rows.row[k]);
    if (in_a_plane[r] && largest[r] <= tolerance && is_of_a_joint(layout.row(RowId{among[r]})))
      rows.value[k] = 0;
  }
}

}  // namespace

std::vector<int> independent_rows(const assembly::Layout& layout, const sparse::CscMatrix& G,
                                  const std::vector<int>& among, std::vector<RedundantRow>& redundant,
                                  double tolerance) {
  sparse::RowSelection selection;
  selection.choose(G, among);
  sparse::CscMatrix rows = selection.matrix();
  clear_rows_of_noise(layout, among, std::clamp(tolerance, sparse::kRankTolerance, kNoise), rows);
  const sparse::RankResult rank = sparse::row_rank(rows, tolerance);
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

core::Words describe(const System& system, const RedundantRow& row) {
  const assembly::Layout& layout = system.layout();
  std::vector<core::Words> owners;
  std::set<core::Subject> seen;
  for (const int r : row.implied_by) {
    const core::Words& owner = layout.row(RowId{r}).owner;
    if (seen.insert(owner.subject()).second) owners.push_back(owner);
  }
  core::Words others;
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < owners.size() && k < kShown; ++k) others += (k ? ", " : "") + owners[k];
  if (owners.size() > kShown) others += core::words(" and {} more", owners.size() - kShown);
  if (owners.empty()) return core::words("{} constrains nothing", layout.row_words(RowId{row.row}));
  return core::words("{} is redundant with {}", layout.row_words(RowId{row.row}), others);
}

}  // namespace trunnion::analysis
