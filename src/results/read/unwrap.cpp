#include "results/read/unwrap.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::results {

double full_turn(const Channel& c) { return c.unit == "deg" ? 360 : c.unit == "rad" ? 2 * M_PI : 0; }

void unwrap(std::vector<double>& angles, double turn) {
  if (angles.empty() || !(turn > 0)) return;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double angle : angles) {
    if (std::isnan(angle)) continue;  // the run had no such channel then
    low = std::min(low, angle);
    high = std::max(high, angle);
  }
  constexpr double kRounding = 1e-9;
  if (!(high - low <= turn * (1 + kRounding))) return;
  double turns = 0, before = angles.front();
  for (double& angle : angles) {
    const double jump = std::round((angle - before) / turn);
    if (std::isfinite(jump)) turns -= jump;
    before = angle;
    angle += turns * turn;
  }
}

}  // namespace trunnion::results
