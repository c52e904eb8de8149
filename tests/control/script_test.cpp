// FILE/COMMAND=: command files within command files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kModel =
    "script\nPART/1, GROUND\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/10, PART=1\n"
    "VARIABLE/1, FUNCTION=1\nEND\n";

TEST(CommandFiles, StandWhereTheyAreNamed) {
  put("inner.acf", "! settings\nVARIABLE/1, FUNCTION=2\nFILE/COMMAND=deeper\n");
  put("deeper.acf", "VARIABLE/1, FUNCTION=3*TIME\n");
  const Session s = run_text("outer", kModel, "FILE/COMMAND=inner.acf\nSIMULATE/DYNAMICS, END=1, STEPS=2\n");
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  EXPECT_NEAR(s.at(1, "VARIABLE/1"), 3, 1e-9);
}

TEST(CommandFiles, AStopInsideEndsEverything) {
  put("stops.acf", "SIMULATE/DYNAMICS, END=1, STEPS=1\nSTOP\n");
  const Session s = run_text("outer_stop", kModel, "FILE/COMMAND=stops\nSIMULATE/DYNAMICS, END=2, STEPS=1\n");
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  EXPECT_NEAR(s.rows.back().at("TIME"), 1, 1e-12);
}

TEST(CommandFiles, TroubleHasItsOwnFileAndLine) {
  put("a.acf", "! one\nFILE/COMMAND=b.acf\n");
  put("b.acf", "FILE/COMMAND=a.acf\n");
  const Session circle = run_text("outer_circle", kModel, "FILE/COMMAND=a.acf\n");
  EXPECT_THAT(circle.said, HasSubstr("b.acf:1:"));
  EXPECT_THAT(circle.said,
              HasSubstr("read each other in a circle: outer_circle.acf, which reads a.acf, which "
                        "reads b.acf, which reads a.acf"));
  const Session missing = run_text("outer_missing", kModel, "\nFILE/COMMAND=nowhere\n");
  EXPECT_THAT(missing.said, HasSubstr("outer_missing.acf:3:"));
  EXPECT_THAT(missing.said, HasSubstr("the command file nowhere was not found beside outer_missing.acf"));
  put("bad.acf", "! fine\nSIMULATE/DYNAMICS, END=later, STEPS=1\n");
  EXPECT_THAT(run_text("outer_bad", kModel, "FILE/COMMAND=bad\n").said, HasSubstr("bad.acf:2:"));
  // The same file twice, one after the other, is no circle.
  put("twice.acf", "VARIABLE/1, FUNCTION=2\n");
  EXPECT_THAT(run_text("outer_twice", kModel, "FILE/COMMAND=twice\nFILE/COMMAND=twice\n").said,
              Not(HasSubstr("circle")));
}

}  // namespace
}  // namespace trunnion::test
