#pragma once
// A model and its command script, loaded and checked: what every command of the program starts from.

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "model/model.hpp"

namespace trunnion::api {

struct Project {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  std::string model_path;   // empty where none was found
  std::string script_path;  // empty where there is none
  std::optional<model::Model> model;
  std::optional<model::Script> script;

  bool ok() const { return !diagnostics.has_errors(); }
};

// Loads model.adm, or script.acf with the model it names, or both in either order. A name without extension gets
// .adm or .acf where that exists. A script without a model may begin with RELOAD/SYSTEM of a file beside it or in the folder of the
// results. Errors are in the project's diagnostics, sorted by place.
Project load_project(const std::vector<std::string>& paths, const std::string& results = {});

// INTEGRATOR/<settings> on top of the model's own and of each that the script gives. Mistakes are in the project's diagnostics.
void use_integrator(Project& project, const std::string& settings);

// A file of SAVE by the name that a command gives it: in the folder, beside the script, or where the program was started.
std::optional<std::string> find_saved(const std::string& name, const std::string& script,
                                      const std::string& folder = {});

// The same for a model that is in memory already.
void check(const model::Model& model, core::Diagnostics& diagnostics);

bool is_script_path(const std::string& path);

}  // namespace trunnion::api
