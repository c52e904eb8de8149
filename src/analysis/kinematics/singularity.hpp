#pragma once
// How far a square Jacobian is from losing rank, and through which rows: its smallest singular value and vectors by inverse
// iteration on a factorisation that is there already. Rows are divided by the largest length each has had, since their units
// differ; one that vanishes is then seen to vanish. The
// vectors are kept from place to place along a motion, so that two solves a step are enough to follow them.

#include <vector>

#include <Eigen/Core>

#include "sparse/factorisation.hpp"

namespace trunnion::analysis {

class Singularity {
 public:
  // `lu` holds the factors of the Jacobian, `length` the measure of each of its rows.
  void update(const sparse::Factorisation& lu, const Eigen::VectorXd& length, int iterations = 2);
  void forget() { rows_.resize(0); }

  double size() const { return size_; }  // smallest singular value, from above
  // The rows that take part in the dependence at that place, the strongest first.
  std::vector<int> rows() const;

 private:
  Eigen::VectorXd rows_, columns_;
  double size_ = 1.0;
};

}  // namespace trunnion::analysis
