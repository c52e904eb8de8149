#include "api/session/run_files.hpp"

#include <fmt/format.h>

namespace trunnion::api {

namespace fs = std::filesystem;

RunFiles::RunFiles(const Project& project, const RunOptions& options)
    : project_(project),
      options_(options),
      base_(base()),
      guard_(home(), options.allow_outside),
      linear_(base_) {}

std::string RunFiles::base() const {
  if (!options_.csv.empty()) return fs::path(options_.csv).replace_extension().string();
  std::string prefix = options_.prefix;
  if (prefix.empty() && project_.script && project_.script->output_prefix)
    prefix = *project_.script->output_prefix;
  if (prefix.empty()) prefix = fs::path(project_.model_path).stem().string();
  std::error_code code;
  if (!options_.rehearse) fs::create_directories(folder(), code);
  return (folder() / prefix).lexically_normal().string();
}

fs::path RunFiles::folder() const {
  return options_.folder.empty() ? fs::path(".") : fs::path(options_.folder);
}

// The folder that nothing is written outside of: where the user's own words, not the script's, put the results.
std::string RunFiles::home() const {
  const bool named = !options_.csv.empty() || !options_.prefix.empty();
  const fs::path home = named ? fs::path(base_).parent_path() : folder();
  return home.empty() ? "." : home.string();
}

std::string RunFiles::in_folder(const std::string& name, const std::string& ending) const {
  fs::path path(name);
  if (!path.has_extension()) path += ending;
  return path.is_absolute() ? path.string() : (folder() / path).lexically_normal().string();
}

std::string RunFiles::saved_file(const std::string& name) const {
  const std::string path = in_folder(name, ".sav");
  std::error_code code;
  if (fs::exists(path, code)) return path;
  const auto beside = find_saved(name, project_.script_path);
  return beside ? *beside : path;
}

std::string RunFiles::take() {
  std::string why = options_.rehearse ? guard_.misplaced(messages()) : guard_.refusal(base_ + ".lock");
  if (options_.rehearse) return why;
  if (why.empty()) why = lock_.take(base_ + ".lock");
  for (const std::string& path : {messages(), report()}) {
    if (why.empty()) why = guard_.refusal(path);
  }
  return why;
}

std::string RunFiles::take_next(const std::string& prefix, bool& same) {
  const std::string base = in_folder(prefix, "");
  same = base == base_;
  if (same || options_.rehearse) return {};
  const std::string why = guard_.refusal(base + ".lock");
  return why.empty() ? next_lock_.take(base + ".lock") : why;
}

// What must not be written is refused before anything is computed.
std::vector<RunFiles::Refused> RunFiles::refused() const {
  std::vector<Refused> out;
  const auto look = [&](const model::Statement& command, const char* what, const std::string& path,
                        bool numbered = false) {
    std::string why = options_.rehearse || numbered ? guard_.misplaced(path) : guard_.refusal(path);
    if (!why.empty()) out.push_back({&command, what, std::move(why)});
  };
  if (!project_.script) return out;
  for (const model::Command& command : project_.script->commands) {
    if (command.is<model::Stop>()) break;
    if (const auto* save = command.as<model::Save>(); save && save->file)
      look(*save, "SAVE: FILE", in_folder(*save->file, ".sav"));
    if (const auto* linear = command.as<model::Linear>(); linear && linear->file)
      look(*linear, "LINEAR: FILE", linear_.base(linear->file) + ".eig.csv", true);
    if (const auto* reload = command.as<model::Reload>(); reload && reload->output_prefix)
      look(*reload, "RELOAD: OUTPUT_PREFIX", in_folder(*reload->output_prefix, "") + ".csv");
  }
  return out;
}

bool RunFiles::prefix_of_script() const {
  return options_.csv.empty() && options_.prefix.empty() && project_.script && project_.script->output_prefix;
}

const model::File* RunFiles::prefix_command() const {
  if (!prefix_of_script()) return nullptr;
  for (const model::Command& command : project_.script->commands) {
    const auto* file = command.as<model::File>();
    if (file && file->output_prefix) return file;
  }
  return nullptr;
}

}  // namespace trunnion::api
