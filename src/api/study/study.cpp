#include "api/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/dynamics/energy_ledger.hpp"
#include "analysis/dynamics/sampled.hpp"
#include "analysis/initial/accelerations.hpp"
#include "api/session/session.hpp"
#include "model/merge.hpp"

namespace trunnion::api {

using assembly::State;

namespace {

// The motion that all runs share.
struct Motion {
  std::shared_ptr<const system::System> system;
  analysis::AssemblyResult start;
  double end = 0;
  math::OutputTimes times;
};

// What a run is asked for.
struct Setting {
  FormulaChoice formula;
  double h = 0, error = 0;
};

struct Rows {
  std::vector<State> states;
  std::vector<std::size_t> which;  // of the times at which runs are compared

  void add(const State& state, std::size_t k) {
    states.push_back(state);
    which.push_back(k);
  }
  void clear() { *this = {}; }
};

// Of the compiler, without what the checks said of the project before.
std::string new_warnings(const core::Diagnostics& compiled, const Project& project) {
  const auto& said = project.diagnostics.all();
  core::Diagnostics fresh;
  for (const core::Diagnostic& d : compiled.all()) {
    const bool known = std::any_of(said.begin(), said.end(), [&](const core::Diagnostic& other) {
      return other.subject == d.subject && other.message == d.message;
    });
    if (!known && d.severity == core::Severity::warning) fresh.warning(d.span, d.subject, d.message, d.hint);
  }
  return core::render(fresh, project.sources);
}

class Studying {
 public:
  Studying(const Project& project, const StudyOptions& options)
      : project_(project), options_(options), model_(*project.model) {}

  Study run() {
    if (!prepare()) return std::move(study_);
    std::vector<Rows> rows;
    for (const FormulaChoice& formula : options_.formulas) {
      const bool fixed = !options_.steps.empty();
      for (const double x : fixed ? options_.steps : options_.errors) {
        if (options_.interrupted && options_.interrupted()) {
          study_.messages.push_back("interrupted");
          return std::move(study_);
        }
        rows.emplace_back();
        study_.runs.push_back(one({formula, fixed ? x : 0, fixed ? 0 : x}, rows.back()));
      }
    }
    const Rows truth = reference();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!study_.runs[k].done) continue;
      study_.runs[k].off = apart(rows[k], truth);
      tell_rows(study_.runs[k], rows[k]);
    }
    find_orders();
    study_.ok = study_.reference.done;
    return std::move(study_);
  }

  bool prepare() {
    Session session(model_);
    if (session.compile() == Session::Compiled::failed)
      return refuse("the model cannot be simulated: `trunnion check` says why");
    study_.warnings = new_warnings(session.diagnostics(), project_);
    if (!go_to_start(session)) return false;
    session.leave_rest();
    if (!session.assemble()) {
      if (session.assembled())
        for (const std::string& line : session.place().messages) study_.messages.push_back(line);
      return refuse("the model does not assemble");
    }
    motion_.system = session.system();
    motion_.start = session.place();
    return find_span();
  }

  StudyRun one(const Setting& setting, Rows& rows) {
    StudyRun run;
    run.formula = setting.formula;
    run.h = setting.h;
    run.error = setting.error;
    if (options_.progress)
      options_.progress(fmt::format(
          "{} {}", setting.formula.name(),
          setting.h > 0 ? fmt::format("H = {:g}", setting.h) : fmt::format("ERROR = {:g}", setting.error)));
    simulate(settings_of(setting), run, rows);
    return run;
  }

  // By these settings; the rows are the formula's own values where its steps are fixed and meet them, otherwise
  // interpolated and made consistent. A formula over independent coordinates has no reactions of its own: they are those of the
  // equations of motion.
  void simulate(const analysis::DynamicSettings& settings, StudyRun& run, Rows& rows) {
    if (!settings.failed.empty()) {
      run.failure = settings.failed.front();
      return;
    }
    analysis::AssemblyResult from = motion_.start;
    analysis::EnergyLedger ledger(*motion_.system, settings.mode, {});
    double energy_start = 0, largest = 0;
    analysis::DynamicHooks hooks;
    hooks.interrupted = options_.interrupted;
    hooks.started = [&](const State& state) {
      ledger.begin(state);
      energy_start = ledger.energy().kinetic + ledger.energy().potential;
    };
    std::size_t next = 0;
    hooks.rough = [&](const State& state) { return ledger.rough(state); };
    hooks.balanced = [&](const State& state) {
      ledger.step(state);
      largest = std::max({largest, ledger.energy().kinetic, std::abs(ledger.energy().potential)});
    };
    hooks.accepted = [&](const integrate::StepAttempt&, const State& state) {
      if (settings.h == 0) return;
      const double near = 1e-6 * settings.h;
      while (next < motion_.times.size() && motion_.times[next] < state.t - near) ++next;  // stepped over
      if (next < motion_.times.size() && motion_.times[next] < state.t + near) rows.add(state, next++);
    };
    if (settings.h == 0)
      hooks.output = [&](const State& state) {
        rows.add(state, next++);
        return true;
      };
    const std::clock_t began = std::clock();
    const analysis::DynamicResult result =
        analysis::sampled_dynamics(*motion_.system, from, motion_.end,
                                   settings.h > 0 ? math::OutputTimes{} : motion_.times, settings, hooks);
    run.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    if (settings.h > 0 && !implicitly(*settings.formula)) make_consistent(rows);
    run.done = result.ok;
    run.steps = result.loop.counts.steps;
    run.iterations = result.corrector.iterations;
    run.evaluations = result.corrector.evaluations;
    run.matrices = result.corrector.factorisations + result.corrector.refactorisations;
    if (!result.ok) run.failure = result.loop.messages.empty() ? "stopped" : result.loop.messages.front();
    const system::Power spent = ledger.at(from.state.t);
    const double balance =
        ledger.energy().kinetic + ledger.energy().potential - energy_start + spent.dissipated - spent.work;
    run.energy = largest > 0 ? balance / largest : balance;
  }

  // Accelerations and reactions that the equations of motion have at the rows' positions and velocities.
  void make_consistent(Rows& rows) const {
    system::System::Workspace work(*motion_.system, assembly::AnalysisMode::dynamics);
    core::Words ignored;
    for (State& state : rows.states) {
      State exact = state;
      if (analysis::solve_accelerations(*motion_.system, motion_.start.active, exact, work, ignored))
        state = std::move(exact);
    }
  }

  Off apart(const Rows& rows, const Rows& truth) const {
    Off off, size;
    const assembly::Layout& layout = motion_.system->layout();
    Eigen::VectorXd d(layout.size());
    const auto largest = [](const auto& v) {
      return v.size() > 0 ? v.template lpNorm<Eigen::Infinity>() : 0.0;
    };
    for (std::size_t k = 0, j = 0; k < rows.states.size(); ++k) {
      while (j < truth.which.size() && truth.which[j] < rows.which[k]) ++j;
      if (j == truth.which.size()) break;
      if (truth.which[j] != rows.which[k]) continue;
      const State &x = rows.states[k], &y = truth.states[j];
      assembly::difference(layout, y.q, x.q, d);
      off.q = std::max(off.q, largest(d));
      off.v = std::max(off.v, largest(x.v - y.v));
      off.a = std::max(off.a, largest(x.a - y.a));
      off.lambda = std::max(off.lambda, largest(x.lambda - y.lambda));
      assembly::difference(layout, truth.states.front().q, y.q, d);
      size.q = std::max(size.q, largest(d));
      size.v = std::max(size.v, largest(y.v));
      size.a = std::max(size.a, largest(y.a));
      size.lambda = std::max(size.lambda, largest(y.lambda));
    }
    constexpr double kNothing = 1e-9;  // where nothing moves, rounding over rounding says nothing
    const auto over = [&](double& x, double by) { x /= std::max(by, kNothing); };
    over(off.q, size.q);
    over(off.v, size.v);
    over(off.a, size.a);
    over(off.lambda, size.lambda);
    return off;
  }

  Study& result() { return study_; }
  const model::Model& model() const { return model_; }
  const Motion& motion() const { return motion_; }

 private:
  static bool implicitly(const formulas::Entry& entry) {
    return !formulas::on_independent_coordinates(entry) && !formulas::is<formulas::AutomaticType>(entry);
  }

  bool refuse(std::string why) {
    study_.messages.push_back(std::move(why));
    return false;
  }

  void tell_left_out(const model::Command& command) {
    if (command.is<model::Integrator>() || command.is<model::File>() || command.is<model::Linear>()) return;
    study_.messages.push_back(
        fmt::format("warning: {} before SIMULATE/DYNAMICS is not carried out in a study",
                    model::schema_of(command.kind()).keyword));
  }

  // The script up to its first motion: settings of INTEGRATOR, equilibria that it starts from.
  bool go_to_start(Session& session) {
    if (!project_.script) return true;
    for (const model::Command& command : project_.script->commands) {
      if (command.is<model::Integrator>()) model::apply(command, model_);
      const auto* simulate = command.as<model::Simulate>();
      if (simulate == nullptr) {
        tell_left_out(command);
        continue;
      }
      const auto type = simulate->type.value_or(model::Simulate::Type::dynamics);
      if (type == model::Simulate::Type::initial_conditions) continue;
      if (type != model::Simulate::Type::statics || simulate->end || simulate->duration) {
        simulate_ = simulate;
        return true;
      }
      const analysis::StaticResult found = session.equilibrium();
      if (found.ok) continue;
      for (const std::string& line : found.messages) study_.messages.push_back(line);
      return refuse("the equilibrium that the motion starts from was not found");
    }
    return true;
  }

  // From the script's simulation, or as asked for.
  bool find_span() {
    std::optional<double> end = options_.end, dtout;
    std::optional<int> rows = options_.rows;
    if (simulate_ != nullptr) {
      if (!end && simulate_->end) end = simulate_->end;
      if (!end && simulate_->duration) end = motion_.start.state.t + *simulate_->duration;
      if (!rows) {
        rows = simulate_->steps;
        dtout = simulate_->dtout;
      }
    }
    const double begin = motion_.start.state.t;
    if (!end || !(*end > begin))
      return refuse(
          "how long to simulate is not known: give a script with SIMULATE/DYNAMICS, END=…, or --end");
    motion_.end = *end;
    constexpr int kRows = 50;
    motion_.times = !rows && dtout
                        ? math::OutputTimes::every(*dtout, begin, *end)
                        : math::OutputTimes::parts(
                              static_cast<std::size_t>(std::max(1, rows.value_or(kRows))), begin, *end);
    study_.motion =
        fmt::format("{}, t = {:g} … {:g}, {} rows", project_.model_path, begin, *end, motion_.times.size());
    return true;
  }

  analysis::DynamicSettings settings_of(const Setting& setting) const {
    model::Integrator integrator;
    if (const model::Integrator* given = model_.single<model::Integrator>()) integrator = *given;
    integrator.method = static_cast<model::Integrator::Method>(setting.formula.index);
    integrator.formulation =
        setting.formula.si2 ? model::Integrator::Formulation::si2 : model::Integrator::Formulation::i3;
    if (setting.formula.entry().damping == formulas::Damping::rho)
      integrator.rho = setting.formula.rho_used();
    integrator.h.reset();
    if (setting.h > 0) {
      integrator.h = setting.h;
      // Iterations must not be seen in the errors.
      constexpr double kTight = 1e-10;
      integrator.error = kTight;
      integrator.maxit = std::max(integrator.maxit.value_or(0), 25);
    } else {
      integrator.error = setting.error;
    }
    return analysis::dynamic_settings(model_, integrator);
  }

  // A step that meets the rows.
  double meeting_rows(double h) const {
    const double between = motion_.times.longest_step(motion_.start.state.t);
    return between / std::max(1.0, std::ceil(between / h * (1 - 1e-9)));
  }

  // Values between steps are of another order than the formula: they are left out, and that is told.
  void tell_rows(const StudyRun& run, const Rows& rows) {
    if (run.h == 0 || rows.states.size() == motion_.times.size()) return;
    study_.messages.push_back(fmt::format(
        "{} H={:g}: its steps meet {} of the {} rows and are compared there; steps that divide {:g} "
        "meet all",
        run.formula.name(), run.h, rows.states.size(), motion_.times.size(),
        motion_.times.longest_step(motion_.start.state.t)));
  }

  // More than once, to tell how far it can be trusted itself. Its reactions are consistent, which makes them as exact as its velocities:
  // a formula's own may be of a lower order.
  Rows reference() {
    Setting setting{options_.reference.value_or(FormulaChoice{formulas::index_of("ESDIRK46"), {}, true})};
    const bool fixed = !options_.steps.empty();
    const auto& ladder = fixed ? options_.steps : options_.errors;
    const double finest = *std::min_element(ladder.begin(), ladder.end());
    (fixed ? setting.h : setting.error) = finest / (options_.reference_finer > 0 ? options_.reference_finer
                                                    : fixed                      ? 2
                                                                                 : 30);
    // Steps twice as long come first: what they are off by tells whether an error or rounding is seen.
    constexpr double kFiner = 2, kTighter = 10;
    std::optional<Rows> coarser;
    if (fixed) {
      setting.h = meeting_rows(kFiner * setting.h);
      coarser.emplace();
      if (!consistent(setting, *coarser).done) coarser.reset();
      setting.h /= kFiner;
    }
    Rows rows, finer;
    study_.reference = consistent(setting, rows);
    (fixed ? setting.h /= kFiner : setting.error /= kTighter);
    StudyRun again = consistent(setting, finer);
    if (again.done) {
      study_.reference_off = apart(rows, finer);
      if (coarser && study_.reference.done) judge_reference(apart(*coarser, rows));
      study_.reference = std::move(again);
      rows = std::move(finer);
    }
    if (!study_.reference.done)
      study_.messages.push_back("the reference failed: " + study_.reference.failure);
    return rows;
  }

  StudyRun consistent(const Setting& setting, Rows& rows) {
    StudyRun run = one(setting, rows);
    make_consistent(rows);
    return run;
  }

  // What the reference changes by from step to step. Rounding changes it by more or less as chance has it: the larger of both.
  void judge_reference(const Off& before) {
    constexpr double kFalls = 2;
    for (double Off::*kind : {&Off::q, &Off::v, &Off::a, &Off::lambda}) {
      const double change = study_.reference_off.*kind;
      study_.reference_error.*kind = std::max(before.*kind, change);
      study_.reference_rounds.*kind = before.*kind > kFalls * change ? 0 : 1;
    }
  }

  void find_orders() {
    for (std::size_t k = 1; k < study_.runs.size(); ++k) {
      StudyRun &before = study_.runs[k - 1], &here = study_.runs[k];
      if (!here.done || !before.done || here.formula.name() != before.formula.name()) continue;
      const double ratio = here.h > 0 ? before.h / here.h : 0;
      if (!(ratio > 0) || ratio == 1) continue;
      constexpr double kUnknown = 5, kStays = 1.4;
      const auto order = [&](double Off::*kind) {
        const double coarse = before.off.*kind, fine = here.off.*kind;
        if (std::min(coarse, fine) > kUnknown * study_.reference_error.*kind)
          return std::log(coarse / fine) / std::log(ratio);
        // What stays although the reference is finer than it.
        const bool stays = coarse < kStays * fine && fine > study_.reference_off.*kind;
        const bool rounding = study_.reference_rounds.*kind > 0 || stays;
        return rounding ? kAtRounding : std::numeric_limits<double>::quiet_NaN();
      };
      here.order = Off{order(&Off::q), order(&Off::v), order(&Off::a), order(&Off::lambda)};
    }
  }

  const Project& project_;
  const StudyOptions& options_;
  model::Model model_;                         // with the script's INTEGRATOR
  const model::Simulate* simulate_ = nullptr;  // the motion in the script
  Motion motion_;
  Study study_;
};

}  // namespace

Study study(const Project& project, const StudyOptions& options) { return Studying(project, options).run(); }

namespace {

// The procedure of `validate`, a line a run.
class Validating {
 public:
  Validating(const Project& project, const StudyOptions& options) : studying_(project, options) {}

  Validation run() {
    if (!studying_.prepare()) {
      for (const std::string& line : studying_.result().messages) out_.lines.push_back(line);
      return std::move(out_);
    }
    out_.warnings = studying_.result().warnings;
    model::Integrator in;
    const model::Model& model = studying_.model();
    if (const model::Integrator* given = model.single<model::Integrator>()) in = *given;
    const analysis::DynamicSettings first = analysis::dynamic_settings(model, in);
    name_ = std::string(first.formula->keyword);
    Rows as_it_is;
    if (!try_with("as it is", first, as_it_is)) return failed("as it is");
    double worst = 0;
    Rows before = as_it_is;
    Rows rows;
    std::string remedy;
    if (first.h > 0) {
      // ERROR and HMAX change nothing where the step is fixed.
      in.h = first.h / 2;
      remedy = fmt::format("H = {:g}", *in.h);
      if (!try_with(remedy, analysis::dynamic_settings(model, in), rows)) return failed("half of H");
      worst = std::max(worst, told(before, rows));
    } else {
      in.error = first.error / kTighter;
      remedy = fmt::format("ERROR = {:g}", *in.error);
      const analysis::DynamicSettings tighter = analysis::dynamic_settings(model, in);
      if (!try_with(remedy, tighter, rows)) return failed("a smaller ERROR");
      worst = std::max(worst, told(before, rows));
      before = rows;
      in.hmax = analysis::step_limits(tighter, studying_.motion().start.state.t, studying_.motion().end,
                                      studying_.motion().times)
                    .hmax /
                2;
      if (!try_with(fmt::format("and HMAX = {:g}", *in.hmax), analysis::dynamic_settings(model, in), rows))
        return failed("half of HMAX");
      told(before, rows);
      worst = std::max(worst, largest(studying_.apart(as_it_is, rows)));
    }
    if (first.formula->si2 && first.formulation != model::Integrator::Formulation::si2) {
      before = rows;
      in.formulation = model::Integrator::Formulation::si2;
      if (!try_with("and SI2", analysis::dynamic_settings(model, in), rows)) return failed("SI2");
      told(before, rows);
      worst = std::max(worst, largest(studying_.apart(as_it_is, rows)));
    }
    return verdict(worst, remedy);
  }

 private:
  static constexpr double kTighter = 10, kTrusted = 1e-2;
  static double largest(const Off& off) { return std::max(off.q, off.v); }

  Validation verdict(double worst, const std::string& remedy) {
    out_.ok = worst < kTrusted;
    out_.lines.push_back(
        out_.ok ? fmt::format("verdict: yes, this run may be trusted to {:.1g} of the size of its results",
                              std::max(worst, 1e-16))
                : fmt::format(
                      "verdict: no, its results still change by {:.2g} of their size: take {} and try again",
                      worst, remedy));
    return std::move(out_);
  }

  bool try_with(const std::string& what, const analysis::DynamicSettings& settings, Rows& rows) {
    rows.clear();
    run_ = {};
    studying_.simulate(settings, run_, rows);
    line_ = fmt::format("{} {:24} {:7} steps, energy {:9.1e}", name_, what, run_.steps, run_.energy);
    if (run_.done && out_.lines.empty()) out_.lines.push_back(line_);
    return run_.done;
  }
  // What the last run changed, said.
  double told(const Rows& before, const Rows& rows) {
    const Off off = studying_.apart(before, rows);
    out_.lines.push_back(line_ + fmt::format(", changes q {:.1e}, v {:.1e}, a {:.1e}, λ {:.1e}", off.q, off.v,
                                             off.a, off.lambda));
    return largest(off);
  }
  Validation failed(const std::string& what) {
    out_.lines.push_back(fmt::format("verdict: no, the run fails with {}: {}", what, run_.failure));
    return std::move(out_);
  }

  Studying studying_;
  Validation out_;
  StudyRun run_;
  std::string name_, line_;
};

}  // namespace

Validation validate(const Project& project, const StudyOptions& options) {
  return Validating(project, options).run();
}

}  // namespace trunnion::api
