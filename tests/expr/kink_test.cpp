// Derivatives exactly at kinks and joints, as docs/theory/expressions.md promises them.

#include <cmath>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

struct Case {
  const char* text;  // of TIME only
  double at, value, d1, d2;
};

TEST(Kinks, OneVariable) {
  const Case cases[] = {
      {"ABS(TIME)", 0, 0, 1, 0},
      {"SIGN(TIME,1)", 0, 0, 1, 0},
      {"SIGN(2,TIME)", 0, 2, 0, 0},
      {"DIM(TIME,1)", 1, 0, 0, 0},
      {"MAX(2*TIME,TIME)", 0, 0, 2, 0},
      {"MIN(2*TIME,TIME)", 0, 0, 2, 0},
      {"MAX(TIME,2*TIME)", 0, 0, 1, 0},
      {"AINT(TIME)", 1, 1, 0, 0},
      {"MOD(TIME,1)", 1, 0, 1, 0},
      {"IF(TIME: -TIME, 5*TIME, TIME)", 0, 0, 5, 0},
      {"STEP(TIME,0,1,2,3)", 0, 1, 0, 3},  // the rise: s″(0) Δh/w² = 6·2/4
      {"STEP(TIME,0,1,2,3)", 2, 3, 0, 0},  // the plateau
      {"STEP5(TIME,0,1,2,3)", 0, 1, 0, 0},
      {"STEP5(TIME,0,1,2,3)", 2, 3, 0, 0},
      {"IMPACT(TIME,0,1,10,1,0,0.1)", 1, 0, 0, 0},
      {"IMPACT(TIME,1,1,0,1,1,1)", 0.5, 0, 0, 0},  // held at zero by the clamp
      {"BISTOP(TIME,0,-1,1,10,1,0,0.1)", 1, 0, 0, 0},
      {"BISTOP(TIME,0,-1,1,10,1,0,0.1)", -1, 0, 0, 0},
      {"TIME/TIME", 0, 0, 0, 0},  // nothing by nothing
      {"ATAN(ABS(TIME)/ABS(2*TIME))", 0, 0, 0, 0},
      {"(TIME**2+(3*TIME)**2)**0.5", 0, 0, 0, NAN},  // √10 |t|: one of its subgradients
      {"SQRT(TIME*TIME)", 0, 0, 0, NAN},
      {"TIME**2", 0, 0, 0, 2},
      {"TIME**3", 0, 0, 0, 0},
      {"TIME**1.5", 0, 0, 0, HUGE_VAL},
      {"TIME**2.5", 0, 0, 0, 0},
  };
  for (const Case& c : cases) {
    const Program program = compiled(c.text);
    Workspace work(program);
    const double in[] = {c.at};
    double grad[1], hess[1];
    EXPECT_DOUBLE_EQ(program.gradient(in, work, grad), c.value) << c.text;
    EXPECT_DOUBLE_EQ(grad[0], c.d1) << c.text;
    program.hessian(in, work, grad, hess);
    EXPECT_DOUBLE_EQ(grad[0], c.d1) << c.text;
    if (!std::isnan(c.d2)) {  // NaN: there is none
      EXPECT_DOUBLE_EQ(hess[0], c.d2) << c.text;
    }
  }
}

// A derivative that is multiplied by zero does not spoil the gradient, however infinite.
TEST(Kinks, ZeroTimesInfinityIsZero) {
  const Program program = compiled("MAX(1, SQRT(TIME)) + VARVAL(1)");
  Workspace work(program);
  const double in[] = {0.0, 2.0};
  double grad[2];
  EXPECT_EQ(program.gradient(in, work, grad), 3.0);
  EXPECT_EQ(grad[0], 0.0);
  EXPECT_EQ(grad[1], 1.0);
}

// At a kink the slope is that of the side the table of docs/theory/expressions.md names; beside it, on both sides, that of
// the function there.
TEST(Kinks, SlopesAreThoseOfTheSideNamed) {
  struct Sided {
    const char* text;
    double at;
    int side;  // +1: larger TIME
  };
  const Sided cases[] = {
      {"ABS(TIME)", 0, 1},
      {"SIGN(TIME,2)", 0, 1},
      {"MAX(2*TIME,TIME)", 0, 1},
      {"MIN(2*TIME,TIME)", 0, -1},
      {"DIM(TIME,1)", 1, -1},
      {"MOD(TIME,1)", 1, 1},
      {"STEP(TIME,0,1,2,3)", 0, 1},
      {"STEP(TIME,0,1,2,3)", 2, 1},
      {"STEP5(TIME,0,1,2,3)", 0, 1},
      {"HAVSIN(TIME,0,1,2,3)", 2, 1},
      {"IMPACT(TIME,0,1,10,1,0,0.1)", 1, 1},
      {"IMPACT(TIME,-1,1,10,1,3,0.5)", 0.5, 1},  // where the damping has grown to its full size
      {"BISTOP(TIME,0,-1,1,10,1,0,0.1)", 1, -1},
      {"BISTOP(TIME,0,-1,1,10,1,0,0.1)", -1, 1},
      {"AKISPL(TIME,0,1)", 2, 1},
      {"AKISPL(TIME,0,1)", 0, 1},
      {"CUBSPL(TIME,0,1)", 3, 1},
      {"AKISPL(TIME,0,2)", 0, 1},  // LINEAR_EXTRAPOLATE
      {"CUBSPL(TIME,0,2)", 5, 1},
      {"INTERP(TIME,1,1)", 2, 1},
      {"INTERP(TIME,1,1)", 5, 1},  // the end value is held from here
  };
  TableSet tables;
  math::SplineData data;
  data.x = {0, 1, 2, 3, 5};
  data.y = {{0, 2, 1, 4, 3}};
  ASSERT_EQ(tables.add_spline(1, data), "");
  data.linear_extrapolate = true;
  ASSERT_EQ(tables.add_spline(2, data), "");
  for (const Sided& c : cases) {
    Program program = compiled(c.text);
    ASSERT_TRUE(program.bind(tables).empty());
    Workspace work(program);
    const auto f = [&](double t) { return program.value(std::vector{t}, work); };
    const auto slope = [&](double t) {
      double grad[1];
      program.gradient(std::vector{t}, work, grad);
      return grad[0];
    };
    // One-sided of second order: (−3f₀ + 4f₁ − f₂)/2h is off by h² f‴/3, f‴ < 1e3 here, and by 8ε|f|/h in rounding.
    constexpr double h = 1e-5, kClose = 1e-7;
    const double s = c.side * h;
    EXPECT_NEAR(slope(c.at), (-3 * f(c.at) + 4 * f(c.at + s) - f(c.at + 2 * s)) / (2 * s), kClose) << c.text;
    for (const double beside : {c.at - 0.01, c.at + 0.01})
      EXPECT_NEAR(slope(beside), (f(beside + h) - f(beside - h)) / (2 * h), kClose) << c.text << beside;
  }
}

TEST(Kinks, RampsAreExactOutside) {
  for (const char* f : {"STEP", "STEP5", "HAVSIN"}) {
    const Program program = compiled(fmt::format("{}(TIME, 0.1, 0.3, 0.7, 1.1)", f));
    Workspace work(program);
    EXPECT_EQ(program.value(std::vector{0.1}, work), 0.3);
    EXPECT_EQ(program.value(std::vector{-5.0}, work), 0.3);
    EXPECT_EQ(program.value(std::vector{0.7}, work), 1.1);
    EXPECT_EQ(program.value(std::vector{9.0}, work), 1.1);
  }
}

}  // namespace
}  // namespace trunnion::expr::testing
