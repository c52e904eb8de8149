#include "analysis/initial/accelerations.hpp"

#include "solve/stage_solver.hpp"

namespace trunnion::analysis {

bool solve_accelerations(const system::System& system, const std::vector<int>& active, assembly::State& state,
                         system::System::Workspace& work, std::string& message) {
  state.a.setZero();
  state.lambda.setZero();
  solve::StageSolver solver(system, active);
  if (solver.accelerations(state, work)) return true;
  message = solver.message();
  return false;
}

}  // namespace trunnion::analysis
