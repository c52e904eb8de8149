#include "api/session/run_sensors.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace trunnion::api {

using assembly::State;

namespace {

// A value that is not a number passes no threshold: said once.
class Doubt {
 public:
  Doubt(const AnalysisContext& c, const system::Sensor& sensor)
      : system_(c.system), sensor_(sensor), voice_(c.voice) {}
  void look(double value, const State& state, system::System::Workspace& work) {
    if (std::isfinite(value) || std::exchange(told_, true)) return;
    voice_.warn_about(
        core::words("{}; a SENSOR cannot act on that", system_.not_finite(sensor_, state, work)));
  }

 private:
  const system::System& system_;
  const system::Sensor& sensor_;
  RunVoice& voice_;
  bool told_ = false;
};

integrate::Event quiet_event_of(const AnalysisContext& c, const system::Sensor& sensor) {
  integrate::Event event;
  const double value = sensor.statement.value.value_or(0);
  using C = model::Sensor::Comparison;
  const C comparison = sensor.statement.comparison.value_or(C::eq);
  event.tolerance = sensor.statement.error.value_or(1e-3);
  event.both_ways = comparison == C::eq;
  const double sign = comparison == C::le ? -1 : 1;
  const bool angle = sensor.statement.angle;
  event.period = angle ? 2 * std::numbers::pi : 0;
  event.value = [&system = c.system, &sensor, value, sign, angle](const State& state,
                                                                  system::System::Workspace& work) {
    const double off = system.watch(sensor, state, work) - value;
    return sign * (angle ? std::remainder(off, 2 * std::numbers::pi) : off);
  };
  return event;
}
integrate::Event event_of(const AnalysisContext& c, const system::Sensor& sensor) {
  integrate::Event event = quiet_event_of(c, sensor);
  event.value = [value = event.value, doubt = std::make_shared<Doubt>(c, sensor)](
                    const State& state, system::System::Workspace& work) {
    const double off = value(state, work);
    doubt->look(off, state, work);
    return off;
  };
  return event;
}

// YYDUMP of a SENSOR: coordinates and their rates, block by block.
void dump(const AnalysisContext& c) {
  const State& state = c.assembled.state;
  const assembly::Layout& layout = c.system.layout();
  const auto list = [](const auto& numbers) {
    return fmt::format("{:.9g}", fmt::join(numbers.begin(), numbers.end(), " "));
  };
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block(assembly::BlockId{b});
    c.say(fmt::format("  {}: {}{}", block.owner, list(state.q.segment(block.pose_offset, block.pose_size)),
                      block.dynamics == assembly::Dynamics::algebraic
                          ? ""
                          : "; rates " + list(state.v.segment(block.offset, block.size))));
  }
  for (int r = 0; r < layout.row_count(); ++r)
    c.say(fmt::format("  multiplier of {}: {:.9g}", layout.row_name({r}), state.lambda[r]));
}

}  // namespace

std::vector<integrate::Event> sensor_events(const AnalysisContext& c) {
  std::vector<integrate::Event> events;
  for (const system::Sensor& sensor : c.system.sensors()) events.push_back(event_of(c, sensor));
  return events;
}

namespace {

void act_on(const AnalysisContext& c, const system::Sensor& sensor, SensorDone& done) {
  const model::Sensor& s = sensor.statement;
  State& state = c.assembled.state;
  system::System::Workspace work(c.system, c.mode);
  c.system.update(state, work);
  if (s.evaluate.given()) {
    const double kept = c.system.evaluate(sensor, state, work);
    state.memory[static_cast<std::size_t>(sensor.memory)] = kept;
    if (!std::isfinite(kept)) {
      c.voice.warn_about(
          core::words("{}; SENVAL({}) is {}", c.system.not_finite(sensor, state, work), s.id, kept));
    }
  }
  done.evaluated = done.evaluated || s.evaluate.given();
  const bool stops = s.halt || s.return_;
  c.say(fmt::format("t = {:.9g}: {} acts{}", state.t, sensor.label,
                    s.halt      ? ", the run halts"
                    : s.return_ ? ", the simulation returns"
                                : ""));
  if (s.yydump) dump(c);
  done.row = done.row || s.print || stops;
  done.halted = done.halted || s.halt;
  done.going = done.going && !stops;
  if (s.dt) done.dt = &sensor;
  if (s.stepsize) done.stepsize = s.stepsize;
}

}  // namespace

SensorDone act_on(const AnalysisContext& c, const std::vector<int>& sensors) {
  SensorDone done;
  for (const int k : sensors) act_on(c, c.system.sensors()[static_cast<std::size_t>(k)], done);
  // One row, however many of them print; none where an output row of this time says the same already.
  const State& state = c.assembled.state;
  if (done.row && (done.evaluated || !c.has_row || !c.has_row(state.t))) done.written = c.write(state);
  done.going = done.going && done.written;
  return done;
}

void tell_true_at_start(const AnalysisContext& c) {
  if (c.system.sensors().empty()) return;
  const State& state = c.assembled.state;
  system::System::Workspace work(c.system, c.mode);
  c.system.update(state, work);
  for (const system::Sensor& sensor : c.system.sensors()) {
    const integrate::Event event = quiet_event_of(c, sensor);
    const double value = event.value(state, work);
    const bool is_true = event.both_ways ? std::abs(value) <= event.tolerance : value >= -event.tolerance;
    if (is_true)
      c.say(fmt::format("t = {:.9g}: {} is true at the start; it acts only when it becomes true again",
                        state.t, sensor.label));
  }
}

bool outputs_from(const AnalysisContext& c, const system::Sensor& sensor, double begin, double end,
                  math::OutputTimes& times) {
  const double dt = *sensor.statement.dt;
  if (!math::OutputTimes::countable(dt, begin, end)) {
    c.error(fmt::format("{}: DT = {:.6g} is too short to tell one output time from the next at t = {:.6g}",
                        sensor.label, dt, end));
    return false;
  }
  times = math::OutputTimes::every(dt, begin, end);
  return true;
}

}  // namespace trunnion::api
