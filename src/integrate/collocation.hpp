#pragma once
// Every formula whose stages are solved together (formulas/collocation_table.hpp): Radau IIA, Gauss and the midpoint rule, the
// energy-decaying one.
//
//   dₖ = h (startₖ ḋ₀ + Σⱼ Aₖⱼ ḋⱼ)        v = velocity(d, ḋ)         in the chart that goes on moving as the last state does
//   vₖ = v₀ + h (startₖ a₀ + Σⱼ Aₖⱼ aⱼ)                              first-order states as d
// The unknowns are the dⱼ; rates and accelerations follow by A⁻¹. With the stabilised equations v = velocity(d, ḋ) + h Σⱼ Aₖⱼ yⱼ.
//
// Formulas whose stages are no better than of order 1 or do not end the step (energy-decaying, Gauss) hold the velocities of constraints
// at the stages, index 2; their end is projected onto the constraints, which keeps the order that the quadrature has (Ascher,
// Petzold 1991).
//
// Local error: the embedded solution; of order 2, h³ y⃛/12 from three rates, and of states by how much the stage's rate differs from those
// that its ends have; of Gauss' order 4, h⁴ y⁗/72 from the rates of a step, what
// Radau IIA of as many stages would leave.

#include <vector>

#include "assembly/chart.hpp"
#include "formulas/collocation_table.hpp"
#include "integrate/dense_output.hpp"
#include "integrate/formula.hpp"
#include "solve/coupled_stages.hpp"

namespace trunnion::integrate {

struct CollocationSettings {
  formulas::CollocationTable table;
  bool stabilised = false;          // SI2
  bool index2 = false;              // constraints by their velocities at the stages, the end projected
  bool constant_predictor = false;  // PREDICTOR=CONSTANT
  AmplitudeTest amplitude = {};
};

class Collocation final : public Formula, private solve::CoupledStages {
 public:
  Collocation(const assembly::Layout& layout, CollocationSettings settings, double error);

  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override;
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) override;
  double error(const assembly::State& trial) override;
  void note_rounding(solve::StageSolver& solver, const assembly::State& trial) override;
  double error_beyond_rounding() const override;
  int worst_entry() const override { return norm_.largest(error_); }
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  int order() const override { return table_.order; }
  double h() const override { return h_; }
  bool reactions_hold() const override { return index2_; }

 private:
  // --- of the stage solver
  int count() const override { return table_.stages; }
  assembly::State& trial(int k) override { return stages_[static_cast<std::size_t>(k)]; }
  const Eigen::VectorXd* y_of(int k) const override {
    return stabilised_ ? &y_[static_cast<std::size_t>(k)] : nullptr;
  }
  const Eigen::VectorXd* y() const override { return y_of(table_.stages - 1); }
  const Eigen::MatrixXd& to_stages() const override { return table_.T; }
  const Eigen::MatrixXd& from_stages() const override { return table_.T_inverse; }
  bool has_real() const override { return table_.has_real; }
  bool has_pair() const override { return table_.has_pair; }
  const solve::LevelMaps& maps(bool turns) override;
  const solve::ComplexLevelMaps& pair_maps() const override { return pair_maps_; }
  void add(const Eigen::MatrixXd& du) override;
  double size(const Eigen::MatrixXd& du) const override;
  double rounding() const override;

  using Columns = Eigen::MatrixXd;  // one per stage
  void open(double h);
  void guess();
  void extrapolation_weights(double x, Eigen::VectorXd& weight) const;
  void place();
  void positions_of(const Eigen::MatrixXd& du, int k, Eigen::VectorXd& to) const;
  void quadrature(assembly::State& trial);
  bool end_of_step(solve::StageSolver& solver, system::System::Workspace& work, assembly::State& trial);
  void keep_end(const assembly::State& trial);
  void embedded_error();
  void third_derivative_error();
  void fourth_derivative_error();
  void lag_error();
  double power() const;
  assembly::Chart& chart(int k) { return charts_[static_cast<std::size_t>(k)]; }
  double largest_s() const;

  const assembly::Layout& layout_;
  formulas::CollocationTable table_;
  Eigen::MatrixXd A_inverse_, A_square_;
  bool stabilised_, index2_, constant_predictor_;
  double allowed_;
  Norm norm_;
  DenseOutput dense_;
  std::vector<assembly::Chart> charts_;  // of each stage and of the end of the step, all from the last state
  std::vector<assembly::State> stages_;
  std::vector<Eigen::VectorXd> y_;
  Columns d_, d_dot_, v_, a_;
  solve::LevelMaps maps_;
  solve::ComplexLevelMaps pair_maps_;
  assembly::Turns turn_;

  double h_ = 0, turned_ = 0;
  assembly::State now_, before_;
  Eigen::VectorXd rate_, rate_before_,
      rate_start_;  // of the coordinates at now_, at before_; of now_ in the chart
  bool has_before_ = false;
  Eigen::VectorXd end_d_, end_rate_, end_a_;  // of this step, in the chart
  // Of the step before, for the first guess.
  double last_h_ = 0;
  Columns last_rates_, last_lambda_;                         // accelerations and rates of states; reactions
  ErrorTests found_, rounding_ = {}, rounding_before_ = {};  // of this step, and of the one before
  Eigen::VectorXd zero_, error_, velocity_error_, weight_;
  mutable Eigen::VectorXd change_;
};

}  // namespace trunnion::integrate
