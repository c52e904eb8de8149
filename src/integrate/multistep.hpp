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

#include "assembly/chart.hpp"
#include "integrate/method.hpp"

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

inline constexpr int kHighestBdf = 6;

// Weights of yₙ₊₁ (s) and yₙ₋ⱼ in ẏₙ₊₁, and of the prediction; `times` are tₙ₊₁, tₙ, tₙ₋₁, … A table for each order.
struct BdfWeights {
  double s = 0;
  double w[kHighestBdf + 1] = {};        // of tₙ …
  double predict[kHighestBdf + 1] = {};  // yᴾ
  double error = 0;                      // C
};
BdfWeights bdf_weights(const double* times, int order, MultistepSettings::Coefficients coefficients);

class Multistep final : public Method {
 public:
  Multistep(const assembly::Layout& layout, const MultistepSettings& settings, double error);

  void start(const assembly::State& state) override;
  // With a past, newest first, of at least two points: goes on at the order it allows.
  void start_with(std::span<const assembly::State> past);
  void predict(double h, assembly::State& trial) override;
  double error(const assembly::State& trial) override;
  int worst_entry() const override;
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  int order() const override { return order_; }
  double h() const override { return h_; }

  const system::LevelMaps& maps(bool turns) override;
  void add(const Eigen::VectorXd& du, assembly::State& trial) override;
  double size(const Eigen::VectorXd& du) const override;
  double rounding() const override;
  const Eigen::VectorXd* y() const override { return settings_.stabilised ? &y_ : nullptr; }

 private:
  struct Point {
    double t = 0;
    Eigen::VectorXd q, v, lambda;
  };
  static constexpr int kPoints = kHighestBdf + 3;
  static constexpr int kDamping = 2;    // orders up to this take energy out of every vibration …
  static constexpr int kFeeding = 4;    // … those up to this put some in
  static constexpr int kSeen = 12;      // steps after which the pace of a swing is known
  static constexpr double kFast = 0.6;  // ωh from which on they are not trusted with one
  static constexpr int kMade = 3;       // points that a start has: itself and two before it

  // At the start, too: the past it is given is poorer in velocities than in positions.
  // The larger of what positions and, where they count, velocities err, over ERROR.
  double by_error(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity) const;
  double velocity_rounding() const;
  void keep_hidden();
  bool hidden(int j) const;
  double usual(int j) const;
  void keep_peaks();
  double pace(int k) const;
  bool controls_velocities() const { return settings_.control_velocities || starting_; }
  void place(assembly::State& trial);
  // Fills chart_ for that many points of the past and finds for how many of them the turns are known beyond doubt.
  void chart_past(int points) const;
  void within_step(double t, Eigen::VectorXd& d) const;
  void to_positions(const Eigen::VectorXd& du, Eigen::VectorXd& to) const;
  // Points that a formula may use.
  int available() const { return std::min(std::max(points_, kMade), known_); }
  void forget_chart() const { charted_ = known_ = 1; }
  // ‖h^(j+1) y^(j+1)‖ over what is allowed, from yₙ₊₁ less the polynomial of degree j.
  double derivative_norm(int j, const assembly::State& trial) const;
  void first_past(double h, int place);

  const assembly::Layout& layout_;
  MultistepSettings settings_;
  double allowed_;
  Norm norm_;
  int order_ = 1;
  double h_ = 0;
  int steps_at_this_ = 0;  // with this order and step
  bool starting_ = true;   // order and step still grow with every step
  int failures_ = 0;       // of error tests in a row
  double turned_ = 0;      // largest turn of the last step against steady motion
  double derivative_[kHighestBdf + 3] = {};
  mutable double plain_[kHighestBdf + 3] = {};  // the same without the amplitude test
  double plain_error_ = 0;
  double peak_[kHighestBdf + 3] = {};          // of derivative_, fading
  double hidden_phase_[kHighestBdf + 3] = {};  // for how many radians of a swing in a row
  int peaks_order_ = 0, steps_at_order_ = 0;
  assembly::State now_;
  std::vector<Point> past_;  // newest first
  int points_ = 0;
  // of past_ at now_, made when asked for: how many points it has, and for how many their turns are known
  mutable std::vector<Eigen::VectorXd> chart_;
  mutable int charted_ = 1, known_ = 1;
  mutable assembly::Chart spins_on_;  // from now_
  BdfWeights weights_;
  Eigen::VectorXd d_, predicted_, rate_rest_, acceleration_rest_, y_, rate_;
  mutable Eigen::VectorXd error_, velocity_error_;
  system::LevelMaps maps_;
  assembly::Turns turn_;
};

}  // namespace trunnion::integrate
