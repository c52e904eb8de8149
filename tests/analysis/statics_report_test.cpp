// What a search for a state of rest says, uses and leaves, and how it is stopped.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"
#include "support/static_models.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string lines(const std::vector<core::Words>& messages) {
  std::string out;
  for (const std::string& line : messages) out += line + "\n";
  return out;
}

analysis::StaticResult statics_of(Mechanism& m, const analysis::StaticListener& listener = {}) {
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  return analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model), listener);
}

std::string chain(const std::string& more = "") { return hanging_chain(8, 0.5) + more + "END\n"; }

TEST(StaticsReport, ASearchStopsWhereItIsAskedTo) {
  for (const char* how : {"", "EQUILIBRIUM/METHOD=ORIGINAL\n", "EQUILIBRIUM/DYNAMIC\n"}) {
    Mechanism m(chain(how));
    const Eigen::VectorXd start = m.assembled.state.q;
    int heard = 0;
    analysis::StaticListener listener;
    listener.iteration = [&](const analysis::StaticIteration&) { return ++heard < 3; };
    const auto result = statics_of(m, listener);
    EXPECT_TRUE(result.interrupted) << how;
    EXPECT_FALSE(result.ok) << how;
    EXPECT_EQ(heard, 3) << how;
    EXPECT_EQ(m.assembled.state.q, start) << how;
  }
}

TEST(StaticsReport, MaxitLimitsEveryMethodAndIsSaid) {
  for (const char* how : {"", ", METHOD=ORIGINAL", ", DYNAMIC"}) {
    Mechanism m(chain(fmt::format("EQUILIBRIUM/MAXIT=2{}\n", how)));
    const auto result = statics_of(m);
    EXPECT_FALSE(result.ok) << how;
    EXPECT_EQ(result.iterations, 2) << how;
    EXPECT_THAT(lines(result.messages), HasSubstr("not converged in MAXIT = 2 iterations")) << how;
    EXPECT_THAT(lines(result.messages), Not(HasSubstr("nothing holds"))) << how;
  }
}

// 1 kg falls in mm, kg and N: inside, forces are thousandths of a newton.
TEST(StaticsReport, ForcesAreInTheUsersUnits) {
  const std::string falling =
      "falls\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,2000\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "ACCGRAV/KGRAV=-9810\nEQUILIBRIUM/IMBALANCE=0.5, KINETIC_ENERGY_ERROR=3\nEND\n";
  Mechanism m(falling);
  const auto settings = analysis::static_settings(m.read.model);
  EXPECT_DOUBLE_EQ(settings.imbalance, 500);
  EXPECT_DOUBLE_EQ(settings.kinetic_energy_error, 3000);
  const auto result = statics_of(m);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(lines(result.messages), HasSubstr("largest imbalance: PART/2 force along z: 9.81 newton"));
  EXPECT_THAT(lines(result.messages), HasSubstr("PART/2 translation along z is free"));
}

TEST(StaticsReport, SettingsThatAreNotUsedAreNamed) {
  const auto notes = [](const std::string& given) {
    Mechanism m(chain(given));
    return analysis::static_settings(m.read.model).notes;
  };
  EXPECT_THAT(notes("EQUILIBRIUM/STABILITY=1, PATTERN=T:F, ATOL=1, IMBALANCE=1\n"),
              ElementsAre(HasSubstr("EQUILIBRIUM: STABILITY, PATTERN, ATOL are not used by this search")));
  EXPECT_THAT(notes("EQUILIBRIUM/STABILITY=1, PATTERN=T:F, ETA=0.1, METHOD=ORIGINAL\n"),
              ElementsAre(HasSubstr("EQUILIBRIUM: ETA is not used by METHOD=ORIGINAL")));
  EXPECT_TRUE(notes("EQUILIBRIUM/ALIMIT=5D, TLIMIT=1, ERROR=1E-5, MAXIT=100\n").empty());
}

// A part on a vertical guide, held by 100 (0.3 − z) and by a state.
std::string held_by_state(const std::string& rate) {
  return "state\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
         "JOINT/1, TRANSLATIONAL, I=20, J=1\nACCGRAV/KGRAV=-9.81\nDIFF/1, IC=0.1, FUNCTION=" +
         rate +
         "\nSFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, "
         "FUNCTION=100*(0.3-DZ(20,1))-20*VZ(20,1)+50*DIF(1)\nEND\n";
}

TEST(StaticsReport, AStateThatNeverRestsIsNamed) {
  Mechanism m(held_by_state("1+0*DZ(20,1)"));
  const auto result = statics_of(m);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(lines(result.messages),
              HasSubstr("DIFF/1 state: its rate is 1 at rest, wherever the mechanism stands"));
  EXPECT_THAT(lines(result.messages), HasSubstr("try: STATIC_HOLD"));
}

// The integral of a velocity: at rest its rate is zero whatever it is. 100 (0.3 − z) + 50 · 0.1 = 2 · 9.81.
TEST(StaticsReport, AStateThatNothingDeterminesKeepsItsValue) {
  for (const bool dynamic : {false, true}) {
    Mechanism m(held_by_state("VZ(20,1)"));
    analysis::StaticSettings settings = analysis::static_settings(m.read.model);
    settings.dynamic = dynamic;
    const auto result = analysis::statics(*m.system, m.assembled, settings);
    ASSERT_TRUE(result.ok) << lines(result.messages);
    EXPECT_THAT(lines(result.messages), HasSubstr("DIFF/1 state keeps its value, as with STATIC_HOLD"));
    EXPECT_EQ(m.sample().at("DIFF/1"), 0.1);
    EXPECT_NEAR(m.sample().at("PART/2.Z"), 0.3 + (5 - 2 * 9.81) / 100, 1e-9);
  }
}

// A block on a slope, μs = 0.5 above tan 20°: it creeps to where (3x − x³)/2 · μs m g cos = m g sin, x the part of the largest creep.
TEST(StaticsReport, WhatSticksCreepsAndDoesNotSlide) {
  const double slope = 20 * pi / 180, mu = 0.5, creep = 0.01;
  Mechanism m(
      "slope\nPART/1, GROUND\nMARKER/1, PART=1, REULER=90D,70D,0D\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.1\n"
      "MARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D,70D,0D\nJOINT/1, TRANSLATIONAL, I=21, J=1\n"
      "FRICTION/1, JOINT=1, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.001\n"
      ", MAX_STICTION_DEFORMATION=0.01, INPUTS=REACTION_FORCE\nACCGRAV/KGRAV=-9.81\nREQUEST/1, "
      "F2=DZ(21,1,1)\nEND\n");
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  double low = 0, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double x = (low + high) / 2;
    ((3 * x - x * x * x) / 2 * mu < std::tan(slope) ? low : high) = x;
  }
  EXPECT_NEAR(std::abs(m.sample().at("REQUEST/1.F2")), creep * low, 1e-8);
  // It stays there: what has crept is kept with the place.
  const double there = m.sample().at("REQUEST/1.F2");
  ASSERT_TRUE(statics_of(m).ok);
  EXPECT_NEAR(m.sample().at("REQUEST/1.F2"), there, 1e-9);
}

TEST(StaticsReport, ASettlingTimeThatIsTooShortIsSaid) {
  Mechanism m(chain("EQUILIBRIUM/DYNAMIC, SETTLING_TIME=0.01\n"));
  const auto result = statics_of(m);
  EXPECT_THAT(lines(result.messages), HasSubstr("(SETTLING_TIME); try: a longer SETTLING_TIME"));
}

}  // namespace
}  // namespace trunnion::test
