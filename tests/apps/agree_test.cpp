// check and run agree: what one refuses the other refuses, and what is left out of the results is said wherever results are.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "support/reading.hpp"

namespace trunnion {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kContact =
    "PART/3, MASS=1, CM=30, IP=1,1,1, QG=5,0,0\nMARKER/30, PART=3\n"
    "GRAPHICS/1, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n"
    "GRAPHICS/2, ELLIPSOID, CM=30, XSCALE=1, YSCALE=1, ZSCALE=1\n"
    "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1E5, DAMPING=1, DMAX=0.1, EXPONENT=1.5\n"
    ", COULOMB_FRICTION=DYNAMICS_ONLY, MU_STATIC=0.3, MU_DYNAMIC=0.1\n"
    ", STICTION_TRANSITION_VELOCITY=0.1, FRICTION_TRANSITION_VELOCITY=1\n";

TEST_F(Program, CheckRefusesWhatRunRefuses) {
  const std::pair<const char*, const char*> cases[] = {
      // more statements, commands
      {"", "SIMULATE/KINEMATICS, END=1, STEPS=2\n"},
      {"", "CONTROL/FUNCTION=USER(1)\n"},
      {"", "SIMULATE/DYNAMICS, END=1, STEPS=2\nSIMULATE/DYNAMICS, END=0.5, STEPS=2\n"},
      {"", "SIMULATE/STATICS, STEPS=3\n"},
      {"", "DEACTIVATE/JOINT, ID=77\n"},
      {"", "RELOAD/STATES, BUFFER=never\n"},
      {"", "SIMULATE/DYNAMICS, END=1, STEPS=2\nSAVE/SYSTEM, FILE=nowhere/s\n"},
      {"", "FILE/OUTPUT_PREFIX=nowhere/x\nSIMULATE/DYNAMICS, END=1, STEPS=2\n"},
      {"DIFF/1, IC=0, FUNCTION=SQRT(-1-DIF(1))\n", "SIMULATE/DYNAMICS, END=1, STEPS=2\n"},
      {"MARKER/12, PART=1\nMARKER/22, PART=2\nJOINT/6, CONVEL, I=22, J=12\n", "SIMULATE/STATICS\n"},
      {"MOTION/1, JOINT=5, FUNCTION=USER(1)\n", "SIMULATE/DYNAMICS, END=1, STEPS=2\n"},
      {"MARKER/22, PART=2, QP=1,0,0\nJOINT/6, SPHERICAL, I=22, J=11\nMARKER/11, PART=1, QP=3,0,0\n",
       "SIMULATE/DYNAMICS, END=1, STEPS=2\n"},
  };
  for (const auto& [more, commands] : cases) {
    put("m.adm", test::small_model(more));
    put("m.acf", commands);
    const Ran checked = run("check m.adm m.acf"), ran = run("run m.adm m.acf");
    EXPECT_NE(ran.code, 0) << more << commands;
    EXPECT_EQ(checked.code, 2) << more << commands << checked.out << checked.err;
    EXPECT_THAT(checked.err, AllOf(HasSubstr("1 error,"), HasSubstr("error: "))) << more << commands;
  }
}

TEST_F(Program, CheckPassesWhatRunCarriesOut) {
  put("m.adm", test::small_model());
  for (const char* commands : {
           "SIMULATE/DYNAMICS, END=0.1, STEPS=2\nSIMULATE/DYNAMICS, END=0.2, STEPS=2\n",
           "SIMULATE/STATICS\nSIMULATE/DYNAMICS, DURATION=0.1, STEPS=1\nLINEAR/EIGENSOL\n",
           "SAVE/SYSTEM, FILE=a\nRELOAD/SYSTEM, FILE=a\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\n",
           "DEACTIVATE/JOINT, ID=5\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\nACTIVATE/JOINT, ID=5\n"
           "SIMULATE/DYNAMICS, END=0.2, STEPS=1\n",
           "PART/2, MASS=2\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\n",
       }) {
    put("m.acf", commands);
    const Ran checked = run("check m.adm m.acf");
    EXPECT_EQ(checked.code, 0) << commands << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("no errors, no warnings")) << commands;
    EXPECT_FALSE(fs::exists(folder_ / "m.h5")) << "check writes nothing";
    EXPECT_FALSE(fs::exists(folder_ / "m.msg")) << "check writes nothing";
    const Ran ran = run("run m.adm m.acf --out out");
    EXPECT_EQ(ran.code, 0) << commands << ran.err;
  }
}

TEST_F(Program, WhatIsNotSimulatedIsSaidEverywhere) {
  put("m.adm", test::small_model(std::string(kContact) + "CLEARANCE/1, IGEOM=1, JGEOM=2\n"));
  put("m.acf", "SIMULATE/DYNAMICS, END=0.01, STEPS=1\n");
  const std::string said = "parsed but not simulated";
  const Ran checked = run("check m.adm");
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.err, HasSubstr("warning: CLEARANCE: 1 statement is " + said));
  EXPECT_THAT(checked.out, AllOf(HasSubstr("no errors, 1 warning\n"), Not(HasSubstr("not acted on"))));
  EXPECT_EQ(run("check --strict m.adm").code, 1);
  const Ran plain = run("run m.adm m.acf"), strict = run("run --strict m.adm m.acf");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr(said));
  EXPECT_EQ(strict.code, 6) << strict.err;
  EXPECT_THAT(get("m.msg"), HasSubstr("CLEARANCE (1) is " + said));
  EXPECT_THAT(run("run --report m.adm m.acf").err, HasSubstr("  NOT SIMULATED   CLEARANCE (1) is " + said));
  EXPECT_THAT(run("info m.h5").out, HasSubstr("WARNING      CLEARANCE (1) is " + said));
  const auto report = nlohmann::json::parse(get("m.report.json"));
  EXPECT_EQ(report.at("left_out").at("statements").at("CLEARANCE"), 1);
  put("clean.adm", test::small_model());
  EXPECT_EQ(run("run --strict clean.adm m.acf").code, 0);
  EXPECT_FALSE(nlohmann::json::parse(get("clean.report.json")).contains("left_out"));
}

TEST_F(Program, SettingsWithoutEffectAreSaid) {
  put("m.adm",
      test::small_model("IC/AERROR=1E-3, AMAXIT=9, APATTERN=T:F\nKINEMATICS/AMAXIT=3\n"
                        "DEBUG/REQDUMP, SUBROUTINE_CALLS, NODOF\nPREFERENCES/SIMFAIL=NOSTOPCF, "
                        "NTHREADS=4, STATUS_MESSAGE=ON, ECHO=OFF, FLEX_LIMIT_CHECK_ACTION=HALT\n"
                        "INTEGRATOR/SCALE=1,1,1,1,1\n"
                        "OUTPUT/REQSAVE, MATSAVE, NODACSAVE, DSCALE=2,1, VSCALE=1,1, STRESS=NASTRAN, FIXED\n"
                        "LSOLVER/UMF, STABILITY=0.1\n"));
  const Ran checked = run("check m.adm"), ran = run("run m.adm");
  for (const Ran& one : {checked, ran}) {
    EXPECT_EQ(one.code, 0) << one.err;
    for (const char* word :
         {"IC: AERROR", "IC: AMAXIT", "IC: APATTERN", "KINEMATICS: AMAXIT", "DEBUG: REQDUMP",
          "DEBUG: SUBROUTINE_CALLS", "PREFERENCES: SIMFAIL", "INTEGRATOR: SCALE", "OUTPUT: MATSAVE",
          "OUTPUT: DSCALE", "OUTPUT: STRESS", "OUTPUT: FIXED", "LSOLVER: UMF", "LSOLVER: STABILITY",
          "PREFERENCES: NTHREADS", "PREFERENCES: STATUS_MESSAGE", "PREFERENCES: FLEX_LIMIT_CHECK_ACTION"})
      EXPECT_THAT(one.err, HasSubstr(std::string(word) + " is read, but has no effect: "));
    EXPECT_THAT(one.err, Not(HasSubstr("NODOF is read")));
    // What is asked for is done anyway.
    for (const char* word : {"NODACSAVE", "VSCALE", "ECHO"})
      EXPECT_THAT(one.err, Not(HasSubstr(std::string(word) + " is read")));
  }
  EXPECT_THAT(checked.out, HasSubstr("no errors, 17 warnings"));
}

TEST_F(Program, Si1IsSolvedAsSi2AndOldWordsAreRead) {
  put("m.adm", test::small_model("INTEGRATOR/GSTIFF, SI1, CORRECTOR=NEW\n"));
  put("m.acf", "SIMULATE/DYNAMICS, END=0.01, STEPS=1\n");
  const Ran ran = run("run m.adm m.acf"), checked = run("check m.adm m.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("SI1 is not in this version; SI2 is solved instead"),
                             HasSubstr("GSTIFF SI2 done")));
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("SI2 is solved instead"));
}

TEST_F(Program, InfoShowAndTimePrint) {
  put("m.adm", test::small_model("MARKER/11, PART=1, QP=3,4,0\n"
                                 "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"));
  put("m.acf",
      "SIMULATE/DYNAMICS, END=0.5, STEPS=1\nINFO/DISPLACEMENT, I=11\nINFO/FORCE, I=21, J=10\n"
      "SHOW/STATUS=MODEL\nSHOW/DOF, VERSION\nTIME\n");
  const Ran ran = run("run m.adm m.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(
      ran.err,
      AllOf(HasSubstr("displacement of MARKER/11 from ground, in the axes of ground\n"
                      "  X = 3 meter, Y = 4 meter, Z = 0 meter\n  PSI = 0 rad"),
            HasSubstr("force of MARKER/21 against MARKER/10"), HasSubstr("  JOINT            1\n"),
            HasSubstr("  1 degree of freedom\n  trunnion "), HasSubstr("  t = 0.5; the computer's clock")));
}

TEST_F(Program, DebugTellsOfFreedomTopologyAssemblyAndKinematics) {
  put("m.adm", test::small_model("MOTION/1, JOINT=5, ROTATION, FUNCTION=0.3+SIN(20*TIME)\n"
                                 "DEBUG/EPRINT, RHSDUMP, JMDUMP, DOF, TOPOLOGY\n"));
  put("m.acf", "SIMULATE/KINEMATICS, END=0.1, STEPS=1\n");
  const Ran ran = run("run m.adm m.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(
      ran.err,
      AllOf(HasSubstr("Initial conditions, positions, t = 0.0"), HasSubstr("Initial conditions, velocities"),
            HasSubstr("Kinematics, positions, t = "), HasSubstr("  residual        equation\n"),
            HasSubstr("  value           rate            second rate     change          variable\n"),
            HasSubstr("  partial         of equation"), HasSubstr("  JOINT/5: PART/2 – PART/1\n"),
            HasSubstr("  6 coordinates − 6 independent constraint equations = 0 degrees of freedom")));
  put("m.acf", "DEBUG/MATLAB\nSIMULATE/KINEMATICS, END=0.1, STEPS=1\n");
  EXPECT_THAT(run("run m.adm m.acf").err, AllOf(HasSubstr("J = sparse(6, 6);\nJ("), HasSubstr("r(1) = ")));
}

// A chain of doors, each with a hinge too many.
std::string doors(int count) {
  std::string text = "doors\nPART/1, GROUND\n";
  for (int k = 1; k <= count; ++k) {
    const auto n = [&](int m) { return std::to_string(10 * k + m); };
    text += "MARKER/" + n(1) + ", PART=1, QP=" + std::to_string(k) + ",0,0\nMARKER/" + n(2) +
            ", PART=1, QP=" + std::to_string(k) + ",0,1\nPART/" + std::to_string(k + 1) +
            ", MASS=1, CM=" + n(3) + ", IP=1,1,1, QG=" + std::to_string(k) + ",0,0\nMARKER/" + n(3) +
            ", QP=0.5,0,0\nMARKER/" + n(4) + "\nMARKER/" + n(5) + ", QP=0,0,1\nJOINT/" +
            std::to_string(2 * k - 1) + ", REVOLUTE, I=" + n(4) + ", J=" + n(1) + "\nJOINT/" +
            std::to_string(2 * k) + ", SPHERICAL, I=" + n(5) + ", J=" + n(2) + "\n";
  }
  return text + "END\n";
}

TEST_F(Program, ManyContradictionsAreCutShort) {
  // Every second hinge bearing a millimetre off its axis.
  std::string text = doors(40);
  std::size_t at = 0;
  while ((at = text.find(",0,1\nPART", at)) != std::string::npos) text.replace(at, 4, ",0.001,1");
  put("m.adm", text);
  const Ran ran = run("run m.adm");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("the constraints contradict each other:\n"));
  EXPECT_THAT(ran.err, HasSubstr("  and 32 more\n"));
  EXPECT_LT(std::count(ran.err.begin(), ran.err.end(), '\n'), 40);
}

TEST_F(Program, ManyRedundantEquationsAreSummedUpByTheirPattern) {
  put("m.adm", doors(40));
  const Ran checked = run("check m.adm"), all = run("check --all m.adm"), ran = run("run m.adm"),
            verbose = run("run --verbose m.adm");
  // A hinge holds its door; the ball beside it has nothing left to hold.
  EXPECT_THAT(checked.out, HasSubstr("40 true degrees of freedom, 120 redundant equations\n"));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("120 redundant equations are left out (--verbose lists each):\n"),
                             HasSubstr("(40 equations)")));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_LT(lines(ran.err), 12);
  EXPECT_GT(lines(verbose.err), 120);
  EXPECT_GT(lines(all.out), lines(checked.out) + 100);
}

}  // namespace
}  // namespace trunnion
