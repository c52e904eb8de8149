#include "analysis/quasi/jump.hpp"

#include <cmath>

namespace trunnion::analysis {

using assembly::State;

std::optional<ForceJump> find_force_jump(StaticSearch& search, const State& state, double end,
                                         double resolution) {
  StaticEquations& e = search.equations();
  State held = state;
  const auto at = [&](double t) {
    held.t = t;
    e.evaluate(held, false);
    return Eigen::VectorXd(e.residual());
  };
  double low = state.t, high = end;
  Eigen::VectorXd before = at(low), after = at(high);
  if (before.size() == 0) return std::nullopt;
  Eigen::Index which = 0;
  const double whole = (after - before).cwiseAbs().maxCoeff(&which);
  if (!(whole > search.tolerance())) return std::nullopt;
  while (high - low > resolution) {
    const double t = 0.5 * (low + high);
    if (!(t > low && t < high)) break;
    const Eigen::VectorXd middle = at(t);
    if (std::abs(middle[which] - before[which]) > std::abs(after[which] - middle[which])) {
      high = t;
      after = middle;
    } else {
      low = t;
      before = middle;
    }
  }
  const double by = std::abs(after[which] - before[which]);
  constexpr double kMostOfIt = 0.1;
  if (!(by > kMostOfIt * whole && by > search.tolerance())) return std::nullopt;
  return ForceJump{high, static_cast<int>(which), by};
}

core::Words describe(StaticSearch& search, const assembly::Layout& layout, const ForceJump& jump) {
  if (jump.equation < layout.size()) return layout.balance_name(jump.equation);
  const int row = search.equations().stage().row_of_active(jump.equation - layout.size());
  return layout.row_words(assembly::RowId{row});
}

}  // namespace trunnion::analysis
