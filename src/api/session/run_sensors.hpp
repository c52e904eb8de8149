#pragma once
// SENSORs as a run meets them: what the analysis is to stop at, and what is done there.

#include "api/session/run_statics.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion::api {

// In the order of System::sensors().
std::vector<integrate::Event> sensor_events(const AnalysisContext& context);

struct SensorDone {
  bool going = true;    // false: the simulation ends here
  bool halted = false;  // the run too
  bool written = true;
  bool row = false;                    // is wanted
  bool evaluated = false;              // what SENVAL gives may have changed
  const system::Sensor* dt = nullptr;  // the one whose DT counts from here on
  std::optional<double> stepsize = {};
};
// Those that come true together, at the state in the context; in the order of System::sensors().
SensorDone act_on(const AnalysisContext& context, const std::vector<int>& sensors);

// Those that are true before the simulation begins never become so, unless they are false in between.
void tell_true_at_start(const AnalysisContext& context);

// DT of a SENSOR: output times from the event on, and the end. False, and said, where steps that short cannot be counted.
bool outputs_from(const AnalysisContext& context, const system::Sensor& sensor, double begin, double end,
                  math::OutputTimes& times);

}  // namespace trunnion::api
