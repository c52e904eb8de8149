#include "analysis/initial/accelerations.hpp"

#include "solve/stage_solver.hpp"

namespace trunnion::analysis {

bool solve_accelerations(const system::System& system, const std::vector<int>& active, assembly::State& state,
                         system::System::Workspace& work, core::Words& message, bool keep_redundant) {
  state.a.setZero();
  state.lambda.setZero();
  solve::CorrectorSettings settings;
  settings.keep_redundant = keep_redundant;
  solve::StageSolver solver(system, active, false, settings);
  if (solver.accelerations(state, work)) return true;
  message = solver.message();
  return false;
}

}  // namespace trunnion::analysis
