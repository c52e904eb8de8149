#pragma once
// The equations of blocks of scalars: DIFF, VARIABLE, LSE, TFSISO.
//
//   left − c(signals) = 0, one row per entry of the block, with left =
//     rate    ż           DIFF: ż = f         LSE: ẋ − A x − B u       TFSISO alike
//     value   w           VARIABLE: w = f     outputs y − C x − D u
//     none    0           DIFF IMPLICIT: f(ż, z, …) = 0
// VARIABLEs may read each other and themselves: the loop is solved with all other equations, starting from IC.
//
// TFSISO: y/u = (b₀ + b₁ s + …)/(a₀ + a₁ s + … + aₙ sⁿ), n ≥ the numerator's order, in controllable form:
//   ẋ₁ = x₂, …, ẋₙ = (u − a₀ x₁ − … − aₙ₋₁ xₙ)/aₙ     y = Σ (bₖ − aₖ bₙ/aₙ) xₖ₊₁ + bₙ/aₙ u

#include <string>

#include "elements/function.hpp"

namespace trunnion::elements {

struct Equation {
  enum class Left : std::uint8_t { none, value, rate };
  assembly::BlockId block;
  Left left = Left::value;
  bool dynamic_hold = false;  // DYNAMIC_HOLD: ż = 0 in place of the equation, but in statics
  Response response;
  Columns columns;
  Dependence dependence;
};

// One response output per entry of the block. seal() when all signals are there.
Equation make_equation(assembly::BlockId block, Equation::Left left, const assembly::Layout& layout);
void seal(Equation& equation);
// c = matrix · signals.
void set_linear(Equation& equation, std::vector<Signal> signals, const Eigen::MatrixXd& matrix,
                const assembly::Layout& layout);

void evaluate(const Equation& equation, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);

struct StateSpace {
  Eigen::MatrixXd A, B, C, D;
};
// Coefficients in ascending powers; the last of the denominator is not zero and the numerator is no longer than it.
StateSpace controllable_form(const std::vector<double>& numerator, const std::vector<double>& denominator);

// Emits rows of a block of scalars: the residual, and as partials the gradients `by` (columns × rows of the block) wherever
// `dependence` says.
void emit(assembly::BlockId block, const Columns& columns, const Dependence& dependence, const Evaluation& at,
          const VecMap& residual, const std::array<MatMap, 3>& by, assembly::Sink& sink,
          assembly::Term term = assembly::Term::equation);

}  // namespace trunnion::elements
