#include "solve/complex_stage.hpp"

#include "solve/kept_rows.hpp"
#include "solve/ordering.hpp"

namespace trunnion::solve {

bool ComplexStage::factor(const StageEquations& equations, const ComplexLevelMaps& maps) {
  equations.combine(maps, values_);
  if (pattern_ != equations.patterns()) {
    if (!factors_.analyse(equations.matrix(), elimination_order(equations.layout(), equations))) return false;
    pattern_ = equations.patterns();
  }
  return factors_.update(values_);
}

void ComplexStage::solve(const StageEquations& equations, const ComplexLevelMaps& maps,
                         Eigen::Ref<Eigen::VectorXcd> r) const {
  r = -r;
  equations.scale_rows<std::complex<double>>(maps, r);
  equations.to_matrix(r);
  if (equations.keeps_redundant())
    solve_kept(equations, r, room_, [this](Eigen::Ref<Eigen::VectorXcd> x) { factors_.solve(x); });
  else factors_.solve(r);
  equations.to_model(r);
}

}  // namespace trunnion::solve
