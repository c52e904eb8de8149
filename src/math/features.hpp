#pragma once
// Short features of a function by its values at equal distances: pulses, jumps, corners, each told by the interval it lies in. What is
// longer than some sixty of the distances is looked for among every fourth of the values, and so on: a feature is what three neighbours
// at one of these distances do not agree about by a tenth of the function's range.

#include <span>
#include <utility>
#include <vector>

namespace trunnion::math {

using Interval = std::pair<double, double>;

// values[k] at begin + k·step; none where a value is no number. Distances at which there are many features are left out: that is a wave.
std::vector<Interval> short_features(std::span<const double> values, double begin, double step);

}  // namespace trunnion::math
