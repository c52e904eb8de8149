#pragma once
// What DEBUG shows of an iteration that moves coordinates until the constraints hold: in the assembly and in kinematics.

#include <functional>
#include <vector>

#include "assembly/state.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::analysis {

struct ConstraintIteration {
  const char* phase;  // "positions", "velocities"
  int iteration;
  const assembly::State& before;    // the correction
  const Eigen::VectorXd& residual;  // of all rows
  const std::vector<int>& active;   // the rows that count
  const sparse::CscMatrix& jacobian;
  const Eigen::VectorXd& correction;  // by tangent entry
  bool renewed;                       // the Jacobian is of this iteration
};

using ConstraintListener = std::function<void(const ConstraintIteration&)>;

}  // namespace trunnion::analysis
