#pragma once
// Backward differentiation of variable order and step, index 3 or stabilised index 2 (docs/theory/dynamics.md).
//
//   ẏₙ₊₁ = s yₙ₊₁ + Σ wⱼ yₙ₋ⱼ,   y = (chart coordinates d of the poses, z)   and again   v̇ₙ₊₁ = s vₙ₊₁ + Σ wⱼ vₙ₋ⱼ
// The past is kept as poses. Each step expresses it in a chart that goes on moving as the last state does (assembly/chart.hpp), so
// that nothing has to be rescaled when step or order change and bodies may turn any number of times in a step.
//
//   fixed leading coefficient (GSTIFF, CONSTANT_BDF)   s = Σ_{i≤k} 1/(i h); wⱼ from the predictor, as DASSL does it
//   variable coefficients     (WSTIFF)                 the derivative of the polynomial through yₙ₊₁ … yₙ₋ₖ₊₁
// Local error: C (y − yᴾ), yᴾ the polynomial through the last k + 1 points; velocities count too with SI2.

#include <algorithm>
#include <span>
#include <vector>

#include "integrate/chart_stage.hpp"
#include "integrate/formula.hpp"
#include "integrate/order_control.hpp"

namespace trunnion::integrate {

struct MultistepSettings {
  enum class Coefficients { fixed_leading, variable };
  Coefficients coefficients = Coefficients::fixed_leading;
  bool stabilised = false;  // SI2
  int highest_order = 6;    // KMAX
  bool constant = false;    // order and step as given once the past is long enough
  bool control_velocities = false;
  AmplitudeTest amplitude = {};
};

// Weights of yₙ₊₁ (s) and yₙ₋ⱼ in ẏₙ₊₁, and of the prediction; `times` are tₙ₊₁, tₙ, tₙ₋₁, … A table for each order.
struct BdfWeights {
  double s = 0;
  double w[kHighestBdf + 1] = {};        // of tₙ …
  double predict[kHighestBdf + 1] = {};  // yᴾ
  double error = 0;                      // C
};
BdfWeights bdf_weights(const double* times, int order, MultistepSettings::Coefficients coefficients);

class Multistep final : public Formula {
 public:
  Multistep(const assembly::Layout& layout, const MultistepSettings& settings, double error);

  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override;
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) override;
  double error(const assembly::State& trial) override;
  void note_rounding(solve::StageSolver& solver, const assembly::State& trial) override;
  double error_beyond_rounding() const override;
  int worst_entry() const override;
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override { return control_.smaller_step(error, why); }
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  std::string remark() override;
  int order() const override { return control_.order(); }
  double h() const override { return h_; }

  ChartStage& stage() { return stage_; }  // as the last prediction left it

 private:
  struct Point {
    double t = 0;
    Eigen::VectorXd q, v, lambda;
    ErrorTests rounding = {};  // as far as it is known
  };
  static constexpr int kPoints = kHighestBdf + 3;
  static constexpr int kMade = 3;  // points that a start has: itself and two before it
  static constexpr int kWatched = OrderControl::kWatched, kNorms = 3;

  void start_from(const assembly::State& state);
  // The larger of what positions and, where they count, velocities err, over ERROR.
  double by_error(const assembly::State& trial, const Eigen::VectorXd& position,
                  const Eigen::VectorXd& velocity) const;
  // At the start, too: the past it is given is poorer in velocities than in positions.
  bool controls_velocities() const { return settings_.control_velocities || control_.starting(); }
  // Fills chart_ for that many points of the past and finds for how many of them the turns are known beyond doubt.
  void chart_past(int points) const;
  void within_step(double t, Eigen::VectorXd& d) const;
  // Points that a formula may use.
  int available() const { return std::min(std::max(points_, kMade), known_); }
  void forget_chart() const { charted_ = known_ = 1; }
  // ‖h^(j+1) y^(j+1)‖ over what is allowed, from yₙ₊₁ less the polynomial of degree j.
  double derivative_norm(int j, const assembly::State& trial, double& plain) const;
  // Leaves in error_ and velocity_error_ what, times the number returned, is that derivative.
  double derivative(int j, const assembly::State& trial) const;
  void see_vibration(const assembly::State& trial, OrderControl::Derivatives& seen) const;
  void first_past(double h, int place);

  const assembly::Layout& layout_;
  MultistepSettings settings_;
  double allowed_;
  Norm norm_;
  OrderControl control_;
  double h_ = 0;
  bool told_ = false;  // of a vibration
  double turned_ = 0;  // largest turn of the last step against steady motion
  assembly::State now_;
  std::vector<Point> past_;  // newest first
  int points_ = 0;
  // of past_ at now_, made when asked for: how many points it has, and for how many their turns are known
  mutable std::vector<Eigen::VectorXd> chart_;
  mutable int charted_ = 1, known_ = 1;
  mutable ChartStage stage_;  // seen from now_
  BdfWeights weights_;
  ErrorTests found_, rounding_ = {};  // of this step
  Eigen::VectorXd predicted_;
  mutable Eigen::VectorXd error_, velocity_error_;
};

}  // namespace trunnion::integrate
