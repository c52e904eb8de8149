#include "analysis/quasi/limit.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "assembly/chart.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::State;

// False position on dt/ds, halved weights against one end that stays (the Illinois rule).
PathSteps::Arc find_limit(PathSteps& steps, const PathSteps::Arc& from, const PathSteps::Arc& past, double ds,
                          double resolution, bool short_way) {
  constexpr int kTries = 60;
  double low = 0, high = ds, low_slope = from.slope, high_slope = past.slope;
  PathSteps::Arc best = from, trial = from;
  int side = 0;
  for (int k = 0; k < kTries; ++k) {
    // Between the two the time is above that of the lower end by no more than this.
    if ((high - low) * std::min(best.slope < 0 ? -best.slope : best.slope, from.slope) <= resolution && k > 0)
      break;
    const double s = (low * high_slope - high * low_slope) / (high_slope - low_slope);
    if (!(s > low && s < high) || !steps.along(from, s, trial, short_way)) break;
    best = trial;
    if (trial.slope > 0) {
      low = s;
      low_slope = trial.slope;
      if (side > 0) high_slope /= 2;
      side = 1;
    } else {
      high = s;
      high_slope = trial.slope;
      if (side < 0) low_slope /= 2;
      side = -1;
    }
  }
  return best;
}

namespace {

core::Words place(const Block& block, const State& state, double length_scale) {
  constexpr double kRounding = 1e-12;
  core::Words text;
  for (int i = 0; i < block.translations; ++i) {
    const double x = state.q[block.pose_offset + i];
    text += core::words("{}{:.6g}", i > 0 ? ", " : "", std::abs(x) > kRounding * length_scale ? x : 0.0);
  }
  return "(" + text + ")";
}

}  // namespace

core::Words describe_move(const assembly::Layout& layout, double length_scale, const State& from,
                          const State& to, const std::string& length_unit) {
  Eigen::VectorXd d(layout.size());
  assembly::difference(layout, from.q, to.q, d);
  const auto [travel, turn, farthest, most_turned] = assembly::largest_move(layout, d);
  const auto block = [&](BlockId id) { return id.valid() ? &layout.block(id) : nullptr; };
  const Block *far = block(farthest), *turned = block(most_turned);
  core::Words text;
  if (far && travel >= 1e-3 * turn * length_scale)
    text = core::words("{} moves from {} to {}, {:.4g} {}", far->owner, place(*far, from, length_scale),
                       place(*far, to, length_scale), travel, length_unit);
  if (turned && turn > 1e-6)
    text += core::words("{}{} turns by {:.4g} deg", text.empty() ? "" : "; ", turned->owner,
                        turn * 180 / std::numbers::pi);
  return text.empty() ? "nothing moves" : text;
}

}  // namespace trunnion::analysis
