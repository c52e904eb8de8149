#pragma once
// Limit points of a path of equilibria, where it turns back in time.

#include <string>

#include "analysis/quasi/step.hpp"

namespace trunnion::analysis {

// Between `from`, where time grows along the path, and `past`, at the length ds, where it falls: the latest time, to `resolution`.
PathSteps::Arc find_limit(PathSteps& steps, const PathSteps::Arc& from, const PathSteps::Arc& past, double ds,
                          double resolution, bool short_way = false);

// "PART/2 'ring' moves from (0, 0, 0.0576) to (0, 0, -0.118), 0.176 meter": the part that moves farthest, or turns most.
core::Words describe_move(const assembly::Layout& layout, double length_scale, const assembly::State& from,
                          const assembly::State& to, const std::string& length_unit);

}  // namespace trunnion::analysis
