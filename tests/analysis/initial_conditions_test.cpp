#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "solve/least_change.hpp"

namespace trunnion::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// The primer's §3.1: x² − y = 0 from (1, 6) with x exact.
TEST(LeastChange, PrimerExample) {
  sparse::Recorder recorder;
  recorder.entry(0, 0);
  recorder.entry(0, 1);
  sparse::Replay G = recorder.compile(1, 2);
  G.start();
  G.add(2.0);
  G.add(-1.0);
  system::Weight exact_x;
  exact_x.size = 2;
  exact_x.c[0] = 1;
  solve::LeastChange problem(2, {exact_x});
  ASSERT_TRUE(problem.factor(G.matrix(), {0}));
  const Eigen::VectorXd d = problem.solve(Eigen::VectorXd::Zero(2), Eigen::VectorXd::Constant(1, 5.0));
  // Exactly d₁ = 10/(1e10 + 4), which the primer rounds to 1e-9.
  EXPECT_NEAR(d[0], 1e-9, 1e-18);
  EXPECT_NEAR(d[1], -5.0, 1e-8);
}

// The primer's §7.2: the pendulum's pin is at (4, 0); its mass centre starts at (6, −2), half a length of 1 from its end.
TEST(InitialConditions, BrokenPendulumOfThePrimer) {
  Mechanism m(
      "broken\nPART/1, GROUND\nMARKER/10, PART=1, QP=4,0,0\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=6,-2,0, EXACT=PSI:THETA:PHI\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  EXPECT_NEAR(c.at("PART/2.X"), 5, 1e-9);
  EXPECT_NEAR(c.at("PART/2.Y"), 0, 1e-9);
  // θ moves by λ/w = 2e-10, no more.
  EXPECT_NEAR(c.at("PART/2.PSI") + c.at("PART/2.PHI"), 0, 1e-9);
  EXPECT_EQ(m.assembled.freedoms, 1);
}

// IC/PATTERN: an old Jacobian converges by a factor a step instead of quadratically, to the same place.
TEST(InitialConditions, PatternSaysWhenTheJacobianIsRenewed) {
  const auto model = [](const char* pattern) {
    return std::string(
               "turned\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, QG=0.8,0.6,0, "
               "REULER=40D,0,0\n"
               "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\nMARKER/22, PART=2, QP=1,0,0\n"
               "MARKER/11, PART=1, QP=1.2,0,0, REULER=90D,90D,0\nJOINT/1, REVOLUTE, I=21, J=10\nJPRIM/1, "
               "INPLANE, I=22, "
               "J=11\nIC/") +
           pattern + "\nEND\n";
  };
  Mechanism always(model("PATTERN=T")), once(model("PATTERN=T:F:F:F:F:F:F:F:F:F"));
  ASSERT_TRUE(always.assembled.ok) << always.messages();
  ASSERT_TRUE(once.assembled.ok) << once.messages();
  EXPECT_GT(once.assembled.iterations, always.assembled.iterations);
  EXPECT_NEAR(once.sample().at("PART/2.X"), always.sample().at("PART/2.X"), 1e-9);
}

TEST(InitialConditions, PendulumReactionAndAcceleration) {
  // A uniform rod of length 2 released from the horizontal: α = 3g/(2L)·…: pivot torque m g l = (I + m l²) α.
  Mechanism m(
      "rod\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=3, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10\nACCGRAV/JGRAV=-10\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  const double alpha = -3.0 * 10 / (1 + 3.0);
  EXPECT_NEAR(c.at("PART/2.WDZ"), alpha, 1e-12);
  EXPECT_NEAR(c.at("PART/2.ACCY"), alpha, 1e-12);
  EXPECT_NEAR(c.at("JOINT/1.FY"), 3 * (alpha + 10), 1e-11);
}

TEST(InitialConditions, GivenVelocitiesAreKeptAndOthersFollow) {
  Mechanism m(
      "rod\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=3, CM=20, IP=1,1,1, QG=1,0,0, WZ=2\nMARKER/20, "
      "PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  // The weight of what is given is 1e10, so it moves by about 1e-10.
  EXPECT_NEAR(c.at("PART/2.WZ"), 2, 1e-9);
  EXPECT_NEAR(c.at("PART/2.VY"), 2, 1e-9);
  EXPECT_NEAR(c.at("PART/2.ACCX"), -4, 1e-8);
}

// A crane's arm of 50 m: what is not given, the travel of its mass centre, follows the turn that is, whatever lengths are counted in.
TEST(InitialConditions, GivenTurnsAreKeptInAnyUnitOfLength) {
  for (const auto& [unit, in_metres] :
       {std::pair{"METER", 1.0}, std::pair{"CENTIMETER", 1e2}, std::pair{"MILLIMETER", 1e3}}) {
    Mechanism m(fmt::format(
        "arm\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH={}, TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
        "PART/2, MASS=3, CM=20, IP={:.17g},{:.17g},{:.17g}, WZ=0.5\nMARKER/20, PART=2, QP={:.17g},0,0\n"
        "MARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=10\nEND\n",
        unit, in_metres * in_metres, in_metres * in_metres, in_metres * in_metres, 50 * in_metres));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    // To 1e-13 of the travel of the mass centre, 0.5 times 50 m.
    EXPECT_NEAR(m.sample().at("PART/2.WZ"), 0.5, 25e-13 * in_metres) << unit;
    EXPECT_EQ(m.messages(), "") << unit;
  }
}

// What follows a turn that is given may be much, and far away: eighteen parts, up to 55 m from the hub, in millimetres.
TEST(InitialConditions, AGivenTurnCarriesAllThatIsFixedToIt) {
  std::string text =
      "rotor\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
      "PART=1\nPART/2, MASS=1000, CM=20, IP=1E9,1E9,1E9, WZ=1.2\nMARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, "
      "J=10\n";
  for (int k = 0; k < 18; ++k)
    text += fmt::format(
        "PART/{0}, MASS=10, CM={0}0, IP=1E6,1E6,1E6, QG={1},{2},0\nMARKER/{0}0, PART={0}\nMARKER/{0}9, "
        "PART=2, "
        "QP={1},{2},0\nJOINT/{0}, FIXED, I={0}0, J={0}9\n",
        k + 3, (5 + 50.0 / 17 * k) * 1000 * std::cos(k * 2.1),
        (5 + 50.0 / 17 * k) * 1000 * std::sin(k * 2.1));
  Mechanism m(text + "END\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(m.sample().at("PART/2.WZ"), 1.2, 1e-12);
  EXPECT_EQ(m.messages().find("changed"), std::string::npos) << m.messages();
}

// A velocity that is given is kept whatever its size, 0 too, beside a motion that drives others faster, and whatever else there is.
TEST(InitialConditions, SmallVelocitiesAreKeptBesideAFastMotion) {
  for (const char* given : {"0", "1E-9", "1E-4", "0.5"}) {
    for (const char* idle : {"", "PART/5, MASS=1, CM=50, IP=1,1,1, WX=1\nMARKER/50, PART=5\n"}) {
      Mechanism m(fmt::format(
          "links\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, "
          "GROUND\nMARKER/10, "
          "PART=1\nMARKER/11, PART=1, QP=60000,0,0, REULER=0,90D,0\n"
          "PART/2, MASS=1, CM=20, IP=1E6,1E6,1E6, QG=25000,0,0, WZ={}\nMARKER/20, PART=2\n"
          "MARKER/21, PART=2, QP=-25000,0,0\nMARKER/22, PART=2, QP=25000,0,0\nJOINT/1, REVOLUTE, I=21, J=10\n"
          "PART/3, MASS=1, CM=30, IP=1E6,1E6,1E6, QG=55000,0,0\nMARKER/30, PART=3\n"
          "MARKER/31, PART=3, QP=-5000,0,0\nMARKER/32, PART=3, QP=5000,0,0\nJOINT/2, REVOLUTE, I=31, J=22\n"
          "MOTION/1, I=32, J=10, Y, FUNCTION=100000*TIME\n{}END\n",
          given, idle));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      EXPECT_NEAR(m.sample().at("PART/2.WZ"), std::stod(given), 1e-12) << given << idle;
      EXPECT_NEAR(m.sample().at("PART/3.WZ"), 10 - 5 * std::stod(given), 1e-9) << given << idle;
    }
  }
}

// The weights of what is given and what is not are 1e10 apart; their rounding once gave a free part 1e-6 rad/s about another axis.
TEST(InitialConditions, AFreePartStartsAsGiven) {
  Mechanism m(
      "free\nPART/1, GROUND\nMARKER/10, PART=1\n"
      "PART/2, MASS=3, CM=20, IP=1,1,1, REULER=0.3,0.4,0, VX=1, WY=-3\nMARKER/20, PART=2\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  EXPECT_NEAR(c.at("PART/2.WX"), 0, 1e-14);
  EXPECT_NEAR(c.at("PART/2.WY"), -3, 1e-14);
  EXPECT_NEAR(c.at("PART/2.WZ"), 0, 1e-14);
  EXPECT_EQ(c.at("PART/2.VX"), 1);
}

TEST(InitialConditions, JointsThatCannotCloseAreNamed) {
  Mechanism m(
      "apart\nPART/1, GROUND\nMARKER/10, PART=1\nMARKER/11, PART=1, QP=5,0,0\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\n"
      "! adams_view_name='left'\nJOINT/1, SPHERICAL, I=20, J=10\n! adams_view_name='right'\nJOINT/2, "
      "SPHERICAL, I=21, J=11\nEND\n",
      analysis::Upto::positions);
  EXPECT_FALSE(m.assembled.ok);
  EXPECT_THAT(m.assembled.messages, Contains(HasSubstr("JOINT/2 'right'")));
}

TEST(Redundancy, DoubleHingeIsNamed) {
  // Two revolutes on one axis: five of the ten equations are redundant.
  Mechanism m(
      "door\nPART/1, GROUND\nMARKER/10, PART=1\nMARKER/11, PART=1, QP=0,0,1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-1,0,0\nMARKER/22, PART=2, QP=-1,0,1\n"
      "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=22, J=11\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.redundant.size(), 5u);
  EXPECT_EQ(m.assembled.freedoms, 1);
  EXPECT_THAT(analysis::describe(*m.system, m.assembled.redundant.front()),
              HasSubstr("is redundant with JOINT/1"));
}

// IFToMM A04: six hinges in a ring of five rods and ground; Gruebler says −0, the linkage moves: one equation is redundant.
TEST(Redundancy, BricardHasExactlyOne) {
  std::string text = "bricard\nPART/1, GROUND\n";
  const double P[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  // Euler 3-1-3 that turn z to y (180D,90D,180D), z (none) and x (90D,90D,0).
  const char* to_y = "180D,90D,180D";
  const char* to_x = "90D,90D,0D";
  const char* to_z = "0D,0D,0D";
  const char* use[6] = {to_y, to_z, to_x, to_y, to_z, to_x};
  const auto point = [&](int k) { return fmt::format("{},{},{}", P[k][0], P[k][1], P[k][2]); };
  text += fmt::format("MARKER/10, PART=1, QP={}, REULER={}\nMARKER/15, PART=1, QP={}, REULER={}\n", point(0),
                      use[0], point(5), use[5]);
  for (int k = 0; k < 5; ++k) {
    const int part = k + 2;
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=0.1,0.1,0.1\n", part);
    text += fmt::format("MARKER/{}0, PART={}, QP={},{},{}\n", part, part, (P[k][0] + P[k + 1][0]) / 2,
                        (P[k][1] + P[k + 1][1]) / 2, (P[k][2] + P[k + 1][2]) / 2);
    text +=
        fmt::format("MARKER/{0}1, PART={0}, QP={1}, REULER={2}\nMARKER/{0}2, PART={0}, QP={3}, REULER={4}\n",
                    part, point(k), use[k], point(k + 1), use[k + 1]);
  }
  text += "JOINT/1, REVOLUTE, I=21, J=10\n";
  for (int k = 1; k < 5; ++k) text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}2\n", k + 1, k + 2, k + 1);
  text += "JOINT/6, REVOLUTE, I=62, J=15\nACCGRAV/JGRAV=-9.81\nEND\n";
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.redundant.size(), 1u);
  EXPECT_EQ(m.assembled.freedoms, 1);
  EXPECT_THAT(
      analysis::describe(*m.system, m.assembled.redundant[0]),
      ::testing::MatchesRegex("JOINT/6: (rotation about|translation along) [xyz] is redundant with JOINT/1, "
                              "JOINT/2, JOINT/3, JOINT/4, JOINT/5.*"));
}

TEST(Redundancy, ContradictionIsNamed) {
  Mechanism m(
      "twice\nPART/1, GROUND\nMARKER/10, PART=1\nMARKER/11, PART=1, QP=0,0,1\nPART/2, MASS=1, CM=20, "
      "IP=1,1,1\nMARKER/20, PART=2\n"
      "JPRIM/1, INPLANE, I=20, J=10\nJPRIM/2, INPLANE, I=20, J=11\nEND\n",
      analysis::Upto::positions);
  EXPECT_FALSE(m.assembled.ok);
  EXPECT_THAT(m.messages(), HasSubstr("contradict"));
  EXPECT_THAT(m.messages(), HasSubstr("JPRIM/2"));
}

TEST(InitialConditions, StartValuesOfAJointHoldAtTheStart) {
  Mechanism m(
      "crank\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, "
      "PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10, ICROT=30D,4\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  EXPECT_NEAR(c.at("PART/2.Y"), 0.5, 1e-9);
  EXPECT_NEAR(c.at("PART/2.WZ"), 4, 1e-9);
  EXPECT_EQ(m.assembled.freedoms, 1);
}

TEST(InitialConditions, PlanarPartKeepsItsVelocities) {
  Mechanism m(
      "plane\nPART/1, GROUND\nPART/2, PLANAR, MASS=1, CM=20, IP=1,1,1, QG=1,2,0, VX=7, VY=-1, "
      "WZ=3\nMARKER/20, PART=2\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  EXPECT_NEAR(c.at("PART/2.VX"), 7, 1e-12);
  EXPECT_NEAR(c.at("PART/2.VY"), -1, 1e-12);
  EXPECT_NEAR(c.at("PART/2.WZ"), 3, 1e-12);
  EXPECT_EQ(m.assembled.freedoms, 3);
}

TEST(InitialConditions, StartAngleWithoutRateLeavesTheVelocityAlone) {
  Mechanism m(
      "crank\nPART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0, WZ=5\nMARKER/20, "
      "PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10, IC=30D\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto c = m.sample();
  EXPECT_NEAR(c.at("PART/2.Y"), 0.5, 1e-9);
  EXPECT_NEAR(c.at("PART/2.WZ"), 5, 1e-8);
}

// Weights of 1e10 beside lever arms of hundreds of mm were taken for a singular matrix.
TEST(InitialConditions, APartInMillimetresMayHaveAllItsVelocitiesGiven) {
  Mechanism m(R"(part in mm
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND
PART/1, GROUND
MARKER/10, PART=1, QP=0,-186,-367, REULER=0.456,2.42,-1.86
PART/2, MASS=2, CM=20, IP=132637,100079,121851, QG=46.8,-441,-487, REULER=-2.89,1.05,-2.91
, VX=353, VY=-625, VZ=637, WX=-1.34, WY=2.73, WZ=3.42
MARKER/20, PART=2, QP=-106,142,-101
MARKER/21, PART=2, QP=23,21.1,284, REULER=2.51,2.79,0.747
JOINT/1, REVOLUTE, I=21, J=10
END
)");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
}

// The same kilogram in micrograms and micrometres: a multiplier's pivot is 1e-18 of an inertia there, and no zero.
TEST(InitialConditions, UnitsOfMassDoNotMakeAReactionSingular) {
  Mechanism m(
      "small units\nUNITS/FORCE=MICRONEWTON, MASS=MICROGRAM, LENGTH=MICROMETER, TIME=SECOND\nPART/1, "
      "GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1E9, CM=20, IP=2E17,2E17,3E17, QG=1E5,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-1E5,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nACCGRAV/JGRAV=-9.81E6\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  // A compound pendulum let go from the horizontal: g m l²/(I + m l²), whatever the units; to rounding.
  const double expected = -9.81e6 * 1e19 / (3e17 + 1e19);
  EXPECT_NEAR(m.sample(m.assembled.state, assembly::AnalysisMode::initial_conditions).at("PART/2.ACCY"),
              expected, 1e-12 * 9.81e6);
}

// Velocities of 0.5 to 3 are given that the joints do not allow together. Where PART/3 stands WY hardly enters the equation that is left over: to
// change what is given as little as can be made it 9,700 rad/s, and VX and VZ 1,700 m/s.
TEST(InitialConditions, GivenVelocitiesThatContradictEachOtherStayOfTheirSize) {
  Mechanism m(
      "two parts\nPART/1, GROUND\n"
      "PART/2, MASS=2, CM=20, IP=0.1,0.2,0.25,0.01,0.02,-0.01, QG=0.1,0.2,0.3, REULER=0.4,0.5,0.6\n"
      ", WX=1, WY=-2, WZ=3, VX=0.5\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=0.2,-0.1,0.05, REULER=0.2,0.4,0.1\n"
      "PART/3, MASS=1, CM=30, IP=0.05,0.06,0.07, QG=0.8,-0.2,0.4, REULER=-0.4,0.3,0.9\n"
      ", WX=-1, WZ=2, VY=1\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=-0.1,0.1,0.2, REULER=0.1,-0.3,0.5\n"
      "MARKER/3, PART=1, QP=0.1,0.2,0.3, REULER=0.4,0.5,0.6\n"
      "JOINT/1, REVOLUTE, I=20, J=3\nJOINT/2, SPHERICAL, I=31, J=21\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_LT(m.assembled.state.v.lpNorm<Eigen::Infinity>(), 4);
  EXPECT_THAT(m.messages(), HasSubstr("start velocities were changed"));
}

TEST(InitialConditions, FreeMasslessPartIsNamed) {
  Mechanism m(
      "nothing\nPART/1, GROUND\nMARKER/10, PART=1\n! adams_view_name='ghost'\nPART/2\nMARKER/20, "
      "PART=2\nJOINT/1, SPHERICAL, I=20, J=10\nEND\n");
  EXPECT_FALSE(m.assembled.ok);
  EXPECT_THAT(m.messages(), HasSubstr("PART/2 'ghost'"));
}

// Rows across the plane of a planar part hold nothing. Where axes are turned they are rounding, and where angles are printed with ten digits
// the last of these.
TEST(Redundant, RowsAcrossThePlaneOfAPartAreNone) {
  for (const char* euler :
       {"0,0,0", "0,180D,0", "0.7,180D,0.2", "0.3,0,-2", "0,3.141592654,0", "0.4,1E-9,0"}) {
    for (const auto& [joint, left] :
         {std::pair{"REVOLUTE", 1}, {"SPHERICAL", 1}, {"FIXED", 0}, {"CYLINDRICAL", 1}, {"PLANAR", 3}}) {
      SCOPED_TRACE(std::string(euler) + " " + joint);
      const Mechanism m(
          fmt::format("plane\nPART/1, GROUND\nMARKER/3, PART=1, REULER={0}\n"
                      "PART/2, PLANAR, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2, QP=1,0,0\nMARKER/21, "
                      "PART=2, REULER={0}\n"
                      "JOINT/1, {1}, I=21, J=3\nACCGRAV/JGRAV=-9.81\nEND\n",
                      euler, joint));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      EXPECT_EQ(m.assembled.freedoms, left);
    }
  }
}

}  // namespace
}  // namespace trunnion::test
