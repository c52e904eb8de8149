#pragma once
// The implicit stage that all formulas of the form ẏ = s y + (what is known) share, whatever they know it from: in the chart that goes
// on moving as the last accepted state does (assembly/chart.hpp)
//   ḋ = s d + rate_rest        v = velocity(d, ḋ)
//   v̇ = s v + acceleration_rest                        first-order states as d
// With the stabilised equations of index 2 a correction y is added: v + y/s, v̇ + y (solve/stage_equations.hpp); ḋ keeps to the rate
// without it.

#include "assembly/chart.hpp"
#include "integrate/norm.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::integrate {

class ChartStage final : public solve::Stage {
 public:
  ChartStage(const assembly::Layout& layout, const Norm& norm, bool stabilised);

  // Every later stage is seen from here.
  void start(const assembly::State& state);
  // The stage at t, to be found by ẏ = s y + …; an error of one, in coordinates over their sizes, is `worth` of what is allowed.
  // The rests and the first guess of d are then the caller's to fill.
  void open(double t, double s, double worth);
  void place(assembly::State& trial);  // q, v, a from d and y

  assembly::Chart& chart() { return chart_; }
  double s() const { return s_; }
  const Eigen::VectorXd& rate() const { return rate_; }  // ḋ of the last place()
  // What rounding of a coordinate of size one makes of its rate; of velocities by the norm.
  double coordinate_rounding() const;
  double velocity_rounding() const { return coordinate_rounding() * norm_.velocity_of_rounding(); }

  const solve::LevelMaps& maps(bool turns) override;
  void add(const Eigen::VectorXd& du, assembly::State& trial) override;
  double size(const Eigen::VectorXd& du) const override;
  // Of a correction: what it moves positions, and states, by, and velocities.
  void moves(const Eigen::VectorXd& du, Eigen::VectorXd& positions, Eigen::VectorXd& velocities) const;
  double rounding() const override;
  const Eigen::VectorXd* y() const override { return stabilised_ ? &y_ : nullptr; }

  Eigen::VectorXd d, rate_rest, acceleration_rest;

 private:
  void to_positions(const Eigen::VectorXd& du, Eigen::VectorXd& to) const;

  const assembly::Layout& layout_;
  const Norm& norm_;
  bool stabilised_;
  double s_ = 0, worth_ = 1;
  assembly::Chart chart_;
  Eigen::VectorXd y_, rate_;
  mutable Eigen::VectorXd change_;
  solve::LevelMaps maps_;
  assembly::Turns turn_;
};

}  // namespace trunnion::integrate
