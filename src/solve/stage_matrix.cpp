#include "solve/stage_matrix.hpp"

#include "solve/ordering.hpp"

namespace trunnion::solve {

sparse::FactorStatus StageMatrix::factor() {
  if (pattern_ == equations.patterns()) return factors.update(equations.matrix());
  pattern_ = -1;
  if (!factors.analyse(equations.matrix(), elimination_order(system_.layout(), equations)))
    return sparse::FactorStatus::singular;
  pattern_ = equations.patterns();
  return factors.factor(equations.matrix());
}

}  // namespace trunnion::solve
