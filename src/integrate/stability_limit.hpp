#pragma once
// Whether BDF is feeding a vibration that hardly anything damps: from the norms of three neighbouring derivatives over the last steps, in the
// way of CVODE's stability-limit detection (A. C. Hindmarsh, "Detecting stability barriers in BDF solvers", 1992), which asks them for the
// root of the difference equation too.
//
// A vibration that goes from step to step by the root ξ = r e^(iθ) has differences ∇ʲy whose sizes are in the ratio |1 − 1/ξ| to each other, and
// whose phases are nearly a quarter of a turn apart: x₁ + 2x₂ + x₃ of their squares, each over its mean, swings by no more than
// sin²(θ/2) and tells r from the earlier to the later half of the steps. Both are known whatever the orders were that made the
// steps. The root then tells hλ = Σ (1 − 1/ξ)ʲ/j: on the imaginary axis nothing damps it.

#include <optional>

namespace trunnion::integrate {

// By how much BDF of this order lets an undamped vibration of ωh = y grow in a step, |ξ| − 1; below 0 it is damped.
double bdf_growth(int order, double y);

class StabilityLimit {
 public:
  struct Root {
    double size = 0, angle = 0;  // r, θ
  };

  void forget() { known_ = 0; }
  // After an accepted step as long as the one before: the norms of three neighbouring differences, always the same.
  void see(const double norms[3]);
  // None where the steps are too few, or show motions of several paces.
  std::optional<Root> root() const;
  // What BDF of this order makes of the vibration a step, |ξ| − 1, where the root, seen with the order `now`, is that of one without
  // damping; else 0.
  double growth(int now, int order) const;

 private:
  static constexpr int kSteps = 8, kNorms = 3;

  int known_ = 0;
  double square_[kNorms][kSteps] = {};  // oldest first
};

}  // namespace trunnion::integrate
