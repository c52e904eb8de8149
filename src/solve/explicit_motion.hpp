#pragma once
// The motion as an ordinary differential equation ẏ = f(y, t), as explicit formulas see it. y are coordinates of the evaluation's own with
// their velocities, then first-order states, then variables, as in tangent vectors of a layout:
//   d of coordinates and states in a chart that goes on moving as the last accepted point does, v of coordinates
// Two evaluations: over all coordinates of the bodies (IndependentMotion, behind GeneralMotion), and over the coordinates of joints by
// recursion (tree_motion.hpp). make_motion() takes the second where the mechanism allows.

#include <memory>
#include <span>

#include "assembly/chart.hpp"
#include "core/words.hpp"
#include "solve/stage.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

class StageSolver;

class ExplicitMotion {
 public:
  using State = assembly::State;
  using Workspace = system::System::Workspace;
  using Point = assembly::Chart::Point;
  struct Sizes {
    int coordinates = 0, states = 0, variables = 0;
    int all() const { return coordinates + states + variables; }
  };

  virtual ~ExplicitMotion() = default;
  virtual Sizes sizes() const = 0;
  // The solver whose counts and factors it works with from here on; of the same system and rows.
  virtual void attach(StageSolver&) {}

  // --- between a point y of its own, kept as a State of its own sizes, and the mechanism's state
  virtual void express(const State& state, State& y) = 0;
  virtual void complete(const State& y, State& state) = 0;
  // Small changes of coordinates, states and velocities at the point of the last evaluation, as tangent vectors of the mechanism.
  virtual void spread(const Eigen::VectorXd& d, const Eigen::VectorXd& v, Eigen::VectorXd& all_d,
                      Eigen::VectorXd& all_v) = 0;

  // --- the chart, as assembly::Chart
  virtual void start_chart(const State& y) = 0;
  virtual void look(double t) = 0;
  virtual void place(const Eigen::VectorXd& d, Eigen::VectorXd& q) const = 0;
  virtual void coordinates(const Eigen::VectorXd& q, Eigen::VectorXd& d) const = 0;
  // d and q are the same place.
  virtual void rate(const Eigen::VectorXd& d, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    Eigen::VectorXd& d_dot) const = 0;
  virtual int turns_known(std::span<const Point> past) const = 0;
  // The largest turn against steady motion that d is, of anything whose turns must stay small.
  virtual double turned(const Eigen::VectorXd& d) const = 0;

  // --- evaluation
  // Before the steps from an accepted point, once for each. False, with message(), where there is no motion from here.
  virtual bool settle(const State& y, Workspace& work) = 0;
  // How often settle() has taken other coordinates than before, and what it took last.
  virtual int changes() const { return 0; }
  virtual core::Words chosen_words() const { return {}; }
  // At y.t, from d and y.v: both become what the constraints ask for; y.q, y.a, rates of states and variables follow.
  virtual Outcome evaluate(Eigen::VectorXd& d, State& y, Workspace& work) = 0;
  // Whether an evaluation finds the multipliers of constraints too.
  virtual bool finds_reactions() const = 0;
  const core::Words& message() const { return message_; }

 protected:
  core::Words message_;
};

// The evaluation for this mechanism at this state. The solver's counts say in words which it is, and why where it is the general one.
std::unique_ptr<ExplicitMotion> make_motion(StageSolver& solver, const assembly::State& state,
                                            system::System::Workspace& work);
std::unique_ptr<ExplicitMotion> make_general_motion(StageSolver& solver);

}  // namespace trunnion::solve
