#include "formulas/explicit_table.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "formulas/rooted_trees.hpp"

namespace trunnion::formulas {

namespace {

ExplicitTable empty(std::string name, int order, int stages) {
  ExplicitTable t;
  t.name = std::move(name);
  t.order = order;
  t.stages = stages;
  t.A.setZero(stages, stages);
  t.b.setZero(stages);
  t.c.setZero(stages);
  t.error.setZero(stages);
  return t;
}

void set_row(ExplicitTable& t, int row, std::initializer_list<std::pair<int, double>> entries) {
  for (const auto& [column, value] : entries) t.A(row, column) = value;
}

// Where stages are is told by the rows themselves.
void finish(ExplicitTable& t) {
  t.c = t.A.rowwise().sum();
  for (int k = 1; k < t.stages; ++k) {
    if (std::abs(t.c[k] - 1) < 1e-12) {
      t.c[k] = 1;
      t.stage_at_end = k;
    }
  }
}

void expect_trees(std::vector<std::string>& failed, const ExplicitTable& t, const Eigen::VectorXd& b,
                  int order, const char* whose) {
  for (const OrderCondition& condition : order_conditions({t.A, b}, order)) {
    if (std::abs(condition.defect) <= condition.rounding) continue;
    failed.push_back(fmt::format("{}order {}, {} is off by {:.1e}", whose, condition.order, condition.text,
                                 condition.defect));
  }
}

}  // namespace

ExplicitTable rkf45_table() {
  ExplicitTable t = empty("RKF45", 5, 6);
  set_row(t, 1, {{0, 1.0 / 4}});
  set_row(t, 2, {{0, 3.0 / 32}, {1, 9.0 / 32}});
  set_row(t, 3, {{0, 1932.0 / 2197}, {1, -7200.0 / 2197}, {2, 7296.0 / 2197}});
  set_row(t, 4, {{0, 439.0 / 216}, {1, -8.0}, {2, 3680.0 / 513}, {3, -845.0 / 4104}});
  set_row(t, 5, {{0, -8.0 / 27}, {1, 2.0}, {2, -3544.0 / 2565}, {3, 1859.0 / 4104}, {4, -11.0 / 40}});
  t.b << 16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55;
  Eigen::VectorXd fourth(6);
  fourth << 25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0;
  t.error = t.b - fourth;
  t.embedded_order = 4;
  t.stiff_from = 2.0;
  finish(t);
  return t;
}

ExplicitTable dop853_table() {
  ExplicitTable t = empty("DOP853", 8, 12);
  set_row(t, 1, {{0, 5.26001519587677318785587544488e-2}});
  set_row(t, 2, {{0, 1.97250569845378994544595329183e-2}, {1, 5.91751709536136983633785987549e-2}});
  set_row(t, 3, {{0, 2.95875854768068491816892993775e-2}, {2, 8.87627564304205475450678981324e-2}});
  set_row(t, 4,
          {{0, 2.41365134159266685502369798665e-1},
           {2, -8.84549479328286085344864962717e-1},
           {3, 9.24834003261792003115737966543e-1}});
  set_row(t, 5,
          {{0, 3.7037037037037037037037037037e-2},
           {3, 1.70828608729473871279604482173e-1},
           {4, 1.25467687566822425016691814123e-1}});
  set_row(t, 6,
          {{0, 3.7109375e-2},
           {3, 1.70252211019544039314978060272e-1},
           {4, 6.02165389804559606850219397283e-2},
           {5, -1.7578125e-2}});
  set_row(t, 7,
          {{0, 3.70920001185047927108779319836e-2},
           {3, 1.70383925712239993810214054705e-1},
           {4, 1.07262030446373284651809199168e-1},
           {5, -1.53194377486244017527936158236e-2},
           {6, 8.27378916381402288758473766002e-3}});
  set_row(t, 8,
          {{0, 6.24110958716075717114429577812e-1},
           {3, -3.36089262944694129406857109825},
           {4, -8.68219346841726006818189891453e-1},
           {5, 2.75920996994467083049415600797e1},
           {6, 2.01540675504778934086186788979e1},
           {7, -4.34898841810699588477366255144e1}});
  set_row(t, 9,
          {{0, 4.77662536438264365890433908527e-1},
           {3, -2.48811461997166764192642586468},
           {4, -5.90290826836842996371446475743e-1},
           {5, 2.12300514481811942347288949897e1},
           {6, 1.52792336328824235832596922938e1},
           {7, -3.32882109689848629194453265587e1},
           {8, -2.03312017085086261358222928593e-2}});
  set_row(t, 10,
          {{0, -9.3714243008598732571704021658e-1},
           {3, 5.18637242884406370830023853209},
           {4, 1.09143734899672957818500254654},
           {5, -8.14978701074692612513997267357},
           {6, -1.85200656599969598641566180701e1},
           {7, 2.27394870993505042818970056734e1},
           {8, 2.49360555267965238987089396762},
           {9, -3.0467644718982195003823669022}});
  set_row(t, 11,
          {{0, 2.27331014751653820792359768449},
           {3, -1.05344954667372501984066689879e1},
           {4, -2.00087205822486249909675718444},
           {5, -1.79589318631187989172765950534e1},
           {6, 2.79488845294199600508499808837e1},
           {7, -2.85899827713502369474065508674},
           {8, -8.87285693353062954433549289258},
           {9, 1.23605671757943030647266201528e1},
           {10, 6.43392746015763530355970484046e-1}});
  t.b << 5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
      1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
      -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1,
      4.47106157277725905176885569043e-2;
  t.error << 0.1312004499419488073250102996e-1, 0, 0, 0, 0, -0.1225156446376204440720569753e1,
      -0.4957589496572501915214079952, 0.1664377182454986536961530415e1, -0.3503288487499736816886487290,
      0.3341791187130174790297318841, 0.8192320648511571246570742613e-1, -0.2235530786388629525884427845e-1;
  t.embedded_order = 5;
  t.second_error = t.b;
  t.second_error[0] -= 0.244094488188976377952755905512;
  t.second_error[8] -= 0.733846688281611857341361741547;
  t.second_error[11] -= 0.220588235294117647058823529412e-1;
  t.second_order = 3;
  t.stiff_from = 4.0;
  finish(t);
  return t;
}

std::vector<std::string> conditions(const ExplicitTable& t) {
  std::vector<std::string> failed;
  expect_trees(failed, t, t.b, t.order, "");
  if (t.embedded_order > 0) expect_trees(failed, t, t.b - t.error, t.embedded_order, "embedded ");
  if (t.second_order > 0) expect_trees(failed, t, t.b - t.second_error, t.second_order, "second embedded ");
  if (!t.A.isLowerTriangular() || t.A.diagonal().any()) failed.push_back("the stages are not explicit");
  if (t.stage_at_end < 0) failed.push_back("no stage is at the end of the step");
  return failed;
}

}  // namespace trunnion::formulas
