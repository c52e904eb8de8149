#include "analysis/accelerations.hpp"

#include <fmt/format.h>

#include "sparse/lu.hpp"
#include "system/motion_sink.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;
using system::System;

bool solve_accelerations(const System& system, const std::vector<int>& active, State& state,
                         System::Workspace& work, std::string& message) {
  const assembly::Layout& layout = system.layout();
  state.a.setZero();
  state.lambda.setZero();
  system::MotionSink sink(layout, active);
  sink.start(state);
  system.evaluate(state, work, sink);
  sink.finish();
  sparse::SparseLu lu;
  if (!lu.analyse(sink.matrix()) || lu.factor(sink.matrix()) == sparse::FactorStatus::singular) {
    message = "the accelerations cannot be found: the equations are singular";
    if (const auto at = lu.singular(); at && at->col >= 0 && at->col < layout.size()) {
      message = fmt::format("{} has no mass and nothing that holds it: its acceleration cannot be found",
                            layout.column_name(at->col));
    } else if (at && at->col >= layout.size()) {
      message = fmt::format("the reaction of {} cannot be found: its equation depends on others here",
                            layout.row_name(RowId{sink.row_of_active(at->col - layout.size())}));
    }
    return false;
  }
  Eigen::VectorXd x = sink.right_side();
  lu.solve(x);
  if (!x.allFinite()) {
    message = "the accelerations are not finite numbers";
    return false;
  }
  state.a = x.head(layout.size());
  for (int k = 0; k < sink.active_count(); ++k) state.lambda[sink.row_of_active(k)] = x[layout.size() + k];
  system.update(state, work);
  return true;
}

}  // namespace trunnion::analysis
