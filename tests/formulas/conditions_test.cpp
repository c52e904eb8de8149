// Every table of formulas passes its conditions at every ρ∞ it allows, and a table that is wrong says in which.

#include "formulas/conditions.hpp"

#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formulas/bdf.hpp"

namespace trunnion::formulas {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Tenths, what lies between them, and what is near the ends.
std::vector<double> radii(double largest) {
  std::vector<double> rho;
  for (int k = 0; k <= 10; ++k) rho.push_back(0.1 * k);
  std::mt19937 chance(16);
  std::uniform_real_distribution<double> any(0, 1);
  for (int k = 0; k < 60; ++k) rho.push_back(any(chance));
  for (const double near : {1e-7, 0.01, 0.55, 0.555, 0.66, 0.667, 0.9 + 1e-6, 0.99, 1 - 1e-7})
    rho.push_back(near);
  std::erase_if(rho, [largest](double r) { return r > largest; });
  return rho;
}

template <typename Maker> void expect_all(double largest, const Maker& make) {
  for (const double rho : radii(largest))
    EXPECT_THAT(conditions(make(rho)), IsEmpty()) << "rho_inf = " << rho;
}

TEST(Conditions, EveryStagedTablePasses) {
  EXPECT_THAT(conditions(trapezoidal_table()), IsEmpty());
  for (int steps = 2; steps <= 4; ++steps)
    expect_all(0.999, [=](double rho) { return lms_table(steps, rho); });
  expect_all(1, bathe_table);
  for (int n = 3; n <= 5; ++n) {
    expect_all(1, [=](double rho) { return msstc_table(n, rho); });
    expect_all(1, [=](double rho) { return mssth_table(n, rho); });
  }
  for (const StagedTable& table : {esdirk34_table(), esdirk35_table(), esdirk46_table()}) {
    EXPECT_THAT(conditions(table), IsEmpty());
    EXPECT_TRUE(table.embedded);
  }
}

TEST(Conditions, EverySingleStepAndCollocationTablePasses) {
  for (int steps = 2; steps <= 4; ++steps)
    expect_all(0.999, [=](double rho) { return single_step_table(steps, rho); });
  expect_all(1, energy_decaying_table);
  for (const int stages : {2, 3}) EXPECT_THAT(conditions(radau_table(stages)), IsEmpty());
  for (const int stages : {1, 2}) EXPECT_THAT(conditions(gauss_table(stages)), IsEmpty());
}

TEST(Conditions, EveryNewmarkTablePasses) {
  expect_all(1, generalized_alpha_table);
  expect_all(1, wbz_table);
  for (const double alpha : {-1.0 / 3, -0.3, -0.1, 0.0}) EXPECT_THAT(conditions(hht_table(alpha)), IsEmpty());
  EXPECT_THAT(conditions(newmark_table(0.36, 0.7)), IsEmpty());  // of order 1, as the user asked for
}

TEST(Conditions, TwoStepsOfAnyRatioHaveOrderTwo) {
  for (const double rho : radii(1))
    for (const double ratio : {0.01, 0.2, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0, 100.0})
      EXPECT_THAT(conditions(lms2_row(rho, ratio), ratio), IsEmpty())
          << "rho_inf = " << rho << ", ratio = " << ratio;
  EXPECT_THAT(conditions(lms2_row(0, 1), 2), Contains(HasSubstr("order 2")));
}

// The weights stay of a size that does not cost digits: the nodes that the paper prints let them grow without bound between its lines.
TEST(Conditions, WeightsBetweenThePrintedLinesAreBounded) {
  for (int n = 4; n <= 5; ++n)
    for (int k = 0; k < 1000; ++k) {
      const double rho = (k + 0.5) / 1000;
      const StagedTable table = mssth_table(n, rho);
      for (const StageRow& row : table.rows)
        for (const double b : row.b)
          ASSERT_LT(std::abs(b), n == 4 ? 3 : 6) << table.name << ", rho_inf = " << rho;
    }
}

struct Tampered {
  const char* why;
  std::function<StagedTable()> make;
  const char* words;
};

StagedTable changed(StagedTable table, const std::function<void(StagedTable&)>& change) {
  change(table);
  return table;
}

// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, V.2.
TEST(Conditions, BdfHasItsOrdersAndAngles) {
  EXPECT_THAT(bdf_conditions(), IsEmpty());
  const double angles[] = {90, 90, 86.03, 73.35, 51.84, 17.84};
  for (int order = 1; order <= 6; ++order) EXPECT_NEAR(bdf_angle(order), angles[order - 1], 0.006) << order;
  EXPECT_EQ(bdf_weights(2), (std::vector<double>{1.5, -2, 0.5}));
}

TEST(Conditions, AWrongTableSaysWhatIsWrong) {
  const Tampered cases[] = {
      {"a weight of the past",
       [] { return changed(lms_table(3, 0.6), [](StagedTable& t) { t.rows[0].a[2] += 1e-9; }); },
       "LMS3: consistency, stage 1 for y = t^0 is off by 1.0e-09"},
      {"weights that only lose order 2",
       [] {
         return changed(lms_table(4, 0.6),
                        [](StagedTable& t) { t.rows[0].b[0] += 1e-9, t.rows[0].implicit -= 1e-9; });
       },
       "LMS4: order 2 for y = t^2 is off by"},
      {"another radius than it says",
       [] { return changed(lms_table(2, 0.6), [](StagedTable& t) { t.rho = 0.61; }); },
       "LMS2: rho_inf = 0.61"},
      {"multiple roots on the circle", [] { return lms_table(4, 1); },
       "LMS4: zero-stability: 4 roots on the unit circle"},
      {"order 3 lost in the last row",
       [] {
         return changed(esdirk34_table(), [](StagedTable& t) {
           const double e = 1e-6, c2 = t.rows[0].c, c3 = t.rows[1].c;  // keeps the sum and the first moment
           t.rows[2].b[1] += e / c2, t.rows[2].b[2] -= e / c3, t.rows[2].b[0] += e / c3 - e / c2;
         });
       },
       "ESDIRK34: order 3, b·(c c) = 1/3 is off by"},
      {"a stage of order 1 only",
       [] {
         return changed(esdirk46_table(),
                        [](StagedTable& t) { t.rows[2].b[0] += 1e-8, t.rows[2].b[1] -= 1e-8; });
       },
       "ESDIRK46: stage order 2, stage 3 for y = t^2"},
      {"an embedded row of order 1",
       [] {
         return changed(esdirk35_table(),
                        [](StagedTable& t) { t.embedded_weights[0] += 1e-7, t.embedded_weights[2] -= 1e-7; });
       },
       "ESDIRK35: embedded order 2, b·(c) = 1/2"},
      {"an embedded row that finds no error",
       [] {
         return changed(esdirk35_table(), [](StagedTable& t) {
           for (int k = 0; k < 4; ++k) t.embedded_weights[k] = t.rows[3].b[k];
           t.embedded_weights[4] = t.rows[3].implicit;
         });
       },
       "ESDIRK35: embedded weights are those of the formula itself"},
      {"the radius of a one-step formula",
       [] { return changed(msstc_table(4, 0.3), [](StagedTable& t) { t.rho = 0.3001; }); },
       "MSSTC4: rho_inf = 0.3001 is off by -1.0e-04"},
      {"the end of the step missed",
       [] { return changed(bathe_table(0.5), [](StagedTable& t) { t.rows[1].c = 0.99; }); },
       "BATHE: stiff accuracy: the last stage is at 0.99 of the step, not at its end"},
      {"a negative implicit weight",
       [] { return changed(bathe_table(0.5), [](StagedTable& t) { t.rows[0].implicit *= -1; }); },
       "BATHE: A-stability: stage 1 has a pole in the left half-plane"},
      {"not a number", [] { return changed(bathe_table(0.5), [](StagedTable& t) { t.rows[0].b[0] = NAN; }); },
       "BATHE: a weight is not a number"},
  };
  for (const Tampered& c : cases) EXPECT_THAT(conditions(c.make()), Contains(HasSubstr(c.words))) << c.why;
}

// The γ that the paper's Table 7 prints for MSSTH(3) at ρ∞ = 0, in its own formulas (30), (31): order 3, and unstable.
TEST(Conditions, ThePrintedGammaOfMssth3IsRefused) {
  const double g = 0.1804253064293983299659629;
  const double c3 = (24 * g * g - 20 * g + 3) / (24 * g * g - 24 * g + 4);
  const double a32 = c3 * (c3 - 2 * g) / (4 * g),
               b2 = (3 * c3 + 6 * g - 6 * c3 * g - 2) / (12 * g * (c3 - 2 * g)),
               b3 = (6 * g * g - 6 * g + 1) / (3 * c3 * (c3 - 2 * g));
  StagedTable table = mssth_table(3, 0);
  table.embedded = false;
  for (StageRow& row : table.rows) row.implicit = g, row.b = {};
  table.rows[0].c = 2 * g, table.rows[0].b[0] = g;
  table.rows[1].c = c3, table.rows[1].b[0] = c3 - g - a32, table.rows[1].b[1] = a32;
  table.rows[2].b[0] = 1 - g - b2 - b3, table.rows[2].b[1] = b2, table.rows[2].b[2] = b3;
  const std::vector<std::string> failures = conditions(table);
  EXPECT_THAT(failures, Contains(HasSubstr("A-stability: |R(iy)| is 1 + 1.1e+00")));
  EXPECT_THAT(failures, Contains(HasSubstr("rho_inf = 0 is off by 2.1e+00")));
  EXPECT_THAT(failures, Not(Contains(HasSubstr("order"))));
}

TEST(Conditions, AWrongNewmarkTableSaysWhatIsWrong) {
  const auto changed_newmark = [](double NewmarkTable::*what, double by) {
    NewmarkTable table = generalized_alpha_table(0.6);
    table.*what += by;
    return conditions(table);
  };
  EXPECT_THAT(changed_newmark(&NewmarkTable::gamma, 1e-9),
              Contains(HasSubstr("GALPHA: order 2: gamma, 1/2 + alpha_f - alpha_m, is off by 1.0e-09")));
  EXPECT_THAT(changed_newmark(&NewmarkTable::beta, -0.1),
              Contains(HasSubstr("GALPHA: A-stability: beta = ")));
  EXPECT_THAT(changed_newmark(&NewmarkTable::alpha_m, 0.5),
              Contains(HasSubstr("GALPHA: A-stability: alpha_m = ")));
  EXPECT_THAT(changed_newmark(&NewmarkTable::beta, NAN), Contains("GALPHA: a weight is not a number"));
  NewmarkTable table = wbz_table(0.6);
  table.rho = 0.5;
  EXPECT_THAT(conditions(table), Contains(HasSubstr("WBZ: rho_inf = 0.5 is off by 1.0e-01")));
}

TEST(Conditions, AWrongTableOfTheOtherKindsSaysWhatIsWrong) {
  SingleStepTable single = single_step_table(3, 0.2);
  single.gamma[1] += std::complex<double>(0, 1e-9);
  EXPECT_THAT(conditions(single), Contains(HasSubstr("SS3: real solution")));
  single = single_step_table(4, 0.2);
  single.gamma[0] += 1e-9;
  EXPECT_THAT(conditions(single), Contains(HasSubstr("SS4: order 2")));
  EXPECT_THAT(conditions(single), Contains(HasSubstr("SS4: rho_inf = 0.2")));

  CollocationTable radau = radau_table(3);
  radau.A(0, 1) += 1e-9;
  EXPECT_THAT(conditions(radau), Contains(HasSubstr("RADAU5: consistency, stage 1")));
  radau = radau_table(2);
  radau.A(0, 0) += 1e-9, radau.A(0, 1) -= 1e-9;
  EXPECT_THAT(conditions(radau), Contains(HasSubstr("RADAU3: order 3, b·(A(c)) = 1/6")));
  CollocationTable decaying = energy_decaying_table(0.5);
  decaying.rho = 0.4;
  EXPECT_THAT(conditions(decaying), Contains(HasSubstr("ENERGY_DECAYING: rho_inf = 0.4 is off by 1.0e-01")));
}

}  // namespace
}  // namespace trunnion::formulas
