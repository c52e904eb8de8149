// Turns are counted by the pair of markers, whoever reads them, while readers come and go, from the angle given at the start.

#include <numbers>

#include "support/run_text.hpp"

namespace trunnion {
namespace {

using std::numbers::pi;
using test::run_text;
using test::RunOfText;

// A wheel of inertia 0.2 on a pin, driven or free.
std::string wheel(const std::string& joint, const std::string& more) {
  return "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.2\nMARKER/20, PART=2\n"
         "JOINT/1, REVOLUTE, I=20, J=1" +
         joint + "\n" + more;
}

// Off while the wheel turns three times and a third: the torque then is that of the whole angle, as that of an SFORCE of AZ is.
TEST(Turns, GoOnWhileTheSpringIsInactive) {
  const std::string motion = "MOTION/1, JOINT=1, ROTATION, FUNCTION=-7*TIME\n";
  const std::string off_and_on =
      "SIMULATE/KINEMATICS, END=0.1, STEPS=1\nDEACTIVATE/{0}\n"
      "SIMULATE/KINEMATICS, END=2.9, STEPS=40\nACTIVATE/{0}\n"
      "SIMULATE/KINEMATICS, END=3, STEPS=1\n";
  for (const auto& [what, law, channel] :
       {std::tuple{"SPRINGDAMPER, ID=1", "SPRINGDAMPER/1, ROTATION, I=20, J=1, KT=2, CT=0\n",
                   "SPRINGDAMPER/1.TZ"},
        std::tuple{"BUSHING, ID=1", "BUSHING/1, I=20, J=1, KT=0,0,2, K=0,0,0\n", "BUSHING/1.TZ"},
        std::tuple{"SFORCE, ID=1", "SFORCE/1, ROTATION, I=20, J=1, FUNCTION=-2*AZ(20,1)\n", "SFORCE/1.TZ"}}) {
    SCOPED_TRACE(what);
    const RunOfText r = run_text(wheel("", motion + law), fmt::format(fmt::runtime(off_and_on), what));
    ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
    EXPECT_NEAR(r.last(channel), 42, 1e-9);  // 2 · 21, rounding of poses
  }
}

// A COUPLER of 2.5 : 1 comes back after whole turns of the first wheel that are half turns of the second; nothing has to move.
TEST(Turns, GoOnWhileTheCouplerIsInactive) {
  const std::string second =
      "PART/3, MASS=1, CM=30, IP=0.1,0.1,0.2\nMARKER/30, PART=3\nJOINT/2, REVOLUTE, I=30, J=1\n"
      "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=2.5,-1\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=7*TIME\nMOTION/2, JOINT=2, ROTATION, FUNCTION=17.5*TIME\n"
      "REQUEST/1, F2=AZ(30,1)\n";
  const RunOfText r = run_text(wheel("", second),
                               "DEACTIVATE/MOTION, ID=2\nSIMULATE/KINEMATICS, END=0.1, STEPS=1\n"
                               "DEACTIVATE/COUPLER, ID=1\nACTIVATE/MOTION, ID=2\n"
                               "SIMULATE/KINEMATICS, END=0.9, STEPS=20\n"
                               "ACTIVATE/COUPLER, ID=1\nDEACTIVATE/MOTION, ID=2\n"
                               "SIMULATE/KINEMATICS, END=1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.last("REQUEST/1.F2"), 17.5, 1e-9) << r.said;
}

// T = −KT (AZ − ANGLE): AZ starts within half a turn, ANGLE may be any number of turns: the spring is wound up.
TEST(Turns, ASpringMayBeWoundUpByItsAngle) {
  for (const double angle : {0.5, -4.0, 4 * pi, -30.0}) {
    const std::string spring = fmt::format(
        "SPRINGDAMPER/1, ROTATION, I=20, J=1, KT=2, CT=0, ANGLE={:.17g}\n"
        "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n",
        angle);
    const RunOfText r = run_text(wheel("", spring), "SIMULATE/KINEMATICS, END=8, STEPS=8\n");
    ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
    const std::vector<double>& torque = r.rows.at("SPRINGDAMPER/1.TZ");
    for (int t = 0; t <= 8; ++t)
      EXPECT_NEAR(torque.at(static_cast<std::size_t>(t)), -2 * (t - angle), 1e-9) << t;
  }
}

// The angle given at the start is the angle, whoever gives it and whoever reads it.
TEST(Turns, StartAtTheAngleGiven) {
  const double given = 4 * pi + 0.3;
  const std::string reads =
      "SPRINGDAMPER/1, ROTATION, I=20, J=1, KT=2, CT=0\n"
      "SFORCE/1, ROTATION, I=20, J=1, FUNCTION=-2*AZ(20,1)\nREQUEST/1, F2=AZ(20,1)\n";
  const auto expect_start = [&](const std::string& model) {
    SCOPED_TRACE(model);
    const RunOfText r = run_text(model, "SIMULATE/TRANSIENT, END=0.01, STEPS=1\n");
    ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
    EXPECT_NEAR(r.rows.at("REQUEST/1.F2").front(), given, 1e-9);
    EXPECT_NEAR(r.rows.at("SPRINGDAMPER/1.TZ").front(), -2 * given, 1e-9);
    EXPECT_NEAR(r.rows.at("SFORCE/1.TZ").front(), -2 * given, 1e-9);
  };
  for (const char* ic : {"IC", "ICROT"}) expect_start(wheel(fmt::format(", {}={:.17g},0", ic, given), reads));
  expect_start(wheel("", reads + fmt::format("MOTION/1, JOINT=1, ROTATION, FUNCTION={:.17g}+TIME\n", given)));
  expect_start(wheel(
      "", reads + fmt::format("MOTION/1, JOINT=1, ROTATION, VELOCITY, ICDISP={:.17g}, FUNCTION=3\n", given)));
}

// Turns given at the start move nothing: a COUPLER holds what was drawn.
TEST(Turns, GivenAtTheStartMoveNothing) {
  const std::string second =
      "PART/3, MASS=1, CM=30, IP=0.1,0.1,0.2\nMARKER/30, PART=3\nJOINT/2, REVOLUTE, I=30, J=1\n"
      "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=2.5,-1\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=360D+TIME\nREQUEST/1, F2=AZ(30,1)\n";
  const RunOfText r = run_text(wheel("", second), "SIMULATE/KINEMATICS, END=1, STEPS=1\n");
  ASSERT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_NEAR(r.rows.at("REQUEST/1.F2").front(), 0, 1e-9);
  EXPECT_NEAR(r.last("REQUEST/1.F2"), 2.5, 1e-9);
}

}  // namespace
}  // namespace trunnion
