#include "results/unwrap.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::results {

double full_turn(const Channel& c) { return c.unit == "deg" ? 360 : c.unit == "rad" ? 2 * M_PI : 0; }

void unwrap(std::vector<double>& angles, double turn) {
  if (angles.empty() || !(turn > 0)) return;
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  constexpr double kRounding = 1e-9;
  if (!(*high - *low <= turn * (1 + kRounding))) return;
  double turns = 0, before = angles.front();
  for (double& angle : angles) {
    const double jump = std::round((angle - before) / turn);
    if (std::isfinite(jump)) turns -= jump;
    before = angle;
    angle += turns * turn;
  }
}

}  // namespace trunnion::results
