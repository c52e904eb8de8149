#pragma once
// Functions of time alone, with two derivatives: what MOTION prescribes. An expression may read TIME and VARVAL() of
// VARIABLEs that are themselves functions of time; they are evaluated in order, each once.

#include <memory>
#include <vector>

#include "expr/program.hpp"
#include "math/dual.hpp"

namespace trunnion::system {

struct TimeFunction {
  static constexpr int kTime = -1;
  static constexpr int kMode = -2;
  std::shared_ptr<const expr::Program> program;
  std::vector<int> inputs;  // of each program input: kTime, kMode, or an earlier function
};

// The scratch memory of one evaluation; grows once.
struct TimeWorkspace {
  expr::Workspace expression;
  std::vector<double> in, gradient, hessian;
};

// f, f′, f″ at t, given those of the earlier functions.
math::Jet evaluate(const TimeFunction& function, double t, double mode, const std::vector<math::Jet>& earlier,
                   TimeWorkspace& work);

}  // namespace trunnion::system
