#include "system/changing_damping.hpp"

#include <algorithm>
#include <optional>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

std::vector<ChangingDamping> changing_damping(const System& system, const assembly::State& state,
                                              assembly::AnalysisMode mode) {
  std::vector<ChangingDamping> all;
  std::optional<System::Workspace> work;
  for (const elements::ModalLoad& load : Compiler::elements_of(system).modal_loads) {
    if (!load.damping) continue;
    if (!work) {
      work.emplace(system, mode);
      system.update(state, *work);
    }
    const assembly::Evaluation at{state, work->kinematics, work->scratch, mode, work->drives};
    const assembly::Scratch::Frame frame(work->scratch);
    const auto ratios =
        elements::evaluate(load.response, at, work->expression, load.columns.size(), false).value;
    all.push_back({load.owner, ratios.minCoeff(), ratios.maxCoeff()});
  }
  return all;
}

}  // namespace trunnion::system
