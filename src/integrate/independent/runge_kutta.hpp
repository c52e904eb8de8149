#pragma once
// Explicit Runge-Kutta formulas over independent coordinates. The evaluation at the end of a step makes it consistent and is the first
// stage of the next.

#include "integrate/independent/independent_formula.hpp"

namespace trunnion::integrate {

class RungeKutta final : public IndependentFormula {
 public:
  RungeKutta(const assembly::Layout& layout, formulas::ExplicitTable table, double error,
             AmplitudeTest amplitude);

  double error(const assembly::State& trial) override;
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  int order() const override { return table_.order; }

 private:
  solve::Outcome attempt(double h, const Place& place) override;
  formulas::ExplicitTable table_;
};

}  // namespace trunnion::integrate
