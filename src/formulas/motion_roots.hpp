#pragma once
// The roots ξ by which a formula goes on, from what it did: the motion of an undamped oscillator in equal steps, whatever the formula
// keeps besides position and velocity (older points, auxiliary rates, a filtered acceleration).

#include <vector>

#include <Eigen/Core>

#include "formulas/amplification.hpp"

namespace trunnion::formulas {

// Columns: two motions, from unit position and from unit velocity. Rows: position × ω and velocity.
using Motion = std::vector<Eigen::Matrix2d>;

// Steps that a start may take otherwise than the formula goes on, and all that are needed.
inline constexpr int kStartingSteps = 4, kStepsForRoots = kStartingSteps + 12;

// `motion` has the start and kStepsForRoots steps. Roots whose part in it is lost in rounding are not among them.
Roots motion_roots(const Motion& motion);

}  // namespace trunnion::formulas
