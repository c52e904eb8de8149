#include "analysis/statics/statics.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/initial/independent_rows.hpp"
#include "analysis/linear/linear.hpp"
#include "analysis/statics/search.hpp"
#include "model/defaults.hpp"
#include "model/units.hpp"

namespace trunnion::analysis {

using assembly::State;
using Merit = StaticSearch::Merit;

namespace {

// What was given and is not used.
std::vector<core::Words> unused(const model::Equilibrium& given, bool newton) {
  core::Words names;
  const auto note = [&](const char* name, bool there) {
    if (there) names += (names.empty() ? "" : ", ") + core::Words(name);
  };
  note("STABILITY", !newton && given.stability.has_value());
  note("PATTERN", !newton && !given.pattern.indices.empty());
  note("ATOL", given.atol.has_value());
  note("RTOL", given.rtol.has_value());
  note("MAXITL", given.maxitl.has_value());
  note("ETA", given.eta.has_value());
  note("ETAMAX", given.etamax.has_value());
  if (names.empty()) return {};
  const bool several = names.find(',') != std::string::npos;
  return {
      core::words("EQUILIBRIUM: {} {} not used by {}", names, several ? "are" : "is",
                  newton ? "METHOD=ORIGINAL" : "this search (METHOD=ORIGINAL uses STABILITY and PATTERN)")};
}

}  // namespace

StaticSettings static_settings(const model::Model& model) {
  const model::Equilibrium* given = model.single<model::Equilibrium>();
  const model::Equilibrium as_given = given ? *given : model::Equilibrium{};
  const auto e = model::with_defaults(as_given);
  StaticSettings s;
  s.dynamic = e.type.given() && e.type.value() == model::Equilibrium::Type::dynamic;
  s.plain_newton = !s.dynamic && e.method.given() && e.method.value() == model::Equilibrium::Method::original;
  s.alimit = e.alimit.value_or(s.alimit);
  s.tlimit = e.tlimit.value_or(s.tlimit);
  s.bounded = as_given.alimit.has_value() || as_given.tlimit.has_value();
  if (s.bounded && !s.plain_newton) {
    s.alimit = as_given.alimit.value_or(HUGE_VAL);
    s.tlimit = as_given.tlimit.value_or(HUGE_VAL);
  }
  s.error = e.error.value_or(s.error);
  const double ucf = model::units_of(model).ucf;  // the user's forces to mass · length / time²
  s.imbalance = e.imbalance.value_or(s.imbalance) * ucf;
  s.maxit = e.maxit.value_or(s.maxit);
  s.maxit_given = as_given.maxit.has_value();
  s.stability = e.stability.value_or(s.stability);
  s.acceleration_error = e.acceleration_error.value_or(s.acceleration_error);
  s.kinetic_energy_error = e.kinetic_energy_error.value_or(s.kinetic_energy_error) * ucf;
  s.global_damping = e.global_damping.value_or(s.global_damping);
  s.settling_time = e.settling_time.value_or(s.settling_time);
  if (!e.pattern.indices.empty()) {
    s.pattern.clear();
    for (const int word : e.pattern.indices)
      s.pattern.push_back(static_cast<model::Switch>(word) == model::Switch::on);
  }
  s.leave_unstable = e.leave_unstable;
  s.gap = assembly_settings(model).error;
  s.notes = unused(as_given, s.plain_newton);
  return s;
}

namespace {

class Equilibrium {
 public:
  Equilibrium(const system::System& system, AssemblyResult& from, const StaticSettings& settings,
              const StaticListener& listener)
      : system_(system),
        from_(from),
        settings_(settings),
        listener_(listener),
        search_(system, from, settings, listener) {}

  StaticResult run() {
    State state = from_.state;
    state.v.setZero();
    state.a.setZero();
    say_held_states();
    const Search ended = settings_.dynamic        ? by_motion(state)
                         : settings_.plain_newton ? plain(state)
                                                  : any(state);
    if (ended == Search::converged && search_.verify(state, result_)) {
      result_.ok = true;
      const bool came = search_.distance(from_.state, state) > kCame;
      settle_memory(state);
      from_.state = state;
      if (settings_.judge) judge((came && !settings_.plain_newton) || settings_.leave_unstable);
      take_rows();
      result_.iterations = search_.iterations();
      return std::move(result_);
    }
    result_.iterations = search_.iterations();
    result_.interrupted = ended == Search::interrupted;
    if (result_.interrupted) return std::move(result_);
    if (ended == Search::converged) result_.messages.emplace_back("the equilibrium found fails its check");
    result_.messages.insert(
        result_.messages.begin(),
        core::words("t = {:.6g}: no equilibrium found in {} iterations", state.t, result_.iterations));
    if (result_.rows_part) {
      result_.messages.emplace_back(
          "  try: a start where links do not lie in one line, or fewer supports: what is redundant where the "
          "search begins must stay so");
      return std::move(result_);
    }
    for (const core::Words& line : search_.explain(state, ended)) result_.messages.emplace_back("  " + line);
    return std::move(result_);
  }

 private:
  Search plain(State& state) {
    result_.method = "Newton";
    return search_.newton(state);
  }

  Search by_motion(State& state) {
    result_.method = "damped motion and descent";
    const bool settled = search_.settle(state);
    if (!search_.settling_note().empty()) note(search_.settling_note());
    if (search_.stopped()) return search_.how_stopped();
    if (!settled) return Search::not_converged;
    const Search ended = search_.descend(state, Merit::work);
    if (ended == Search::converged || search_.stopped()) return ended;
    return search_.descend(state, Merit::residual);
  }

  // What sticks has crept to where it rests.
  void settle_memory(State& state) const {
    system::System::Workspace work(system_, settings_.mode);
    system_.accept(state, work);
  }

  void say_held_states() {
    const std::vector<int>& held = search_.held_idle_states();
    constexpr std::size_t kShown = 3;
    for (std::size_t k = 0; k < std::min(kShown, held.size()); ++k)
      note(core::words("{} keeps its value, as with STATIC_HOLD: its rate is zero at rest whatever it is",
                       system_.layout().column_name(held[k])));
    if (held.size() > kShown) note(core::words("so do {} more states", held.size() - kShown));
  }

  // At the time, where somebody listens.
  void note(const core::Words& line) {
    if (listener_.note) listener_.note(line);
    else result_.messages.push_back(line);
  }

  // Each way in turn from the same start; the first that ends in balance.
  Search any(State& state) {
    const State start = state;
    const Search first = from(start, state);
    if (first == Search::converged && stands(state)) return first;
    if (first == Search::runs_away || search_.stopped()) return first;
    constexpr int kRestarts = 6;
    const int restarts = first == Search::undetermined ? 0 : kRestarts;
    if (listener_.note && restarts > 0)
      note("no equilibrium was found from the start; places nearby are tried, chosen at random");
    for (int k = 1; k <= restarts; ++k) {
      const Search again = from(search_.perturbed(start, k), state);
      if (search_.stopped()) return again;
      if (again == Search::converged && stands(state)) {
        result_.messages.emplace_back(
            "no equilibrium was found from the start; this one from a place nearby, chosen at random");
        return Search::converged;
      }
    }
    note("the search for balanced forces failed; a damped motion is tried");
    state = start;
    const Search last = by_motion(state);
    return last == Search::converged || search_.stopped() ? last : first;
  }

  // A force without a direction, as of a spring between two markers in one place, may be nothing there and large beside it: such a
  // place is left like one from which nothing was found. Rows that part are another matter, see statics().
  bool stands(const State& state) const {
    StaticResult found;
    return search_.verify(state, found) || found.rows_part;
  }

  Search from(const State& start, State& state) {
    State trial = start;
    const Search down = search_.descend(trial, Merit::work);
    if (down == Search::converged) result_.method = "descent";
    const State lowest = trial;
    state = trial;
    if (down == Search::converged || search_.stopped()) return down;
    // What forces drive away may have balanced where it came from: on a ridge.
    if (down != Search::runs_away && by_residual(lowest, state)) return Search::converged;
    if (!search_.stopped() && by_residual(start, state)) return Search::converged;
    if (search_.stopped()) return search_.how_stopped();
    state = lowest;
    return down;
  }

  bool by_residual(const State& start, State& state) {
    State trial = start;
    if (search_.descend(trial, Merit::residual) != Search::converged) return false;
    result_.method = "residual";
    state = trial;
    return true;
  }

  // What follows starts with the rows of this place: links that lay in one line at the start have left rows out that are needed here.
  void take_rows() {
    for (const int row : take_independent_rows(system_, settings_.mode, from_).joined)
      result_.messages.push_back(system_.layout().row_words(assembly::RowId{row}) +
                                 " is no longer redundant here and takes part");
  }

  // A search that came to an unstable place has stopped on a ridge: it goes on to one side. Where the mechanism stood there from
  // the start, it stays.
  void judge(bool leave) {
    StabilityResult found = judge_stability(system_, from_, search_.known_force());
    constexpr int kRidges = 30;
    int left = 0;
    while (leave && found.away.size() > 0 && left < kRidges) {
      State state = from_.state;
      // States and variables follow the parts; a state that grows by itself is no ridge.
      for (Eigen::Index i = 0; i < found.away.size(); ++i) {
        if (!search_.equations().is_mechanical(static_cast<int>(i))) found.away[i] = 0;
      }
      if (search_.extent(found.away) < kCame) break;
      const double step = kAside / search_.extent(found.away);
      assembly::retract(system_.layout(), state.q, step * found.away, state.q);
      StaticResult again;
      const Search ended = search_.descend(state, Merit::work);
      if (ended == Search::spent || ended == Search::interrupted) stopped_leaving(ended);
      if (ended != Search::converged || !search_.verify(state, again)) break;
      if (search_.distance(from_.state, state) < kCame) break;
      ++left;
      settle_memory(state);
      from_.state = state;
      result_.imbalance = again.imbalance;
      result_.gap = again.gap;
      found = judge_stability(system_, from_, search_.known_force());
    }
    if (left > 0)
      result_.messages.push_back(
          core::words("{} unstable equilibri{} passed on the way", left, left == 1 ? "um was" : "a were"));
    result_.stability = found.stability;
    result_.messages.insert(result_.messages.end(), found.messages.begin(), found.messages.end());
    if (!leave && found.away.size() > 0)
      result_.messages.emplace_back("  to go on from here: EQUILIBRIUM/LEAVE_UNSTABLE");
  }

  void stopped_leaving(Search ended) {
    result_.messages.push_back(core::words("the search for a stable place ended before it found one: {}",
                                           ended == Search::spent ? "MAXIT is used up" : "interrupted"));
  }

  static constexpr double kCame = 1e-3, kAside = 0.05;  // radians, or lengths of the mechanism
  const system::System& system_;
  AssemblyResult& from_;
  StaticSettings settings_;
  const StaticListener& listener_;
  StaticSearch search_;
  StaticResult result_;
};

// A place nearby, assembled, with rows chosen there.
AssemblyResult nearby(const system::System& system, const AssemblyResult& from,
                      const StaticSettings& settings, int number) {
  const StaticListener nobody;
  const StaticSearch search(system, from, settings, nobody);
  State start = from.state;
  assembly::retract(system.layout(), start.q, search.random_displacement(number), start.q);
  start.v.setZero();
  AssemblySettings assembly;
  assembly.first = false;
  assembly.error = settings.gap;
  return initial_conditions(system, start, assembly, Upto::velocities);
}

}  // namespace

StaticResult statics(const system::System& system, AssemblyResult& from, const StaticSettings& settings,
                     const StaticListener& listener) {
  StaticResult result = Equilibrium(system, from, settings, listener).run();
  if (result.ok || !result.rows_part || settings.plain_newton || result.interrupted) return result;
  // The start is a singular place: fewer rows are independent there than elsewhere, and those left out part on the way.
  constexpr int kRestarts = 6;
  for (int k = 1; k <= kRestarts; ++k) {
    AssemblyResult other = nearby(system, from, settings, k);
    if (!other.ok) continue;
    // MAXIT is for all of them.
    StaticSettings left = settings;
    left.maxit -= result.iterations;
    if (settings.maxit_given && left.maxit <= 0) {
      result.messages.push_back(core::words("  not converged in MAXIT = {} iterations", settings.maxit));
      return result;
    }
    StaticResult again = Equilibrium(system, other, settings.maxit_given ? left : settings, listener).run();
    result.iterations += again.iterations;
    result.interrupted = again.interrupted;
    if (result.interrupted) return result;
    if (!again.ok) continue;
    again.iterations = result.iterations;
    again.messages.insert(
        again.messages.begin(),
        core::words("the start is a singular place, where constraints depend on each other that "
                    "elsewhere do not; started again nearby, with {} degree{} of freedom",
                    other.freedoms, other.freedoms == 1 ? "" : "s"));
    from = std::move(other);
    return again;
  }
  return result;
}

}  // namespace trunnion::analysis
