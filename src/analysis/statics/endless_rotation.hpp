#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "assembly/chart.hpp"

namespace trunnion::analysis {

// Parts that turn on and on: the place is the same after each turn, so that no distance tells of it. Where the least imbalance of a
// turn is no less than that of turns before, turn after turn, forces drive them without end.
class EndlessRotation {
 public:
  explicit EndlessRotation(const assembly::Layout& layout)
      : layout_(layout), turned_(Eigen::VectorXd::Zero(layout.size())) {}

  // After a step by delta to a place with this imbalance.
  bool on(const Eigen::VectorXd& delta, double imbalance) {
    turned_ += delta;
    least_ = std::min(least_, imbalance);
    if (farthest() < marked_ + kTurn) return false;
    marked_ = farthest();
    if (least_ < (1 - kFall) * best_) idle_ = 0;
    else ++idle_;
    best_ = std::min(best_, least_);
    least_ = HUGE_VAL;
    return idle_ >= kIdle;
  }

 private:
  double farthest() const { return assembly::largest_move(layout_, turned_).turn; }

  static constexpr double kTurn = 6.283185307179586, kFall = 1e-3;
  static constexpr int kIdle = 10;
  const assembly::Layout& layout_;
  Eigen::VectorXd turned_;
  double marked_ = 0, least_ = HUGE_VAL, best_ = HUGE_VAL;
  int idle_ = 0;
};

}  // namespace trunnion::analysis
