// What the program says to someone who forgot something or slipped.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace trunnion {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Hints : public Program {
 protected:
  // A bar of 1000 mm on a pin at the origin; `more` follows.
  void pendulum(const std::string& more, const std::string& marker = "QP = 1000, 0, 0") {
    put("m.adm",
        "Pendulum\n"
        "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = MILLIMETER, TIME = SECOND\n"
        "PART/1, GROUND\n"
        "MARKER/10, PART = 1\n"
        "PART/2, MASS = 1, CM = 20, IP = 100, 100, 100, QG = -1000, 0, 0\n"
        "MARKER/20, PART = 2\n"
        "MARKER/21, PART = 2, " +
            marker + "\nJOINT/1, REVOLUTE, I = 21, J = 10\n" + more + "END\n");
  }
};

TEST_F(Hints, ModelWithoutSimulate) {
  pendulum("ACCGRAV/JGRAV = -9810\n");
  const Ran ran = run("run m.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("no SIMULATE command: only the initial conditions were found"),
                    HasSubstr("SIMULATE/DYNAMICS, END=1, STEPS=100"), HasSubstr("trunnion run m.adm m.acf")));
  // and the line it offers is one that runs
  put("m.acf", "\n\nSIMULATE/DYNAMICS, END=1, STEPS=100\n");
  const Ran again = run("run m.adm m.acf");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, Not(HasSubstr("no SIMULATE")));
}

TEST_F(Hints, ScriptWithoutSimulate) {
  pendulum("");
  put("m.acf", "m.adm\nm\n\nSTOP\n");
  EXPECT_THAT(run("run m.acf").err, HasSubstr("no SIMULATE command: nothing was computed"));
}

TEST_F(Hints, SimulateWithoutOutputSteps) {
  pendulum("ACCGRAV/JGRAV = -9810\n");
  put("m.acf", "m.adm\nm\n\nSIMULATE/DYNAMICS, END=0.5\nSTOP\n");
  const Ran ran = run("run m.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("SIMULATE has neither DTOUT nor STEPS: 100 output steps of 0.005"));
  EXPECT_THAT(ran.err, HasSubstr("101 rows"));
}

TEST_F(Hints, EndBeforeNow) {
  pendulum("");
  put("m.acf",
      "m.adm\nm\n\nSIMULATE/DYNAMICS, END=0.02, STEPS=2\nSIMULATE/DYNAMICS, END=0.01, STEPS=2\nSTOP\n");
  EXPECT_THAT(run("run m.acf").err,
              HasSubstr("SIMULATE: END = 0.01 does not lie after the current time, 0.02"));
}

TEST_F(Hints, JointOpenByTwentyMillimetres) {
  pendulum("", "QP = 1020, 0, 0");
  const Ran ran = run("run m.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("assembly moved parts to satisfy the constraints:"),
                    HasSubstr("JOINT/1 (x of MARKER/21 = x of MARKER/10): constraint violation 20 [length]"),
                    HasSubstr("moved: PART/2 by 20 [length]")));
  pendulum("");
  EXPECT_THAT(run("run m.adm").err, Not(HasSubstr("assembly moved")));
}

TEST_F(Hints, AxesNinetyDegreesApart) {
  // Welded by JOINT/2 with its z axis across, JOINT/1 cannot have its own.
  pendulum("JOINT/2, FIXED, I = 20, J = 11\nMARKER/11, PART = 1, QP = -1000, 0, 0\n",
           "QP = 1000, 0, 0, REULER = 0, 90D, 0");
  const Ran ran = run("run m.adm");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err,
              HasSubstr("JOINT/1: z of MARKER/21 and z of MARKER/10 must be parallel; they are 90° apart"));
}

// In millimetres the gap is the larger number; the axis is what is wrong.
TEST_F(Hints, AxesAreToldBesideALengthThatIsLarger) {
  pendulum("JOINT/2, FIXED, I = 20, J = 11\nMARKER/11, PART = 1, QP = -1000, 0, 0\n",
           "QP = 1400, 0, 0, REULER = 0, 90D, 0");
  const Ran ran = run("run m.adm");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(
      ran.err,
      AllOf(HasSubstr("constraint violation 400 [length]"),
            HasSubstr("JOINT/1: z of MARKER/21 and z of MARKER/10 must be parallel; they are 90° apart")));
}

// A slider on a guide whose axis points the wrong way: along z comes before the turn about it.
TEST_F(Hints, AxisOfAGuideComesBeforeItsTurn) {
  pendulum(
      "JOINT/2, FIXED, I = 20, J = 11\nMARKER/11, PART = 1, QP = -1000, 0, 0\n"
      "MARKER/22, PART = 2, QP = 1400, 0, 0, REULER = 90D, 90D, 0\nJOINT/3, TRANSLATIONAL, I = 22, J = 10\n");
  EXPECT_THAT(run("run m.adm").err,
              HasSubstr("JOINT/3: z of MARKER/22 and z of MARKER/10 must be parallel; they are 90° apart"));
}

// 2 is an error in the model, with a script or without; 3 an analysis that failed.
TEST_F(Hints, ExitCodeOfAModelWithoutScript) {
  pendulum("SFORCE/1, ROTATIONAL, I = 20, J = 10, FUNCTION = USER(1)\n");
  put("m.acf", "m.adm\nm\n\nSIMULATE/DYNAMICS, END=0.1, STEPS=2\nSTOP\n");
  EXPECT_EQ(run("run m.acf").code, 2);
  EXPECT_EQ(run("run m.adm").code, 2);
}

TEST_F(Hints, WordsThatLeadElsewhere) {
  pendulum("");
  put("m.acf", "m.adm\nm\n\nEIGENSOL\nSTOP\n");
  EXPECT_THAT(run("run m.acf").err, HasSubstr("try: it is one of LINEAR: LINEAR/EIGENSOL"));
  EXPECT_THAT(run("rnu m.acf").err, HasSubstr("rnu is not a command; did you mean run?"));
  pendulum("ACCGRAV/YGRAV = -9810\n");
  EXPECT_THAT(run("check m.adm").err, HasSubstr("did you mean IGRAV, JGRAV or KGRAV?"));
  pendulum("");
  ASSERT_EQ(run("run m.adm").code, 0);
  const Ran results = run("check m.h5");
  EXPECT_THAT(results.err, HasSubstr("the file holds results (HDF5), not a model or command text"));
  EXPECT_THAT(results.err, HasSubstr("1 error, no warnings"));
}

TEST_F(Hints, StreamsIntoOneFileKeepTheirOrder) {
  std::string parts;  // a listing longer than the buffer of a stream
  for (int k = 100; k < 200; ++k)
    parts += "PART/" + std::to_string(k) + ", MASS = 1, CM = " + std::to_string(k) +
             ", IP = 1, 1, 1\nMARKER/" + std::to_string(k) + ", PART = " + std::to_string(k) + "\nJOINT/" +
             std::to_string(k) + ", REVOLUTE, I = " + std::to_string(k) + ", J = 10\n";
  pendulum(parts + "SFORCE/1, ROTATIONAL, I = 20, J = 10, FUNCTION = USER(1)\n");
  run("check m.adm > both.txt 2>&1; true");
  const std::string both = get("both.txt");
  ASSERT_GT(both.size(), 4096u);
  ASSERT_THAT(both, HasSubstr("error:"));
  for (std::size_t at = both.find("error:"); at != std::string::npos; at = both.find("error:", at + 1)) {
    const std::size_t begin = both.rfind('\n', at) + 1;
    EXPECT_EQ(both.substr(begin, 6), "m.adm:");
  }
}

TEST_F(Hints, TranslationOfAHinge) {
  pendulum("MOTION/1, TRANSLATION, JOINT = 1, FUNCTION = TIME\n");
  EXPECT_THAT(run("check m.adm").err,
              AllOf(HasSubstr("MOTION/1: JOINT/1 is REVOLUTE, so it cannot be driven in translation"),
                    HasSubstr("try: write ROTATION, or drive a CYLINDRICAL joint")));
}

TEST_F(Hints, GravityOfAnotherUnit) {
  pendulum("ACCGRAV/JGRAV = -9.8\n");
  EXPECT_THAT(
      run("check m.adm").err,
      AllOf(HasSubstr("gravity is 9.8 millimeter/second², 0.000999 times the Earth's; 9.8 is the Earth's "
                      "gravity in metres"),
            HasSubstr("with UNITS/LENGTH=MILLIMETER write 9806.65")));
  for (const char* fine : {"-9810", "-9806.65", "-1620", "0"}) {
    pendulum(std::string("ACCGRAV/JGRAV = ") + fine + "\n");
    EXPECT_THAT(run("check m.adm").err, Not(HasSubstr("gravity"))) << fine;
  }
}

TEST_F(Hints, DegreesWithoutD) {
  pendulum("MARKER/22, PART = 2, REULER = 0, 90, 0\n");
  EXPECT_THAT(run("check m.adm").err, AllOf(HasSubstr("MARKER/22: REULER: 90 is read as radians, 14.3 turns"),
                                            HasSubstr("write 90D")));
  pendulum("MARKER/22, PART = 2, REULER = 3, 90D, 6.25\n");
  EXPECT_THAT(run("check m.adm").err, Not(HasSubstr("radians")));
}

// Straight shafts of a constant-velocity joint have opposite z; with equal ones it would hold no spin, as a ball joint.
TEST_F(Hints, ConvelWithShaftsFoldedOntoEachOther) {
  pendulum("MARKER/23, PART = 2\nMARKER/13, PART = 1\nJOINT/9, CONVEL, I = 23, J = 13\n");
  for (const char* command : {"check m.adm", "run m.adm"}) {
    const Ran ran = run(command);
    EXPECT_NE(ran.code, 0) << command;
    EXPECT_THAT(
        ran.err,
        AllOf(
            HasSubstr("JOINT/9: z of MARKER/23 and z of MARKER/13 point the same way; in a CONVEL joint each "
                      "points along its own shaft, away from the joint"),
            HasSubstr("turn one of the markers by 180 degrees about its x axis")))
        << command;
  }
  pendulum(
      "MARKER/23, PART = 2\nMARKER/13, PART = 1, REULER = 0, 180D, 0\nJOINT/9, CONVEL, I = 23, J = 13\n");
  EXPECT_THAT(run("check m.adm").err, Not(HasSubstr("point the same way")));
}

TEST_F(Hints, LargestStepTooSmall) {
  pendulum("INTEGRATOR/GSTIFF, HMAX = 1E-9\n");
  EXPECT_THAT(run("check m.adm").err,
              AllOf(HasSubstr("HMAX = 1e-09 allows no larger step size: one second of motion "
                              "takes at least 1e+09 steps"),
                    HasSubstr("leave HMAX out")));
  pendulum("INTEGRATOR/GSTIFF, HMAX = 1E-5\n");
  EXPECT_THAT(run("check m.adm").err, Not(HasSubstr("HMAX")));
}

TEST_F(Hints, MisspeltOptionsAndChannels) {
  pendulum("");
  const Ran flag = run("run m.adm --channel 'PART/2.*'");
  EXPECT_EQ(flag.code, 2);
  EXPECT_THAT(flag.err, HasSubstr("--channel: did you mean --channels?"));
  EXPECT_THAT(run("run m.adm --channels PART/2.QX").err,
              AllOf(HasSubstr("no channel matches PART/2.QX"), HasSubstr("; PART/2 has X, Y, Z,")));
  EXPECT_THAT(run("run m.adm --channels 'JONT/1.*'").err, HasSubstr("did you mean JOINT?"));
  // plot takes them as arguments, and as the other commands do.
  put("m.acf", "SIMULATE/DYNAMICS, END=0.1, STEPS=10\n");
  run("run m.adm m.acf");
  const Ran plain = run("plot m.h5 PART/2.X PART/2.Y"), named = run("plot m.h5 --channels PART/2.X PART/2.Y");
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(named.out, plain.out);
  EXPECT_THAT(run("plot m.h5 --channel PART/2.X").err, HasSubstr("--channel: did you mean --channels?"));
}

TEST_F(Hints, WordsOfCommands) {
  pendulum("");
  put("m.acf", "SHOW/STATUS\nSIMULATE/DYNAMICS_ONLY, END=0.1, STEPS=10\n");
  const Ran ran = run("run m.adm m.acf");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("STATUS needs a value: STATUS=…"),
                    HasSubstr("try: STATUS is one of SIMULATION or MODEL"),
                    HasSubstr("DYNAMICS_ONLY is not an argument of SIMULATE; did you mean DYNAMICS?")));
}

// The pinion where the rack should be: the message names the sides.
TEST_F(Hints, RackAndPinionTheWrongWayRound) {
  put("m.adm",
      "rack\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, QP=0,-0.1,0, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=0,-0.1,0\nMARKER/30, PART=3, REULER=90D,90D,0\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=2\nJOINT/3, RACKPIN, I=30, J=20, "
      "PD=0.2\n"
      "MOTION/1, JOINT=1, FUNCTION=TIME\nEND\n");
  EXPECT_THAT(run("run m.adm").err, HasSubstr("JOINT/3 (rack on J and pinion on I): constraint violation"));
}

TEST_F(Hints, HelpOnArgumentsAndFormulas) {
  EXPECT_THAT(run("help eigensol").out,
              AllOf(HasSubstr("EIGENSOL is written in\n  LINEAR"), HasSubstr("LIN[EAR]/")));
  EXPECT_THAT(run("help RACKPIN").out, AllOf(HasSubstr("pinion (part of I"), HasSubstr("rack (part of J")));
  EXPECT_THAT(run("help REULER").out, AllOf(HasSubstr("  MARKER"), HasSubstr("  PART")));
  EXPECT_THAT(run("help STEP").out, AllOf(HasSubstr("h0 + (h1 - h0) u^2 (3 - 2u)"), HasSubstr("x0    x1")));
}

}  // namespace
}  // namespace trunnion
