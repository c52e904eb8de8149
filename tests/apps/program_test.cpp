// The program as a user runs it: what it prints where, and its exit codes.

#include "apps/program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lang/writer.hpp"
#include "results/write/modes.hpp"
#include "support/reading.hpp"

namespace trunnion {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(Program, CheckSaysWhatIsInAModel) {
  put("model.adm", test::small_model("! adams_view_name='hinge'\nJOINT/6, FIXED, I=20, J=10\n"));
  const Ran ran = run("check model.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("title        small\n"));
  EXPECT_THAT(ran.out, HasSubstr("PART 2, MARKER 3, JOINT 2"));
  EXPECT_THAT(ran.out, HasSubstr("mass 1\n"));
  EXPECT_THAT(ran.out, HasSubstr("JOINT/6 'hinge'"));
  EXPECT_THAT(ran.out, HasSubstr("6 degrees of freedom of the bodies − 11 equations = -5"));
  EXPECT_THAT(ran.out, HasSubstr("no errors, no warnings\n"));
}

TEST_F(Program, CheckSaysWhatIsWrong) {
  put("model.adm", test::small_model("JOINT/6, REVLOUTE, I=20, J=10\n"));
  const Ran ran = run("check model.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(
      ran.err,
      StartsWith(
          "model.adm:8:10: error: JOINT/6: REVLOUTE is not an argument of JOINT; did you mean REVOLUTE?\n"
          "    JOINT/6, REVLOUTE, I=20, J=10\n"
          "             ^~~~~~~~\n"));
  EXPECT_THAT(ran.err, HasSubstr("1 error, no warnings\n"));
  EXPECT_THAT(ran.err, Not(HasSubstr("\033[")));  // no colours into a file
}

TEST_F(Program, CheckShowsWhereAModelCannotBecomeEquations) {
  const std::string model = put("m.adm", test::small_model("MOTION/1, JOINT=5, FUNCTION=USER(1)\n"));
  const Ran ran = run("check " + model);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.out, HasSubstr("assembly     not tried"));
  EXPECT_THAT(
      ran.err,
      HasSubstr(": error: MOTION/1: its user code is not there: no library is given in which to find motsub\n"
                "    MOTION/1, JOINT=5, FUNCTION=USER(1)\n"
                "                                ^~~~~~~"));
  EXPECT_THAT(ran.err, HasSubstr("m.adm:"));
  EXPECT_THAT(ran.err, HasSubstr("1 error, no warnings\n"));
}

TEST_F(Program, ModelsWithoutTheirUserCodeRunOnRequest) {
  const std::string model = put(
      "m.adm", test::small_model("SFORCE/1, ROTATIONAL, I=21, J=10, FUNCTION=USER(1)\\ROUTINE=there::not\n"));
  const std::string script = put("m.acf", "SIMULATE/DYNAMICS, END=0.1, STEPS=2\n");
  const Ran refused = run("run " + model + " " + script);
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("SFORCE/1: its user code is not there: there is no library there"));
  EXPECT_THAT(refused.err, HasSubstr("--ignore-user"));
  const Ran ran = run("run --ignore-user " + model + " " + script);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("warning: left out (no user code): SFORCE/1\n"));
  EXPECT_THAT(run("check --ignore-user " + model).out, HasSubstr("left out (no user code): SFORCE/1\n"));
}

TEST_F(Program, StrictCountsWarnings) {
  put("warns.adm", test::small_model() + "left over\n");
  put("clean.adm", test::small_model());
  EXPECT_EQ(run("check warns.adm").code, 0);
  EXPECT_THAT(run("check warns.adm").err, HasSubstr("warning: text after END is not read"));
  EXPECT_EQ(run("check --strict warns.adm").code, 1);
  EXPECT_EQ(run("check --strict clean.adm").code, 0);
  put("bad.adm", "t\n");
  EXPECT_EQ(run("check --strict bad.adm").code, 2);
  EXPECT_EQ(run("run warns.adm").code, 0);
  const Ran strict = run("run --strict warns.adm");
  EXPECT_EQ(strict.code, 1) << strict.err;
  EXPECT_THAT(strict.err, HasSubstr("--strict: 1 warning\n"));
  EXPECT_EQ(run("run --strict clean.adm").code, 0);
}

// What only the compiler finds, as a marker that is far from its node, counts as much as what the reader does.
TEST_F(Program, StrictCountsWhatTheCompilerWarnsOf) {
  put("m.adm",
      test::small_model("JOINT/1, TRANSLATIONAL, I=20, J=10\nSPLINE/1, X=0,1,2,3, Y=0,1,2,3\n"
                        "MATERIAL/1, YOUNGS_MODULUS=2E9, POISSONS_RATIO=0.3, DENSITY=1200\n"
                        "FE_PART/3, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1, 2\n"
                        ", COORDINATES=1, 0,0,0, 0,0,0, 2, 1,0,0, 0,0,0\n"
                        ", SECTION=1, 6E-4, 2E-8, 4.5E-8, 0, 4.5E-8, 2, 3E-4, 2.5E-9, 2.25E-8, 0, 8E-9\n"
                        "MARKER/31, FE_PART=3, NODE_LABEL=2\nJOINT/2, FIXED, I=31, J=20\n"));
  put("m.acf", "SIMULATE/DYNAMICS, END=0.001, STEPS=1\n");
  const Ran plain = run("run m.adm m.acf"), strict = run("run --strict m.adm m.acf"),
            study = run("study m.adm m.acf --formulas HHT,GALPHA --errors 1e-3,1e-4");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr("warning: MARKER/31"));
  EXPECT_EQ(strict.code, 1) << strict.err;
  const std::size_t at = study.err.find("warning: MARKER/31");
  ASSERT_NE(at, std::string::npos) << study.err;
  EXPECT_EQ(study.err.find("warning: MARKER/31", at + 1), std::string::npos) << "once for all runs";
}

// Bristles that stiffen with the load make the matrix a hundred times worse than it was at rest; no constraint comes near another.
TEST_F(Program, StiffFrictionIsNoSingularConfiguration) {
  const std::string rubs =
      ", FORMULATION=LUGRE, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=5, "
      "MAX_STICTION_DEFORMATION=0.01";
  put("m.adm",
      "rack and pinion\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/1, PART=1\nMARKER/2, PART=1, QP=0,-20,0, REULER=90D,90D,0\n"
      "PART/2, MASS=0.2, CM=20, IP=50,50,80\nMARKER/20, PART=2\n"
      "PART/3, MASS=1.5, CM=30, IP=900,900,900, QG=0,-20,0\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, REULER=90D,90D,0\nJOINT/1, REVOLUTE, I=20, J=1\n"
      "JOINT/2, TRANSLATIONAL, I=31, J=2\nJOINT/3, RACKPIN, I=20, J=31, PD=40\nFRICTION/1, JOINT=1" +
          rubs + "\n, PIN_RADIUS=8, FRICTION_ARM=8, BENDING_REACTION_ARM=10\nFRICTION/2, JOINT=2" + rubs +
          "\n, REACTION_ARM=8, INITIAL_OVERLAP=100\n"
          "SFORCE/1, ROTATION, I=20, J=1, FUNCTION=2000*SIN(6*TIME)\nACCGRAV/JGRAV=-9806.65\n"
          "INTEGRATOR/HHT, ERROR=1E-5\nEND\n");
  put("m.acf", "SIMULATE/DYNAMICS, END=0.3, STEPS=30\n");
  const Ran ran = run("run m.adm m.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("nearly singular")));
}

// Lengths of a joint's surfaces that nobody gave decide how much it rubs; two FRICTIONs in one joint are seldom meant.
TEST_F(Program, CheckTellsWhatFrictionTakesByDefault) {
  put("m.adm", test::small_model("FRICTION/1, JOINT=5, MU_STATIC=0.3, MU_DYNAMIC=0.2, PIN_RADIUS=8\n"
                                 "FRICTION/2, JOINT=5, MU_DYNAMIC=0.1\n"));
  const Ran ran = run("check m.adm");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("friction     2\n"));
  EXPECT_THAT(
      ran.out,
      HasSubstr("JOINT/5; taken by default: STICTION_TRANSITION_VELOCITY = 0.1, MAX_STICTION_DEFORMATION = "
                "0.01, FRICTION_TORQUE_PRELOAD = 0, FRICTION_ARM = 1, BENDING_REACTION_ARM = 1\n"));
  EXPECT_THAT(ran.err,
              HasSubstr("FRICTION/2: JOINT/5 has FRICTION/1 already; both act, and their friction adds up"));
  const auto json = nlohmann::json::parse(run("check m.adm --json").out);
  EXPECT_EQ(json.at("model").at("frictions").size(), 2u);
}

// A step that cannot be cut: no word of HMIN and ERROR, which change nothing, and MAXIT only where it was reached.
TEST_F(Program, AFixedStepThatFailsSaysWhatMayHelp) {
  const std::string model =
      "stiff\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\n"
      "SFORCE/1, ROTATION, I=21, J=1, "
      "FUNCTION=-1E5*AZ(21,1)**5-20*WZ(21,1)**3\nACCGRAV/JGRAV=-9.80665\nEND\n";
  put("m.adm", model);
  put("m.acf", "SIMULATE/DYNAMICS, END=6, STEPS=10\n");
  const Ran early = run("run m.adm m.acf --integrator 'HHT, H=0.3'"),
            reached = run("run m.adm m.acf --integrator 'GAUSS4, H=0.3'");
  for (const Ran& ran : {early, reached}) {
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.err, HasSubstr("t = 0, h = 0.3: corrector "));
    EXPECT_THAT(ran.err, HasSubstr("largest residual   PART/2 torque about body z"));
    EXPECT_THAT(ran.err, HasSubstr("try: a smaller H"));
    EXPECT_THAT(ran.err, HasSubstr("stopped (a step of the given length fails)"));
    EXPECT_THAT(ran.err, Not(AnyOf(HasSubstr("HMIN"), HasSubstr("ERROR"), HasSubstr("step cuts"))));
  }
  EXPECT_THAT(early.err, AllOf(HasSubstr("given up after 2 of MAXIT = 10 iterations"), HasSubstr("PATTERN=T"),
                               Not(HasSubstr("a MAXIT above"))));
  EXPECT_THAT(reached.err,
              AllOf(HasSubstr("did not converge in 10 iterations"), HasSubstr("a MAXIT above 10")));
  EXPECT_EQ(run("run m.adm m.acf --integrator 'HHT, H=0.3, PATTERN=T'").code, 0) << "as the hint says";
}

TEST_F(Program, StrictCountsStatementsThatAreLeftOut) {
  put("ball.adm",
      "ball\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,1\nMARKER/20, PART=2\n"
      "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n"
      "CONTACT/1, IGEOM=2, JGEOM=1, NORMAL_FUNCTION=USER(1)\nEND\n");
  put("ball.acf", "ball.adm\nball\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\nSTOP\n");
  EXPECT_EQ(run("run ball.acf").code, 2);  // no library has its code
  EXPECT_EQ(run("run ball.acf --ignore-user").code, 0);
  const Ran strict = run("run ball.acf --ignore-user --strict");
  EXPECT_EQ(strict.code, 6);
  EXPECT_THAT(strict.err, HasSubstr("--strict: left out: CONTACT/1"));
}

TEST_F(Program, JsonOfAGoodModel) {
  put("model.adm", test::small_model("UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"));
  const Ran ran = run("check model.adm --json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("errors"), 0);
  EXPECT_EQ(json.at("warnings"), 0);
  EXPECT_TRUE(json.at("findings").empty());
  const auto& model = json.at("model");
  EXPECT_EQ(model.at("file"), "model.adm");
  EXPECT_EQ(model.at("title"), "small");
  EXPECT_EQ(model.at("units").at("length"), "MILLIMETER");
  EXPECT_EQ(model.at("units").at("ucf"), 1000);
  EXPECT_EQ(model.at("statements").at("MARKER"), 3);
  EXPECT_EQ(model.at("bodies").size(), 2u);
  EXPECT_EQ(model.at("bodies")[1].at("mass"), 1);
  EXPECT_EQ(model.at("mass"), 1);
  EXPECT_EQ(model.at("constraints")[0].at("type"), "REVOLUTE");
  EXPECT_EQ(model.at("constraints")[0].at("equations"), 5);
  EXPECT_EQ(model.at("gruebler"), 1);
  EXPECT_TRUE(model.at("read_not_acted_on").is_object());
}

TEST_F(Program, JsonOfABadModel) {
  put("model.adm",
      test::small_model("! adams_view_name='caf\xe9'\nPART/3, MASS=-1, CM=30\nMARKER/30, PART=3\n"));
  const Ran ran = run("check --json model.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "");
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("errors"), 1);
  const auto& finding = json.at("findings").at(0);
  EXPECT_EQ(finding.at("severity"), "error");
  EXPECT_EQ(finding.at("at").at("file"), "model.adm");
  EXPECT_EQ(finding.at("at").at("line"), 9);
  EXPECT_EQ(finding.at("at").at("column"), 14);
  EXPECT_EQ(finding.at("message"), "MASS = -1 must be >= 0");
  EXPECT_THAT(finding.at("subject").get<std::string>(), StartsWith("PART/3"));
}

TEST_F(Program, JsonOfNoModelAtAll) {
  const auto json = nlohmann::json::parse(run("check --json none.adm").out);
  EXPECT_EQ(json.at("errors"), 1);
  EXPECT_TRUE(json.at("findings")[0].at("at").is_null());
  EXPECT_FALSE(json.contains("model"));
}

TEST_F(Program, FilesThatCannotBeRead) {
  Ran ran = run("check none.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "error: cannot open none.adm: No such file or directory\n1 error, no warnings\n");
  fs::create_directory(folder_ / "dir.adm");
  ran = run("check dir.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "error: dir.adm is a folder, not a file\n1 error, no warnings\n");
  put("secret.adm", test::small_model());
  fs::permissions(folder_ / "secret.adm", fs::perms::none);
  if (geteuid() != 0) {  // root reads everything
    ran = run("check secret.adm");
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "error: cannot open secret.adm: Permission denied\n1 error, no warnings\n");
  }
  put("binary.adm", std::string(1000, '\0'));
  ran = run("check binary.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("binary.adm:1:1: error: the file is binary, not a model or command text\n"));
}

TEST_F(Program, FormatToStandardOutputFileAndInPlace) {
  const std::string messy = "t\r\npart/1,ground\r\nm/1,p=1,q=1.0,2.0,\r\n,3.0\r\nend";
  const std::string clean = "t\nPART/1, GROUND\nMARKER/1, PART = 1, QP = 1, 2, 3\nEND\n";
  put("m.adm", messy);
  Ran ran = run("fmt m.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, clean);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(get("m.adm"), messy);
  ran = run("fmt m.adm -o out.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(get("out.adm"), clean);
  ran = run("fmt -i m.adm");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(get("m.adm"), clean);
  EXPECT_EQ(run("fmt -i m.adm -o x.adm").code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "x.adm"));
}

TEST_F(Program, FormatNeverTouchesWhatItCannotRead) {
  const std::string bad = "t\nPARTS/1\nEND\n";
  put("m.adm", bad);
  const Ran ran = run("fmt -i m.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("nothing was written"));
  EXPECT_EQ(get("m.adm"), bad);
  put("good.adm", test::small_model());
  EXPECT_EQ(run("fmt good.adm -o no/such/folder/x.adm").code, 2);
  EXPECT_THAT(run("fmt good.adm -o no/such/folder/x.adm").err,
              StartsWith("trunnion: cannot write no/such/folder/x.adm: No such file or directory\n"));
}

TEST_F(Program, FormatScripts) {
  put("run.acf", "\nsim/stat\nstop");
  const Ran ran = run("fmt run.acf");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "\nSIMULATE/STATICS\nSTOP\n");
}

TEST_F(Program, Help) {
  EXPECT_THAT(run("help").out, HasSubstr("Functions in expressions"));
  EXPECT_THAT(run("help joint").out, HasSubstr("RE[VOLUTE]"));
  EXPECT_THAT(run("help STEP").out, HasSubstr("STEP(x, x0, h0, x1, h1)"));
  EXPECT_THAT(run("help simulate").out, HasSubstr("DTOUT"));
  EXPECT_THAT(run("help --markdown").out, StartsWith("# "));
  const Ran ran = run("help JIONT");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "JIONT is no statement, command or function; did you mean JOINT?\n");
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_THAT(run("--help").out, HasSubstr("trunnion check model.adm"));
}

TEST_F(Program, VersionAndWrongUse) {
  const Ran version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("trunnion [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  for (const char* wrong : {"", "chek x.adm", "check", "check a b c", "check --nonsense x.adm", "fmt"}) {
    const Ran ran = run(wrong);
    EXPECT_EQ(ran.code, 2) << wrong;
    EXPECT_NE(ran.err, "") << wrong;
    EXPECT_EQ(ran.out, "") << wrong;
  }
}

TEST_F(Program, ScriptsFindTheirModel) {
  put("models/Crank.ADM", test::small_model());
  const auto good = [&](const std::string& arguments) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("title        small\n")) << arguments;
    EXPECT_THAT(ran.out, HasSubstr("commands     ")) << arguments;
  };
  put("models/named.acf", "Crank.ADM\nout\nSIM/STAT\nSTOP");
  good("check models/named.acf");
  put("models/othercase.acf", "crank.adm\nout\nSIM/STAT\nSTOP");
  good("check models/othercase.acf");
  put("models/bare.acf", "\nfile/model=crank\nSIM/STAT\nSTOP");
  good("check models/bare.acf");
  put("models/nameless.acf", "\nSIM/STAT\nSTOP");
  good("check models/nameless.acf models/Crank.ADM");
  good("check models/Crank.ADM models/nameless.acf");
  put("elsewhere/wrong.acf", "\nfile/model=gone\nSTOP");
  good("check elsewhere/wrong.acf models/Crank.ADM");
  put("plain.adm", test::small_model());
  EXPECT_EQ(run("check plain").code, 0);  // extension left out
}

TEST_F(Program, ScriptsThatDoNotFindTheirModel) {
  put("gone.acf", "\nfile/model=gone\nSTOP\n");
  Ran ran = run("check gone.acf");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "gone.acf:2:12: error: gone.acf: its model gone was not found beside it\n"
            "    file/model=gone\n"
            "               ^~~~\n"
            "    try: name the model on the command line, before the script: model.adm gone.acf\n"
            "1 error, no warnings\n");
  put("nameless.acf", "\nsim/stat\nSTOP\n");
  ran = run("check nameless.acf");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, StartsWith("error: nameless.acf: the script names no model\n"));
  put("a.adm", test::small_model());
  ran = run("check a.adm a.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("two model files given: a.adm and a.adm"));
}

TEST_F(Program, ErrorsOfModelAndScriptComeTogether) {
  put("m.adm", test::small_model("MARKER/30, PART=9\n"));
  put("r.acf", "\nPART/7, MASS=1\nSTOP\n");
  const Ran ran = run("check m.adm r.acf");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("r.acf:2:6: error: PART/7: there is none in the model to change"));
  EXPECT_THAT(ran.err, HasSubstr("m.adm:8:17: error: MARKER/30: PART: PART/9 is not in the model"));
  EXPECT_THAT(ran.err, HasSubstr("2 errors, no warnings\n"));
}

TEST_F(Program, RunListsEveryFileItWrites) {
  const std::string model = put("m.adm", test::small_model());
  const std::string script = put("s.acf",
                                 "m\n\nSIMULATE/INITIAL_CONDITIONS\nDEACTIVATE/JOINT, ID=5\n"
                                 "SIMULATE/INITIAL_CONDITIONS\nSTOP\n");
  const Ran ran = run("run " + script + " " + model + " --prefix both");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("2 rows in both.csv and both.h5\n"));
  EXPECT_THAT(get("both.csv"), HasSubstr("JOINT/5.FX [force]"));
  EXPECT_FALSE(fs::exists(folder_ / "both_2.csv") || fs::exists(folder_ / "both_2.h5"));
  EXPECT_THAT(run("info both.h5").out, HasSubstr("segments     2: the channels change at\n"
                                                 "  t = 0         row 1: 6 channels end (JOINT/5)\n"));
  // Files with a layout of their own begin anew.
  const Ran split = run("run " + script + " " + model + " --prefix split --files csv,res");
  EXPECT_THAT(split.err, HasSubstr("2 rows in split.csv\n1 row in split.res\n1 row in split_2.res\n"));
}

// What pandas.read_csv does without options: one line of names, then numbers or nothing in every cell of every row.
TEST_F(Program, ACsvIsNamesAndNumbers) {
  put("m.adm", test::small_model("ACCGRAV/JGRAV=-9.81\n"));
  put("s.acf",
      "m\n\nDEACTIVATE/JOINT, ID=5\nSIMULATE/DYNAMICS, END=0.1, STEPS=3\nACTIVATE/JOINT, ID=5\n"
      "SIMULATE/DYNAMICS, END=0.2, STEPS=3\nSTOP\n");
  const Ran ran = run("run m.adm s.acf --prefix m --out .");
  EXPECT_EQ(ran.code, 0) << ran.err;
  put("read.py",
      "import csv\n"
      "head, *rows = csv.reader(open('m.csv', newline=''))\n"
      "assert all(len(row) == len(head) for row in rows)\n"
      "numbers = [[float(cell) if cell else None for cell in row] for row in rows]\n"
      "at = head.index('JOINT/5.FX [force]')\n"
      "print(len(rows), [row[at] is None for row in numbers], head[0])\n");
  ASSERT_EQ(std::system(("cd '" + folder_.string() + "' && python3 read.py >out.txt 2>&1").c_str()), 0)
      << get("out.txt");
  EXPECT_EQ(get("out.txt"), "8 [True, True, True, True, False, False, False, False] time [time]\n");
}

TEST_F(Program, RunStopsAtErrors) {
  put("bad.adm", "t\nPARTS/1\nEND\n");
  const Ran ran = run("run bad.adm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("bad.adm:2:1: error: PARTS is not a statement"));
}

constexpr const char* kSwing = R"(a swinging bar
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=1,0,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=-1,0,0
JOINT/1, REVOLUTE, I=21, J=1
SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=0, CT=0.3
SENSOR/1, FUNCTION=DY(20), VALUE=-0.99, LE, ERROR=1E-8, RETURN
ACCGRAV/JGRAV=-9.81
END
)";

TEST_F(Program, DynamicsFromAScript) {
  put("swing.adm", kSwing);
  put("swing.acf", "swing.adm\nout\nINTEGRATOR/HHT\nSIMULATE/DYNAMICS, END=0.2, STEPS=4\nSTOP\n");
  const Ran ran = run("run swing.acf --report");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("t = 0.2: HHT done in"));
  EXPECT_THAT(ran.err, HasSubstr("5 rows in out.csv"));
  EXPECT_THAT(ran.err, HasSubstr("rejected"));
  EXPECT_THAT(get("out.msg"), HasSubstr("HHT done in"));
  const auto report = nlohmann::json::parse(get("out.report.json"));
  EXPECT_EQ(report["simulations"][0]["ended"], "done");
  EXPECT_GT(report["simulations"][0]["corrector"]["iterations"], 0);
}

TEST_F(Program, ASensorEndsASimulationAndTheScriptGoesOn) {
  put("swing.adm", kSwing);
  put("swing.acf",
      "swing.adm\nout\nINTEGRATOR/GSTIFF, ERROR=1E-6\nSIMULATE/DYNAMICS, END=5, STEPS=50\nDEACTIVATE/SENSOR, "
      "ID=1\nSIMULATE/DYNAMICS, "
      "DURATION=0.1, STEPS=1\nSTOP\n");
  const Ran ran = run("run swing.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("SENSOR/1 acts, the simulation returns"));
  // What is lost is counted across the sensor and into the second simulation, and the balance stays: 0, with 9.81 in motion.
  const std::vector<double> lost = column("out.csv", "ENERGY.DISSIPATED"),
                            left = column("out.csv", "ENERGY.BALANCE");
  ASSERT_GE(lost.size(), 4u);
  for (std::size_t k = 1; k < lost.size(); ++k) EXPECT_GE(lost[k], lost[k - 1]) << k;
  EXPECT_GT(lost.back(), lost[lost.size() - 2]);
  for (const double balance : left) EXPECT_NEAR(balance, left.front(), std::sqrt(1e-6) * 9.81);
}

TEST_F(Program, SaveAndReloadGoOnBitForBit) {
  put("swing.adm", kSwing);
  put("one.acf",
      "swing.adm\none\nSIMULATE/DYNAMICS, END=0.2, STEPS=2\nSAVE/SYSTEM, FILE=half\nSIMULATE/DYNAMICS, "
      "END=0.4, STEPS=2\nSTOP\n");
  put("two.acf", "swing.adm\ntwo\nRELOAD/SYSTEM, FILE=half\nSIMULATE/DYNAMICS, END=0.4, STEPS=2\nSTOP\n");
  ASSERT_EQ(run("run one.acf").code, 0);
  ASSERT_EQ(run("run two.acf").code, 0);
  const std::string one = get("one.csv"), two = get("two.csv");
  const auto last_two = [](const std::string& text) {
    std::size_t at = text.size() - 1;
    for (int k = 0; k < 2; ++k) at = text.rfind('\n', at - 1);
    return text.substr(at);
  };
  EXPECT_EQ(last_two(one), last_two(two));
  // Damaged and foreign files are refused.
  put("half.sav", get("half.sav") + "x");
  EXPECT_EQ(run("run two.acf").code, 0);  // what follows the last line does not count
  std::string damaged = get("half.sav");
  damaged[damaged.size() / 2] ^= 1;
  put("half.sav", damaged);
  const Ran ran = run("run two.acf");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("damaged"));
}

TEST_F(Program, ReloadStartsASessionOfItsOwn) {
  put("swing.adm", kSwing);
  put("one.acf", "swing.adm\none\nSIMULATE/DYNAMICS, END=0.2, STEPS=2\nSAVE/SYSTEM, FILE=half\nSTOP\n");
  put("two.acf", "RELOAD/SYSTEM, FILE=half, OUTPUT_PREFIX=two\nSIMULATE/DYNAMICS, END=0.4, STEPS=2\nSTOP\n");
  put("none.acf", "RELOAD/SYSTEM, FILE=never\nSIMULATE/DYNAMICS, END=0.4, STEPS=2\nSTOP\n");
  ASSERT_EQ(run("run one.acf").code, 0);
  fs::remove(folder_ / "swing.adm");
  EXPECT_EQ(run("check two.acf").code, 0);
  const Ran ran = run("run two.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("differs")));
  EXPECT_EQ(column("two.csv", "time"), (std::vector<double>{0.2, 0.30000000000000004, 0.4}));
  const Ran none = run("run none.acf");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("none.acf:1"));
  EXPECT_THAT(none.err, HasSubstr("RELOAD: never was not found beside none.acf"));
}

// What the model was before a RELOAD is not what counts: STATES brings back where it was, and leaves what is switched off.
TEST_F(Program, ReloadOfStatesLeavesTheModelAndPrefixBeginsNewFiles) {
  put("swing.adm", std::string(kSwing));
  put("s.acf",
      "swing.adm\ns\nSIMULATE/DYNAMICS, END=0.2, STEPS=2\nSAVE/STATES, BUFFER=a\n"
      "SIMULATE/DYNAMICS, END=0.4, STEPS=2\nINTEGRATOR/ERROR=1E-5\n"
      "RELOAD/STATES, BUFFER=a, OUTPUT_PREFIX=again\nSIMULATE/DYNAMICS, END=0.3, STEPS=1\nSTOP\n");
  const Ran ran = run("run s.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("differs")));
  EXPECT_EQ(column("s.csv", "time").back(), 0.4);
  EXPECT_EQ(column("again.csv", "time"), (std::vector<double>{0.2, 0.3}));
  EXPECT_TRUE(fs::exists(folder_ / "again.h5"));
  EXPECT_FALSE(fs::exists(folder_ / "again.lock"));
}

// Places in the text of a model that came from a .sav are nowhere; they must not be told as lines of the script.
TEST_F(Program, AfterReloadNoLineOfTheScriptIsBlamedForTheModel) {
  std::string text = kSwing;
  text.replace(text.rfind("END"), 3, "VARIABLE/9, FUNCTION=SQRT(0.25-TIME)\nEND");
  put("swing.adm", text);
  put("one.acf", "swing.adm\none\nSIMULATE/DYNAMICS, END=0.2, STEPS=2\nSAVE/SYSTEM, FILE=half\nSTOP\n");
  put("two.acf", "swing.adm\ntwo\nRELOAD/SYSTEM, FILE=half\nSIMULATE/DYNAMICS, END=0.4, STEPS=2\nSTOP\n");
  ASSERT_EQ(run("run one.acf").code, 0);
  const Ran ran = run("run two.acf");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("VARIABLE/9 at t = "));
  EXPECT_THAT(ran.err, Not(HasSubstr("two.acf")));
}

TEST_F(Program, EprintShowsIterationsByName) {
  put("swing.adm", kSwing);
  put("swing.acf", "swing.adm\nout\nDEBUG/EPRINT\nSIMULATE/DYNAMICS, END=0.01, STEPS=1\nSTOP\n");
  const Ran ran = run("run swing.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("Integration step No. 1"));
  EXPECT_THAT(ran.err, HasSubstr("Cumulative iterations of the corrector"));
  EXPECT_THAT(ran.err, HasSubstr("PART/2"));
}

// The work of a force that a SENSOR switches counts from the switch on: kinetic energy less work stays as it was.
TEST_F(Program, EnergyBalanceHoldsAcrossASensor) {
  put("push.adm",
      "push\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1, CM=2, IP=1,1,1, VX=1\nMARKER/2, PART=2\n"
      "SENSOR/1, FUNCTION=DX(2,1), VALUE=0.5, GE, ERROR=1E-8, EVALUATE=100+DX(2,1), RESTART\n"
      "VFORCE/1, I=2, JFLOAT=99, RM=1, FX=SENVAL(1)\\FY=0\\FZ=0\nMARKER/99, PART=1, FLOATING\n"
      "INTEGRATOR/GSTIFF, ERROR=1E-6\nEND\n");
  put("push.acf", "push.adm\npush\nSIMULATE/DYNAMICS, END=1, STEPS=20\nSTOP\n");
  ASSERT_EQ(run("run push.acf").code, 0);
  std::istringstream rows(get("push.csv"));
  std::string line, cell;
  std::getline(rows, line);
  int column = 0, balance = -1;
  for (std::istringstream head(line); std::getline(head, cell, ','); ++column) {
    if (cell.find("ENERGY.BALANCE") != std::string::npos) balance = column;
  }
  ASSERT_GE(balance, 0) << line;
  int seen = 0;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    for (int k = 0; k <= balance; ++k) std::getline(cells, cell, ',');
    EXPECT_NEAR(std::strtod(cell.c_str(), nullptr), 0.5, 1e-3) << line;
    ++seen;
  }
  EXPECT_GE(seen, 20);
}

// A mass that a damper brakes: v = v0 exp(−c t / m), in newtons and millimetres.
TEST_F(Program, TheReportTellsWhereTheEnergyWent) {
  put("brake.adm",
      "brake\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=2, CM=2, IP=1,1,1, QG=100,0,0, VX=1000\nMARKER/2, PART=2\n"
      "SPRINGDAMPER/1, TRANSLATION, I=2, J=1, C=0.002\nINTEGRATOR/GSTIFF, ERROR=1E-6\nEND\n");
  put("brake.acf", "brake.adm\nbrake\nSIMULATE/DYNAMICS, END=1, STEPS=10\nSTOP\n");
  const Ran ran = run("run brake.acf --report");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto energy = nlohmann::json::parse(get("brake.report.json"))["simulations"][0]["energy"];
  const double all = 1000, left = all * std::exp(-2.0);  // ½ m v0² in newton millimetres; c / m = 1 / s
  // ERROR bounds what a step adds to a coordinate, here 1e-6 of a second's way of 632 mm, some hundred steps long.
  EXPECT_NEAR(energy["start"].get<double>(), all, 1e-9 * all);
  EXPECT_NEAR(energy["dissipated"].get<double>(), all - left, 1e-3 * all);
  EXPECT_EQ(energy["work"].get<double>(), 0);
  EXPECT_NEAR(energy["balance_drift"].get<double>(), 0, 1e-3 * all);
  const std::vector<double> balance = column("brake.csv", "ENERGY.BALANCE");
  EXPECT_NEAR(energy["balance_drift"].get<double>(), balance.back() - balance.front(), 1e-9 * all);
  EXPECT_THAT(ran.err, HasSubstr("energy balance  dissipated 864."));
  // Also where its channels are not asked for.
  EXPECT_THAT(run("run brake.acf --report --channels 'PART/*'").err, HasSubstr("energy balance"));
}

TEST_F(Program, DumpsNameEquationsStatesAndPartials) {
  put("swing.adm", kSwing);
  put("swing.acf",
      "swing.adm\nout\nDEBUG/DUMP, RHSDUMP, JMDUMP\nSIMULATE/DYNAMICS, END=0.01, STEPS=1\nSTOP\n");
  const Ran ran = run("run swing.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("equations and variables"));
  EXPECT_THAT(ran.err, HasSubstr("second rate"));
  EXPECT_THAT(ran.err, HasSubstr("by variable"));
  EXPECT_THAT(get("out.msg"), HasSubstr("of constraint"));
}

TEST_F(Program, AFailedRunSaysWhereTheStatementsStand) {
  put("torn.adm",
      "torn\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/7, TRANSLATIONAL, I=20, J=1\nMOTION/3, JOINT=7, FUNCTION=SQRT(0.5-TIME)\nEND\n");
  put("torn.acf", "torn.adm\ntorn\nSIMULATE/DYNAMICS, END=1, STEPS=10\nSTOP\n");
  const Ran ran = run("run torn.acf");
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("MOTION/3 is at torn.adm:7"));
}

// A mistake of the model is told by check and by run with the same exit code.
TEST_F(Program, AModelThatMakesNoEquationsIsAnErrorForCheckAndRunAlike) {
  put("m.adm",
      "folded\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/7, CONVEL, I=20, J=1\nEND\n");
  for (const char* command :
       {"SIMULATE/DYNAMICS, END=1, STEPS=2", "SIMULATE/INITIAL_CONDITIONS", "LINEAR/EIGENSOL"}) {
    put("m.acf", std::string("m.adm\nm\n") + command + "\nSTOP\n");
    for (const char* how : {"check m.acf", "run m.acf"}) {
      const Ran ran = run(how);
      EXPECT_EQ(ran.code, 2) << how << " " << command;
      EXPECT_THAT(ran.err, HasSubstr("point the same way")) << how << " " << command;
    }
  }
}

// Its second rate would need that of the state's equation: refused rather than wrong.
TEST_F(Program, AConstraintOnStatesDoesNotMove) {
  put("m.adm",
      "slides\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/7, TRANSLATIONAL, I=20, J=1\nDIFF/1, IC=0, FUNCTION=COS(TIME)\nGCON/1, "
      "FUNCTION=DZ(20,1)-DIF(1)\nEND\n");
  put("m.acf", "m.adm\nm\nSIMULATE/DYNAMICS, END=1, STEPS=2\nSTOP\n");
  const Ran ran = run("run m.acf");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("GCON/1: FUNCTION reads states or variables"));
  EXPECT_THAT(ran.err, HasSubstr("GCON/1 is at m.adm:8"));
}

TEST_F(Program, StaticsThenLinearThenDynamics) {
  put("p.adm",
      "pendulum\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=3, CM=20, IP=1,1,1, QG=1,0,0, WZ=0.5\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n"
      "VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=AZ(20,1)\nPINPUT/1, VARIABLES=1\nPOUTPUT/1, "
      "VARIABLES=2\n"
      "SFORCE/1, ROTATION, ACTIONONLY, I=20, J=1, FUNCTION=VARVAL(1)\nEND\n");
  put("p.acf",
      "p.adm\np\nSIMULATE/STATICS\nLINEAR/EIGENSOL, KINETIC\nLINEAR/STATEMAT, PINPUT=1, POUTPUT=1, "
      "FILE=plant\n"
      "LINEAR/MKB, FILE=structure\nSIMULATE/DYNAMICS, END=0.01, STEPS=1\nSTOP\n");
  const Ran ran = run("run p.adm p.acf");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  const std::string said = ran.out + ran.err;
  EXPECT_THAT(said, HasSubstr("equilibrium found by descent"));
  EXPECT_THAT(said, HasSubstr("stable equilibrium"));
  EXPECT_THAT(said, HasSubstr("frequency [Hz]"));
  EXPECT_THAT(get("p.eig.csv"),
              StartsWith("number,undamped_frequency_hz,damping_ratio,real,imaginary\n1,0.4317"));
  EXPECT_THAT(get("p.kinetic.csv"), HasSubstr("1,1\n"));
  // The shape in the store: hanging at (0, −1, 0), a turn θ about z takes the mass centre to θ along x.
  std::vector<results::ModeSet> modes;
  std::string error;
  ASSERT_TRUE(results::read_modes((folder_ / "p.h5").string(), modes, error)) << error;
  ASSERT_EQ(modes.size(), 1u);
  ASSERT_EQ(modes[0].parts, std::vector<std::string>{"PART/2"});
  ASSERT_EQ(modes[0].shapes.size(), 1u);
  EXPECT_NEAR(modes[0].poses[0][1], -1, 1e-9);
  EXPECT_NEAR(modes[0].frequencies[0], std::sqrt(3 * 9.81 / 4) / 6.283185307179586, 1e-9);
  const auto& shape = modes[0].shapes[0];
  EXPECT_GT(std::abs(shape[5]), 0.1);
  EXPECT_LT(std::abs(shape[0] - shape[5]), 1e-9);
  for (const std::size_t still : {1, 2, 3, 4}) EXPECT_LT(std::abs(shape[still]), 1e-6) << still;
  EXPECT_THAT(get("plant.m"), HasSubstr("D = zeros(1, 1);"));
  EXPECT_THAT(get("plant.B.mtx"),
              StartsWith("%%MatrixMarket matrix array real general\n% Trunnion: LINEAR\n2 1\n"));
  EXPECT_THAT(get("structure.K.mtx"), HasSubstr("29.4"));
  // Header, the place of rest, the motion's start is the same place, its end.
  std::istringstream rows(get("p.csv"));
  std::string line, last;
  while (std::getline(rows, line)) last = line;
  EXPECT_THAT(last, StartsWith("0.01"));
  const double x = std::stod(last.substr(last.find(',') + 1));
  EXPECT_NEAR(x, 0.5 * 0.01, 1e-4);  // it swings from the bottom with the rate given
}

TEST_F(Program, StaticsSaysWhatFalls) {
  put("f.adm",
      "stone\nPART/1, GROUND\nPART/2, MASS=3, CM=20, IP=1,1,1\nMARKER/20, "
      "PART=2\nACCGRAV/JGRAV=-9.81\nEND\n");
  put("f.acf", "f.adm\nf\nSIMULATE/STATICS\nSTOP\n");
  const Ran ran = run("run f.adm f.acf");
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("error: t = 0: no equilibrium found"));
  EXPECT_THAT(ran.out + ran.err,
              HasSubstr("PART/2 translation along y is free, and forces push it on without end"));
}

TEST_F(Program, ResultsCanBeToldDrawnComparedAndShown) {
  put("model.adm", test::small_model(""));
  put("a.acf", "\nFILE/MODEL=model.adm, OUTPUT_PREFIX=a\nSIMULATE/DYNAMICS, END=0.5, STEPS=50\nSTOP\n");
  ASSERT_EQ(run("run a.acf").code, 0);
  const Ran info = run("info a.h5");
  EXPECT_EQ(info.code, 0);
  EXPECT_THAT(info.out, HasSubstr("rows         51, t = 0 … 0.5"));
  EXPECT_THAT(info.out, HasSubstr("GSTIFF I3 from 0 to 0.5: done"));
  EXPECT_THAT(run("plot a.h5 PART/2.PSI").out, StartsWith("PART/2.PSI [rad]"));
  EXPECT_EQ(run("plot a.h5 'PART/2.?' -o a.svg").code, 0);
  EXPECT_THAT(get("a.svg"), StartsWith("<svg"));
  const Ran png = run("plot a.h5 'PART/2.?' -o a.png");
  if (png.code == 0) {
    EXPECT_THAT(get("a.png"), StartsWith("\x89PNG"));
  } else {
    EXPECT_THAT(png.err, HasSubstr("librsvg2-bin"));
  }
  const Ran none = run("plot a.h5 PART/2.XX");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no channel matches PART/2.XX; did you mean PART/2.X?"));
  // The store holds every bit, and the CSV reads back exactly.
  const Ran same = run("compare a.h5 a.csv --tolerance 0");
  EXPECT_EQ(same.code, 0);
  EXPECT_THAT(same.out, HasSubstr("0 of "));
  put("b.csv", "time,PART/2.X\n#second,meter\n0,0\n0.5,1e6\n");
  const Ran other = run("compare a.h5 b.csv");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("only in a.h5: "));
  EXPECT_THAT(other.out, HasSubstr("1 of 1 channels differ"));
  put("c.csv", "time,PART/2.X\n#second,mm\n0,0\n0.5,1e6\n");
  const Ran units = run("compare b.csv c.csv");
  EXPECT_EQ(units.code, 1);
  EXPECT_THAT(units.out, HasSubstr("in other units: PART/2.X (meter, mm)"));
  EXPECT_THAT(
      run("run a.acf --channels 'JONT/*'").err,
      HasSubstr(
          "no channel matches JONT/*: there are PART, JOINT, ENERGY and SOLVER; did you mean JOINT?\n"));
  EXPECT_THAT(run("run a.acf --prefix c --files csv --view").err,
              HasSubstr("--view shows nothing: there is no results store"));
  EXPECT_THAT(
      run("view a.h5 --channels 'JONT/*'").err,
      testing::AnyOf(HasSubstr("no channel matches JONT/*: there are"), HasSubstr("without its viewer")));
  EXPECT_THAT(run("view a.csv").err,
              testing::AnyOf(HasSubstr("there is no model in it"), HasSubstr("without its viewer")));
}

TEST_F(Program, FilesOfTheCommercialToolAreWrittenAndReadByEveryCommand) {
  put("model.adm", test::small_model("REQUEST/1, DISPLACEMENT, I=21, J=10\nRESULTS/XRF\n"));
  put("a.acf", "\nFILE/MODEL=model.adm, OUTPUT_PREFIX=a\nSIMULATE/DYNAMICS, END=0.5, STEPS=50\nSTOP\n");
  const Ran asked = run("run a.acf");
  EXPECT_THAT(asked.err, HasSubstr("51 rows in a.csv and a.h5 and a.res\n"));
  EXPECT_THAT(run("run a.acf --prefix b --files h5,req").err, HasSubstr("51 rows in b.h5 and b.req\n"));
  const Ran unknown = run("run a.acf --files h5,xls");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--files: xls is no kind of file; there are h5, csv, res, req and gra"));
  EXPECT_THAT(run("info a.res").out, HasSubstr("rows         51, t = 0 … 0.5"));
  EXPECT_THAT(run("info b.req").out, HasSubstr("REQUEST              1   6 channels"));
  EXPECT_THAT(run("plot a.res XFORM/2.X").out, StartsWith("XFORM/2.X [length]"));
  EXPECT_THAT(run("plot b.req REQUEST/1.F2").out, StartsWith("REQUEST/1.F2 [length]"));
  const Ran same = run("compare a.res a.res");
  EXPECT_EQ(same.code, 0);
  EXPECT_THAT(same.out, HasSubstr("0 of "));
  // Against the store, which has the model; against a CSV parts need the model.
  const Ran res = run("compare a.h5 a.res"), req = run("compare b.req b.h5"),
            csv = run("compare a.csv a.res");
  EXPECT_EQ(res.code, 0) << res.out;
  EXPECT_THAT(res.out,
              HasSubstr("a.res does not keep ENERGY: 5 channels of the other\n0 of 32 channels differ"));
  EXPECT_EQ(req.code, 0) << req.out;
  EXPECT_THAT(req.out,
              HasSubstr("b.req does not keep ENERGY, JOINT, PART and REQUEST: 31 channels of the other\n"
                        "0 of 6 channels differ"));
  EXPECT_EQ(csv.code, 1);
  EXPECT_THAT(csv.out,
              HasSubstr("try: --model M.adm, which leads from a .res's part frames (XFORM) to PART\n"));
  EXPECT_EQ(run("compare a.csv a.res --model model.adm").code, 0);
  ASSERT_EQ(run("run a.acf --prefix g --files h5,gra").code, 0);
  const Ran gra = run("compare g.h5 g.gra --tolerance 1e-5");
  EXPECT_EQ(gra.code, 0) << gra.out;
  EXPECT_THAT(gra.out, HasSubstr("0 of 6 channels differ"));
  EXPECT_THAT(run("compare a.csv a.res --model none.adm").err, HasSubstr("none.adm: there is no such file"));
  // The model of a .res is beside it, or named.
  EXPECT_THAT(run("view a.res").err,
              testing::AnyOf(HasSubstr("there is no model in it"), HasSubstr("without its viewer")));
  const Ran shown = run("view a.res --model model.adm --channels 'PART/2.*' -o a.html");
  if (shown.err.find("without its viewer") != std::string::npos) return;
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(get("a.html"), HasSubstr("PART/2.PSI"));
  EXPECT_THAT(get("a.msg"), HasSubstr(" command: SIMULATE/DYNAMICS, END = 0.5, STEPS = 50\n"));
  EXPECT_THAT(get("a.msg"), HasSubstr("Time         Size       Evaluations  Steps Taken    Order"));
}

}  // namespace
}  // namespace trunnion
