#pragma once
// The equations of a stage and the factors of their matrix, which are renewed on the pattern and the order of elimination found the
// first time.

#include <vector>

#include "solve/kept_rows.hpp"
#include "solve/stage_equations.hpp"
#include "sparse/factorisation.hpp"

namespace trunnion::solve {

class StageMatrix {
 public:
  StageMatrix(const system::System& system, std::vector<int> rows, StageEquations::Rows form,
              bool stabilised = false)
      : equations(system.layout(), std::move(rows), form, stabilised), system_(system) {
    equations.use_physical_scale();
  }

  void evaluate(const assembly::State& state, system::System::Workspace& work, const LevelMaps& maps,
                bool matrix, const Eigen::VectorXd* y = nullptr, const Choice& choice = {}) {
    equations.evaluate(system_, state, work, maps, matrix, y, choice);
  }
  void evaluate_matrix(const assembly::State& state, system::System::Workspace& work, const LevelMaps& maps,
                       bool rates) {
    equations.evaluate_matrix(system_, state, work, maps, rates);
  }
  void evaluate_forces(const assembly::State& state, system::System::Workspace& work, const LevelMaps& maps) {
    equations.evaluate_forces(system_, state, work, maps);
  }
  void evaluate_rows(const assembly::State& state, system::System::Workspace& work) {
    equations.evaluate_rows(system_, state, work);
  }
  // Of the matrix there is.
  sparse::FactorStatus factor();
  // b ← A⁻¹ b: b by the equations' residual, the solution in the model's terms.
  template <class Vector> void solve(Vector& b) const {
    equations.to_matrix(b);
    const auto by_factors = [this](Eigen::VectorXd& x) { factors.solve(x); };
    if (equations.keeps_redundant()) solve_kept(equations, b, room_, by_factors);
    else factors.solve(b);
    equations.to_model(b);
  }
  // The multipliers of active rows that make the same forces and are shared by redundant ones, where these are kept.
  void share(Eigen::VectorXd& multipliers) const {
    solve::share(equations, multipliers, room_, idle_, [this](Eigen::VectorXd& x) { factors.solve(x); });
  }
  bool known() const { return pattern_ >= 0; }  // the pattern

  StageEquations equations;
  sparse::Factorisation factors;

 private:
  const system::System& system_;
  int pattern_ = -1;  // that the factors are of
  mutable Eigen::VectorXd room_, idle_;
};

}  // namespace trunnion::solve
