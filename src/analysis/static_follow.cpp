// The step along a path of equilibria.

#include <cmath>

#include "analysis/static_search.hpp"

namespace trunnion::analysis {

using assembly::State;

Search StaticSearch::follow(State& state, double reach) {
  constexpr int kSteps = 12;
  const double gap = gap_tolerance(state);
  const State start = state;
  if (!equations_.project(state, gap)) return Search::not_converged;
  double before = HUGE_VAL;
  for (int k = 0; k < kSteps; ++k) {
    equations_.evaluate(state, true);
    if (!equations_.factor_stiffness(smallest_shift())) return Search::singular;
    Eigen::VectorXd d = -equations_.residual();
    equations_.solve_stiffness(d);
    const double size = extent(d);
    tell("path", size, 0, d, true);
    if (!(size <= reach) || (k > 2 && size > 2 * before)) return Search::not_converged;
    equations_.add(d, 1, state);
    if (distance(start, state) > reach) return Search::not_converged;
    equations_.evaluate(state, false);
    if (size <= settings_.error * 1e-2 && equations_.largest_imbalance() <= tolerance() &&
        equations_.largest_gap() <= gap) {
      polish(state);
      equations_.evaluate(state, true);
      equations_.factor_stiffness(smallest_shift());
      system_.accept(state, equations_.work());
      return Search::converged;
    }
    before = size;
  }
  return Search::not_converged;
}

}  // namespace trunnion::analysis
