#pragma once
// Forces and motions that jump in time, along a path of equilibria.

#include <optional>

#include "analysis/statics/search.hpp"

namespace trunnion::analysis {

struct ForceJump {
  double t = 0;
  int equation = 0;  // of the balance: tangent entries, then active rows
  double by = 0;
};

// With the mechanism held where it is, from the state's time until `end`. A jump is told from a slope by halving: the change of a slope
// halves with the interval, that of a jump stays.
std::optional<ForceJump> find_force_jump(StaticSearch& search, const assembly::State& state, double end,
                                         double resolution);

core::Words describe(StaticSearch& search, const assembly::Layout& layout, const ForceJump& jump);

}  // namespace trunnion::analysis
