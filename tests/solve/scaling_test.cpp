// What scaling and the augmented Lagrangian term do to the iteration matrix (docs/theory/elimination.md, docs/studies/scaling.md).

#include <gtest/gtest.h>

#include "solve/scaling_problem.hpp"

namespace trunnion {
namespace {

using test::ScalingProblem;

// κ∞ at the end of one second.
struct Conditions {
  double none, one, physical;
};
Conditions conditions(double m, double h) {
  ScalingProblem p;
  p.m = m;
  p.h = h;
  p.s = ScalingProblem::physical(m, p.k, h);
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int k = 0; k < steps; ++k) EXPECT_GT(p.step(ScalingProblem::pivoted), 0);
  return {p.condition(0), p.condition(1), p.condition(p.s)};
}

// Table 1: unscaled h⁻⁴, scaled flat.
TEST(Scaling, ConditionDoesNotDependOnTheStep) {
  const Conditions a = conditions(1, 1e-1), b = conditions(1, 1e-2), c = conditions(1, 1e-3);
  EXPECT_NEAR(std::log10(b.none / a.none), 4, 0.3);  // at h = 0.1 the spring is a tenth of the mass
  EXPECT_NEAR(std::log10(c.none / b.none), 4, 0.02);
  EXPECT_NEAR(c.one / b.one, 1, 0.2);
  EXPECT_NEAR(c.physical / b.physical, 1, 0.2);
  // The recomputed values of the table, and the paper's within a factor of five (its initial conditions are not known).
  EXPECT_NEAR(std::log10(c.none), 12.2, 0.7);
  EXPECT_LT(c.physical, 70);
  EXPECT_GT(c.physical, 3);
}

// Table 2: unscaled and with s = 1 it grows as m², with Eq. 6 it is flat.
TEST(Scaling, ConditionDoesNotDependOnTheMass) {
  const Conditions a = conditions(1e2, 1e-2), b = conditions(1e4, 1e-2);
  EXPECT_NEAR(std::log10(b.none / a.none), 4, 0.1);
  EXPECT_NEAR(std::log10(b.one / a.one), 4, 0.1);
  EXPECT_NEAR(b.physical / a.physical, 1, 0.2);
}

// Eq. 35: five digits, no pivoting. The second unknown is wrong by a factor of ten, and right once ρBᵀB is added.
TEST(Scaling, FiveDigitsAreLostWithoutTheAugmentedTerm) {
  const double h = 1e-3;
  Eigen::Matrix3d J;
  J << 1, 0, 0, 0, h * h, 1, 0, 1, 0;
  Eigen::Vector3d b(1, 1, 1), x;
  ASSERT_TRUE(test::solve_chopped(J, b, x));
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 10, 1e-9);
  EXPECT_NEAR(x[2], 0.99999, 1e-12);
  // Row 2 plus row 3: the same solution.
  J(1, 1) += 1;
  b[1] += 1;
  ASSERT_TRUE(test::solve_chopped(J, b, x));
  EXPECT_NEAR(x[1], 1, 1e-4);
  EXPECT_NEAR(x[2], 0.999999, 1e-4);
}

// Section 9's three outcomes with a solver that does not pivot, here in five digits: without the augmented term it fails, with it and
// s = 1, beside which this mass is the last of five digits, it factorises and the iterations do not converge, scaled it runs. (The study
// has other masses: with s = 1 iterations get more and more until the mass is lost altogether.)
TEST(Scaling, ThreeOutcomesWithoutPivoting) {
  const auto outcome = [](double rho, bool scaled) {
    ScalingProblem p;
    p.m = 5e-5;
    p.k = 0;  // φ has neither inertia nor stiffness
    p.h = 1e-3;
    p.rho = rho;
    p.v[0] = p.h * std::cos(0.3);
    p.v[1] = p.h * std::sin(0.3);
    p.v[2] = p.h;
    if (scaled) p.s = ScalingProblem::physical(p.m, p.k, p.h);
    int worst = 0;
    for (int k = 0; k < 100; ++k) {
      const int took = p.step(test::solve_chopped<ScalingProblem::Matrix, ScalingProblem::Vector>, 1e-9, 40);
      if (took < 0) return took;
      worst = std::max(worst, took);
    }
    return worst;
  };
  EXPECT_EQ(outcome(0, true), -2);
  EXPECT_EQ(outcome(1, false), -1);
  EXPECT_GT(outcome(1, true), 0);
  EXPECT_LE(outcome(1, true), 12);
}

}  // namespace
}  // namespace trunnion
