#include "api/session/run_dynamics.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/dynamics/energy_ledger.hpp"
#include "analysis/dynamics/sampled.hpp"
#include "analysis/extent.hpp"
#include "api/present/eprint.hpp"
#include "api/session/run_sensors.hpp"
#include "elements/body.hpp"
#include "results/channels/unit_names.hpp"
#include "system/contacts.hpp"

namespace trunnion::api {

using assembly::State;

namespace {

// Force × length, as the channels.
system::Energy energy(const system::System& system, const State& state, system::System::Workspace& work) {
  system.update(state, work);
  const system::Energy e = system.energy(state, work);
  return {e.kinetic / system.units().ucf, e.potential / system.units().ucf};
}
double sum(const system::Energy& e) { return e.kinetic + e.potential; }

// What begins in the middle of another solid leaves it as an explosion: more often a mistake of places or units than meant. Solids that lie
// wholly inside others, as meshes, are not seen: nothing pushes them.
void tell_deep_starts(const AnalysisContext& c) {
  const system::Contacts contacts(c.system);
  if (contacts.size() == 0) return;
  system::System::Workspace work(c.system, c.mode);
  c.system.update(c.assembled.state, work);
  std::vector<double> depths;
  contacts.penetrations(work, depths);
  constexpr int kTold = 5;
  int deep = 0;
  std::string told;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    for (std::size_t pair = contacts.first_pair(k); pair < contacts.end_pair(k); ++pair) {
      const double half = contacts.smaller_solid(pair);
      if (!(half > 0 && depths[pair] > half)) continue;
      if (++deep <= kTold)
        told += fmt::format("{}{} by {:.4g}", told.empty() ? "" : ", ", contacts.label(k), depths[pair]);
      break;
    }
  }
  if (deep > kTold) told += fmt::format(" and {} more", deep - kTold);
  if (deep > 0)
    c.warn(fmt::format(
        "t = {:.9g}: solids begin deeper in each other than half the thickness of the thinner one, and will "
        "be thrown apart: {}; look at their places and lengths",
        c.assembled.state.t, told));
}

class DynamicRun {
 public:
  DynamicRun(const DynamicContext& context, const analysis::DynamicSettings& settings, double end)
      : c_(context),
        system_(context.analysis.system),
        assembled_(context.analysis.assembled),
        work_(system_, settings.mode),
        debug_(context.analysis.sayer(), DebugPrint::wanted(context.analysis.model)),
        ledger_(system_, settings.mode, context.output.spent()),
        watch_(hardly_moving(end), assembled_.state.t + kBegun * (end - assembled_.state.t)) {
    describe(settings, end);
  }

  DynamicEnd run(math::OutputTimes times) {
    const analysis::DynamicHooks with = hooks();
    analysis::DynamicSettings settings = end_.report.settings;
    analysis::DynamicResult& result = end_.report.result;
    // The longest step follows the output step of the whole simulation, also where a SENSOR leaves a short rest of it.
    if (settings.hmax == 0 && !settings.interpolate)
      settings.hmax = analysis::output_step(end_.report.begin, end_.report.end, times);
    end_.report.used = analysis::step_limits(settings, end_.report.begin, end_.report.end, times);
    c_.analysis.voice.file().begin_table(end_.report.begin, end_.report.end);
    const auto go_on = [&] {
      return analysis::sampled_dynamics(system_, assembled_, end_.report.end, times, settings, with);
    };
    if (settings.corrector.keep_redundant && !assembled_.redundant.empty())
      c_.analysis.say(fmt::format("AUGMENTED: {} redundant equation{} part; reactions are shared",
                                  assembled_.redundant.size(),
                                  assembled_.redundant.size() == 1 ? " takes" : "s take"));
    tell_true_at_start(c_.analysis);
    tell_deep_starts(c_.analysis);
    result = go_on();
    while (end_.written && result.loop.end == integrate::LoopEnd::event) {
      settle_energy();
      const SensorDone done = act_on(c_.analysis, result.loop.events);
      end_.halted = done.halted;
      end_.written = end_.written && done.written;
      if (!done.going || assembled_.state.t >= end_.report.end * (1 - 1e-13)) break;
      if (done.dt && !outputs_from(c_.analysis, *done.dt, assembled_.state.t, end_.report.end, times)) {
        end_.written = false;
        break;
      }
      // The formula starts anew after every event, with the matrix ordered anew: RESTART and CODGEN ask for no more.
      settings.hinit = done.stepsize.value_or(end_.report.settings.hinit);
      analysis::DynamicResult more = go_on();
      analysis::add_earlier(result, more);
      result = std::move(more);
    }
    settle_energy();
    result.ok = result.ok || result.loop.end == integrate::LoopEnd::event;
    finish();
    return std::move(end_);
  }

 private:
  void describe(const analysis::DynamicSettings& settings, double end) {
    SimulationReport& report = end_.report;
    report.begin = assembled_.state.t;
    report.end = end;
    report.model = sizes_of(system_, c_.analysis.model, assembled_);
    report.settings = settings;
    report.energy_at_start = sum(energy(system_, assembled_.state, work_));
    report.energy_unit = energy_unit();
    report.spent_at_start = spent();
  }

  // Force × length, as the channels.
  system::Power spent() const {
    const double ucf = system_.units().ucf;
    return {c_.output.spent().dissipated / ucf, c_.output.spent().work / ucf};
  }
  std::string energy_unit() const { return results::unit_names(system_.units()).torque; }

  analysis::DynamicHooks hooks() {
    analysis::DynamicHooks hooks;
    hooks.started = [this](const State& state) {
      ledger_.begin(state);
      watch_energy(state.t);
    };
    hooks.output = [this](const State& state) {
      c_.output.set_spent(ledger_.at(state.t));
      return end_.written = c_.analysis.write(state);
    };
    hooks.interrupted = c_.options.interrupted;
    hooks.note = c_.analysis.sayer();
    hooks.incident = [this, say = c_.analysis.sayer()](const integrate::Incident& incident) {
      if (const auto line = contact_log_.take(incident)) say(*line);
    };
    hooks.rough = [this](const State& state) { return ledger_.rough(state); };
    hooks.balanced = [this](const State& state) { ledger_.step(state); };
    hooks.accepted = [this](const integrate::StepAttempt& a, const State& state) { accepted(a, state); };
    if (DebugPrint::wanted(c_.analysis.model).any()) {
      hooks.attempt = [this](const integrate::StepAttempt& a) { debug_.step(a); };
      hooks.rejected = [this](const std::string& why) { debug_.rejected(why); };
      hooks.iteration = [this](const solve::IterationRecord& r, const solve::StageEquations& stage) {
        debug_.iteration(r, stage);
      };
    }
    hooks.events = sensor_events(c_.analysis);
    return hooks;
  }

  void accepted(const integrate::StepAttempt& a, const State& state) {
    if (a.iterations < iterations_) iterations_ = 0;  // counted anew after a sensor
    c_.output.step({state.t, a.h, a.order, a.iterations - std::exchange(iterations_, a.iterations)});
    c_.analysis.voice.file().step(state.t, a.h, a.iterations, a.step, a.order);
    high_order_ = high_order_ || a.order > kDamping;
    watch_energy(state.t);
    if (c_.options.progress)
      c_.options.progress({end_.report.begin, end_.report.end, state.t, a.h, a.order, a.step});
    c_.output.tell_extrapolations(state, end_.report.settings.mode);
  }

  void watch_energy(double t) {
    // Without freedom the formula integrates nothing: what the balance is off by is the work of the drives.
    if (assembled_.freedoms == 0) return;
    if (const auto drift = watch_.step(t, ledger_.energy(), ledger_.at(t))) tell_energy(*drift);
  }
  // The kinetic energy of all parts that go a millionth of the model's size in the time simulated.
  double hardly_moving(double end) {
    const assembly::State& state = assembled_.state;
    system_.update(state, work_);
    double mass = 0;
    for (const elements::Body& body : system_.body_elements()) mass += body.mass;
    constexpr double kWay = 1e-6;
    const double speed = kWay * analysis::extent(system_, work_.kinematics) / (end - state.t);
    return end > state.t ? 0.5 * mass * speed * speed : 0;
  }
  void tell_energy(analysis::EnergyDrift drift) {
    drift.amount /= system_.units().ucf;
    c_.analysis.warn(energy_astray(drift, end_.report, high_order_));
  }
  void settle_energy() { c_.output.set_spent(ledger_.at(assembled_.state.t)); }

  void finish() {
    SimulationReport& report = end_.report;
    report.reached = assembled_.state.t;
    report.energy_at_end = sum(energy(system_, assembled_.state, work_));
    report.spent_at_end = spent();
    report.contacts = contact_log_.all();
    for (const std::string& line : report.result.loop.messages) c_.analysis.say(line);
    c_.analysis.voice.say_places(report.result.loop.messages);
    c_.analysis.say(termination(report));
    if (const auto drift = watch_.end()) tell_energy(*drift);
    if (const std::string line = open_constraint(report); !line.empty()) c_.analysis.warn(line);
    if (c_.options.report) c_.analysis.say(text(report));
  }

  const DynamicContext& c_;
  const system::System& system_;
  analysis::AssemblyResult& assembled_;
  system::System::Workspace work_;  // of the energies
  DebugPrint debug_;
  analysis::EnergyLedger ledger_;
  analysis::EnergyWatch watch_;
  ContactLog contact_log_;
  static constexpr double kBegun = 0.01;  // of the time simulated
  static constexpr int kDamping = 2;      // BDF of higher order feeds some vibrations
  bool high_order_ = false;
  long iterations_ = 0;  // up to the step before
  DynamicEnd end_;
};

}  // namespace

DynamicEnd run_dynamics(const DynamicContext& context, const analysis::DynamicSettings& settings, double end,
                        const math::OutputTimes& times) {
  for (const std::string& note : settings.notes) context.analysis.warn(note);
  if (!settings.chosen.empty()) context.analysis.say(settings.chosen);
  return DynamicRun(context, settings, end).run(times);
}

}  // namespace trunnion::api
