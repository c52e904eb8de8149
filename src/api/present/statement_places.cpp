#include "api/present/statement_places.hpp"

#include <fmt/format.h>

#include "model/schema.hpp"

namespace trunnion::api {

std::vector<std::string> statement_places(const std::vector<core::Words>& messages, const model::Model& model,
                                          const core::SourceSet& sources) {
  core::Words all;
  for (const core::Words& message : messages) all.mention(message);
  std::vector<std::string> places;
  constexpr std::size_t kShown = 8;
  for (const core::Subject subject : all.about()) {
    const model::Statement* statement = model.find(subject.kind, subject.id);
    if (!statement || !sources.has(statement->span.file))
      continue;  // built in code, or changed by a command since
    if (places.size() == kShown) break;
    const core::SourceFile& file = sources.file(statement->span.file);
    places.push_back(fmt::format("  {} is at {}:{}", label(model::schema_of(subject.kind), *statement),
                                 file.path(), file.position(statement->span.begin).line));
  }
  return places;
}

}  // namespace trunnion::api
