#include "api/run_statics.hpp"

#include <fmt/format.h>

#include "analysis/quasi_statics.hpp"
#include "api/run_sensors.hpp"
#include "model/forces.hpp"
#include "model/settings.hpp"
#include "results/unit_names.hpp"

namespace trunnion::api {

using assembly::State;

namespace {

bool eprint(const model::Model& model) {
  const model::Debug* debug = model.single<model::Debug>();
  return debug && debug->eprint.given() && debug->eprint.value() == model::Switch::on;
}

// DEBUG/EPRINT: a line for each iteration.
analysis::StaticListener listener(const AnalysisContext& c) {
  if (!eprint(c.model)) return {};
  return [&c](const analysis::StaticIteration& it) {
    c.say(fmt::format("  {:>8} {:4}{} imbalance {:9.3e} {}, correction {:9.3e} {}, shift {:8.2e}", it.phase,
                      it.iteration, it.accepted ? " " : "x", it.imbalance,
                      c.system.layout().balance_name(it.equation), it.correction,
                      c.system.layout().column_name(it.coordinate), it.shift));
  };
}

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

bool one_equilibrium(const AnalysisContext& c, bool settle) {
  analysis::StaticSettings settings = analysis::static_settings(c.model);
  settings.dynamic = settings.dynamic || settle;
  tell_held_bristles(c);
  const auto result = analysis::statics(c.system, c.assembled, settings, listener(c));
  if (!result.ok) {
    for (std::size_t k = 0; k < result.messages.size(); ++k)
      c.say((k == 0 ? "error: " : "") + result.messages[k]);
    c.say_places(result.messages);
    return false;
  }
  c.say(fmt::format("t = {:.6g}: equilibrium found by {} in {} iterations, imbalance {:.2g}",
                    c.assembled.state.t, result.method, result.iterations, result.imbalance));
  for (const std::string& line : result.messages) c.say("  " + line);
  return c.write(c.assembled.state);
}

void tell(const AnalysisContext& c, const analysis::QuasiStaticResult& result) {
  for (std::size_t k = 0; k < result.messages.size(); ++k)
    c.say((!result.ok && k == result.error ? "error: " : "") + result.messages[k]);
  if (!result.ok) c.say_places(result.messages);
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
    c.say(fmt::format("warning: {}: {} is for dynamics; in statics it does nothing", sensor.label, words));
}

// From one SENSOR to the next; the path starts anew after each.
bool path(const AnalysisContext& c, std::vector<double> times) {
  const double end = times.back();
  int steps = 0, iterations = 0;
  const analysis::QuasiStaticHooks hooks{c.write, listener(c), sensor_events(c.system),
                                         results::unit_names(c.system.units()).length};
  while (true) {
    const auto result =
        analysis::quasi_statics(c.system, c.assembled, times, analysis::static_settings(c.model), hooks);
    tell(c, result);
    steps += result.steps;
    iterations += result.iterations;
    if (!result.ok) return false;
    if (result.event < 0) break;
    const system::Sensor& sensor = c.system.sensors()[static_cast<std::size_t>(result.event)];
    const SensorDone done = act_on(c, sensor);
    if (!done.written || done.halted) return false;
    tell_unused(c, sensor);
    const double now = c.assembled.state.t;
    if (!done.going || now >= end * (1 - 1e-13)) break;
    if (sensor.statement.dt) times = outputs_from(now, *sensor.statement.dt, end);
    else std::erase_if(times, [&](double t) { return t <= now; });
  }
  c.say(fmt::format("t = {:.6g}: quasi-static analysis done in {} steps, {} iterations", c.assembled.state.t,
                    steps, iterations));
  return true;
}

}  // namespace

bool run_statics(const AnalysisContext& c, const std::vector<double>& times, bool settle) {
  return one_equilibrium(c, settle) && (times.empty() || path(c, times));
}

}  // namespace trunnion::api
