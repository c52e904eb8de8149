// Where expressions of the time change their course.

#include "expr/knots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trunnion::expr {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

std::vector<double> knots(const char* text) {
  const CompileResult result = compile(text);
  EXPECT_TRUE(result.program) << text;
  return time_knots(*result.program, 0, 10, 1000);
}

TEST(TimeKnots, OfRampsAndDecisions) {
  EXPECT_THAT(knots("5*STEP(TIME,1,0,2,1)+DX(2)"), ElementsAre(1, 2));
  EXPECT_THAT(knots("STEP5(2*TIME-1,1,0,2,1)"), ElementsAre(1, 1.5));
  EXPECT_THAT(knots("HAVSIN(-TIME,-4,0,-3,1)"), ElementsAre(3, 4));
  EXPECT_THAT(knots("IF(TIME-3: 0, DX(2), IF(TIME/2-2: 1, 2, 3))"), ElementsAre(3, 4));
  EXPECT_THAT(knots("ABS(TIME-2)+MAX(TIME,5)+SIGN(1,7-TIME)"), ElementsAre(2, 5, 7));
}

TEST(TimeKnots, OfSaws) {
  EXPECT_THAT(knots("STEP(MOD(TIME,4),1,0,2,1)"), ElementsAre(1, 2, 4, 5, 6, 8, 9));
  EXPECT_THAT(knots("FLOOR(TIME/3)"), Pointwise(DoubleNear(1e-12), {3.0, 6.0, 9.0}));
}

TEST(TimeKnots, NoneWhereTheTimeDoesNotDecide) {
  EXPECT_THAT(knots("SIN(TIME)*STEP(DX(2),1,0,2,1)"), IsEmpty());
  EXPECT_THAT(knots("STEP(TIME*TIME,1,0,2,1)"), IsEmpty());
  EXPECT_THAT(knots("STEP(TIME,11,0,12,1)"), IsEmpty());
  EXPECT_THAT(knots("MOD(TIME,1E-6)"), IsEmpty());  // a wave
}

}  // namespace
}  // namespace trunnion::expr
