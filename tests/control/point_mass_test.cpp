// POINT_MASS: what its channels report.

#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

// It has axes though it cannot turn: those of its frame, as functions and channels read them.
TEST(PointMass, ReportsTheAxesItWasGiven) {
  const Session s = run_text("axes",
                             "axes\nPART/1, GROUND\nMARKER/1, PART=1\nPOINT_MASS/2, MASS=1, CM=20, VX=1, "
                             "REULER=0.3,0.4,0.5\nMARKER/20, POINT_MASS=2\nREQUEST/1, F2=PSI(20)\nEND\n",
                             "SIMULATE/DYNAMICS, END=1, STEPS=2\n");
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  EXPECT_NEAR(s.at(1, "POINT_MASS/2.PSI"), 0.3, 1e-12);
  EXPECT_NEAR(s.at(1, "POINT_MASS/2.THETA"), 0.4, 1e-12);
  EXPECT_NEAR(s.at(1, "POINT_MASS/2.PHI"), 0.5, 1e-12);
  EXPECT_NEAR(s.at(1, "REQUEST/1.F2"), 0.3, 1e-12);
}

}  // namespace
}  // namespace trunnion::test
