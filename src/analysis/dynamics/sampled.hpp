#pragma once
// SIMULATE/DYNAMICS of a system with sampled states (GSE with ND=): the motion between two sample times is that of dynamics();
// at a sample time the sampled states jump, and with them outputs, forces and accelerations.

#include "analysis/dynamics/dynamics.hpp"

namespace trunnion::analysis {

// As dynamics(), which it is where nothing is sampled.
DynamicResult sampled_dynamics(const system::System& system, AssemblyResult& from, double end,
                               const math::OutputTimes& times, const DynamicSettings& settings,
                               const DynamicHooks& hooks);

}  // namespace trunnion::analysis
