// stress: the hottest nodes of the flexible bodies of a run.

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "api/stress/hot_spots.hpp"
#include "apps/opening.hpp"
#include "lang/reader.hpp"
#include "results/channels/unit_names.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::apps {

namespace fs = std::filesystem;

namespace {

int put(const StressOptions& options, const std::string& text) {
  if (options.output.empty()) {
    print(stdout, text);
    return kOk;
  }
  std::ofstream file(options.output, std::ios::binary);
  return (file << text).flush() ? kOk : complain("cannot write " + options.output);
}

}  // namespace

int stress(const StressOptions& options) {
  const auto history = open_results(options.results);
  if (!history) return kErrors;
  std::string text = history->text("model"), path = options.model;
  if (!path.empty()) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return complain(path + ": there is no such file");
    text = {std::istreambuf_iterator<char>(file), {}};
  } else if (text.empty()) {
    return complain(options.results + " has no model inside; give it with --model");
  } else {
    path = options.results;
  }
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const model::Model model = lang::read_model(sources, sources.add(path, text), diagnostics);
  // The matrices are looked for beside the model, or beside the results.
  system::UserCode user;
  user.folder = fs::path(path).parent_path().string();
  user.ignore = true;
  user.look_only = true;
  const auto system = diagnostics.has_errors() ? nullptr : system::compile(model, {}, diagnostics, 0, user);
  if (!system) {
    print(stderr, core::render(diagnostics, sources));
    return complain(
        "the model cannot be compiled; where its matrices are elsewhere, --model MODEL.adm says where");
  }
  std::string why;
  const api::Tensor tensor = options.strain ? api::Tensor::strain : api::Tensor::stress;
  const auto bodies = api::recoveries(*system, model, user.folder, tensor, why);
  if (!bodies) return complain(options.results + ": " + why);
  const results::UnitNames u = results::unit_names(system->units());
  const std::string unit = u.force + "/" + u.length + "^2";
  if (!options.nodes.empty()) {
    const auto nodes = api::node_histories(*bodies, *history, options.nodes, why);
    if (!nodes) return complain(options.results + ": " + why);
    return put(options, api::node_csv(*nodes, tensor, history->column(0), unit, u.time));
  }
  const auto spots = api::hot_spots(*bodies, tensor, *history, static_cast<std::size_t>(options.top), why);
  if (!spots) return complain(options.results + ": " + why);
  return put(options, options.output.empty() ? api::hot_spot_table(*spots, tensor, unit, u.time)
                                             : api::hot_spot_csv(*spots));
}

}  // namespace trunnion::apps
