#pragma once
// A state that satisfies all equations at all levels, from one that nearly does. Everything is the same matrix
//   [ M  Gᵀ ]      positions       minimise δqᵀ M δq with G δq = −φ
//   [ G  0  ]      velocities      minimise δvᵀ M δv with G δv = −φ̇
//                  accelerations   M a + Gᵀλ = Q − h,  G a = γ   (primer Eq. 40), with ż and w of states and variables; Newton
// The pattern and the factors' order are kept, so that after the first call nothing is allocated.

#include <string>
#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/lu.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

class Consistent {
 public:
  Consistent(const system::System& system, std::vector<int> active_rows);

  // a, λ, ż, w at given positions, velocities and states. False, with message(), where they cannot be found.
  bool accelerations(assembly::State& state, system::System::Workspace& work);
  // Positions and velocities too; for states that an integrator or an interpolation gave.
  bool reconcile(assembly::State& state, system::System::Workspace& work);

  const core::Words& message() const { return message_; }
  const std::vector<int>& active() const { return active_; }
  // Smallest over largest pivot of the last factorisation.
  double rcond() const { return lu_.rcond(); }

 private:
  bool factor(const assembly::State& state, system::System::Workspace& work);
  void evaluate(const assembly::State& state, system::System::Workspace& work);
  bool refine(assembly::State& state, system::System::Workspace& work);
  void solve_for(const Eigen::VectorXd& off);
  double largest_active(const Eigen::VectorXd& values) const;
  bool singular(const assembly::State& state, system::System::Workspace& work);
  core::Words loop_through(int column) const;
  bool not_finite(const core::Words& what, const assembly::State& state, system::System::Workspace& work);
  bool rows_finite(const Eigen::VectorXd& values, const char* what, const assembly::State& state,
                   system::System::Workspace& work);
  bool fail(core::Words message) {
    message_ = std::move(message);
    return false;
  }
  void add(assembly::State& state) const;

  const system::System& system_;
  std::vector<int> active_, inactive_;  // rows
  LevelMaps maps_;
  StageEquations equations_;
  sparse::SparseLu lu_;
  bool analysed_ = false;
  Eigen::VectorXd x_, d_;
  core::Words message_;
};

}  // namespace trunnion::solve
