#include "api/run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/energy_ledger.hpp"
#include "analysis/initial_conditions.hpp"
#include "analysis/kinematics.hpp"
#include "analysis/sampled.hpp"
#include "api/eprint.hpp"
#include "api/messages.hpp"
#include "api/places.hpp"
#include "api/report.hpp"
#include "api/run_statics.hpp"
#include "api/saved.hpp"
#include "lang/reader.hpp"
#include "lang/writer.hpp"
#include "model/merge.hpp"
#include "results/channels.hpp"
#include "results/recorder.hpp"
#include "system/compile.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using assembly::State;
using model::kind_of;

namespace {

constexpr double kPi = 3.14159265358979323846;

// What does not act, a line for each reason.
std::vector<std::string> idle_lines(const system::System& system) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const system::Idle& idle : system.idle()) {
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == idle.why; });
    if (line == lines.end()) lines.emplace_back(idle.why, idle.label);
    else line->second += ", " + idle.label;
  }
  std::vector<std::string> out;
  for (const auto& [why, who] : lines) out.push_back(fmt::format("{}: {}", why, who));
  return out;
}

class Runner {
 public:
  Runner(const Project& project, const RunOptions& options,
         const std::function<void(const std::string&)>& user)
      : project_(project), options_(options), said_(user), model_(*project.model), output_(options.output) {
    messages_.open(base() + ".msg", model_.title);
  }

  RunResult run() {
    warn_of_missing();
    try {
      carry_out_all();
    } catch (const elements::UserCodeError& e) {
      fail(e.what());
    }
    if (result_.status == RunStatus::failed && system_) {
      for (const std::string& line : system_->user_troubles()) say("error: " + line);
    }
    if (output_.is_open()) {
      result_.rows += result_.files.back().rows = output_.rows();
      if (result_.status != RunStatus::done) output_.failed();
      if (!output_.close()) fail(output_.error());
      result_.stores = output_.stores();
    }
    // A store that is being written takes no new groups.
    std::string error;
    for (const auto& [store, modes] : modes_) {
      if (!results::add_modes(store, modes, error)) fail(error);
    }
    if (!reports_.empty()) {
      const std::string report = json(reports_);
      std::ofstream(base() + ".report.json") << report;
      if (!output_.add_report(report)) fail(output_.error());
    }
    return result_;
  }

 private:
  void carry_out_all() {
    if (!project_.script) {
      const bool good = simulate(initial_conditions_only());
      result_.status = good ? RunStatus::done : RunStatus::failed;
    } else {
      for (const model::Command& command : project_.script->commands) {
        if (!carry_out(command)) break;
      }
    }
  }

  static model::Simulate initial_conditions_only() {
    model::Simulate simulate;
    simulate.type = model::Simulate::Type::initial_conditions;
    return simulate;
  }

  // To the user, and to the .msg file.
  void say(const std::string& line) {
    if (options_.progress_done) options_.progress_done();
    said_(line);
    messages_.line(line);
  }

  // After a failure: the lines in the model's text of the statements that the messages name.
  void say_places(const std::vector<std::string>& lines) {
    for (const std::string& line : places_of(lines, model_, project_.sources)) say(line);
  }

  // Path of the results without an ending.
  std::string base() const {
    if (!options_.csv.empty()) return fs::path(options_.csv).replace_extension().string();
    std::string prefix = options_.prefix;
    if (prefix.empty() && project_.script && project_.script->output_prefix)
      prefix = *project_.script->output_prefix;
    if (prefix.empty()) prefix = fs::path(project_.model_path).stem().string();
    const fs::path folder = options_.folder.empty() ? fs::path(".") : fs::path(options_.folder);
    std::error_code code;
    fs::create_directories(folder, code);
    return (folder / prefix).lexically_normal().string();
  }

  bool fail(const std::string& message) {
    say("error: " + message);
    result_.status = RunStatus::failed;
    return false;
  }

  // Statements that could change a result and that this version does not have: their absence must not be silent.
  void warn_of_missing() {
    std::string list;
    for (const model::Schema& schema : model::all_schemas()) {
      const std::size_t count = model_.count(schema.kind);
      const bool matters = schema.group != "Output" && schema.keyword != "STRING" &&
                           schema.keyword != "MATERIAL" && schema.keyword != "INTEGRATOR" &&
                           schema.keyword != "EQUILIBRIUM" && schema.keyword != "MATRIX";
      if (count > 0 && !schema.acted_on && matters)
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", schema.keyword, count);
    }
    if (list.empty()) return;
    say(fmt::format(
        "warning: read, not acted on yet: {}; motion, accelerations and reactions do not contain them",
        list));
  }

  bool carry_out(const model::Command& command) {
    const model::Statement& statement = model::statement_of(command);
    const model::Schema& schema = model::schema_of(model::kind_of(command));
    messages_.command(lang::write_statement(schema, statement));
    if (statement.list) {
      const model::Statement* found = schema.has_id ? model_.find(schema.kind, statement.id) : nullptr;
      say(lang::write_statement(schema, found ? *found : statement));
      return true;
    }
    if (const auto* simulate_command = command.as<model::Simulate>()) {
      if (simulate(*simulate_command)) return true;
      if (result_.status == RunStatus::done) result_.status = RunStatus::failed;
      return false;
    }
    if (const auto* on = command.as<model::Activate>()) return switch_elements(*on, true);
    if (const auto* off = command.as<model::Deactivate>()) return switch_elements(*off, false);
    if (const auto* linear = command.as<model::Linear>()) {
      if (assemble(analysis::Upto::accelerations) && run_linear(context(), *linear)) return true;
      result_.status = RunStatus::failed;
      return false;
    }
    if (command.is<model::Stop>()) return false;
    if (const auto* save_command = command.as<model::Save>()) return save_system(*save_command);
    if (const auto* reload = command.as<model::Reload>()) return reload_system(*reload);
    if (schema.where == model::Where::both) {
      if (!model::apply(command, model_))
        return fail(fmt::format("{}: there is none in the model", label(schema, statement)));
      if (!only_a_setting(command)) system_.reset();
      return true;
    }
    const bool harmless = (command.is<model::File>() && command.as<model::File>()->model) ||
                          command.is<model::Help>() || command.is<model::Time>() ||
                          command.is<model::Show>() || command.is<model::Info>();
    if (!harmless) {
      say(fmt::format("error: {} is not carried out by this version; the run stops here", schema.keyword));
      result_.status = RunStatus::incomplete;
    }
    return harmless;
  }

  // Statements that say how to solve, and leave what is solved as it is.
  static bool only_a_setting(const model::Command& command) {
    return command.is<model::Integrator>() || command.is<model::Equilibrium>() ||
           command.is<model::Debug>() || command.is<model::Kinematics>() ||
           command.is<model::InitialConditions>() || command.is<model::Output>();
  }

  // --- SAVE and RELOAD; SYSTEM brings the model too, STATES only where it was.
  bool save_system(const model::Save& command) {
    Saved now;
    now.model = lang::write_model(model_);
    for (const auto& [kind, id] : off_) now.off.emplace_back(model::schema_of(model::Kind{kind}).keyword, id);
    now.assembled = assembled_.has_value();
    if (assembled_) now.from = *assembled_;
    now.spent = spent_;
    if (!command.file) {
      kept_[command.buffer.value_or("")] = std::move(now);
      return true;
    }
    const std::string error = save(now, beside_script(*command.file, ".sav"));
    return error.empty() || fail("SAVE: " + error);
  }

  bool reload_system(const model::Reload& command) {
    Saved then;
    if (command.file) {
      const std::string error = load(beside_script(*command.file, ".sav"), then);
      if (!error.empty()) return fail("RELOAD: " + error);
    } else {
      const auto found = kept_.find(command.buffer.value_or(""));
      if (found == kept_.end()) return fail("RELOAD: nothing was saved under that name in this session");
      then = found->second;
    }
    if (command.content.value() == model::Saved::system || !system_) {
      core::SourceSet sources;
      core::Diagnostics diagnostics;
      model_ = lang::read_model(sources, sources.add("saved model", then.model), diagnostics);
      off_.clear();
      for (const auto& [keyword, id] : then.off) {
        for (const model::Schema& schema : model::all_schemas()) {
          if (schema.keyword == keyword) off_.emplace(schema.kind.index, id);
        }
      }
      system_.reset();
      before_.reset();
    }
    if (!compile()) return false;
    if (!then.assembled) return true;
    const State& s = then.from.state;
    if (s.q.size() != start_.q.size() || s.lambda.size() != start_.lambda.size() ||
        s.memory.size() != start_.memory.size())
      return fail("RELOAD: the states saved are those of another model");
    assembled_ = std::move(then.from);
    spent_ = then.spent;
    if (channels_) channels_->set_spent(spent_);
    keep();
    say(fmt::format("t = {:.6g}: reloaded", assembled_->state.t));
    return true;
  }

  std::string beside_script(const std::string& name, const char* ending) const {
    fs::path path(name);
    if (!path.has_extension()) path += ending;
    const fs::path folder = options_.folder.empty() ? fs::path(".") : fs::path(options_.folder);
    return path.is_absolute() ? path.string() : (folder / path).lexically_normal().string();
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
      return false;
    }
    State start = before_ ? system_->carry_over(*before_, last_) : system_->start();
    start_ = std::move(start);
    assembled_.reset();
    return open_results();
  }

  system::UserCode user_code() {
    return {options_.user_libraries, fs::path(project_.model_path).parent_path().string(),
            options_.ignore_user, [this](const std::string& line) { say(line); }};
  }

  void say_idle() {
    for (const std::string& line : idle_lines(*system_)) {
      if (said_idle_.insert(line).second) say("warning: " + line);
    }
  }

  bool open_results() {
    core::Diagnostics diagnostics;
    const results::ExchangeFiles exchange = options_.exchange.value_or(results::asked_for(model_));
    auto channels = std::make_unique<results::Channels>(
        system_, model_, diagnostics, results::ChannelWishes{options_.output.channels, exchange.any()});
    const auto same = [](const results::Channel& a, const results::Channel& b) { return a.name == b.name; };
    const bool unchanged = channels_ && std::equal(channels->list().begin(), channels->list().end(),
                                                   channels_->list().begin(), channels_->list().end(), same);
    channels_ = std::move(channels);
    channels_->set_spent(spent_);
    if (unchanged && output_.is_open()) return true;
    if (output_.is_open()) {
      result_.rows += result_.files.back().rows = output_.rows();
      output_.close();
    }
    say_warnings(diagnostics);
    ++parts_;
    std::string path = options_.csv;
    if (path.empty()) path = base() + ".csv";
    if (parts_ > 1) {
      // The elements changed, and with them the columns: a file of its own for what follows.
      const fs::path p(path);
      path = (p.parent_path() / fmt::format("{}_{}{}", p.stem().string(), parts_, p.extension().string()))
                 .string();
    }
    auto layouts = results::exchange_writers(model_, *system_, exchange);
    if (!output_.open(path, channels_->list(), texts(), std::move(layouts), channels_->usual()))
      return fail(output_.error());
    phase_.reset();
    if (result_.csv.empty()) result_.csv = path;
    std::string paths;
    for (const std::string& one : output_.paths()) paths += (paths.empty() ? "" : " and ") + one;
    result_.files.push_back({paths});
    return true;
  }

  results::StoreTexts texts() const {
    results::StoreTexts texts;
    texts.model = lang::write_model(model_);
    if (project_.script) texts.script = lang::write_script(*project_.script);
    texts.settings = settings_json(project_, options_);
    return texts;
  }

  void say_warnings(const core::Diagnostics& diagnostics) {
    for (const core::Diagnostic& d : diagnostics.all())
      say(fmt::format("warning: {}: {}", d.subject, d.message));
  }

  bool assemble(analysis::Upto upto) {
    if (!compile()) return false;
    if (assembled_) return true;
    analysis::AssemblySettings settings = analysis::assembly_settings(model_);
    settings.first = !before_;
    assembled_ = analysis::initial_conditions(*system_, start_, settings, upto);
    for (const std::string& line : assembled_->messages) say((assembled_->ok ? "" : "error: ") + line);
    if (!assembled_->ok) say_places(assembled_->messages);
    if (!assembled_->ok) return false;
    keep();
    say(fmt::format("t = {:.6g}: assembled in {} iterations, {} degree{} of freedom", assembled_->state.t,
                    assembled_->iterations, assembled_->freedoms, assembled_->freedoms == 1 ? "" : "s"));
    for (const analysis::RedundantRow& row : assembled_->redundant)
      say("  " + analysis::describe(*system_, row));
    return true;
  }

  // What the next system goes on from, should the model change.
  void keep() {
    before_ = system_;
    last_ = assembled_->state;
  }

  bool write(const State& state, results::Phase phase) {
    if (phase_ != phase) output_.phase(phase);
    phase_ = phase;
    if (phase != results::Phase::dynamics) channels_->no_steps();
    tell_extrapolations(state);
    channels_->sample(state, values_);
    tell_extrapolations(state.t, {});  // requests read splines too
    return output_.row(values_) || fail(output_.error());
  }

  // Once for each SPLINE that is read beyond its points.
  void tell_extrapolations(const State& state) {
    const std::vector<int> ids = system_->tables().read_outside();
    const bool news =
        std::any_of(ids.begin(), ids.end(), [&](int id) { return !told_splines_.contains(id); });
    if (!news) return;
    system::System::Workspace work(*system_);
    tell_extrapolations(state.t, system_->extrapolations(state, work));
  }
  void tell_extrapolations(double t, std::vector<system::System::Extrapolation> all) {
    for (const int id : system_->tables().read_outside()) {
      const expr::SplineRange& range = *system_->tables().range(id);
      all.push_back({id, range.outside.load(), range.min, range.max});
    }
    system_->tables().forget();
    for (const auto& e : all) {
      const model::Spline* spline = model_.find<model::Spline>(e.spline);
      if (!spline || !told_splines_.insert(e.spline).second) continue;
      say(fmt::format(
          "warning: t = {:.9g}: {} is read at x = {:.9g}, outside of its points, {:.9g} to {:.9g}; "
          "{} goes on from the last of them",
          t, label(model_, model::kind_of<model::Spline>(), e.spline), e.x, e.min, e.max,
          spline->linear_extrapolate ? "a straight line" : "the end piece's cubic"));
    }
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
    // States and variables go along with a kinematic motion; the step loop finds both.
    const bool states = system_->layout().mechanical_size() < system_->layout().size();
    if (type == T::dynamics || (assembled_->freedoms > 0 && type != T::kinematics) ||
        (assembled_->freedoms == 0 && states))
      return simulate_dynamics(command, fresh);
    if (assembled_->freedoms > 0) {
      say(fmt::format("error: a kinematic analysis needs a mechanism without freedom; this one has {} left:",
                      assembled_->freedoms));
      for (const std::string& name : analysis::free_coordinates(*system_, *assembled_))
        say("  free: " + name);
      say("  try: a MOTION for each, or SIMULATE/DYNAMICS");
      return false;
    }
    const double begin = assembled_->state.t;
    const double end = command.end ? *command.end : begin + command.duration.value_or(0);
    if (!(end > begin))
      return fail(fmt::format("SIMULATE ends at {:.6g}, but the time is {:.6g} already", end, begin));
    if (!write_start(fresh)) return false;
    bool writing = true;
    const auto result = analysis::kinematics(
        *system_, *assembled_, output_times(command, begin, end), analysis::kinematic_settings(model_),
        [&](const State& state) { writing = writing && write(state, results::Phase::kinematics); });
    keep();
    for (const std::string& line : result.messages) say(line);
    if (result.ok)
      say(fmt::format("t = {:.6g}: kinematic analysis done in {} steps", assembled_->state.t, result.steps));
    return result.ok && writing;
  }

  // The first row, where a system is new.
  bool write_start(bool fresh) {
    return (!fresh && output_.rows() > 0) || write(assembled_->state, results::Phase::initial_conditions);
  }

  AnalysisContext context(results::Phase phase = results::Phase::statics) {
    return {*system_,
            model_,
            *assembled_,
            [this](const std::string& line) { say(line); },
            [this, phase](const State& state) { return write(state, phase); },
            fs::path(result_.csv).replace_extension().string(),
            [this](results::ModeSet modes) {
              if (output_.is_open() && !output_.stores().empty())
                modes_[output_.stores().back()].push_back(std::move(modes));
            },
            [this](const std::vector<std::string>& lines) { say_places(lines); }};
  }

  bool simulate_statics(const model::Simulate& command, bool settle) {
    if (!assemble(analysis::Upto::velocities)) return false;
    std::vector<double> times;
    if (command.end || command.duration) {
      const double begin = assembled_->state.t;
      const double end = command.end ? *command.end : begin + *command.duration;
      if (!(end > begin))
        return fail(fmt::format("SIMULATE ends at {:.6g}, but the time is {:.6g} already", end, begin));
      times = output_times(command, begin, end);
    }
    if (!moving_) moving_ = assembled_->state.v;
    const bool good = run_statics(
        context(times.empty() ? results::Phase::statics : results::Phase::quasi_statics), times, settle);
    keep();
    return good;
  }

  // Statics changes positions only: a motion that follows starts with the velocities there were before.
  void leave_rest() {
    if (!moving_ || !assembled_) return;
    start_ = assembled_->state;
    if (moving_->size() == start_.v.size()) start_.v = *moving_;
    moving_.reset();
    assembled_.reset();
  }

  bool simulate_dynamics(const model::Simulate& command, bool fresh) {
    const analysis::DynamicSettings settings = analysis::dynamic_settings(model_);
    if (!settings.unsupported.empty()) return not_yet(("INTEGRATOR/" + settings.unsupported).c_str());
    const double begin = assembled_->state.t;
    const double end = command.end ? *command.end : begin + command.duration.value_or(0);
    if (!(end > begin))
      return fail(fmt::format("SIMULATE ends at {:.6g}, but the time is {:.6g} already", end, begin));
    if (!write_start(fresh)) return false;
    SimulationReport report = describe(settings, begin, end);
    bool writing = true;
    analysis::DynamicHooks hooks;
    std::optional<analysis::EnergyLedger> ledger;
    if (energy_wanted()) ledger.emplace(*system_, spent_);
    if (ledger) hooks.started = [&](const State& state) { ledger->begin(state); };
    hooks.output = [&](const State& state) {
      if (ledger) channels_->set_spent(spent_ = ledger->at(state.t));
      return writing = write(state, results::Phase::dynamics);
    };
    hooks.interrupted = options_.interrupted;
    hooks.note = [this](const std::string& line) { say(line); };
    DebugPrint debug([this](const std::string& line) { say(line); }, debug_wanted());
    if (debug_wanted().any()) {
      hooks.attempt = [&](const integrate::StepAttempt& a) { debug.step(a); };
      hooks.iteration = [&](const solve::IterationRecord& r, const system::StageSink& sink) {
        debug.iteration(r, sink);
      };
    }
    messages_.begin_table(begin, end);
    long iterations = 0;
    hooks.accepted = [&](const integrate::StepAttempt& a, const State& state) {
      if (a.iterations < iterations) iterations = 0;  // counted anew after a sensor
      const results::StepRecord step{state.t, a.h, a.order,
                                     a.iterations - std::exchange(iterations, a.iterations)};
      channels_->stepped(step);
      output_.step(step);
      messages_.step(state.t, a.h, a.iterations, a.step, a.order);
      if (ledger) ledger->step(state);
      if (options_.progress) options_.progress({begin, end, state.t, a.h, a.order, a.step});
      tell_extrapolations(state);
    };
    add_sensors(hooks);
    const std::vector<double> times = output_times(command, begin, end);
    report.result = analysis::sampled_dynamics(*system_, *assembled_, end, times, settings, hooks);
    bool going = true;
    while (going && writing && report.result.loop.end == integrate::LoopEnd::event) {
      if (ledger) channels_->set_spent(spent_ = ledger->at(assembled_->state.t));
      going = act_on_sensor(system_->sensors()[static_cast<std::size_t>(report.result.loop.event)]);
      if (!going || assembled_->state.t >= end * (1 - 1e-13)) break;
      analysis::DynamicResult more =
          analysis::sampled_dynamics(*system_, *assembled_, end, times, settings, hooks);
      analysis::add_earlier(report.result, more);
      report.result = std::move(more);
    }
    if (ledger) channels_->set_spent(spent_ = ledger->at(assembled_->state.t));
    const bool ended_by_sensor = report.result.loop.end == integrate::LoopEnd::event;
    report.result.ok = report.result.ok || ended_by_sensor;
    keep();
    finish(report);
    if (report.result.loop.end == integrate::LoopEnd::interrupted && writing)
      result_.status = RunStatus::interrupted;
    return report.result.ok && writing && !halted_;
  }

  SimulationReport describe(const analysis::DynamicSettings& settings, double begin, double end) {
    SimulationReport report;
    report.begin = begin;
    report.end = end;
    report.bodies = static_cast<int>(system_->bodies().size());
    report.equations = system_->layout().size();
    report.constraints = system_->layout().row_count();
    report.redundant = static_cast<int>(assembled_->redundant.size());
    report.freedoms = assembled_->freedoms;
    report.settings = settings;
    report.energy_at_start = energy();
    return report;
  }

  // Whether any file takes what only the integrals over all steps can tell.
  bool energy_wanted() const {
    for (const std::size_t place : results::select(channels_->list(), options_.output.channels).places) {
      const std::string& channel = channels_->list()[place].name;
      if (channel == "ENERGY.DISSIPATED" || channel == "ENERGY.WORK" || channel == "ENERGY.BALANCE")
        return true;
    }
    return false;
  }

  double energy() {
    system::System::Workspace work(*system_);
    system_->update(assembled_->state, work);
    const system::Energy e = system_->energy(assembled_->state, work);
    return e.kinetic + e.potential;
  }

  void finish(SimulationReport& report) {
    report.reached = assembled_->state.t;
    report.energy_at_end = energy();
    report.energy_known = true;
    for (const std::string& line : report.result.loop.messages) say(line);
    say_places(report.result.loop.messages);
    say(termination(report));
    if (options_.report) say(text(report));
    reports_.push_back(std::move(report));
  }

  // --- SENSOR
  void add_sensors(analysis::DynamicHooks& hooks) {
    for (const system::Sensor& sensor : system_->sensors()) {
      integrate::Event event;
      const double value = sensor.statement.value.value_or(0);
      using C = model::Sensor::Comparison;
      const C comparison = sensor.statement.comparison.value_or(C::eq);
      event.tolerance = sensor.statement.error.value_or(1e-3);
      event.both_ways = comparison == C::eq;
      const double sign = comparison == C::le ? -1 : 1;
      const bool angle = sensor.statement.angle;
      event.value = [this, &sensor, value, sign, angle](const State& state, system::System::Workspace& work) {
        const double off = system_->watch(sensor, state, work) - value;
        return sign * (angle ? std::remainder(off, 2 * kPi) : off);
      };
      hooks.events.push_back(std::move(event));
    }
  }

  // False: the simulation ends here.
  bool act_on_sensor(const system::Sensor& sensor) {
    const model::Sensor& s = sensor.statement;
    State& state = assembled_->state;
    system::System::Workspace work(*system_);
    system_->update(state, work);
    if (s.evaluate.given())
      state.memory[static_cast<std::size_t>(sensor.memory)] = system_->evaluate(sensor, state, work);
    const bool stops = s.halt || s.return_;
    say(fmt::format("t = {:.9g}: {} acts{}", state.t, sensor.label,
                    s.halt      ? ", the run halts"
                    : s.return_ ? ", the simulation returns"
                                : ""));
    if ((s.print || stops) && !write(state, results::Phase::dynamics)) return false;
    halted_ = s.halt;
    return !stops;
  }

  DebugPrint::Wanted debug_wanted() const {
    const model::Debug* debug = model_.single<model::Debug>();
    const auto on = [](const auto& choice) { return choice.given() && choice.value() == model::Switch::on; };
    if (!debug) return {};
    return {on(debug->eprint), on(debug->rhsdump), on(debug->jmdump), on(debug->dump)};
  }

  // INITIAL_CONDITIONS, DISPLACEMENT or VELOCITY: the lower levels only, and no row of results.
  bool only_upto(analysis::Upto upto) {
    if (!compile()) return false;
    analysis::AssemblySettings settings = analysis::assembly_settings(model_);
    settings.first = !before_;
    const auto result = analysis::initial_conditions(*system_, start_, settings, upto);
    for (const std::string& line : result.messages) say((result.ok ? "" : "error: ") + line);
    if (!result.ok) say_places(result.messages);
    if (!result.ok) return false;
    start_ = result.state;
    assembled_.reset();
    say(fmt::format("t = {:.6g}: positions{} are consistent", start_.t,
                    upto == analysis::Upto::positions ? "" : " and velocities"));
    return true;
  }

  static std::vector<double> output_times(const model::Simulate& command, double begin, double end) {
    std::vector<double> times;
    if (command.dtout && *command.dtout > 0) {
      // Whole steps of DTOUT; the last one may be shorter.
      constexpr double kRounding = 1e-9;
      const double count = std::floor((end - begin) / *command.dtout * (1 + kRounding));
      for (double k = 1; k <= count; ++k) times.push_back(begin + k * *command.dtout);
      if (times.empty() || times.back() < end - kRounding * (end - begin)) times.push_back(end);
      times.back() = std::min(times.back(), end);
    } else {
      const int steps = std::max(1, command.steps.value_or(1));
      for (int k = 1; k <= steps; ++k) times.push_back(k == steps ? end : begin + (end - begin) * k / steps);
    }
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
  std::unique_ptr<results::Channels> channels_;
  system::Power spent_;  // in the motions so far
  results::Recorder output_;
  std::vector<double> values_;
  std::optional<results::Phase> phase_;  // of the row before
  int parts_ = 0;
  std::vector<SimulationReport> reports_;
  std::map<std::string, Saved> kept_;                           // by SAVE in memory
  std::map<std::string, std::vector<results::ModeSet>> modes_;  // by path of the store they belong to
  std::set<std::string> said_idle_;
  std::set<int> told_splines_;
  bool halted_ = false;  // by a SENSOR
  RunResult result_;
};

}  // namespace

RunResult run(const Project& project, const RunOptions& options,
              const std::function<void(const std::string&)>& say) {
  return Runner(project, options, say).run();
}

AssemblyReport try_assembly(const model::Model& model, const system::UserCode& user) {
  AssemblyReport report;
  core::Diagnostics diagnostics;
  const auto system = system::compile(model, {}, diagnostics, 0, user);
  if (!system) {
    diagnostics.sort();
    report.findings = diagnostics.all();
    for (const core::Diagnostic& d : report.findings)
      report.messages.push_back(fmt::format("{}: {}", d.subject, d.message));
    return report;
  }
  report.compiled = true;
  report.idle = idle_lines(*system);
  analysis::AssemblyResult result;
  try {
    result = analysis::initial_conditions(*system, system->start(), analysis::assembly_settings(model),
                                          analysis::Upto::accelerations);
  } catch (const elements::UserCodeError& e) {
    report.messages.push_back(e.what());
    return report;
  }
  report.assembled = result.ok;
  report.freedoms = result.freedoms;
  report.messages = result.messages;
  if (!result.ok) {
    for (std::string& line : system->user_troubles()) report.messages.push_back(std::move(line));
  }
  for (const analysis::RedundantRow& row : result.redundant)
    report.redundant.push_back(analysis::describe(*system, row));
  return report;
}

}  // namespace trunnion::api
