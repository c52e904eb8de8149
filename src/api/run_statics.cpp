#include "api/run_statics.hpp"

#include <fmt/format.h>

#include "analysis/statics.hpp"
#include "model/forces.hpp"
#include "model/settings.hpp"

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
  analysis::StaticListener out;
  out.iteration = [&c](const analysis::StaticIteration& it) {
    c.say(fmt::format("  {:>8} {:4}{} imbalance {:9.3e} {}, correction {:9.3e} {}, shift {:8.2e}", it.phase,
                      it.iteration, it.accepted ? " " : "x", it.imbalance,
                      c.system.layout().balance_name(it.equation), it.correction,
                      c.system.layout().column_name(it.coordinate), it.shift));
    return true;
  };
  return out;
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

}  // namespace

bool run_statics(const AnalysisContext& c, const std::vector<double>& times, bool settle) {
  if (!one_equilibrium(c, settle)) return false;
  if (times.empty()) return true;
  const auto result = analysis::quasi_statics(c.system, c.assembled, times,
                                              analysis::static_settings(c.model), c.write, listener(c));
  for (const std::string& line : result.messages) c.say(line);
  if (!result.ok) c.say_places(result.messages);
  else
    c.say(fmt::format("t = {:.6g}: quasi-static analysis done in {} steps, {} iterations",
                      c.assembled.state.t, result.steps, result.iterations));
  return result.ok;
}

}  // namespace trunnion::api
