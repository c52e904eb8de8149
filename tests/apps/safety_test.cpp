// What a model, its script and a results file from somebody else must not do to the one who runs them.

#include <chrono>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "api/session/run_lock.hpp"
#include "apps/program.hpp"
#include "results/read/history.hpp"
#include "support/reading.hpp"
#include "support/user_code.hpp"

namespace trunnion {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPendulum =
    "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
    "PART=1\n"
    "PART/2, QG=1,0,0, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nMARKER/3, PART=2, QP=-1,0,0\n"
    "JOINT/1, REVOLUTE, I=3, J=1\nACCGRAV/JGRAV=-9.81\n";

class Safety : public Program {
 protected:
  // A model in the folder, with more statements, and a script of commands under the usual prefix.
  void model(const std::string& more = "",
             const std::string& commands = "SIMULATE/DYNAMICS, END=0.1, STEPS=2",
             const std::string& prefix = "out") {
    put("m.adm", kPendulum + more + "END\n");
    put("m.acf", "m.adm\n" + prefix + "\n" + commands + "\nSTOP\n");
  }
  bool there(const std::string& name) { return fs::exists(folder_ / name); }
};

const std::string kForce = "SFORCE/1, ROTATIONAL, I=2, J=1, FUNCTION=USER(1)";

// --- native code

// A library that leaves a mark where it is loaded, whatever is called in it.
std::string marking_library(const fs::path& mark) {
  return test::kHead +
         "#include <stdio.h>\n__attribute__((constructor)) static void loaded(void) {\n FILE* f = fopen(\"" +
         mark.string() + "\", \"w\");\n if (f) fclose(f);\n}\n" +
         test::routine("law", "result[0] = -par[0];");
}

class ModelCode : public Safety {
 protected:
  void SetUp() override {
    Safety::SetUp();
    if (!test::have_compilers()) GTEST_SKIP() << "no compilers";
    library_ = test::build_text("marks", marking_library(folder_ / "loaded"));
    fs::create_directories(folder_ / "libs");
    fs::copy_file(library_, folder_ / "libs/libmarks.so");
  }
  std::string library_;
};

TEST_F(ModelCode, IsNotLoadedUnasked) {
  fs::copy_file(library_, folder_ / "libmarks.so");
  const std::string whole = (folder_ / "libs/libmarks.so").string();
  for (const std::string& routine :
       {std::string("marks::law"), whole + "::law", std::string("libs/marks::law")}) {
    model(kForce + "\\ROUTINE=" + routine + "\n");
    const Ran refused = run("run m.acf");
    EXPECT_EQ(refused.code, 2) << routine;
    EXPECT_THAT(refused.err, HasSubstr("m.adm:10:")) << routine;
    EXPECT_THAT(refused.err,
                HasSubstr("SFORCE/1: its user code is not loaded: ROUTINE=" + routine + " names "))
        << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("--allow-model-code")) << routine;
    EXPECT_FALSE(there("loaded")) << routine;
    for (const char* command : {"check m.acf", "check --allow-model-code m.acf",
                                "check --user-library libmarks.so m.acf", "check --ignore-user m.acf",
                                "fmt m.adm", "run --ignore-user m.acf", "info out.h5", "view out.h5"}) {
      run(command);
      EXPECT_FALSE(there("loaded")) << routine << " " << command;
    }
  }
}

TEST_F(ModelCode, OfASearchPathIsNotLoadedUnasked) {
  model("PREFERENCES/LIBPATH=" + (folder_ / "libs").string() + "\n" + kForce + "\\ROUTINE=marks::law\n");
  EXPECT_THAT(run("run m.acf").err,
              HasSubstr("libs/libmarks.so, and a library that a model names is loaded only"));
  EXPECT_FALSE(there("loaded"));
}

TEST_F(ModelCode, IsLoadedWhereTheUserSaysSo) {
  model(kForce + "\\ROUTINE=libs/marks::law\n");
  EXPECT_EQ(run("run --allow-model-code m.acf").code, 0);
  EXPECT_TRUE(there("loaded"));
  fs::remove(folder_ / "loaded");
  EXPECT_EQ(run("run --user-library libs/libmarks.so m.acf").code, 0);
  EXPECT_TRUE(there("loaded"));
}

// check takes what run takes and refuses what run refuses, without loading anything.
TEST_F(ModelCode, IsLookedForByCheckAndNotRun) {
  model(kForce + "\\ROUTINE=libs/marks::law\n");
  EXPECT_EQ(run("check m.acf").code, 2);
  for (const char* allowed : {"--allow-model-code", "--user-library libs/libmarks.so"}) {
    const Ran ran = run(std::string("check m.acf ") + allowed);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("SFORCE/1")) << allowed;
    EXPECT_THAT(ran.out, HasSubstr("its user code is there, and is not run here")) << allowed;
  }
  model(kForce + "\\ROUTINE=libs/marks::other\n");
  EXPECT_THAT(run("check m.acf --allow-model-code").err, HasSubstr("libmarks.so has no routine other"));
  put("libs/libtext.so", "not a library");
  EXPECT_THAT(run("check m.acf --user-library libs/libtext.so").err, HasSubstr("no shared library"));
  EXPECT_FALSE(there("loaded"));
}

// A REQUEST without its routine stops nothing; why it has no numbers is told as of every other statement.
TEST_F(ModelCode, OfARequestIsNamedWhereItIsLeftOut) {
  model("REQUEST/1, FUNCTION=USER(1)\\ROUTINE=libs/marks::law\n");
  const Ran left = run("run m.acf");
  EXPECT_EQ(left.code, 0) << left.err;
  EXPECT_THAT(left.err, HasSubstr("REQUEST/1: left out of the results: its user code is not loaded: "
                                  "ROUTINE=libs/marks::law names "));
  EXPECT_THAT(left.err, HasSubstr("--allow-model-code"));
  EXPECT_FALSE(there("loaded"));
  const Ran checked = run("check --allow-model-code m.acf");
  EXPECT_THAT(checked.out + checked.err, HasSubstr("REQUEST/1: left out of the results: its user code is "
                                                   "there, and is not run here"));
  EXPECT_THAT(run("run --allow-model-code m.acf").err, Not(HasSubstr("left out")));
  EXPECT_TRUE(there("loaded"));
}

TEST_F(Safety, ARequestWhoseFunctionIsNoUserCodeIsToldSo) {
  model("REQUEST/1, FUNCTION=2*TIME\n");
  EXPECT_THAT(run("run m.acf").err,
              HasSubstr("REQUEST/1: left out of the results: FUNCTION calls user code only, USER(…); "
                        "expressions are F1=… to F8=…"));
}

// The page is made of the store alone: neither library nor model file are there any more.
TEST_F(ModelCode, IsNotNeededToViewItsResults) {
  if (run("view none.h5").err.find("without its viewer") != std::string::npos) GTEST_SKIP() << "no viewer";
  model(kForce + "\\ROUTINE=marks::law\n");
  ASSERT_EQ(run("run --user-library libs/libmarks.so m.acf").code, 0);
  fs::remove_all(folder_ / "libs");
  for (const char* file : {"m.adm", "m.acf", "loaded"}) fs::remove(folder_ / file);
  const Ran ran = run("view out.h5");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(there("loaded"));
  EXPECT_THAT(get("out.html"), HasSubstr("PART/2"));
  model("MOTION/1, JOINT=1, FUNCTION=USER(1)\n");
  ASSERT_EQ(run("run --ignore-user --prefix left m.acf").code, 0);
  EXPECT_EQ(run("view left.h5").code, 0);
}

// A routine that never comes back: the first signal ends the run, with its rows.
TEST_F(ModelCode, ThatLoopsIsEndedByAnInterrupt) {
  const std::string library = test::build_text(
      "loops", test::kHead + test::routine("law", "while (time > 0.55) { }\nresult[0] = -par[0];"));
  model(kForce + "\\ROUTINE=loops::law\nINTEGRATOR/GSTIFF, HMAX=0.01\n",
        "SIMULATE/DYNAMICS, END=1, STEPS=100");
  const std::string line =
      "exec '" TRUNNION_PROGRAM "' run m.acf --user-library " + library + " 2>stderr.txt";
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder_.c_str()) != 0) _exit(1);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(1);
  }
  // It has come to the loop once the rows stop.
  const auto rows = [&] {
    const std::string text = get("out.csv");
    return std::count(text.begin(), text.end(), '\n');
  };
  std::ptrdiff_t before = -1;
  for (int k = 0; k < 300 && (rows() < 40 || rows() != before); ++k) {
    before = rows();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  kill(child, SIGINT);
  int status = 0;
  for (int k = 0; k < 300 && waitpid(child, &status, WNOHANG) == 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const bool ended = kill(child, SIGKILL) != 0;
  ASSERT_TRUE(ended) << "still running";
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_THAT(get("stderr.txt"), HasSubstr("SFORCE/1: loops::law has not come back 3 s after the interrupt"));
  std::string error;
  const auto history = results::open_history((folder_ / "out.h5").string(), error);
  ASSERT_TRUE(history) << error;
  EXPECT_GE(history->column(0).back(), 0.5);  // rows up to a step before the loop
  EXPECT_GE(column("out.csv", "time").back(), 0.5);
}

// --- files

TEST_F(Safety, AScriptWritesOnlyIntoTheFolderOfTheResults) {
  fs::create_directories(folder_ / "home/sub");
  fs::create_directories(folder_ / "away");
  fs::create_directory_symlink("../away", folder_ / "home/link");
  fs::create_symlink("../away/made.csv", folder_ / "home/dangling.csv");
  const std::string away = (folder_ / "away").string();
  for (const std::string& prefix : {std::string("../away/x"), away + "/x", std::string("sub/../../away/x"),
                                    std::string("link/x"), std::string("dangling")}) {
    model("", "SIMULATE/DYNAMICS, END=0.1, STEPS=2\nLINEAR/EIGENSOL", prefix);
    const Ran ran = run("run --out home m.acf");
    EXPECT_EQ(ran.code, prefix == "dangling" ? 3 : 2) << prefix << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("lies outside of the folder of the results")) << prefix;
    EXPECT_THAT(ran.err, HasSubstr("--allow-outside")) << prefix;
    EXPECT_TRUE(fs::is_empty(folder_ / "away")) << prefix;
  }
  model("", "SIMULATE/DYNAMICS, END=0.1, STEPS=2", "../away/x");
  EXPECT_THAT(run("run --out home m.acf").err, HasSubstr("m.acf:2: OUTPUT_PREFIX: "));
  model("", "SIMULATE/DYNAMICS, END=0.1, STEPS=2", "sub/x");
  EXPECT_EQ(run("run --out home m.acf").code, 0);
  EXPECT_TRUE(there("home/sub/x.csv"));
  model("", "SIMULATE/DYNAMICS, END=0.1, STEPS=2", "../away/x");
  EXPECT_EQ(run("run --out home --allow-outside m.acf").code, 0);
  EXPECT_TRUE(there("away/x.csv"));
}

TEST_F(Safety, SaveAndLinearWriteOnlyIntoTheFolderOfTheResults) {
  fs::create_directories(folder_ / "away");
  const std::string away = (folder_ / "away").string();
  for (const std::string& command :
       {std::string("SAVE/SYSTEM, FILE=../away/s"), "SAVE/SYSTEM, FILE=" + away + "/s",
        std::string("LINEAR/EIGENSOL, FILE=../away/s"), "LINEAR/STATEMAT, FILE=" + away + "/s"}) {
    model("", "SIMULATE/STATICS\n" + command);
    const Ran ran = run("run --out home m.acf");
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("m.acf:4: ")) << command << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("assembled"))) << "refused before anything is computed" << command;
    EXPECT_THAT(ran.err, HasSubstr("lies outside of the folder of the results")) << command;
    EXPECT_TRUE(fs::is_empty(folder_ / "away")) << command;
    EXPECT_EQ(run("run --out home --allow-outside m.acf").code, 0) << command;
    EXPECT_FALSE(fs::is_empty(folder_ / "away")) << command;
    for (const auto& file : fs::directory_iterator(folder_ / "away")) fs::remove(file);
  }
}

TEST_F(Safety, FilesThatAreNotResultsOfOursAreLeftAlone) {
  const std::pair<const char*, const char*> files[] = {
      {"out.csv", "time,force\n0,1\n"},
      {"out.csv.new", "mine\n"},
      {"out.h5", "\x89HDF\r\n\x1a\n measured elsewhere"},
      {"out.res", "<?xml version=\"1.0\"?>\n<Results><Corporation author=\"Another\" /></Results>\n"},
      {"out.req", " A.R3    2004-01-01 10:00:00   1   0  3D\n"},
      {"out.gra", " A.G8    2004-01-01 10:00:00\n"},
      {"out.msg", "notes\n"},
      {"out.report.json", "{\"mine\": 1}\n"},
      {"s.sav", "\x01 of another program"},
      {"s.sav.new", "mine\n"},
      {"out.lock", "mine\n"}};
  model("REQUEST/1, DISPLACEMENT, I=2, J=1\n", "SIMULATE/STATICS\nSAVE/SYSTEM, FILE=s");
  for (const auto& [name, text] : files) {
    put(name, text);
    const Ran ran = run("run --files h5,csv,res,req,gra m.acf");
    EXPECT_NE(ran.code, 0) << name;
    EXPECT_THAT(ran.err, HasSubstr(std::string(name) +
                                   " is there already and does not look like a file of Trunnion's"))
        << ran.err;
    EXPECT_EQ(get(name), text);
    fs::remove(folder_ / name);
  }
  // Our own are written anew: twice, and after a kill left a store open.
  for (int k = 0; k < 2; ++k) {
    const Ran ran = run("run --files h5,csv,res,req,gra m.acf");
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  // A table of LINEAR that is the user's: ours goes beside it.
  put("out.eig.csv", "mine\n");
  model("", "SIMULATE/STATICS\nLINEAR/EIGENSOL");
  EXPECT_EQ(run("run m.acf").code, 0);
  EXPECT_EQ(get("out.eig.csv"), "mine\n");
  EXPECT_TRUE(there("out.eig-2.csv"));
}

TEST_F(Safety, TwoRunsDoNotWriteTheSameResults) {
  model();
  {
    api::RunLock lock;
    ASSERT_EQ(lock.take((folder_ / "out.lock").string()), "");
    const Ran second = run("run m.acf");
    EXPECT_EQ(second.code, 2);
    EXPECT_THAT(second.err,
                HasSubstr("another run writes these results: process " + std::to_string(getpid()) + " on "));
    EXPECT_THAT(second.err, HasSubstr(", since 20"));
    EXPECT_FALSE(there("out.msg"));
    EXPECT_EQ(run("run --prefix other m.acf").code, 0);
  }
  EXPECT_EQ(run("run m.acf").code, 0);
  EXPECT_FALSE(there("out.lock"));
  put("out.lock",
      "Trunnion run: process 4 on there, since 2001-01-01 01:01:01\n");  // of a run that was killed
  const Ran after = run("run m.acf");
  EXPECT_EQ(after.code, 0);
  EXPECT_THAT(after.err, HasSubstr("an earlier run of these results was cut short (process 4 on there"));
  EXPECT_FALSE(there("out.lock"));
}

TEST_F(Safety, TheReportOfAnEarlierRunGoesAtTheStart) {
  if (!test::have_compilers()) GTEST_SKIP() << "no compilers";
  model();
  ASSERT_EQ(run("run m.acf").code, 0);
  ASSERT_TRUE(there("out.report.json"));
  const std::string library = test::build_text(
      "dies", test::kHead + "#include <unistd.h>\n" + test::routine("law", "if (!iflag) _exit(9);"));
  model(kForce + "\\ROUTINE=dies::law\n");
  EXPECT_EQ(run("run m.acf --user-library " + library).code, 9);
  EXPECT_FALSE(there("out.report.json"));
}

TEST_F(Safety, ARefusedModelLeavesNoReportOfAnEarlierRun) {
  model();
  ASSERT_EQ(run("run m.acf").code, 0);
  ASSERT_TRUE(there("out.report.json"));
  model("JOINT/2, REVOLUTE, I=3, J=777\n");
  EXPECT_EQ(run("check m.acf").code, 2);
  EXPECT_TRUE(there("out.report.json"));  // check touches nothing
  EXPECT_EQ(run("run m.acf --out not_made").code, 2);
  EXPECT_FALSE(there("not_made"));
  EXPECT_EQ(run("run m.acf").code, 2);
  EXPECT_FALSE(there("out.report.json"));
  put("out.report.json", "{\"mine\": 1}\n");
  EXPECT_EQ(run("run m.acf").code, 2);
  EXPECT_TRUE(there("out.report.json"));
}

// --- sizes

TEST_F(Safety, RowsWithoutEndAreRefusedAtOnce) {
  for (const char* command :
       {"SIMULATE/DYNAMICS, END=1, DTOUT=1E-300", "SIMULATE/DYNAMICS, END=1, DTOUT=1E-17",
        "SIMULATE/DYNAMICS, END=1, STEPS=2000000000", "SIMULATE/STATICS, END=1, STEPS=2000000000"}) {
    model("", command);
    const Ran ran = run("run m.acf");
    EXPECT_EQ(ran.code, 3) << command;
    EXPECT_THAT(ran.err, HasSubstr("m.acf:3: SIMULATE: ")) << command << ran.err;
  }
}

// Sizes are words in a file: those that no machine has are refused by the statement that has them, not by running out of memory.
TEST_F(Safety, SizesWithoutEndAreRefusedByStatement) {
  model("ARRAY/1, X\nGSE/1, NS=2000000000, X=1, FUNCTION=USER(1)\n");
  for (const char* command : {"run --ignore-user m.acf", "check --ignore-user m.acf"}) {
    const Ran ran = run(command);
    EXPECT_THAT(ran.out + ran.err, HasSubstr("GSE/1: it has 2000000000 states")) << command;
  }
  model(
      "ARRAY/1, X\nMATRIX/1, FULL=RORDER, ROWS=2000000000, COLUMNS=2000000000, VALUES=1\nLSE/1, X=1, A=1\n");
  EXPECT_THAT(run("run m.acf").err, HasSubstr("MATRIX/1"));
}

// --- ends

TEST_F(Safety, AHaltIsAnEndAsAskedFor) {
  const std::string sensor = "SENSOR/1, FUNCTION=TIME\\VALUE=0.05, GE, ERROR=1E-6, HALT\n";
  for (const char* simulate : {"SIMULATE/DYNAMICS", "SIMULATE/STATICS"}) {
    model(sensor, std::string(simulate) + ", END=0.1, STEPS=2\n" + simulate + ", END=0.2, STEPS=2");
    const Ran ran = run("run m.acf");
    EXPECT_EQ(ran.code, 0) << simulate << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("the run halts"));
    EXPECT_NEAR(column("out.csv", "time").back(), 0.05, 1e-5) << simulate;  // and nothing follows
  }
}

// --- what is printed

TEST_F(Safety, NamesDoNotCommandTheTerminal) {
  // ESC ]0;…BEL sets a window's title, U+009B begins a sequence as ESC [ does, U+202E turns the direction of writing.
  const std::string evil =
      "\x1b]0;owned\x07\xc2\x9b"
      "31m\xe2\x80\xae";
  put("m.adm", "title" + evil + "\nPART/1, GROUND\nMARKER/1, PART=1\n! adams_view_name='" + evil +
                   "'\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n! adams_view_name='" + evil +
                   "'\nJOINT/1, REVOLUTE, I=2, J=1\n! adams_view_name='" + evil +
                   "'\nJOINT/2, REVOLUTE, I=2, J=1\nREQUEST/1, F1=TIME\\COMMENT=" + evil + ", TITLE=" + evil +
                   "\nEND\n");
  put("m.acf", "m.adm\nout\nSIMULATE/DYNAMICS, END=0.1, STEPS=1\nSTOP\n");
  put("bad" + evil + ".adm", "t\n" + evil + "/1\nEND\n");
  std::string all;
  for (const std::string& command :
       {std::string("check m.acf"), std::string("check --json m.acf"), std::string("run m.acf"),
        std::string("info --channels out.h5"), "check 'bad" + evil + ".adm'",
        std::string("compare out.h5 out.h5 --all"), std::string("plot out.h5 PART/2.X"),
        "info '" + evil + "'", std::string("help '" + evil + "'")}) {
    const Ran ran = run(command);
    EXPECT_NE(ran.out + ran.err, "") << command;
    all += ran.out + ran.err;
  }
  all += get("out.msg");
  EXPECT_EQ(all.find('\x1b'), std::string::npos);
  EXPECT_EQ(all.find('\x07'), std::string::npos);
  EXPECT_EQ(all.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(all.find("\xe2\x80\xae"), std::string::npos);
}

}  // namespace
}  // namespace trunnion
