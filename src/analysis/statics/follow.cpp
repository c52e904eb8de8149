// The step along a path of equilibria F(x, t) = 0, x the positions, states, variables and multipliers. With A = ∂F/∂x:
//   rate        A ẋ = −F_t
//   at a time   A d = −F
//   on a plane  A d + F_t τ = −F,  n·(d + x − x_p) = 0:  d = −A⁻¹F + τ ẋ. It has a solution also where A is singular and ẋ grows
//               without bound, at a limit point.
// F_t is a central difference: it steers prediction and convergence, no result depends on its last digits.

#include <cmath>

#include "analysis/statics/search.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::State;

namespace {

double size_of(const Eigen::VectorXd& metric, const Eigen::VectorXd& x) {
  return std::sqrt((metric.array() * x.head(metric.size()).array().square()).sum());
}

}  // namespace

Eigen::VectorXd StaticSearch::path_metric(const State& state) const {
  Eigen::VectorXd metric = Eigen::VectorXd::Zero(layout_.size());
  const double travel = 1 / (equations_.length_scale() * equations_.length_scale());
  for (int k = 0; k < layout_.mechanical_size(); ++k) {
    if (layout_.is_travel(k)) metric[k] = travel;
    else if (layout_.is_turn(k)) metric[k] = 1.0;
  }
  const assembly::Segment& z = layout_.states();
  for (int i = 0; i < z.size; ++i) {
    const double scale = 1 + std::abs(state.q[z.pose_offset + i]);
    metric[z.offset + i] = 1 / (scale * scale);
  }
  return metric;
}

bool StaticSearch::path_rate(const State& state, double dt, Eigen::VectorXd& rate) {
  State at = state;
  at.t = state.t + dt;
  equations_.evaluate(at, false);
  rate = equations_.residual();
  at.t = state.t - dt;
  equations_.evaluate(at, false);
  rate = (equations_.residual() - rate) / (2 * dt);
  equations_.evaluate(state, true);
  if (!equations_.factor_stiffness(smallest_shift())) return false;
  equations_.solve_stiffness(rate);
  return rate.allFinite();
}

std::vector<RedundantRow> StaticSearch::parted_rows(const State& state) const {
  std::vector<RedundantRow> parted;
  const double gap = gap_tolerance(state);
  for (const RedundantRow& row : from_.redundant) {
    if (!(std::abs(equations_.phi()[row.row]) <= 10 * row.magnification * gap + row.slack))
      parted.push_back(row);
  }
  return parted;
}

bool StaticSearch::path_correction(const State& state, const PathPlane* plane, Eigen::VectorXd& d,
                                   double& later) {
  Eigen::VectorXd rate;
  later = 0;
  if (plane) {
    if (!path_rate(state, plane->dt, rate)) return false;
  } else {
    equations_.evaluate(state, true);
    if (!equations_.factor_stiffness(smallest_shift())) return false;
  }
  d = -equations_.residual();
  equations_.solve_stiffness(d);
  if (plane) {
    Eigen::VectorXd off(layout_.size());
    assembly::difference(layout_, plane->predicted->q, state.q, off);
    const double pace = plane->normal.dot(rate.head(layout_.size()));
    later = -plane->normal.dot(off + d.head(layout_.size())) / pace;
    d += later * rate;
  }
  return std::isfinite(later) && d.allFinite();
}

Followed StaticSearch::follow(State& state, const PathPlane* plane) {
  constexpr int kSteps = 12;
  constexpr double kNoise = 1e-3, kDiverges = 2;  // of ERROR: corrections below it say nothing of convergence
  Followed out;
  const double gap = gap_tolerance(state);
  const Eigen::VectorXd metric = path_metric(state);
  const auto arrived = [&] {
    system_.accept(state, equations_.work());
    equations_.evaluate(state, true);
    out.ended = Search::converged;
    return out;
  };
  if (!equations_.project(state, gap)) return out;
  // In balance to the last digit: also where the stiffness is singular, as on a path that passes a bifurcation.
  equations_.evaluate(state, true);
  if (!plane && equations_.largest_gap() <= gap &&
      (equations_.residual().head(layout_.size()).array().abs() <= equations_.rounding(state).array()).all())
    return arrived();
  Eigen::VectorXd d;
  double before = 0, later = 0;
  bool balanced = false;
  for (int k = 0; k < kSteps; ++k) {
    if (!path_correction(state, plane, d, later)) {
      out.ended = Search::singular;
      return out;
    }
    const double size = size_of(metric, d);
    tell("path", size, 0, d, true);
    if (interrupted_) {
      out.ended = Search::interrupted;
      return out;
    }
    if (before > kNoise * settings_.error) out.contraction = std::max(out.contraction, size / before);
    if (out.contraction > kDiverges) return out;
    before = size;
    state.t += later;
    equations_.add(d, 1, state);
    // On a plane one correction more takes the place of the polish at a fixed time, which a limit point does not allow.
    if (plane && balanced) return arrived();
    equations_.evaluate(state, false);
    balanced = size <= 1e-2 * settings_.error && equations_.largest_imbalance() <= tolerance() &&
               equations_.largest_gap() <= gap;
    if (plane || !balanced) continue;
    polish(state);
    return arrived();
  }
  return out;
}

}  // namespace trunnion::analysis
