#pragma once
// What a motion has dissipated and what work was put into it: the powers at the accepted steps, integrated.
//
// Over a step the power is the cubic through its values at the ends of this step and of the two before it (fewer after a start),
// so that an output time within the step has its own value and the sum has an error of h⁵ a step, beside which ERROR decides.
// Kinetic + potential + dissipated − work is then constant as far as the motion is right.

#include <array>
#include <vector>

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
  // Whether the sum up to this state would be off by more than a small part of the energy of the motion, if nothing came between: the
  // parabola through one point less would make it so much other.
  bool rough(const assembly::State& accepted);
  // Up to a time within the last step.
  system::Power at(double t) const;
  // At the latest of the steps.
  const system::Energy& energy() const { return energy_; }

 private:
  struct Point {
    double t = 0;
    system::Power power;
  };
  Point point(const assembly::State& state);
  using Points = std::array<Point, 4>;
  int near(const Points& points, int count) const;  // how many of them tell of the newest step
  bool one_less_would_do(const Points& points, int count) const;
  static system::Power power_at(const Points& points, int count, double t);  // of the polynomial through them
  static system::Power integral(const Points& points, int count, double from, double to);
  static system::Power past_kink(const Points& points, double to);
  system::Power between(const Points& points, int count, double from, double to) const;
  Points with(const Point& newest) const;
  void keep_past();
  system::Power before(double t) const;

  const system::System& system_;
  system::System::Workspace work_;
  static constexpr int kPoints = 4;
  static constexpr double kSmall = 1e-5;  // part of the energy of the motion that a step may be off by
  Points points_;                         // the latest first
  Point next_;                            // known already, where it is the next one
  bool next_known_ = false;
  int count_ = 0;
  system::Power sum_;   // up to …
  double reached_ = 0;  // … this time, where the last step began
  system::Energy energy_;
  double largest_ = 0;  // energy of the motion so far
  struct Past {
    Point point;
    system::Power sum;
  };
  std::vector<Past>
      past_;  // the latest last: a step may have come in many parts, and rows lie anywhere within
};

}  // namespace trunnion::analysis
