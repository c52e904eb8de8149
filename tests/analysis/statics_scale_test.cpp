// Equilibria of mechanisms of any size, stiffness and units, and of mechanisms without forces.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/statics/statics.hpp"

namespace trunnion::test {
namespace {

using analysis::Stability;

std::string lines(const std::vector<core::Words>& messages) {
  std::string out;
  for (const std::string& line : messages) out += line + "\n";
  return out;
}

analysis::StaticResult statics_of(Mechanism& m) {
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  return analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model));
}

std::string units(const char* mass, const char* length) {
  return fmt::format(
      "model\nUNITS/FORCE=NEWTON, MASS={}, LENGTH={}, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n", mass,
      length);
}

// Linear springs: one Newton step whatever the way, where all markers are in one place and where the spring is longer than the model.
TEST(StaticsScale, ALinearMountSagsByWeightOverStiffness) {
  Mechanism m(units("KILOGRAM", "MILLIMETER") +
              "PART/2, MASS=200, CM=20, IP=1E6,1E6,1E6\nMARKER/20, PART=2\n"
              "BUSHING/1, I=20, J=1, K=50,50,50, KT=1E6,1E6,1E6, C=1,1,1, CT=1E3,1E3,1E3\n"
              "ACCGRAV/KGRAV=-9806.65\nEND\n");
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_NEAR(m.sample().at("PART/2.Z"), -200 * 9.80665 / 50, 1e-9);
  EXPECT_LE(result.iterations, 3);
  EXPECT_EQ(result.imbalance_unit, "newton");
}

TEST(StaticsScale, ASoftSpringIsFoundManyLengthsAway) {
  for (const double stiffness : {1.0, 1e-3}) {  // 200 and 200,000 lengths of the model
    Mechanism m(
        units("KILOGRAM", "METER") +
        "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0,-0.05\nMARKER/20, PART=2\n"
        "JOINT/1, TRANSLATIONAL, I=20, J=1\nACCGRAV/KGRAV=-9.81\n" +
        fmt::format("SPRINGDAMPER/1, TRANSLATION, I=20, J=1, K={}, C=0.1, LENGTH=0.05\nEND\n", stiffness));
    const auto result = statics_of(m);
    ASSERT_TRUE(result.ok) << lines(result.messages);
    EXPECT_NEAR(m.sample().at("PART/2.Z"), -0.05 - 9.81 / stiffness, 1e-9 / stiffness);
    EXPECT_EQ(result.stability, Stability::stable);
  }
}

// A cubic spring k x³ = m g, 215 lengths away: nothing is linear, but stiffness grows on the way.
TEST(StaticsScale, AHardeningSpringIsFoundFarAway) {
  Mechanism m(units("KILOGRAM", "METER") +
              "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0,-0.01\nMARKER/20, PART=2\n"
              "JOINT/1, TRANSLATIONAL, I=20, J=1\nACCGRAV/KGRAV=-9.81\n"
              "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=-DZ(20,1)**3\nEND\n");
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_NEAR(m.sample().at("PART/2.Z"), -std::cbrt(9.81), 1e-8);
}

// A rod on a hinge, pulled aside by a spring, written in four sets of units: the same place after the same steps.
TEST(StaticsScale, TheSearchDoesNotDependOnTheUnits) {
  struct Set {
    const char *mass, *length;
    double kilogram, metre;  // one of each in this set
  };
  double angle = 0;
  int iterations = 0;
  for (const Set& set : {Set{"KILOGRAM", "METER", 1, 1}, Set{"TONNE", "MILLIMETER", 1e-3, 1e3},
                         Set{"KILOGRAM", "MILLIMETER", 1, 1e3}, Set{"GRAM", "KILOMETER", 1e3, 1e-3}}) {
    const double kg = set.kilogram, m = set.metre, inertia = 0.1 * kg * m * m;
    Mechanism rod(
        units(set.mass, set.length) +
        fmt::format(
            "MARKER/2, PART=1, QP={0:.17g},{0:.17g},0\n"
            "PART/2, MASS={1:.17g}, CM=20, IP={2:.17g},{2:.17g},{2:.17g}, QG={3:.17g},0,0\n"
            "MARKER/20, PART=2\nMARKER/21, PART=2, QP={4:.17g},0,0\nMARKER/22, PART=2, QP={3:.17g},0,0\n"
            "JOINT/1, REVOLUTE, I=21, J=1\n"
            "SPRINGDAMPER/1, TRANSLATION, I=22, J=2, K={5:.17g}, C=0, LENGTH={3:.17g}\n"
            "ACCGRAV/JGRAV={6:.17g}\nREQUEST/1, F2=AZ(21,1)\nEND\n",
            m, kg, inertia, 0.5 * m, -0.5 * m, 10 / m, -9.81 * m));
    const auto result = statics_of(rod);
    ASSERT_TRUE(result.ok) << set.length << lines(result.messages);
    const double found = rod.sample().at("REQUEST/1.F2");
    if (iterations == 0) {
      angle = found;
      iterations = result.iterations;
    }
    EXPECT_NEAR(found, angle, 1e-9) << set.mass << " " << set.length;
    EXPECT_NEAR(result.iterations, iterations, 1) << set.mass << " " << set.length;  // IMBALANCE is absolute
  }
}

// 1e-13 kg, a tenth of a millimetre.
TEST(StaticsScale, ATinyPendulumHangsDown) {
  Mechanism m(units("KILOGRAM", "METER") +
              "PART/2, MASS=1E-13, CM=20, IP=1E-22,1E-22,1E-22, QG=5E-5,0,0\nMARKER/20, PART=2\n"
              "MARKER/21, PART=2, QP=-5E-5,0,0\nJOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81\nEND\n");
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_NEAR(m.sample().at("PART/2.Y"), -5e-5, 1e-13);
  EXPECT_EQ(result.stability, Stability::stable);
}

// --- without forces: every place is a place of rest, also the one it stands in

TEST(StaticsScale, WithoutForcesItStaysWhereItIs) {
  const std::string rods = units("KILOGRAM", "METER") +
                           "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0.5,0,0\nMARKER/20, PART=2\n"
                           "MARKER/21, PART=2, QP=-0.5,0,0\nMARKER/22, PART=2, QP=0.5,0,0\n"
                           "PART/3, MASS=1, CM=30, IP=0.1,0.1,0.1, QG=1.5,0,0\nMARKER/30, PART=3\n"
                           "MARKER/31, PART=3, QP=-0.5,0,0\nJOINT/2, REVOLUTE, I=31, J=22\n";
  for (const char* more : {"JOINT/1, REVOLUTE, I=21, J=1\nEND\n", "END\n"}) {
    Mechanism m(rods + more);
    const auto result = statics_of(m);
    ASSERT_TRUE(result.ok) << lines(result.messages);
    EXPECT_LE(result.iterations, 1);
    EXPECT_EQ(m.sample().at("PART/2.X"), 0.5);
    EXPECT_EQ(m.sample().at("PART/3.X"), 1.5);
    EXPECT_EQ(m.sample().at("PART/3.Y"), 0);
    EXPECT_EQ(result.stability, Stability::neutral);
  }
}

// --- and where forces push away from the only place of rest

TEST(StaticsScale, ANegativeSpringHasItsUnstablePlace) {
  Mechanism m(units("KILOGRAM", "METER") +
              "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0,0.1\nMARKER/20, PART=2\n"
              "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
              "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=100*DZ(20,1)\nEND\n");
  const auto result = statics_of(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_NEAR(m.sample().at("PART/2.Z"), 0, 1e-9);
  EXPECT_EQ(result.stability, Stability::unstable);
}

// --- stiff above, soft beneath: the soft part's sag is its own weight over its own stiffness, 0.981

TEST(StaticsScale, ASoftSpringBeneathAStiffOne) {
  for (const double stiff : {1e8, 1e12, 1e14, 1e16}) {
    Mechanism m(units("KILOGRAM", "METER") +
                "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0,-1\nMARKER/20, PART=2\n"
                "PART/3, MASS=1E-3, CM=30, IP=0.1,0.1,0.1, QG=0,0,-2\nMARKER/30, PART=3\n"
                "JOINT/1, TRANSLATIONAL, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=20\n" +
                fmt::format("SPRINGDAMPER/1, TRANSLATION, I=20, J=1, K={}, C=1, LENGTH=1\n", stiff) +
                "SPRINGDAMPER/2, TRANSLATION, I=30, J=20, K=1E-2, C=1E-3, LENGTH=1\nACCGRAV/KGRAV=-9.81\n"
                "REQUEST/1, F2=DZ(30,20)\nEND\n");
    const auto result = statics_of(m);
    ASSERT_TRUE(result.ok) << stiff << lines(result.messages);
    EXPECT_NEAR(m.sample().at("REQUEST/1.F2"), -1.981, 1e-9) << stiff;
    // Places are known to 2e-16, forces of the stiff spring to that times its stiffness.
    const bool reached = 2.3e-16 * stiff < 1e-4;
    const std::string said = lines(result.messages);
    EXPECT_EQ(said.find("IMBALANCE = 0.0001 newton was not reached") != std::string::npos,
              result.imbalance > 1e-4)
        << stiff << said;
    EXPECT_TRUE(!reached || result.imbalance <= 1e-4) << stiff;
    EXPECT_LE(result.imbalance, 1e-4 + 2 * 2.3e-16 * stiff);
  }
}

}  // namespace
}  // namespace trunnion::test
