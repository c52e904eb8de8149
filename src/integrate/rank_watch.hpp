#pragma once
// A mechanism that comes to a place where its constraints lose rank: the matrix is close to singular there for a few steps.
// A small pivot makes suspicious, an estimate of the condition number more so. That grows with the step and with stiff forces too: what decides
// is whether reactions cancel each other's forces.

#include <map>
#include <optional>
#include <string>

#include <Eigen/Core>

#include "solve/stage_solver.hpp"

namespace trunnion::integrate {

class RankWatch {
 public:
  RankWatch(const system::System& system, const solve::StageSolver& corrector)
      : system_(system), corrector_(corrector) {}

  // After an accepted step: a line once such a place lies behind; an empty one where enough was said of its constraints.
  std::optional<core::Words> passed(double t);
  // Whether the last accepted step ended close to such a place.
  bool close() const { return dip_ > 0; }
  // After a failed one: the statements whose constraints depend on each other here; empty where none do.
  core::Words here() const;

 private:
  static constexpr double kClose = 100;  // times the usual condition number
  // ‖A⁻¹‖ goes with the square of the rows' smallest singular value: a hundred times there is a tenth here, with slack.
  static constexpr double kCancel = 0.3;
  static constexpr int kOften = 3;  // a crank passes its dead points in every turn
  double condition() const { return corrector_.lu().condition(corrector_.equations().matrix()); }
  // The vector that the matrix takes to nearly nothing, and how far its multipliers cancel in the balance of forces: 0 where their rows
  // depend on each other, about 1 where the matrix is ill-conditioned for other reasons, as stiff forces and short steps are.
  Eigen::VectorXd nearly_null() const;
  double cancellation(const Eigen::VectorXd& x) const;
  bool rows_depend(const Eigen::VectorXd& x) const { return cancellation(x) < kCancel * usual_cancellation_; }
  core::Words owners_of(const Eigen::VectorXd& x) const;

  const system::System& system_;
  const solve::StageSolver& corrector_;
  long matrices_seen_ = 0;
  double best_pivots_ = 0, usual_ = 0;
  double usual_cancellation_ = 1;
  double dip_ = 0, dip_time_ = 0;  // the worst condition number of the present dip
  core::Words dip_rows_;
  std::map<std::string, int> told_;  // how often, by the constraints involved
};

}  // namespace trunnion::integrate
