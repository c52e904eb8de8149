#include "api/session/project.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "api/session/snapshot.hpp"
#include "core/text.hpp"
#include "lang/logical_line.hpp"
#include "lang/reader.hpp"
#include "model/merge.hpp"
#include "model/validate.hpp"
#include "system/check.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;

bool is_script_path(const std::string& path) {
  return core::equals_nocase(fs::path(path).extension().string(), ".acf");
}

namespace {

// A file of this name in the folder, whatever its case: models travel from Windows.
std::optional<fs::path> find_nocase(const fs::path& wanted) {
  std::error_code code;
  if (fs::exists(wanted, code)) return wanted;
  const fs::path folder = wanted.parent_path().empty() ? fs::path(".") : wanted.parent_path();
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    if (core::equals_nocase(it->path().filename().string(), wanted.filename().string())) return it->path();
  }
  return std::nullopt;
}

// A file that a script names: beside the script, or where the program was started; the extension may be left out.
std::optional<fs::path> find_beside(const std::string& named, const fs::path& script, const char* extension) {
  std::string name = named;
  for (char& c : name) {
    if (c == '\\') c = '/';
  }
  for (const fs::path& base : {script.parent_path() / name, fs::path(name)}) {
    if (const auto found = find_nocase(base); found && !fs::is_directory(*found)) return found;
    fs::path with_extension = base;
    with_extension += extension;
    if (const auto found = find_nocase(with_extension)) return found;
  }
  return std::nullopt;
}

std::string with_extension(const std::string& path) {
  std::error_code code;
  if (fs::exists(path, code)) return path;
  for (const char* extension : {".adm", ".acf"}) {
    if (fs::exists(path + extension, code)) return path + extension;
  }
  return path;
}

core::Span model_name_span(const Project& project) {
  for (const model::Command& command : project.script->commands) {
    const auto* file = command.as<model::File>();
    if (file && file->model && !file->given.empty()) return file->given.front().value;
  }
  return {};
}

// A script may begin with RELOAD/SYSTEM, FILE=…: the model is in that file.
const model::Reload* begins_with_reload(const model::Script& script) {
  const auto* reload = script.commands.empty() ? nullptr : script.commands.front().as<model::Reload>();
  return reload && reload->file && reload->content.value_or(model::Saved::states) == model::Saved::system
             ? reload
             : nullptr;
}

void take_saved_model(Project& project, const model::Reload& reload, const std::string& folder) {
  Snapshot saved;
  std::string why;
  const auto found = find_saved(*reload.file, project.script_path, folder);
  if (!found)
    why = fmt::format("{} was not found beside {}{}", *reload.file, project.script_path,
                      folder.empty() ? "" : " or in " + folder);
  else why = load(*found, saved);
  if (!why.empty()) {
    project.diagnostics.error(reload.span, "RELOAD", why);
    return;
  }
  project.model_path = *found;
  project.model =
      lang::read_model(project.sources, project.sources.add(*found, saved.model), project.diagnostics);
  if (!project.script->output_prefix) project.script->output_prefix = reload.output_prefix;
}

void find_model_of_script(Project& project) {
  const auto& named = project.script->model_file;
  if (!named) {
    project.diagnostics.error({}, project.script_path, "the script names no model",
                              fmt::format("give the model before it: model.adm {}", project.script_path));
    return;
  }
  if (const auto found = find_beside(*named, project.script_path, ".adm")) {
    project.model_path = found->string();
  } else {
    project.diagnostics.error(
        model_name_span(project), project.script_path,
        fmt::format("its model {} was not found beside it", *named),
        fmt::format("name the model on the command line, before the script: model.adm {}",
                    fs::path(project.script_path).filename().string()));
  }
}

// The first line of a script is its model's name unless it is a command. Where another model is given and there is none of that name, it may
// have been meant for a command.
void tell_unused_first_line(Project& project, std::uint32_t file) {
  const model::Script& script = *project.script;
  if (!script.header_lines || project.model_path.empty()) return;
  const bool same = core::equals_nocase(fs::path(*script.model_file).stem().string(),
                                        fs::path(project.model_path).stem().string());
  if (same || find_beside(*script.model_file, project.script_path, ".adm")) return;
  project.diagnostics.warning(
      {file, 0, 1}, {},
      fmt::format("the first line, {}, is no command and is taken for the name of a model; {} is used",
                  *script.model_file, project.model_path),
      "a command begins with its word and a slash, as SIMULATE/ does");
}

// FILE/COMMAND=name: the commands of that file stand in its place. A STOP in it ends the whole script.
class CommandFiles {
 public:
  explicit CommandFiles(Project& project) : project_(project) {}

  std::vector<model::Command> spliced(std::vector<model::Command> commands, const fs::path& path) {
    within_.push_back(fs::weakly_canonical(path));
    std::vector<model::Command> all;
    for (model::Command& command : commands) {
      const auto* file = command.as<model::File>();
      if (!file || !file->command) {
        all.push_back(std::move(command));
        continue;
      }
      std::vector<model::Command> inner = read(*file, path);
      std::move(inner.begin(), inner.end(), std::back_inserter(all));
      if (!all.empty() && all.back().is<model::Stop>()) break;
    }
    within_.pop_back();
    return all;
  }

 private:
  std::vector<model::Command> read(const model::File& command, const fs::path& from) {
    const core::Span span = command.given.empty() ? command.span : command.given.front().value;
    const auto found = find_beside(*command.command, from, ".acf");
    if (!found) {
      project_.diagnostics.error(span, "FILE",
                                 fmt::format("the command file {} was not found beside {}", *command.command,
                                             from.filename().string()));
      return {};
    }
    const fs::path path = fs::weakly_canonical(*found);
    if (std::find(within_.begin(), within_.end(), path) != within_.end()) {
      std::string chain;
      for (const fs::path& one : within_) chain += one.filename().string() + ", which reads ";
      project_.diagnostics.error(
          span, "FILE",
          fmt::format("the command files read each other in a circle: {}{}", chain, path.filename().string()),
          "take one of the FILE/COMMAND= out");
      return {};
    }
    const auto file = lang::load_file(found->string(), project_.sources, project_.diagnostics);
    if (!file) return {};
    model::Script inner = lang::read_script(project_.sources, *file, project_.diagnostics);
    model::Script& outer = *project_.script;
    if (!outer.model_file) outer.model_file = inner.model_file;
    if (!outer.output_prefix) outer.output_prefix = inner.output_prefix;
    return spliced(std::move(inner.commands), *found);
  }

  Project& project_;
  std::vector<fs::path> within_;  // the files being read, outermost first
};

}  // namespace

void use_integrator(Project& project, const std::string& settings) {
  const std::uint32_t file = project.sources.add("--integrator", "INTEGRATOR/" + settings + "\n");
  const model::Script given = lang::read_script(project.sources, file, project.diagnostics);
  if (!project.ok() || !project.model) return;
  const bool one = given.commands.size() == 1 && given.commands.front().is<model::Integrator>();
  if (!one) {
    project.diagnostics.error({}, "--integrator",
                              "the settings of one INTEGRATOR were expected, as in HHT, ERROR=1E-6");
    return;
  }
  const model::Command& command = given.commands.front();
  model::apply(command, *project.model);
  if (!project.script) return;
  for (model::Command& own : project.script->commands) {
    if (own.is<model::Integrator>()) model::merge(model::schema_of(command.kind()), command.get(), own.get());
  }
}

std::optional<std::string> find_saved(const std::string& name, const std::string& script,
                                      const std::string& folder) {
  if (!folder.empty()) {
    if (const auto found = find_beside(name, fs::path(folder) / "x", ".sav")) return found->string();
  }
  const auto found = find_beside(name, script, ".sav");
  return found ? std::optional(found->string()) : std::nullopt;
}

Project load_project(const std::vector<std::string>& paths, const std::string& results) {
  Project project;
  for (const std::string& given : paths) {
    const std::string path = with_extension(given);
    std::string& slot = is_script_path(path) ? project.script_path : project.model_path;
    if (!slot.empty()) {
      project.diagnostics.error({}, {},
                                fmt::format("two {} files given: {} and {}",
                                            is_script_path(path) ? "command" : "model", slot, path));
      return project;
    }
    slot = path;
  }
  if (!project.script_path.empty()) {
    if (const auto file = lang::load_file(project.script_path, project.sources, project.diagnostics)) {
      project.script = lang::read_script(project.sources, *file, project.diagnostics);
      tell_unused_first_line(project, *file);
      project.script->commands =
          CommandFiles(project).spliced(std::move(project.script->commands), project.script_path);
      const model::Reload* reload = begins_with_reload(*project.script);
      if (project.model_path.empty() && !project.script->model_file && reload)
        take_saved_model(project, *reload, results);
      else if (project.model_path.empty()) find_model_of_script(project);
    }
  }
  if (!project.model_path.empty() && !project.model) {
    if (const auto file = lang::load_file(project.model_path, project.sources, project.diagnostics)) {
      project.model = lang::read_model(project.sources, *file, project.diagnostics);
    }
  }
  const system::Locate locate = [&](const model::Expression& e, std::size_t offset, std::size_t length) {
    return lang::locate_in_expression(project.sources, e.span, offset, length);
  };
  // A file that is no model at all has been refused with one message; checks would only add noise.
  if (project.model && !(project.model->order.empty() && project.diagnostics.has_errors())) {
    model::validate(*project.model, project.diagnostics);
    system::check_model(*project.model, locate, project.diagnostics);
    if (project.script) {
      model::validate(*project.script, *project.model, project.diagnostics);
      system::check_script(*project.script, *project.model, locate, project.diagnostics);
    }
  }
  project.diagnostics.sort();
  return project;
}

void check(const model::Model& model, core::Diagnostics& diagnostics) {
  model::validate(model, diagnostics);
  const system::Locate whole = [](const model::Expression& e, std::size_t, std::size_t) { return e.span; };
  system::check_model(model, whole, diagnostics);
}

}  // namespace trunnion::api
