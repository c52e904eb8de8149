// FE_PART at rest against values that no element has part in: published ones, and a rod integrated along its axis (rod_by_shooting.hpp).
// Both kinds of elements, 16 of them, and how fast the error falls.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/flexible_beam.hpp"
#include "analysis/linear/linear.hpp"
#include "analysis/rod_by_shooting.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using Vec3 = Eigen::Vector3d;

std::string growing(double x) { return fmt::format("{:.17g}*TIME", x); }

// Where the end of the beam comes to rest under a force on it.
Vec3 tip(const FlexibleBeam& beam, const Vec3& F, int steps) {
  const auto at =
      followed(beam.clamped(beam.load({growing(F.x()), growing(F.y()), growing(F.z()), "0", "0", "0"})),
               F.norm(), steps);
  if (at.empty()) return Vec3::Constant(NAN);
  return {at.at("FE_PART/2.2.X"), at.at("FE_PART/2.2.Y"), at.at("FE_PART/2.2.Z")};
}

FlexibleBeam princeton(const char* type, int elements) {
  FlexibleBeam beam;
  beam.type = type;
  beam.elements = elements;
  beam.length = 0.508;
  beam.K = {2.84191e6, 6.40131e5, 9.03881e5, 3.10338, 36.2794, 2.42873};
  return beam;
}
Rod rod_of(const FlexibleBeam& beam, const Vec3& F) {
  Rod rod;
  for (int i = 0; i < 6; ++i) rod.K[i] = beam.K[static_cast<std::size_t>(i)];
  rod.length = beam.length;
  rod.force = F;
  return rod;
}
// At an angle to the plane of the stiff bending.
Vec3 at_angle(double P, double degrees) {
  return {0, P * std::sin(degrees * pi / 180), P * std::cos(degrees * pi / 180)};
}

FlexibleBeam bend(const char* type, int elements) {
  FlexibleBeam beam;
  beam.type = type;
  beam.elements = elements;
  const double E = 1e7, I = 1.0 / 12;
  beam.K = {E, E / 2, E / 2, E / 2 * 2 * I, E * I, E * I};
  beam.length = 100 * pi / 4;
  beam.end = fmt::format("{:.17g},{:.17g},0,{:.17g},0,0", 100 * std::sin(pi / 4),
                         100 * (1 - std::cos(pi / 4)), pi / 4);
  return beam;
}

// The oracle itself gives the digits of reference-values.md.
TEST(FePartOracles, TheRodIsThatOfTheReferences) {
  const FlexibleBeam beam = princeton("3DBEAM", 1);
  const Vec3 light = rod_of(beam, at_angle(4.448, 45)).end(5).x,
             heavy = rod_of(beam, at_angle(13.345, 45)).end(5).x;
  EXPECT_NEAR(light.y(), 0.05605600486, 1e-11);
  EXPECT_NEAR(light.z(), 0.003965164595, 1e-12);
  EXPECT_NEAR(heavy.y(), 0.1565898721, 1e-10);
  EXPECT_NEAR(heavy.z(), 0.01534234846, 1e-11);
  Rod arc = rod_of(bend("3DBEAM", 1), {0, 0, 600});
  arc.unstressed[5] = 0.01;
  EXPECT_LT((arc.end(6).x - Vec3(47.150438574, 15.684800534, 53.474858792)).norm(), 2e-9);
}

// Princeton beam, the experiment's angles. With 16 elements of two nodes the error is below 5e-4 of the smaller deflection and falls with
// h²; of three nodes it is below 1e-6, and falls with h⁴.
TEST(FePartOracles, PrincetonBeamAtAllAngles) {
  for (const double degrees : {15.0, 30.0, 45.0, 60.0, 75.0}) {
    const Vec3 F = at_angle(13.345, degrees);
    const Vec3 exact = rod_of(princeton("3DBEAM", 1), F).end(5).x;
    for (const bool three : {false, true}) {
      const Vec3 found = tip(princeton(three ? "3DBEAM3" : "3DBEAM", 16), F, 5);
      const double part = three ? 1e-6 : 5e-4;
      EXPECT_NEAR(found.y(), exact.y(), part * exact.y()) << degrees << three;
      EXPECT_NEAR(found.z(), exact.z(), part * exact.z()) << degrees << three;
      RecordProperty(fmt::format("princeton_{}_{}", degrees, three ? 3 : 2),
                     fmt::format("{:.3e}", (found - exact).norm()));
    }
  }
}

// How the error falls from 4 to 8 elements, in space: h² with two nodes, h⁴ with three.
TEST(FePartOracles, OrderInSpace) {
  const Vec3 F = at_angle(13.345, 45), push(0, 0, 600);
  const Vec3 exact = rod_of(princeton("3DBEAM", 1), F).end(5).x;
  const Vec3 arc(47.150438574, 15.684800534, 53.474858792);
  for (const bool three : {false, true}) {
    const char* type = three ? "3DBEAM3" : "3DBEAM";
    const double order = three ? 4 : 2;
    const double coarse = (tip(princeton(type, 4), F, 5) - exact).norm(),
                 fine = (tip(princeton(type, 8), F, 5) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.35)
        << "Princeton " << type << " " << coarse << " " << fine;
    const double bent = (tip(bend(type, 4), push, 4) - arc).norm(),
                 bent_fine = (tip(bend(type, 8), push, 4) - arc).norm();
    EXPECT_NEAR(std::log2(bent / bent_fine), order, 0.35)
        << "bend " << type << " " << bent << " " << bent_fine;
  }
}

// Bathe and Bolourchi's bend: 2e-7 of its length with 16 elements of three nodes.
TEST(FePartOracles, BendOf45Degrees) {
  const Vec3 found = tip(bend("3DBEAM3", 16), {0, 0, 600}, 4);
  EXPECT_LT((found - Vec3(47.150438574, 15.684800534, 53.474858792)).norm(), 2e-7 * 100 * pi / 4);
}

// MacNeal and Harder's twisted beam: 12 long, 1.1 by 0.32, turned by 90 degrees, E = 29e6, ν = 0.22. Published deflections under a unit
// load are 0.005424 and 0.001754, of a solid; a beam's are within 0.3 % of them. Under a thousand times that they are large.
TEST(FePartOracles, TwistedBeam) {
  const double E = 29e6, G = E / 2.44, b = 1.1, h = 0.32, L = 12;
  const double J = b * h * h * h * (1.0 / 3 - 0.21 * h / b * (1 - std::pow(h / b, 4) / 12));
  FlexibleBeam beam;
  beam.elements = 16;
  beam.length = L;
  beam.K = {E * b * h, G * b * h * 5 / 6,      G * b * h * 5 / 6,
            G * J,     E * b * h * h * h / 12, E * h * b * b * b / 12};
  // Turned about x: the second of the 3-1-3 angles.
  beam.end = fmt::format("{},0,0,0,{:.17g},0", L, pi / 2);
  for (const double P : {1.0, 1000.0}) {
    for (const int axis : {1, 2}) {
      Rod rod = rod_of(beam, P * Vec3::Unit(axis));
      rod.unstressed[3] = pi / 2 / L;
      const Vec3 exact = rod.end(8).x;
      if (P == 1.0) {
        EXPECT_NEAR(exact[axis], axis == 1 ? 0.001754 : 0.005424, 3e-3 * exact[axis]);
      }
      for (const bool three : {false, true}) {
        beam.type = three ? "3DBEAM3" : "3DBEAM";
        const Vec3 found = tip(beam, P * Vec3::Unit(axis), P == 1.0 ? 1 : 5);
        EXPECT_LT((found - exact).norm(), (three ? 2e-5 : 4e-3) * std::abs(exact[axis]))
            << P << axis << three;
      }
    }
  }
}

// The right-angle frame of Argyris (two legs of 240, 30 by 0.6, E = 71240, ν = 0.31, J = b t³/3), clamped at one end, pushed at the other
// along its first leg: it buckles out of its plane at 1.088 (Argyris et al. 1979; Simo and Vu-Quoc 1986: 1.09). The rod without elements
// gives 1.0875178, and 0.6804274 for a pull.
TEST(FePartOracles, RightAngleFrameGivesWay) {
  const double E = 71240, G = E / 2.62, b = 30, t = 0.6, L = 240;
  const auto text = [&](const char* type, double P) {
    std::string out = "frame\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/99, PART=1, FLOATING\n";
    out += diagonal_matrix(1, {E * b * t, G * b * t * 5 / 6, G * b * t * 5 / 6, G * b * t * t * t / 3,
                               E * b * t * t * t / 12, E * t * b * b * b / 12}) +
           "\n" + diagonal_matrix(2, {1e-6, 1e-6, 1e-6, 1e-4, 1e-4, 1e-4}) + "\n";
    const std::string sections = fmt::format("\n, SECTION_STIFFNESS=1, SECTION_INERTIA=2, SUBDIVIDE=16\n");
    out += fmt::format("FE_PART/2, TYPE={}, NODE_LABELS=1,2\n, COORDINATES=1,0,0,0,0,0,0,2,{},0,0,0,0,0",
                       type, L) +
           sections;
    out += fmt::format(
               "FE_PART/3, TYPE={0}, NODE_LABELS=1,2\n, COORDINATES=1,{1},0,0,-90D,0,0,2,{1},-{1},0,-90D,0,0",
               type, L) +
           sections;
    out +=
        "MARKER/21, FE_PART=2, NODE_LABEL=1\n" +
        fmt::format(
            "MARKER/22, FE_PART=2, NODE_LABEL=2, QP={0},0,0\nMARKER/31, FE_PART=3, NODE_LABEL=1, QP={0},0,0\n"
            "MARKER/32, FE_PART=3, NODE_LABEL=2, QP={0},-{0},0\n",
            L);
    out += "JOINT/1, FIXED, I=21, J=1\nJOINT/2, FIXED, I=31, J=22\n";
    out += fmt::format(
        "GFORCE/1, I=32, JFLOAT=99, RM=1\n, FX={:.17g}*TIME\\FY=0\\FZ=0\\TX=0\\TY=0\\TZ=0\nEND\n", P);
    return out;
  };
  for (const bool three : {false, true}) {
    const double known =
        three ? 2e-4 : 2e-3;  // the verdict is neutral within 1e-5 of it: what IMBALANCE leaves open
    for (const double critical : {1.0875178, -0.68042736}) {
      for (const double part : {1 - known, 1 + known}) {
        Mechanism mech(text(three ? "3DBEAM3" : "3DBEAM", critical * part));
        ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
        analysis::StaticSettings settings = tight(mech, std::abs(critical));
        for (const double share : {0.5, 1.0}) {
          mech.assembled.state.t = share;
          settings.judge = share == 1.0;
          const auto result = analysis::statics(*mech.system, mech.assembled, settings);
          ASSERT_TRUE(result.ok) << (result.messages.empty() ? "" : result.messages.back());
          if (settings.judge) {
            EXPECT_EQ(result.stability,
                      part < 1 ? analysis::Stability::stable : analysis::Stability::unstable)
                << three << " " << critical * part;
          }
        }
      }
    }
  }
}

// A cable of 2 m between supports that come together to 1.6 m: the same rod as a boundary-value problem (collocation to 1e-10, by another
// program) sags by 0.53086083, and pulls with 0.66085750. Twice as many elements leave less than half of the error.
TEST(FePartOracles, AHangingCable) {
  FlexibleBeam beam;
  beam.type = "3DBEAM3";
  beam.length = 2;
  beam.K = {1e5, 1e5, 1e5, 1e-3, 1e-3, 1e-3};
  beam.mass = 0.1;
  beam.J = {1e-6, 5e-7, 5e-7};
  double sag[2], pull[2];
  for (const int k : {0, 1}) {
    beam.elements = k == 0 ? 6 : 12;
    const auto at = followed(
        beam.text("ACCGRAV/KGRAV=-9.81\nJOINT/1, SPHERICAL, I=21, J=1\nPART/9, MASS=1, CM=90, QG=2,0,0\n"
                  "MARKER/90, PART=9, REULER=90D,90D,0D\nMARKER/91, PART=9\n"
                  "MARKER/9, PART=1, QP=2,0,0, REULER=90D,90D,0D\nJOINT/9, TRANSLATIONAL, I=90, J=9\n"
                  "MOTION/9, JOINT=9, TRANSLATION, FUNCTION=-0.4*TIME\nJPRIM/1, ATPOINT, I=22, J=91\n"),
        1.0, 20);
    ASSERT_FALSE(at.empty());
    sag[k] = -at.at(k == 0 ? "FE_PART/2.1_6.Z" : "FE_PART/2.1_12.Z");
    pull[k] = std::abs(at.at("JOINT/1.FX"));
  }
  EXPECT_LT(std::abs(sag[1] - 0.53086083), std::abs(sag[1] - sag[0]));
  EXPECT_LT(std::abs(pull[1] - 0.66085750), std::abs(pull[1] - pull[0]));
  EXPECT_LT(std::abs(sag[1] - sag[0]), 1e-4);
}

// --- elements of three nodes as those of two: tests/analysis/fe_part_test.cpp

TEST(FePartOfThreeNodes, SmallDeflectionsAreTimoshenkosAtAnyNode) {
  for (const int elements : {1, 3}) {
    FlexibleBeam beam;
    beam.type = "3DBEAM3";
    beam.elements = elements;
    beam.length = 0.7;
    beam.K = {50, 40, 30, 2, 5, 3};
    const double P = 1e-5, L = beam.length;
    const auto at = at_rest(beam.clamped(beam.load({"0", "1e-5", "1e-5", "0", "0", "0"})), P);
    ASSERT_FALSE(at.empty());
    const double w_y = P * L * L * L / (3 * 3) + P * L / 40, w_z = P * L * L * L / (3 * 5) + P * L / 30;
    EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w_y, 2e-5 * w_y) << elements;
    EXPECT_NEAR(at.at("FE_PART/2.2.Z"), w_z, 2e-5 * w_z) << elements;
    // The moment falls from P L at the clamp: at an eighth of the first element's length it is that of the rest.
    const double first = L / elements / 4;
    EXPECT_NEAR(at.at("FE_PART/2.1-1_1.TZ"), P * (L - first), 1e-5 * P * L) << elements;
    EXPECT_NEAR(at.at("FE_PART/2.1-1_1.FY"), P, 1e-4 * P) << elements;
  }
}

TEST(FePartOfThreeNodes, RolledUpToACircle) {
  FlexibleBeam beam;
  beam.type = "3DBEAM3";
  beam.elements = 4;
  beam.length = 3;
  beam.K = {1e4, 1e4, 1e4, 2, 2, 2};
  const double M = 2 * pi * 2 / 3;
  const auto at = followed(beam.clamped(beam.load({"0", "0", "0", "0", "0", growing(M)})), M, 20);
  ASSERT_FALSE(at.empty());
  EXPECT_NEAR(at.at("FE_PART/2.2.X"), 0, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.2.Y"), 0, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_4.Y"), 3 / pi, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_3-1_4.TZ"), M, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_3-1_4.KZ"), M / 2, 1e-9);
}

// In the plane, as a 2DBEAM, too: the elastica of reference-values.md.
TEST(FePartOfThreeNodes, Elastica) {
  for (const char* type : {"3DBEAM3", "2DBEAMXY3"}) {
    double error[2];
    int k = 0;
    for (const int n : {2, 4, 16}) {
      FlexibleBeam beam;
      beam.type = type;
      beam.elements = n;
      beam.K = {1e7, 1e7, 1e7, 1, 1, 1};
      const auto at = followed(beam.clamped(beam.load({"0", growing(5), "0", "0", "0", "0"})), 5, 5);
      ASSERT_FALSE(at.empty());
      const double off =
          std::hypot(at.at("FE_PART/2.2.X") - 0.6123716393, at.at("FE_PART/2.2.Y") - 0.7137915236);
      // What stretch and shear add: P/EA = 5e-7.
      if (n == 16) {
        EXPECT_LT(off, 1e-6) << type;
      } else error[k++] = off;
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 3.5) << type;
  }
}

// Frequencies of a cantilever: in bending they agree with 40 elements of two nodes and converge to those of 16; of a rod that stretches or
// twists they are (2k−1)π/2, and the error falls with h⁶.
TEST(FePartOfThreeNodes, CantileverFrequencies) {
  const auto frequencies = [](const char* type, int n) {
    FlexibleBeam beam;
    beam.type = type;
    beam.elements = n;
    beam.K = {1e2, 1e4, 1e4, 1, 1, 1};
    beam.J = {2e-3, 1e-3, 1e-3};
    Mechanism mech(beam.clamped(""));
    EXPECT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
    const auto found = analysis::modes(*mech.system, mech.assembled, {});
    EXPECT_TRUE(found.ok);
    std::vector<double> out;
    for (const analysis::Mode& mode : found.modes) out.push_back(std::abs(mode.value.imag()));
    return out;
  };
  const auto nearest = [](const std::vector<double>& all, double w) {
    double best = HUGE_VAL;
    for (const double one : all)
      if (std::abs(one - w) < std::abs(best - w)) best = one;
    return best;
  };
  const auto others = frequencies("3DBEAM", 40);
  const auto four = frequencies("3DBEAM3", 4), eight = frequencies("3DBEAM3", 8),
             sixteen = frequencies("3DBEAM3", 16);
  for (const double w : {3.5, 21.8}) {
    const double exact = nearest(sixteen, w);
    const double coarse = std::abs(nearest(four, exact) / exact - 1),
                 fine = std::abs(nearest(eight, exact) / exact - 1);
    EXPECT_GT(std::log2(coarse / fine), 3.2) << w << " " << coarse << " " << fine;
    EXPECT_LT(coarse, 3e-4) << w;
    // Two nodes err in the rotary inertia by (kh)²/12 of k²J/2m: 1.3e-5 of the second frequency.
    EXPECT_NEAR(exact, nearest(others, exact), 2e-5 * exact);
    RecordProperty(fmt::format("bending_{}", static_cast<int>(w)),
                   fmt::format("{:.3e} {:.3e}", coarse, fine));
  }
  for (const double w : {10 * pi / 2, std::sqrt(1 / 2e-3) * pi / 2}) {
    const double coarse = std::abs(nearest(frequencies("3DBEAM3", 2), w) / w - 1),
                 fine = std::abs(nearest(four, w) / w - 1);
    EXPECT_GT(std::log2(coarse / fine), 5.3) << w << " " << coarse << " " << fine;
  }
}

// A load along the beam, and weight: q L⁴/8EI at the tip, q L and q L²/2 at the clamp.
TEST(FePartOfThreeNodes, LoadsAlongTheBeam) {
  const double q = 1e-4;
  for (const bool weight : {false, true}) {
    FlexibleBeam beam;
    beam.type = "3DBEAM3";
    beam.elements = 2;
    beam.K = {1e5, 1e5, 1e5, 1, 1, 1};
    beam.mass = weight ? 2.0 : 1e-9;
    const auto at =
        at_rest(beam.clamped(weight ? "ACCGRAV/JGRAV=5e-5\n" : "FE_LOAD/1, FE_PART=2, FY=1e-4\n"), q);
    ASSERT_FALSE(at.empty());
    const double w = q / 8 + q / 2 / 1e5;
    EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w, 1e-5 * w) << weight;
    EXPECT_NEAR(std::abs(at.at("JOINT/1.FY")), q, 1e-6 * q) << weight;
    EXPECT_NEAR(std::abs(at.at("JOINT/1.TZ")), q / 2, 1e-6 * q) << weight;
  }
}

// A node that an FE_NODE puts somewhere is an end of two elements, each with a middle of its own.
TEST(FePartOfThreeNodes, NodesBetween) {
  FlexibleBeam beam;
  beam.type = "3DBEAM3";
  beam.elements = 1;
  beam.K = {1e3, 1e3, 1e3, 1, 1, 1};
  const double P = 1e-4, a = 0.3;
  const auto at =
      at_rest(beam.clamped("FE_NODE/1, FE_PART=2, LABEL=7, S=0.3\nMARKER/30, FE_PART=2, NODE_LABEL=7\n"
                           "SFORCE/1, I=30, J=31, TRANSLATIONAL, ACTIONONLY, FUNCTION=1e-4\n"
                           "MARKER/31, PART=1, REULER=180D,90D,180D\n"),
              P);
  ASSERT_FALSE(at.empty());
  const double w = P * a * a * a / 3 + P * a / 1e3;
  EXPECT_NEAR(at.at("FE_PART/2.7.Y"), w, 1e-5 * w);
  EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w + P * a * a / 2 * (1 - a), 1e-5 * w);
  EXPECT_TRUE(at.contains("FE_PART/2.1_1-7.FX") && at.contains("FE_PART/2.7-1_2.FX"));
}

}  // namespace
}  // namespace trunnion::test
