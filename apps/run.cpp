#include "api/run.hpp"

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"

namespace trunnion::apps {

int run(const RunCommandOptions& options) {
  const api::Project project = api::load_project(options.files);
  print_diagnostics(project);
  if (!project.ok() || !project.model) return kErrors;
  const auto say = [](const std::string& line) { print(stderr, line.ends_with('\n') ? line : line + "\n"); };
  const api::RunResult result = api::run(project, {options.folder, options.prefix, options.csv}, say);
  for (const api::RunResult::File& file : result.files)
    say(fmt::format("{} rows in {}", file.rows, file.path));
  switch (result.status) {
    case api::RunStatus::done: return kOk;
    case api::RunStatus::failed: return kFailed;
    case api::RunStatus::incomplete: return kIncomplete;
  }
  return kFailed;
}

}  // namespace trunnion::apps
