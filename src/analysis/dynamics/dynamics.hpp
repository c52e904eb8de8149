#pragma once
// SIMULATE/DYNAMICS: the motion of a mechanism with freedom (primer §5), by the method the INTEGRATOR statement names.

#include <memory>

#include "analysis/dynamics/time_courses.hpp"
#include "analysis/initial/initial_conditions.hpp"
#include "expr/program.hpp"
#include "integrate/registry.hpp"
#include "integrate/step_loop.hpp"
#include "math/output_times.hpp"
#include "model/settings.hpp"

namespace trunnion::analysis {

// INTEGRATOR as asked for and as used; times are the model's.
struct DynamicSettings {
  const formulas::Entry* formula = &formulas::entry(formulas::index_of("GSTIFF"));
  formulas::Parameters parameters;
  integrate::Predictor predictor = integrate::Predictor::usual;
  model::Integrator::Formulation formulation = model::Integrator::Formulation::i3;
  double error = 1e-3;
  double hinit = 0, hmax = 0, hmin = 0;  // 0: from the output step
  double h = 0;                          // H: a fixed step; 0: controlled
  int kmax = 6;
  solve::CorrectorSettings corrector;
  bool interpolate = false;
  double adaptivity = 0;
  int hratio = 1;         // CONSTANT_BDF: steps in an output step or HMAX
  double maxerr = 0;      // CONSTANT_BDF; 0: no limit
  bool constant = false;  // keep hinit
  assembly::AnalysisMode mode = assembly::AnalysisMode::dynamics;  // or kinematics: no freedom, but states
  std::vector<TimeCourse> of_time;  // expressions of the model that follow the time
  std::vector<std::string> failed;  // conditions that the formula's numbers do not meet with these parameters
  std::string unsupported;          // why the method asked for cannot run; empty: it can
  std::vector<core::Words> notes;   // what was asked for and is not used as it stands
  core::Words chosen;               // what the program chose by itself, and why; empty: nothing to tell
};
DynamicSettings dynamic_settings(const model::Model& model);
// With these in place of its own INTEGRATOR.
DynamicSettings dynamic_settings(const model::Model& model, const model::Integrator& in);

struct DynamicResult {
  bool ok = false;
  integrate::LoopResult loop;
  solve::CorrectorCounts corrector;
  double seconds_evaluating = 0, seconds_factoring = 0, seconds_solving = 0, seconds = 0;
};

// Counts of a simulation that went on after an event, with those before it.
void add_earlier(const DynamicResult& earlier, DynamicResult& later);

struct DynamicHooks : integrate::LoopHooks {
  // DEBUG/EPRINT: an iteration, with names looked up through the sink.
  std::function<void(const solve::IterationRecord&, const solve::StageEquations&)> iteration;
};

// The longest distance of two output times: it bounds the step where HMAX does not.
double output_step(double begin, double end, const math::OutputTimes& times);

// The constraint rows that take part: independent ones, or all.
std::vector<int> rows_that_act(const AssemblyResult& from, const DynamicSettings& settings);

// What the settings come to: HINIT, HMAX, HMIN where they are left to the program.
integrate::LoopSettings step_limits(const DynamicSettings& settings, double begin, double end,
                                    const math::OutputTimes& times);

std::unique_ptr<integrate::Formula> make_formula(const system::System& system,
                                                 const DynamicSettings& settings);

// From an assembled state to `end`; the state in `from` is left at the last time reached.
DynamicResult dynamics(const system::System& system, AssemblyResult& from, double end,
                       const math::OutputTimes& times, const DynamicSettings& settings,
                       const DynamicHooks& hooks);

}  // namespace trunnion::analysis
