#pragma once
// Where the model puts its parts and markers: x, y, z and the 3-1-3 angles, as written where the model
// writes them.

#include <array>

#include "system/frames.hpp"

namespace trunnion::results {

using Place = std::array<double, 6>;

Place as_given(const system::Frames& frames, const model::Part& part);  // in ground
Place as_given(system::Frames& frames, const model::Marker& marker);    // on its part

}  // namespace trunnion::results
