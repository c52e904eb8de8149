// CONTACT of curves, of parts of cylinders, and on bodies that bend.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/flexible_beam.hpp"
#include "dynamics/simulate.hpp"
#include "support/flex_beam.hpp"
#include "support/run_text.hpp"

namespace trunnion::test {
namespace {

constexpr double kG = 9.80665;
const std::string kHead =
    "curves\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "ACCGRAV/JGRAV=-9.80665\nPART/1, GROUND\nMARKER/1, PART=1\n";

// A circle by 64 of its points, as a GRAPHICS.
std::string circle_by_points(int id, int marker, double radius) {
  std::string text;
  constexpr int kPoints = 64;
  for (int k = 0; k <= kPoints; ++k) {
    const double turn = 2 * M_PI * (k % kPoints) / kPoints;
    text += fmt::format("{}{:.17g}, {:.17g}, 0\n", k == 0 ? "" : ", ", radius * std::cos(turn),
                        radius * std::sin(turn));
  }
  return fmt::format(
      "MATRIX/{0}, FULL=RORDER, ROWS={1}, COLUMNS=3, VALUES={2}CURVE/{0}, CLOSED, MATRIX={0}, CURVE_POINTS\n"
      "GRAPHICS/{0}, CURVE, CID={0}, CRM={3}\n",
      id, kPoints + 1, text, marker);
}

// What slides inside a bore without friction is a pendulum: the quarter of its swing is √(L/g) K(sin ½θ). L is the radius less that of
// what slides, and more by the depth m g/K of 1e-6.
TEST(ContactCurve, APinSwingsInABore) {
  const double K = 1e7, start = 1.0;
  struct Case {
    const char* name;
    std::string pin, bore;
    double length;
  };
  const std::string bore = "GRAPHICS/1, CIRCLE, CM=1, RADIUS=1\n";
  for (const Case& c :
       {Case{"point in a circle", "GRAPHICS/2, POINT, RM=20\n", bore, 1},
        Case{"circle in a circle", "GRAPHICS/2, CIRCLE, CM=20, RADIUS=0.2\n", bore, 0.8},
        Case{"point in a curve", "GRAPHICS/2, POINT, RM=20\n", circle_by_points(1, 1, 1), 1},
        Case{"curve in a circle", circle_by_points(2, 20, 0.2), bore, 0.8},
        Case{"curve in a curve", circle_by_points(2, 20, 0.2), circle_by_points(1, 1, 1), 0.8}}) {
    const double L = c.length + kG * std::cos(start) / K;
    Mechanism m(
        kHead + c.bore + c.pin +
        fmt::format("PART/2, MASS=1, CM=20, IP=0.02,0.02,0.02, QG={:.17g},{:.17g},0\nMARKER/20, PART=2\n"
                    "CONTACT/1, IGEOM=2, JGEOM=1, JFLIP=T, IMPACT, STIFFNESS={}, EXPONENT=1, DAMPING=0, "
                    "DMAX=1E-4\nINTEGRATOR/HHT, ERROR=1E-7, HMAX=1E-3\nEND\n",
                    L * std::sin(start), -L * std::cos(start), K));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const double quarter = std::sqrt(c.length / kG) * std::comp_ellint_1(std::sin(start / 2));
    const Motion motion = simulate(m, {quarter});
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    const double speed = std::sqrt(2 * kG * c.length * (1 - std::cos(start)));
    // ERROR in each step, and the depth, which the pendulum is longer by; a place that is off is a speed that is off by √(g/L) times that.
    const double depth = kG * (3 - 2 * std::cos(start)) / K;
    const double near = 1e-7 * static_cast<double>(motion.result.loop.counts.steps) + depth;
    EXPECT_NEAR(motion.at(quarter, "PART/2.X"), 0, near) << c.name;
    EXPECT_NEAR(motion.at(quarter, "PART/2.VX"), -speed, near * std::sqrt(kG / c.length)) << c.name;
    EXPECT_NEAR(motion.at(quarter, "PART/2.Z"), 0, 1e-9) << c.name;
  }
}

// What cannot touch is said, not guessed.
TEST(ContactCurve, WhatCannotTouchIsSaid) {
  const auto told = [&](const std::string& pin, const std::string& bore, const std::string& more = "") {
    Mechanism m(kHead + bore + pin +
                "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,1\n"
                "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1, EXPONENT=1, DAMPING=0, DMAX=1E-4" +
                more + "\nEND\n");
    std::string all = m.messages();
    if (m.system) {
      for (const auto& idle : m.system->idle()) all += idle.why + "\n";
    }
    return all;
  };
  const std::string circle = "GRAPHICS/1, CIRCLE, CM=1, RADIUS=1\n";
  EXPECT_NE(told("GRAPHICS/2, CIRCLE, CM=21, RADIUS=1\n", circle).find("do not lie in one plane"),
            std::string::npos);
  EXPECT_NE(told("GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n", circle)
                .find("curves touch curves and points"),
            std::string::npos);
  const std::string ball = "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n",
                    plane = "GRAPHICS/1, PLANE, RM=1\n", point = "GRAPHICS/2, POINT, RM=20\n";
  EXPECT_NE(told(ball, plane, ", IFLIP=T").find("IFLIP turns curves inside out and leaves GRAPHICS/2"),
            std::string::npos);
  EXPECT_EQ(told(point, circle, ", JFLIP=T").find("FLIP"), std::string::npos);
  EXPECT_NE(told(ball, plane, ", MU_STATIC=0.3, MU_DYNAMIC=0.2").find("without COULOMB_FRICTION=ON"),
            std::string::npos);
  EXPECT_EQ(told(ball, plane, ", COULOMB_FRICTION=OFF, MU_STATIC=0.3").find("COULOMB"), std::string::npos);
}

// Half a cylinder lies on its flat face: K carries its weight once.
TEST(ContactCurve, AHalfCylinderRests) {
  Mechanism m(
      "half\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.80665\n"
      "PART/1, GROUND\nMARKER/1, PART=1, REULER=0,-90D,0\nGRAPHICS/1, PLANE, RM=1\n"
      "PART/2, MASS=2, CM=20, IP=0.02,0.02,0.02\nMARKER/20, PART=2, QP=0,0.04,0\nMARKER/21, PART=2, "
      "QP=0,0,-0.1\n"
      "GRAPHICS/2, CYLINDER, CM=21, LENGTH=0.2, RADIUS=0.1, RANGLE=180D\n"
      "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E5, EXPONENT=1, DAMPING=400, DMAX=1E-5\n"
      "INTEGRATOR/HHT, ERROR=1E-6\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 0.5));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  EXPECT_NEAR(motion.at(0.5, "CONTACT/1.FY"), 2 * kG, 1e-3);
  EXPECT_NEAR(motion.at(0.5, "PART/2.Y"), 0.04 - 2 * kG / 1e5, 1e-6);
}

// A cantilever's tip is pressed onto a plane 1 mm below: F = K (δ − 1 mm), δ = (P − F)L³/3EI. Its node is a body of its own.
TEST(ContactOnNodes, ABeamsTipRestsOnAPlane) {
  FlexibleBeam beam;  // EI = 1, L = 1
  const double P = 0.01, K = 1e3, gap = 1e-3;
  const double F = K * (P / 3 - gap) / (1 + K / 3);
  for (const char* solid :
       {"GRAPHICS/2, POINT, RM=22\nMARKER/5, PART=1, QP=0,0,-1E-3\n",
        "GRAPHICS/2, ELLIPSOID, CM=22, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\nMARKER/5, PART=1, "
        "QP=0,0,-51E-3\n"}) {
    const auto rest = at_rest(
        beam.clamped(FlexibleBeam::load({"0", "0", fmt::format("-{:.17g}", P), "0", "0", "0"}) + solid +
                     fmt::format("GRAPHICS/1, PLANE, RM=5\nCONTACT/1, IGEOM=2, JGEOM=1, IMPACT, "
                                 "STIFFNESS={}, EXPONENT=1, DAMPING=0, DMAX=1E-4\n",
                                 K)),
        P);
    ASSERT_TRUE(rest.contains("CONTACT/1.FZ")) << solid;
    // Deflections of 1e-3 of the length: their squares do not count, and shear is 1e-8.
    EXPECT_NEAR(rest.at("CONTACT/1.FZ"), F, 1e-5 * F) << solid;
  }
}

// Two nodes of one FLEX_BODY touch, each by its own CONTACT: as with the same law written out as VFORCEs.
TEST(ContactOnNodes, SeveralNodesOfAFlexibleBody) {
  FlexBeam beam;
  const MatrixText file("contact_on_nodes", beam.matrices(beam.craig_bampton(4), false, true));
  const double F = 1e-3 * 3 * beam.EI_z / std::pow(beam.L, 3), K = 10 * F / 1e-3;
  const std::string flex =
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MATRIX/1, FILE=" +
      file.path() +
      "\nFLEX_BODY/2, MATRICES=1\nMARKER/20, FLEX_BODY=2, NODE_ID=1\nMARKER/21, FLEX_BODY=2, NODE_ID=11\n"
      "MARKER/26, FLEX_BODY=2, NODE_ID=6\nJOINT/1, FIXED, I=20, J=1\nMARKER/30, PART=1, FLOATING\n" +
      fmt::format("VFORCE/1, I=21, JFLOAT=30, RM=1, FX=0\\FY={:.17g}\\FZ=0\n", F) +
      "REQUEST/1, F2=DY(21,1)\\F3=DY(26,1)\n";
  // Planes across y, whose outside is −y: at a half and at a tenth of the free deflection.
  const auto planes = fmt::format(
      "MARKER/5, PART=1, QP=0,5E-4,0, REULER=0,90D,0\nMARKER/6, PART=1, QP=0,1E-4,0, REULER=0,90D,0\n"
      "GRAPHICS/5, PLANE, RM=5\nGRAPHICS/6, PLANE, RM=6\nGRAPHICS/21, POINT, RM=21\nGRAPHICS/26, POINT, "
      "RM=26\n"
      "CONTACT/1, IGEOM=21, JGEOM=5, IMPACT, STIFFNESS={0:.17g}, EXPONENT=1, DAMPING=0, DMAX=1E-5\n"
      "CONTACT/2, IGEOM=26, JGEOM=6, IMPACT, STIFFNESS={0:.17g}, EXPONENT=1, DAMPING=0, DMAX=1E-5\n",
      K);
  const auto forces = fmt::format(
      "MARKER/31, PART=1, FLOATING\nMARKER/32, PART=1, FLOATING\n"
      "VFORCE/2, I=21, JFLOAT=31, RM=1, FX=0\\FY=-MAX(0,{0:.17g}*(DY(21,1)-5E-4))\\FZ=0\n"
      "VFORCE/3, I=26, JFLOAT=32, RM=1, FX=0\\FY=-MAX(0,{0:.17g}*(DY(26,1)-1E-4))\\FZ=0\n",
      K);
  const RunOfText touching = run_text(flex + planes, "SIMULATE/STATICS\n"),
                  pushed = run_text(flex + forces, "SIMULATE/STATICS\n");
  ASSERT_EQ(touching.status, api::RunStatus::done) << touching.said;
  ASSERT_EQ(pushed.status, api::RunStatus::done) << pushed.said;
  EXPECT_GT(pushed.last("REQUEST/1.F2"), 5e-4);
  EXPECT_GT(pushed.last("REQUEST/1.F3"), 1e-4);
  EXPECT_NEAR(touching.last("REQUEST/1.F2"), pushed.last("REQUEST/1.F2"), 1e-9);
  EXPECT_NEAR(touching.last("REQUEST/1.F3"), pushed.last("REQUEST/1.F3"), 1e-9);
}

int forces_of_contacts(const system::System& system) {
  int count = 0;
  for (const system::Force& f : system.forces()) count += f.kind == model::kind_of<model::Contact>() ? 1 : 0;
  return count;
}

// One CONTACT over two nodes of a beam is two CONTACTs of one node each; two nodes may touch each other.
TEST(ContactOnNodes, OfABeam) {
  FlexibleBeam beam;
  beam.elements = 4;
  const std::string law = ", IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=10, DMAX=1E-4\n",
                    balls =
                        "GRAPHICS/2, ELLIPSOID, CM=21, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\n"
                        "GRAPHICS/3, ELLIPSOID, CM=22, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\n",
                    falling = balls +
                              "MARKER/5, PART=1, QP=0,0,-0.1\nGRAPHICS/1, PLANE, RM=5\n"
                              "ACCGRAV/KGRAV=-9.81\nINTEGRATOR/HHT, ERROR=1E-6\n"
                              "REQUEST/1, F2=DZ(21,1)\\F3=DZ(22,1)\n";
  const auto run = [&](const std::string& contacts) {
    const std::string text = beam.text(falling + contacts);
    const std::size_t title = text.find('\n') + 1, end = text.rfind("END");
    return run_text(text.substr(title, end - title), "SIMULATE/DYNAMICS, END=0.15, STEPS=30\n");
  };
  const RunOfText one = run("CONTACT/1, IGEOM=2,3, JGEOM=1" + law),
                  two = run("CONTACT/1, IGEOM=2, JGEOM=1" + law + "CONTACT/2, IGEOM=3, JGEOM=1" + law);
  ASSERT_EQ(one.status, api::RunStatus::done) << one.said;
  ASSERT_EQ(two.status, api::RunStatus::done) << two.said;
  // The same forces, added in another order.
  for (const char* channel : {"REQUEST/1.F2", "REQUEST/1.F3"}) {
    EXPECT_GT(one.last(channel), -0.05 - 0.01)
        << channel;  // it lies on the floor; freely it would be at −0.11
    EXPECT_NEAR(one.last(channel), two.last(channel), 1e-6) << channel;
  }
  Mechanism each_other(beam.clamped(balls + "CONTACT/1, IGEOM=3, JGEOM=2" + law));
  ASSERT_TRUE(each_other.assembled.ok) << each_other.messages();
  EXPECT_TRUE(each_other.system->idle().empty());
  // What both lists name meets once.
  Mechanism both(beam.clamped(balls + "CONTACT/1, IGEOM=2,3, JGEOM=2,3" + law));
  ASSERT_TRUE(both.assembled.ok) << both.messages();
  EXPECT_EQ(forces_of_contacts(*both.system), 1);
  // All nodes touch or none: an ellipsoid in place of a file that is not there has one of two balls in its middle.
  Mechanism none(
      beam.clamped(balls +
                   "PART/3, MASS=2, CM=30, IP=0.005,0.005,0.005, QG=1,0,0\nMARKER/30, PART=3\n"
                   "GRAPHICS/4, EXTERNAL, RM=30, FILE=not_there.stl\nCONTACT/1, IGEOM=2,3, JGEOM=4" +
                   law));
  ASSERT_TRUE(none.assembled.ok) << none.messages();
  EXPECT_EQ(forces_of_contacts(*none.system), 0);
  ASSERT_EQ(none.system->idle().size(), 1u);
  EXPECT_NE(none.system->idle()[0].why.find("overlaps the other side at the start"), std::string::npos);
}

}  // namespace
}  // namespace trunnion::test
