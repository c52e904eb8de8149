// Real models through initial conditions and a short simulation, with a stub for the user code they need.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string model(const std::string& name) {
  return std::string(TRUNNION_CORPUS_DIR) + "/models/" + name + ".adm";
}

// Routines that give zero, but for the hole of the drill string: vertical, then an arc, by the length from 600 ft on.
std::string stub_library() {
  std::string text = kHead;
  std::set<std::string> names = {"sfosub", "vfosub", "vtosub", "gfosub", "varsub",
                                 "difsub", "reqsub", "sensub", "gsesub"};
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TRUNNION_CORPUS_DIR) + "/models")) {
    if (entry.path().extension() != ".adm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    names.merge(routines_named_in(file));
  }
  names.erase("HoleCurveSub");
  for (const std::string& name : names) text += routine(name, "result[0] = 0 * time;");
  text += routine("HoleCurveSub",
                  "const double length = 720, s = 600 + length * time, z0 = 1001.5, r = 501.7;\n"
                  "if (s < z0) { result[2] = s; result[5] = length; return; }\n"
                  "const double w = (s - z0) / r, k = length / r;\n"
                  "result[0] = r * (1 - cos(w)); result[2] = z0 + r * sin(w);\n"
                  "result[3] = length * sin(w); result[5] = length * cos(w);\n"
                  "result[6] = length * k * cos(w); result[8] = -length * k * sin(w);");
  return build_text("corpus_stub", text);
}

class Corpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(model("ant"))) GTEST_SKIP() << "no corpus";
    if (!have_compilers()) GTEST_SKIP() << "no compilers";
    static const std::string library = stub_library();
    options_ = {{library}, true};
  }
  Session run(const std::string& name, const std::string& commands) {
    const Session s = run_files({model(name), put(name + ".acf", "\n" + commands)}, options_);
    EXPECT_EQ(s.status, api::RunStatus::done) << s.said;
    EXPECT_THAT(s.said, Not(HasSubstr("(no user code)")));
    fmt::print("{}:\n{}", name, s.said);
    return s;
  }
  SessionOptions options_;
};

// A strut without mass in a closed loop; VARIABLEs with an infinite slope at rest.
TEST_F(Corpus, Ant) { run("ant", "SIMULATE/DYNAMICS, END=0.02, DTOUT=0.002\n"); }

// Free fall until the first contact. The numbers are the commercial solver's own, from its result file; 0/0 is 0 there.
TEST_F(Corpus, HandspringRobot) {
  const Session s = run("handspring-robot", "SIMULATE/DYNAMICS, END=0.09, DTOUT=0.005\n");
  EXPECT_NEAR(s.at(0, "VARIABLE/24"), 0, 1e-12);
  EXPECT_NEAR(s.at(0.01, "VARIABLE/23"), -0.09806649999999997, 1e-3 * 0.01);  // ERROR = 1e-3, per step
  EXPECT_NEAR(s.at(0.09, "VARIABLE/23"), -0.88259850000000006, 1e-3 * 0.09);
  EXPECT_NEAR(s.at(0.09, "VARIABLE/42"), 0.88259850000000006, 1e-3 * 0.09);
}

// As their own command files have it: first all held, then blades and shaft released.
TEST_F(Corpus, Turbines) {
  run("nrel-test06",
      "INTEGRATOR/GSTIFF, ERROR=0.001, HMAX=5E-3, INTERPOLATE=ON\n"
      "SIMULATE/DYNAMICS, END=5E-3, DTOUT=5E-2\nDEACTIVATE/MOTION, ID=4010\n"
      "DEACTIVATE/MOTION, ID=3020\nDEACTIVATE/MOTION, ID=3150\n"
      "DEACTIVATE/JOINT, RANGE=13001,13010\nDEACTIVATE/JOINT, ID=15000\n"
      "DEACTIVATE/JOINT, RANGE=23001,23010\nDEACTIVATE/JOINT, ID=25000\n"
      "DEACTIVATE/JOINT, RANGE=33001,33010\nDEACTIVATE/JOINT, ID=35000\n"
      "SIMULATE/DYNAMICS, END=0.5, DTOUT=5E-2\n");
  run("nrel-test14",
      "INTEGRATOR/GSTIFF, ERROR=0.001, HMAX=5E-3, INTERPOLATE=ON\n"
      "SIMULATE/DYNAMICS, END=5E-3, DTOUT=5E-2\nDEACTIVATE/MOTION, ID=4010\n"
      "DEACTIVATE/MOTION, ID=3020\nDEACTIVATE/JOINT, RANGE=1301,1310\n"
      "DEACTIVATE/JOINT, ID=1500\nDEACTIVATE/JOINT, RANGE=13001,13015\n"
      "DEACTIVATE/JOINT, RANGE=23001,23015\nDEACTIVATE/JOINT, RANGE=33001,33015\n"
      "SIMULATE/DYNAMICS, END=0.5, DTOUT=5E-2\n");
}

TEST_F(Corpus, DrillString) {
  run("drill-string", "INTEGRATOR/HHT, ERROR=1E-5\nSIMULATE/DYNAMICS, END=0.01, DTOUT=0.005\n");
}

}  // namespace
}  // namespace trunnion::test
