#include "integrate/chart_stage.hpp"

#include <algorithm>
#include <limits>

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;

ChartStage::ChartStage(const assembly::Layout& layout, const Norm& norm, bool stabilised)
    : d(Eigen::VectorXd::Zero(layout.size())),
      rate_rest(d),
      acceleration_rest(d),
      layout_(layout),
      norm_(norm),
      stabilised_(stabilised),
      chart_(layout),
      y_(d),
      rate_(d),
      change_(d),
      turn_(layout.triples().size(), math::Mat3::Identity()) {
  maps_.turn = &turn_;
}

void ChartStage::start(const State& state) {
  chart_.start(state);
  y_.setZero();
}

void ChartStage::open(double t, double s, double worth) {
  s_ = s;
  worth_ = worth;
  maps_.body = {1 / (s * s), 1 / s, 1};
  maps_.state = {1 / s, 1, 0};
  y_.setZero();
  chart_.look(t);
}

void ChartStage::place(State& trial) {
  const int n = layout_.coordinates().size;
  const Segment& w = layout_.variables();
  rate_ = s_ * d + rate_rest;
  rate_.segment(w.offset, w.size).setZero();
  chart_.place(d, trial.q);
  chart_.velocity(d, rate_, trial.v);
  if (stabilised_) trial.v.head(n) += y_.head(n) / s_;
  trial.a.head(n) = s_ * trial.v.head(n) + acceleration_rest.head(n);
}

const solve::LevelMaps& ChartStage::maps(bool turns) {
  if (turns) chart_.turns(d, rate_, s_, turn_);
  return maps_;
}

// What the unknowns of a stage are in positions, states and variables.
void ChartStage::to_positions(const Eigen::VectorXd& du, Eigen::VectorXd& to) const {
  const Segment &q = layout_.coordinates(), &z = layout_.states(), &w = layout_.variables();
  to.head(q.size) = maps_.body.q * du.head(q.size);
  to.segment(z.offset, z.size) = maps_.state.q * du.segment(z.offset, z.size);
  to.segment(w.offset, w.size) = maps_.variable.q * du.segment(w.offset, w.size);
}

void ChartStage::add(const Eigen::VectorXd& du, State& trial) {
  to_positions(du, change_);
  assembly::turn_to_increment(layout_, d, change_, change_);
  d += change_;
  if (stabilised_) y_ += du.segment(du.size() / 2, layout_.size());
  place(trial);
}

double ChartStage::size(const Eigen::VectorXd& du) const {
  to_positions(du, change_);
  double size = norm_(change_);
  // An error left by the corrector is a force that is missing: it stays in the velocities, where truncation errors do not
  // pile up. So velocities must converge as well as positions.
  change_ = du.head(layout_.size());
  if (stabilised_) change_ += du.segment(du.size() / 2, layout_.size());
  size = std::max(size, maps_.body.v * norm_.velocities(change_));
  return worth_ * size;
}

void ChartStage::moves(const Eigen::VectorXd& du, Eigen::VectorXd& positions,
                       Eigen::VectorXd& velocities) const {
  to_positions(du, positions);
  velocities = maps_.body.v * du.head(layout_.size());
  if (stabilised_) velocities += maps_.body.v * du.segment(du.size() / 2, layout_.size());
}

double ChartStage::coordinate_rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return kRounding * s_;
}

double ChartStage::rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return worth_ * std::max(kRounding, velocity_rounding());
}

}  // namespace trunnion::integrate
