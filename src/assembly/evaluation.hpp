#pragma once
// What an element's evaluation gets besides the sink. Nothing in it belongs to the element, so that elements stay const.

#include <span>

#include "assembly/kinematics.hpp"
#include "assembly/scratch.hpp"
#include "assembly/state.hpp"
#include "math/dual.hpp"

namespace trunnion::assembly {

struct Evaluation {
  const State& state;
  const Kinematics& kinematics;         // of that state
  Scratch& scratch;                     // this thread's
  std::span<const math::Jet> drives{};  // prescribed functions of time with two derivatives, by drive index
  // What MODE reads: 1 kinematics, 3 initial conditions, 4 dynamics, 5 statics, 6 quasi-statics, 7 linear.
  double mode = 4;

  const Layout& layout() const { return kinematics.layout(); }
};

}  // namespace trunnion::assembly
