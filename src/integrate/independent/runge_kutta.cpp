#include "integrate/independent/runge_kutta.hpp"

#include <algorithm>

#include "integrate/step_control.hpp"

namespace trunnion::integrate {

// Dense output asks for half as many points as the order.
RungeKutta::RungeKutta(const assembly::Layout& layout, formulas::ExplicitTable table, double error,
                       AmplitudeTest amplitude)
    : IndependentFormula(layout, error, std::move(amplitude), table.order / 2 + 1), table_(std::move(table)) {
  stage_count_ = table_.stages;
}

solve::Outcome RungeKutta::attempt(double h, const Place& place) {
  const solve::Outcome opened = open(h, place);
  return opened == solve::Outcome::converged ? runge_kutta(table_, place) : opened;
}

double RungeKutta::error(const assembly::State&) {
  const double step = runge_kutta_error(table_);
  return std::max(step, interpolation_error());
}

double RungeKutta::next_step(double error, double largest) {
  return StepControl::next(h_, error, power(table_), turned_, largest);
}

double RungeKutta::smaller_step(double error, Rejection why) {
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  return StepControl::after_error(h_, error, power(table_));
}

}  // namespace trunnion::integrate
