#include "system/curves.hpp"

namespace trunnion::system {

std::optional<math::Curve> curve_of(const model::Model& model, const model::Curve& curve,
                                    std::string& trouble) {
  trouble.clear();
  const model::Matrix* m = curve.matrix.given() ? model.find(curve.matrix) : nullptr;
  if (!m || !m->rows || m->columns.value_or(0) != 3) return std::nullopt;
  const auto n = static_cast<std::size_t>(*m->rows);
  if (m->values.empty() || m->values.size() < 3 * n) return std::nullopt;
  const bool by_rows = m->full == model::Matrix::Order::rows;
  std::vector<math::Point> points(n);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < 3; ++k) points[r][k] = by_rows ? m->values[3 * r + k] : m->values[k * n + r];
  }
  const bool closed = curve.ends == model::Curve::Ends::closed;
  return curve.points == model::Curve::Points::control_points
             ? math::Curve::from_control_points(points, curve.order.value_or(4), closed, trouble)
             : math::Curve::through_points(points, curve.order.value_or(4), closed, trouble);
}

}  // namespace trunnion::system
