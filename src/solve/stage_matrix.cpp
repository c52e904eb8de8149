#include "solve/stage_matrix.hpp"

#include "solve/ordering.hpp"

namespace trunnion::solve {

sparse::FactorStatus StageMatrix::factor() {
  if (pattern_ == equations.patterns()) return factors.update(equations.matrix());
  pattern_ = -1;
  const GroupedOrder found = grouped_order(system_.layout(), equations);
  if (!factors.analyse(equations.matrix(), sparse::Plan{.order = found.order, .groups = found.groups}))
    return sparse::FactorStatus::singular;
  pattern_ = equations.patterns();
  return factors.factor(equations.matrix());
}

}  // namespace trunnion::solve
