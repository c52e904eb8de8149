#pragma once
// The Newmark family: Newmark, HHT, generalized-α; index 3 with accelerations as unknowns (docs/theory/dynamics.md).
//
//   d = h vₙ + h²((½ − β) aₙ + β aₙ₊₁)      x ← xₙ + d,  R ← Rₙ exp(d)
//   v = vₙ + h((1 − γ) aₙ + γ aₙ₊₁)
//   (1 − αm) aₙ₊₁ + αm aₙ = (1 − αf) q̈ₙ₊₁ + αf q̈ₙ
// The equations of motion hold at tₙ₊₁ with the true accelerations q̈; a are the ones the formula integrates. For a constant
// mass matrix, which ours is (ẋ in ground axes, ω in body axes), αm = 0, αf = −α is the HHT method as the paper writes it
// (Eq. 10, forces averaged over the step), and reactions and forces are those of tₙ₊₁.
// First-order states use the same filter, z = zₙ + h((1 − γ) bₙ + γ bₙ₊₁): second order and damped where
// γ = ½ + αf − αm; or, with RHO_STATES, the paper's Eq. 9, z = zₙ + h((1 − ρ) żₙ + ρ żₙ₊₁), of order 1 unless ρ = ½.
//
// Local error: (β − 1/(6(1 + α))) h² (aₙ₊₁ − aₙ) (Eq. 26); of states the third derivative, or Eq. 34 where γ or ρ gives order 1.
// Next step: the shorter of 0.9 h e^(−1/3) (Eq. 38) and, of states of order 1, 0.9 h e^(−1/2) (Eq. 39). Prediction: divided
// differences of q̈, λ, ż, w up to degree three.

#include <array>
#include <vector>

#include "assembly/chart.hpp"
#include "formulas/newmark_table.hpp"
#include "integrate/dense_output.hpp"
#include "integrate/formula.hpp"

namespace trunnion::integrate {

class Newmark final : public Formula, public solve::Stage {
 public:
  Newmark(const assembly::Layout& layout, const formulas::NewmarkTable& table, double error,
          AmplitudeTest amplitude = {});

  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override;
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) override;
  double error(const assembly::State& trial) override;
  int worst_entry() const override { return norm_.largest(error_); }
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  int order() const override {
    return second_order_ && (states_.second_order() || !norm_.has_states()) ? 2 : 1;
  }
  double h() const override { return h_; }

  const solve::LevelMaps& maps(bool turns) override;
  void add(const Eigen::VectorXd& du, assembly::State& trial) override;
  double size(const Eigen::VectorXd& du) const override;
  double rounding() const override;

 private:
  // One accepted point of the past, for the prediction.
  struct Point {
    double t = 0;
    Eigen::VectorXd unknowns;  // q̈, ż, w by tangent entry
    Eigen::VectorXd lambda;
  };
  // (1 − αm) aₙ₊₁ + αm aₙ = (1 − αf) q̈ₙ₊₁ + αf q̈ₙ, and what is integrated with γ.
  struct Filter {
    double gamma, alpha_m, alpha_f;
    double kappa() const { return (1 - alpha_f) / (1 - alpha_m); }  // ∂a/∂q̈
    double old_true() const { return alpha_f / (1 - alpha_m); }
    double old() const { return -alpha_m / (1 - alpha_m); }
    double after() const { return alpha_m - alpha_f; }  // a is the acceleration of a time so many steps later
    bool second_order() const;
    double third_derivative() const;  // local error over h³ z⃛, where it has order 2
  };
  void place(assembly::State& trial);  // q, v from the accelerations and rates
  bool end_on_constraints(solve::StageSolver& solver, system::System::Workspace& work,
                          assembly::State& trial);
  void state_error(const assembly::State& trial);
  void shift_filter();
  bool starts_off() const { return last_h_ == 0 && second_order_ && bodies_.after() != 0; }
  // Lagrange weights at t of the polynomial through the newest degree + 1 points.
  std::array<double, 4> weights_at(double t, int degree) const;
  int prediction_degree(double t);
  void extrapolate(double t, int degree, assembly::State& trial);

  const assembly::Layout& layout_;
  formulas::NewmarkTable table_;
  double allowed_;
  Norm norm_;
  Filter bodies_, states_;
  double error_factor_ = 0;  // of h²(aₙ₊₁ − aₙ), in positions
  bool second_order_ = true;
  bool undamped_ = false;  // of vibrations far faster than the step nothing is taken away
  double coordinate_error_ = 0, state_error_ = 0;  // of the step last made, over what is allowed
  double h_ = 0;
  double turned_ = 0;             // largest turn of the last step against steady motion
  assembly::State now_, before_;  // the last two accepted states
  Eigen::VectorXd a_, a_next_;    // formula accelerations; of states the filtered rates b
  Eigen::VectorXd a_here_;        // the first for the length of this step
  double last_h_ = 0;             // of the step that a_ is of
  Eigen::VectorXd d_;
  Eigen::VectorXd spin_;           // h v of the last state, less whole turns, which lead nowhere
  Eigen::VectorXd against_;        // d less that
  Eigen::VectorXd lag_;            // of states, of a step that ends on the constraints
  mutable Eigen::VectorXd error_;  // also scratch of norms
  std::array<Point, 4> past_;
  int points_ = 0;
  int trusted_ = 3;  // highest degree of prediction; falls with rejections
  solve::LevelMaps maps_;
  assembly::Turns turn_;
  DenseOutput dense_;
};

}  // namespace trunnion::integrate
