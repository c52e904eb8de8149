#pragma once
// Finds the pattern of a stage's matrix: entries that are zero at the state and at two others nearby, chosen at random but
// always the same, are zero by structure (a mass matrix has no entry between a force and a torque).

#include "system/stage_sink.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

void find_pattern(const system::System& system, const assembly::State& state, const system::LevelMaps& maps,
                  system::System::Workspace& work, system::StageSink& sink);

}  // namespace trunnion::solve
