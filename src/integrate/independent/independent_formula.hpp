#pragma once
// What formulas over independent coordinates share (docs/theory/independent.md): y = (d, v), d the coordinates and states in the chart of the
// last accepted state, and ẏ = (ḋ, v̇) by a solve::ExplicitMotion: over all coordinates of bodies, or over those of joints by recursion. All
// entries are integrated; of the result the constraints take what they hold. So the past needs no choice of coordinates, and another choice
// costs no order. Errors are measured over the coordinates of bodies, whichever are integrated.
//
// Within a step: polynomials through values and rates of as many accepted points as the order asks for (Hermite).

#include <memory>
#include <vector>

#include "formulas/explicit_table.hpp"
#include "integrate/formula.hpp"
#include "integrate/independent/stiffness_watch.hpp"
#include "solve/explicit_motion.hpp"

namespace trunnion::integrate {

class IndependentFormula : public Formula {
 public:
  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override;
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) final;
  int worst_entry() const override;
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  core::Words trouble() const override { return trouble_; }
  bool reactions_hold() const override { return !motion_ || motion_->finds_reactions(); }
  std::string remark() override;
  double h() const override { return h_; }
  // Whether stability and not accuracy holds the step, and in words what does.
  bool stiff() const { return stiffness_.plain(); }
  const std::string& stiffness() const { return stiffness_words_; }

 protected:
  using Outcome = solve::Outcome;
  using Workspace = system::System::Workspace;
  struct Rates {
    Eigen::VectorXd d, v;  // ḋ of all entries, v̇ of coordinates
  };
  // Where a step is evaluated.
  struct Place {
    solve::StageSolver& solver;
    Workspace& work;
  };

  // `points` of the past are kept.
  IndependentFormula(const assembly::Layout& layout, double error, AmplitudeTest amplitude, int points);

  // --- one step
  // Makes room in vectors over coordinates, states and variables, and over velocities, for the evaluation's.
  virtual void fit();
  // All evaluations of a step, begun by open(). The trial point is y_.
  virtual Outcome attempt(double h, const Place& place) = 0;
  // Before the first evaluation: the choice of coordinates, and first guesses that do not depend on earlier attempts.
  Outcome open(double h, const Place& place);
  // At t + c h from d_ and the velocities of y_.
  Outcome evaluate(double c, const Place& place, Rates& rates);
  // A whole Runge-Kutta step, whose rates are stages_[0] …, the one at its end `end_`.
  Outcome runge_kutta(const formulas::ExplicitTable& table, const Place& place);
  double runge_kutta_error(const formulas::ExplicitTable& table);
  // What rows and events within the step would be off by, over what is allowed: the polynomial of interpolate() in its middle, beside those
  // through fewer points.
  double interpolation_error();
  static double power(const formulas::ExplicitTable& table);
  // The larger of what coordinates, states and velocities err, over ERROR; infinite where a body turned further than the chart bears.
  double size(const Eigen::VectorXd& d, const Eigen::VectorXd& v);
  // Two evaluations at the end of the step, the second being the last one: {d, v} and rates of the first.
  void watch_stiffness(double from, const Eigen::VectorXd& d, const Eigen::VectorXd& v, const Rates& rates,
                       const Place& place);

  // --- the past, newest first, in the chart of the newest: coordinates and rates
  int chart_past(int points) const;  // as many of them as are there and whose turns are known
  double time(int j) const { return past_[static_cast<std::size_t>(j)].t; }
  const Eigen::VectorXd& coordinates(int j) const { return charted_[static_cast<std::size_t>(j)].d; }
  const Eigen::VectorXd& velocities(int j) const { return past_[static_cast<std::size_t>(j)].v; }
  const Rates& rates(int j) const { return charted_[static_cast<std::size_t>(j)].rates; }
  int known() const { return known_; }

  const assembly::Layout& layout_;  // of the mechanism
  double allowed_;
  Norm norm_;
  double h_ = 0, turned_ = 0;
  solve::ExplicitMotion::Sizes sizes_;
  assembly::State now_, y_;  // the last accepted point and the one in work, in the evaluation's coordinates
  Eigen::VectorXd d_;        // of the evaluation in work
  Rates end_;                // of the last evaluation of a step
  Eigen::VectorXd error_, velocity_error_;
  std::vector<Rates> stages_;
  int stage_count_ = 0;  // that there is room for

 private:
  struct Point {
    double t = 0;
    Eigen::VectorXd q, v, a;
  };
  struct Charted {
    Eigen::VectorXd d;
    Rates rates;
  };
  static constexpr int kMostWithin = 8;
  int points_within() const;  // that interpolate() asks for
  void adopt(const Place& place);
  void keep();  // now_ is the newest point of the past
  core::Words culprit(const Place& place) const;

  std::unique_ptr<solve::ExplicitMotion> motion_;
  assembly::State accepted_;  // of the mechanism
  std::vector<Point> past_;
  int known_ = 0;
  mutable std::vector<Charted> charted_;
  mutable int charted_count_ = 0, usable_ = 0;  // of past_; their turns are known for usable_ of them
  mutable Eigen::VectorXd within_;
  mutable assembly::State within_point_;
  Eigen::VectorXd at_end_d_, at_end_v_, second_, second_velocity_;
  mutable Eigen::VectorXd all_d_, all_v_;  // over the mechanism's coordinates
  Eigen::VectorXd all_rate_;
  StiffnessWatch stiffness_;
  Rates difference_;
  Eigen::VectorXd difference_d_;
  int changes_ = 0;  // of the choice, that have been told
  core::Words trouble_;
  std::string remark_, stiffness_words_;
};

}  // namespace trunnion::integrate
