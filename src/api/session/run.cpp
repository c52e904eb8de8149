#include "api/session/run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/state_rows.hpp"
#include "analysis/kinematics/kinematics.hpp"
#include "api/present/eprint.hpp"
#include "api/present/help.hpp"
#include "api/present/inactive_statements.hpp"
#include "api/present/places.hpp"
#include "api/present/redundant.hpp"
#include "api/session/output_guard.hpp"
#include "api/session/run_dynamics.hpp"
#include "api/session/run_info.hpp"
#include "api/session/run_lock.hpp"
#include "api/session/snapshot.hpp"
#include "lang/reader.hpp"
#include "lang/writer.hpp"
#include "model/defaults.hpp"
#include "model/left_out.hpp"
#include "model/merge.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using assembly::State;
using model::kind_of;

namespace {

class Runner {
 public:
  Runner(const Project& project, const RunOptions& options,
         const std::function<void(const std::string&)>& user)
      : project_(project),
        options_(options),
        said_(user),
        model_(*project.model),
        base_(base()),
        guard_(home(), options.allow_outside),
        linear_names_(base_),
        output_(
            options, options.csv.empty() ? base_ + ".csv" : options.csv,
            [this](const std::string& line) { say(line); },
            [this](const std::string& line) {
              say("warning: " + line);
              say_places({line});
            },
            [this](const std::string& path) { return guard_.refusal(path); }) {
    notices_.take(project.diagnostics, project.sources);
  }

  RunResult run() {
    if (!open_files()) return result_;
    note_left_out();
    try {
      carry_out_all();
    } catch (const elements::UserCodeError& e) {
      fail(e.what());
    }
    if (result_.status == RunStatus::failed && system_) {
      for (const std::string& line : system_->user_troubles()) say("error: " + line);
    }
    if (options_.rehearse) {
      if (!result_.first.compiled && result_.status == RunStatus::done) assemble(analysis::Upto::velocities);
      return result_;
    }
    const bool closed = output_.close(result_.status == RunStatus::done) || fail(output_.error());
    const std::string report = json(reports_, notices_, model::left_out(model_));
    if (!reports_.empty()) std::ofstream(report_file()) << report;
    if (closed && !output_.add_report(report)) fail(output_.error());
    output_.tell(result_);
    return result_;
  }

 private:
  std::string report_file() const { return base_ + ".report.json"; }

  // Before this nothing is written or removed. False, and said why, where another run has these files or they are not ours.
  bool open_files() {
    std::string why = options_.rehearse ? guard_.misplaced(base_ + ".msg") : guard_.refusal(base_ + ".lock");
    if (options_.rehearse && why.empty())
      return may_write_all() || (result_.status = RunStatus::refused, false);
    if (why.empty()) why = lock_.take(base_ + ".lock");
    for (const std::string& path : {base_ + ".msg", report_file()}) {
      if (why.empty()) why = guard_.refusal(path);
    }
    if (!why.empty()) fail(prefix_place() + why);
    if (!may_write_all() || !why.empty()) {
      result_.status = RunStatus::refused;
      return false;
    }
    if (!lock_.left_by().empty())
      say(fmt::format("note: an earlier run of these results was cut short ({})", lock_.left_by()));
    std::error_code code;
    fs::remove(report_file(), code);  // of an earlier run: until there is a new one there is none
    messages_.open(base_ + ".msg", model_.title);
    linear_names_.begin();
    return true;
  }

  // The files that commands name: what must not be written is refused before anything is computed. Each is said.
  bool may_write_all() {
    bool good = true;
    const auto look = [&](const model::Statement& command, const char* what, const std::string& path,
                          bool numbered = false) {
      const std::string why = options_.rehearse || numbered ? guard_.misplaced(path) : guard_.refusal(path);
      if (!why.empty()) good = fail(fmt::format("{}{}: {}", place_of(command), what, why));
    };
    if (!project_.script) return good;
    for (const model::Command& command : project_.script->commands) {
      if (command.is<model::Stop>()) break;
      if (const auto* save = command.as<model::Save>(); save && save->file)
        look(*save, "SAVE: FILE", in_folder(*save->file, ".sav"));
      if (const auto* linear = command.as<model::Linear>(); linear && linear->file)
        look(*linear, "LINEAR: FILE", linear_names_.base(linear->file) + ".eig.csv", true);
      if (const auto* reload = command.as<model::Reload>(); reload && reload->output_prefix)
        look(*reload, "RELOAD: OUTPUT_PREFIX", in_folder(*reload->output_prefix, "") + ".csv");
    }
    return good;
  }

  // "run.acf:2: OUTPUT_PREFIX: " where the script chose the name of the results.
  std::string prefix_place() const {
    if (!options_.csv.empty() || !options_.prefix.empty() || !project_.script ||
        !project_.script->output_prefix)
      return {};
    for (const model::Command& command : project_.script->commands) {
      const auto* file = command.as<model::File>();
      if (file && file->output_prefix) return place_of(*file) + "OUTPUT_PREFIX: ";
    }
    return fmt::format("{}:2: OUTPUT_PREFIX: ", project_.script_path);
  }

  // "file:line: "; nothing where it was built in code, or changed by a command since.
  std::string place_of(const model::Statement& about) const {
    if (!project_.sources.has(about.span.file)) return {};
    const core::SourceFile& file = project_.sources.file(about.span.file);
    return fmt::format("{}:{}: ", file.path(), file.position(about.span.begin).line);
  }

  void carry_out_all() {
    if (!project_.script) {
      const bool good = simulate(initial_conditions_only());
      result_.status = good ? RunStatus::done : RunStatus::failed;
      if (good && !options_.rehearse) say_how_to_simulate();
    } else {
      for (const model::Command& command : project_.script->commands) {
        if (!carry_out_in_memory(command)) break;
      }
      const auto computes = [](const model::Command& c) {
        return model::kind_of(c) == kind_of<model::Simulate>() ||
               model::kind_of(c) == kind_of<model::Linear>();
      };
      const auto& commands = project_.script->commands;
      if (!options_.rehearse && std::none_of(commands.begin(), commands.end(), computes))
        say("no SIMULATE command: nothing was computed; add, for one second: SIMULATE/DYNAMICS, END=1, "
            "STEPS=100");
    }
  }

  // What runs out of memory is told by its name.
  bool carry_out_in_memory(const model::Command& command) {
    try {
      return carry_out(command);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {  // a size that nothing can have
    }
    const model::Statement& statement = model::statement_of(command);
    return fail(fmt::format("{}{}: there is not enough memory for it", place_of(statement),
                            model::schema_of(model::kind_of(command)).keyword));
  }

  void say_how_to_simulate() {
    const std::string base = fs::path(project_.model_path).stem().string();
    say("no SIMULATE command: only the initial conditions were found");
    say(
        fmt::format("  to see it move, write a file {}.acf with the line\n"
                    "    SIMULATE/DYNAMICS, END=1, STEPS=100\n"
                    "  and run: trunnion run {}.adm {}.acf",
                    base, base, base));
  }

  static model::Simulate initial_conditions_only() {
    model::Simulate simulate;
    simulate.type = model::Simulate::Type::initial_conditions;
    return simulate;
  }

  // To the user, and to the .msg file.
  void say(const std::string& line) {
    if (options_.rehearse && !grave(line)) return;
    if (options_.progress_done) options_.progress_done();
    said_(line);
    messages_.line(line);
    notices_.take(line);
  }

  // Whether a line tells of an error or a warning, or goes on with one.
  bool grave(const std::string& line) {
    const bool goes_on = line.starts_with("  ") && was_grave_;
    was_grave_ =
        goes_on || line.find("error: ") != std::string::npos || line.find("warning: ") != std::string::npos;
    return was_grave_;
  }

  // After a failure: the lines in the model's text of the statements that the messages name.
  void say_places(const std::vector<std::string>& lines) {
    for (const std::string& line : places_of(lines, model_, project_.sources)) say(line);
  }

  void warn_once(const std::string& line, const model::Statement& about) {
    if (std::find(warned_.begin(), warned_.end(), line) != warned_.end()) return;
    warned_.push_back(line);
    say(place_of(about) + "warning: " + line);
  }

  // Path of the results without an ending.
  std::string base() const {
    if (!options_.csv.empty()) return fs::path(options_.csv).replace_extension().string();
    std::string prefix = options_.prefix;
    if (prefix.empty() && project_.script && project_.script->output_prefix)
      prefix = *project_.script->output_prefix;
    if (prefix.empty()) prefix = fs::path(project_.model_path).stem().string();
    std::error_code code;
    if (!options_.rehearse) fs::create_directories(folder(), code);
    return (folder() / prefix).lexically_normal().string();
  }

  fs::path folder() const { return options_.folder.empty() ? fs::path(".") : fs::path(options_.folder); }

  // The folder that nothing is written outside of: where the user's own words, not the script's, put the results.
  std::string home() const {
    const bool named = !options_.csv.empty() || !options_.prefix.empty();
    const fs::path home = named ? fs::path(base_).parent_path() : folder();
    return home.empty() ? "." : home.string();
  }

  bool fail(const std::string& message) {
    say("error: " + message);
    result_.status = RunStatus::failed;
    return false;
  }

  // Said by the checks already; here for the file of messages.
  void note_left_out() {
    const std::string text = model::left_out_text(model::left_out(model_));
    if (!text.empty() && !options_.rehearse) messages_.line("warning: " + text);
  }

  bool carry_out(const model::Command& command) {
    const model::Statement& statement = model::statement_of(command);
    const model::Schema& schema = model::schema_of(model::kind_of(command));
    messages_.command(lang::write_statement(schema, statement));
    if (statement.list) {
      const model::Statement* found = nullptr;
      if (schema.has_id) found = model_.find(schema.kind, statement.id);
      else if (model_.count(schema.kind) > 0) found = &model_.at(schema.kind, 0);
      if (only_a_setting(command)) say(lang::write_statement(schema, in_force(schema, found).get()));
      else say(lang::write_statement(schema, found ? *found : statement));
      return true;
    }
    if (const auto* simulate_command = command.as<model::Simulate>()) {
      return simulate(*simulate_command) ? !halted_ : cannot();
    }
    if (const auto* on = command.as<model::Activate>()) return switch_elements(*on, true);
    if (const auto* off = command.as<model::Deactivate>()) return switch_elements(*off, false);
    if (const auto* about = command.as<model::Linear>()) return linear(*about);
    if (command.is<model::Stop>()) return false;
    if (const auto* save_command = command.as<model::Save>()) return save_system(*save_command);
    if (const auto* reload = command.as<model::Reload>()) return reload_system(*reload);
    if (schema.where == model::Where::both) {
      if (!model::apply(command, model_))
        return fail(fmt::format("{}: there is none in the model", label(schema, statement)));
      if (!only_a_setting(command)) system_.reset();
      return true;
    }
    if (const auto* info = command.as<model::Info>()) return tell_info(*info);
    if (tell_now(command)) return true;
    const bool harmless = command.is<model::File>() && command.as<model::File>()->model;
    if (!harmless) {
      say(fmt::format("error: {} is not carried out by this version; the run stops here", schema.keyword));
      result_.status = RunStatus::incomplete;
    }
    return harmless;
  }

  void say_all(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) say(line);
  }

  bool tell_info(const model::Info& command) {
    if (!assemble(analysis::Upto::accelerations)) return cannot();
    if (!options_.rehearse) say_all(info_lines(system_, model_, assembled_->state, last_phase_, command));
    return true;
  }

  // SHOW, TIME and HELP.
  bool tell_now(const model::Command& command) {
    const double t = assembled_ ? assembled_->state.t : start_.t;
    if (const auto* show = command.as<model::Show>()) say_all(show_lines(model_, status_now(t), *show));
    else if (command.is<model::Time>()) say(time_line(t));
    else if (const auto* help = command.as<model::Help>())
      say(help->topic ? topic_help(*help->topic) : topic_list());
    else return false;
    return true;
  }

  RunStatusNow status_now(double t) const {
    RunStatusNow now{t, assembled_.has_value(), assembled_ ? assembled_->freedoms : 0};
    for (const AnyReport& report : reports_) {
      const Effort effort = effort_of(report);
      now.steps += effort.steps;
      now.iterations += effort.iterations;
    }
    now.files = output_.paths();
    now.version = options_.version;
    return now;
  }

  bool cannot() {
    if (result_.status == RunStatus::done) result_.status = RunStatus::failed;
    return false;
  }

  // An analysis is not stopped within: asked before, that a long script ends, and after, that the end is told as what it is.
  bool linear(const model::Linear& command) {
    if (stopped()) return false;
    const bool assembled = assemble(analysis::Upto::accelerations);
    if (assembled && options_.rehearse) return true;
    if (assembled && run_linear(context(results::Phase::linear), command, linear_names_)) return !stopped();
    return cannot();
  }

  bool stopped() {
    const bool asked = options_.interrupted && options_.interrupted();
    if (asked) result_.status = RunStatus::interrupted;
    return asked;
  }

  // Statements that say how to solve, and leave what is solved as it is.
  // A setting with the values that count where none is given.
  static model::AnyStatement in_force(const model::Schema& schema, const model::Statement* given) {
    model::AnyStatement all(schema.kind);
    if (given) model::merge(schema, *given, all.get());
    model::apply_defaults(schema, all.get());
    return all;
  }

  static bool only_a_setting(const model::Command& command) {
    return command.is<model::Integrator>() || command.is<model::Equilibrium>() ||
           command.is<model::Debug>() || command.is<model::Kinematics>() ||
           command.is<model::InitialConditions>() || command.is<model::Output>();
  }

  // --- SAVE and RELOAD; SYSTEM brings the model too, STATES only where it was.
  bool save_system(const model::Save& command) {
    Snapshot now;
    now.model = lang::write_model(model_);
    for (const auto& [kind, id] : off_) now.off.emplace_back(model::schema_of(model::Kind{kind}).keyword, id);
    now.assembled = assembled_.has_value();
    if (assembled_) now.from = *assembled_;
    now.spent = output_.spent();
    if (!command.file || options_.rehearse) {
      kept_[command.file ? in_folder(*command.file, ".sav") : command.buffer.value_or("")] = std::move(now);
      return true;
    }
    const std::string path = in_folder(*command.file, ".sav");
    std::string error = guard_.refusal(path);
    if (error.empty()) error = guard_.refusal(path + ".new");
    if (error.empty()) error = save(now, path);
    return error.empty() || fail(place_of(command) + "SAVE: " + error);
  }

  bool reload_system(const model::Reload& command) {
    Snapshot then;
    const auto file = command.file ? kept_.find(in_folder(*command.file, ".sav")) : kept_.end();
    if (file != kept_.end()) {
      then = file->second;  // of a rehearsal
    } else if (command.file) {
      const std::string error = load(saved_file(*command.file), then);
      if (!error.empty()) return fail(place_of(command) + "RELOAD: " + error);
    } else {
      const auto found = kept_.find(command.buffer.value_or(""));
      if (found == kept_.end())
        return fail(place_of(command) + "RELOAD: nothing was saved under that name in this session");
      then = found->second;
    }
    if (command.output_prefix && !new_files(*command.output_prefix)) return false;
    if (command.content.value() == model::Saved::system) {
      const std::string here = lang::write_model(model_);
      const std::string error = model_of(then, model_, off_);
      if (!error.empty()) return fail(place_of(command) + "RELOAD: " + error);
      if (lang::write_model(model_) != here)
        say("RELOAD: the saved model differs from the one before and replaces it");
      system_.reset();
      before_.reset();
    }
    if (command.title) model_.title = *command.title;
    if (!compile()) return false;
    if (!then.assembled) return true;
    const std::string error = misfit(then, *system_);
    if (!error.empty()) return fail(place_of(command) + "RELOAD: " + error);
    assembled_ = std::move(then.from);
    output_.set_spent(then.spent);
    keep();
    say(fmt::format("t = {:.6g}: reloaded", assembled_->state.t));
    return true;
  }

  // Where SAVE puts it, unless there is none and one lies beside the script.
  std::string saved_file(const std::string& name) const {
    const std::string path = in_folder(name, ".sav");
    std::error_code code;
    if (fs::exists(path, code)) return path;
    const auto beside = find_saved(name, project_.script_path);
    return beside ? *beside : path;
  }

  // The results go on in files of another name; the .msg and the report stay where they are.
  bool new_files(const std::string& prefix) {
    const std::string base = in_folder(prefix, "");
    if (base == base_) return true;
    if (!options_.rehearse) {
      std::string why = guard_.refusal(base + ".lock");
      if (why.empty()) why = next_lock_.take(base + ".lock");
      if (!why.empty()) return fail("RELOAD: OUTPUT_PREFIX: " + why);
    }
    output_.begin_anew(base + ".csv");
    system_.reset();
    return true;
  }

  std::string in_folder(const std::string& name, const std::string& ending) const {
    fs::path path(name);
    if (!path.has_extension()) path += ending;
    return path.is_absolute() ? path.string() : (folder() / path).lexically_normal().string();
  }

  bool switch_elements(const model::Selection& selection, bool on) {
    const model::Kind kind{selection.element.index};
    std::vector<int> ids = selection.ids;
    if (selection.range.size() == 2) {
      for (std::size_t k = 0; k < model_.count(kind); ++k) {
        const int id = model_.at(kind, k).id;
        if (id >= selection.range[0] && id <= selection.range[1]) ids.push_back(id);
      }
    }
    for (const int id : ids) {
      if (!model_.find(kind, id)) return fail(fmt::format("{} is not in the model", label(model_, kind, id)));
      on ? (void)off_.erase({kind.index, id}) : (void)off_.insert({kind.index, id});
    }
    system_.reset();
    return true;
  }

  // The system of the model as it is now, with the state carried over.
  bool compile() {
    if (system_) return true;
    core::Diagnostics diagnostics;
    system::Inactive inactive;
    for (const auto& [kind, id] : off_) inactive.statements.emplace_back(model::Kind{kind}, id);
    system_ = system::compile(model_, inactive, diagnostics, before_ ? last_.t : 0.0, user_code());
    if (system_) say_idle();
    if (!system_) {
      diagnostics.sort();
      say(core::render(diagnostics, project_.sources));
      if (result_.status == RunStatus::done) result_.status = RunStatus::refused;
      return false;
    }
    State start = before_ ? system_->carry_over(*before_, last_) : system_->start();
    start_ = std::move(start);
    assembled_.reset();
    return output_.open(system_, model_, texts()) || fail(output_.error());
  }

  system::UserCode user_code() {
    return {options_.user_libraries,
            fs::path(project_.model_path).parent_path().string(),
            options_.ignore_user,
            [this](const std::string& line) { say(line); },
            options_.allow_model_code ? system::Loading::model_too : system::Loading::given,
            options_.rehearse};
  }

  void say_idle() {
    for (const std::string& line : inactive_lines(*system_)) {
      if (said_idle_.insert(line).second) say("warning: " + line);
    }
  }

  results::StoreTexts texts() const {
    results::StoreTexts texts;
    texts.model = lang::write_model(model_);
    if (project_.script) texts.script = lang::write_script(*project_.script);
    texts.settings = settings_json(project_, options_);
    return texts;
  }

  bool assemble(analysis::Upto upto) {
    if (!compile()) return false;
    if (assembled_) return true;
    const analysis::AssemblySettings settings = assembly_settings();
    assembled_ = analysis::initial_conditions(*system_, start_, settings, upto);
    for (std::string& line : assembled_->messages) line = with_markers(std::move(line), model_);
    if (options_.rehearse && !adrift_) note_first();
    if (adrift_ && !assembled_->ok) assembled_->ok = true;  // from the true place it may well assemble
    say_outcome(*assembled_);
    if (!assembled_->ok) say_places(assembled_->messages);
    if (!assembled_->ok) return false;
    last_phase_ = results::Phase::initial_conditions;
    keep();
    say(fmt::format("t = {:.6g}: assembled in {} iterations, {} degree{} of freedom", assembled_->state.t,
                    assembled_->iterations, assembled_->freedoms, assembled_->freedoms == 1 ? "" : "s"));
    tell_redundant();
    if (debug_on(&model::Debug::dof)) say(freedom_line(*system_, *assembled_));
    if (debug_on(&model::Debug::topology)) say_all(topology_lines(model_));
    return true;
  }

  void tell_redundant() {
    if (assembled_->redundant.empty()) return;
    const bool all = options_.verbose || debug_on(&model::Debug::verbose);
    const std::vector<std::string> lines = redundant_lines(*system_, model_, assembled_->redundant, all);
    if (lines.size() < assembled_->redundant.size())
      say(fmt::format("  {} redundant equations are left out (--verbose lists each):",
                      assembled_->redundant.size()));
    for (const std::string& line : lines) say("  " + line);
  }

  // A switch of DEBUG.
  bool debug_on(model::Choice<model::Switch> model::Debug::*which) const {
    const model::Debug* debug = model_.single<model::Debug>();
    return debug && (debug->*which).given() && (debug->*which).value() == model::Switch::on;
  }

  // What `check` tells of the model.
  void note_first() {
    AssemblyReport& first = result_.first;
    if (first.assembled) return;
    first.compiled = true;
    first.idle = inactive_lines(*system_);
    first.assembled = assembled_->ok;
    first.freedoms = assembled_->freedoms;
    first.messages = assembled_->messages;
    first.redundant_count = assembled_->redundant.size();
    first.redundant = redundant_lines(*system_, model_, assembled_->redundant, options_.verbose);
  }

  void say_outcome(const analysis::AssemblyResult& result) {
    for (std::size_t k = 0; k < result.messages.size(); ++k)
      say((result.ok || k > 0 ? "" : "error: ") + result.messages[k]);
  }

  // In a rehearsal: the analysis is taken to have come to its end.
  bool left_to_chance(double end) {
    assembled_->state.t = end;
    adrift_ = true;
    keep();
    return true;
  }

  // What the next system goes on from, should the model change.
  void keep() {
    before_ = system_;
    last_ = assembled_->state;
  }

  bool simulate(const model::Simulate& command) {
    using T = model::Simulate::Type;
    const T type = command.type.value_or(T::transient);
    if (type == T::initial_conditions) {
      using Level = model::Simulate::Level;
      if (command.level.given() && command.level.value() != Level::acceleration) {
        return only_upto(command.level.value() == Level::displacement ? analysis::Upto::positions
                                                                      : analysis::Upto::velocities);
      }
      if (assembled_) start_ = assembled_->state;
      assembled_.reset();
      return assemble(analysis::Upto::accelerations) &&
             write(assembled_->state, results::Phase::initial_conditions);
    }
    if (type == T::statics || type == T::settle) return simulate_statics(command, type == T::settle);
    leave_rest();
    const bool fresh = !system_;
    if (!assemble(analysis::Upto::accelerations)) return false;
    if (const auto owners = analysis::constraints_on_states(*system_, assembled_->state); !owners.empty()) {
      const std::string line = fmt::format(
          "{}: FUNCTION reads states or variables, whose rates the velocities and accelerations would need; "
          "a motion with "
          "it is not in this version (SIMULATE/STATICS and LINEAR at rest are). Try a MOTION, or a stiff "
          "SFORCE",
          fmt::join(owners, ", "));
      fail(line);
      say_places({line});
      return false;
    }
    // States and variables go along with a kinematic motion; the step loop finds both.
    const bool states = system_->layout().mechanical_size() < system_->layout().size();
    if (type == T::dynamics || (assembled_->freedoms > 0 && type != T::kinematics) ||
        (assembled_->freedoms == 0 && states))
      return simulate_dynamics(command, fresh,
                               assembled_->freedoms > 0 || type == T::dynamics ? results::Phase::dynamics
                                                                               : results::Phase::kinematics);
    if (assembled_->freedoms > 0) {
      say(fmt::format(
          "error: a kinematic analysis needs a mechanism with 0 degrees of freedom; this one has {}:",
          assembled_->freedoms));
      for (const std::string& name : analysis::free_coordinates(*system_, *assembled_))
        say("  free: " + name);
      say("  try: a MOTION for each, or SIMULATE/DYNAMICS");
      return false;
    }
    const double begin = assembled_->state.t;
    const auto end = end_of(command, begin);
    const auto times = end ? output_times(command, begin, *end) : std::nullopt;
    if (!times || !write_start(fresh, results::Phase::kinematics)) return false;
    if (options_.rehearse) return left_to_chance(*end);
    return keep_report(run_kinematics(context(results::Phase::kinematics), *times));
  }

  bool keep_report(PathReport report) {
    keep();
    const bool good = report.ok;
    if (report.interrupted) result_.status = RunStatus::interrupted;
    halted_ = report.halted;
    if (options_.report) say(text(report));
    reports_.push_back(std::move(report));
    return good;
  }

  // The row at the start of a motion, with forces and accelerations as they are in its MODE; none where a motion goes on that has
  // just ended there.
  bool write_start(bool fresh, results::Phase phase) {
    if (options_.rehearse || (!fresh && output_.goes_on(assembled_->state.t, phase))) return true;
    State state = assembled_->state;
    system::System::Workspace work(*system_, phase);
    std::string why;  // said by the analysis itself, which begins with the same equations
    if (!analysis::solve_accelerations(*system_, assembled_->active, state, work, why))
      state = assembled_->state;
    return write(state, phase);
  }

  bool write(const State& state, results::Phase phase) {
    if (output_.write(state, phase)) return true;
    fail(output_.error());
    say_places({output_.error()});
    return false;
  }

  AnalysisContext context(results::Phase phase) {
    if (phase != results::Phase::linear) last_phase_ = phase;
    return {*system_,
            model_,
            *assembled_,
            phase,
            [this](const std::string& line) { say(line); },
            [this](const std::vector<std::string>& lines) { say_places(lines); },
            [this, phase](const State& state) { return write(state, phase); },
            [this](results::ModeSet modes) { output_.keep_modes(std::move(modes)); },
            options_.interrupted,
            [this](const std::string& line, const model::Statement& about) { warn_once(line, about); }};
  }

  bool simulate_statics(const model::Simulate& command, bool settle) {
    if (!assemble(analysis::Upto::velocities)) return false;
    math::OutputTimes times;
    if (command.end || command.duration) {
      const double begin = assembled_->state.t;
      const auto end = end_of(command, begin);
      const auto rows = end ? output_times(command, begin, *end) : std::nullopt;
      if (!rows) return false;
      times = *rows;
    } else if (command.steps || command.dtout) {
      return fail(
          fmt::format("SIMULATE/STATICS: {} without END or DURATION: a path of equilibria needs an end; "
                      "leave it out for one equilibrium at the present time",
                      command.steps ? "STEPS" : "DTOUT"));
    }
    if (!moving_) moving_ = assembled_->state.v;
    if (options_.rehearse) return left_to_chance(times.empty() ? assembled_->state.t : times.back());
    const auto phase = times.empty() ? results::Phase::statics : results::Phase::quasi_statics;
    return keep_report(run_statics(context(phase), times, settle));
  }

  // Statics changes positions only: a motion that follows starts with the velocities there were before.
  void leave_rest() {
    if (!moving_ || !assembled_) return;
    start_ = assembled_->state;
    if (moving_->size() == start_.v.size()) start_.v = *moving_;
    moving_.reset();
    assembled_.reset();
  }

  bool simulate_dynamics(const model::Simulate& command, bool fresh, results::Phase phase) {
    analysis::DynamicSettings settings = analysis::dynamic_settings(model_);
    settings.mode = phase;
    if (!settings.unsupported.empty()) return not_yet(("INTEGRATOR/" + settings.unsupported).c_str());
    const double begin = assembled_->state.t;
    const auto end = end_of(command, begin);
    const auto times = end ? output_times(command, begin, *end) : std::nullopt;
    if (!times || !write_start(fresh, phase)) return false;
    if (options_.rehearse) {
      for (const std::string& note : settings.notes) say("warning: " + note);
      return left_to_chance(*end);
    }
    DynamicEnd done = run_dynamics({context(phase), output_, messages_, options_}, settings, *end, *times);
    keep();
    if (done.report.result.loop.end == integrate::LoopEnd::interrupted && done.written)
      result_.status = RunStatus::interrupted;
    const bool good = done.good();
    halted_ = done.halted;
    reports_.push_back(std::move(done.report));
    return good;
  }

  // Nothing where there is no time to go.
  std::optional<double> end_of(const model::Simulate& command, double begin) {
    const double end = command.end ? *command.end : begin + command.duration.value_or(0);
    // A SENSOR may have ended what was before.
    if (end > begin || (adrift_ && !system_->sensors().empty())) return end;
    fail(command.end
             ? fmt::format("SIMULATE: END = {:.6g} does not lie after the current time, {:.6g}", end, begin)
             : "SIMULATE needs END or a DURATION above 0");
    return {};
  }

  analysis::AssemblySettings assembly_settings() {
    analysis::AssemblySettings settings = analysis::assembly_settings(model_);
    settings.first = !before_;
    if (const auto wanted = DebugPrint::wanted(model_); wanted.any())
      settings.listener = [this, print = DebugPrint([this](const std::string& line) { say(line); }, wanted)](
                              const analysis::ConstraintIteration& it) mutable {
        print.iteration("Initial conditions", it, system_->layout());
      };
    return settings;
  }

  // INITIAL_CONDITIONS, DISPLACEMENT or VELOCITY: the lower levels only, and no row of results.
  bool only_upto(analysis::Upto upto) {
    if (!compile()) return false;
    if (adrift_) return true;
    const analysis::AssemblySettings settings = assembly_settings();
    const auto result = analysis::initial_conditions(*system_, start_, settings, upto);
    say_outcome(result);
    if (!result.ok) say_places(result.messages);
    if (!result.ok) return false;
    start_ = result.state;
    assembled_.reset();
    say(fmt::format("t = {:.6g}: positions{} are consistent", start_.t,
                    upto == analysis::Upto::positions ? "" : " and velocities"));
    return true;
  }

  // Rows between begin and end where SIMULATE says nothing of them.
  static constexpr int kDefaultSteps = 100;

  // Nothing, and said why, where they cannot be counted or their rows have no room.
  std::optional<math::OutputTimes> output_times(const model::Simulate& command, double begin, double end) {
    using math::OutputTimes;
    if (!command.dtout && !command.steps && !options_.rehearse)
      say(fmt::format("SIMULATE has neither DTOUT nor STEPS: {} output steps of {:.4g}", kDefaultSteps,
                      (end - begin) / kDefaultSteps));
    const bool by_length = command.dtout && *command.dtout > 0;
    if (by_length && !OutputTimes::countable(*command.dtout, begin, end)) {
      fail(
          place_of(command) +
          fmt::format("SIMULATE: DTOUT = {:.6g} is too short to tell one output time from the next up to t = "
                      "{:.6g}; try a longer one, or STEPS",
                      *command.dtout, end));
      return {};
    }
    const OutputTimes times =
        by_length
            ? OutputTimes::every(*command.dtout, begin, end)
            : OutputTimes::parts(static_cast<std::size_t>(std::max(1, command.steps.value_or(kDefaultSteps))),
                                 begin, end);
    const std::string why = output_.no_room_for(times.size());
    if (why.empty()) return times;
    const std::string line =
        place_of(command) +
        fmt::format("SIMULATE: {} asks for {} rows, {}", by_length ? "DTOUT" : "STEPS", times.size(), why);
    if (system_->sensors().empty()) {
      fail(line + "; try fewer, or --channels to keep less of each");
      return {};
    }
    say("warning: " + line + "; a SENSOR may end it before");
    return times;
  }

  bool not_yet(const char* what) {
    say(fmt::format("error: {} is not in this version; the run stops here", what));
    result_.status = RunStatus::incomplete;
    return false;
  }

  const Project& project_;
  const RunOptions& options_;
  const std::function<void(const std::string&)>& said_;
  MessageFile messages_;
  model::Model model_;
  std::set<std::pair<int, int>> off_;                      // switched off: kind and id
  std::shared_ptr<const system::System> system_, before_;  // now, and the one that last_ belongs to
  State start_, last_;
  std::optional<analysis::AssemblyResult> assembled_;
  std::optional<Eigen::VectorXd> moving_;  // velocities before statics
  std::string base_;                       // path of the results without an ending
  OutputGuard guard_;
  RunLock lock_, next_lock_;  // of the files, and of those that a RELOAD names
  LinearNames linear_names_;
  results::Phase last_phase_ = results::Phase::initial_conditions;  // of the state there is
  std::vector<std::string> warned_;
  RunOutput output_;
  std::vector<AnyReport> reports_;
  Notices notices_;
  std::map<std::string, Snapshot> kept_;  // by SAVE in memory
  std::set<std::string> said_idle_;
  bool halted_ = false;     // by a SENSOR: as asked, and nothing follows
  bool was_grave_ = false;  // the line before, in a rehearsal
  bool adrift_ =
      false;  // a rehearsal has left out a motion or a search: where the mechanism is, is not known
  RunResult result_;
};

}  // namespace

RunResult run(const Project& project, const RunOptions& options,
              const std::function<void(const std::string&)>& say) {
  return Runner(project, options, say).run();
}

}  // namespace trunnion::api
