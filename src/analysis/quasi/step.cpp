#include "analysis/quasi/step.hpp"

#include <cmath>

#include "assembly/chart.hpp"

namespace trunnion::analysis {

using assembly::State;

double PathSteps::size(const State& near, const Eigen::VectorXd& x) const {
  const Eigen::VectorXd metric = search_.path_metric(near);
  return std::sqrt((metric.array() * x.head(layout_.size()).array().square()).sum());
}

bool PathSteps::measure(PathPoint& point) {
  if (!search_.path_rate(point.state, dt_, point.rate)) {
    // Without a stiffness there is no prediction but the place itself.
    point.rate = Eigen::VectorXd::Zero(search_.equations().size());
    point.sign = 0;
    return false;
  }
  point.sign = search_.stiffness_sign();
  return true;
}

State PathSteps::moved(const PathPoint& from, const Eigen::VectorXd& d) const {
  State state = from.state;
  search_.equations().add(d, 1, state);
  return state;
}

// Over all unknowns.
Eigen::VectorXd PathSteps::way(const State& from, const State& to) const {
  const solve::StageEquations& sink = search_.equations().stage();
  Eigen::VectorXd d(search_.equations().size());
  Eigen::VectorXd tangent(layout_.size());
  assembly::difference(layout_, from.q, to.q, tangent);
  d.head(layout_.size()) = tangent;
  for (int k = 0; k < sink.active_count(); ++k) {
    const int r = sink.row_of_active(k);
    d[sink.lambda_offset() + k] = to.lambda[r] - from.lambda[r];
  }
  return d;
}

bool PathSteps::rows_hold(const State& state) {
  parted_ = search_.parted_rows(state);
  if (parted_.empty()) return true;
  parted_phi_ = search_.equations().phi();
  parted_at_ = state.t;
  return false;
}

// With the stiffness now factored: A₁⁻¹ A₀ d against d.
double PathSteps::stiffness_change(const sparse::CscMatrix& before, const Eigen::VectorXd& d) {
  if (before.cols != search_.equations().stage().matrix().cols) return HUGE_VAL;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(d.size());
  before.multiply_add(d, b);
  search_.equations().solve_stiffness(b);
  if (!b.allFinite()) return HUGE_VAL;
  const double change = search_.extent(b.head(layout_.size()) - d.head(layout_.size()));
  const double whole = search_.extent(d.head(layout_.size()));
  return whole > 0 ? change / whole : change > 0 ? HUGE_VAL : 0;
}

// The equations at the place are the same at another time, to the last digit: it is as much an equilibrium as before, also where a
// stiffness of next to nothing would let Newton's method wander.
bool PathSteps::stays(const PathPoint& from, double t) {
  StaticEquations& e = search_.equations();
  e.evaluate(from.state, false);
  const Eigen::VectorXd before = e.residual();
  State later = from.state;
  later.t = t;
  e.evaluate(later, false);
  return e.residual() == before;
}

bool PathSteps::turns_known(const PathPoint& from, double t) {
  if (from.state.memory.empty()) return true;
  const Eigen::VectorXd d = (t - from.state.t) * from.rate.head(layout_.size());
  return assembly::largest_move(layout_, d).turn <= assembly::kLargestTurn &&
         driven_turn(from, t) <= assembly::kLargestTurn;
}

double PathSteps::driven_turn(const PathPoint& from, double t) {
  if (from.state.memory.empty()) return 0;
  StaticEquations& e = search_.equations();
  return e.system().driven_turn(from.state, t, e.work());
}

bool PathSteps::to_time(const PathPoint& from, double t, bool short_way, PathPoint& to) {
  const double h = t - from.state.t;
  const double expected = std::abs(h) * size(from.state, from.rate);
  linear_ = false;
  const bool resting = expected <= kNoRate && stays(from, t);
  parted_.clear();
  if (resting && rows_hold(from.state)) {
    to.state = from.state;
    to.state.t = t;
    measure(to);
    bend_ = 0;
    return true;
  }
  search_.equations().evaluate(from.state, true);
  const sparse::CscMatrix before = search_.equations().stage().matrix();
  to.state = moved(from, h * from.rate);
  to.state.t = t;
  bend_ = 1;
  parted_.clear();
  const Followed found = search_.follow(to.state, nullptr);
  if (found.ended != Search::converged || !rows_hold(to.state)) return false;
  const bool regular = measure(to);
  const Eigen::VectorXd d = way(from.state, to.state);
  const double moved = size(to.state, d);
  const double explained = std::abs(h) * std::max(size(to.state, from.rate), size(to.state, to.rate));
  if (moved <= kStill && expected <= kNoRate) {
    bend_ = 0;
    return true;
  }
  if (!regular || !(moved > 0)) return false;
  bend_ = size(to.state, d - 0.5 * h * (from.rate + to.rate)) / moved;
  const double ends = std::max(size(to.state, d - h * from.rate), size(to.state, d - h * to.rate)) / moved;
  const double change = stiffness_change(before, d);
  linear_ = change <= kLinear;
  if (found.contraction <= kContraction && ((bend_ <= kBend && ends <= kEnds) || change <= kContraction))
    return true;
  // A kink is passed as soon as the steps are short; they may then grow again. Not so a limit point, beyond which the stiffness
  // has another sign and the path runs back.
  bend_ = 0;
  const bool back = to.sign != from.sign && search_.path_metric(to.state)
                                                    .cwiseProduct(from.rate.head(layout_.size()))
                                                    .dot(to.rate.head(layout_.size())) < 0;
  return short_way && !back && moved <= std::min(2 * explained, kShortReach);
}

PathSteps::Arc PathSteps::start_along(const PathPoint& from) const {
  Arc arc{from, from.rate, 0};
  const double fast = size(from.state, from.rate);
  if (fast > 0) {
    arc.direction /= fast;
    arc.slope = 1 / fast;
  }
  return arc;
}

bool PathSteps::along(const Arc& from, double ds, Arc& to, bool short_way) {
  const PathPoint& start = from.point;
  PathPlane plane;
  to.point.state = moved(start, ds * from.direction);
  to.point.state.t = start.state.t + ds * from.slope;
  const State predicted = to.point.state;
  plane.predicted = &predicted;
  plane.normal = search_.path_metric(start.state).cwiseProduct(from.direction.head(layout_.size()));
  plane.dt = dt_;
  parted_.clear();
  const Followed found = search_.follow(to.point.state, &plane);
  if (found.ended != Search::converged || found.contraction > kContraction || !rows_hold(to.point.state))
    return false;
  if (!measure(to.point)) return false;
  to.direction = to.point.rate;
  const double fast = size(start.state, to.direction);
  if (!(fast > 0)) return false;
  const double along = plane.normal.dot(to.direction.head(layout_.size())) / fast;
  const double sense = along < 0 ? -1 : 1;
  to.direction *= sense / fast;
  to.slope = sense / fast;
  // At a limit point time and determinant both change their sign. A bifurcation, where one does, is left to short steps in time.
  const int signs = to.point.sign * start.sign;
  if (!short_way && signs != 0 && (to.slope * from.slope < 0) != (signs < 0)) return false;
  constexpr double kTurn = 0.8;  // cosine between directions at the ends
  const double lapse = to.point.state.t - start.state.t;
  const double mean = 0.5 * ds * (from.slope + to.slope);
  const double most = ds * std::max(std::abs(from.slope), std::abs(to.slope));
  return std::abs(along) >= kTurn && std::abs(lapse - mean) <= kContraction * most;
}

}  // namespace trunnion::analysis
