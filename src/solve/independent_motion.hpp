#pragma once
// The motion as an ordinary differential equation of independent coordinates: from those, their velocities and the first-order states
// to everything else at the same time, with the constraints satisfied at all three levels (docs/theory/independent.md).
//
//   positions       φ(q(d), t) = 0        for the dependent entries of d, the independent ones held; Newton on (G T(d))_D
//   velocities      G v = −φ_t            for the dependent entries of v
//   accelerations   M a + Gᵀλ = Q − h, G a = γ, with ż and w: StageSolver::accelerations()
//
// d are coordinates in the chart of the last accepted state (assembly/chart.hpp). No force is differentiated. Which entries are independent is
// chosen by conditioning and looked at again once for each accepted state. A formula may integrate all entries: of the dependent ones it
// gives the first guess only, so that another choice changes nothing in its past.

#include <vector>

#include "assembly/chart.hpp"
#include "core/words.hpp"
#include "solve/dependent_coordinates.hpp"
#include "solve/newton.hpp"
#include "solve/stage.hpp"
#include "system/levels.hpp"

namespace trunnion::solve {

class StageSolver;

class IndependentMotion {
 public:
  using State = assembly::State;
  using Workspace = system::System::Workspace;

  explicit IndependentMotion(StageSolver& solver);

  // Before the steps from an accepted state, once for each: chooses independent coordinates, or keeps those there are while they
  // determine the others well. False, with message(), where the constraints are dependent there.
  bool settle(const State& state, Workspace& work);
  // How often settle() has taken others than before, and what it took last.
  int changes() const { return changes_; }
  core::Words chosen_words() const;
  const std::vector<int>& independent() const { return positions_.independent; }

  // d and trial.v as a formula has them, the chart looking at trial.t: their dependent entries become those that the constraints ask for;
  // q, a, λ and what belongs to states and variables follow. a, λ, ż and w of the trial are first guesses.
  Outcome evaluate(const assembly::Chart& chart, Eigen::VectorXd& d, State& trial, Workspace& work);
  const core::Words& message() const { return message_; }
  // What the dependent entries of d and v move by where the independent ones move as these say, by the last evaluation: into both.
  // Where that is far more than what they were, the choice is looked at anew before the next attempt.
  void follow(Eigen::VectorXd& d, Eigen::VectorXd& v);

 private:
  class PositionIteration;
  class VelocityIteration;
  // Rows with the coordinates that follow from them.
  struct Level {
    std::vector<int> rows, independent;
    DependentCoordinates dependent;
    double gain = 0;  // as gain() gave it when it was chosen
  };

  bool choose(Level& level, const Workspace& work);
  bool still_good(const Level& level);
  void follow(const Level& level, Eigen::VectorXd& x);
  // How far dependent coordinates move where the independent ones move by one.
  double gain(const Level& level);
  // That of velocities is another one only where rows hold velocities alone.
  Level& of_velocities() { return nonholonomic_ ? velocities_ : positions_; }
  double largest(const std::vector<int>& rows, const Eigen::VectorXd& values) const;
  Outcome find_positions(const assembly::Chart& chart, Eigen::VectorXd& d, State& trial, Workspace& work);
  Outcome find_velocities(State& trial, Workspace& work);
  void rates_at(const State& trial, Workspace& work);
  Outcome fail(Outcome how, core::Words message);

  StageSolver& solver_;
  const system::System& system_;
  system::Levels levels_;  // rows only
  Level positions_, velocities_;
  bool nonholonomic_ = false, settled_ = false, distrusted_ = false;
  double settled_time_ = 0, turn_measure_ = 1;
  int changes_ = 0;
  bool factors_here_ = false;  // those of velocities are of this evaluation
  assembly::Turns turn_;
  Eigen::VectorXd delta_, rate_;
  core::Words message_;
};

}  // namespace trunnion::solve
