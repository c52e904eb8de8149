#pragma once
// The balance of forces of a mechanism at rest, at a frozen time (primer Eq. 67), and the two linear problems that every
// static method is made of:
//   stiffness   [ K + Hλ + sW  Gᵀ ]        metric   [ W  0  Gᵀ ]
//               [ G            0  ]                 [ 0  S  0  ]
//                                                   [ G  0  0  ]
// W is a diagonal of masses and inertias over the mean mass, never zero, so that the metric can be factored wherever the constraints
// are independent and the stiffness with a shift s wherever the metric can. S holds the equations of variables and states among
// themselves. States with STATIC_HOLD keep their value: their equation is left out, their rate reads zero.

#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "solve/stage_equations.hpp"
#include "sparse/factorisation.hpp"
#include "system/system.hpp"

namespace trunnion::analysis {

class StaticEquations {
 public:
  // `stability`: the fraction of mass and damping in the stiffness, as the primer's method has it.
  StaticEquations(const system::System& system, const std::vector<int>& active, assembly::AnalysisMode mode,
                  double stability, const assembly::State& near);

  // States whose rate is zero at rest and depends on nothing that is sought (the integral of a velocity): they keep their value, as
  // with STATIC_HOLD. Returns which.
  std::vector<int> hold_idle_states(assembly::State at_rest);

  // Residual at a state at rest; with the stiffness where it is asked for.
  void evaluate(const assembly::State& state, bool stiffness);
  bool factor_stiffness(double shift);
  bool factor_metric();
  // The stiffness of the last evaluation is set aside, so that it can be factored with other shifts after trials elsewhere. It is
  // lost, and kept() says so, where a trial finds forces that the pattern lacks.
  void keep_stiffness();
  bool kept() const { return !kept_.empty() || size() == 0; }
  bool factor_kept(double shift);
  // ε |K_b| |δ_b|² over the travels and turns of each part, with the kept one: a curvature δᵀKδ of this size is rounding. By the
  // largest entry, as what stiff elements add to an entry may cancel in it.
  double curvature_rounding(const Eigen::VectorXd& d) const;
  // b ← A⁻¹ b, b over the unknowns [tangent entries; multipliers of active rows].
  void solve_stiffness(Eigen::VectorXd& b) const;
  void solve_metric(Eigen::VectorXd& b) const { metric_lu_.solve(b); }
  // Of the stiffness with its shift: changes where the stiffness passes a singular place.
  int stiffness_sign() const { return stiffness_lu_.determinant_sign(); }
  std::optional<sparse::SingularPivot> stiffness_singular() const { return stiffness_lu_.singular(); }

  // Moves positions, states and variables by the tangent part of x, and multipliers by the rest.
  void add(const Eigen::VectorXd& x, double factor, assembly::State& state) const;
  // Onto the constraints and the equations of variables, by least change in the metric. False where it does not converge.
  bool project(assembly::State& state, double tolerance);
  // That, and the multipliers that leave the smallest force; that force's acceleration x with W x = −r along the constraints.
  bool place(assembly::State& state, double tolerance, Eigen::VectorXd& x);

  const Eigen::VectorXd& residual() const { return residual_; }
  const Eigen::VectorXd& phi() const { return stage_.phi(); }
  double largest_gap() const;        // |φ| of active rows
  double largest_imbalance() const;  // of forces, torques and state equations
  // What rounding of the coordinates alone makes of each balance, at most: a stiff element cannot be nearer to it. After evaluate()
  // with the stiffness.
  Eigen::VectorXd rounding(const assembly::State& state) const;
  Eigen::VectorXd row_sums() const;  // Σ_j |K_ij| of the last evaluation with the stiffness, multipliers too
  // Weights, reactions and forces of springs strained a little; torques over the length.
  double force_scale() const { return force_scale_; }
  double stiffest() const { return stiffest_; }    // largest K_ii / W_ii seen
  double length_scale() const { return length_; }  // of the mechanism
  double way(int entry) const {
    return way_[entry];
  }  // what a displacement is measured by: length_ or a radian
  const Eigen::VectorXd& weights() const { return weights_; }  // W
  double mass_scale() const { return mass_scale_; }            // what W is over
  double heaviest() const { return heaviest_; }                // largest W_i / way_i²
  bool has_states() const { return has_states_; }              // that are not held
  int tangent_size() const { return stage_.tangent_size(); }
  int size() const { return stage_.size(); }
  bool is_mechanical(int entry) const { return layout_.is_mechanical(entry); }
  bool is_held(int entry) const { return held_[static_cast<std::size_t>(entry)] != 0; }
  const solve::StageEquations& stage() const { return stage_; }
  const system::System& system() const { return system_; }
  system::System::Workspace& work() { return work_; }

 private:
  void take_pattern();
  void choose_length();
  void choose_weights(const assembly::State& state);
  void fill_stiffness(const std::vector<double>& values, double shift);
  void scale_stiffness();
  bool factor_filled_stiffness();
  bool balance_here(assembly::State& state, Eigen::VectorXd& x);
  void note_scales(const assembly::State& state, bool stiffness);

  const system::System& system_;
  const assembly::Layout& layout_;
  system::System::Workspace work_;
  solve::LevelMaps maps_;
  solve::StageEquations stage_;
  Eigen::VectorXd residual_, weights_, way_;
  std::vector<char> held_;
  std::vector<int> active_;
  std::vector<double> arms_;  // of each active row: what its reaction is a force by, 1 or the length
  bool has_states_ = false, states_free_ = false;
  bool with_matrix_ = false;  // the last evaluation was
  double length_ = 1, mass_scale_ = 1, heaviest_ = 0, force_scale_ = 0, stiffest_ = 0;

  // The sink's pattern with a full diagonal; of each entry its place in the sink's matrix, −1 where it has none.
  sparse::CscMatrix stiffness_, metric_;
  std::vector<double> kept_;
  double stiffness_scale_ = 1;
  std::vector<int> from_;
  std::vector<int> order_;  // of elimination
  sparse::Factorisation stiffness_lu_, metric_lu_;
};

}  // namespace trunnion::analysis
