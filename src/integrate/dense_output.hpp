#pragma once
// What lies within a step of a one-step formula: polynomials through both ends, in the chart that moves on from the step's beginning, where
// there is neither a change nor a rate of it. One order better than the step itself.
//   positions     through coordinates and rates: a cubic; a quartic with the accelerations at the beginning, for formulas of order 4 and more
//   velocities    through velocities and accelerations: a cubic

#include "assembly/chart.hpp"

namespace trunnion::integrate {

class DenseOutput {
 public:
  explicit DenseOutput(const assembly::Layout& layout);
  void at(double t, const assembly::State& begin, const assembly::State& end, bool quartic,
          assembly::State& state) const;

 private:
  const assembly::Layout& layout_;
  mutable assembly::Chart chart_;
  mutable Eigen::VectorXd d_, end_, end_rate_;
};

}  // namespace trunnion::integrate
