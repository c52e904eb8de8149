// What is reported depends on MODE as the analysis had it: forces, requests, friction that is inactive in statics.

#include "support/run_text.hpp"

namespace trunnion {
namespace {

using test::run_text;
using test::RunOfText;

// A block of 1 kg on a slide along y with a spring to ground and a force of MODE newtons; nothing else acts along y.
std::string block(const std::string& more) {
  return "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
         "PART/1, GROUND\nMARKER/1, PART=1, REULER=0,-90D,0\nMARKER/2, PART=1, QP=0,-1,0\n"
         "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2, REULER=0,-90D,0\n"
         "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
         "SFORCE/1, I=20, J=2, TRANSLATIONAL, FUNCTION=MODE\n"
         "REQUEST/1, F2=MODE\\F3=SFORCE(1,0,1,0)\\F4=IF(MODE-5:-1,0,1)\n"
         "REQUEST/2, FORCE, I=20, J=2\n" +
         more;
}
const std::string kSpring = "SPRINGDAMPER/1, I=20, J=2, TRANSLATION, K=100, C=20, LENGTH=1\n";

void expect_mode(const RunOfText& r, double mode) {
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.last("REQUEST/1.F2"), mode) << r.said;
  EXPECT_DOUBLE_EQ(r.last("REQUEST/1.F3"), mode);
  EXPECT_EQ(r.last("REQUEST/1.F4"), mode < 5 ? -1 : mode > 5 ? 1 : 0);
  EXPECT_DOUBLE_EQ(r.last("SFORCE/1.FY"), mode);
}

TEST(Mode, OfInitialConditions) {
  const RunOfText r = run_text(block(kSpring), "SIMULATE/INITIAL_CONDITIONS\n");
  expect_mode(r, 3);
  EXPECT_NEAR(r.last("PART/2.ACCY"), 3, 1e-12);
}

TEST(Mode, OfStaticsAndThePathOfEquilibria) {
  const RunOfText once = run_text(block(kSpring), "SIMULATE/STATICS\n");
  expect_mode(once, 5);
  EXPECT_NEAR(once.last("PART/2.Y"), 0.05, 1e-6);  // 5 N on 100 N/m; ERROR of statics
  EXPECT_NEAR(once.last("SPRINGDAMPER/1.FY"), -5, 1e-4);
  const RunOfText path = run_text(block(kSpring), "SIMULATE/STATICS, END=1, STEPS=2\n");
  expect_mode(path, 6);
  // All of the path, its first equilibrium too.
  for (const double mode : path.rows.at("REQUEST/1.F2")) EXPECT_EQ(mode, 6);
  for (const double y : path.rows.at("PART/2.Y")) EXPECT_NEAR(y, 0.06, 1e-6);
}

TEST(Mode, OfDynamicsAndOfItsStart) {
  const RunOfText r = run_text(block(kSpring), "SIMULATE/DYNAMICS, END=0.5, STEPS=5\n");
  expect_mode(r, 4);
  for (const double mode : r.rows.at("REQUEST/1.F2")) EXPECT_EQ(mode, 4);  // the first row too
  // What is reported is what acts: m a = force + spring and damper.
  EXPECT_NEAR(r.last("PART/2.ACCY"), r.last("SFORCE/1.FY") + r.last("SPRINGDAMPER/1.FY"), 1e-9);
}

// A motion has a row at its start, in its own MODE, whatever was before; one that goes on has none.
TEST(Mode, EveryMotionHasItsRowAtTheStart) {
  const std::string moving = block(kSpring) + "REQUEST/3, F2=VY(20)\n";
  const auto modes = [&](const std::string& commands) {
    const RunOfText r = run_text(moving, commands);
    EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
    return r.rows.at("REQUEST/1.F2");
  };
  using Modes = std::vector<double>;
  const std::string one = "SIMULATE/DYNAMICS, DURATION=0.1, STEPS=1\n";
  EXPECT_EQ(modes(one + one), (Modes{4, 4, 4}));
  EXPECT_EQ(modes("SIMULATE/STATICS\n" + one), (Modes{5, 4, 4}));
  EXPECT_EQ(modes("SIMULATE/INITIAL_CONDITIONS\n" + one), (Modes{3, 4, 4}));
  EXPECT_EQ(modes(one + "SIMULATE/STATICS\n" + one), (Modes{4, 4, 5, 4, 4}));
  // m a = F of this MODE: 4 N at rest, with the spring at its length.
  EXPECT_NEAR(run_text(moving, one).rows.at("PART/2.ACCY").front(), 4, 1e-12);
}

TEST(Mode, OfKinematicsAlsoWhereStatesGoAlong) {
  const char* driven = "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=0.1*TIME**2\n";
  const std::string variable = "VARIABLE/1, FUNCTION=10*MODE\n";
  const std::string state = "DIFF/1, IC=0, FUNCTION=MODE\n";
  for (const std::string& more : {std::string(driven), driven + variable, driven + state}) {
    for (const char* command :
         {"SIMULATE/KINEMATICS, END=1, STEPS=4\n", "SIMULATE/TRANSIENT, END=1, STEPS=4\n"}) {
      const RunOfText r = run_text(block(more), command);
      expect_mode(r, 1);
      // Along y: m a = force + reaction of the motion.
      EXPECT_NEAR(r.last("MOTION/1.FY"), 0.2 - 1, 1e-9) << command << more;
    }
  }
  EXPECT_DOUBLE_EQ(
      run_text(block(driven + variable), "SIMULATE/KINEMATICS, END=1, STEPS=4\n").last("VARIABLE/1"), 10);
  expect_mode(run_text(block(driven), "SIMULATE/DYNAMICS, END=1, STEPS=4\n"), 4);
}

// K of MKB is taken in the mode of LINEAR: a spring that acts there alone gives the only frequency, √(400)/2π Hz.
TEST(Mode, OfLinearAnalysis) {
  const RunOfText r =
      run_text(block("SFORCE/2, I=20, J=2, TRANSLATIONAL, FUNCTION=IF(MODE-7:0,-400*DY(20,2)+400,0)\n"
                     "SFORCE/3, I=20, J=2, TRANSLATIONAL, FUNCTION=-MODE\n"),
               "SIMULATE/STATICS\nLINEAR/EIGENSOL\n");
  EXPECT_EQ(r.status, api::RunStatus::done) << r.said;
  EXPECT_EQ(r.times_said("3.183099"), 1u) << r.said;
}

// The weight of the sliding block is on a guide with friction. In statics the friction is left out of the balance, and of the
// results; a motion has it.
TEST(Mode, FrictionThatIsInactiveInStaticsIsNotReported) {
  const std::string text =
      block(kSpring +
            "ACCGRAV/IGRAV=-10\n"
            "FRICTION/1, JOINT=1, MU_STATIC=0.5, MU_DYNAMIC=0.4, INACTIVE=STATIC, REACTION_ARM=0.01, "
            "INITIAL_OVERLAP=1\n");
  const RunOfText at_rest = run_text(text, "SIMULATE/STATICS\n");
  EXPECT_EQ(at_rest.status, api::RunStatus::done) << at_rest.said;
  EXPECT_EQ(at_rest.last("FRICTION/1.FY"), 0);
  EXPECT_NEAR(at_rest.last("PART/2.Y"), 0.05, 1e-6);
  const RunOfText moving = run_text(text, "SIMULATE/DYNAMICS, END=0.02, STEPS=1\n");
  EXPECT_EQ(moving.status, api::RunStatus::done) << moving.said;
  EXPECT_GT(std::abs(moving.last("FRICTION/1.FY")), 1.0);
}

// EVALUATE of a SENSOR, and requests after it, belong to the analysis that met it.
TEST(Mode, OfASensorIsThatOfTheAnalysisThatMeetsIt) {
  const std::string text = block(kSpring +
                                 "SENSOR/1, FUNCTION=TIME, VALUE=0.25, ERROR=1E-6, EVALUATE=10*MODE, RETURN\n"
                                 "REQUEST/3, F2=SENVAL(1)\n");
  EXPECT_EQ(run_text(text, "SIMULATE/DYNAMICS, END=1, STEPS=4\n").last("REQUEST/3.F2"), 40);
  EXPECT_EQ(run_text(text, "SIMULATE/STATICS, END=1, STEPS=4\n").last("REQUEST/3.F2"), 60);
}

}  // namespace
}  // namespace trunnion
