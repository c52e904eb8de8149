// CONTACT over time against closed forms: restitution, Hertz, sticking, the rattleback, Painlevé's rod.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

constexpr double kGravity = 9.80665;

std::string ground(double slope = 0) {
  return fmt::format(
      "closed\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/IGRAV={:.17g}, "
      "KGRAV={:.17g}\n"
      "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n",
      kGravity * std::sin(slope), -kGravity * std::cos(slope));
}

// In with v, to the depth d where ½v² + g d = ½ω²d², out with ½v'² = ½ε²ω²d² − g d; between −vr and vr, 1 mm/s, the force is in between,
// which is a part (vr/v)² of the energy.
TEST(ContactClosed, PoissonGivesBackWhatItsCoefficientSays) {
  for (const double e : {0.0, 0.3, 0.7, 1.0}) {
    const double height = 0.2, penalty = 1e6, omega2 = penalty / 2, v = std::sqrt(2 * kGravity * height);
    Mechanism m(ground() +
                fmt::format("PART/2, MASS=2, CM=20, IP=1,1,1, QG=0,0,{}\nMARKER/20, PART=2\n"
                            "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                            "CONTACT/1, IGEOM=2, JGEOM=1, POISSON, PENALTY={}, RESTITUTION_COEFFICIENT={}\n"
                            "INTEGRATOR/GSTIFF, SI2, ERROR=1e-7\nEND\n",
                            0.1 + height, penalty, e));
    const Motion motion = simulate(m, every(0.01, 0.25));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    if (e == 0.0) {  // it is let out no faster than vr
      EXPECT_GT(motion.at(0.25, "PART/2.VZ"), 0);
      EXPECT_LT(motion.at(0.25, "PART/2.VZ"), 1e-3);
      EXPECT_NEAR(motion.at(0.25, "CONTACT/1.FZ"), 2 * kGravity, 0.1);
      continue;
    }
    ASSERT_GE(motion.incidents.size(), 2u) << e;
    const double d = (kGravity + std::sqrt(kGravity * kGravity + omega2 * v * v)) / omega2;
    const double out = std::sqrt(e * e * omega2 * d * d - 2 * kGravity * d);
    const double left = motion.incidents[1].t;
    EXPECT_NEAR(motion.at(0.25, "PART/2.VZ") + kGravity * (0.25 - left), out, 2e-3) << e;
    const double first = std::sqrt(2 * height / kGravity),
                 in_contact = 0.5 * M_PI / std::sqrt(omega2) * (1 + 1 / e);
    EXPECT_NEAR(motion.incidents[0].t, first, 2e-5) << e;
    EXPECT_NEAR(left - first, in_contact, 0.06 * in_contact) << e;  // of weightless contact
  }
}

// A ball of steel on steel: depth (15 m v²/(16 E* √R))^(2/5), time in contact 2.943275 depth/v.
TEST(ContactClosed, HertzOnAPlane) {
  const double R = 0.01, E = 1.1e11, v = 1, mass = 7800 * 4.0 / 3 * M_PI * R * R * R;
  const double depth = std::pow(15 * mass * v * v / (16 * E * std::sqrt(R)), 0.4);
  const double far = 0.001;
  Mechanism m(fmt::format(
      "hertz\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS={:.17g}, CM=20, IP={},{},{}, QG=0,0,{}, VZ={}\nMARKER/20, "
      "PART=2\n"
      "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE={}, YSCALE={}, ZSCALE={}\n"
      "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS={:.17g}, EXPONENT=1.5, DAMPING=0, DMAX=1E-6\n"
      "INTEGRATOR/GSTIFF, SI2, ERROR=1e-8\nEND\n",
      mass, 1e-6, 1e-6, 1e-6, R + far, -v, 2 * R, 2 * R, 2 * R, 4.0 / 3 * E * std::sqrt(R)));
  std::vector<double> times;
  for (int k = 0; k <= 200; ++k) times.push_back(far / v + 1e-6 * k);
  const Motion motion = simulate(m, times);
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  double deepest = 0;
  for (const auto& row : motion.rows) deepest = std::max(deepest, R - row.at("PART/2.Z"));
  EXPECT_NEAR(deepest, depth, 1e-3 * depth);  // between two outputs
  ASSERT_EQ(motion.incidents.size(), 2u);
  EXPECT_NEAR(motion.incidents[1].t - motion.incidents[0].t, 2.943275 * depth / v, 0.02 * depth / v);
  EXPECT_NEAR(motion.rows.back().at("PART/2.VZ"), v, 1e-6);
}

std::string block_on(double slope, double mu_s, double mu_d) {
  const double half = 0.05, depth = 2 * kGravity * std::cos(slope) / 1e6;
  return ground(slope) +
         fmt::format(
             "PART/2, MASS=2, CM=20, IP=0.01,0.01,0.01, QG=0,0,{:.17g}\nMARKER/20, PART=2\nMARKER/21, "
             "PART=2, QP=-0.1,-0.1,-0.05\n"
             "GRAPHICS/2, BOX, CORNER=21, X=0.2, Y=0.2, Z=0.1\n"
             "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E6, EXPONENT=1, DAMPING=1000, DMAX=1E-5\n"
             ", COULOMB_FRICTION=ON, MU_STATIC={}, MU_DYNAMIC={}, STICTION_TRANSITION_VELOCITY=1E-3\n"
             ", FRICTION_TRANSITION_VELOCITY=2E-3, STICTION=ON, MAX_STICTION_DEFORMATION=1E-5\n",
             half - depth, mu_s, mu_d);
}

// The creep that carries the load is (3y − y³)/2 of MAX_STICTION_DEFORMATION; then it stands, for minutes. Without STICTION it would
// creep by 2 cm a minute.
TEST(ContactClosed, ABlockSticksForAMinute) {
  // 1e-4 N is 1e-10 m of creep: an ERROR of 1e-5 leaves what swings by that to chance.
  for (const char* integrator : {"HHT, ERROR=1e-6", "GSTIFF, ERROR=1e-6"}) {
    const double slope = std::atan(0.25);  // half of what MU_STATIC holds
    Mechanism m(block_on(slope, 0.5, 0.4) + fmt::format("INTEGRATOR/{}\nEND\n", integrator));
    const Motion motion = simulate(m, {1.0, 2.0, 60.0});
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    fmt::print("{}: {} steps, creep {:.9g} m after 1 s, {:.9g} after a minute\n", integrator,
               motion.result.loop.counts.steps, motion.at(1.0, "PART/2.X"), motion.at(60.0, "PART/2.X"));
    EXPECT_LT(std::abs(motion.at(1.0, "PART/2.X")), 2e-5);
    EXPECT_NEAR(motion.at(60.0, "PART/2.X"), motion.at(2.0, "PART/2.X"), 1e-8);
    EXPECT_NEAR(motion.at(60.0, "CONTACT/1.FX"), -2 * kGravity * std::sin(slope), 1e-4);
  }
}

TEST(ContactClosed, ABlockThatCannotStickSlides) {
  Mechanism m(block_on(M_PI / 6, 0.5, 0.3) + "INTEGRATOR/HHT, ERROR=1e-6\nEND\n");
  const Motion motion = simulate(m, every(0.25, 1.0));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double a = (motion.at(1.0, "PART/2.VX") - motion.at(0.5, "PART/2.VX")) / 0.5;
  EXPECT_NEAR(a, kGravity * (std::sin(M_PI / 6) - 0.3 * std::cos(M_PI / 6)), 1e-5);
}

// Sticking is no resistance to rolling: 5/7 g sin.
TEST(ContactClosed, WhatSticksStillRolls) {
  const double slope = M_PI / 12;
  for (const bool ball_is_i : {true, false}) {
    Mechanism m(
        ground(slope) +
        fmt::format(
            "PART/2, MASS=1, CM=20, IP=0.004,0.004,0.004, QG=0,0,{:.17g}\nMARKER/20, PART=2\n"
            "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
            "CONTACT/1, {}, IMPACT, STIFFNESS=1E6, EXPONENT=1, DAMPING=100, DMAX=1E-5\n"
            ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=1E-3\n"
            ", FRICTION_TRANSITION_VELOCITY=1E-2, STICTION=ON, MAX_STICTION_DEFORMATION=1E-5\n"
            "INTEGRATOR/HHT, ERROR=1e-6\nEND\n",
            0.1 - kGravity * std::cos(slope) / 1e6, ball_is_i ? "IGEOM=2, JGEOM=1" : "IGEOM=1, JGEOM=2"));
    const Motion motion = simulate(m, every(0.25, 1.0));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    const double a = (motion.at(1.0, "PART/2.VX") - motion.at(0.5, "PART/2.VX")) / 0.5;
    EXPECT_NEAR(a, 5.0 / 7.0 * kGravity * std::sin(slope), 1e-3) << ball_is_i;
  }
}

// STICTION holds in statics too: the way from where the model was drawn is the creep.
TEST(ContactClosed, StaticsSticks) {
  const double slope = std::atan(0.25);
  const Read read = check_adm(block_on(slope, 0.5, 0.4) + "END\n");
  api::Session session(read.model);
  ASSERT_TRUE(session.assemble());
  ASSERT_TRUE(session.equilibrium().ok);
  EXPECT_NEAR(session.value("CONTACT/1.FX").value(), -2 * kGravity * std::sin(slope), 1e-6);
  EXPECT_LT(std::abs(session.value("PART/2.X").value()), 1e-5 + 1e-6);
}

// A celt spun the wrong way turns round, spun the other way it goes on. Its data are those of Kane and Levinson (1982): semi-axes 200, 30, 20 mm,
// mass centre 10 mm below their centre, principal axes of inertia turned by the product.
TEST(ContactClosed, TheRattlebackReverses) {
  const auto spin_after = [](double spin) {
    Mechanism m(
        ground() +
        fmt::format(
            "PART/2, MASS=1, CM=20, IP=0.0002,0.0016,0.0017,-2E-5,0,0, QG=0,0,0.009979"
            ", REULER=0,0.0087,0, WZ={}\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,0.01\n"
            "GRAPHICS/2, ELLIPSOID, CM=21, XSCALE=0.4, YSCALE=0.06, ZSCALE=0.04\n"
            "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E8, EXPONENT=1.5, DAMPING=50, DMAX=1E-5\n"
            ", COULOMB_FRICTION=ON, MU_STATIC=1, MU_DYNAMIC=1, STICTION_TRANSITION_VELOCITY=1E-3\n"
            ", FRICTION_TRANSITION_VELOCITY=2E-3\nINTEGRATOR/HHT, ERROR=1e-6\nEND\n",
            spin));
    const Motion motion = simulate(m, every(0.1, 10.0));
    EXPECT_TRUE(motion.result.ok) << motion.messages();
    double least = 1e9;
    for (const auto& row : motion.rows) least = std::min(least, row.at("PART/2.WZ") * (spin > 0 ? 1 : -1));
    fmt::print("celt spun at {} rad/s: least spin that way {:.3g}\n", spin, least);
    return least;
  };
  const double one_way = spin_after(5), other_way = spin_after(-5);
  EXPECT_LT(std::min(one_way, other_way), -0.5);
  EXPECT_GT(std::max(one_way, other_way), 0.5);
}

// A slender rod of mass m, 2 l long, leans by θ from the floor and slides the way it leans, its lower end pushed ahead:
//   N (1 + 3 cos θ (cos θ − μ sin θ)) = m (g − l θ̇² sin θ)
// Where the bracket is negative no rigid force balances (Painlevé): of an elastic floor N then grows without bound until the slip has stopped.
TEST(ContactClosed, PainlevesRod) {
  const double l = 0.5, theta = 1.1, speed = 3;  // 1 + 3 cos θ (cos θ − μ sin θ) < 0 beyond μ = 1.33
  const auto slid = [&](double mu, double end) {
    const double x = l * std::cos(theta), z = l * std::sin(theta);
    Mechanism m(
        ground() +
        fmt::format(
            "PART/2, MASS=1, CM=20, IP={0},{0},1E-6, QG=0,0,{1:.17g}, VX={2}\nMARKER/20, PART=2\n"
            "MARKER/21, PART=2, QP={3:.17g},0,{4:.17g}\nGRAPHICS/2, ELLIPSOID, CM=21, XSCALE=0.002, "
            "YSCALE=0.002, ZSCALE=0.002\n"
            "JOINT/1, PLANAR, I=22, J=2\nMARKER/22, PART=2, REULER=0,1.5707963267948966,0\nMARKER/2, PART=1, "
            "REULER=0,1.5707963267948966,0\n"
            "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E6, EXPONENT=1, DAMPING=200, DMAX=1E-6\n"
            ", COULOMB_FRICTION=ON, MU_STATIC={5}, MU_DYNAMIC={5}, STICTION_TRANSITION_VELOCITY=1E-3\n"
            ", FRICTION_TRANSITION_VELOCITY=2E-3\nREQUEST/1, VELOCITY, I=21\nINTEGRATOR/GSTIFF, SI2, "
            "ERROR=1e-8\nEND\n",
            l * l / 3, z + 0.001 - 1e-5, speed, x, -z, mu));
    Motion motion = simulate(m, every(end / 20, end));
    EXPECT_TRUE(motion.result.ok) << motion.messages();
    return motion;
  };
  const double mu = 0.5, c = std::cos(theta), s = std::sin(theta);
  const Motion slides = slid(mu, 0.02);
  const auto& row = slides.rows.back();
  const double turned = row.at("PART/2.WY") * 0.02 / 2;  // θ falls with a turn about +y
  const double t = theta + turned, rate = row.at("PART/2.WY");
  const double bracket = 1 + 3 * std::cos(t) * (std::cos(t) - mu * std::sin(t));
  EXPECT_NEAR(row.at("CONTACT/1.FZ"), (kGravity - l * rate * rate * std::sin(t)) / bracket, 0.02 * kGravity);
  EXPECT_LT(1 + 3 * c * (c - 2 * s), 0);
  // Of a bounded force, m g, the slip would last speed/(μ g) = 0.15 s.
  const Motion jams = slid(2.0, 0.02);
  double slowest = speed;
  for (const auto& at : jams.rows) slowest = std::min(slowest, std::abs(at.at("REQUEST/1.F2")));
  fmt::print("rod: slowest slip {:.3g} m/s\n", slowest);
  EXPECT_LT(slowest, 0.3 * speed);
}

// The file of a wheel is not there: the ellipsoid of its inertia, 12 % too large, is made to stand on the floor where the wheel did.
TEST(ContactClosed, AnEllipsoidStandsInForAWheelThatCannotBeRead) {
  const double R = 0.3;
  const std::string wheel = fmt::format(
      "PART/2, MASS=10, CM=20, IP={0:.17g},{1:.17g},{0:.17g}, QG=0,0,{2}\nMARKER/20, PART=2\n"
      "GRAPHICS/2, EXTERNAL, RM=20, FILE=wheel.xmt_txt\n",
      10 * (R * R / 4 + 0.01 / 12), 10 * R * R / 2, R);
  const std::string law =
      ", IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=1000, DMAX=1E-4\nINTEGRATOR/HHT, ERROR=1e-5\nEND\n";
  Mechanism m(ground() + wheel + "CONTACT/1, IGEOM=2, JGEOM=1" + law);
  std::vector<std::string> said;
  for (const system::Idle& idle : m.system->idle()) said.push_back(idle.label + ": " + idle.why);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[0].find("CONTACT/1: the ellipsoid in place of EXTERNAL geometry is made smaller"),
            std::string::npos);
  EXPECT_NE(said[1].find("GRAPHICS/2: EXTERNAL geometry that cannot be read"), std::string::npos);
  const Motion motion = simulate(m, {1.0});
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  EXPECT_NEAR(motion.at(1.0, "PART/2.Z"), R - std::pow(10 * kGravity / 1e6, 2.0 / 3), 1e-4);
  EXPECT_NEAR(motion.at(1.0, "CONTACT/1.FZ"), 10 * kGravity, 0.5);
  // Against a cylinder nothing is made up.
  Mechanism pin(ground() + wheel +
                "GRAPHICS/3, CYLINDER, CM=1, LENGTH=0.1, RADIUS=0.1\nCONTACT/1, IGEOM=2, JGEOM=3" + law);
  ASSERT_EQ(pin.system->idle().size(), 1u);
  EXPECT_TRUE(pin.system->idle()[0].left_out);
}

// A post of 4 mm in the list of the floor that the ball touches all the time: no step passes it.
TEST(ContactClosed, WhatTouchesTheFloorStillMeetsThePost) {
  for (const char* integrator : {"HHT", "GSTIFF"}) {
    Mechanism m(
        ground() +
        fmt::format(
            "PART/2, MASS=1, CM=20, IP=0.004,0.004,0.004, QG=0,0,{:.17g}, VX=20\nMARKER/20, PART=2\n"
            "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.02, YSCALE=0.02, ZSCALE=0.02\n"
            "MARKER/3, PART=1, QP=1.013,-0.05,-0.05\nGRAPHICS/3, BOX, CORNER=3, X=0.004, Y=0.1, Z=0.2\n"
            "CONTACT/1, IGEOM=2, JGEOM=1,3, IMPACT, STIFFNESS=1E8, EXPONENT=1.5, DAMPING=0, DMAX=1E-5\n"
            "INTEGRATOR/{}\nEND\n",
            0.01 - std::pow(kGravity / 1e8, 2.0 / 3), integrator));
    const Motion motion = simulate(m, {0.1});
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    EXPECT_LT(motion.at(0.1, "PART/2.VX"), -10) << integrator;
  }
}

}  // namespace
}  // namespace trunnion::test
