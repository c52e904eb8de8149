// C. A. Kennedy, M. H. Carpenter, Appl. Numer. Math. 146 (2019) 221-244: stiffly accurate, L-stable, stage order 2, with embedded rows.
// What follows from the conditions is computed from them; the rest is given in rational numbers as published.

#include <cmath>
#include <initializer_list>

#include <Eigen/Dense>

#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

namespace {

StagedTable esdirk(const char* name, int order, int stages, double gamma) {
  StagedTable table;
  table.name = name;
  table.order = order;
  table.stages = stages;
  for (int k = 0; k < stages; ++k) {
    table.rows[k].a[0] = 1;
    table.rows[k].implicit = gamma;
  }
  table.embedded = true;
  table.embedded_order = order - 1;
  return table;
}

// A row by its weights before the implicit one.
void set_weights(StageRow& row, std::initializer_list<double> weights) {
  row.c = row.implicit;
  int j = 0;
  for (const double w : weights) {
    row.b[j++] = w;
    row.c += w;
  }
}

// Two rows of these tables begin with a weight twice; its own value x and the next y from Σ a = c and Σ a c = c²/2 at c₁ = 0, c₂.
void set_twin_row(StageRow& row, double c, double c2, double c3) {
  const double sum = c - row.implicit, moment = c * c / 2 - row.implicit * c;
  const double y = (moment - sum * c2 / 2) / (c3 - c2 / 2);
  const double x = (sum - y) / 2;
  set_weights(row, {x, x, y});
}

}  // namespace

StagedTable esdirk34_table() {
  // MSSTH(3) at ρ = 0 with another c₃.
  const double gamma = mssth_table(3, 0).rows[0].implicit, c3 = 0.6;
  StagedTable table = esdirk("ESDIRK34", 3, 3, gamma);
  const double a32 = c3 * (c3 - 2 * gamma) / (4 * gamma);
  const double b2 = (3 * c3 + 6 * gamma - 6 * c3 * gamma - 2) / (12 * gamma * (c3 - 2 * gamma));
  const double b3 = (6 * gamma * gamma - 6 * gamma + 1) / (3 * c3 * (c3 - 2 * gamma));
  set_weights(table.rows[0], {gamma});
  set_weights(table.rows[1], {c3 - gamma - a32, a32});
  set_weights(table.rows[2], {1 - gamma - b2 - b3, b2, b3});
  table.rows[2].c = 1;
  table.embedded_weights = {0.1088966176158644541561307, -0.9153258118707127534816381,
                            1.271273597302152167844716, 0.5351555969526961314807915};
  return table;
}

StagedTable esdirk35_table() {
  const double gamma = 9.0 / 40, root = std::sqrt(2.0), c2 = 2 * gamma, c3 = (2 + root) * gamma, c4 = 0.6;
  StagedTable table = esdirk("ESDIRK35", 3, 4, gamma);
  set_weights(table.rows[0], {gamma});
  set_weights(table.rows[1], {(1 + root) * gamma / 2, (1 + root) * gamma / 2});
  set_twin_row(table.rows[2], c4, c2, c3);
  // b₁ = b₂, b₃, b₄ from Σ b = 1, Σ b c = 1/2, Σ b c² = 1/3.
  Eigen::Matrix3d moments;
  moments << 2, 1, 1, c2, c3, c4, c2 * c2, c3 * c3, c4 * c4;
  const Eigen::Vector3d b =
      moments.fullPivLu().solve(Eigen::Vector3d(1 - gamma, 1.0 / 2 - gamma, 1.0 / 3 - gamma));
  set_weights(table.rows[3], {b[0], b[0], b[1], b[2]});
  table.rows[3].c = 1;
  const double twin = (5547709 * root - 4800247) / 16519545;
  table.embedded_weights = {twin, twin, 11095418 * (1 - root) / 16519545, 30698249.0 / 44052120,
                            49563.0 / 233080};
  return table;
}

StagedTable esdirk46_table() {
  const double gamma = 31.0 / 125;
  StagedTable table = esdirk("ESDIRK46", 4, 5, gamma);
  set_weights(table.rows[0], {gamma});
  const double a3 = -360286518617.0 / 7014585480527.0;
  set_weights(table.rows[1], {a3, a3});
  const double a4 = -506388693497.0 / 5937754990171.0;
  set_weights(table.rows[2], {a4, a4, 7149918333491.0 / 13390931526268.0});
  const double a5 = -7628305438933.0 / 11061539393788.0;
  set_weights(table.rows[3],
              {a5, a5, 21592626537567.0 / 14352247503901.0, 11630056083252.0 / 17263101053231.0});
  const double b = -12917657251.0 / 5222094901039.0;
  set_weights(table.rows[4], {b, b, 5602338284630.0 / 15643096342197.0, 9002339615474.0 / 18125249312447.0,
                              -2420307481369.0 / 24731958684496.0});
  table.rows[4].c = 1;
  const double twin = -1007911106287.0 / 12117826057527.0;
  table.embedded_weights = {twin,
                            twin,
                            17694008993113.0 / 35931961998873.0,
                            5816803040497.0 / 11256217655929.0,
                            -538664890905.0 / 7490061179786.0,
                            2032560730450.0 / 8872919773257.0};
  return table;
}

}  // namespace trunnion::formulas
