// SIMULATE/STATICS as a run: stopped from outside, warnings with their place, progress at the time.

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/session/project.hpp"
#include "api/session/run.hpp"

namespace trunnion::api {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

struct Ran {
  RunStatus status;
  std::size_t rows;
  std::string said, report;
};

// A pendulum of 1 kg in mm, kg and N, with these statements and commands.
Ran ran(const std::string& name, const std::string& more, const std::string& commands,
        const std::function<bool()>& interrupted = {}) {
  const fs::path folder = fs::temp_directory_path() / ("trunnion_statics_" + name);
  fs::create_directories(folder);
  const std::string model = (folder / "m.adm").string(), script = (folder / "s.acf").string();
  std::ofstream(model)
      << "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
         "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1E5,1E5,1E5, QG=500,0,0\n"
         "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-500,0,0\nJOINT/1, REVOLUTE, I=21, J=1\n"
         "ACCGRAV/JGRAV=-9810\n"
      << more << "END\n";
  std::ofstream(script) << commands << "STOP\n";
  Project project = load_project({model, script});
  EXPECT_TRUE(project.ok());
  RunOptions options;
  options.folder = folder.string();
  options.interrupted = interrupted;
  Ran out{};
  const RunResult result = run(project, options, [&](const std::string& line) { out.said += line + "\n"; });
  out.status = result.status;
  out.rows = result.rows;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().string().ends_with(".report.json"))
      out.report.assign(std::istreambuf_iterator<char>(std::ifstream(file.path()).rdbuf()), {});
  }
  fs::remove_all(folder);
  return out;
}

TEST(StaticsRun, IsInterrupted) {
  int asked = 0;
  const Ran r = ran("stop", "", "SIMULATE/STATICS\n", [&] { return ++asked > 2; });
  EXPECT_EQ(r.status, RunStatus::interrupted) << r.said;
  EXPECT_EQ(r.rows, 0u);
  EXPECT_THAT(r.said, Not(HasSubstr("error")));
  // Between outputs of a path: what was computed is kept.
  asked = 0;
  const Ran path = ran("path", "", "SIMULATE/STATICS, END=1, STEPS=1000\n", [&] { return ++asked > 200; });
  EXPECT_EQ(path.status, RunStatus::interrupted) << path.said;
  EXPECT_GT(path.rows, 1u);
  EXPECT_LT(path.rows, 1000u);
  EXPECT_THAT(path.report, HasSubstr("\"interrupted\""));
  EXPECT_THAT(path.report, Not(HasSubstr("\"failed\"")));
  EXPECT_THAT(path.report, Not(HasSubstr("no equilibrium")));
}

// A limp beam, clamped level and hanging down, with elements much longer than its bend at the clamp.
TEST(StaticsRun, TellsABeamThatIsTooCoarseForItsStiffness) {
  const auto beam = [](const char* type, int elements) {
    return fmt::format(
        "MATRIX/1, FULL=RORDER, ROWS=6, COLUMNS=6, VALUES=1E5,0,0,0,0,0\n, 0,1E5,0,0,0,0\n, 0,0,1E5,0,0,0\n"
        ", 0,0,0,1E3,0,0\n, 0,0,0,0,1E3,0\n, 0,0,0,0,0,1E3\n"
        "MATRIX/2, FULL=RORDER, ROWS=6, COLUMNS=6, VALUES=1E-4,0,0,0,0,0\n, 0,1E-4,0,0,0,0\n, "
        "0,0,1E-4,0,0,0\n"
        ", 0,0,0,1E-3,0,0\n, 0,0,0,0,5E-4,0\n, 0,0,0,0,0,5E-4\n"
        "FE_PART/3, TYPE={}, NODE_LABELS=1,2, COORDINATES=1,0,0,0,0,0,0,2,1000,0,0,0,0,0\n"
        ", SECTION_STIFFNESS=1, SECTION_INERTIA=2, SUBDIVIDE={}\n"
        "MARKER/31, FE_PART=3, NODE_LABEL=1\nJOINT/3, FIXED, I=31, J=1\n",
        type, elements);
  };
  const Ran coarse = ran("coarse", beam("3DBEAM", 4), "SIMULATE/STATICS\n");
  EXPECT_THAT(coarse.said, HasSubstr("warning: FE_PART/3, nodes 1 and 1_1 at t = 0: the axis is"));
  EXPECT_THAT(coarse.said, HasSubstr("larger SUBDIVIDE"));
  for (const auto& [type, elements] : {std::pair("3DBEAM", 64), std::pair("3DBEAM3", 16)})
    EXPECT_THAT(ran("fine", beam(type, elements), "SIMULATE/STATICS\n").said, Not(HasSubstr("the axis is")));
}

TEST(StaticsRun, WarnsOnceOfWhatIsNotUsedAndPrintsInTheUsersUnits) {
  const Ran r =
      ran("warn", "EQUILIBRIUM/STABILITY=1\nDEBUG/EPRINT\n", "SIMULATE/STATICS\nSIMULATE/STATICS\n");
  EXPECT_EQ(r.status, RunStatus::done) << r.said;
  const auto first = r.said.find("m.adm:10: warning: EQUILIBRIUM: STABILITY is not used by this search");
  ASSERT_NE(first, std::string::npos) << r.said;
  EXPECT_EQ(r.said.find("STABILITY is not used", first + 60), std::string::npos) << r.said;
  // The weight before the first step, in newtons though a newton is 1000 kg mm/s².
  EXPECT_THAT(r.said, HasSubstr("imbalance before it"));
  EXPECT_THAT(r.said, HasSubstr("newton"));
  EXPECT_THAT(r.said, Not(HasSubstr("9.810e+03")));
}

TEST(StaticsRun, TheDampedMotionIsShown) {
  const Ran r = ran("motion", "EQUILIBRIUM/DYNAMIC, METHOD=ORIGINAL\nDEBUG/EPRINT\n", "SIMULATE/STATICS\n");
  EXPECT_EQ(r.status, RunStatus::done) << r.said;
  EXPECT_THAT(r.said, HasSubstr("motion    1"));
  EXPECT_THAT(r.said, HasSubstr("kinetic energy"));
  EXPECT_THAT(r.said, HasSubstr("equilibrium found by damped motion and descent"));
}

}  // namespace
}  // namespace trunnion::api
