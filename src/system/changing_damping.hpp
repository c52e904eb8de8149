#pragma once
// Damping of flexible bodies that changes in the course of a run (CRATIO of time, state or a routine), for those who watch it.

#include <vector>

#include "system/system.hpp"

namespace trunnion::system {

struct ChangingDamping {
  core::Words body;
  double least = 0, most = 0;  // shares of critical damping, over its modes
};

// Of each such body at this state; nothing is evaluated where there is none.
std::vector<ChangingDamping> changing_damping(const System& system, const assembly::State& state,
                                              assembly::AnalysisMode mode);

}  // namespace trunnion::system
