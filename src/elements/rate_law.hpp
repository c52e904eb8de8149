#pragma once
// The rate of a state that is given by an algebraic equation: DIFF/…, IMPLICIT with a FUNCTION f(z, …) that does not read its own
// DIF1. The state is then a variable, and DIF1 the variable that satisfies d/dt f = 0:
//   c = Σ ∂f/∂sᵢ ṡᵢ,   ∂c/∂ṡᵢ = ∂f/∂sᵢ,   ∂c/∂sⱼ = Σ ∂²f/∂sᵢ∂sⱼ ṡᵢ
// so that a control law that differentiates a signal this way gets its exact derivative, from the first instant on.

#include <vector>

#include "elements/function.hpp"

namespace trunnion::elements {

class RateLaw final : public Law {
 public:
  static constexpr int kOne = -1;  // the rate of TIME
  struct Input {
    int value, rate;  // signals
  };
  // One for each input of the program, which outlives this.
  RateLaw(const expr::Program& program, std::vector<Input> inputs)
      : program_(program), inputs_(std::move(inputs)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  const expr::Program& program_;
  std::vector<Input> inputs_;
};

}  // namespace trunnion::elements
