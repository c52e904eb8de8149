#include "api/run_statics.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "analysis/balance_units.hpp"
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

// What is heard of a search: DEBUG/EPRINT's line for each iteration, else now and then where it stands; and whether to stop.
class Listening {
 public:
  explicit Listening(const AnalysisContext& c) : c_(c), all_(eprint(c.model)) {}

  analysis::StaticListener listener() {
    return {[this](const analysis::StaticIteration& it) { return heard(it); },
            [this](const std::string& line) { c_.say("  " + line); }};
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

bool one_equilibrium(const AnalysisContext& c, Listening& listening, bool settle) {
  analysis::StaticSettings settings = analysis::static_settings(c.model);
  settings.dynamic = settings.dynamic || settle;
  if (settings.dynamic) settings.plain_newton = false;
  const model::Equilibrium* given = c.model.single<model::Equilibrium>();
  for (const std::string& line : settings.notes) {
    if (given && c.warn_once) c.warn_once(line, *given);
  }
  tell_held_bristles(c);
  const auto result = analysis::statics(c.system, c.assembled, settings, listening.listener());
  if (result.interrupted) return false;
  if (!result.ok) {
    for (std::size_t k = 0; k < result.messages.size(); ++k)
      c.say((k == 0 ? "error: " : "") + result.messages[k]);
    c.say_places(result.messages);
    return false;
  }
  c.say(fmt::format("t = {:.6g}: equilibrium found by {} in {} iteration{}, imbalance {:.2g}{}{}",
                    c.assembled.state.t, result.method, result.iterations, result.iterations == 1 ? "" : "s",
                    result.imbalance, result.imbalance_unit.empty() ? "" : " ", result.imbalance_unit));
  for (const std::string& line : result.messages) c.say("  " + line);
  return c.write(c.assembled.state);
}

}  // namespace

StaticsEnd run_statics(const AnalysisContext& c, const std::vector<double>& times, bool settle) {
  Listening listening(c);
  if (!one_equilibrium(c, listening, settle))
    return listening.interrupted() ? StaticsEnd::interrupted : StaticsEnd::failed;
  if (times.empty()) return StaticsEnd::done;
  const auto result = analysis::quasi_statics(
      c.system, c.assembled, times, analysis::static_settings(c.model),
      [&](const State& state) { return c.write(state) && listening.go_on(); }, listening.listener());
  if (listening.interrupted()) return StaticsEnd::interrupted;
  for (const std::string& line : result.messages) c.say(line);
  if (!result.ok) c.say_places(result.messages);
  else
    c.say(fmt::format("t = {:.6g}: quasi-static analysis done in {} steps, {} iterations",
                      c.assembled.state.t, result.steps, result.iterations));
  return result.ok ? StaticsEnd::done : StaticsEnd::failed;
}

}  // namespace trunnion::api
