#include "system/compile/flex_reading.hpp"

#include <map>

#include <fmt/format.h>

#include "core/text.hpp"
#include "system/compile/matrix_data.hpp"

namespace trunnion::system {

using model::kind_of;

namespace {

// What a file's text calls a matrix that stands in the model itself: the last part of .model.INVAR3.
std::string own_name(const std::string& object) {
  const std::size_t dot = object.find_last_of('.');
  return dot == std::string::npos ? object : object.substr(dot + 1);
}

}  // namespace

std::optional<FlexMatrices> read_flex_matrices(const model::Model& model, const model::FlexBody& body,
                                               const std::string& folder, std::vector<std::string>& troubles,
                                               std::vector<std::string>& notes) {
  std::vector<GivenMatrix> given;
  std::map<std::string, std::vector<NamedMatrix>> files;
  for (const auto& id : body.matrices.ids) {
    const std::string name = label(model, kind_of<model::Matrix>(), id);
    const model::Matrix* m = model.find<model::Matrix>(id);
    if (m == nullptr) {
      troubles.push_back(name + " is not in the model");
      continue;
    }
    std::string why;
    if (!m->file) {
      auto values = matrix_data(*m, {}, why);
      if (values) given.push_back({own_name(m->name), name, std::move(*values)});
      else troubles.push_back(fmt::format("{}: {}", name, why));
      continue;
    }
    const std::string path = matrix_path(*m->file, folder);
    if (!files.contains(path)) {
      auto all = matrix_file(path, why);
      if (!all) troubles.push_back(fmt::format("{}: {}", name, why));
      files[path] = all ? std::move(*all) : std::vector<NamedMatrix>{};
    }
    bool found = false;
    for (const NamedMatrix& one : files[path]) {
      if (m->matrix_name && !core::equals_nocase(*m->matrix_name, one.name)) continue;
      given.push_back({one.name, fmt::format("{}:{}", path, one.line), one.values});
      found = true;
    }
    if (!found && !files[path].empty())
      troubles.push_back(fmt::format("{}: {} has no matrix {}", name, path, m->matrix_name.value_or("")));
  }
  if (!troubles.empty()) return std::nullopt;
  auto out = flex_matrices(given, troubles, notes);
  if (out && !body.modes.empty()) select_modes(*out, body.modes, troubles);
  return troubles.empty() ? std::move(out) : std::nullopt;
}

}  // namespace trunnion::system
