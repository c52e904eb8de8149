#include "api/run_sensors.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace trunnion::api {

using assembly::State;

namespace {

integrate::Event event_of(const system::System& system, const system::Sensor& sensor) {
  integrate::Event event;
  const double value = sensor.statement.value.value_or(0);
  using C = model::Sensor::Comparison;
  const C comparison = sensor.statement.comparison.value_or(C::eq);
  event.tolerance = sensor.statement.error.value_or(1e-3);
  event.both_ways = comparison == C::eq;
  const double sign = comparison == C::le ? -1 : 1;
  const bool angle = sensor.statement.angle;
  event.value = [&system, &sensor, value, sign, angle](const State& state, system::System::Workspace& work) {
    const double off = system.watch(sensor, state, work) - value;
    return sign * (angle ? std::remainder(off, 2 * std::numbers::pi) : off);
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
                      block.kind == assembly::BlockKind::algebraic
                          ? ""
                          : "; rates " + list(state.v.segment(block.offset, block.size))));
  }
  for (int r = 0; r < layout.row_count(); ++r)
    c.say(fmt::format("  multiplier of {}: {:.9g}", layout.row_name({r}), state.lambda[r]));
}

}  // namespace

std::vector<integrate::Event> sensor_events(const system::System& system) {
  std::vector<integrate::Event> events;
  for (const system::Sensor& sensor : system.sensors()) events.push_back(event_of(system, sensor));
  return events;
}

SensorDone act_on(const AnalysisContext& c, const system::Sensor& sensor) {
  const model::Sensor& s = sensor.statement;
  State& state = c.assembled.state;
  system::System::Workspace work(c.system);
  c.system.update(state, work);
  if (s.evaluate.given())
    state.memory[static_cast<std::size_t>(sensor.memory)] = c.system.evaluate(sensor, state, work);
  const bool stops = s.halt || s.return_;
  c.say(fmt::format("t = {:.9g}: {} acts{}", state.t, sensor.label,
                    s.halt      ? ", the run halts"
                    : s.return_ ? ", the simulation returns"
                                : ""));
  if (s.yydump) dump(c);
  SensorDone done;
  if (s.print || stops) done.written = c.write(state);
  done.halted = s.halt;
  done.going = done.written && !stops;
  return done;
}

bool outputs_from(const AnalysisContext& c, const system::Sensor& sensor, double begin, double end,
                  math::OutputTimes& times) {
  const double dt = *sensor.statement.dt;
  if (!math::OutputTimes::countable(dt, begin, end)) {
    c.say(
        fmt::format("error: {}: DT = {:.6g} is too short to tell one output time from the next at t = {:.6g}",
                    sensor.label, dt, end));
    return false;
  }
  times = math::OutputTimes::every(dt, begin, end);
  return true;
}

}  // namespace trunnion::api
