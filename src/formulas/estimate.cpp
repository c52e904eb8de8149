#include "formulas/estimate.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace trunnion::formulas {

// The difference e of two formulas of order p − 1 with stages of order 2 meets e·1 = e·c = … = e·c^(p−2) = 0 and, from order 4 on,
// e·(A c²) = 0; what is left is free. Of that the part that sees the next derivative most is taken, at half of the constant that a
// formula without that order has: e·c^(p−1)/(p−1)! = 1/(2 p!). A step is then a little shorter than it need be. Weights above one would
// make noise of rounding: they are scaled down.
void add_estimate(StagedTable& table) {
  const int nodes = table.stages + 1;
  Eigen::VectorXd c = Eigen::VectorXd::Zero(nodes), square_sum = c;
  for (int k = 0; k < table.stages; ++k) c[k + 1] = table.rows[static_cast<std::size_t>(k)].c;
  for (int k = 0; k < table.stages; ++k) {
    const StageRow& row = table.rows[static_cast<std::size_t>(k)];
    for (int j = 1; j <= k; ++j)
      square_sum[k + 1] += row.b[static_cast<std::size_t>(table.place(j - 1))] * c[j] * c[j];
    square_sum[k + 1] += row.implicit * c[k + 1] * c[k + 1];
  }
  const int powers = table.order - 1;
  Eigen::MatrixXd conditions(nodes, powers + (table.order > 4 ? 1 : 0));
  for (int k = 0; k < powers; ++k) conditions.col(k) = c.array().pow(k);
  if (table.order > 4) conditions.col(powers) = square_sum;
  // What of c^(p−1) no condition sees.
  const Eigen::VectorXd next = c.array().pow(powers);
  const auto qr = conditions.colPivHouseholderQr();
  Eigen::VectorXd e = next;
  constexpr int kPasses = 3;  // what is left is small beside what was taken away
  for (int pass = 0; pass < kPasses; ++pass) {
    e -= (conditions * qr.solve(e)).eval();
    e.normalize();
  }
  const double factorial = std::tgamma(table.order);  // (p − 1)!
  e *= factorial / (2 * std::tgamma(table.order + 1)) / e.dot(next);
  e /= std::max(1.0, e.lpNorm<Eigen::Infinity>());
  table.embedded = true;
  table.embedded_order = table.order - 1;
  table.embedded_weights[0] = table.last().b[0] - e[0];
  for (int k = 1; k < table.stages; ++k)
    table.embedded_weights[static_cast<std::size_t>(k)] =
        table.last().b[static_cast<std::size_t>(table.place(k - 1))] - e[k];
  table.embedded_weights[static_cast<std::size_t>(table.stages)] = table.last().implicit - e[table.stages];
}

}  // namespace trunnion::formulas
