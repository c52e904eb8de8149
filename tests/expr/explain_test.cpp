// explain(): the place and the reason of a value or derivative that is not finite.

#include <cmath>
#include <limits>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

std::string explained(std::string_view text, std::vector<double> inputs = {}) {
  const Program program = compiled(text);
  EXPECT_EQ(program.inputs().size(), inputs.size()) << text;
  return program.explain(inputs);
}

TEST(Explain, NamesThePlaceAndTheArguments) {
  EXPECT_EQ(explained("2+SQRT(DX(2,3)-1)", {0.5}),
            "SQRT(DX(2,3)-1) is not a number: square root of the negative number -0.5");
  EXPECT_EQ(explained("3/(TIME-1)*2", {1.0}), "3/(TIME-1) is infinite: division of 3 by zero");
  EXPECT_EQ(explained("TIME/TIME", {0.0}), "");  // 0, see docs/theory/expressions.md
  EXPECT_EQ(explained("LOG(TIME)", {0.0}), "LOG(TIME) is infinite: logarithm of 0, which is not positive");
  EXPECT_EQ(explained("LOG10(TIME)", {-1.0}),
            "LOG10(TIME) is not a number: logarithm of -1, which is not positive");
  EXPECT_EQ(explained("ASIN(2*TIME)", {1.0}),
            "ASIN(2*TIME) is not a number: the argument is 2, outside of -1 to 1");
  EXPECT_EQ(explained("TIME**1.5", {-2.0}),
            "TIME**1.5 is not a number: the negative number -2 to the power 1.5");
  EXPECT_EQ(explained("TIME**(-1.5)", {0.0}), "TIME**(-1.5) is infinite: zero to the power -1.5");
  EXPECT_EQ(explained("TIME**(-3)", {0.0}), "TIME**(-3) is infinite: zero to a negative power");
  EXPECT_EQ(explained("MOD(TIME,MODE)", {1.0, 0.0}), "MOD(TIME,MODE) is not a number: MOD of 1 by zero");
  EXPECT_EQ(explained("EXP(TIME)", {1000.0}),
            "EXP(TIME) is infinite: too large to represent, for arguments 1000");
  EXPECT_EQ(explained("STEP(TIME,MODE,0,1,1)", {0.5, 1.0}),
            "STEP(TIME,MODE,0,1,1) is not a number: x0 and x1 are both 1");
  EXPECT_EQ(explained("AKISPL(TIME,0,3)", {2.0}),
            "AKISPL(TIME,0,3) is not a number: the table is missing, or its value at 2, 0 is not finite");
  EXPECT_EQ(explained("1/0"), "1/0 is infinite: division of 1 by zero");
  EXPECT_EQ(explained("TIME+1", {std::nan("")}), "TIME is not a number");
  EXPECT_EQ(explained("DX(1,2)", {std::numeric_limits<double>::infinity()}), "DX(1,2) is infinite");
  EXPECT_EQ(explained("SQRT(TIME)", {0.0}),
            "SQRT(TIME) has no finite derivative by its argument 1 where the arguments are 0");
  EXPECT_EQ(explained("ATAN2(TIME,MODE)", {0.0, 0.0}), "ATAN2(TIME,MODE) has no derivative at (0, 0)");
  EXPECT_EQ(explained("SIN(TIME)", {1.0}), "");
  EXPECT_EQ(explained("USER(1)"), "USER is computed by a user-written subroutine, not by an expression");
}

TEST(Explain, FollowsTheBranchTaken) {
  EXPECT_EQ(explained("IF(TIME: 1, LOG(TIME), SQRT(1-TIME))", {0.0}),
            "LOG(TIME) is infinite: logarithm of 0, which is not positive");
  EXPECT_EQ(explained("IF(TIME: 1, LOG(TIME), SQRT(1-TIME))", {3.0}),
            "SQRT(1-TIME) is not a number: square root of the negative number -2");
  EXPECT_EQ(explained("IF(TIME: 1, LOG(TIME), SQRT(1-TIME))", {-3.0}), "");
}

}  // namespace
}  // namespace trunnion::expr::testing
