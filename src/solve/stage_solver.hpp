#pragma once
// The one owner of Newton and linear algebra: stages of formulas, consistent accelerations, positions and velocities that the
// constraints allow, impulses. Rows are chosen once; what of them is closed and which unknowns are held are arguments.
//
// Stages. Iterations reuse the matrix while it serves. They stop when the error that is left, estimated from the rate ξ at which
// corrections shrink, is a small part c of what is allowed (HHT paper, Eqs. 42-47):
//   ξ/(1 − ξ) ‖Δ‖ ≤ c
// The rate seen with a matrix is kept for later stages with the same matrix, so that an easy step costs one iteration. A new matrix
// takes G from the residual just evaluated, the formula's factors as they are now, and K, C, M from an earlier state: elements are
// evaluated for those only where that converges slowly.
//
// Consistent states. Everything is the same matrix
//   [ M  Gᵀ ]      positions       minimise δqᵀ M δq with G δq = −φ
//   [ G  0  ]      velocities      minimise δvᵀ M δv with G δv = −φ̇
//                  accelerations   M a + Gᵀλ = Q − h,  G a = γ   (primer Eq. 40), with ż and w of states and variables; Newton
//                  impulse         M Δv + GᵀΛ = 0,  G (v + Δv) = −e G v on some rows, 0 on the others
// With held coordinates positions and velocities are solved for the others instead, G_d δ_d = −φ (solve/dependent_coordinates.hpp).
// Patterns and orders of elimination are kept, so that after the first call nothing is allocated.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/words.hpp"
#include "solve/complex_stage.hpp"
#include "solve/coupled_stages.hpp"
#include "solve/dependent_coordinates.hpp"
#include "solve/independent_motion.hpp"
#include "solve/newton.hpp"
#include "solve/stage.hpp"
#include "solve/stage_matrix.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

// Of each tangent entry whether it stays as it is; empty: none does.
using Held = std::vector<char>;

class StageSolver {
 public:
  using State = assembly::State;
  using Workspace = system::System::Workspace;

  // `rows`: the level at which stages hold the constraints.
  StageSolver(const system::System& system, std::vector<int> active_rows, bool stabilised = false,
              CorrectorSettings settings = {}, StageEquations::Rows rows = StageEquations::Rows::position);

  // A fast motion makes a matrix old within a step; then a new one for each stage is cheaper than the iterations it saves.
  Outcome solve(Stage& stage, State& trial, Workspace& work);
  // Stages that depend on each other, by one real and one complex matrix of the size of a stage's.
  Outcome solve(CoupledStages& stages, Workspace& work);

  // All of the following: false, with message(), where it cannot be done.
  // a, λ, ż, w at given positions, velocities and states.
  bool accelerations(State& state, Workspace& work);
  // Onto φ = 0 and onto φ̇ = 0: by least change in the masses, or by the coordinates that are not held, of which there must be as
  // many as rows.
  bool onto_positions(State& state, Workspace& work, const Held& held = {});
  bool onto_velocities(State& state, Workspace& work, const Held& held = {});
  // Positions, velocities and accelerations; for states that an integrator or an interpolation gave. `left`: what of the rates that are
  // taken away may stay.
  bool reconcile(State& state, Workspace& work, double left = 0);
  // The velocities' jump where the `struck` rows of the layout, those of the active ones that close in an instant, bounce with
  // restitution e: their rate G v + φ_t turns into −e times itself, all other active rows keep theirs at zero. Rows that are not
  // struck and not to act at all are closed by `choice`. Impulses Λ, by row of the layout, into impulses().
  bool impulse(State& state, Workspace& work, std::span<const int> struck, double restitution,
               const Choice& choice = {});
  const Eigen::VectorXd& impulses() const { return impulses_; }
  // Coordinates, as many as freedoms, from which the others follow by coefficients that are not large. None where the active rows are
  // dependent at this state.
  std::optional<std::vector<int>> independent(const State& state, Workspace& work);

  // For formulas over independent coordinates; made when first asked for.
  IndependentMotion& independent_motion();

  // The next stage starts with a new matrix.
  void renew(NewMatrix reason) {
    if (fresh_wanted_ < 0) fresh_wanted_ = static_cast<int>(reason);
  }
  bool matrix_is_current() const { return matrix_age_ == 0 && !combined_; }
  // The correction that a residual of rounding alone asks for, with the present matrix: a few units in the last place of each sum, with
  // signs as they may come. What it makes of positions and velocities no formula can know better.
  const Eigen::VectorXd& noise_correction(const State& state, const LevelMaps& maps);
  // Whether one matrix serves several stages.
  bool couples_stages() const { return coupled_map_ > 0; }

  const system::System& system() const { return system_; }
  const std::vector<int>& active() const { return active_; }
  const core::Words& message() const { return message_; }
  const StageEquations& equations() const { return stage_.equations; }
  const sparse::Factorisation& lu() const { return stage_.factors; }
  const CorrectorCounts& counts() const { return counts_; }
  CorrectorCounts& counts() { return counts_; }  // who evaluates beside it counts here too
  CorrectorSettings& settings() { return settings_; }
  const CorrectorSettings& settings() const { return settings_; }
  int last_iterations() const { return last_iterations_; }
  double rate() const { return rate_; }
  // After a failure: where the largest residual and the slowest correction were.
  int worst_equation() const { return worst_equation_; }
  int worst_variable() const { return worst_variable_; }
  double worst_residual() const { return worst_residual_; }
  // Smallest over largest pivot of the last factors for accelerations.
  double rcond() const { return motion_.factors.rcond(); }

  std::function<void(const IterationRecord&)> listener;
  // Seconds by phase, measured only while `timed`.
  bool timed = false;
  double seconds_evaluating = 0, seconds_factoring = 0, seconds_solving = 0;

 private:
  class StageIteration;
  class CoupledIteration;
  class AccelerationIteration;
  class ProjectionIteration;
  friend class IndependentMotion;

  // --- stages (stage_solver.cpp)
  bool build(StagePlace& stage, const State& trial, Workspace& work, bool evaluated);
  void evaluate(StagePlace& stage, const State& trial, Workspace& work, bool matrix);
  sparse::FactorStatus factor_augmented(StagePlace& stage, const State& trial, Workspace& work,
                                        sparse::FactorStatus status);
  struct Rounding {
    double forces, positions;
  };
  double forces_of(const State& state) const;
  void rounding_residual(const State& state, const LevelMaps& maps, const Rounding& part,
                         Eigen::VectorXd& r) const;
  void share_reactions(const StageMatrix& of, State& state);
  bool begin();
  Outcome finish(bool began_fresh, Outcome outcome);
  bool old_matrix_costs_more() const;
  void learn(bool began_fresh, Outcome outcome);

  // --- consistent states (consistent.cpp)
  bool factor_motion(const State& state, Workspace& work, const Choice& choice = {});
  bool factor_masses(const State& state, Workspace& work, bool rates = false);
  bool refine(State& state, Workspace& work);
  bool linear_in_accelerations() const;
  bool prepare(const State& state, Workspace& work, const Held& held);
  Verdict project(State& state, Workspace& work, bool velocities, bool held);
  bool least_change(const Eigen::VectorXd& off, bool velocities);
  bool project_once(State& state, Workspace& work, double& rate_before);
  double largest_active(const Eigen::VectorXd& values) const;
  double largest_off(bool velocities) const;
  double close_to_zero(const State& state, bool velocities) const;
  bool singular(const State& state, Workspace& work);
  bool not_finite(const core::Words& what, const State& state, Workspace& work);
  bool rows_finite(const Eigen::VectorXd& values, const char* what, const State& state, Workspace& work);
  bool fail(core::Words message) {
    message_ = std::move(message);
    return false;
  }

  const system::System& system_;
  CorrectorSettings settings_;
  std::vector<int> active_, inactive_;  // rows
  StageMatrix stage_, motion_;
  ComplexStage pair_;       // of coupled stages
  double coupled_map_ = 0;  // the q of the real maps that their matrices were made with
  Eigen::MatrixXd residuals_, apart_, corrections_;  // of them, a column each; taken apart by eigenvalues
  Eigen::VectorXcd pair_correction_;
  LevelMaps motion_maps_;
  DependentCoordinates dependent_;
  Held not_solved_for_;         // what is held, and all that is no coordinate
  Eigen::VectorXd rate_ahead_;  // φ̇ at the positions found
  Eigen::VectorXd x_, d_, impulses_, shared_;
  mutable Eigen::VectorXd rounding_;
  bool augmentation_failed_ = false;
  core::Words message_;

  int fresh_wanted_ = static_cast<int>(NewMatrix::first);
  bool levels_old_ = true;  // K, C, M are to be evaluated for the next matrix
  bool combined_ = false;   // the last matrix took them from before
  bool new_pivots_ = false;
  long matrix_age_ = 0;  // stages solved with it
  double rate_ = 0;      // ξ with this matrix; 0: not known
  // Usual ones of a stage that begins with a matrix evaluated, combined, or old.
  double iterations_evaluated_ = 0, iterations_combined_ = 0, iterations_old_ = 0;
  int last_iterations_ = 0;
  int worst_equation_ = 0, worst_variable_ = 0;
  double worst_residual_ = 0;
  CorrectorCounts counts_;
  std::unique_ptr<IndependentMotion> independent_motion_;
};

}  // namespace trunnion::solve
