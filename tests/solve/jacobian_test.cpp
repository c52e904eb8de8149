// The matrix that steps are corrected with, against differences of the residual it belongs to, through the very moves the formulas
// make: rotations on their manifold, states, variables, multipliers, stabilising velocities. For every kind of element and row.

#include <cmath>
#include <random>
#include <set>
#include <string_view>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"
#include "model/schema.hpp"
#include "solve/cases.hpp"
#include "solve/complex_stage.hpp"
#include "solve/stage_equations.hpp"

namespace trunnion::test {
namespace {

using assembly::State;
using solve::Stage;
using solve::StageEquations;

struct Random {
  std::mt19937_64 engine{7};
  double operator()(double size) { return size * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1); }
  Eigen::VectorXd vector(Eigen::Index n, double size) {
    Eigen::VectorXd v(n);
    for (double& x : v) x = (*this)(size);
    return v;
  }
};

// Moves the stage and the multipliers by x over the unknowns of its matrix.
void move(Stage& stage, const StageEquations& equations, const Eigen::VectorXd& x, State& trial) {
  stage.add(x, trial);
  for (int k = 0; k < equations.active_count(); ++k) {
    trial.lambda[equations.row_of_active(k)] += x[equations.lambda_offset() + k];
    if (equations.stabilised()) trial.mu[equations.row_of_active(k)] += x[equations.mu_offset() + k];
  }
}

// States and variables have no stabilising velocity, velocity rows no multiplier of it: δ = 0 instead of an equation.
bool stays(const StageEquations& equations, int row) {
  if (row < equations.y_offset()) return false;
  if (row < equations.mu_offset()) return !equations.layout().is_mechanical(row - equations.y_offset());
  const assembly::RowId id{equations.row_of_active(row - equations.mu_offset())};
  return equations.layout().row(id).level == assembly::RowLevel::velocity;
}

// What the solver acts on, but for data of others and for GSE, whose partials are those that its routine gives.
TEST(StageJacobian, EveryKindOfStatementIsAmongTheCases) {
  const std::set<std::string_view> groups = {"Bodies", "Constraints", "Forces", "States and control"};
  const std::set<std::string_view> others = {"MATERIAL", "SECTION", "SPLINE",  "STRING", "PINPUT",
                                             "POUTPUT",  "PSTATE",  "FE_NODE", "GSE"};
  std::set<int> there;
  for (const StageCase& c : stage_cases()) {
    const Read read = read_adm(c.text);
    for (const auto& statement : read.model.order) there.insert(statement.kind.index);
  }
  for (const model::Schema& schema : model::all_schemas()) {
    if (!schema.acted_on || !groups.contains(schema.group) || others.contains(schema.keyword)) continue;
    EXPECT_TRUE(there.contains(schema.kind.index)) << schema.keyword;
  }
}

// A step from the assembled state, disturbed in all unknowns so that no term is small by chance.
void expect_exact(Mechanism& m, integrate::Formula& formula, Stage& stage, bool stabilised, bool scaled) {
  StageEquations equations(m.system->layout(), m.assembled.active, StageEquations::Rows::position,
                           stabilised);
  if (scaled) equations.use_physical_scale();
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  Random random;
  State trial = m.assembled.state;
  formula.start({&trial, 1});
  formula.predict(0.05, trial);
  Eigen::VectorXd x = random.vector(equations.size(), 2.0);
  move(stage, equations, x, trial);
  equations.evaluate(*m.system, trial, work, stage.maps(true), true, stage.y());
  const Eigen::MatrixXd A = equations.matrix().view();
  const double largest = A.cwiseAbs().maxCoeff();
  for (int c = 0; c < equations.size(); ++c) {
    // Central differences: the step's third power against rounding over the step.
    constexpr double kStep = 3e-4;
    const auto residual = [&](double step) -> Eigen::VectorXd {
      x.setZero();
      x[c] = step;
      move(stage, equations, x, trial);
      equations.evaluate(*m.system, trial, work, stage.maps(false), false, stage.y());
      const Eigen::VectorXd r = equations.residual();
      x[c] = -step;
      move(stage, equations, x, trial);
      return r;
    };
    const Eigen::VectorXd slope = (residual(kStep) - residual(-kStep)) / (2 * kStep);
    const double scale = std::max(A.col(c).cwiseAbs().maxCoeff(), 1e-3 * largest);
    for (int r = 0; r < equations.size(); ++r) {
      if (stays(equations, r)) {
        ASSERT_EQ(A(r, c), r == c ? equations.sigma() : 0.0) << equations.equation_name(r);
        continue;
      }
      ASSERT_NEAR(A(r, c), slope[r] * equations.column_scale(c), 2e-5 * scale)
          << equations.equation_name(r) << " by " << equations.column_name(c);
    }
  }
}

TEST(StageJacobian, IsTheSlopeOfTheResidual) {
  for (const StageCase& c : stage_cases()) {
    Mechanism m(c.text);
    ASSERT_TRUE(m.assembled.ok) << c.name << "\n" << m.messages();
    const assembly::Layout& layout = m.system->layout();
    for (const bool stabilised : {false, true}) {
      SCOPED_TRACE(fmt::format("{}, BDF, {}", c.name, stabilised ? "SI2" : "I3"));
      integrate::MultistepSettings settings;
      settings.stabilised = stabilised;
      for (const bool scaled : {false, true}) {
        integrate::Multistep bdf(layout, settings, 1e-3);
        expect_exact(m, bdf, bdf.stage(), stabilised, scaled);
      }
    }
    SCOPED_TRACE(fmt::format("{}, HHT", c.name));
    integrate::Newmark hht(layout, formulas::hht_table(-0.2), 1e-3);
    expect_exact(m, hht, hht, false, true);
  }
}

// The augmented term multiplies matrix and right-hand side from the left alike: B x = L A x for any x.
TEST(StageJacobian, TheAugmentedTermChangesNoSolution) {
  Random random;
  for (const StageCase& c : stage_cases()) {
    for (const bool stabilised : {false, true}) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, stabilised));
      Mechanism m(c.text);
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      StageEquations equations(m.system->layout(), m.assembled.active, StageEquations::Rows::position,
                               stabilised);
      equations.use_physical_scale();
      system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
      const State& state = m.assembled.state;
      const Eigen::VectorXd y = Eigen::VectorXd::Zero(m.system->layout().size());
      solve::LevelMaps maps;
      maps.body = {1e-4, 1e-2, 1};
      maps.state = {1e-2, 1, 0};
      equations.evaluate(*m.system, state, work, maps, true, &y);
      if (!equations.levels().readings().empty()) continue;  // are not augmented
      const Eigen::VectorXd x = random.vector(equations.size(), 1.0);
      Eigen::VectorXd plain = Eigen::VectorXd::Zero(x.size()), augmented = plain;
      equations.matrix().multiply_add(x, plain);
      const int entries = equations.matrix().nonzeros();
      equations.augment(1);
      equations.evaluate(*m.system, state, work, maps, true, &y);
      if (equations.active_count() > 0) {
        EXPECT_GT(equations.matrix().nonzeros(), entries);
      }
      equations.matrix().multiply_add(x, augmented);
      equations.to_matrix(plain);
      // Sums of a few dozen products.
      EXPECT_LE((plain - augmented).lpNorm<Eigen::Infinity>(), 1e-13 * (1 + plain.lpNorm<Eigen::Infinity>()));
    }
  }
}

// The equations that give consistent accelerations, by accelerations, rates, variables and multipliers.
TEST(StageJacobian, OfAccelerations) {
  for (const StageCase& c : stage_cases()) {
    SCOPED_TRACE(c.name);
    Mechanism m(c.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const assembly::Layout& layout = m.system->layout();
    StageEquations equations(layout, m.assembled.active, StageEquations::Rows::acceleration);
    system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
    const solve::LevelMaps maps;
    State state = m.assembled.state;
    equations.evaluate(*m.system, state, work, maps, true);
    const Eigen::MatrixXd A = equations.matrix().view();
    const assembly::Segment &q = layout.coordinates(), &z = layout.states(), &w = layout.variables();
    const auto add = [&](int k, double step) {
      if (k < q.size) state.a[k] += step;
      else if (z.has(k)) state.v[k] += step;
      else if (w.has(k)) state.q[w.pose_offset + k - w.offset] += step;
      else state.lambda[equations.row_of_active(k - equations.lambda_offset())] += step;
    };
    for (int k = 0; k < equations.size(); ++k) {
      constexpr double kStep = 1e-4;
      add(k, kStep);
      equations.evaluate(*m.system, state, work, maps, false);
      Eigen::VectorXd slope = equations.residual();
      add(k, -2 * kStep);
      equations.evaluate(*m.system, state, work, maps, false);
      slope = (slope - equations.residual()) / (2 * kStep);
      add(k, kStep);
      const double scale = std::max(1.0, A.col(k).cwiseAbs().maxCoeff());
      for (int r = 0; r < equations.size(); ++r)
        ASSERT_NEAR(A(r, k), slope[r], 1e-6 * scale)
            << equations.equation_name(r) << " by " << equations.column_name(k);
    }
  }
}

// Another step size is another sum of the same levels.
TEST(StageEquations, ANewStepNeedsNoEvaluation) {
  Mechanism m(stage_cases()[1].text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  StageEquations equations(m.system->layout(), m.assembled.active, StageEquations::Rows::position);
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  solve::LevelMaps coarse, fine;
  coarse.body = {1e-2, 1e-1, 1};
  fine.body = {1e-4, 1e-2, 1};
  equations.evaluate(*m.system, m.assembled.state, work, fine, true);
  const std::vector<double> wanted = equations.matrix().value;
  equations.evaluate(*m.system, m.assembled.state, work, coarse, true);
  EXPECT_NE(equations.matrix().value, wanted);
  equations.combine(fine);
  EXPECT_EQ(equations.matrix().value, wanted);
}

// Stages that a formula couples by A: δv = h A δa, δq = h² A² δa. The coupled equations, whole and dense, against one real and one
// complex stage of the same levels, taken apart by the eigenvectors of A. A of Radau IIA, three stages.
TEST(ComplexStage, SolvesCoupledStages) {
  const double r = std::sqrt(6.0), h = 0.02;
  Eigen::Matrix3d A;
  A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225, (296 + 169 * r) / 1800,
      (88 + 7 * r) / 360, (-2 - 3 * r) / 225, (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  const Eigen::EigenSolver<Eigen::Matrix3d> eigen(A);
  const Eigen::Matrix3cd T = eigen.eigenvectors(), back = T.inverse();
  for (const StageCase& c : stage_cases()) {
    SCOPED_TRACE(c.name);
    Mechanism m(c.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const assembly::Layout& layout = m.system->layout();
    StageEquations equations(layout, m.assembled.active, StageEquations::Rows::position);
    system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
    // The matrix of one level alone is linear in it: three real sums give M, C, K with their rows.
    const auto real = [&](double v, double q) {
      solve::LevelMaps maps;
      maps.body = {q, v, 1};
      maps.state = {v, 1, 0};
      return maps;
    };
    equations.evaluate(*m.system, m.assembled.state, work, real(h, h * h), true);
    const int n = equations.size();
    const auto unscaled = [&](double v, double q) {
      equations.combine(real(v, q));
      Eigen::MatrixXd out = equations.matrix().view();
      for (int k = 0; k < equations.active_count(); ++k) {
        const assembly::RowId id{equations.row_of_active(k)};
        const bool velocity = layout.row(id).level == assembly::RowLevel::velocity;
        out.row(equations.lambda_offset() + k) *= velocity ? v : q;
      }
      return out;
    };
    // J(v, q) = J₀ + v J₁ + q J₂, unscaled rows: linear in both.
    const Eigen::MatrixXd J11 = unscaled(1, 1), J21 = unscaled(2, 1), J12 = unscaled(1, 2);
    const Eigen::MatrixXd J1 = J21 - J11, J2 = J12 - J11, J0 = J11 - J1 - J2;
    Eigen::MatrixXd whole(3 * n, 3 * n);
    const Eigen::Matrix3d one = Eigen::Matrix3d::Identity(), hA = h * A, hA2 = hA * hA;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        whole.block(i * n, j * n, n, n) = one(i, j) * J0 + hA(i, j) * J1 + hA2(i, j) * J2;
    }
    Random random;
    const Eigen::VectorXd residual = random.vector(3 * n, 1.0);
    const Eigen::VectorXd wanted = -whole.fullPivLu().solve(residual);
    Eigen::MatrixXcd taken_apart(n, 3), found(n, 3);
    for (int i = 0; i < 3; ++i) taken_apart.col(i) = residual.segment(i * n, n).cast<std::complex<double>>();
    taken_apart = (taken_apart * back.transpose()).eval();
    for (int i = 0; i < 3; ++i) {
      const std::complex<double> v = h * eigen.eigenvalues()[i];
      solve::ComplexLevelMaps maps;
      maps.body = {v * v, v, 1};
      maps.state = {v, 1, 0};
      solve::ComplexStage stage;
      ASSERT_TRUE(stage.factor(equations, maps));
      Eigen::VectorXcd x = taken_apart.col(i);
      stage.solve(equations, maps, x);
      found.col(i) = x;
    }
    found = (found * T.transpose()).eval();
    // Multipliers and accelerations differ in size by the masses; q = 1e-4 takes eight digits from φ's part.
    for (int i = 0; i < 3; ++i)
      EXPECT_LT((found.col(i) - wanted.segment(i * n, n)).norm(), 1e-7 * wanted.norm());
  }
}

// A closed row leaves its multiplier alone and the others as they are without it; the pattern stays.
TEST(StageEquations, RowsCloseAndUnknownsAreHeld) {
  Mechanism m(stage_cases()[1].text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const std::vector<int>& rows = m.assembled.active;
  StageEquations all(m.system->layout(), rows, StageEquations::Rows::position);
  const std::vector<int> fewer(rows.begin(), rows.end() - 1);
  StageEquations without(m.system->layout(), fewer, StageEquations::Rows::position);
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  solve::LevelMaps maps;
  maps.body = {1e-2, 1e-1, 1};
  State state = m.assembled.state;
  state.lambda[rows.back()] = 0;
  all.evaluate(*m.system, state, work, maps, true);
  const std::vector<int> pattern = all.matrix().row;
  solve::Choice choice;
  choice.closed.assign(rows.size(), 0);
  choice.closed.back() = 1;
  choice.held.assign(static_cast<std::size_t>(m.system->layout().size()), 0);
  choice.held[2] = 1;
  all.evaluate(*m.system, state, work, maps, true, nullptr, choice);
  without.evaluate(*m.system, state, work, maps, true);
  EXPECT_EQ(all.matrix().row, pattern);
  const Eigen::MatrixXd A = all.matrix().view(), B = without.matrix().view();
  const int n = without.size();
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      if (r == 2) EXPECT_EQ(A(r, c), c == 2 ? 1.0 : 0.0);
      else EXPECT_EQ(A(r, c), B(r, c)) << r << " " << c;
    }
    EXPECT_EQ(all.residual()[r], r == 2 ? 0.0 : without.residual()[r]);
  }
  EXPECT_EQ(A(n, n), 1.0);
  EXPECT_EQ(A.row(n).cwiseAbs().sum(), 1.0);
  EXPECT_EQ(A.col(n).cwiseAbs().sum(), 1.0);
  EXPECT_EQ(all.residual()[n], 0.0);
}

}  // namespace
}  // namespace trunnion::test
