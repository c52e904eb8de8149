#pragma once
// INTEGRATOR/ABAM: predict, evaluate, correct, evaluate with Adams' formulas of variable order and step (L. F. Shampine, M. K. Gordon,
// Computer Solution of Ordinary Differential Equations, 1975). The order k that is controlled is the predictor's; the corrector's, one
// higher, is taken. It starts at order 1 and raises order and step with every step while the error allows. With a fixed step the past
// is made by Runge-Kutta steps, and the order is the one with the least error, or KMAX where that is below the highest.

#include "integrate/independent/adams.hpp"

namespace trunnion::integrate {

struct AbamSettings {
  int highest = kHighestAdams;  // KMAX
  bool constant = false;        // steps as given
  bool order_given = true;      // then all of one order, the highest
};

class Abam final : public Adams {
 public:
  Abam(const assembly::Layout& layout, const AbamSettings& settings, double error, AmplitudeTest amplitude);

  void start(std::span<const assembly::State> past) override;
  double error(const assembly::State& trial) override;
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  int order() const override { return order_; }

 private:
  void fit() override;
  solve::Outcome attempt(double h, const Place& place) override;
  // Local errors over what is allowed of the order taken and its neighbours; −1: not known.
  struct Seen {
    double lower = -1, here = 0, higher = -1;
  };
  double while_starting(double largest);
  double by_errors(double largest);
  void take_least_error();
  void change_order(int by);
  static double stability(int order);

  AbamSettings settings_;
  int order_ = 1, used_ = 1;  // to take, and what the past allowed
  int steps_at_order_ = 0, failures_ = 0;
  bool starting_ = true, by_starter_ = false;
  Seen seen_;
  Eigen::VectorXd first_d_, first_v_;  // of the evaluation at the prediction
};

}  // namespace trunnion::integrate
