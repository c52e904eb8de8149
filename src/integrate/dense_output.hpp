#pragma once
// What lies within a step of a one-step formula: polynomials through both ends, in the chart that moves on from the step's beginning, where
// there is neither a change nor a rate of it. One order better than the step itself.
//   positions     through coordinates and rates: a cubic; a quartic with the accelerations at the beginning, for formulas of order 4 and more
//   velocities    through velocities and accelerations: a cubic; where accelerations swing from step to step, as those of index 3 do by
//                 a formula without damping, the slope of the positions

#include "assembly/chart.hpp"

namespace trunnion::integrate {

class DenseOutput {
 public:
  explicit DenseOutput(const assembly::Layout& layout);
  struct Kind {
    bool quartic = false, accelerations_swing = false;
  };
  void at(double t, const assembly::State& begin, const assembly::State& end, const Kind& kind,
          assembly::State& state) const;

 private:
  const assembly::Layout& layout_;
  mutable assembly::Chart chart_;
  mutable Eigen::VectorXd d_, rate_, end_, end_rate_;
};

}  // namespace trunnion::integrate
