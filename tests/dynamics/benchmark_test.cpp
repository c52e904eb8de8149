// The IFToMM benchmarks and their like against values from outside (shared/reference-values.md).

#include <cmath>

#include <fmt/format.h>

#include "dynamics/simulate.hpp"

namespace trunnion {
namespace {

using test::every;
using test::Mechanism;
using test::Motion;

constexpr const char* kUnits = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";

double drift(const Motion& motion) {
  double worst = 0;
  for (const double e : motion.energy) worst = std::max(worst, std::abs(e - motion.energy.front()));
  return worst;
}

// A01: a point mass on a bar of length 1, from the side.
std::string pendulum(const std::string& integrator) {
  return fmt::format(R"(simple pendulum
{}PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, QG=-1,0,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=1,0,0
JOINT/1, REVOLUTE, I=21, J=1
ACCGRAV/JGRAV=-9.81
INTEGRATOR/{}
END
)",
                     kUnits, integrator);
}

TEST(Benchmark, SimplePendulum) {
  for (const char* integrator : {"GSTIFF, ERROR=1e-8", "GSTIFF, SI2, ERROR=1e-8", "HHT, ERROR=1e-9",
                                 "WSTIFF, ERROR=1e-8", "GSTIFF, ERROR=1e-8, INTERPOLATE=ON"}) {
    Mechanism m(pendulum(integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, 10));
    ASSERT_TRUE(motion.result.ok) << integrator << "\n" << motion.messages();
    const bool hht = std::string(integrator).starts_with("HHT");
    const double near = hht ? 2e-4 : 2e-6;
    EXPECT_NEAR(motion.at(1, "PART/2.X"), 0.986291751131875, near) << integrator;
    EXPECT_NEAR(motion.at(1, "PART/2.Y"), -0.165010853125541, near) << integrator;
    EXPECT_NEAR(motion.at(10, "PART/2.X"), -0.275087462576117, 10 * near) << integrator;
    EXPECT_NEAR(motion.at(10, "PART/2.Y"), -0.961419205099125, 10 * near) << integrator;
    if (!hht) {
      EXPECT_LT(drift(motion), 5e-5) << integrator;
    }
    fmt::print("{}: {} steps {} iterations drift {:.2e} err {:.2e}\n", integrator,
               motion.result.loop.counts.steps, motion.result.corrector.iterations, drift(motion),
               motion.at(10, "PART/2.X") + 0.275087462576117);
  }
}

// A02: N windows of rods with spatial revolutes.
std::string four_bars(int n, const std::string& integrator) {
  std::string text = fmt::format("{} windows\n{}PART/1, GROUND\n", n, kUnits);
  const double I = 1.0 / 12;
  int joint = 0;
  for (int k = 0; k <= n; ++k) {
    const int p = 10 + k;  // vertical rods
    text += fmt::format("MARKER/{}, PART=1, QP={},0,0\n", 90000 + k, k);
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP={1},1e-3,{1}, QG={2},0.5,0, WZ=-1\n", p, I, k);
    text += fmt::format(
        "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=0,-0.5,0\nMARKER/{0}2, PART={0}, QP=0,0.5,0\n", p);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}\n", ++joint, p, 90000 + k);
  }
  for (int k = 0; k < n; ++k) {
    const int p = 200 + k;  // the top row
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1e-3,{1},{1}, QG={2},1,0, VX=1\n", p, I, k + 0.5);
    text += fmt::format(
        "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0\n", p);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}2\n", ++joint, p, 10 + k);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}2, J={}2\n", ++joint, p, 11 + k);
  }
  return text + fmt::format("ACCGRAV/JGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

TEST(Benchmark, TwoFourBars) {
  Mechanism m(four_bars(2, "GSTIFF, ERROR=1e-8"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
  const Motion motion = simulate(m, every(0.1, 10));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  fmt::print("N=2: {} steps drift {:.2e} x {:.3e}\n", motion.result.loop.counts.steps, drift(motion),
             2 * motion.at(10, "PART/10.X") - 0.328458111535);
  EXPECT_NEAR(2 * motion.at(1, "PART/10.X"), -0.195020301950, 2e-5);
  EXPECT_NEAR(2 * motion.at(1, "PART/10.Y"), -0.980799205662, 2e-5);
  EXPECT_NEAR(2 * motion.at(10, "PART/10.X"), 0.328458111535, 1e-4);
}

TEST(Benchmark, FortyFourBars) {
  for (const char* integrator : {"GSTIFF", "GSTIFF, SI2", "GSTIFF, ERROR=1e-5"}) {
    Mechanism m(four_bars(40, integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_EQ(m.assembled.freedoms, 1);
    const Motion motion = simulate(m, every(0.01, 10));
    EXPECT_TRUE(motion.result.ok) << integrator << motion.messages();
    const auto& c = motion.result.corrector;
    fmt::print("N=40 {}: {} steps {} its {} mats drift {:.2e} {:.2f} s\n", integrator,
               motion.result.loop.counts.steps, c.iterations, c.factorisations + c.refactorisations,
               drift(motion), motion.result.seconds);
  }
}

TEST(Benchmark, HeavyTop) {
  for (const char* integrator : {"GSTIFF, ERROR=1e-8", "GSTIFF, SI2, ERROR=1e-8", "HHT, ERROR=1e-9"}) {
    Mechanism m(fmt::format(R"(heavy top
{}PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=15, CM=20, IP=0.234375,0.46875,0.234375, QG=0,1,0, WY=150, WZ=-4.61538
MARKER/20, PART=2
MARKER/21, PART=2, QP=0,-1,0
JOINT/1, SPHERICAL, I=21, J=1
ACCGRAV/KGRAV=-9.81
INTEGRATOR/{}
END
)",
                            kUnits, integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_NEAR(m.sample()["JOINT/1.FY"], -319.52598817, 1e-6);
    EXPECT_NEAR(m.sample()["JOINT/1.FZ"], -317.26246154, 1e-6);
    const Motion motion = simulate(m, every(0.1, 1));
    ASSERT_TRUE(motion.result.ok) << integrator << motion.messages();
    fmt::print("top {}: {} steps err {:.2e} drift {:.2e}\n", integrator, motion.result.loop.counts.steps,
               std::abs(motion.at(1, "PART/2.X") - 0.173343964098), drift(motion));
    EXPECT_NEAR(motion.at(0.5, "PART/2.X"), -0.702468297057, 1e-4) << integrator;
    EXPECT_NEAR(motion.at(1, "PART/2.X"), 0.173343964098, 2e-4) << integrator;
  }
}

TEST(Benchmark, FreeBody) {
  for (const char* integrator : {"GSTIFF, ERROR=1e-9", "HHT, ERROR=1e-9"}) {
    Mechanism m(fmt::format(R"(free body
{}PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=1,2,3, WX=1, WZ=0.5
MARKER/20, PART=2
INTEGRATOR/{}
END
)",
                            kUnits, integrator));
    ASSERT_TRUE(m.assembled.ok);
    const Motion motion = simulate(m, every(1, 150));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    fmt::print("free {}: {} steps drift {:.2e}\n", integrator, motion.result.loop.counts.steps,
               drift(motion));
  }
}

// A04
TEST(Benchmark, Bricard) {
  const double P[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const char* axis[6] = {"0D,90D,0D", "0D,0D,0D", "90D,90D,0D", "0D,90D,0D", "0D,0D,0D", "90D,90D,0D"};
  std::string text = fmt::format("Bricard\n{}PART/1, GROUND\n", kUnits);
  text += fmt::format("MARKER/1, PART=1, QP=0,0,0, REULER={}\nMARKER/6, PART=1, QP=0,0,1, REULER={}\n",
                      axis[0], axis[5]);
  const double a = 2 * 0.01 / 12, b = 1.01 / 12;
  for (int k = 0; k < 5; ++k) {
    const int p = k + 2;
    double ip[3] = {b, b, b};
    for (int i = 0; i < 3; ++i)
      if (P[k][i] != P[k + 1][i]) ip[i] = a;
    double c[3];
    for (int i = 0; i < 3; ++i) c[i] = (P[k][i] + P[k + 1][i]) / 2;
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP={1},{2},{3}\nMARKER/{0}0, PART={0}, QP={4},{5},{6}\n",
                        p, ip[0], ip[1], ip[2], c[0], c[1], c[2]);
    text += fmt::format("MARKER/{0}1, PART={0}, QP={1},{2},{3}, REULER={4}\n", p, P[k][0], P[k][1], P[k][2],
                        axis[k]);
    text += fmt::format("MARKER/{0}2, PART={0}, QP={1},{2},{3}, REULER={4}\n", p, P[k + 1][0], P[k + 1][1],
                        P[k + 1][2], axis[k + 1]);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}\n", k + 1, p,
                        k == 0 ? std::string("1") : fmt::format("{}2", p - 1));
  }
  text += "JOINT/6, REVOLUTE, I=62, J=6\nREQUEST/1, F2=DX(32)\\F3=DY(32)\\F4=DZ(32)\n";
  for (const char* integrator : {"GSTIFF, ERROR=1e-9", "GSTIFF, SI2, ERROR=1e-8", "HHT, ERROR=1e-8"}) {
    Mechanism m(text + fmt::format("ACCGRAV/JGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_EQ(m.assembled.freedoms, 1);
    EXPECT_EQ(m.assembled.redundant.size(), 1u);
    const Motion motion = simulate(m, every(0.01, 10));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    fmt::print("Bricard {}: {} steps drift {:.2e} err {:.2e}\n", integrator, motion.result.loop.counts.steps,
               drift(motion), motion.at(5, "REQUEST/1.F2") - 0.9999327422);
    EXPECT_NEAR(motion.at(0.5, "REQUEST/1.F2"), 0.7747178080, 1e-5);
    EXPECT_NEAR(motion.at(2, "REQUEST/1.F2"), -0.7781353730, 1e-3);
  }
}

}  // namespace
}  // namespace trunnion
