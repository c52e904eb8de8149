// Velocities that jump: impulses of rows that close in an instant; and coordinates that determine the others.

#include <algorithm>
#include <cmath>

#include "solve/stage_solver.hpp"
#include "sparse/rank.hpp"

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
      x_[equations.lambda_offset() + k] = -(bounces ? 1 + restitution : 1.0) * equations.rate()[row];
  }
  motion_.factors.solve(x_);
  if (!x_.allFinite()) return fail("the velocities after the impulse are not finite numbers");
  state.v.head(system_.layout().mechanical_size()) += x_.head(system_.layout().mechanical_size());
  impulses_.setZero(system_.layout().row_count());
  for (int k = 0; k < equations.active_count(); ++k)
    impulses_[equations.row_of_active(k)] = x_[equations.lambda_offset() + k];
  return true;
}

namespace {

// The farthest that two bodies are apart along an axis; 1 where there is but one place.
double extent_of(const system::System& system, const system::System::Workspace& work) {
  double size = 0;
  for (const system::BodyInfo& a : system.bodies()) {
    for (const system::BodyInfo& b : {system.bodies().front(), system.bodies().back()}) {
      const math::Vec3 apart = work.kinematics.body(a.block).x - work.kinematics.body(b.block).x;
      size = std::max(size, apart.lpNorm<Eigen::Infinity>());
    }
  }
  return size > 0 ? size : 1.0;
}

}  // namespace

std::optional<std::vector<int>> StageSolver::independent(const State& state, Workspace& work) {
  const assembly::Layout& layout = system_.layout();
  const int n = layout.mechanical_size();
  motion_.evaluate_rows(state, work);
  const sparse::CscMatrix& G = motion_.equations.levels().gradient();
  // Turns count by four times the mechanism's length: where there is a choice they are the independent ones, because travels change
  // direction along a motion.
  const double turn = 4 * extent_of(system_, work);
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < active_.size(); ++k)
    position[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  sparse::CscMatrix measured;
  measured.rows = static_cast<int>(active_.size());
  measured.cols = n;
  measured.start.push_back(0);
  for (int c = 0; c < n; ++c) {
    for (int k = G.start[static_cast<std::size_t>(c)]; k < G.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row < 0) continue;
      measured.row.push_back(row);
      measured.value.push_back(G.value[static_cast<std::size_t>(k)] / (layout.is_turn(c) ? turn : 1.0));
    }
    measured.start.push_back(measured.nonzeros());
  }
  std::vector<int> free = sparse::free_columns(measured);
  std::sort(free.begin(), free.end());
  if (static_cast<int>(free.size() + active_.size()) != n) return std::nullopt;
  return free;
}

}  // namespace trunnion::solve
