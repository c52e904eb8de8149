#include "api/session/run.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "api/present/help.hpp"
#include "api/session/runner.hpp"
#include "core/text.hpp"
#include "elements/user_law.hpp"
#include "lang/writer.hpp"
#include "model/defaults.hpp"
#include "model/left_out.hpp"
#include "model/merge.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using model::kind_of;

namespace {

system::UserCode user_code(const Project& project, const RunOptions& options,
                           std::function<void(const std::string&)> say) {
  return {options.user_libraries,
          fs::path(project.model_path).parent_path().string(),
          options.ignore_user,
          std::move(say),
          options.allow_model_code ? system::Loading::model_too : system::Loading::given,
          options.rehearse};
}

model::Simulate initial_conditions_only() {
  model::Simulate simulate;
  simulate.type = model::Simulate::Type::initial_conditions;
  return simulate;
}

// A setting with the values that count where none is given.
model::AnyStatement in_force(const model::Schema& schema, const model::Statement* given) {
  model::AnyStatement all(schema.kind);
  if (given) model::merge(schema, *given, all.get());
  model::apply_defaults(schema, all.get());
  return all;
}

bool computes(const model::Command& command) {
  return command.is<model::Simulate>() || command.is<model::Linear>();
}

}  // namespace

Runner::Runner(const Project& project, const RunOptions& options,
               const std::function<void(const std::string&)>& user)
    : project_(project),
      options_(options),
      session_(*project.model,
               user_code(project, options, [this](const std::string& line) { voice_.say(line); })),
      files_(project, options),
      voice_(project, options, user, session_),
      output_(
          options, files_.csv(), [this](const std::string& line) { voice_.warn(line); },
          [this](const core::Words& line) { voice_.warn_about(line); },
          [this](const std::string& path) { return files_.refusal(path); }) {}

RunResult Runner::run() {
  if (!open_files()) return result_;
  // Said by the checks already; here for the file of messages.
  const std::string left_out = model::left_out_text(model::left_out(session_.model()));
  if (!left_out.empty() && !options_.rehearse) voice_.file().line("warning: " + left_out);
  try {
    carry_out_all();
  } catch (const elements::UserCodeError& e) {
    fail(e.what());
  }
  if (result_.status == RunStatus::failed && session_.system()) {
    for (const std::string& line : system().user_troubles()) voice_.error(line);
  }
  if (options_.rehearse) {
    if (!result_.first.compiled && result_.status == RunStatus::done) assemble(analysis::Upto::velocities);
    result_.warnings = voice_.notices().warnings().size();
    return result_;
  }
  const bool closed = output_.close(result_.status == RunStatus::done) || fail(output_.error());
  const std::string report = json(reports_, voice_.notices(), model::left_out(session_.model()));
  if (!reports_.empty()) std::ofstream(files_.report()) << report;
  if (closed && !output_.add_report(report)) fail(output_.error());
  output_.tell(result_);
  result_.warnings = voice_.notices().warnings().size();
  return result_;
}

// Before this nothing is written or removed. False, and said why, where another run has these files or they are not ours.
bool Runner::open_files() {
  const std::string why = files_.take();
  if (!why.empty()) {
    // "run.acf:2: OUTPUT_PREFIX: " where the script chose the name of the results.
    const model::File* command = files_.prefix_command();
    const std::string place =
        command ? voice_.place_of(*command) : fmt::format("{}:2: ", project_.script_path);
    fail((files_.prefix_of_script() ? place + "OUTPUT_PREFIX: " : "") + why);
  }
  const auto refused = files_.refused();
  for (const RunFiles::Refused& r : refused)
    fail(fmt::format("{}{}: {}", voice_.place_of(*r.command), r.what, r.why));
  if (!refused.empty() || !why.empty()) {
    result_.status = RunStatus::refused;
    return false;
  }
  if (options_.rehearse) return true;
  if (!files_.cut_short().empty())
    voice_.say(fmt::format("note: an earlier run of these results was cut short ({})", files_.cut_short()));
  std::error_code code;
  fs::remove(files_.report(), code);  // of an earlier run: until there is a new one there is none
  voice_.file().open(files_.messages(), session_.model().title);
  files_.linear().begin();
  return true;
}

void Runner::carry_out_all() {
  if (!project_.script) {
    const bool good = simulate(initial_conditions_only());
    if (!good && result_.status != RunStatus::refused) result_.status = RunStatus::failed;
    if (good && !options_.rehearse) say_how_to_simulate();
    return;
  }
  const auto& commands = project_.script->commands;
  for (const model::Command& command : commands) {
    if (!carry_out_in_memory(command)) break;
  }
  if (!options_.rehearse && std::none_of(commands.begin(), commands.end(), computes))
    voice_.say(
        "no SIMULATE command: nothing was computed; add, for one second: SIMULATE/DYNAMICS, END=1, "
        "STEPS=100");
}

// What runs out of memory is told by its name.
bool Runner::carry_out_in_memory(const model::Command& command) {
  try {
    return carry_out(command);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // a size that nothing can have
  }
  const model::Statement& statement = model::statement_of(command);
  return fail(fmt::format("{}{}: there is not enough memory for it", voice_.place_of(statement),
                          model::schema_of(model::kind_of(command)).keyword));
}

void Runner::say_how_to_simulate() {
  const std::string base = fs::path(project_.model_path).stem().string();
  voice_.say("no SIMULATE command: only the initial conditions were found");
  voice_.say(
      fmt::format("  to see it move, write a file {}.acf with the line\n"
                  "    SIMULATE/DYNAMICS, END=1, STEPS=100\n"
                  "  and run: trunnion run {}.adm {}.acf",
                  base, base, base));
}

bool Runner::carry_out(const model::Command& command) {
  const model::Statement& statement = model::statement_of(command);
  const model::Schema& schema = model::schema_of(model::kind_of(command));
  voice_.file().command(lang::write_statement(schema, statement));
  if (statement.list) {
    list(command);
    return true;
  }
  if (const auto* motion = command.as<model::Simulate>()) return simulate(*motion) ? !halted_ : cannot();
  if (const auto* on = command.as<model::Activate>()) return switch_elements(*on, true);
  if (const auto* off = command.as<model::Deactivate>()) return switch_elements(*off, false);
  if (const auto* about = command.as<model::Linear>()) return linear(*about);
  if (command.is<model::Stop>()) return false;
  if (const auto* save = command.as<model::Save>()) return save_system(*save);
  if (const auto* reload = command.as<model::Reload>()) return reload_system(*reload);
  if (schema.where == model::Where::both) tell_start_values(schema, statement);
  if (schema.where == model::Where::both)
    return session_.change(command) ||
           fail(fmt::format("{}: there is none in the model", label(schema, statement)));
  if (const auto* info = command.as<model::Info>()) return tell_info(*info);
  if (tell_now(command)) return true;
  const bool harmless = command.is<model::File>() && command.as<model::File>()->model;
  if (!harmless) {
    voice_.error(fmt::format("{} is not carried out by this version; the run stops here", schema.keyword));
    result_.status = RunStatus::incomplete;
  }
  return harmless;
}

// Values of the start that come when a simulation has begun already: it goes on from where it is.
void Runner::tell_start_values(const model::Schema& schema, const model::Statement& statement) {
  if (!session_.assembled()) return;
  std::vector<std::string> late;
  for (const model::GivenArgument& given : statement.given) {
    const model::Argument& argument = schema.arguments[static_cast<std::size_t>(given.argument)];
    if (argument.at_start) late.emplace_back(argument.name);
  }
  if (late.empty()) return;
  voice_.warn(
      fmt::format("{}: {} {} no effect: {} of the start, and the run goes on from t = {:.6g}; give {} "
                  "before the first SIMULATE",
                  label(schema, statement), core::join_and(late), late.size() == 1 ? "has" : "have",
                  late.size() == 1 ? "a value" : "values", session_.time(), late.size() == 1 ? "it" : "them"),
      voice_.place_of(statement));
}

// A statement with LIST.
void Runner::list(const model::Command& command) {
  const model::Statement& statement = model::statement_of(command);
  const model::Schema& schema = model::schema_of(model::kind_of(command));
  const model::Model& model = session_.model();
  const model::Statement* found = nullptr;
  if (schema.has_id) found = model.find(schema.kind, statement.id);
  else if (model.count(schema.kind) > 0) found = &model.at(schema.kind, 0);
  if (Session::only_a_setting(command))
    voice_.say(lang::write_statement(schema, in_force(schema, found).get()));
  else voice_.say(lang::write_statement(schema, found ? *found : statement));
}

bool Runner::tell_info(const model::Info& command) {
  if (!assemble(analysis::Upto::accelerations)) return cannot();
  if (options_.rehearse) return true;
  std::string trouble;
  const auto lines =
      info_lines(session_.system(), session_.model(), place().state, last_phase_, command, trouble);
  if (!trouble.empty()) voice_.warn("INFO: " + trouble);
  voice_.say_all(lines);
  return true;
}

// SHOW, TIME and HELP.
bool Runner::tell_now(const model::Command& command) {
  if (const auto* show = command.as<model::Show>())
    voice_.say_all(show_lines(session_.model(), status_now(), *show));
  else if (command.is<model::Time>()) voice_.say(time_line(session_.time()));
  else if (const auto* help = command.as<model::Help>())
    voice_.say(help->topic ? topic_help(*help->topic) : topic_list());
  else return false;
  return true;
}

RunStatusNow Runner::status_now() const {
  RunStatusNow now{session_.time(), session_.assembled(),
                   session_.assembled() ? session_.place().freedoms : 0};
  for (const AnyReport& report : reports_) {
    const Effort effort = effort_of(report);
    now.steps += effort.steps;
    now.iterations += effort.iterations;
  }
  now.files = output_.paths();
  now.version = options_.version;
  return now;
}

// An analysis is not stopped within: asked before, that a long script ends, and after, that the end is told as what it is.
bool Runner::linear(const model::Linear& command) {
  if (stopped()) return false;
  const bool assembled = assemble(analysis::Upto::accelerations);
  if (assembled && options_.rehearse) return true;
  if (assembled && run_linear(context(results::Phase::linear), command, files_.linear())) return !stopped();
  return cannot();
}

bool Runner::fail(const std::string& message) {
  voice_.error(message);
  result_.status = RunStatus::failed;
  return false;
}

bool Runner::cannot() {
  if (result_.status == RunStatus::done) result_.status = RunStatus::failed;
  return false;
}

bool Runner::stopped() {
  const bool asked = options_.interrupted && options_.interrupted();
  if (asked) result_.status = RunStatus::interrupted;
  return asked;
}

bool Runner::not_yet(const char* what) {
  voice_.error(fmt::format("{} is not in this version; the run stops here", what));
  result_.status = RunStatus::incomplete;
  return false;
}

namespace {

// A run that does not begin leaves no report of an earlier one behind, which would be taken for its own.
void forget_report(const Project& project, RunOptions options) {
  options.rehearse = true;  // no folder is made
  const RunFiles files(project, options);
  std::error_code code;
  if (files.refusal(files.report()).empty()) fs::remove(files.report(), code);
}

}  // namespace

RunResult run(const Project& project, const RunOptions& options,
              const std::function<void(const std::string&)>& say) {
  if (!project.ok() || !project.model) {
    if (!options.rehearse) forget_report(project, options);
    RunResult refused;
    refused.status = RunStatus::refused;
    return refused;
  }
  return Runner(project, options, say).run();
}

}  // namespace trunnion::api
