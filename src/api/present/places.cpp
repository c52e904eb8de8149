#include "api/present/places.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::api {

namespace {

// A statement that a text names: WORD/NUMBER.
struct Named {
  model::Kind kind;
  int id;
  bool operator==(const Named& other) const { return kind.index == other.kind.index && id == other.id; }
};

void add_named(std::string_view line, const model::Model& model, std::vector<Named>& out) {
  for (std::size_t slash = line.find('/'); slash != std::string_view::npos;
       slash = line.find('/', slash + 1)) {
    std::size_t begin = slash;
    while (begin > 0 && core::is_word(line[begin - 1])) --begin;
    int id = 0;
    const auto number = std::from_chars(line.data() + slash + 1, line.data() + line.size(), id);
    if (begin == slash || number.ec != std::errc{}) continue;
    const auto schemas = model::all_schemas();
    const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const model::Schema& s) {
      return s.keyword == line.substr(begin, slash - begin);
    });
    if (schema == schemas.end()) continue;
    const Named named{model::Kind{static_cast<int>(schema - schemas.begin())}, id};
    if (model.find(named.kind, id) && std::find(out.begin(), out.end(), named) == out.end())
      out.push_back(named);
  }
}

}  // namespace

std::vector<std::string> places_of(const std::vector<std::string>& lines, const model::Model& model,
                                   const core::SourceSet& sources) {
  std::vector<Named> named;
  for (const std::string& line : lines) add_named(line, model, named);
  std::vector<std::string> places;
  constexpr std::size_t kShown = 8;
  for (const Named& n : named) {
    const model::Statement& statement = *model.find(n.kind, n.id);
    if (!sources.has(statement.span.file)) continue;  // built in code, or changed by a command since
    if (places.size() == kShown) break;
    const core::SourceFile& file = sources.file(statement.span.file);
    places.push_back(fmt::format("  {} is at {}:{}", label(model::schema_of(n.kind), statement), file.path(),
                                 file.position(statement.span.begin).line));
  }
  return places;
}

std::string with_markers(std::string line, const model::Model& model) {
  std::vector<Named> named;
  add_named(line, model, named);
  if (named.empty()) return line;
  const auto replace = [&](std::string_view side, const model::Ref<model::Marker>& marker) {
    const std::string words = fmt::format(" of {}", side);
    const std::size_t at = line.find(words), end = at + words.size();
    if (at == std::string::npos || !marker.given() || (end < line.size() && core::is_word(line[end]))) return;
    line.replace(end - 1, 1, fmt::format("MARKER/{}", marker.id));
  };
  const auto both = [&](const auto* statement) {
    if (!statement) return;
    replace("I", statement->i);
    replace("J", statement->j);
  };
  if (named.front().kind == model::kind_of<model::Joint>()) both(model.find<model::Joint>(named.front().id));
  if (named.front().kind == model::kind_of<model::Jprim>()) both(model.find<model::Jprim>(named.front().id));
  return line;
}

}  // namespace trunnion::api
