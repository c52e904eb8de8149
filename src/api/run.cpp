#include "api/run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "analysis/dynamics.hpp"
#include "analysis/initial_conditions.hpp"
#include "analysis/kinematics.hpp"
#include "api/run_statics.hpp"
#include "lang/writer.hpp"
#include "model/merge.hpp"
#include "results/csv.hpp"
#include "system/compile.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using assembly::State;
using model::kind_of;

namespace {

class Runner {
 public:
  Runner(const Project& project, const RunOptions& options,
         const std::function<void(const std::string&)>& say)
      : project_(project), options_(options), say_(say), model_(*project.model) {}

  RunResult run() {
    warn_of_missing();
    if (!project_.script) {
      const bool good = simulate(initial_conditions_only());
      result_.status = good ? RunStatus::done : RunStatus::failed;
    } else {
      for (const model::Command& command : project_.script->commands) {
        if (!carry_out(command)) break;
      }
    }
    if (csv_.is_open()) {
      result_.rows += csv_.rows();
      if (!csv_.close()) fail(csv_.error());
    }
    return result_;
  }

 private:
  static model::Simulate initial_conditions_only() {
    model::Simulate simulate;
    simulate.type = model::Simulate::Type::initial_conditions;
    return simulate;
  }

  bool fail(const std::string& message) {
    say_("error: " + message);
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
    say_(fmt::format(
        "warning: read, not acted on yet: {}; motion, accelerations and reactions do not contain them",
        list));
  }

  bool carry_out(const model::Command& command) {
    const model::Statement& statement = model::statement_of(command);
    const model::Schema& schema = model::schema_of(model::kind_of(command));
    if (statement.list) {
      const model::Statement* found = schema.has_id ? model_.find(schema.kind, statement.id) : nullptr;
      say_(lang::write_statement(schema, found ? *found : statement));
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
    if (schema.where == model::Where::both) {
      if (!model::apply(command, model_))
        return fail(fmt::format("{}: there is none in the model", label(schema, statement)));
      system_.reset();
      return true;
    }
    const bool harmless = (command.is<model::File>() && command.as<model::File>()->model) ||
                          command.is<model::Help>() || command.is<model::Time>() ||
                          command.is<model::Show>() || command.is<model::Info>();
    if (!harmless) {
      say_(fmt::format("error: {} is not carried out by this version; the run stops here", schema.keyword));
      result_.status = RunStatus::incomplete;
    }
    return harmless;
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
    system_ = system::compile(model_, inactive, diagnostics, before_ ? last_.t : 0.0);
    if (!system_) {
      diagnostics.sort();
      say_(core::render(diagnostics, project_.sources));
      return false;
    }
    State start = before_ ? system_->carry_over(*before_, last_) : system_->start();
    start_ = std::move(start);
    assembled_.reset();
    return open_results();
  }

  bool open_results() {
    core::Diagnostics diagnostics;
    auto channels = std::make_unique<results::Channels>(system_, model_, diagnostics);
    const auto same = [](const results::Channel& a, const results::Channel& b) { return a.name == b.name; };
    const bool unchanged = channels_ && std::equal(channels->list().begin(), channels->list().end(),
                                                   channels_->list().begin(), channels_->list().end(), same);
    channels_ = std::move(channels);
    if (unchanged && csv_.is_open()) return true;
    if (csv_.is_open()) {
      result_.rows += csv_.rows();
      csv_.close();
    }
    say_warnings(diagnostics);
    ++parts_;
    std::string path = options_.csv;
    if (path.empty()) {
      std::string prefix = options_.prefix;
      if (prefix.empty() && project_.script && project_.script->output_prefix)
        prefix = *project_.script->output_prefix;
      if (prefix.empty()) prefix = fs::path(project_.model_path).stem().string();
      const fs::path folder = options_.folder.empty() ? fs::path(".") : fs::path(options_.folder);
      std::error_code code;
      fs::create_directories(folder, code);
      path = (folder / (prefix + ".csv")).lexically_normal().string();
    }
    if (parts_ > 1) {
      // The elements changed, and with them the columns: a file of its own for what follows.
      const fs::path p(path);
      path = (p.parent_path() / fmt::format("{}_{}{}", p.stem().string(), parts_, p.extension().string()))
                 .string();
    }
    if (!csv_.open(path, channels_->list())) return fail(csv_.error());
    if (result_.csv.empty()) result_.csv = path;
    return true;
  }

  void say_warnings(const core::Diagnostics& diagnostics) {
    for (const core::Diagnostic& d : diagnostics.all())
      say_(fmt::format("warning: {}: {}", d.subject, d.message));
  }

  bool assemble(analysis::Upto upto) {
    if (!compile()) return false;
    if (assembled_) return true;
    analysis::AssemblySettings settings = analysis::assembly_settings(model_);
    settings.first = !before_;
    assembled_ = analysis::initial_conditions(*system_, start_, settings, upto);
    for (const std::string& line : assembled_->messages) say_((assembled_->ok ? "" : "error: ") + line);
    if (!assembled_->ok) return false;
    keep();
    say_(fmt::format("t = {:.6g}: assembled in {} iterations, {} degree{} of freedom", assembled_->state.t,
                     assembled_->iterations, assembled_->freedoms, assembled_->freedoms == 1 ? "" : "s"));
    for (const analysis::RedundantRow& row : assembled_->redundant)
      say_("  " + analysis::describe(*system_, row));
    return true;
  }

  // What the next system goes on from, should the model change.
  void keep() {
    before_ = system_;
    last_ = assembled_->state;
  }

  bool write(const State& state) {
    channels_->sample(state, values_);
    return csv_.row(values_) || fail(csv_.error());
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
      return assemble(analysis::Upto::accelerations) && write(assembled_->state);
    }
    if (type == T::statics || type == T::settle) return simulate_statics(command, type == T::settle);
    leave_rest();
    const bool fresh = !system_;
    if (!assemble(analysis::Upto::accelerations)) return false;
    if (type == T::dynamics || (assembled_->freedoms > 0 && type != T::kinematics))
      return simulate_dynamics(command, fresh);
    if (assembled_->freedoms > 0) {
      say_(fmt::format("error: a kinematic analysis needs a mechanism without freedom; this one has {} left:",
                       assembled_->freedoms));
      for (const std::string& name : analysis::free_coordinates(*system_, *assembled_))
        say_("  free: " + name);
      say_("  try: a MOTION for each, or SIMULATE/DYNAMICS");
      return false;
    }
    const double begin = assembled_->state.t;
    const double end = command.end ? *command.end : begin + command.duration.value_or(0);
    if (!(end > begin))
      return fail(fmt::format("SIMULATE ends at {:.6g}, but the time is {:.6g} already", end, begin));
    if ((fresh || csv_.rows() == 0) && !write(assembled_->state)) return false;
    bool writing = true;
    const auto result = analysis::kinematics(*system_, *assembled_, output_times(command, begin, end),
                                             analysis::kinematic_settings(model_),
                                             [&](const State& state) { writing = writing && write(state); });
    keep();
    for (const std::string& line : result.messages) say_(line);
    if (result.ok)
      say_(fmt::format("t = {:.6g}: kinematic analysis done in {} steps", assembled_->state.t, result.steps));
    return result.ok && writing;
  }

  AnalysisContext context() {
    return {*system_,
            model_,
            *assembled_,
            say_,
            [this](const State& state) { return write(state); },
            fs::path(result_.csv).replace_extension().string()};
  }

  bool simulate_statics(const model::Simulate& command, bool settle) {
    if (!assemble(analysis::Upto::accelerations)) return false;
    std::vector<double> times;
    if (command.end || command.duration) {
      const double begin = assembled_->state.t;
      const double end = command.end ? *command.end : begin + *command.duration;
      if (!(end > begin))
        return fail(fmt::format("SIMULATE ends at {:.6g}, but the time is {:.6g} already", end, begin));
      times = output_times(command, begin, end);
    }
    if (!moving_) moving_ = assembled_->state.v;
    const bool good = run_statics(context(), times, settle);
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
    if ((fresh || csv_.rows() == 0) && !write(assembled_->state)) return false;
    bool writing = true;
    analysis::DynamicHooks hooks;
    hooks.output = [&](const State& state) { return writing = write(state); };
    const auto result =
        analysis::dynamics(*system_, *assembled_, end, output_times(command, begin, end), settings, hooks);
    keep();
    for (const std::string& line : result.loop.messages) say_(line);
    const auto& c = result.loop.counts;
    say_(fmt::format(
        "t = {:.6g}: {} steps, rejected {} by error {} by corrector, {} iterations, {} matrices {} pivoted",
        assembled_->state.t, c.steps, c.rejected_by_error, c.rejected_by_corrector,
        result.corrector.iterations, result.corrector.factorisations + result.corrector.refactorisations,
        result.corrector.factorisations));
    say_(fmt::format("{:.3f} s: evaluating {:.3f}, factoring {:.3f}, solving {:.3f}, output {:.3f}",
                     result.seconds, result.seconds_evaluating, result.seconds_factoring,
                     result.seconds_solving, c.seconds_output));
    std::string orders;
    for (std::size_t k = 1; k < c.order.size(); ++k)
      if (c.order[k]) orders += fmt::format(" {}:{}", k, c.order[k]);
    say_("orders" + orders);
    return result.ok && writing;
  }

  // INITIAL_CONDITIONS, DISPLACEMENT or VELOCITY: the lower levels only, and no row of results.
  bool only_upto(analysis::Upto upto) {
    if (!compile()) return false;
    analysis::AssemblySettings settings = analysis::assembly_settings(model_);
    settings.first = !before_;
    const auto result = analysis::initial_conditions(*system_, start_, settings, upto);
    for (const std::string& line : result.messages) say_((result.ok ? "" : "error: ") + line);
    if (!result.ok) return false;
    start_ = result.state;
    assembled_.reset();
    say_(fmt::format("t = {:.6g}: positions{} are consistent", start_.t,
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
    say_(fmt::format("error: {} is not in this version; the run stops here", what));
    result_.status = RunStatus::incomplete;
    return false;
  }

  const Project& project_;
  const RunOptions& options_;
  const std::function<void(const std::string&)>& say_;
  model::Model model_;
  std::set<std::pair<int, int>> off_;                      // switched off: kind and id
  std::shared_ptr<const system::System> system_, before_;  // now, and the one that last_ belongs to
  State start_, last_;
  std::optional<analysis::AssemblyResult> assembled_;
  std::optional<Eigen::VectorXd> moving_;  // velocities before statics
  std::unique_ptr<results::Channels> channels_;
  results::CsvWriter csv_;
  std::vector<double> values_;
  int parts_ = 0;
  RunResult result_;
};

}  // namespace

RunResult run(const Project& project, const RunOptions& options,
              const std::function<void(const std::string&)>& say) {
  return Runner(project, options, say).run();
}

AssemblyReport try_assembly(const model::Model& model) {
  AssemblyReport report;
  core::Diagnostics diagnostics;
  const auto system = system::compile(model, {}, diagnostics);
  if (!system) {
    diagnostics.sort();
    report.findings = diagnostics.all();
    for (const core::Diagnostic& d : report.findings)
      report.messages.push_back(fmt::format("{}: {}", d.subject, d.message));
    return report;
  }
  report.compiled = true;
  const auto result = analysis::initial_conditions(
      *system, system->start(), analysis::assembly_settings(model), analysis::Upto::accelerations);
  report.assembled = result.ok;
  report.freedoms = result.freedoms;
  report.messages = result.messages;
  for (const analysis::RedundantRow& row : result.redundant)
    report.redundant.push_back(analysis::describe(*system, row));
  return report;
}

}  // namespace trunnion::api
