#pragma once
// What a motion has dissipated and what work was put into it: the powers at the accepted steps, integrated.
//
// Over a step the power is the cubic through its values at the ends of this step and of the two before it (fewer after a start),
// so that an output time within the step has its own value and the sum has an error of h⁵ a step, beside which ERROR decides.
// Kinetic + potential + dissipated − work is then constant as far as the motion is right.

#include <array>

#include "system/system.hpp"

namespace trunnion::analysis {

class EnergyLedger {
 public:
  // `so_far`: of motions before this one.
  EnergyLedger(const system::System& system, assembly::AnalysisMode mode, const system::Power& so_far)
      : system_(system), work_(system, mode), sum_(so_far) {}

  // A motion goes on from here, not smoothly: the steps before count no longer for the cubic.
  void begin(const assembly::State& state);
  void step(const assembly::State& accepted);
  // Up to a time within the last step.
  system::Power at(double t) const;
  // At the latest of the steps.
  const system::Energy& energy() const { return energy_; }

 private:
  static constexpr int kPoints = 4;
  struct Point {
    double t = 0;
    system::Power power;
  };
  Point point(const assembly::State& state);
  system::Power power_at(double t) const;  // of the cubic

  const system::System& system_;
  system::System::Workspace work_;
  std::array<Point, kPoints> points_;  // the latest first
  int count_ = 0;
  system::Power sum_;   // up to …
  double reached_ = 0;  // … this time, where the last step began
  system::Energy energy_;
};

}  // namespace trunnion::analysis
