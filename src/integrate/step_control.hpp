#pragma once
// The step length of a formula of one order: as the HHT paper has it (Eq. 38), a part of what the error found allows.

#include <algorithm>
#include <cmath>

#include "assembly/chart.hpp"

namespace trunnion::integrate {

class StepControl {
 public:
  // `power`: the local error grows with h^(1/power). `turned`: how far any body turned against steady motion in this step.
  static double next(double h, double error, double power, double turned, double largest) {
    constexpr double kGrowth = 2.0, kHold = 1.1, kLeast = 1e-12;
    // A change of spin turns a body further by the square of the step.
    if (turned > 0) largest = std::min(largest, kSafety * h * std::sqrt(assembly::kLargestTurn / turned));
    const double factor = std::clamp(kSafety * std::pow(std::max(error, kLeast), -power), 0.2, kGrowth);
    // Small changes are not worth a new matrix.
    return std::min(factor > 1 && factor < kHold ? h : factor * h, largest);
  }
  static double after_error(double h, double error, double power) {
    return h * std::clamp(kSafety * std::pow(error, -power), 0.1, 0.9);
  }
  static double after_corrector(double h) { return h / 4; }

 private:
  static constexpr double kSafety = 0.9;
};

}  // namespace trunnion::integrate
