// Reactions of the less usual constraints, restarts with other elements, and rules of the initial conditions.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

// A hinge holds a body; GCON holds its end at a height: its force is what the balance about the hinge asks for.
TEST(Reaction, GconHoldsUpABeam) {
  Planar text;
  text.marker(1, 1, 0, 0).part(2, 3, 1, 1, 0).marker(21, 2, -1, 0).marker(22, 2, 2, 0).revolute(1, 21, 1);
  text.line("GCON/1, I=22, FUNCTION=DY(22)-0.2*DX(22)+0.6").line("ACCGRAV/JGRAV=-10");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  const auto got = m.sample();
  // The gap's gradient at the end is (−0.2, 1); it has to hold 3·10·x about the hinge.
  const double x = got.at("PART/2.X"), end_x = 3 * x, end_y = 3 * got.at("PART/2.Y");
  EXPECT_NEAR(end_y, 0.2 * end_x - 0.6, 1e-9);
  const double size = 30 * x / (end_x + 0.2 * end_y);
  EXPECT_NEAR(got.at("GCON/1.FY"), size, 1e-8);
  EXPECT_NEAR(got.at("GCON/1.FX"), -0.2 * size, 1e-8);
  EXPECT_NEAR(got.at("JOINT/1.FY"), 30 - size, 1e-8);
}

// A bead on a straight wire at 30°: the wire carries m g cos 30°, the rest makes it go.
TEST(Reaction, PtcvCarriesABeadOnAWire) {
  std::string text =
      "bead\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/9, PART=1, FLOATING\n"
      "POINT_MASS/2, MASS=2, CM=20, QG=0,0,0\nMARKER/20, POINT_MASS=2\n"
      "CURVE/1, MATRIX=1, CURVE_POINTS\n";
  const double c = std::cos(pi / 6), s = std::sin(pi / 6);
  text += "MATRIX/1, FULL=RORDER, ROWS=4, COLUMNS=3, VALUES=";
  for (const double k : {-2.0, -0.7, 0.9, 2.0})
    text += fmt::format("{}{:.17g},{:.17g},0", k > -2 ? "," : "", k * c, k * s);
  Mechanism m(text + "\nPTCV/1, I=20, JFLOAT=9, CURVE=1, RM=1\nACCGRAV/JGRAV=-10\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
  const auto got = m.sample();
  EXPECT_NEAR(got.at("PTCV/1.FX"), -20 * c * s, 1e-9);
  EXPECT_NEAR(got.at("PTCV/1.FY"), 20 * c * c, 1e-9);
  EXPECT_NEAR(got.at("POINT_MASS/2.ACCX"), -10 * s * c, 1e-9);
  EXPECT_NEAR(got.at("POINT_MASS/2.ACCY"), -10 * s * s, 1e-9);
}

// An eccentric disc (radius 1, e = 0.3, as a curve) lifts a flat follower: y = 1 + e sin φ, and no work is lost between.
TEST(Reaction, CvcvBetweenACamAndAFlatFollower) {
  const int n = 96;
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, 0, 0, kZtoY);
  text.part(2, 0, 0.2, 0, 0).part(3, 2, 1, 0, 1).marker(31, 3, 0, -1, kZtoY);
  text.line("MARKER/28, PART=2, FLOATING").line("MARKER/38, PART=3, FLOATING");
  text.revolute(1, 20, 1).line("JOINT/2, TRANSLATIONAL, I=31, J=2");
  std::string values;
  for (int k = 0; k <= n; ++k) {
    const double a = 2 * pi * (k % n) / n;
    values += fmt::format(",{:.17g},{:.17g},0\n", 0.3 + std::cos(a), std::sin(a));
  }
  text.line(fmt::format("MATRIX/1, FULL=RORDER, ROWS={}, COLUMNS=3, VALUES=", n + 1) +
            values.substr(1, values.find('\n') - 1));
  std::string rest = values.substr(values.find('\n') + 1);
  if (!rest.empty() && rest.back() == '\n') rest.pop_back();
  text.line(rest).line("CURVE/1, CLOSED, MATRIX=1");
  text.line("MATRIX/2, FULL=RORDER, ROWS=4, COLUMNS=3, VALUES=-3,0,0,-1,0,0,1,0,0,3,0,0")
      .line("CURVE/2, MATRIX=2");
  text.line("CVCV/1, ICURVE=1, JCURVE=2, IRM=20, JRM=30, IFLOAT=28, JFLOAT=38, IDISP=0.3,1,0, JDISP=0.3,0,0");
  text.line("MOTION/1, JOINT=1, FUNCTION=2*TIME").line("ACCGRAV/JGRAV=-10");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  std::vector<double> times;
  for (int k = 1; k <= 30; ++k) times.push_back(0.1 * k);
  const auto result =
      analysis::kinematics(*m.system, m.assembled, times, {}, [&](const assembly::State& state) {
        const auto got = m.sample(state);
        const double phi = 2 * state.t, e = 0.3;
        // A cubic spline through n points of a circle is off by (2π/n)⁴/384 and its curvature by (2π/n)²/8 at most.
        const double h = 2 * pi / n;
        EXPECT_NEAR(got.at("PART/3.Y"), 1 + e * std::sin(phi), std::pow(h, 4));
        EXPECT_NEAR(got.at("PART/3.VY"), 2 * e * std::cos(phi), 4 * std::pow(h, 3));
        const double push = 2 * (got.at("PART/3.ACCY") + 10);
        EXPECT_NEAR(std::hypot(got.at("CVCV/1.FX"), got.at("CVCV/1.FY")), push, 1e-6);
        // Power in = power out, whatever the curve: exact.
        EXPECT_NEAR(got.at("MOTION/1.TZ") * 2, push * got.at("PART/3.VY"), 1e-6);
      });
  std::string said;
  for (const std::string& line : result.messages) said += line + "\n";
  EXPECT_TRUE(result.ok) << said;
}

// q₁ + 2 q₂ = 0 between two rotors: the drive feels J₁ + J₂/4.
TEST(Reaction, CouplerBetweenTwoRotors) {
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, 5, 0).part(2, 1, 0.3, 0, 0).part(3, 1, 0.8, 5, 0);
  text.revolute(1, 20, 1).revolute(2, 30, 2).line("COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,2");
  text.line("MOTION/1, JOINT=1, FUNCTION=1.5*TIME**2");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto got = m.sample();
  EXPECT_NEAR(got.at("PART/3.WDZ"), -1.5, 1e-10);
  EXPECT_NEAR(got.at("MOTION/1.TZ"), 3 * (0.3 + 0.8 / 4), 1e-9);
  // What the coupler does to the first rotor is half of what the second needs, against the drive.
  EXPECT_NEAR(got.at("COUPLER/1.TZ"), -0.5 * 0.8 * 1.5, 1e-9);
}

// F1 and F5 are the magnitudes of what follows them, unless they are given themselves.
TEST(Request, MagnitudesOfExpressions) {
  Mechanism m(Planar()
                  .marker(1, 1, 0, 0)
                  .part(2, 1, 1, 3, 4)
                  .line("REQUEST/1, F2=DX(20)\\F3=DY(20)\\F6=-2")
                  .line("REQUEST/2, F1=7\\F2=DX(20)\\F5=-1\\F7=3")
                  .end());
  const auto got = m.sample();
  EXPECT_NEAR(got.at("REQUEST/1.F1"), 5, 1e-12);
  EXPECT_NEAR(got.at("REQUEST/1.F5"), 2, 1e-12);
  EXPECT_EQ(got.at("REQUEST/2.F1"), 7);
  EXPECT_EQ(got.at("REQUEST/2.F5"), -1);
}

// --- restarts

std::shared_ptr<const system::System> compile_without(Mechanism& m,
                                                      std::vector<std::pair<model::Kind, int>> off,
                                                      double time) {
  system::Inactive inactive;
  inactive.statements = std::move(off);
  return system::compile(m.read.model, inactive, m.read.diagnostics, time);
}

TEST(Restart, MotionSwitchedOffLeavesTheMechanismWhereItIs) {
  Planar text;
  text.marker(1, 1, 0, 0).part(2, 1, 1, 1, 0).marker(21, 2, -1, 0).revolute(1, 21, 1);
  text.line("MOTION/1, JOINT=1, FUNCTION=9*TIME").line("MOTION/2, JOINT=1, VELOCITY, FUNCTION=2");
  Mechanism m(text.end(), analysis::Upto::positions);
  const auto motion = model::kind_of<model::Motion>();
  const auto driven = compile_without(m, {{motion, 2}}, 0);
  auto first = analysis::initial_conditions(*driven, driven->start(), {}, analysis::Upto::accelerations);
  ASSERT_TRUE(first.ok);
  // Through one and a half turns.
  ASSERT_TRUE(analysis::kinematics(*driven, first, {0.5, 1.0}, {}, [](const auto&) {}).ok);
  const auto free = compile_without(m, {{motion, 1}, {motion, 2}}, 1.0);
  analysis::AssemblySettings again;
  again.first = false;
  const auto second = analysis::initial_conditions(*free, free->carry_over(*driven, first.state), again,
                                                   analysis::Upto::accelerations);
  ASSERT_TRUE(second.ok);
  EXPECT_EQ(second.freedoms, 1);
  EXPECT_EQ(second.state.t, 1.0);
  EXPECT_LT((second.state.q - first.state.q).norm(), 1e-9);
  EXPECT_LT((second.state.v - first.state.v).norm(), 1e-8);
  // A motion switched on goes on from where the mechanism stands, not from zero.
  const auto other = compile_without(m, {{motion, 1}}, 1.0);
  auto third = analysis::initial_conditions(*other, other->carry_over(*free, second.state), again,
                                            analysis::Upto::accelerations);
  ASSERT_TRUE(third.ok);
  EXPECT_EQ(third.freedoms, 0);
  EXPECT_LT((third.state.q - first.state.q).norm(), 1e-9);
  ASSERT_TRUE(analysis::kinematics(*other, third, {1.5}, {}, [](const auto&) {}).ok);
  m.system = other;
  m.channels = std::make_unique<results::Channels>(other, m.read.model, m.read.diagnostics);
  const auto got = m.sample(third.state);
  EXPECT_NEAR(got.at("PART/2.X"), std::cos(9.0 + 2 * 0.5), 1e-9);
  EXPECT_NEAR(got.at("PART/2.WZ"), 2, 1e-9);
}

// --- initial conditions

TEST(InitialConditions, GconThatIsNotLinearInVelocity) {
  // The speed is to be 2; the nearest velocity to (1, 1) lies along it.
  Mechanism m(
      "speed\nPART/1, GROUND\nMARKER/1, PART=1\nPOINT_MASS/2, MASS=1, CM=20, VX=1, VY=1\nMARKER/20, "
      "POINT_MASS=2\nGCON/1, FUNCTION=VX(20)**2+VY(20)**2-4\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto got = m.sample();
  EXPECT_NEAR(got.at("POINT_MASS/2.VX"), std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(got.at("POINT_MASS/2.VY"), std::sqrt(2.0), 1e-9);
  EXPECT_EQ(m.assembled.freedoms, 2);
}

TEST(InitialConditions, MasslessPartThatIsHeldIsNoTrouble) {
  // A rod without mass between two bodies: all its motion follows from theirs.
  Planar text;
  text.marker(1, 1, 0, 0).part(2, 1, 1, 1, 0).marker(21, 2, -1, 0).revolute(1, 21, 1);
  text.line("PART/3, QG=1,0,0")
      .marker(30, 3, 0, 0)
      .line("JOINT/2, FIXED, I=30, J=20")
      .line("ACCGRAV/JGRAV=-10");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(m.sample().at("PART/3.ACCY"), -10.0 / 2, 1e-9);
  EXPECT_NEAR(m.sample().at("JOINT/2.FY"), 0, 1e-9);
}

TEST(InitialConditions, MasslessPartThatIsLeftFreeIsNamed) {
  Planar text;
  text.marker(1, 1, 0, 0).line("! adams_view_name='ghost'").line("PART/3, QG=0,0,0").marker(30, 3, 0, 0);
  text.revolute(1, 30, 1);
  Mechanism m(text.end());
  EXPECT_FALSE(m.assembled.ok);
  EXPECT_THAT(m.messages(), HasSubstr("PART/3 'ghost' rotation about body z has no mass"));
}

TEST(InitialConditions, FloatingMarkerHasNoPlaceForAJoint) {
  Read read = check_adm(Planar()
                            .marker(1, 1, 0, 0)
                            .part(2, 1, 1, 0, 0)
                            .line("MARKER/29, PART=2, FLOATING")
                            .line("JOINT/1, SPHERICAL, I=29, J=1")
                            .end());
  const auto system = system::compile(read.model, {}, read.diagnostics);
  EXPECT_EQ(system, nullptr);
  EXPECT_THAT(read.messages(), HasSubstr("FLOATING"));
}

}  // namespace
}  // namespace trunnion::test
