#include "api/study/study.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/interruption.hpp"
#include "apps/terminal.hpp"

namespace trunnion::apps {

namespace {

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

int refuse(const std::string& why) {
  print(stderr, why + "\n");
  return kErrors;
}

}  // namespace

int study(const StudyCommandOptions& options) {
  api::StudyOptions with;
  std::string why;
  const auto formulas = api::formula_choices(options.formulas, why);
  if (!formulas) return refuse(why);
  with.formulas = *formulas;
  if (!options.reference.empty()) {
    with.reference = api::formula_choice(options.reference, why);
    if (!with.reference) return refuse(why);
  }
  if (!options.output.empty() && !options.output.ends_with(".csv") && !options.output.ends_with(".html"))
    return refuse("study writes tables and pages: the name after -o must end in .csv or .html");
  if (!all_positive(options.steps) || !all_positive(options.errors))
    return refuse("--steps and --errors take numbers above zero");
  with.steps = options.steps;
  with.errors = options.errors;
  if (with.steps.empty() && with.errors.empty()) with.errors = {1e-3, 1e-4, 1e-5, 1e-6};
  if (options.end > 0) with.end = options.end;
  if (options.rows > 0) with.rows = options.rows;
  const Interruption interruption;
  with.interrupted = [&] { return interruption.asked(); };
  const api::Project project = api::load_project(options.files);
  print_diagnostics(project);
  if (!project.ok() || !project.model) return kErrors;
  if (options.validate) {
    const api::Validation verdict = api::validate(project, with);
    print(stderr, verdict.warnings);
    for (const std::string& line : verdict.lines) print(stdout, line + "\n");
    return verdict.ok ? kOk : kDifferent;
  }
  if (isatty(STDERR_FILENO)) with.progress = [](const std::string& what) { print(stderr, what + "\n"); };
  const api::Study done = api::study(project, with);
  print(stderr, done.warnings);
  print(stdout, api::study_text(done));
  if (!options.output.empty()) {
    std::ofstream file(options.output, std::ios::binary);
    file << (options.output.ends_with(".csv") ? api::study_csv(done) : api::study_page(done));
    if (!file.flush()) return refuse(options.output + ": could not be written");
    print(stdout, "written: " + options.output + "\n");
  }
  return done.ok ? kOk : kFailed;
}

}  // namespace trunnion::apps
