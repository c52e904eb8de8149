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
    EXPECT_FALSE(s.rows.empty());
    for (const auto& row : s.rows) {
      for (const auto& [channel, value] : row) EXPECT_TRUE(std::isfinite(value)) << channel;
    }
    return s;
  }
  // The largest change of the energy's balance, over the largest of its parts.
  static double drift(const Session& s) {
    double largest = 0, scale = 0;
    for (const auto& row : s.rows) {
      largest = std::max(largest, std::abs(row.at("ENERGY.BALANCE") - s.rows.front().at("ENERGY.BALANCE")));
      for (const char* part : {"ENERGY.KINETIC", "ENERGY.DISSIPATED", "ENERGY.WORK"})
        scale = std::max(scale, std::abs(row.at(part)));
    }
    EXPECT_GT(scale, 0);
    return largest / scale;
  }
  // Where steps err by ERROR of what moves (tests/dynamics/energy_test.cpp).
  static void expect_balance(const Session& s, double error) { EXPECT_LE(drift(s), std::sqrt(error)); }
  SessionOptions options_;
};

// A strut without mass in a closed loop; VARIABLEs with an infinite slope at rest.
TEST_F(Corpus, Ant) { expect_balance(run("ant", "SIMULATE/DYNAMICS, END=0.02, DTOUT=0.002\n"), 1e-3); }

// Free fall until the first contact. The numbers are the commercial solver's own, from its result file; 0/0 is 0 there.
TEST_F(Corpus, HandspringRobot) {
  const Session s = run("handspring-robot", "SIMULATE/DYNAMICS, END=0.09, DTOUT=0.005\n");
  EXPECT_NEAR(s.at(0, "VARIABLE/24"), 0, 1e-12);
  EXPECT_NEAR(s.at(0.01, "VARIABLE/23"), -0.09806649999999997, 1e-3 * 0.01);  // ERROR = 1e-3, per step
  EXPECT_NEAR(s.at(0.09, "VARIABLE/23"), -0.88259850000000006, 1e-3 * 0.09);
  EXPECT_NEAR(s.at(0.09, "VARIABLE/42"), 0.88259850000000006, 1e-3 * 0.09);
}

// As in their own command files: first all held, then blades and shaft released.
std::string released(const std::string& integrator, const std::vector<std::string>& held,
                     const std::string& simulate) {
  std::string commands =
      "INTEGRATOR/GSTIFF, ERROR=0.001, HMAX=5E-3, INTERPOLATE=ON\nSIMULATE/DYNAMICS, END=5E-3, DTOUT=5E-2\n";
  for (const std::string& what : held) commands += "DEACTIVATE/" + what + "\n";
  return commands + "INTEGRATOR/" + integrator + ", INTERPOLATE=ON\nSIMULATE/DYNAMICS, " + simulate + "\n";
}
std::string three_blades(const std::string& integrator, const std::string& simulate) {
  return released(
      integrator,
      {"MOTION, ID=4010", "MOTION, ID=3020", "MOTION, ID=3150", "JOINT, RANGE=13001,13010", "JOINT, ID=15000",
       "JOINT, RANGE=23001,23010", "JOINT, ID=25000", "JOINT, RANGE=33001,33010", "JOINT, ID=35000"},
      simulate);
}
std::string teetering(const std::string& integrator, const std::string& simulate) {
  return released(integrator,
                  {"MOTION, ID=4010", "MOTION, ID=3020", "JOINT, RANGE=1301,1310", "JOINT, ID=1500",
                   "JOINT, RANGE=13001,13015", "JOINT, RANGE=23001,23015", "JOINT, RANGE=33001,33015"},
                  simulate);
}

// What moves is what the deck's four digits leave of strain, 20 J and 3 J in modes of up to 6,300 rad/s without damping: less than ERROR
// sees. So the step decides, and the balance closes as the formula's order has it: 4 times better with half the step, or more.
TEST_F(Corpus, TurbinesKeepTheirEnergy) {
  const auto falls = [&](const char* name, const auto& commands) {
    const auto with = [&](const char* h) {
      return drift(run(
          name, commands(std::string("HHT, ALPHA=-0.01, ERROR=0.001, HMAX=") + h, "END=0.015, DTOUT=1E-3")));
    };
    const double coarse = with("8E-5"), fine = with("4E-5");
    EXPECT_LE(fine, 0.3 * coarse) << name << " " << coarse;
    EXPECT_LE(coarse, 1e-3) << name;
  };
  falls("nrel-test06", three_blades);
  falls("nrel-test14", teetering);
}

TEST_F(Corpus, TurbinesByBdf) {
  const auto with_error = [&](const char* error) {
    return drift(run("nrel-test06",
                     three_blades(std::string("GSTIFF, HMAX=5E-3, ERROR=") + error, "END=0.5, DTOUT=5E-2")));
  };
  EXPECT_LE(with_error("1E-7"), 0.1 * with_error("1E-3"));
  // Orders 1 and 2 only take energy out of a vibration, which is said; order 3 would feed it (dynamics/vibration_test.cpp), and is not
  // left to: the amplitude test sees it.
  const Session damped =
      run("nrel-test14", teetering("GSTIFF, ERROR=0.001, HMAX=5E-3, KMAX=2", "END=0.5, DTOUT=5E-2"));
  for (std::size_t k = 1; k < damped.rows.size(); ++k)
    EXPECT_LE(damped.rows[k].at("ENERGY.BALANCE"), damped.rows[k - 1].at("ENERGY.BALANCE"));
  EXPECT_LT(damped.rows.back().at("ENERGY.KINETIC"), 1e-3 * damped.rows.front().at("ENERGY.POTENTIAL"));
  EXPECT_THAT(damped.said, Not(HasSubstr("the energy rose")));
  const Session fed = run("nrel-test14", teetering("GSTIFF, ERROR=0.001, HMAX=5E-3", "END=0.5, DTOUT=5E-2"));
  EXPECT_THAT(fed.said, Not(HasSubstr("the energy rose")));
  EXPECT_THAT(fed.said, HasSubstr("GSTIFF damps what ERROR does not see: try a smaller ERROR or HMAX"));
}

TEST_F(Corpus, DrillString) {
  expect_balance(
      run("drill-string", "INTEGRATOR/HHT, ERROR=1E-5\nSIMULATE/DYNAMICS, END=0.01, DTOUT=0.005\n"), 1e-5);
}

}  // namespace
}  // namespace trunnion::test
