// PREFIX.report.json of every kind of simulation, and what a plot makes of an angle.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

namespace trunnion {
namespace {

using testing::HasSubstr;

class ReportProgram : public Program {
 protected:
  nlohmann::json simulations(const std::string& commands, const std::string& more, int code = 0) {
    put("p.adm",
        "pendulum\nPART/1, GROUND\nMARKER/1, PART=1\n"
        "PART/2, MASS=3, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
        "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\n" +
            more + "END\n");
    put("p.acf", "\n" + commands + "STOP\n");
    const Ran ran = run("run p.adm p.acf");
    EXPECT_EQ(ran.code, code) << ran.err;
    const auto report = nlohmann::json::parse(get("p.report.json"), nullptr, false);
    return report.is_object() ? report["simulations"] : nlohmann::json();
  }
};

TEST_F(ReportProgram, OfKinematics) {
  const auto all =
      simulations("SIMULATE/KINEMATICS, END=2, STEPS=10\n", "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["method"]["name"], "kinematics");
  EXPECT_EQ(all[0]["ended"], "done");
  EXPECT_EQ(all[0]["begin"], 0);
  EXPECT_EQ(all[0]["reached"], 2);
  EXPECT_GE(all[0]["steps"]["accepted"], 10);
  EXPECT_EQ(all[0]["model"]["freedoms"], 0);
  EXPECT_THAT(run("info p.h5").out, HasSubstr("simulation   kinematics from 0 to 2: done, "));
}

TEST_F(ReportProgram, PlotsCountTheTurnsOfAnAngle) {
  simulations("SIMULATE/KINEMATICS, END=10, STEPS=100\n", "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n");
  const auto stored = column("p.csv", "PART/2.PSI");
  EXPECT_LE(*std::max_element(stored.begin(), stored.end()), M_PI);
  EXPECT_THAT(run("plot p.h5 PART/2.PSI").out, HasSubstr("PART/2.PSI [rad]  0 … 10\n"));
  EXPECT_THAT(run("plot p.h5 PART/2.PSI --wrapped").out, HasSubstr("PART/2.PSI [rad]  -3."));
  EXPECT_THAT(run("plot --help").out, HasSubstr("go on over full turns"));
}

TEST_F(ReportProgram, OfStaticsInTheOrderOfTheRun) {
  const auto all = simulations(
      "SIMULATE/STATICS\nSIMULATE/STATICS, END=1, STEPS=2\nSIMULATE/DYNAMICS, END=1.1, STEPS=1\n", "");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["method"]["name"], "statics");
  EXPECT_GT(all[0]["iterations"], 0);
  EXPECT_EQ(all[0]["reached"], 0);
  EXPECT_EQ(all[1]["method"]["name"], "quasi-statics");
  EXPECT_EQ(all[1]["reached"], 1);
  EXPECT_EQ(all[2]["method"]["name"], "GSTIFF I3");
  EXPECT_EQ(all[2]["ended"], "done");
  EXPECT_THAT(run("info p.h5").out, HasSubstr("simulation   statics at 0: done, "));
  EXPECT_THAT(run("run p.adm p.acf --report").err, HasSubstr("quasi-statics, t = 0 to 1"));
}

TEST_F(ReportProgram, OfAFailureAndOfNothing) {
  const auto all =
      simulations("SIMULATE/STATICS\n", "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\n", 3);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["ended"], "failed");
  EXPECT_THAT(all[0]["messages"].dump(), HasSubstr("no equilibrium found"));
  // A run without simulations leaves none of an earlier one.
  simulations("LINEAR/EIGENSOL\n", "");
  EXPECT_FALSE(fs::exists(folder_ / "p.report.json"));
}

}  // namespace
}  // namespace trunnion
