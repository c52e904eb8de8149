#include "model/left_out.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::model {

namespace {

// Bodies, constraints and forces; not the data that others of them read.
bool moves_something(const Schema& schema) {
  const bool data = schema.kind == kind_of<Material>() || schema.kind == kind_of<Section>() ||
                    schema.kind == kind_of<Surface>() || schema.kind == kind_of<FeNode>();
  return !data && (schema.group == "Bodies" || schema.group == "Constraints" || schema.group == "Forces");
}

}  // namespace

std::vector<LeftOut> left_out(const Model& model) {
  std::vector<LeftOut> all;
  for (const Schema& schema : all_schemas()) {
    const std::size_t count = model.count(schema.kind);
    if (schema.acted_on || count == 0 || !moves_something(schema)) continue;
    all.push_back({schema.keyword, count, model.at(schema.kind, 0).span});
  }
  return all;
}

std::string left_out_text(const std::vector<LeftOut>& all) {
  if (all.empty()) return {};
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const LeftOut& out : all) {
    names.push_back(fmt::format("{} ({})", out.keyword, out.count));
    count += out.count;
  }
  return fmt::format("{} {} parsed but not simulated; the results do not contain {}", core::join_and(names),
                     count == 1 ? "is" : "are", count == 1 ? "it" : "them");
}

}  // namespace trunnion::model
