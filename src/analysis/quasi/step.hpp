#pragma once
// One step along a path of equilibria, at a chosen time or by a chosen length, and whether it is one: Newton's method may end on
// another path. What tells them apart needs no measure of distance, so that a linear mechanism may go any way in one step:
//   Newton contracts to a quarter and more from its start,
//   the way x₁ − x₀ is that of the rates at its ends, h (ẋ₀ + ẋ₁)/2, within a tenth, and neither rate alone is off by more than
//   three tenths; or the stiffness along it has not changed.

#include "analysis/statics/search.hpp"

namespace trunnion::analysis {

// An equilibrium, with the rates of the path there.
struct PathPoint {
  assembly::State state;
  Eigen::VectorXd rate;  // dx/dt, over [tangent entries; multipliers]
  int sign = 0;          // of the stiffness' determinant
};

class PathSteps {
 public:
  PathSteps(const system::System& system, StaticSearch& search) : layout_(system.layout()), search_(search) {}

  // Time differences are a part of this.
  void use_span(double span) { dt_ = kTimeDifference * span; }
  bool measure(PathPoint& point);
  // Angles are counted from the place before, by less than half a turn: whether a step to that time is short enough for it, as far as
  // drives and the rates there tell; and how far drives turn. Where nothing is counted, any step is.
  bool turns_known(const PathPoint& from, double t);
  double driven_turn(const PathPoint& from, double t);
  // At time t. `short_way`: so short a step that a kink may be within (a contact that begins): it is then enough that the
  // place moves no farther than the rates at the ends explain.
  bool to_time(const PathPoint& from, double t, bool short_way, PathPoint& to);
  // By the length `ds` along `direction` (dx/ds, of unit size); `slope` is dt/ds.
  struct Arc {
    PathPoint point;
    Eigen::VectorXd direction;
    double slope = 0;
  };
  // `short_way`: several limit points may be in one place, as of equal trusses, and leave the determinant its sign.
  bool along(const Arc& from, double ds, Arc& to, bool short_way = false);
  Arc start_along(const PathPoint& from) const;

  double size(const assembly::State& near, const Eigen::VectorXd& x) const;
  // How the last step that was refused, or taken, did: |x₁ − x₀ − h (ẋ₀ + ẋ₁)/2| / |x₁ − x₀|.
  double bend() const { return bend_; }
  // The stiffness along the last step in time has not changed at all.
  bool linear() const { return linear_; }
  bool unexplained() const { return bend_ > kBend; }
  // The last step was refused because redundant rows part there.
  const std::vector<RedundantRow>& parted() const { return parted_; }
  const Eigen::VectorXd& parted_phi() const { return parted_phi_; }
  double parted_at() const { return parted_at_; }

 private:
  assembly::State moved(const PathPoint& from, const Eigen::VectorXd& d) const;
  Eigen::VectorXd way(const assembly::State& from, const assembly::State& to) const;
  bool stays(const PathPoint& from, double t);
  bool rows_hold(const assembly::State& state);
  double stiffness_change(const sparse::CscMatrix& before, const Eigen::VectorXd& d);

  static constexpr double kTimeDifference = 1e-6;
  static constexpr double kContraction = 0.25, kBend = 0.1, kEnds = 0.3, kStill = 1e-9;
  static constexpr double kLinear = 1e-3;  // change of the stiffness
  // Beside a limit point rates explain any way: past a kink a step this long counts, in radians or lengths, and shorter ones follow.
  static constexpr double kShortReach = 1e-3;
  static constexpr double kNoRate =
      1e-6;  // of a place that stays, over a step; after a cycle of loads it only seems to
  const assembly::Layout& layout_;
  StaticSearch& search_;
  double dt_ = kTimeDifference, bend_ = 0;
  std::vector<RedundantRow> parted_;
  Eigen::VectorXd parted_phi_;
  double parted_at_ = 0;
  bool linear_ = false;
};

}  // namespace trunnion::analysis
