#pragma once
// SIMULATE/DYNAMICS as a run carries it out: rows, energy, sensors, what is printed on the way, and the report at the end.

#include "analysis/dynamics/dynamics.hpp"
#include "api/present/report.hpp"
#include "api/session/run_output.hpp"
#include "api/session/run_statics.hpp"

namespace trunnion::api {

struct DynamicContext {
  AnalysisContext analysis;
  RunOutput& output;
  const RunOptions& options;
};

struct DynamicEnd {
  SimulationReport report;
  bool written = true;  // no row was refused
  bool halted = false;  // by a SENSOR with HALT: nothing follows
  bool good() const { return report.result.ok && written; }
};

// From where the assembled state is to `end`, with a row at each of `times`.
DynamicEnd run_dynamics(const DynamicContext& context, const analysis::DynamicSettings& settings, double end,
                        const math::OutputTimes& times);

}  // namespace trunnion::api
