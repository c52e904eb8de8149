// What the stage solver does beside stages: impulses, independent coordinates, projections with coordinates that are held, states
// reconciled with all equations; and that a new matrix seldom needs an evaluation.

#include "solve/stage_solver.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/mechanism.hpp"

namespace trunnion::test {
namespace {

using assembly::AnalysisMode;
using assembly::State;

int offset_of(const Mechanism& m, const std::string& part) {
  for (const system::BodyInfo& body : m.system->bodies()) {
    if (body.channel == part) return m.system->layout().block(body.block).offset;
  }
  ADD_FAILURE() << part;
  return 0;
}

// Rows of the statement, among the active ones.
std::vector<int> rows_of(const Mechanism& m, const std::string& owner) {
  std::vector<int> out;
  for (const int r : m.assembled.active) {
    if (m.system->layout().row(assembly::RowId{r}).owner.starts_with(owner)) out.push_back(r);
  }
  return out;
}

const std::string kGround = "impulse\nPART/1, GROUND\nMARKER/1, PART=1\n";

TEST(Impulse, TwoBodiesCollide) {
  Mechanism m(kGround +
              "PART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D,90D,0D\n"
              "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\n"
              "JPRIM/1, INPLANE, I=30, J=21\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const std::vector<int> struck = rows_of(m, "JPRIM/1");
  ASSERT_EQ(struck.size(), 1u);
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State state = m.assembled.state;
  const int one = offset_of(m, "PART/2"), two = offset_of(m, "PART/3");
  state.v[one] = 3;
  state.v[one + 1] = 7;  // along the plane: stays
  constexpr double kE = 0.5;
  ASSERT_TRUE(solver.impulse(state, work, struck, kE)) << solver.message();
  // v₁' = (m₁v₁ + m₂v₂ − m₂ e (v₁ − v₂)) / (m₁ + m₂), v₂' = (m₁v₁ + m₂v₂ + m₁ e (v₁ − v₂)) / (m₁ + m₂); rounding.
  EXPECT_NEAR(state.v[one], 1.5, 1e-14);
  EXPECT_NEAR(state.v[two], 3, 1e-14);
  EXPECT_EQ(state.v[one + 1], 7);
  EXPECT_NEAR(std::abs(solver.impulses()[struck[0]]), 3, 1e-14);
}

// A rod on a pin, its far end hit by a particle: the pin's reaction is part of the answer.
TEST(Impulse, ARodHitAtItsEnd) {
  Mechanism m(
      kGround +
      "PART/2, MASS=3, CM=20, IP=0.01,1,1, QG=1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
      "MARKER/22, PART=2, QP=1,0,0, REULER=0D,90D,0D\n"
      "PART/3, MASS=0.5, CM=30, IP=1,1,1, QG=2,0,0\nMARKER/30, PART=3\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nJPRIM/1, INPLANE, I=30, J=22\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const std::vector<int> struck = rows_of(m, "JPRIM/1"), pin = rows_of(m, "JOINT/1");
  ASSERT_EQ(struck.size(), 1u);
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State state = m.assembled.state;
  const int rod = offset_of(m, "PART/2"), particle = offset_of(m, "PART/3");
  state.v.setZero();
  state.v[particle + 1] = -4;
  constexpr double kE = 0.25;
  ASSERT_TRUE(solver.impulse(state, work, struck, kE)) << solver.message();
  // J_pin = mL²/3 = 4: the tip is as heavy as J/L² = 1. Then as two bodies on a line; P = ½ (v' − v), pin: m v_cm − P.
  const double v = (-2 + kE * 4) / 1.5, tip = (-2 - 0.5 * kE * 4) / 1.5, w = tip / 2, P = -0.5 * (v + 4);
  EXPECT_NEAR(state.v[particle + 1], v, 1e-14);
  EXPECT_NEAR(state.v[rod + 5], w, 1e-14);
  EXPECT_NEAR(state.v[rod + 1], w, 1e-14);
  double across = 0;
  for (const int r : pin) across = std::max(across, std::abs(solver.impulses()[r]));
  EXPECT_NEAR(across, std::abs(3 * w - P), 1e-13);
  EXPECT_NEAR(std::abs(solver.impulses()[struck[0]]), std::abs(P), 1e-13);
}

// A row that does not act leaves all velocities alone.
TEST(Impulse, AClosedRowDoesNothing) {
  Mechanism m(kGround +
              "PART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2\n"
              "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\nJPRIM/1, INPLANE, I=30, J=21\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State state = m.assembled.state;
  state.v[offset_of(m, "PART/2") + 2] = 3;
  const Eigen::VectorXd before = state.v;
  solve::Choice choice;
  choice.closed = {1};
  ASSERT_TRUE(solver.impulse(state, work, m.assembled.active, 1, choice)) << solver.message();
  EXPECT_EQ(state.v, before);
  EXPECT_EQ(solver.impulses().norm(), 0);
}

// A slider-crank: one freedom, closed loop.
const char* const kSliderCrank =
    "slider crank\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
    "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,0, REULER=90D,90D,0D\n"
    "PART/2, MASS=1, CM=20, IP=0.01,0.02,0.02, QG=0.3,0.4,0, REULER=53.13010235415598D,0,0\n"
    "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.5,0,0\nMARKER/22, PART=2, QP=0.5,0,0\n"
    "PART/3, MASS=2, CM=30, IP=0.01,0.3,0.3, QG=1.2,0.4,0, REULER=-53.13010235415598D,0,0\n"
    "MARKER/30, PART=3\nMARKER/31, PART=3, QP=-1,0,0\nMARKER/32, PART=3, QP=1,0,0\n"
    "PART/4, MASS=1, CM=40, IP=0.1,0.1,0.1, QG=1.8,-0.4,0\nMARKER/40, PART=4\n"
    "MARKER/41, PART=4, REULER=90D,90D,0D\nMARKER/42, PART=1, QP=1.8,-0.4,0, REULER=90D,90D,0D\n"
    "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, SPHERICAL, I=31, J=22\nJOINT/3, UNIVERSAL, I=32, J=40\n"
    "JOINT/4, TRANSLATIONAL, I=41, J=42\nEND\n";

TEST(StageSolver, DependentCoordinatesFollowTheIndependentOnes) {
  Mechanism m(kSliderCrank);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const assembly::Layout& layout = m.system->layout();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  const auto free = solver.independent(m.assembled.state, work);
  ASSERT_TRUE(free.has_value());
  ASSERT_EQ(static_cast<int>(free->size()), m.assembled.freedoms);
  ASSERT_GE(m.assembled.freedoms, 1);
  solve::Held held(static_cast<std::size_t>(layout.size()), 0);
  for (const int i : *free) held[static_cast<std::size_t>(i)] = 1;
  State state = m.assembled.state;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout.size()), moved(layout.size());
  for (const int i : *free) d[i] = 0.05;
  assembly::retract(layout, m.assembled.state.q, d, state.q);
  for (const int i : *free) state.v[i] = 0.7;
  ASSERT_TRUE(solver.onto_positions(state, work, held)) << solver.message();
  ASSERT_TRUE(solver.onto_velocities(state, work, held)) << solver.message();
  system::Levels levels(layout);
  levels.evaluate_rows(*m.system, state, work, false);
  // What the projection itself asks for.
  EXPECT_LT(levels.phi().lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_LT(levels.rate().lpNorm<Eigen::Infinity>(), 1e-11);
  assembly::difference(layout, m.assembled.state.q, state.q, moved);
  for (const int i : *free) {
    if (!layout.is_turn(i)) {
      EXPECT_NEAR(moved[i], 0.05, 1e-15);
    }
    EXPECT_EQ(state.v[i], 0.7);
  }
  // Coefficients that are not large: what follows moves about as much, a turn by its arm.
  EXPECT_LT(moved.lpNorm<Eigen::Infinity>(), 10 * 0.05);
  EXPECT_GT(moved.norm(), 0.05);
}

TEST(StageSolver, LeastChangeKeepsNearer) {
  Mechanism m(kSliderCrank);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const assembly::Layout& layout = m.system->layout();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  Eigen::VectorXd d(layout.size());
  for (int k = 0; k < d.size(); ++k) d[k] = 0.01 * std::sin(1.0 + k);
  State off = m.assembled.state;
  assembly::retract(layout, m.assembled.state.q, d, off.q);
  off.v = d;
  State least = off, held = off;
  ASSERT_TRUE(solver.onto_positions(least, work)) << solver.message();
  ASSERT_TRUE(solver.onto_velocities(least, work)) << solver.message();
  solve::Held keep(static_cast<std::size_t>(layout.size()), 0);
  const auto free = solver.independent(off, work);
  ASSERT_TRUE(free.has_value());
  for (const int i : *free) keep[static_cast<std::size_t>(i)] = 1;
  ASSERT_TRUE(solver.onto_positions(held, work, keep)) << solver.message();
  ASSERT_TRUE(solver.onto_velocities(held, work, keep)) << solver.message();
  system::Levels levels(layout);
  for (const State* state : {&least, &held}) {
    levels.evaluate_rows(*m.system, *state, work, false);
    EXPECT_LT(levels.phi().lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT(levels.rate().lpNorm<Eigen::Infinity>(), 1e-11);
  }
  // In the masses: kinetic energy of the velocities' change.
  const auto energy = [&](const State& state) {
    State change = off;
    change.v = state.v - off.v;
    m.system->update(change, work);
    return m.system->energy(change, work).kinetic;
  };
  EXPECT_LT(energy(least), energy(held));
}

// A state that an integrator gave, off by little: its places and velocities are as near as the masses know, and accelerations and reactions
// satisfy the equations there, evaluated afresh.
TEST(StageSolver, ReconcilesWithAllEquations) {
  Mechanism m(kSliderCrank);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const assembly::Layout& layout = m.system->layout();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State consistent = m.assembled.state;
  for (int k = 0; k < layout.size(); ++k) consistent.v[k] = std::cos(3.0 + k);
  ASSERT_TRUE(solver.reconcile(consistent, work)) << solver.message();
  for (const double off : {0.0, 1e-7, 1e-3}) {
    for (const double left : {0.0, 1e-3}) {
      SCOPED_TRACE(fmt::format("{} {}", off, left));
      State state = consistent;
      Eigen::VectorXd d(layout.size());
      for (int k = 0; k < d.size(); ++k) d[k] = off * std::sin(1.0 + k);
      assembly::retract(layout, consistent.q, d, state.q);
      for (int k = 0; k < d.size(); ++k) state.v[k] += 10 * off * std::cos(2.0 + k);
      system::Levels levels(layout);
      levels.evaluate_rows(*m.system, state, work, false);
      const double rate_before = levels.rate().lpNorm<Eigen::Infinity>();
      ASSERT_TRUE(solver.reconcile(state, work, left)) << solver.message();
      levels.start(state, {.residual = true,
                           .partial_q = false,
                           .partial_v = false,
                           .partial_a = false,
                           .constraints = true,
                           .hessians = true});
      m.system->evaluate(state, work, levels);
      levels.finish();
      EXPECT_LT(levels.phi().lpNorm<Eigen::Infinity>(), 1e-11);
      // Rates also change with the places that are corrected.
      EXPECT_LT(levels.rate().lpNorm<Eigen::Infinity>(), 1e-11 + 2 * left * rate_before);
      Eigen::VectorXd r = levels.residual();
      levels.add_reactions(m.assembled.active, state.lambda, 1, r);
      EXPECT_LT(r.lpNorm<Eigen::Infinity>(), 1e-9);
      for (const int row : m.assembled.active)
        EXPECT_NEAR(levels.along(row, state.a), levels.gamma()[row], 1e-9);
      // The way there is of the size of what was off.
      Eigen::VectorXd moved(layout.size());
      assembly::difference(layout, consistent.q, state.q, moved);
      EXPECT_LE(moved.lpNorm<Eigen::Infinity>(), 10 * off + 1e-11);
      EXPECT_LE((state.v - consistent.v).lpNorm<Eigen::Infinity>(), 100 * off + 1e-10);
    }
  }
}

// A skate that slips a little is turned to where it runs: its place is none of the row's that holds its velocity.
TEST(StageSolver, ARowOfVelocitiesMovesNoPlace) {
  Mechanism m(kGround +
              "PART/2, MASS=2, CM=20, IP=.5,.5,.5, QG=0.3,0,0, VX=1, VY=0.6, WZ=2\nMARKER/20, PART=2\n"
              "MARKER/21, PART=2, QP=-0.3,0,0\nJOINT/1, PLANAR, I=20, J=1\nGCON/1, FUNCTION=VY(21,1,21)\n"
              "END\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State state = m.assembled.state;
  state.v[offset_of(m, "PART/2") + 1] += 1e-4;
  const Eigen::VectorXd before = state.q;
  ASSERT_TRUE(solver.reconcile(state, work)) << solver.message();
  EXPECT_LT((state.q - before).lpNorm<Eigen::Infinity>(), 1e-15);
  system::Levels levels(m.system->layout());
  levels.evaluate_rows(*m.system, state, work, false);
  EXPECT_LT(levels.rate().lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(StageSolver, SaysThatTooMuchIsHeld) {
  Mechanism m(kSliderCrank);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  solve::StageSolver solver(*m.system, m.assembled.active);
  system::System::Workspace work(*m.system, AnalysisMode::dynamics);
  State state = m.assembled.state;
  const solve::Held all(static_cast<std::size_t>(m.system->layout().size()), 1);
  EXPECT_FALSE(solver.onto_positions(state, work, all));
  EXPECT_EQ(solver.message(),
            fmt::format("18 coordinates are held, which leaves 0 to be found from {} constraints",
                        m.assembled.active.size()));
}

// K, C and M of a rigid mechanism change slowly, G comes with every residual: most new matrices are sums of what is there.
TEST(StageSolver, ANewMatrixSeldomNeedsAnEvaluation) {
  std::string text = "chain\nPART/1, GROUND\nMARKER/1, PART=1\nACCGRAV/JGRAV=-9.81\n";
  for (int k = 2; k < 7; ++k) {
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=0.01,0.1,0.1, QG={1},0,0\nMARKER/{0}0, PART={0}\n", k,
                        k - 1.5);
    text += fmt::format("MARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0\n", k);
    text += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={1}\n", k, k == 2 ? 1 : 10 * (k - 1) + 2);
  }
  Mechanism m(text + "INTEGRATOR/GSTIFF, ERROR=1E-5\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto result =
      analysis::dynamics(*m.system, m.assembled, 1, {1.0}, analysis::dynamic_settings(m.read.model), {});
  ASSERT_TRUE(result.ok);
  const long matrices = result.corrector.factorisations + result.corrector.refactorisations;
  EXPECT_GT(matrices, 20);
  EXPECT_GT(result.corrector.combined, matrices / 2);
}

}  // namespace
}  // namespace trunnion::test
