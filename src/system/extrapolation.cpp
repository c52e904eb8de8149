// SPLINEs read beyond their points.

#include "system/elements.hpp"
#include "system/levels.hpp"
#include "system/system.hpp"

namespace trunnion::system {

std::vector<expr::OutsideReading> System::extrapolations(const assembly::State& state,
                                                         Workspace& work) const {
  if (tables_->read_outside().empty()) return {};
  tables_->forget();
  Levels levels(layout_);
  levels.evaluate_forces(*this, state, work);
  const std::vector<expr::OutsideReading> all = tables_->read_outside();
  tables_->forget();
  return all;
}

}  // namespace trunnion::system
