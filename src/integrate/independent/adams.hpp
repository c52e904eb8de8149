#pragma once
// Adams formulas over independent coordinates, of any steps:
//   predictor of order k     yᴾ = yₙ + ∫ of the polynomial through ẏₙ … ẏₙ₋ₖ₊₁              (Bashforth)
//   corrector                y = yᴾ + I dd,   dd the difference over the predicted rate and those: order k + 1   (Moulton)
//   local error of order q   I*_q dd_q, the last term of the corrector of order q + 1
// What formulas of this family share; which order, how often the corrector is repeated and how steps change is their own affair.

#include "integrate/independent/adams_weights.hpp"
#include "integrate/independent/independent_formula.hpp"

namespace trunnion::integrate {

class Adams : public IndependentFormula {
 protected:
  Adams(const assembly::Layout& layout, double error, AmplitudeTest amplitude, int points,
        formulas::ExplicitTable starter);

  // Times of the end of the step, the last accepted point and the past in nodes_, their rates at rate_at().
  void set_nodes(int points);
  // Σ of the rates at nodes `first` … with weights, times h: into d and v.
  void sum(const double* weight, int first, int count, Eigen::VectorXd& d, Eigen::VectorXd& v) const;
  // Bashforth's formula of k points: predicted_.
  void bashforth(int k);
  // Moulton's of k points, the end of the step being one of them, with the rates end_: into d_ and y_.v.
  void moulton(int k);
  // The local error of Moulton's formula of q points with the rates end_: into error_ and velocity_error_.
  void local_error(int q);
  void take_prediction();
  void fit() override;

  formulas::ExplicitTable starter_;
  // y less the last accepted one: as predicted and of the last correction.
  struct Change {
    Eigen::VectorXd d, v;
  };
  Change predicted_, corrected_;

 private:
  const Rates& rate_at(int node) const { return node == 0 ? end_ : rates(node - 1); }

  static constexpr int kNodes = kHighestAdams + 3;
  double nodes_[kNodes] = {};
};

}  // namespace trunnion::integrate
