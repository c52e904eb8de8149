// Operators, signs, numbers and blanks.

#include <cmath>
#include <numbers>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

struct Case {
  const char* text;
  double expected;
};

TEST(Precedence, Operators) {
  const Case cases[] = {
      {"-2**2", -4},     {"2**-1", 0.5}, {"2**3**2", 512},
      {"-2**-2", -0.25}, {"(-2)**2", 4}, {"8/4*2", 4},
      {"8/(4*2)", 1},    {"2-3-4", -5},  {"2+3*4", 14},
      {"(2+3)*4", 20},   {"2*3**2", 18}, {"-3*2", -6},
      {"2*-3", -6},      {"2--3", 5},    {"- - +3", 3},
      {"-+-+-1", -1},    {"+4", 4},      {"2**2**-1", std::sqrt(2.0)},
      {"-2**2**2", -16}, {"1-2**2", -3}, {"6/3/2", 1},
      {"2**+3", 8},      {"2**- -1", 2}, {"(((7)))", 7},
      {"3*-2**2", -12},  {"10-4+1", 7},  {"1/2**2", 0.25},
  };
  for (const Case& c : cases) EXPECT_DOUBLE_EQ(value_of(c.text), c.expected) << c.text;
}

TEST(Precedence, SignedPowersOfInputs) {
  const double a = 1.7, b = 0.6;
  EXPECT_DOUBLE_EQ(value_of("-VARVAL(1)**-VARVAL(2)", {a, b}), -std::pow(a, -b));
  EXPECT_DOUBLE_EQ(value_of("VARVAL(1)/VARVAL(2)*VARVAL(1)", {a, b}), a / b * a);
}

TEST(Numbers, Forms) {
  const double degree = std::numbers::pi / 180.0;
  const Case cases[] = {
      {"0", 0},
      {".5", 0.5},
      {"1.", 1},
      {"1.0E-05", 1e-5},
      {"1.0E-005", 1e-5},
      {"1E7", 1e7},
      {"1e+7", 1e7},
      {"007", 7},
      {"1.5D", 1.5 * degree},
      {"2D", 2 * degree},
      {"2d", 2 * degree},
      {"7.9E-06D", 7.9e-6 * degree},
      {"90D", std::numbers::pi / 2},
      {"1.D", degree},
      {"1E-400", 0},
      {"0.1E-999", 0},
      {"4.9E-324", 4.9e-324},
      {"5.D*2", 10 * degree},
  };
  for (const Case& c : cases) EXPECT_DOUBLE_EQ(value_of(c.text), c.expected) << c.text;
}

TEST(Numbers, BlanksAndCase) {
  EXPECT_DOUBLE_EQ(value_of(" \t3 *\t( 2 +1 )\r\n"), 9);
  EXPECT_DOUBLE_EQ(value_of("Sin( time )+sIN(TIME)", {0.3}), 2 * std::sin(0.3));
  EXPECT_DOUBLE_EQ(value_of("pi*dtor*RtoD"), std::numbers::pi);
}

TEST(Powers, AreExactForWholeExponents) {
  const double x = -1.1;
  EXPECT_EQ(value_of("TIME**2", {x}), x * x);
  EXPECT_EQ(value_of("TIME**3", {x}), x * x * x);
  EXPECT_EQ(value_of("TIME**-1", {x}), 1 / x);
  EXPECT_EQ(value_of("TIME**1", {x}), x);
  EXPECT_EQ(value_of("TIME**0"), 1.0);
  EXPECT_EQ(value_of("TIME**(-3)", {x}), 1 / (x * x * x));
  EXPECT_DOUBLE_EQ(value_of("TIME**17", {x}), std::pow(x, 17));        // beyond repeated squaring
  EXPECT_DOUBLE_EQ(value_of("TIME**MODE", {x, 3.0}), std::pow(x, 3));  // whole, but known only when evaluated
  EXPECT_DOUBLE_EQ(value_of("TIME**2.5", {1.3}), std::pow(1.3, 2.5));
}

}  // namespace
}  // namespace trunnion::expr::testing
