#include "expr/tables.hpp"

namespace trunnion::expr {

std::string TableSet::add_spline(int id, math::SplineData data) {
  std::string message = math::check_spline_data(data);
  if (message.empty()) splines_.insert_or_assign(id, std::move(data));
  return message;
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
