#pragma once
// ALIMIT and TLIMIT: no iteration moves a part farther than these.

#include <Eigen/Core>

#include "assembly/chart.hpp"

namespace trunnion::analysis {

// What to multiply a correction by: all of it is scaled together, so that its direction stays.
inline double correction_limit(const assembly::Layout& layout, const Eigen::VectorXd& d, double alimit,
                               double tlimit) {
  const auto [travel, turn, farthest, most_turned] = assembly::largest_move(layout, d);
  double factor = 1;
  if (turn > alimit) factor = alimit / turn;
  if (travel * factor > tlimit) factor = tlimit / travel;
  return factor;
}

}  // namespace trunnion::analysis
