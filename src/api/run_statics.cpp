#include "api/run_statics.hpp"

#include <fmt/format.h>

#include "analysis/kinematics.hpp"
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

// A growing vibration may come from springs that have no potential.
void tell_asymmetric(const AnalysisContext& c) {
  constexpr double kSeen = 1e-3;
  system::System::Workspace work(c.system);
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

PathReport begin_report(const AnalysisContext& c, const char* method, const std::vector<double>& times) {
  PathReport report;
  report.method = method;
  report.begin = report.end = c.assembled.state.t;
  if (!times.empty()) report.end = times.back();
  report.model = sizes_of(c.system, c.assembled);
  return report;
}

template <class Result> void add_result(const Result& result, PathReport& report) {
  report.iterations += result.iterations;
  report.messages.insert(report.messages.end(), result.messages.begin(), result.messages.end());
}

bool one_equilibrium(const AnalysisContext& c, bool settle, PathReport& report) {
  analysis::StaticSettings settings = analysis::static_settings(c.model);
  settings.dynamic = settings.dynamic || settle;
  tell_held_bristles(c);
  const auto result = analysis::statics(c.system, c.assembled, settings, listener(c));
  add_result(result, report);
  if (!result.ok) {
    for (std::size_t k = 0; k < result.messages.size(); ++k)
      c.say((k == 0 ? "error: " : "") + result.messages[k]);
    c.say_places(result.messages);
    return false;
  }
  c.say(fmt::format("t = {:.6g}: equilibrium found by {} in {} iterations, imbalance {:.2g}",
                    c.assembled.state.t, result.method, result.iterations, result.imbalance));
  for (const std::string& line : result.messages) c.say("  " + line);
  if (result.stability == analysis::Stability::unstable) tell_asymmetric(c);
  return c.write(c.assembled.state);
}

bool path_of_equilibria(const AnalysisContext& c, const std::vector<double>& times, PathReport& report) {
  const auto result = analysis::quasi_statics(c.system, c.assembled, times,
                                              analysis::static_settings(c.model), c.write, listener(c));
  add_result(result, report);
  report.steps = result.steps;
  for (const std::string& line : result.messages) c.say(line);
  if (!result.ok) c.say_places(result.messages);
  else
    c.say(fmt::format("t = {:.6g}: quasi-static analysis done in {} steps, {} iterations",
                      c.assembled.state.t, result.steps, result.iterations));
  return result.ok;
}

}  // namespace

PathReport run_statics(const AnalysisContext& c, const std::vector<double>& times, bool settle) {
  const Stopwatch watch;
  PathReport report = begin_report(c, times.empty() ? "statics" : "quasi-statics", times);
  report.ok = one_equilibrium(c, settle, report) && (times.empty() || path_of_equilibria(c, times, report));
  report.reached = c.assembled.state.t;
  report.seconds = watch.seconds();
  return report;
}

PathReport run_kinematics(const AnalysisContext& c, const std::vector<double>& times) {
  const Stopwatch watch;
  PathReport report = begin_report(c, "kinematics", times);
  bool writing = true;
  const auto result =
      analysis::kinematics(c.system, c.assembled, times, analysis::kinematic_settings(c.model),
                           [&](const State& state) { writing = writing && c.write(state); });
  add_result(result, report);
  report.steps = result.steps;
  for (const std::string& line : result.messages) c.say(line);
  if (result.ok)
    c.say(fmt::format("t = {:.6g}: kinematic analysis done in {} steps", c.assembled.state.t, result.steps));
  report.ok = result.ok && writing;
  report.reached = c.assembled.state.t;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trunnion::api
