// The physical scale of constraints and multipliers, and the augmented Lagrangian term in the program's own stages
// (docs/theory/elimination.md).

#include "solve/physical_scale.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "dynamics/simulate.hpp"
#include "solve/stage_solver.hpp"
#include "support/flex_beam.hpp"

namespace trunnion::test {
namespace {

// Two rods and a point mass by a universal joint and a revolute, all inertia times `f`.
std::string rods(double f) {
  return fmt::format(
      "rods\nPART/1, GROUND\nMARKER/1, PART=1, REULER=0D,90D,0D\n"
      "PART/2, MASS={0}, CM=20, IP={1},{2},{2}, QG=0.5,0,0\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-0.5,0,0, REULER=0D,90D,0D\nMARKER/22, PART=2, QP=0.5,0,0, REULER=0D,90D,0D\n"
      "PART/3, MASS={0}, CM=30, IP={1},{2},{2}, QG=1.5,0,0\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=-0.5,0,0, REULER=0D,90D,0D\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nACCGRAV/KGRAV=-9.81\n"
      "INTEGRATOR/GSTIFF\nEND\n",
      f, 1e-3 * f, f / 12);
}

struct Conditioned {
  double sigma = 0, condition = 0;
};
Conditioned conditioned(double f, bool stabilised) {
  Mechanism m(rods(f));
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  solve::StageMatrix stage(*m.system, m.assembled.active, solve::StageEquations::Rows::position, stabilised);
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  solve::LevelMaps maps;
  maps.body = {1e-6, 1e-3, 1};
  const Eigen::VectorXd y = Eigen::VectorXd::Zero(m.system->layout().size());
  stage.evaluate(m.assembled.state, work, maps, true, &y);
  EXPECT_NE(stage.factor(), sparse::FactorStatus::singular);
  return {stage.equations.sigma(), stage.factors.condition(stage.equations.matrix())};
}

// Mean of the diagonals 1, 1, 1 and 1e-3, 1/12, 1/12 over their mean.
TEST(PhysicalScale, IsTheMeanInertia) {
  EXPECT_EQ(conditioned(1, false).sigma, 1.0);
  EXPECT_EQ(conditioned(1024, false).sigma, 1024.0);
  EXPECT_EQ(conditioned(0x1p-40, false).sigma, 0x1p-40);
}

// Masses times a power of two change nothing but the exponent of each number; other masses move σ by a factor of √2 at most.
TEST(PhysicalScale, TheUnitOfMassDoesNotMatter) {
  for (const bool stabilised : {false, true}) {
    const double usual = conditioned(1, stabilised).condition;
    for (const double f : {0x1p-40, 0x1p30})
      EXPECT_NEAR(conditioned(f, stabilised).condition, usual, 1e-9 * usual);
    for (const double f : {1e-9, 1e-4, 1e6}) {
      const double here = conditioned(f, stabilised).condition;
      EXPECT_LT(here, 4 * usual) << f;
      EXPECT_GT(here, usual / 4) << f;
    }
  }
}

// Motions in other units of mass are the same motion, reactions in those units: to rounding, with the same steps and iterations.
TEST(PhysicalScale, TheMotionDoesNotKnowTheUnitOfMass) {
  Mechanism one(rods(1)), light(rods(0x1p-40));
  const Motion a = simulate(one, every(0.1, 1)), b = simulate(light, every(0.1, 1));
  ASSERT_TRUE(a.result.ok && b.result.ok) << a.messages() << b.messages();
  EXPECT_EQ(a.result.loop.counts.steps, b.result.loop.counts.steps);
  EXPECT_EQ(a.result.corrector.iterations, b.result.corrector.iterations);
  EXPECT_EQ(a.at(1, "PART/3.Z"), b.at(1, "PART/3.Z"));
}

// A beam on two ball joints to light parts: stiff modes leave σ what it is for the rigid beam, whatever the step, and blocks have pivots.
TEST(PhysicalScale, DoesNotKnowStiffModes) {
  FlexBeam beam;
  beam.elements = 12;
  const auto scale = [&](int modes, double q) {
    const MatrixText file(
        fmt::format("physical_scale_{}", modes),
        beam.matrices(modes > 0 ? beam.free_modes(modes) : Eigen::MatrixXd::Zero(beam.dofs(), 0)));
    Mechanism m(
        "beam\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
        "PART=1\n"
        "MATRIX/1, FILE=" +
        file.path() +
        "\nFLEX_BODY/2, MATRICES=1\nMARKER/20, FLEX_BODY=2, NODE_ID=1\nMARKER/21, FLEX_BODY=2, NODE_ID=13\n"
        "PART/3, MASS=1E-3, CM=30, IP=1E-8,1E-8,1E-8, QG=1,-0.1,0\nMARKER/30, PART=3\n"
        "MARKER/31, PART=3, QP=0,0.1,0\nJOINT/1, SPHERICAL, I=20, J=1\nJOINT/2, SPHERICAL, I=31, "
        "J=21\nEND\n");
    EXPECT_TRUE(m.assembled.ok) << m.messages();
    solve::StageMatrix stage(*m.system, m.assembled.active, solve::StageEquations::Rows::position);
    system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
    solve::LevelMaps maps;
    maps.body = {q, std::sqrt(q), 1};
    stage.evaluate(m.assembled.state, work, maps, true);
    EXPECT_EQ(stage.factor(), sparse::FactorStatus::pivoted);
    EXPECT_EQ(stage.factors.gave_up(), 0) << modes << " modes, " << q;
    return stage.equations.sigma();
  };
  for (const double q : {1e-10, 1e-6, 1e-2}) EXPECT_EQ(scale(40, q), scale(0, q)) << q;
}

// A four-bar whose coupler has hardly any inertia, or none.
std::string coupler(const std::string& inertia) {
  return "coupler\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=2,0,0\n"
         "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0.5,0\nMARKER/20, PART=2\n"
         "MARKER/21, PART=2, QP=0,-0.5,0\nMARKER/22, PART=2, QP=0,0.5,0\n"
         "PART/3, " +
         inertia +
         ", QG=1,1,0\nMARKER/30, PART=3\n"
         "MARKER/31, PART=3, QP=-1,0,0\nMARKER/32, PART=3, QP=1,0.2,0\n"
         "PART/4, MASS=1, CM=40, IP=0.1,0.1,0.1, QG=2,0.6,0\nMARKER/40, PART=4\n"
         "MARKER/41, PART=4, QP=0,-0.6,0\nMARKER/42, PART=4, QP=0,0.6,0\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\n"
         "JOINT/3, SPHERICAL, I=32, J=42\n"
         "JOINT/4, REVOLUTE, I=41, J=2\nACCGRAV/JGRAV=-9.81\n"
         "INTEGRATOR/GSTIFF, ERROR=1E-7\nEND\n";
}

// A part without mass has no pivot of its own for what its first joint leaves free. With the augmented term elimination by blocks
// goes on; the motion is the one of a part with next to no mass.
TEST(Augmented, APartWithoutMassIsEliminatedByBlocks) {
  Mechanism none(coupler("MASS=0")), little(coupler("MASS=1E-9, CM=30, IP=1E-10,1E-10,1E-10"));
  ASSERT_TRUE(none.assembled.ok) << none.messages();
  ASSERT_TRUE(little.assembled.ok) << little.messages();
  const Motion a = simulate(none, every(0.1, 1)), b = simulate(little, every(0.1, 1));
  ASSERT_TRUE(a.result.ok) << a.messages();
  ASSERT_TRUE(b.result.ok) << b.messages();
  EXPECT_EQ(a.result.corrector.solver, "block elimination");
  EXPECT_EQ(a.result.corrector.gave_up, 0);
  EXPECT_NEAR(a.at(1, "PART/4.X"), b.at(1, "PART/4.X"), 1e-5);
  EXPECT_NEAR(a.at(1, "PART/4.Y"), b.at(1, "PART/4.Y"), 1e-5);
}

}  // namespace
}  // namespace trunnion::test
