#include "system/curves.hpp"

namespace trunnion::system {

std::optional<math::Curve> curve_through(const model::Curve& curve, const Eigen::MatrixXd& points,
                                         std::string& trouble) {
  std::vector<math::Point> all(static_cast<std::size_t>(points.rows()));
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t k = 0; k < 3; ++k)
      all[r][k] = points(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k));
  }
  const bool closed = curve.ends == model::Curve::Ends::closed;
  return curve.points == model::Curve::Points::control_points
             ? math::Curve::from_control_points(all, curve.order.value_or(4), closed, trouble)
             : math::Curve::through_points(all, curve.order.value_or(4), closed, trouble);
}

std::optional<math::Curve> curve_of(const model::Model& model, const model::Curve& curve,
                                    std::string& trouble) {
  trouble.clear();
  const model::Matrix* m = curve.matrix.given() ? model.find(curve.matrix) : nullptr;
  if (!m || !m->rows || m->columns.value_or(0) != 3) return std::nullopt;
  const auto n = static_cast<std::size_t>(*m->rows);
  if (m->values.empty() || m->values.size() < 3 * n) return std::nullopt;
  const bool by_rows = m->full == model::Matrix::Order::rows;
  Eigen::MatrixXd points(*m->rows, 3);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < 3; ++k)
      points(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) =
          by_rows ? m->values[3 * r + k] : m->values[k * n + r];
  }
  return curve_through(curve, points, trouble);
}

}  // namespace trunnion::system
