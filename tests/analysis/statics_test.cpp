// States of rest against closed forms, what is said about them, and what is said where there are none.

#include "analysis/statics/statics.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"

namespace trunnion::test {
namespace {

using analysis::Stability;
using std::numbers::pi;
using ::testing::HasSubstr;

std::string lines(const std::vector<core::Words>& messages) {
  std::string out;
  for (const std::string& line : messages) out += line + "\n";
  return out;
}

analysis::StaticResult rest(Mechanism& m) {
  return analysis::statics(*m.system, m.assembled, analysis::static_settings(m.read.model));
}

// A rod of length 2 and mass 3, hinged at the ground's origin, at `angle` from the x axis; gravity along −y.
std::string pendulum(double angle, const std::string& more = "") {
  Planar text;
  text.marker(1, 1, 0, 0);
  text.part(2, 3, 1, std::cos(angle), std::sin(angle), angle).marker(21, 2, -1, 0);
  text.revolute(1, 21, 1).line("ACCGRAV/JGRAV=-9.81");
  if (!more.empty()) text.line(more);
  return text.end();
}

TEST(Statics, PendulumGoesToTheBottom) {
  for (const double degrees : {-45.0, 0.0, 30.0, 89.0, 135.0, 180.0, -179.0}) {
    Mechanism m(pendulum(degrees * pi / 180));
    const auto result = rest(m);
    ASSERT_TRUE(result.ok) << degrees << lines(result.messages);
    const auto got = m.sample();
    EXPECT_NEAR(got.at("PART/2.X"), 0, 1e-9) << degrees;
    EXPECT_NEAR(got.at("PART/2.Y"), -1, 1e-12) << degrees;
    EXPECT_EQ(result.stability, Stability::stable) << degrees;
    EXPECT_EQ(m.assembled.state.v.norm(), 0);
  }
}

TEST(Statics, PendulumUprightIsFoundAndCalledUnstable) {
  Mechanism up(pendulum(pi / 2));
  const auto result = rest(up);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.stability, Stability::unstable);
  EXPECT_THAT(lines(result.messages),
              HasSubstr("unstable equilibrium: 1 eigenvalue with positive real part"));
  // Newton goes to whichever is near.
  Mechanism near(
      pendulum(88 * pi / 180, "EQUILIBRIUM/METHOD=ORIGINAL, ERROR=1E-8, IMBALANCE=1E-8, STABILITY=0"));
  const auto plain = rest(near);
  ASSERT_TRUE(plain.ok) << lines(plain.messages);
  EXPECT_NEAR(near.sample().at("PART/2.Y"), 1, 1e-12);
  EXPECT_EQ(plain.stability, Stability::unstable);
}

TEST(Statics, ReactionsCarryTheWeight) {
  Mechanism m(pendulum(0.3));
  ASSERT_TRUE(rest(m).ok);
  EXPECT_NEAR(m.sample().at("JOINT/1.FY"), 3 * 9.81, 1e-8);
}

// Discrete catenary: links of weight w hang between two points. The horizontal tension H is the same in all joints, the vertical one
// changes by w from link to link, and a link lies along the mean of the tensions at its ends.
TEST(Statics, HangingChainIsTheDiscreteCatenary) {
  constexpr int kLinks = 20;
  const double length = 0.1, mass = 0.2, g = 9.81, w = mass * g, span = 1.4;
  // By symmetry V of the joint before link k is w (n/2 − k); H from the span by bisection.
  const auto reach = [&](double H) {
    double x = 0;
    for (int k = 0; k < kLinks; ++k) x += length * H / std::hypot(H, w * (kLinks / 2.0 - k - 0.5));
    return x;
  };
  double low = 1e-6, high = 1e4;
  for (int k = 0; k < 200; ++k) (reach((low + high) / 2) < span ? low : high) = (low + high) / 2;
  const double H = (low + high) / 2;

  // Laid out as two straight halves, folded upwards: far from the catenary.
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, span, 0);
  const double up = std::acos(span / (kLinks * length));
  double x = 0, y = 0;
  for (int k = 0; k < kLinks; ++k) {
    const int id = k + 2;
    const double angle = k < kLinks / 2 ? up : -up;
    text.part(id, mass, mass * length * length / 12, x + length / 2 * std::cos(angle),
              y + length / 2 * std::sin(angle), angle);
    text.marker(10 * id + 1, id, -length / 2, 0).marker(10 * id + 2, id, length / 2, 0);
    x += length * std::cos(angle);
    y += length * std::sin(angle);
    text.revolute(id, 10 * id + 1, k == 0 ? 1 : 10 * (id - 1) + 2);
  }
  text.revolute(99, 10 * (kLinks + 1) + 2, 2).line("ACCGRAV/JGRAV=-9.81");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto result = rest(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_EQ(result.stability, Stability::stable) << lines(result.messages);
  const auto got = m.sample();
  double cx = 0, cy = 0;
  for (int k = 0; k < kLinks; ++k) {
    const double V = w * (kLinks / 2.0 - k - 0.5), T = std::hypot(H, V);
    const double dx = length * H / T, dy = -length * V / T;
    EXPECT_NEAR(got.at(fmt::format("PART/{}.X", k + 2)), cx + dx / 2, 1e-9);
    EXPECT_NEAR(got.at(fmt::format("PART/{}.Y", k + 2)), cy + dy / 2, 1e-9);
    cx += dx;
    cy += dy;
  }
}

TEST(Statics, SpringsInARow) {
  // Masses on vertical guides; springs of stiffness k_i between them.
  const double k[3] = {100, 250, 400}, m[3] = {1, 2, 4}, free = 0.5, g = 9.81;
  Planar text;
  text.marker(1, 1, 0, 0, kZtoY);
  for (int i = 0; i < 3; ++i) {
    const int id = i + 2;
    text.part(id, m[i], 1, 0, -(i + 1)).marker(10 * id + 1, id, 0, 0, kZtoY);
    text.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J=1", id, 10 * id + 1));
    text.line(fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K={}, C=1, LENGTH={}", id, 10 * id + 1,
                          i == 0 ? 1 : 10 * (id - 1) + 1, k[i], free));
  }
  text.line("ACCGRAV/JGRAV=-9.81");
  Mechanism mech(text.end());
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto result = rest(mech);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  double y = 0;
  for (int i = 0; i < 3; ++i) {
    double below = 0;
    for (int j = i; j < 3; ++j) below += m[j] * g;
    y -= free + below / k[i];
    EXPECT_NEAR(mech.sample().at(fmt::format("PART/{}.Y", i + 2)), y, 1e-10);
  }
  EXPECT_EQ(result.stability, Stability::stable);
}

TEST(Statics, BushingsInARow) {
  Planar text;
  text.marker(1, 1, 0, 0);
  const double k = 1e4, m = 2;
  for (int i = 0; i < 4; ++i) {
    const int id = i + 2;
    text.part(id, m, 0.1, 0.2, 0.3).marker(10 * id + 1, id, 0, 0);
    text.line(fmt::format("BUSHING/{}, I={}, J={}, K=1E4,1E4,1E4, KT=500,500,500, C=1,1,1, CT=1,1,1", id,
                          10 * id + 1, i == 0 ? 1 : 10 * (id - 1) + 1));
  }
  text.line("ACCGRAV/JGRAV=-9.81");
  Mechanism mech(text.end());
  const auto result = rest(mech);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  double y = 0;
  for (int i = 0; i < 4; ++i) {
    y -= (4 - i) * m * 9.81 / k;
    EXPECT_NEAR(mech.sample().at(fmt::format("PART/{}.Y", i + 2)), y, 1e-10);
    EXPECT_NEAR(mech.sample().at(fmt::format("PART/{}.X", i + 2)), 0, 1e-10);
  }
}

TEST(Statics, FreePartFallsAndIsNamed) {
  Planar text;
  text.part(2, 1, 1, 0, 0).line("ACCGRAV/JGRAV=-9.81");
  Mechanism m(text.end());
  const auto result = rest(m);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(lines(result.messages), HasSubstr("no equilibrium found"));
  EXPECT_THAT(lines(result.messages), HasSubstr("PART/2"));
  EXPECT_THAT(lines(result.messages), HasSubstr("is free, and forces push it on without end"));
}

TEST(Statics, SlidingPartIsNeutral) {
  // On a horizontal guide: gravity does nothing to it.
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).part(2, 1, 1, 0.3, 0).marker(21, 2, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line("ACCGRAV/JGRAV=-9.81");
  Mechanism m(text.end());
  const auto result = rest(m);
  ASSERT_TRUE(result.ok) << lines(result.messages);
  EXPECT_EQ(result.stability, Stability::neutral);
  EXPECT_THAT(lines(result.messages), HasSubstr("free to move: PART/2"));
  // The guide is level to 1e-16; what that leaves of its weight moves it by less than a millionth.
  EXPECT_NEAR(m.sample().at("PART/2.X"), 0.3, 1e-6);
}

// The primer's §6.3: a state between markers; held it keeps 2.0, else it becomes DX.
TEST(Statics, HeldStateKeepsItsValue) {
  for (const bool hold : {false, true}) {
    Planar text;
    text.marker(1, 1, 0, 0, kZtoX).marker(11, 1, 0, 0).part(2, 1, 1, 1, 0).marker(21, 2, 0, 0, kZtoX);
    text.marker(23, 2, 0, 0);
    text.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
    text.line(fmt::format("DIFF/10, IC=2.0{}, FUNCTION=DIF(10)-DX(23,11)", hold ? ", STATIC_HOLD" : ""));
    // Pulled to x = 0.7 by a spring, pushed by a force of the state: 100 (x − 0.7) = 10 z.
    text.line(
        "SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=-100*(DX(23,11)-0.7)+10*DIF(10)+DIF1(10)");
    Mechanism m(text.end());
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto result = rest(m);
    ASSERT_TRUE(result.ok) << lines(result.messages);
    const system::StateInfo* info = m.system->find_states(model::kind_of<model::Diff>(), 10);
    const assembly::Block& block = m.system->layout().block(info->states);
    const double z = m.assembled.state.q[block.pose_offset];
    const double x = m.sample().at("PART/2.X");
    EXPECT_EQ(m.assembled.state.v[block.offset], 0);
    if (hold) {
      EXPECT_EQ(z, 2.0);
      EXPECT_NEAR(x, 0.9, 1e-9);
    } else {
      EXPECT_NEAR(x, 70 / 90.0, 1e-9);
      EXPECT_NEAR(z, x, 1e-9);
    }
  }
}

}  // namespace
}  // namespace trunnion::test
