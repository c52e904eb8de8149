#include "expr/tables.hpp"

#include <cmath>

namespace trunnion::expr {

std::string TableSet::add_spline(int id, math::SplineData data) {
  std::string message = math::check_spline_data(data);
  if (!message.empty()) return message;
  auto range = std::make_unique<SplineRange>();
  range->x.min = data.x.front();
  range->x.max = data.x.back();
  range->family = data.z.size() > 1;
  if (range->family) {
    range->z.min = data.z.front();
    range->z.max = data.z.back();
  }
  ranges_.insert_or_assign(id, std::move(range));
  splines_.insert_or_assign(id, std::move(data));
  return message;
}

SplineRange* TableSet::range(int id) const {
  const auto it = ranges_.find(id);
  return it == ranges_.end() ? nullptr : it->second.get();
}

std::vector<OutsideReading> TableSet::read_outside() const {
  std::vector<OutsideReading> all;
  for (const auto& [id, range] : ranges_) {
    for (const bool by_z : {false, true}) {
      const AxisRange& axis = by_z ? range->z : range->x;
      const double at = axis.outside.load(std::memory_order_relaxed);
      if (!std::isnan(at)) all.push_back({id, by_z, at, axis.min, axis.max});
    }
  }
  return all;
}

void TableSet::forget() const {
  for (const auto& [id, range] : ranges_) {
    for (AxisRange* axis : {&range->x, &range->z})
      axis->outside.store(std::numeric_limits<double>::quiet_NaN(), std::memory_order_relaxed);
  }
}

void TableSet::add_curve(int id, math::Curve curve) {
  curves_.insert_or_assign(id, std::make_unique<math::Curve>(std::move(curve)));
}

const math::SplineData* TableSet::spline_data(int id) const {
  const auto it = splines_.find(id);
  return it == splines_.end() ? nullptr : &it->second;
}

const math::Surface* TableSet::surface(int id, math::Interpolation method) {
  const math::SplineData* data = spline_data(id);
  if (!data) return nullptr;
  std::unique_ptr<math::Surface>& entry = surfaces_[{id, method}];
  if (!entry) entry = std::make_unique<math::Surface>(*data, method);
  return entry.get();
}

const math::Curve* TableSet::curve(int id) const {
  const auto it = curves_.find(id);
  return it == curves_.end() ? nullptr : it->second.get();
}

}  // namespace trunnion::expr
