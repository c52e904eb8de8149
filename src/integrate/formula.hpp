#pragma once
// A formula as the step loop sees it: from one accepted state to the next by 0, 1 or many stages, which is its own affair. It keeps its
// own past; a rejected step leaves that untouched. How long steps are and of which order is decided by a controller of its own
// (step_control.hpp, order_control.hpp).

#include <limits>
#include <span>
#include <string>

#include "integrate/norm.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::integrate {

enum class Rejection { error, corrector };

class Formula {
 public:
  virtual ~Formula() = default;
  // Forgets its past: past[0] is consistent at all levels; what is known from before it follows, newest first. One is enough.
  virtual void start(std::span<const assembly::State> past) = 0;
  // Where the motion is expected at t + h, before anything is solved. A step in work is lost.
  virtual void predict(double h, assembly::State& trial) = 0;
  // The step of length h: solves its stages, the last one's state is `trial`. May be called again with another h.
  virtual solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                              assembly::State& trial) = 0;
  // Local error of the step over what ERROR allows; > 1 rejects it. 0 where the formula has no estimate.
  virtual double error(const assembly::State& trial) = 0;
  // Where constraints are close to losing rank rounding of places is large in what satisfies them, the larger in velocities the shorter the
  // step. To be told of a step that was solved, before it is accepted, so that its part in the errors of later ones is known …
  virtual void note_rounding(solve::StageSolver&, const assembly::State& /*trial*/) {}
  // … and the error just found without what rounding explains: of a test that it does no more than 1 is left.
  virtual double error_beyond_rounding() const { return std::numeric_limits<double>::infinity(); }
  // The tangent entry with the largest part in the error just found.
  virtual int worst_entry() const = 0;
  // A step length to go on with; for a rejected step to repeat with. `largest` bounds it.
  virtual double next_step(double error, double largest) = 0;
  virtual double smaller_step(double error, Rejection why) = 0;
  virtual void accept(const assembly::State& trial) = 0;
  // Positions, velocities and states at a time within the step last accepted; the rest as guesses.
  virtual void interpolate(double t, assembly::State& state) const = 0;
  // Whether accelerations and reactions at the end of a step are as good as its velocities. Those of inner stages are not: who needs
  // them finds them from the equations of motion.
  virtual bool reactions_hold() const { return true; }
  // Why the last step could not be made, where that was not for a stage that the solver could not solve.
  virtual core::Words trouble() const { return {}; }
  // Something to tell the user, each once; empty: nothing.
  virtual std::string remark() { return {}; }
  virtual int order() const = 0;
  virtual double h() const = 0;
};

}  // namespace trunnion::integrate
