// Velocities that jump: impulses of rows that close in an instant; and coordinates that determine the others.

#include <algorithm>
#include <cmath>

#include "solve/independent_choice.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::solve {

bool StageSolver::impulse(State& state, Workspace& work, std::span<const int> struck, double restitution,
                          const Choice& choice) {
  message_.clear();
  if (!factor_motion(state, work, choice)) return false;
  const StageEquations& equations = motion_.equations;
  if (!rows_finite(equations.rate(), "its rate", state, work)) return false;
  x_.setZero(equations.size());
  for (int k = 0; k < equations.active_count(); ++k) {
    const int row = equations.row_of_active(k);
    const bool bounces = std::find(struck.begin(), struck.end(), row) != struck.end();
    const bool closed = !choice.closed.empty() && choice.closed[static_cast<std::size_t>(k)] != 0;
    if (!closed)
      x_[equations.lambda_offset() + k] = -(bounces ? 1 + restitution : 1.0) * equations.rate()[row] *
                                          equations.row_scale(equations.lambda_offset() + k);
  }
  motion_.solve(x_);
  if (!x_.allFinite()) return fail("the velocities after the impulse are not finite numbers");
  state.v.head(system_.layout().mechanical_size()) += x_.head(system_.layout().mechanical_size());
  impulses_.setZero(system_.layout().row_count());
  for (int k = 0; k < equations.active_count(); ++k)
    impulses_[equations.row_of_active(k)] = x_[equations.lambda_offset() + k];
  return true;
}

std::optional<std::vector<int>> StageSolver::independent(const State& state, Workspace& work) {
  motion_.evaluate_rows(state, work);
  return independent_columns(system_, work, motion_.equations.levels().gradient(), active_);
}

IndependentMotion& StageSolver::independent_motion() {
  if (!independent_motion_) independent_motion_ = std::make_unique<IndependentMotion>(*this);
  return *independent_motion_;
}

}  // namespace trunnion::solve
