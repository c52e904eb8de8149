// SIMULATE as a run carries it out: which analysis it asks for, and its rows.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/state_rows.hpp"
#include "analysis/kinematics/kinematics.hpp"
#include "api/session/runner.hpp"
#include "api/session/time_jumps.hpp"

namespace trunnion::api {

using assembly::State;

bool Runner::simulate(const model::Simulate& command) {
  using T = model::Simulate::Type;
  const T type = command.type.value_or(T::transient);
  if (type == T::initial_conditions) return simulate_initial_conditions(command);
  if (type == T::statics || type == T::settle) return simulate_statics(command, type == T::settle);
  session_.leave_rest();
  const bool fresh = !session_.system();
  if (!assemble(analysis::Upto::accelerations) || !moves_with_states()) return false;
  // States and variables go along with a kinematic motion; the step loop finds both.
  const bool states = system().layout().mechanical_size() < system().layout().size();
  const int freedoms = place().freedoms;
  if (type == T::dynamics || (freedoms > 0 && type != T::kinematics) || (freedoms == 0 && states))
    return simulate_dynamics(
        command, fresh,
        freedoms > 0 || type == T::dynamics ? results::Phase::dynamics : results::Phase::kinematics);
  return simulate_kinematics(command, fresh);
}

bool Runner::simulate_initial_conditions(const model::Simulate& command) {
  using Level = model::Simulate::Level;
  if (command.level.given() && command.level.value() != Level::acceleration) {
    return only_upto(command.level.value() == Level::displacement ? analysis::Upto::positions
                                                                  : analysis::Upto::velocities);
  }
  session_.assemble_again();
  return assemble(analysis::Upto::accelerations) && write(place().state, results::Phase::initial_conditions);
}

// False, and said, where a constraint needs rates that are not known.
bool Runner::moves_with_states() {
  const auto owners = analysis::constraints_on_states(system(), place().state);
  if (owners.empty()) return true;
  const core::Words line = core::words(
      "{}: FUNCTION reads states or variables, whose rates the velocities and accelerations would need; "
      "a motion with "
      "it is not in this version (SIMULATE/STATICS and LINEAR at rest are). Try a MOTION, or a stiff "
      "SFORCE",
      fmt::join(owners, ", "));
  fail(line);
  voice_.say_places({line});
  return false;
}

bool Runner::simulate_kinematics(const model::Simulate& command, bool fresh) {
  if (place().freedoms > 0) {
    voice_.error(
        fmt::format("a kinematic analysis needs a mechanism with 0 degrees of freedom; this one has {}:",
                    place().freedoms));
    for (const std::string& name : analysis::free_coordinates(system(), place()))
      voice_.say("  free: " + name);
    voice_.say("  try: a MOTION for each, or SIMULATE/DYNAMICS");
    return false;
  }
  const double begin = place().state.t;
  const auto end = end_of(command, begin);
  const auto times = end ? output_times(command, begin, *end) : std::nullopt;
  if (!times || !write_start(fresh, results::Phase::kinematics)) return false;
  tell_jumps(begin, *end);
  if (options_.rehearse) return left_to_chance(*end);
  return keep_report(run_kinematics(context(results::Phase::kinematics), *times));
}

bool Runner::simulate_statics(const model::Simulate& command, bool settle) {
  if (!assemble(analysis::Upto::velocities)) return false;
  math::OutputTimes times;
  if (command.end || command.duration) {
    const double begin = place().state.t;
    const auto end = end_of(command, begin);
    const auto rows = end ? output_times(command, begin, *end) : std::nullopt;
    if (!rows) return false;
    times = *rows;
  } else if (command.steps || command.dtout) {
    return fail(
        fmt::format("SIMULATE/STATICS: {} without END or DURATION: a path of equilibria needs an end; "
                    "leave it out for one equilibrium at the present time",
                    command.steps ? "STEPS" : "DTOUT"));
  }
  session_.go_to_rest();
  if (options_.rehearse) return left_to_chance(times.empty() ? place().state.t : times.back());
  const auto phase = times.empty() ? results::Phase::statics : results::Phase::quasi_statics;
  return keep_report(run_statics(context(phase), times, settle));
}

bool Runner::simulate_dynamics(const model::Simulate& command, bool fresh, results::Phase phase) {
  analysis::DynamicSettings settings = analysis::dynamic_settings(session_.model());
  settings.mode = phase;
  if (!settings.unsupported.empty()) return not_yet(("INTEGRATOR/" + settings.unsupported).c_str());
  for (const std::string& condition : settings.failed)
    voice_.error("INTEGRATOR: this formula is not used, because its numbers fail a condition: " + condition);
  if (!settings.failed.empty()) return false;
  const double begin = place().state.t;
  const auto end = end_of(command, begin);
  const auto times = end ? output_times(command, begin, *end) : std::nullopt;
  if (!times || !write_start(fresh, phase, &settings)) return false;
  tell_jumps(begin, *end);
  if (options_.rehearse) {
    for (const std::string& note : settings.notes) voice_.warn(note);
    return left_to_chance(*end);
  }
  DynamicEnd done = run_dynamics({context(phase), output_, options_}, settings, *end, *times);
  session_.keep();
  if (done.report.result.loop.end == integrate::LoopEnd::interrupted && done.written)
    result_.status = RunStatus::interrupted;
  const bool good = done.good();
  if (done.report.result.loop.end == integrate::LoopEnd::step_too_small) tell_what_jumped(begin);
  halted_ = done.halted;
  reports_.push_back(std::move(done.report));
  return good;
}

void Runner::tell_jumps(double begin, double end) {
  for (const core::Words& line : motion_jumps(session_.model(), system(), begin, end))
    voice_.warn_about(line);
}

// Steps that end at a jump of the time alone: the search for what stopped them looks ahead, and a step may have gone over it.
void Runner::tell_what_jumped(double begin) {
  constexpr double kNear = 1e-3;  // of the way so far
  const double t = place().state.t;
  const auto lines = jumps_near(session_.model(), system(), t, kNear * std::max(t - begin, kNear));
  for (const core::Words& line : lines) voice_.say("  " + line);
  voice_.say_places(lines);
}

// In a rehearsal: the analysis is taken to have come to its end.
bool Runner::left_to_chance(double end) {
  place().state.t = end;
  adrift_ = true;
  session_.keep();
  return true;
}

bool Runner::keep_report(PathReport report) {
  session_.keep();
  const bool good = report.ok;
  if (report.interrupted) result_.status = RunStatus::interrupted;
  halted_ = report.halted;
  if (options_.report) voice_.say(text(report));
  reports_.push_back(std::move(report));
  return good;
}

// The row at the start of a motion, with forces and accelerations as they are in its MODE; none where a motion goes on that has
// just ended there.
bool Runner::write_start(bool fresh, results::Phase phase, const analysis::DynamicSettings* dynamic) {
  if (options_.rehearse || (!fresh && output_.goes_on(place().state.t, phase))) return true;
  State state = place().state;
  system::System::Workspace work(system(), phase);
  core::Words why;  // said by the analysis itself, which begins with the same equations
  const bool kept = dynamic != nullptr && dynamic->corrector.keep_redundant;
  const std::vector<int> rows = kept ? analysis::rows_that_act(place(), *dynamic) : place().active;
  if (!analysis::solve_accelerations(system(), rows, state, work, why, kept)) state = place().state;
  return write(state, phase);
}

bool Runner::write(const State& state, results::Phase phase) {
  if (output_.write(state, phase)) return true;
  fail(output_.error());
  voice_.say_places({output_.error()});
  return false;
}

AnalysisContext Runner::context(results::Phase phase) {
  if (phase != results::Phase::linear) last_phase_ = phase;
  return {system(),
          session_.model(),
          place(),
          phase,
          voice_,
          [this, phase](const State& state) { return write(state, phase); },
          [this](results::ModeSet modes) { output_.keep_modes(std::move(modes)); },
          options_.interrupted,
          [this, phase](double t) { return output_.goes_on(t, phase); }};
}

// Nothing where there is no time to go.
std::optional<double> Runner::end_of(const model::Simulate& command, double begin) {
  const double end = command.end ? *command.end : begin + command.duration.value_or(0);
  // A SENSOR may have ended what was before.
  if (end > begin || (adrift_ && !system().sensors().empty())) return end;
  fail(command.end ? fmt::format("{}SIMULATE: END = {:.6g} does not lie after the current time, {:.6g}",
                                 voice_.place_of(command), end, begin)
                   : "SIMULATE needs END or a DURATION above 0");
  return {};
}

// Nothing, and said why, where they cannot be counted or their rows have no room.
std::optional<math::OutputTimes> Runner::output_times(const model::Simulate& command, double begin,
                                                      double end) {
  using math::OutputTimes;
  constexpr int kDefaultSteps = 100;  // where SIMULATE says nothing of them
  if (!command.dtout && !command.steps && !options_.rehearse)
    voice_.say(fmt::format("SIMULATE has neither DTOUT nor STEPS: {} output steps of {:.4g}", kDefaultSteps,
                           (end - begin) / kDefaultSteps));
  const bool by_length = command.dtout && *command.dtout > 0;
  if (by_length && !OutputTimes::countable(*command.dtout, begin, end)) {
    fail(voice_.place_of(command) +
         fmt::format("SIMULATE: DTOUT = {:.6g} is too short to tell one output time from the next up to t = "
                     "{:.6g}; try a longer one, or STEPS",
                     *command.dtout, end));
    return {};
  }
  const OutputTimes times =
      by_length
          ? OutputTimes::every(*command.dtout, begin, end)
          : OutputTimes::parts(static_cast<std::size_t>(std::max(1, command.steps.value_or(kDefaultSteps))),
                               begin, end);
  const std::string why = output_.no_room_for(times.size());
  if (why.empty()) return times;
  const std::string line =
      voice_.place_of(command) +
      fmt::format("SIMULATE: {} asks for {} rows, {}", by_length ? "DTOUT" : "STEPS", times.size(), why);
  if (system().sensors().empty()) {
    fail(line + "; try fewer, or --channels to keep less of each");
    return {};
  }
  voice_.warn(line + "; a SENSOR may end it before");
  return times;
}

}  // namespace trunnion::api
