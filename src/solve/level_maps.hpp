#pragma once
// How the levels of a block move with its unknown u (design: level map). With the unknowns chosen so that δq = q·δu holds without a
// matrix, and S the 3×3 map of a body's turn,
//   coordinates   δq = q δu     δv = v S δu     δa = a S δu        u an acceleration, so that a = 1 and q, v → 0 with the step
//   states z      δq = q δu     δv = v δu                          u = ż
//   variables w   δq = δu                                          u = w
//
// A formula whose stages are coupled (Radau) is taken apart by the eigenvalues of its matrix, which are complex: then q, v, a are.

#include <complex>

#include "assembly/chart.hpp"

namespace trunnion::solve {

template <class Number> struct LevelMapOf { Number q = 0, v = 0, a = 0; };

template <class Number> struct LevelMapsOf {
  LevelMapOf<Number> body{0, 0, 1};       // second order
  LevelMapOf<Number> state{0, 1, 0};      // first order
  LevelMapOf<Number> variable{1, 0, 0};   // algebraic
  const assembly::Turns* turn = nullptr;  // none: the identity

  const LevelMapOf<Number>& of(const assembly::Block& block) const {
    if (block.dynamics == assembly::Dynamics::first_order) return state;
    return block.dynamics == assembly::Dynamics::algebraic ? variable : body;
  }
  // S of a block's turn; null: the identity.
  const math::Mat3* turn_of(const assembly::Block& block) const {
    return turn != nullptr && block.triple >= 0 ? &(*turn)[static_cast<std::size_t>(block.triple)] : nullptr;
  }
};

using LevelMap = LevelMapOf<double>;
using LevelMaps = LevelMapsOf<double>;
using ComplexLevelMaps = LevelMapsOf<std::complex<double>>;

}  // namespace trunnion::solve
