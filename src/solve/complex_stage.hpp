#pragma once
// One complex eigenvalue of stages that are solved together. With the stages' increments taken apart by T⁻¹ A T = Λ (Hairer,
// Wanner, IV.8), each eigenvalue μ of a formula's matrix gives the equations of a stage of its own, with the level maps
//   coordinates  q = (hμ)², v = hμ, a = 1     states  q = hμ, v = 1     variables  q = 1
// on the levels of one state: the same sum as for a real stage, in complex numbers.
//
//   equations.evaluate(…, matrix = true)         // real maps: pattern, levels; the real eigenvalue's matrix besides
//   stage.factor(equations, maps)                // complex: a combine and a factorisation, no evaluation
//   per iteration: residuals of all stages with φ, ψ unscaled, transformed by T⁻¹; stage.solve(equations, maps, r)

#include <complex>
#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/complex_factorisation.hpp"

namespace trunnion::solve {

class ComplexStage {
 public:
  // From the levels last evaluated for a matrix. False where it is singular.
  bool factor(const StageEquations& equations, const ComplexLevelMaps& maps);
  // r, with φ and ψ unscaled (maps with q = v = 1 give such a residual), becomes the correction −A⁻¹ r.
  void solve(const StageEquations& equations, const ComplexLevelMaps& maps,
             Eigen::Ref<Eigen::VectorXcd> r) const;
  const std::vector<std::complex<double>>& values() const {
    return values_;
  }  // on the pattern of equations.matrix()

 private:
  sparse::ComplexFactorisation factors_;
  std::vector<std::complex<double>> values_;
  int pattern_ = -1;
  mutable Eigen::VectorXcd room_;
};

}  // namespace trunnion::solve
