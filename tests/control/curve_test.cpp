// CURVE by user code.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;

const std::string kCircle = routine("cursub",
                                    "result[0] = par[0] * cos(time); result[2] = par[0] * sin(time);\n"
                                    "result[3] = -par[0] * sin(time); result[5] = par[0] * cos(time);\n"
                                    "result[6] = -par[0] * cos(time); result[8] = -par[0] * sin(time);");
// A bead on a vertical circle of radius 2, at rest at the height of the centre.
const std::string kBead =
    "bead\nPART/1, GROUND\nMARKER/10, PART=1\nMARKER/11, PART=1, FLOATING\nACCGRAV/KGRAV=-9.81\n"
    "PART/2, QG=2,0,0, MASS=3, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
    "CURVE/1, OPEN, MINPAR=-6, MAXPAR=6, FUNCTION=USER(2)\n"
    "PTCV/1, I=20, JFLOAT=11, RM=10, CURVE=1\nVARIABLE/1, FUNCTION=CURVE(0.5,1,3,1)\n"
    "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8, HMAX=0.02\nEND\n";

// It swings like a pendulum: from −90° to 90° and back in 4 K(sin 45°) √(r/g).
TEST(UserCurve, ABeadSwingsOnACircle) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library = build_text("circle", kHead + kCircle);
  const double period = 4 * std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(2 / 9.81);
  const Session s =
      run_text("bead", kBead, fmt::format("SIMULATE/DYNAMICS, END={:.17g}, STEPS=4\n", period), {{library}});
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  // ERROR = 1e-8 over some hundred steps.
  EXPECT_NEAR(s.at(period / 4, "PART/2.X"), 0, 1e-4);
  EXPECT_NEAR(s.at(period / 4, "PART/2.Z"), -2, 1e-6);
  EXPECT_NEAR(s.at(period / 2, "PART/2.X"), -2, 1e-6);
  EXPECT_NEAR(s.at(period, "PART/2.X"), 2, 1e-6);
  EXPECT_NEAR(s.at(period / 4, "PTCV/1.FZ"), 3 * 3 * 9.81, 1e-2);  // m g + m v²/r = 3 m g at the bottom
  EXPECT_NEAR(s.at(0, "VARIABLE/1"), 2 * std::cos(0.5), 1e-12);
}

TEST(UserCurve, WithoutItsRoutineThePointIsFree) {
  const Session alone = run_text("bead_alone", kBead, "SIMULATE/DYNAMICS, END=1, STEPS=4\n");
  EXPECT_THAT(alone.said, HasSubstr("PTCV/1: no user code for CURVE/1"));
}

}  // namespace
}  // namespace trunnion::test
