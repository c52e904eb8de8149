// What the compiler warns of while the model does compile: said by a run, once, and kept in its report.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/session/project.hpp"
#include "api/session/run.hpp"

namespace trunnion::api {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Ran {
  RunStatus status;
  std::string said;
  std::vector<std::string> warnings;  // of the report

  std::size_t times(const std::string& words) const {
    std::size_t n = 0;
    for (std::size_t at = said.find(words); at != said.npos; at = said.find(words, at + 1)) ++n;
    return n;
  }
};

// A weight at the end of a beam whose shear cannot be had, and with REULER = 45, that the checks warn of.
Ran ran(const std::string& name, const std::string& commands, bool rehearse = false) {
  const fs::path folder = fs::temp_directory_path() / ("trunnion_compiler_" + name);
  fs::create_directories(folder);
  const std::string model = (folder / "m.adm").string(), script = (folder / "s.acf").string();
  std::ofstream(model) << "weight on a beam\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                          "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, REULER=45,0,0\n"
                          "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=1,0,0\nMARKER/20, PART=2\n"
                          "BEAM/7, I=20, J=1, LENGTH=1, AREA=1E-3, IXX=1E-6, IYY=1E-6, IZZ=1E-6, ASY=1.2\n"
                          ", EMODULUS=1E9, GMODULUS=4E8, CRATIO=1E-3, FORMULATION=NONLINEAR\nEND\n";
  std::ofstream(script) << commands << "STOP\n";
  const Project project = load_project({model, script});
  EXPECT_TRUE(project.ok());
  EXPECT_EQ(project.diagnostics.warning_count(), 1u);
  RunOptions options;
  options.folder = folder.string();
  options.rehearse = rehearse;
  Ran out{};
  out.status = run(project, options, [&](const std::string& line) { out.said += line + "\n"; }).status;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (!file.path().string().ends_with(".report.json")) continue;
    std::ifstream report(file.path());
    out.warnings = nlohmann::json::parse(report)["warnings"].get<std::vector<std::string>>();
  }
  fs::remove_all(folder);
  return out;
}

TEST(CompilerWarnings, AreSaidOnceAndAreInTheReport) {
  const Ran r = ran("once",
                    "SIMULATE/DYNAMICS, END=1E-3, STEPS=1\nPART/2, MASS=2\n"
                    "SIMULATE/DYNAMICS, END=2E-3, STEPS=1\n");
  EXPECT_EQ(r.status, RunStatus::done) << r.said;
  EXPECT_EQ(r.times("m.adm:8:1: warning: BEAM/7: FORMULATION=NONLINEAR knows no shear"), 1u) << r.said;
  EXPECT_EQ(r.times("read as radians"), 0u) << "said with the checks, not again: " << r.said;
  ASSERT_EQ(r.warnings.size(), 2u);
  EXPECT_THAT(r.warnings[0], HasSubstr("read as radians"));
  EXPECT_THAT(r.warnings[1], HasSubstr("m.adm:8: BEAM/7: FORMULATION=NONLINEAR knows no shear"));
}

TEST(CompilerWarnings, AreSaidByARehearsal) {
  const Ran r = ran("rehearsed", "SIMULATE/DYNAMICS, END=1E-3, STEPS=1\n", true);
  EXPECT_EQ(r.status, RunStatus::done) << r.said;
  EXPECT_EQ(r.times("warning: "), 1u) << r.said;
}

}  // namespace
}  // namespace trunnion::api
