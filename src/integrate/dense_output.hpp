#pragma once
// What lies within a step of a one-step formula: the polynomial through coordinates and rates at both ends, in the chart that moves on
// from the step's beginning, where there is neither a change nor a rate of it. One order better than the step itself. Velocities are its
// slope: accelerations of index 3 may swing from step to step and do not count.

#include "assembly/chart.hpp"

namespace trunnion::integrate {

class DenseOutput {
 public:
  explicit DenseOutput(const assembly::Layout& layout);
  // Cubic; with `quartic` the accelerations at the beginning count too, for formulas of order 4 and more.
  void at(double t, const assembly::State& begin, const assembly::State& end, bool quartic,
          assembly::State& state) const;

 private:
  const assembly::Layout& layout_;
  mutable assembly::Chart chart_;
  mutable Eigen::VectorXd d_, rate_, end_, end_rate_;
};

}  // namespace trunnion::integrate
