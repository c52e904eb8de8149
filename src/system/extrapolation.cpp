// SPLINEs read beyond their points.

#include "system/residual_sink.hpp"
#include "system/system.hpp"

namespace trunnion::system {

std::vector<System::Extrapolation> System::extrapolations(const assembly::State& state,
                                                          Workspace& work) const {
  if (tables_->read_outside().empty()) return {};
  tables_->forget();
  ResidualSink sink(layout_);
  sink.start();
  evaluate(state, work, sink);
  std::vector<Extrapolation> all;
  for (const int id : tables_->read_outside()) {
    const expr::SplineRange& range = *tables_->range(id);
    all.push_back({id, range.outside.load(), range.min, range.max});
  }
  tables_->forget();
  return all;
}

}  // namespace trunnion::system
