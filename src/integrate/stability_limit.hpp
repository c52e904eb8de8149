#pragma once
// Whether BDF is feeding a vibration that hardly anything damps: from the norms of three neighbouring derivatives over the last steps, in the
// way of CVODE's stability-limit detection (A. C. Hindmarsh, "Detecting stability barriers in BDF solvers", 1992), which asks them for the
// root of the difference equation too.
//
// A vibration that goes from step to step by the root ξ = r e^(iθ) has differences ∇ʲy whose sizes are in the ratio |1 − 1/ξ| to each other, and
// whose phases are nearly a quarter of a turn apart: x₁ + 2x₂ + x₃ of their squares, each over its mean, swings by no more than
// sin²(θ/2) and tells r from the earlier to the later half of the steps. Both are known whatever the orders were that made the
// steps. The root then tells hλ = Σ (1 − 1/ξ)ʲ/j: on the imaginary axis nothing damps it. Divided differences over hʲ do not ask for equal
// steps: what is known is scaled to the step of the day, so that a vibration is seen, too, where it makes steps change.

#include <optional>

namespace trunnion::integrate {

// By how much BDF of this order lets an undamped vibration of ωh = y grow in a step, |ξ| − 1; below 0 it is damped.
double bdf_growth(int order, double y);

class StabilityLimit {
 public:
  struct Root {
    double size = 0, angle = 0;  // r, θ
  };
  struct Vibration {
    double y = 0;           // ωh
    double size = 0;        // its amplitude, in the unit of the norms
    double part = 0;        // its speed over that of the whole motion
    bool undamped = false;  // as far as the root tells
  };
  struct Differences {
    double norms[3] =
        {};  // of three neighbouring ones, always the same, as if all steps were as long as the last
    double part =
        0;  // of the lowest by the masses, over the way that the motion makes in such a step where it is fastest
  };

  // `lowest`: the power of the lowest difference.
  explicit StabilityLimit(int lowest) : lowest_(lowest) {}

  void forget() { known_ = 0; }
  void see(const Differences& seen, double h);  // after an accepted step of this length
  // None where the steps are too few, or show motions of several paces.
  std::optional<Root> root() const;
  // What goes on in them, seen with this order; none where there is no pace.
  std::optional<Vibration> vibration(int order) const;

 private:
  static constexpr int kSteps = 8, kNorms = 3;

  int lowest_;
  int known_ = 0;
  double h_ = 0;
  double square_[kNorms][kSteps] = {};  // oldest first, at h_
  double part_[kSteps] = {};            // squares, too
};

}  // namespace trunnion::integrate
