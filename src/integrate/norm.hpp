#pragma once
// What ERROR means: errors of coordinates and states over max(1, the largest size so far), root mean square (HHT paper,
// Eq. 35). Turns are measured in radians from where they are, so their size is 1. Positions and first-order states are two
// groups, and the larger of the two counts.

#include <Eigen/Core>

#include "assembly/layout.hpp"
#include "assembly/state.hpp"

namespace trunnion::integrate {

class Norm {
 public:
  explicit Norm(const assembly::Layout& layout);
  void grow(const assembly::State& state);  // takes an accepted state into the running maxima

  // Of a tangent vector of errors.
  double operator()(const Eigen::VectorXd& error) const;
  int largest(const Eigen::VectorXd& error) const;           // the entry that counts most
  bool states_dominate(const Eigen::VectorXd& error) const;  // the larger group is that of first-order states
  bool has_states() const { return states_ > 0; }
  double velocities(const Eigen::VectorXd& error) const;
  const Eigen::VectorXd& weight() const { return weight_; }  // 1/Y; 0 for entries that no error belongs to

 private:
  struct Squares {
    double coordinates = 0, states = 0;  // means
  };
  Squares squares(const Eigen::VectorXd& error) const;

  const assembly::Layout& layout_;
  Eigen::VectorXd size_, speed_;  // Y
  Eigen::VectorXd weight_, speed_weight_;
  int coordinates_ = 0, states_ = 0;
  std::vector<char> is_state_;
};

}  // namespace trunnion::integrate
