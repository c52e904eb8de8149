#include "api/session/run.hpp"

#include <chrono>

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/interruption.hpp"
#include "apps/terminal.hpp"
#include "core/text.hpp"
#include "model/left_out.hpp"
#include "results/channels/selection.hpp"

namespace trunnion::apps {

namespace {

// One line on a terminal, drawn over: "t = 0.41 of 5  8 %  h 1e-3  order 4  1234 steps  3 s to go".
class ProgressLine {
 public:
  void show(const api::Progress& p) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point now = Clock::now();
    if (p.steps <= 1) start_ = now;
    constexpr auto kOften = std::chrono::milliseconds(200);
    if (now - start_ < std::chrono::milliseconds(500) || now - last_ < kOften) return;
    last_ = now;
    const double part = (p.t - p.begin) / (p.end - p.begin);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const std::string text = fmt::format(
        "t = {:.4g} of {:.4g}  {:3.0f} %  h {:.1e}  order {}  {} steps  {:.0f} s, {:.0f} s to go", p.t, p.end,
        100 * part, p.h, p.order, p.steps, seconds, part > 0 ? seconds * (1 - part) / part : 0.0);
    print_raw(stderr, "\r" + text + "\x1b[K");
    shown_ = true;
  }
  void clear() {
    if (shown_) print_raw(stderr, "\r\x1b[K");
    shown_ = false;
  }

 private:
  std::chrono::steady_clock::time_point start_, last_;
  bool shown_ = false;
};

}  // namespace

namespace {

// "h5,res" into what to write; the word that is no kind of file, or nothing.
std::string choose_files(const std::string& list, api::RunOptions& run) {
  results::ExchangeFiles exchange;
  run.output.csv = run.output.store = false;
  for (const std::string& word : results::split_patterns(list)) {
    if (word == "h5") run.output.store = true;
    else if (word == "csv") run.output.csv = true;
    else if (word == "res") exchange.res = true;
    else if (word == "req") exchange.req = true;
    else if (word == "gra") exchange.gra = true;
    else return word;
  }
  run.exchange = exchange;
  return {};
}

// Whether the model has statements that were not simulated.
bool tell_left_out(const api::Project& project, const api::RunResult& result) {
  const std::string text = model::left_out_text(model::left_out(*project.model));
  if (!text.empty()) print(stderr, "--strict: " + text + "\n");
  if (!result.left_out.empty())
    print(stderr, fmt::format("--strict: left out: {}\n", core::join_and(result.left_out)));
  return !text.empty() || !result.left_out.empty();
}

// The exit code of a run that was carried out to its end.
int strictly(const api::Project& project, const api::RunResult& result) {
  if (tell_left_out(project, result)) return kLeftOut;
  if (result.warnings == 0) return kOk;
  print(stderr, fmt::format("--strict: {} warning{}\n", result.warnings, result.warnings == 1 ? "" : "s"));
  return kWarnings;
}

}  // namespace

int run(const RunCommandOptions& options) {
  api::Project project = api::load_project(options.files, options.folder);
  if (!options.integrator.empty()) api::use_integrator(project, options.integrator);
  print_diagnostics(project);
  ProgressLine line;
  const auto say = [](const std::string& text) { print(stderr, text.ends_with('\n') ? text : text + "\n"); };
  api::RunOptions run_options;
  run_options.folder = options.folder;
  run_options.prefix = options.prefix;
  run_options.csv = options.csv;
  run_options.report = options.report;
  run_options.verbose = options.verbose;
  run_options.version = TRUNNION_VERSION;
  run_options.output = {options.channels, !options.no_csv, !options.no_store};
  if (!options.kinds.empty()) {
    const std::string unknown = choose_files(options.kinds, run_options);
    if (!unknown.empty()) {
      print(stderr,
            fmt::format("trunnion: --files: {} is no kind of file; there are h5, csv, res, req and gra\n",
                        unknown));
      return kErrors;
    }
  }
  run_options.user_libraries = options.user_libraries;
  run_options.ignore_user = options.ignore_user;
  run_options.allow_model_code = options.allow_model_code;
  run_options.allow_outside = options.allow_outside;
  if (isatty(STDERR_FILENO)) {
    run_options.progress = [&](const api::Progress& p) { line.show(p); };
    run_options.progress_done = [&] { line.clear(); };
  }
  const Interruption interruption;
  run_options.interrupted = [&] { return interruption.asked(); };
  const api::RunResult result = api::run(project, run_options, say);
  line.clear();
  if (result.status == api::RunStatus::interrupted) say("interrupted; what was computed is kept");
  for (const api::RunResult::File& file : result.files)
    say(fmt::format("{}{} row{} in {}", result.write_failed ? "at most " : "", file.rows,
                    file.rows == 1 ? "" : "s", file.path));
  if (options.view && result.stores.empty())
    say("--view shows nothing: there is no results store (h5 in --files, and no --no-store)");
  if (options.view && !result.stores.empty()) {
    ViewOptions page;
    page.file = result.stores.front();
    page.open = true;
    page.allow_outside = options.allow_outside;
    view(page);
  }
  switch (result.status) {
    case api::RunStatus::done: return options.strict ? strictly(project, result) : kOk;
    case api::RunStatus::failed: return kFailed;
    case api::RunStatus::incomplete: return kIncomplete;
    case api::RunStatus::interrupted: return kInterrupted;
    case api::RunStatus::refused: return kErrors;
  }
  return kFailed;
}

}  // namespace trunnion::apps
