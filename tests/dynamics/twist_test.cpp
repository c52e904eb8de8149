// BEAM and FIELD with FORMULATION=NONLINEAR twisted past half a turn: a torsion pendulum, whose law G J θ/L is linear at any angle.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

constexpr double kDegree = pi / 180;
constexpr double kG = 8e3, kJ = 2.5e-3, kLength = 0.8, kInertia = 0.4;
constexpr double kStiffness = kG * kJ / kLength;
const double kOmega = std::sqrt(kStiffness / kInertia);

const std::string kBeam = fmt::format(
    "BEAM/7, I=21, J=2, FORMULATION=NONLINEAR, LENGTH={:g}, IXX={:g}, IYY=1E-3, IZZ=1E-3, AREA=0.01, "
    "EMODULUS=2E4, GMODULUS={:g}\n",
    kLength, kJ, kG);
std::string field() {
  std::string K;
  for (int k = 0; k < 36; ++k)
    K += fmt::format("{}{:g}",
                     k == 0       ? ""
                     : k % 6 == 0 ? "\n, "
                                  : ", ",
                     k % 7 != 0 ? 0.0
                     : k == 21  ? kStiffness
                                : 50.0);
  return fmt::format("FIELD/7, I=21, J=2, FORMULATION=NONLINEAR, LENGTH={:g},0,0,0,0,0, KMATRIX={}\n",
                     kLength, K);
}

// A part at the end of the element that turns about its axis, let go with a rate that takes it to `most`.
std::string pendulum(const std::string& element, double most, const std::string& more) {
  return fmt::format(
      "twist\nPART/1, GROUND\nMARKER/2, PART=1\nMARKER/3, PART=1, QP={0:g},0,0, REULER=90D,90D,0D\n"
      "PART/2, QG={0:g},0,0, MASS=1, CM=20, IP={1:g},0.5,0.6, WX={2:.15g}\nMARKER/20, PART=2\nMARKER/21, "
      "PART=2\n"
      "MARKER/22, PART=2, REULER=90D,90D,0D\nJOINT/1, REVOLUTE, I=22, J=3\n"
      "{3}REQUEST/1, F2=AZ(22,3)\n{4}END\n",
      kLength, kInertia, most * kOmega, element, more);
}

// θ = θ₀ sin ωt, to 200° and back, through −200°. Steps err by ERROR each; the balance by no more than its root (see energy_test).
TEST(Twist, GoesPastHalfATurnAndBack) {
  const double most = 200 * kDegree, period = 2 * pi / kOmega;
  for (const std::string& element : {kBeam, field()}) {
    const std::string channel = element.substr(0, element.find('/')) + "/7.TX";
    for (const char* method : {"GSTIFF", "GSTIFF, SI2", "HHT"}) {
      double last = 0;
      for (const double error : {1e-5, 1e-8}) {
        Mechanism m(pendulum(element, most, fmt::format("INTEGRATOR/{}, ERROR={:g}\n", method, error)));
        ASSERT_TRUE(m.assembled.ok) << m.messages();
        const Motion motion = simulate(m, every(period / 80, period));
        ASSERT_TRUE(motion.result.ok) << method << motion.messages();
        const double energy = 0.5 * kStiffness * most * most, allowed = std::sqrt(error);
        double furthest = 0, worst = 0;
        for (std::size_t k = 0; k < motion.t.size(); ++k) {
          const auto& row = motion.rows[k];
          const double angle = row.at("REQUEST/1.F2");
          furthest = std::max(furthest, angle);
          EXPECT_NEAR(row.at("ENERGY.BALANCE"), energy, allowed * energy) << method << motion.t[k];
          // On ground's end, or on the part's: the sign says which.
          EXPECT_NEAR(std::abs(row.at(channel)), std::abs(kStiffness * angle), 1e-9 * kStiffness)
              << channel << motion.t[k];
          worst = std::max(worst, std::abs(angle - most * std::sin(kOmega * motion.t[k])));
        }
        EXPECT_NEAR(furthest, most, allowed * most);
        EXPECT_LE(worst, 2 * pi * most * allowed) << method;  // the phase, over one period
        if (last != 0) {
          EXPECT_LE(worst, 0.5 * last)
              << method;  // what a step may err of the amplitude falls with ERROR's root
        }
        last = worst;
      }
    }
  }
}

// More than the element can follow: it says so by name, before the full turn.
TEST(Twist, StopsBeforeAFullTurn) {
  for (const std::string& element : {kBeam, field()}) {
    Mechanism m(pendulum(element, 380 * kDegree, "INTEGRATOR/GSTIFF, ERROR=1E-5\n"));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.01, 2));
    EXPECT_FALSE(motion.result.ok);
    const double angle = motion.rows.back().at("REQUEST/1.F2") / kDegree;
    EXPECT_GT(angle, 340);
    EXPECT_LT(angle, 356);
    const std::vector<std::string> troubles = m.system->user_troubles();
    ASSERT_FALSE(troubles.empty());
    EXPECT_NE(troubles.back().find(element.substr(0, element.find(',')) +
                                   ", FORMULATION=NONLINEAR: its ends are turned by "
                                   "about 360 degrees"),
              std::string::npos)
        << troubles.back();
  }
}

}  // namespace
}  // namespace trunnion::test
