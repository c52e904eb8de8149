#pragma once
// What an element's evaluation gets besides the sink. Nothing in it belongs to the element, so that elements stay const.

#include <span>

#include "assembly/analysis_mode.hpp"
#include "assembly/kinematics.hpp"
#include "assembly/scratch.hpp"
#include "assembly/state.hpp"
#include "math/dual.hpp"

namespace trunnion::assembly {

struct Evaluation {
  Evaluation(const State& at, const Kinematics& of_it, Scratch& own, AnalysisMode analysis,
             std::span<const math::Jet> prescribed = {})
      : state(at), kinematics(of_it), scratch(own), mode(analysis), drives(prescribed) {}

  const State& state;
  const Kinematics& kinematics;  // of that state
  Scratch& scratch;              // this thread's
  AnalysisMode mode;
  std::span<const math::Jet> drives;  // prescribed functions of time with two derivatives, by drive index

  const Layout& layout() const { return kinematics.layout(); }
};

}  // namespace trunnion::assembly
