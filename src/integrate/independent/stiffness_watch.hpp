#pragma once
// Whether stability and not accuracy holds the step of an explicit formula. Two evaluations at one time differ by Δy and Δẏ, most of
// it in the fastest part of the motion: its frequency is √(|Δv̇|/|Δd|) where it swings, |Δż|/|Δz| of a first-order state.

#include <Eigen/Core>

#include "assembly/layout.hpp"
#include "integrate/norm.hpp"

namespace trunnion::integrate {

class StiffnessWatch {
 public:
  explicit StiffnessWatch(const assembly::Layout& layout) : layout_(layout) {}

  void start() { count_ = calm_ = 0; }
  // Looks at a step of length h; `from`: h times a frequency at which the formula's stability ends. True where this is one more of
  // many and has not been told yet.
  bool see(double h, double from, const Norm& norm, const Eigen::VectorXd& d, const Eigen::VectorXd& rate,
           const Eigen::VectorXd& acceleration);
  void accept();  // the step just looked at counts
  void tell() { told_ = true; }
  bool plain() const { return count_ >= kPlain; }
  double frequency() const { return frequency_; }  // a unit of time
  int entry() const { return entry_; }             // the tangent entry that most of it is in

 private:
  // E. Hairer's counts for DOPRI5: fifteen steps, forgotten after six that are not stiff.
  static constexpr int kPlain = 15, kForgotten = 6;

  const assembly::Layout& layout_;
  int count_ = 0, calm_ = 0;  // steps that were stiff, and those in a row that were not
  bool stiff_ = false, told_ = false;
  double frequency_ = 0;
  int entry_ = 0;
};

}  // namespace trunnion::integrate
