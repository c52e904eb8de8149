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

bool all_told(const char* text) {
  const CompileResult result = compile(text);
  EXPECT_TRUE(result.program) << text;
  return knots_tell_all(*result.program);
}

TEST(TimeKnots, TellAllOfWavesAndRamps) {
  for (const char* text :
       {"360D*TIME", "10*SIN(2*PI*TIME)+3*COS(TIME)**2", "STEP(TIME,1,0,2,1)*STEP(TIME,3,1,4,0)*DX(2)",
        "IF(TIME-1: 0, 0, 5*TIME)", "ABS(TIME-2)", "EXP(DX(2))*TIME", "TIME/DX(2)"})
    EXPECT_TRUE(all_told(text)) << text;
}

TEST(TimeKnots, DoNotTellOfPulsesMadeOtherwise) {
  for (const char* text : {"EXP(-(TIME-1)**2)", "SIN(TIME)**20", "1/(1+TIME*TIME)", "AKISPL(TIME,0,1)",
                           "VARVAL(1)", "STEP(SIN(TIME),0.99,0,1,1)", "IF(SIN(TIME)-0.99: 0, 0, 1)",
                           "MAX(0,SIN(TIME)-0.9)", "STEP(TIME,TIME-1,0,2,1)", "STEP(TIME*TIME,1,0,2,1)"})
    EXPECT_FALSE(all_told(text)) << text;
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
