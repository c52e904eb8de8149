#include "api/present/redundant.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trunnion::api {

namespace {

// "1…3, 7"
std::string ranges(std::vector<int> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::string out;
  for (std::size_t k = 0; k < ids.size();) {
    std::size_t last = k;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", ids[k]);
    if (last > k) out += fmt::format("{}{}", last > k + 1 ? "…" : ", ", ids[last]);
    k = last + 1;
  }
  return out;
}

// " REVOLUTE", or nothing for a statement without types.
std::string type_of(const model::Model& model, model::Kind kind, int id) {
  const model::Argument* type = model::schema_of(kind).find("type");
  const model::Statement* statement = model.find(kind, id);
  if (!type || !statement || type->kind != model::ValueKind::choice) return {};
  const std::string_view word = type->spelled(model::field<model::ChoiceBase>(*type, *statement).index);
  return word.empty() ? std::string() : " " + std::string(word);
}

struct Pattern {
  std::string keyword, type, takes;
  std::vector<int> ids = {};
  std::size_t count = 0;
};

}  // namespace

std::vector<std::string> redundant_lines(const system::System& system, const model::Model& model,
                                         const std::vector<analysis::RedundantRow>& redundant, bool all) {
  constexpr std::size_t kFew = 8;
  std::vector<std::string> lines;
  if (all || redundant.size() <= kFew) {
    for (const analysis::RedundantRow& row : redundant) lines.push_back(analysis::describe(system, row));
    return lines;
  }
  std::vector<Pattern> patterns;
  for (const analysis::RedundantRow& r : redundant) {
    const assembly::Row& row = system.layout().row(assembly::RowId{r.row});
    const system::Constraint* owner = system.find_constraint(row.owner.subject());
    if (!owner) {
      lines.push_back(analysis::describe(system, r));
      continue;
    }
    const system::Constraint& c = *owner;
    const Pattern p{std::string(model::schema_of(c.kind).keyword), type_of(model, c.kind, c.id),
                    row.removes.empty() ? row.equation : row.removes};
    auto found = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& other) {
      return other.keyword == p.keyword && other.type == p.type && other.takes == p.takes;
    });
    if (found == patterns.end()) found = patterns.insert(patterns.end(), p);
    found->ids.push_back(c.id);
    ++found->count;
  }
  for (const Pattern& p : patterns)
    lines.push_back(fmt::format("{}/{}{}: {} ({} equation{})", p.keyword, ranges(p.ids), p.type, p.takes,
                                p.count, p.count == 1 ? "" : "s"));
  return lines;
}

}  // namespace trunnion::api
