#pragma once
// The one step loop: solve the stages → estimate → accept or reject → output → next step. It knows no formula.
// Output times are stepped over: what is written is interpolated and then made consistent at all levels, because a step cut
// to a hundredth would spoil the reactions by four powers of ten.

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "integrate/formula.hpp"
#include "math/output_times.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::integrate {

struct LoopSettings {
  double hinit = 0, hmax = 0, hmin = 0;  // all > 0
  double adaptivity = 0;  // ADAPTIVITY over ERROR: this over h is added to what the corrector may leave
  double max_error = 0;   // of fixed steps, over ERROR: beyond it the run ends; 0: no limit
  bool fixed = false;     // every step is hinit long and none is rejected for its error
  assembly::AnalysisMode mode = assembly::AnalysisMode::dynamics;
  double leap_error = 1;  // over ERROR: allowed for a step across a place where constraints lose rank
  // Times at which expressions change their course, sorted: no step passes two unseen.
  std::vector<double> knots = {};
  std::vector<assembly::State> earlier =
      {};  // states before the start, newest first, for formulas that know what to do with them
};

struct LoopCounts {
  long steps = 0;
  long rejected_by_error = 0, rejected_by_corrector = 0;
  long begun_afresh = 0;  // where states that read reactions cut step after step
  double smallest_h = 0, largest_h = 0;
  std::array<long, 16> order{};     // accepted steps by order
  std::array<long, 40> h_decade{};  // accepted steps by ⌊log₁₀ h⌋ + 30
  long rank_dips = 0;               // passages of a place where constraints lose rank
  double worst_violation = 0;       // largest |φ| of the accepted states that were looked at, one in eight
  struct Open {
    double part = 0;  // |φ| over the size of the model, or in radians
    double phi = 0, t = 0;
    core::Words row;
  } open;                                 // of the constraint that is worst by that measure
  double seconds_output = 0;              // making and writing rows; of it
  double seconds_reconciling = 0;         // making them satisfy all equations
  std::map<std::string, long> offenders;  // rejections by the equation or coordinate that was to blame
};

enum class LoopEnd {
  done,
  event,
  interrupted,
  not_written,  // the output hook refused a row
  step_too_small,
  error_too_large,  // of fixed steps
  inconsistent,
  not_finite,
  redundancy
};

struct LoopResult {
  LoopEnd end = LoopEnd::done;
  LoopCounts counts;
  std::vector<core::Words> messages;  // what went wrong, an engineer's words
  std::vector<int> events = {};       // which ones ended it; the state is at their time
};

// An accepted or attempted step, for DEBUG/EPRINT and progress.
struct StepAttempt {
  long step = 0;
  int order = 0;
  double t = 0, h = 0;
  long iterations = 0;  // of all steps so far
};

// Something to stop at: a function of the state that becomes positive, located to within `tolerance` of zero.
struct Event {
  std::function<double(const assembly::State&, system::System::Workspace&)> value;
  double tolerance = 0;
  bool both_ways = false;  // falling through zero counts too
  double period = 0;       // of a value that jumps back by it, an angle; none: 0
};

// A CONTACT that begins to touch, or is released.
struct Incident {
  double t = 0;
  const core::Words& contact;
  bool begins = false;
  bool at_start = false;  // it touched there already
};

struct LoopHooks {
  std::vector<Event> events;
  std::function<void(const assembly::State&)> started;  // here, not smoothly from before
  std::function<bool(const assembly::State&)> output;   // false stops the run
  std::function<void(const StepAttempt&)> attempt;      // before each correction
  std::function<void(const core::Words&)> rejected;     // why the attempt is repeated
  // An accepted step with reactions as the equations of motion have them: for who sums up what motions put in. Before `accepted`.
  std::function<void(const assembly::State&)> balanced;
  // Asked before it: whether the step to this state is too long for such a sum. Then states within it come first.
  std::function<bool(const assembly::State&)> rough;
  std::function<void(const StepAttempt&, const assembly::State&)> accepted;  // as the formula gave it
  std::function<void(const core::Words&)> note;  // something worth telling while the run goes on
  std::function<void(const Incident&)> incident;
  std::function<bool()> interrupted;
};

// From a consistent state to `end`. The state is left consistent at the last time reached.
LoopResult integrate(const system::System& system, Formula& formula, solve::StageSolver& solver,
                     assembly::State& state, double end, const math::OutputTimes& output_times,
                     const LoopSettings& settings, const LoopHooks& hooks);

}  // namespace trunnion::integrate
