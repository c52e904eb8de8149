#include "analysis/initial/accelerations.hpp"

#include "solve/consistent.hpp"

namespace trunnion::analysis {

bool solve_accelerations(const system::System& system, const std::vector<int>& active, assembly::State& state,
                         system::System::Workspace& work, core::Words& message) {
  state.a.setZero();
  state.lambda.setZero();
  solve::Consistent consistent(system, active);
  if (consistent.accelerations(state, work)) return true;
  message = consistent.message();
  return false;
}

}  // namespace trunnion::analysis
