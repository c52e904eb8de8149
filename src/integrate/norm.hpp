#pragma once
// What ERROR means: errors of coordinates and states over max(1, the largest size so far), root mean square (HHT paper,
// Eq. 35). Turns are measured in radians from where they are, so their size is 1. Positions and first-order states are two
// groups, and the larger of the two counts.

#include <algorithm>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "assembly/layout.hpp"
#include "assembly/state.hpp"

namespace trunnion::integrate {

// How much of its motion a step may err: √(eᵀ M e) of the error in the coordinates over R = √(Δqᵀ M Δq), the largest displacement
// since the start. Of a swing or a turn that is the part of the amplitude, and so of the speed, that a step may add or take,
// whatever the units, the number of bodies that rest, and the distance from the origin.
struct AmplitudeTest {
  Eigen::VectorXd inertia;  // the diagonal of M by tangent entry; empty: no such test
  double least = 0;         // R of a motion that has hardly begun
  double allowed = 1;
  double slow = 1;  // no speed counts as slower: one a second, in the model's unit of time
};

// The tests of a step's error apart, each over what it allows.
struct ErrorTests {
  double positions = 0, velocities = 0, amplitude = 0;

  ErrorTests scaled(double factor) const {
    return {factor * positions, factor * velocities, factor * amplitude};
  }
  void add(const ErrorTests& other) {
    positions += other.positions;
    velocities += other.velocities;
    amplitude += other.amplitude;
  }
  // The largest; where rounding may be all of it no more than 1.
  double beyond(const ErrorTests& rounding) const {
    const auto of = [](double error, double floor) { return error <= floor ? std::min(error, 1.0) : error; };
    return std::max({of(positions, rounding.positions), of(velocities, rounding.velocities),
                     of(amplitude, rounding.amplitude)});
  }
};

class Norm {
 public:
  explicit Norm(const assembly::Layout& layout, AmplitudeTest amplitude = {});
  void grow(const assembly::State& state);  // takes an accepted state into the running maxima

  // Of a tangent vector of errors.
  double operator()(const Eigen::VectorXd& error) const;
  int largest(const Eigen::VectorXd& error) const;  // the entry that counts most
  struct Groups {
    double coordinates = 0, states = 0;
  };
  Groups groups(const Eigen::VectorXd& error) const;
  bool has_states() const { return states_ > 0; }
  double velocities(const Eigen::VectorXd& error) const;
  // The error of the coordinates by the amplitude test, over what that allows; 0 where there is none.
  double amplitude(const Eigen::VectorXd& error) const;
  // All tests of errors of positions and velocities, ERROR allowing so much.
  ErrorTests tests(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity, double allowed) const {
    return {(*this)(position) / allowed, velocities(velocity) / allowed, amplitude(position)};
  }
  // √(eᵀ M e) of coordinates over the largest such size of velocities so far; 0 where there is none.
  double over_speed(const Eigen::VectorXd& error) const;
  // The same test of velocities, over the largest speed so far: energy goes with its square. For formulas whose velocities are those of an
  // ordinary differential equation; in index 3 they are noise after a change of step.
  double speed(const Eigen::VectorXd& error) const;
  // velocities() without the entries that rounding of the coordinates q explains: those below `rounding` times the size of the model
  // (a turn: 1), where that is beyond `hopeless` of the speed.
  double velocities_beyond(const Eigen::VectorXd& error, const Eigen::VectorXd& q, double rounding,
                           double hopeless) const;
  // velocities() of coordinates' rounding errors that are divided by a time of one.
  double velocity_of_rounding() const;
  const Eigen::VectorXd& weight() const { return weight_; }  // 1/Y; 0 for entries that no error belongs to

 private:
  struct Squares {
    double coordinates = 0, states = 0;  // means
  };
  double kinetic(const Eigen::VectorXd& v) const;  // √(vᵀ M v)
  void grow_displacement(const assembly::State& state);
  Squares squares(const Eigen::VectorXd& error) const;

  const assembly::Layout& layout_;
  Eigen::VectorXd size_, speed_;  // Y
  Eigen::VectorXd weight_, speed_weight_;
  int coordinates_ = 0, states_ = 0;
  std::vector<int> turns_;                  // entries that are turns of bodies …
  std::vector<std::pair<int, int>> sized_;  // … and the others with their places in poses
  AmplitudeTest test_;
  double first_t_ = 0;
  Eigen::VectorXd first_q_, first_v_, displacement_;
  double farthest_ = 0;  // largest √(Δqᵀ M Δq)
  double fastest_ = 0;   // largest √(vᵀ M v)
};

}  // namespace trunnion::integrate
