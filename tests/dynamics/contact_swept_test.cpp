// CONTACT of EXTRUSION and REVOLUTION, and of POISSON with AUGMENTED_LAGRANGIAN_FORMULATION.

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"
#include "elements/contact.hpp"
#include "support/run_text.hpp"

namespace trunnion::test {
namespace {

constexpr double kG = 9.80665;
const std::string kHead =
    "swept\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "ACCGRAV/KGRAV=-9.80665\nPART/1, GROUND\nMARKER/1, PART=1\n";

// Straight sides between points x, y, z.
std::string polygon(int id, const std::string& ends, int points, const std::string& values) {
  return fmt::format(
      "MATRIX/{0}, FULL=RORDER, ROWS={2}, COLUMNS=3, VALUES={3}\nCURVE/{0}, {1}, MATRIX={0}, CURVE_POINTS, "
      "ORDER=2\n",
      id, ends, points, values);
}

// A prism over an L comes to rest where its weight is that of its depth.
TEST(ContactSwept, AnExtrusionLiesFlat) {
  const double K = 1e6;
  Mechanism m(kHead +
              polygon(1, "CLOSED", 7, "0.3,0,0, 0.3,0.1,0, 0.1,0.1,0, 0.1,0.3,0, 0,0.3,0, 0,0,0, 0.3,0,0") +
              fmt::format("GRAPHICS/1, PLANE, RM=1\n"
                          "PART/2, MASS=2, CM=20, IP=0.01,0.01,0.02, QG=0,0,0.0995\nMARKER/20, PART=2\n"
                          // Its middle by areas 0.03 and 0.02.
                          "MARKER/21, PART=2, QP=-0.11,-0.11,-0.1\n"
                          "GRAPHICS/2, EXTRUSION, CM=21, CID=1, LENGTH=0.2\n"
                          "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS={}, EXPONENT=1.5, DAMPING=2000, "
                          "DMAX=1E-5\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-5\nEND\n",
                          K));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.5, 2.0));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  EXPECT_NEAR(motion.at(2.0, "CONTACT/1.FZ"), 2 * kG, 1e-5 * kG);
  EXPECT_NEAR(motion.at(2.0, "PART/2.Z"), 0.1 - std::pow(2 * kG / K, 2.0 / 3), 1e-9);
}

// The forces of a disc turned from a rectangle and of a prism over a square are those of the cylinder and the box that they are.
TEST(ContactSwept, TheSameSolidsPushAlike) {
  const std::string rectangle = polygon(1, "OPEN", 4, "0,0,0, 0.2,0,0, 0.2,0,0.3, 0,0,0.3"),
                    free_end = polygon(1, "OPEN", 2, "0.2,0,0, 0.2,0,0.3"),
                    square = polygon(1, "CLOSED", 5, "0,0,0, 0.2,0,0, 0.2,0.2,0, 0,0.2,0, 0,0,0");
  struct Case {
    std::string one, other;
  };
  const std::string can = "GRAPHICS/2, FRUSTUM, CM=20, LENGTH=0.3, TOP=0.2, BOTTOM=0.2\n",
                    turned = "GRAPHICS/2, REVOLUTION, CM=20, CID=1\n";
  for (const Case& c : {Case{can, rectangle + turned}, Case{can, free_end + turned},
                        Case{"GRAPHICS/2, CYLINDER, CM=20, LENGTH=0.3, RADIUS=0.2, RANGLE=100D\n",
                             rectangle + "GRAPHICS/2, REVOLUTION, CM=20, CID=1, RANGLE=100D\n"},
                        Case{"GRAPHICS/2, BOX, CORNER=20, X=0.2, Y=0.2, Z=0.3\n",
                             square + "GRAPHICS/2, EXTRUSION, CM=20, CID=1, LENGTH=0.3\n"},
                        Case{"GRAPHICS/2, BOX, CORNER=20, X=0.2, Y=0.2, Z=-0.3\n",
                             square + "GRAPHICS/2, EXTRUSION, CM=20, CID=1, LENGTH=-0.3\n"}}) {
    double force[2][6];
    int which = 0;
    for (const std::string& solid : {c.one, c.other}) {
      // Its origin inside a box whose corner cuts it obliquely: two meshes.
      Mechanism m(kHead + solid +
                  "MARKER/2, PART=1, QP=0.02,0.01,-0.1, REULER=10D,20D,30D\n"
                  "GRAPHICS/1, BOX, CORNER=2, X=0.4, Y=0.3, Z=0.35\n"
                  "PART/2, MASS=2, CM=20, IP=0.01,0.01,0.02\nMARKER/20, PART=2\n"
                  "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E5, EXPONENT=1.2, DAMPING=1, DMAX=1E-5\n"
                  "INTEGRATOR/GSTIFF, SI2\nEND\n");
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(1e-6, 1e-6));
      ASSERT_TRUE(motion.result.ok) << motion.messages();
      int k = 0;
      for (const char* component : {"FX", "FY", "FZ", "TX", "TY", "TZ"})
        force[which][k++] = motion.at(0.0, std::string("CONTACT/1.") + component);
      ++which;
    }
    EXPECT_GT(std::abs(force[0][2]), 1.0) << c.one;
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(force[0][k], force[1][k], 1e-9 * std::abs(force[0][2])) << c.other << k;
  }
}

TEST(ContactSwept, WhatBoundsNoSolidIsSaid) {
  const std::string square = polygon(1, "CLOSED", 5, "0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,0"),
                    prism = "GRAPHICS/2, EXTRUSION, CM=20, CID=1, LENGTH=1\n",
                    turned = "GRAPHICS/2, REVOLUTION, CM=20, CID=1\n";
  const std::pair<std::string, const char*> cases[] = {
      {polygon(1, "OPEN", 4, "0,0,0, 1,0,0, 1,1,0, 0,1,0") + prism, "has a curve that is not closed"},
      {polygon(1, "CLOSED", 5, "0,0,0, 2,2,0, 2,0,0, 0,1,0, 0,0,0") + prism, "has a curve that meets itself"},
      {polygon(1, "CLOSED", 5, "0,0,0, 1,0,0, 1,1,0.1, 0,1,0, 0,0,0") + prism,
       "has a curve that does not lie in its plane"},
      {square + "GRAPHICS/2, EXTRUSION, CM=20, CID=1, LENGTH=0\n", "has a LENGTH of 0"},
      {square + "GRAPHICS/2, EXTRUSION, CM=20, CID=1\n", "has no LENGTH"},
      {square + turned, "has a curve that does not lie in its plane"},
      {polygon(1, "OPEN", 3, "-1,0,0, 1,0,1, 0,0,2") + turned, "has a curve on both sides of z"},
      {polygon(1, "OPEN", 2, "0,0,0, 0,0,2") + turned, "has a curve that bounds no area"},
      {polygon(1, "OPEN", 3, "0,1,0, 1,1,1, 0,1,2") + turned, "is not in the xz plane of CM"},
      {polygon(1, "OPEN", 2, "1,0,0, 1,0,2") + "GRAPHICS/2, REVOLUTION, CM=20, CID=1, RANGLE=400D\n",
       "needs RANGLE between a thousandth and a full turn"},
  };
  for (const auto& [solid, why] : cases) {
    Mechanism m(kHead + solid +
                "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
                "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E5, EXPONENT=1.2, DAMPING=1, DMAX=1E-5\n"
                "INTEGRATOR/GSTIFF, SI2\nEND\n");
    std::string all;
    for (const auto& idle : m.system->idle()) all += idle.why + "\n";
    EXPECT_NE(all.find(why), std::string::npos) << solid << all;
  }
}

// A prism and a disc that spin where they lie come to rest: ⅔ μ m g a is the couple of a disc pressed evenly, 0.38260 μ m g b that of a square.
TEST(ContactSwept, AFaceRubsAsItSpins) {
  const double mu = 0.3, spin = 10, J = 0.02, m = 2, a = 0.1, b = 0.2;
  const std::string square = polygon(1, "CLOSED", 5,
                                     "-0.1,-0.1,0, 0.1,-0.1,0, 0.1,0.1,0, -0.1,0.1,0, -0.1,-0.1,0") +
                             "GRAPHICS/2, EXTRUSION, CM=21, CID=1, LENGTH=0.05\n",
                    disc = polygon(1, "OPEN", 2, "0.1,0,0, 0.1,0,0.05") +
                           "GRAPHICS/2, REVOLUTION, CM=21, CID=1\n";
  for (const auto& [solid, mean] : {std::pair{square, 0.38260 * b}, {disc, 2.0 / 3 * a}}) {
    Mechanism mech(
        kHead + solid +
        fmt::format(
            "GRAPHICS/1, PLANE, RM=1\nPART/2, MASS={}, CM=20, IP=0.01,0.01,{}, QG=0,0,0.025, WZ={}\n"
            "MARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,-0.025\n"
            "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E7, EXPONENT=1.5, DAMPING=1E4, DMAX=1E-5\n"
            ", COULOMB_FRICTION=ON, MU_STATIC={}, MU_DYNAMIC={}, STICTION_TRANSITION_VELOCITY=1E-3\n"
            ", FRICTION_TRANSITION_VELOCITY=2E-3\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-6\nEND\n",
            m, J, spin, mu, mu));
    ASSERT_TRUE(mech.assembled.ok) << mech.messages();
    const Motion motion = simulate(mech, every(0.1, 1.0));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    const double slows = mu * m * kG * mean / J;
    // 0.94 for 0.943 and 0.937.
    EXPECT_NEAR(motion.at(0.2, "PART/2.WZ") - motion.at(0.3, "PART/2.WZ"), 0.1 * slows, 0.004 * 0.1 * slows)
        << solid;
    EXPECT_NEAR(motion.at(1.0, "PART/2.WZ"), 0, 1e-6) << solid;
  }
}

struct Fallen {
  double out, rests, force;
};
// From 0.2 m; what it goes out with from the first hit, carried back to the release, and where it rests.
Fallen fallen(double restitution, double penalty, const char* words, const char* integrator) {
  Mechanism m(kHead + fmt::format("GRAPHICS/1, PLANE, RM=1\n"
                                  "PART/2, MASS=2, CM=20, IP=1,1,1, QG=0,0,0.3\nMARKER/20, PART=2\n"
                                  "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                                  "CONTACT/1, IGEOM=2, JGEOM=1, POISSON, PENALTY={}, "
                                  "RESTITUTION_COEFFICIENT={}{}\nINTEGRATOR/{}\nEND\n",
                                  penalty, restitution, words, integrator));
  const Motion motion = simulate(m, every(0.01, 6.0));
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  if (!motion.result.ok || motion.incidents.size() < 2) return {};
  const double left = motion.incidents[1].t, after = std::ceil(left / 0.01 + 0.5) * 0.01;
  return {motion.at(after, "PART/2.VZ") + kG * (after - left), 0.1 - motion.at(6.0, "PART/2.Z"),
          motion.at(6.0, "CONTACT/1.FZ")};
}

// λ carries what rests: 1/(50 + ½(1 + ε²)) of the depth is left that PENALTY alone would have at PENALTY (see contact.hpp). A hit knows
// nothing of it.
TEST(AugmentedLagrangian, CarriesWhatRestsAndLeavesHitsAlone) {
  for (const char* integrator : {"GSTIFF, SI2, ERROR=1e-6", "HHT, ERROR=1e-7"}) {
    for (const double penalty : {1e6, 1e7}) {
      const double e = 0.5, weight = 2 * kG;
      const Fallen plain = fallen(e, penalty, "", integrator),
                   refined = fallen(e, penalty, ", AUGMENTED_LAGRANGIAN_FORMULATION", integrator);
      EXPECT_NEAR(refined.out, plain.out, 2e-3 * plain.out) << integrator << penalty;
      EXPECT_NEAR(refined.force, weight, 1e-4 * weight) << integrator << penalty;
      EXPECT_NEAR(plain.rests, weight / penalty / (0.5 * (1 + e * e)), 1e-3 * weight / penalty) << integrator;
      EXPECT_NEAR(refined.rests, weight / penalty / (50 + 0.5 * (1 + e * e)), 1e-3 * weight / penalty)
          << integrator << penalty;
    }
  }
}

// A box on a plane has a λ at each corner: it stays level, and slides as friction says.
TEST(AugmentedLagrangian, ABoxSlides) {
  const double slope = 0.5, mu = 0.3, K = 1e6;
  Mechanism m(
      fmt::format("slope\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                  "ACCGRAV/IGRAV={:.17g}, KGRAV={:.17g}\nPART/1, GROUND\nMARKER/1, PART=1\n"
                  "GRAPHICS/1, PLANE, RM=1\n"
                  "PART/2, MASS=2, CM=20, IP=0.01,0.01,0.01, QG=0,0,0.1\nMARKER/20, PART=2\n"
                  "MARKER/21, PART=2, QP=-0.2,-0.2,-0.1\nGRAPHICS/2, BOX, CORNER=21, X=0.4, Y=0.4, Z=0.2\n"
                  "CONTACT/1, IGEOM=2, JGEOM=1, POISSON, PENALTY={}, RESTITUTION_COEFFICIENT=0.2\n"
                  ", AUGMENTED_LAGRANGIAN_FORMULATION, COULOMB_FRICTION=ON, MU_STATIC={}, MU_DYNAMIC={}\n"
                  ", STICTION_TRANSITION_VELOCITY=1E-3, FRICTION_TRANSITION_VELOCITY=2E-3\n"
                  "INTEGRATOR/GSTIFF, SI2, ERROR=1E-6\nEND\n",
                  kG * std::sin(slope), -kG * std::cos(slope), K, mu, mu));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 2.0));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double a = kG * (std::sin(slope) - mu * std::cos(slope));
  EXPECT_NEAR(motion.at(2.0, "PART/2.VX") - motion.at(1.0, "PART/2.VX"), a, 1e-3 * a);
  EXPECT_NEAR(motion.at(2.0, "CONTACT/1.FZ"), 2 * kG * std::cos(slope), 1e-3 * kG);
  // The tilt that friction below its middle makes goes back with λ.
  EXPECT_LT(std::abs(0.1 - motion.at(2.0, "PART/2.Z")), 0.1 * 2 * kG / K);
}

// A ball has a λ, and for its sake what is apart by a little is looked at; the POINT beside it, which has none, keeps no creep there.
TEST(AugmentedLagrangian, WhatIsApartDoesNotStick) {
  elements::ContactData data;
  data.poisson = data.friction = true;
  data.stiffness = 1e6;
  data.rebound_velocity = 1e-3;
  data.refining = 1;
  data.memory = 0;
  data.rubs = {0.3, 0.2, 1e-3, 2e-3, 1e-4};
  math::Shape ball, point, plane;
  ball.kind = math::Shape::Kind::sphere;
  ball.radius = 0.1;
  plane.kind = math::Shape::Kind::plane;
  data.i = {ball, point};
  data.j = {plane};
  for (auto* side : {&data.i, &data.j}) {
    for (math::Shape& s : *side) math::set_bound(s);
  }
  const elements::Contact contact(data);
  constexpr int kKept = 15, kPoints = 24, kOfPoint = 7;  // as in contact.hpp
  for (const double height : {2e-3, -2e-3}) {
    Eigen::VectorXd signals = Eigen::VectorXd::Zero(kPoints + kOfPoint * data.points());
    signals[0] = 5e-5;
    signals[2] = height;
    signals[3] = signals[20] = 1;  // not turned, then and now
    signals[19] = height;
    signals[13] = static_cast<double>(assembly::AnalysisMode::dynamics);
    signals[14] = 0.1;
    signals[16] = 1;
    std::vector<std::pair<int, double>> kept;
    contact.keep(elements::VecMap(signals.data(), signals.size()), kept);
    std::map<int, double> last;  // of each place the last word counts
    for (const auto& [place, value] : kept) last[place] = value;
    const int of_second = kPoints - kKept + kOfPoint;
    ASSERT_TRUE(last.contains(of_second));
    EXPECT_NEAR(last[of_second], height < 0 ? 5e-5 : 0.0, 1e-12) << height;
  }
}

// Two balls in one place are thrown apart; two that are a tenth of a radius too near are not told.
TEST(ContactStart, DeepInEachOtherIsSaid) {
  for (const double apart : {0.0, 0.19}) {
    const RunOfText run = run_text(
        kHead.substr(kHead.find('\n') + 1) +
            fmt::format(
                "PART/2, MASS=2, CM=20, IP=1,1,1, QG={},0,0\nMARKER/20, PART=2\n"
                "GRAPHICS/1, ELLIPSOID, CM=1, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=1, DMAX=1E-5\n",
                apart),
        "SIMULATE/DYNAMICS, END=1E-3, STEPS=1\n");
    EXPECT_EQ(run.times_said("solids begin deeper in each other"), apart == 0.0 ? 1u : 0u) << run.said;
    EXPECT_EQ(run.times_said("CONTACT/1 by 0.2"), apart == 0.0 ? 1u : 0u) << run.said;
  }
}

}  // namespace
}  // namespace trunnion::test
