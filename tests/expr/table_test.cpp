// Splines, curves and spectra inside expressions.

#include <cmath>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

TableSet make_tables() {
  TableSet tables;
  math::SplineData curve;
  curve.x = {0, 1, 2, 3.5, 5, 6};
  curve.y = {{0, 2, 1, 4, 3, 5}};
  EXPECT_EQ(tables.add_spline(1, curve), "");
  math::SplineData family = curve;
  family.z = {-1, 1, 4};
  family.y = {{0, 2, 1, 4, 3, 5}, {1, 1, 2, 2, 3, 3}, {5, 4, 3, 2, 1, 0}};
  EXPECT_EQ(tables.add_spline(2, family), "");
  math::SplineData psd;
  psd.x = {0.1, 1, 10, 100};
  psd.y = {{1, 1, 0.1, 0.01}};
  EXPECT_EQ(tables.add_spline(3, psd), "");
  std::string error;
  const auto space =
      math::Curve::through_points({{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {3, 1, 1}, {4, 0, 2}}, 4, false, error);
  EXPECT_TRUE(space) << error;
  tables.add_curve(4, *space);
  return tables;
}

TEST(Tables, InterpolateTheirPoints) {
  TableSet tables = make_tables();
  for (const char* text : {"AKISPL(TIME,0,1)", "CUBSPL(TIME,0,1)", "INTERP(TIME,1,1)", "INTERP(TIME,3,1)"}) {
    Program program = compiled(text);
    EXPECT_TRUE(program.bind(tables).empty());
    Workspace work(program);
    const math::SplineData& data = *tables.spline_data(1);
    for (std::size_t k = 0; k < data.x.size(); ++k) {
      EXPECT_NEAR(program.value(std::vector{data.x[k]}, work), data.y[0][k], 1e-13) << text;
    }
  }
}

// Every look-up, and every order of derivative it offers, against differences of the next lower one. Samples
// keep away from the joints, where some derivatives jump.
TEST(Tables, DerivativesMatchDifferences) {
  TableSet tables = make_tables();
  const char* const texts[] = {"AKISPL(TIME,MODE,2)",
                               "AKISPL(TIME,MODE,2,1)",
                               "CUBSPL(TIME,MODE,2)",
                               "CUBSPL(TIME,MODE,2,1)",
                               "CUBSPL(TIME,0*MODE,1,2)",
                               "INTERP(TIME,1,1)+MODE",
                               "INTERP(TIME,3,1)*MODE",
                               "CURVE(TIME/6-0.5,0,1,4)*MODE",
                               "CURVE(TIME/6-0.5,1,2,4)*MODE",
                               "CURVE(TIME/6-0.5,2,3,4)*MODE",
                               "INVPSD(TIME,3,0.5,2,12,0,7)*MODE",
                               "INVPSD(TIME,3,0.5,2,12,1,7)*MODE"};
  for (const char* text : texts) {
    Program program = compiled(text);
    ASSERT_TRUE(program.bind(tables).empty()) << text;
    ASSERT_EQ(program.inputs().size(), 2u);
    Workspace work(program);
    for (const double x : {-0.7, 0.4, 1.3, 2.9, 4.6, 5.2, 6.8}) {
      for (const double z : {-1.6, 0.3, 2.2, 5.1}) {
        const double h = 1e-5;
        const double in[] = {x, z};
        double grad[2], hess[4], low[2], high[2];
        program.hessian(in, work, grad, hess);
        for (std::size_t k = 0; k < 2; ++k) {
          double plus[] = {x, z}, minus[] = {x, z};
          plus[k] += h;
          minus[k] -= h;
          const double slope =
              (program.gradient(plus, work, high) - program.gradient(minus, work, low)) / (2 * h);
          // Truncation h² f‴/6 with f‴ ≤ 1e4 (twelve sines up to 2 Hz), rounding 1e-16·1e2/h.
          EXPECT_NEAR(grad[k], slope, 1e-6 * (1 + std::abs(slope))) << text << " " << x << " " << z;
          for (std::size_t j = 0; j < 2; ++j) {
            const double bend = (high[j] - low[j]) / (2 * h);
            EXPECT_NEAR(hess[k * 2 + j], bend, 1e-5 * (1 + std::abs(bend))) << text << " " << x << " " << z;
          }
        }
      }
    }
  }
}

TEST(Tables, OrdersAreDerivativesOfEachOther) {
  TableSet tables = make_tables();
  for (const char* name : {"AKISPL(TIME,0,1", "CUBSPL(TIME,0,1", "INTERP(TIME,3,1"}) {
    for (int order = 0; order < 2; ++order) {
      Program f = compiled(fmt::format("{},{})", name, order)),
              g = compiled(fmt::format("{},{})", name, order + 1));
      f.bind(tables);
      g.bind(tables);
      Workspace work(f);
      double grad[1];
      for (const double x : {-1.0, 0.0, 0.5, 1.0, 3.7, 6.5}) {
        f.gradient(std::vector{x}, work, grad);
        EXPECT_EQ(grad[0], g.value(std::vector{x}, work)) << name << " " << x;
      }
    }
  }
}

TEST(Tables, BindReportsWhatIsMissing) {
  TableSet tables = make_tables();
  Program program =
      compiled("AKISPL(TIME,0,99)+CURVE(TIME,0,1,98)+INVPSD(TIME,3,2,1,10,0,1)+INVPSD(TIME,1,1,2,10,1,1)");
  const std::vector<ExprError> errors = program.bind(tables);
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].message, "SPLINE/99 does not exist or has no data");
  EXPECT_EQ(errors[0].offset, 0u);
  EXPECT_EQ(errors[0].length, 17u);
  EXPECT_EQ(errors[1].message, "CURVE/98 does not exist or has no points");
  EXPECT_EQ(errors[2].message, "INVPSD with SPLINE/3: f1 = 1 must be greater than f0 = 2");
  EXPECT_EQ(errors[3].message,
            "INVPSD with SPLINE/1: logarithmic interpolation needs positive values: point 1 is (0, 0)");
  Workspace work(program);
  double grad[1];
  EXPECT_TRUE(std::isnan(program.gradient(std::vector{1.0}, work, grad)));
}

TEST(Tables, BadDataIsRefused) {
  TableSet tables;
  math::SplineData data;
  EXPECT_EQ(tables.add_spline(1, data), "a spline needs y values");
  data.x = {0, 1, 1};
  data.y = {{0, 1, 2}};
  EXPECT_EQ(tables.add_spline(1, data), "x values must increase: x3 = 1 follows x2 = 1");
  data.x = {0, 1};
  EXPECT_EQ(tables.add_spline(1, data), "2 x values but 3 y values");
  data.x = {0, 1, 2};
  data.y.push_back({1, 2, 3});
  EXPECT_EQ(tables.add_spline(1, data), "2 curves but 0 z values");
  data.z = {1, 0};
  EXPECT_EQ(tables.add_spline(1, data), "z values must increase: z2 = 0 follows z1 = 1");
  EXPECT_EQ(tables.spline_data(1), nullptr);
}

}  // namespace
}  // namespace trunnion::expr::testing
