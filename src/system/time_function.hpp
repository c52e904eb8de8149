#pragma once
// Functions of time alone, with two derivatives: what MOTION prescribes. An expression may read TIME and VARVAL() of
// VARIABLEs that are themselves functions of time; they are evaluated in order, each once. What a SENSOR has kept (SENVAL) stands still
// between its events: a function without course.

#include <memory>
#include <vector>

#include "assembly/analysis_mode.hpp"
#include "elements/user_law.hpp"
#include "expr/program.hpp"
#include "math/dual.hpp"

namespace trunnion::system {

struct TimeFunction {
  static constexpr int kTime = -1;
  static constexpr int kMode = -2;
  std::shared_ptr<const expr::Program> program;
  std::shared_ptr<const elements::UserRoutine> user;  // in place of the program
  int kept = -1;                                      // so is a place in State::memory
  std::vector<int> inputs;  // of each program input: kTime, kMode, or an earlier function
  std::vector<int> reads;   // all earlier functions it reads, directly or through others, in order
};

// The scratch memory of one evaluation; grows once.
struct TimeWorkspace {
  const std::vector<double>* memory = nullptr;  // of the state; none: nothing was kept yet
  expr::Workspace expression;
  std::vector<double> in, gradient, hessian;
};

// f, f′, f″ at t, given those of the earlier functions.
math::Jet evaluate(const TimeFunction& function, double t, assembly::AnalysisMode mode,
                   const std::vector<math::Jet>& earlier, TimeWorkspace& work);

// The function alone with those it reads; leaves their values in `values`, which has one place per function.
math::Jet evaluate_alone(const std::vector<TimeFunction>& functions, int which, double t,
                         assembly::AnalysisMode mode, std::vector<math::Jet>& values, TimeWorkspace& work);

}  // namespace trunnion::system
