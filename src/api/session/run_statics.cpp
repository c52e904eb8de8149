#include "api/session/run_statics.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "analysis/kinematics/kinematics.hpp"
#include "analysis/quasi/quasi_statics.hpp"
#include "analysis/statics/balance_units.hpp"
#include "api/present/eprint.hpp"
#include "api/session/run_sensors.hpp"
#include "model/forces.hpp"
#include "model/settings.hpp"
#include "results/channels/unit_names.hpp"

namespace trunnion::api {

using assembly::State;

namespace {

// What is heard of a search: DEBUG/EPRINT's line for each iteration, else now and then where it stands; and whether to stop.
class Listening {
 public:
  explicit Listening(const AnalysisContext& c) : c_(c), all_(DebugPrint::wanted(c.model).eprint) {}

  analysis::StaticListener listener() {
    return {[this](const analysis::StaticIteration& it) { return heard(it); },
            [this](const std::string& line) { c_.say("  " + line); }, [this] { return go_on(); }};
  }
  bool interrupted() const { return interrupted_; }
  bool go_on() {
    interrupted_ = interrupted_ || (c_.interrupted && c_.interrupted());
    return !interrupted_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool heard(const analysis::StaticIteration& it) {
    constexpr auto kNowAndThen = std::chrono::seconds(10);
    if (all_) {
      if (!std::exchange(headed_, true))
        c_.say(
            "  search, iteration (x: step not taken), imbalance before it, correction (radians; lengths of "
            "the "
            "mechanism, or model units with ORIGINAL), shift of the stiffness");
      c_.say(all(it));
    } else if (Clock::now() - said_ > kNowAndThen) {
      said_ = Clock::now();
      c_.say(fmt::format("  {}: iteration {}, {}", it.phase, it.iteration, where(it)));
    }
    return go_on();
  }

  static bool moves(const analysis::StaticIteration& it) { return it.step > 0; }

  std::string where(const analysis::StaticIteration& it) const {
    if (moves(it)) return fmt::format("step {:.3g}, kinetic energy {:.3g}", it.step, energy(it));
    return fmt::format("imbalance {} in {}", analysis::balance_text(c_.system, it.equation, it.imbalance),
                       c_.system.layout().balance_name(it.equation));
  }
  double energy(const analysis::StaticIteration& it) const { return it.energy / c_.system.units().ucf; }

  std::string all(const analysis::StaticIteration& it) const {
    const std::string which = fmt::format("  {:>8} {:4}{}", it.phase, it.iteration, it.accepted ? " " : "x");
    if (moves(it))
      return fmt::format("{} step {:9.3e}, moved {:9.3e}, kinetic energy {:9.3e}", which, it.step,
                         it.correction, energy(it));
    return fmt::format("{} imbalance {:9.3e} {} {}, correction {:9.3e} {}, shift {:8.2e}", which,
                       analysis::in_user_units(c_.system, it.equation, it.imbalance),
                       analysis::balance_unit(c_.system, it.equation),
                       c_.system.layout().balance_name(it.equation), it.correction,
                       c_.system.layout().column_name(it.coordinate), it.shift);
  }

  const AnalysisContext& c_;
  const bool all_;
  bool headed_ = false, interrupted_ = false;
  Clock::time_point said_ = Clock::now();
};

// The bristles' equation ż = s (…) is empty at rest.
void tell_held_bristles(const AnalysisContext& c) {
  for (const model::Friction& f : c.model.all<model::Friction>()) {
    if (f.formulation != model::Friction::Formulation::lugre || f.inactive_during.given()) continue;
    const system::StateInfo* bristles = c.system.find_states(model::kind_of<model::Friction>(), f.id);
    if (!bristles) continue;
    c.say(fmt::format(
        "note: {}: the bristles of FORMULATION=LUGRE keep their deflection in statics, so that the joint "
        "does not "
        "stick where it comes to rest; FORMULATION=ORIGINAL does, and INACTIVE=STATIC leaves friction out",
        bristles->label));
  }
}

// A growing vibration may come from springs that have no potential.
void tell_asymmetric(const AnalysisContext& c) {
  constexpr double kSeen = 1e-3;
  system::System::Workspace work(c.system, c.mode);
  c.system.update(c.assembled.state, work);
  const system::Force* worst = nullptr;
  double most = kSeen;
  int more = -1;
  for (const system::Force& force : c.system.forces()) {
    const double asymmetry = c.system.asymmetry(force, c.assembled.state, work);
    if (asymmetry <= kSeen) continue;
    ++more;
    if (asymmetry <= most) continue;
    most = asymmetry;
    worst = &force;
  }
  if (!worst) return;
  c.say(fmt::format(
      "    {}{}: stiffness asymmetric by {:.2g} %, of KMATRIX or of projected angles that are not small; "
      "such "
      "a law has no potential and can feed a vibration (FIELD and BEAM: FORMULATION=NONLINEAR has one)",
      worst->label, more > 0 ? fmt::format(" and {} more", more) : "", 100 * most));
}

PathReport begin_report(const AnalysisContext& c, const char* method, const math::OutputTimes& times) {
  PathReport report;
  report.method = method;
  report.begin = report.end = c.assembled.state.t;
  if (!times.empty()) report.end = times.back();
  report.model = sizes_of(c.system, c.model, c.assembled);
  return report;
}

template <class Result> void add_result(const Result& result, PathReport& report) {
  report.iterations += result.iterations;
  report.messages.insert(report.messages.end(), result.messages.begin(), result.messages.end());
}

bool one_equilibrium(const AnalysisContext& c, Listening& listening, bool settle, PathReport& report) {
  analysis::StaticSettings settings = analysis::static_settings(c.model);
  settings.mode = c.mode;
  settings.dynamic = settings.dynamic || settle;
  if (settings.dynamic) settings.plain_newton = false;
  const model::Equilibrium* given = c.model.single<model::Equilibrium>();
  for (const std::string& line : settings.notes) {
    if (given) c.voice.warn_once(line, *given);
  }
  tell_held_bristles(c);
  const auto result = analysis::statics(c.system, c.assembled, settings, listening.listener());
  add_result(result, report);
  if (result.interrupted) return false;
  if (!result.ok) {
    for (std::size_t k = 0; k < result.messages.size(); ++k) {
      if (k == 0) c.error(result.messages[k]);
      else c.say(result.messages[k]);
    }
    c.voice.say_places(result.messages);
    return false;
  }
  c.say(fmt::format("t = {:.6g}: equilibrium found by {} in {} iteration{}, imbalance {:.2g}{}{}",
                    c.assembled.state.t, result.method, result.iterations, result.iterations == 1 ? "" : "s",
                    result.imbalance, result.imbalance_unit.empty() ? "" : " ", result.imbalance_unit));
  for (const std::string& line : result.messages) c.say("  " + line);
  if (result.stability == analysis::Stability::unstable) tell_asymmetric(c);
  return c.write(c.assembled.state);
}

void tell(const AnalysisContext& c, const analysis::QuasiStaticResult& result) {
  for (std::size_t k = 0; k < result.messages.size(); ++k) {
    if (!result.ok && k == result.error) c.error(result.messages[k]);
    else c.say(result.messages[k]);
  }
  if (!result.ok) c.voice.say_places(result.messages);
}

// What a SENSOR asks of an integrator means nothing to a path of equilibria.
void tell_unused(const AnalysisContext& c, const system::Sensor& sensor) {
  const model::Sensor& s = sensor.statement;
  std::string words;
  for (const auto& [given, word] :
       {std::pair{s.stepsize.has_value(), "STEPSIZE"}, {s.codgen, "CODGEN"}, {s.restart, "RESTART"}}) {
    if (given) words += (words.empty() ? "" : ", ") + std::string(word);
  }
  if (!words.empty())
    c.warn(fmt::format("{}: {} is for dynamics; here it does nothing", sensor.label, words));
}

// What SENSORs do along a path: `times` are those still to come, none where the path ends here. False where rows cannot be written.
bool after_sensors(const AnalysisContext& c, const std::vector<int>& sensors, double end,
                   math::OutputTimes& times, PathReport& report) {
  const SensorDone done = act_on(c, sensors);
  if (!done.written) return false;
  report.halted = done.halted;
  for (const int k : sensors) tell_unused(c, c.system.sensors()[static_cast<std::size_t>(k)]);
  const double now = c.assembled.state.t;
  if (!done.going || now >= end * (1 - 1e-13)) times = {};
  else if (!done.dt) times = times.after(now);
  else return outputs_from(c, *done.dt, now, end, times);
  return true;
}

// From one SENSOR to the next; the path starts anew after each.
bool path_of_equilibria(const AnalysisContext& c, Listening& listening, math::OutputTimes times,
                        PathReport& report) {
  const double end = times.back();
  int iterations = 0;
  const auto write = [&](const State& state) { return c.write(state) && listening.go_on(); };
  const analysis::QuasiStaticHooks hooks{write, listening.listener(), sensor_events(c),
                                         results::unit_names(c.system.units()).length};
  tell_true_at_start(c);
  while (true) {
    const auto result =
        analysis::quasi_statics(c.system, c.assembled, times, analysis::static_settings(c.model), hooks);
    report.steps += result.steps;
    iterations += result.iterations;
    if (listening.interrupted()) {
      // What a search that was stopped says of its failure is not so.
      report.iterations += result.iterations;
      return false;
    }
    add_result(result, report);
    tell(c, result);
    if (!result.ok) return false;
    if (result.events.empty()) break;
    if (!after_sensors(c, result.events, end, times, report)) return false;
    if (times.empty()) break;
  }
  c.say(fmt::format("t = {:.6g}: quasi-static analysis done in {} steps, {} iterations", c.assembled.state.t,
                    report.steps, iterations));
  return true;
}

}  // namespace

PathReport run_statics(const AnalysisContext& c, const math::OutputTimes& times, bool settle) {
  const Stopwatch watch;
  PathReport report = begin_report(c, times.empty() ? "statics" : "quasi-statics", times);
  Listening listening(c);
  report.ok = one_equilibrium(c, listening, settle, report) &&
              (times.empty() || path_of_equilibria(c, listening, times, report));
  report.interrupted = listening.interrupted();
  report.reached = c.assembled.state.t;
  report.seconds = watch.seconds();
  return report;
}

PathReport run_kinematics(const AnalysisContext& c, const math::OutputTimes& times) {
  const Stopwatch watch;
  PathReport report = begin_report(c, "kinematics", times);
  bool writing = true;
  const auto go_on = [&] {
    report.interrupted = report.interrupted || (c.interrupted && c.interrupted());
    return writing && !report.interrupted;
  };
  analysis::KinematicSettings settings = analysis::kinematic_settings(c.model);
  DebugPrint debug(c.sayer(), DebugPrint::wanted(c.model));
  if (DebugPrint::wanted(c.model).any())
    settings.listener = [&](const analysis::ConstraintIteration& it) {
      debug.iteration("Kinematics", it, c.system.layout());
    };
  const std::vector<integrate::Event> events = sensor_events(c);
  math::OutputTimes rest = times;
  tell_true_at_start(c);
  while (!rest.empty()) {
    const auto result = analysis::kinematics(
        c.system, c.assembled, rest, settings, [&](const State& state) { writing = c.write(state); }, go_on,
        events);
    add_result(result, report);
    report.steps += result.steps;
    for (const std::string& line : result.messages) c.say(line);
    report.ok = result.ok && writing;
    if (!report.ok || result.events.empty()) break;
    report.ok = after_sensors(c, result.events, times.back(), rest, report);
    if (!report.ok) break;
  }
  if (report.ok)
    c.say(fmt::format("t = {:.6g}: kinematic analysis done in {} steps", c.assembled.state.t, report.steps));
  report.reached = c.assembled.state.t;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trunnion::api
