// A new linear solver is one file: this one. Eigen's LU with full pivoting, put before all others, and a whole simulation runs on it
// without knowing.

#include <numeric>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/mechanism.hpp"
#include "sparse/linear_solver.hpp"

namespace trunnion::sparse {
namespace {

int factored = 0, solved = 0;

class FullPivoting final : public LinearSolver {
 public:
  bool analyse(const CscMatrix&, const Plan&) override { return true; }
  bool factor(const CscMatrix& A) override {
    ++factored;
    lu_.compute(Eigen::MatrixXd(A.view()));
    const auto n = static_cast<std::size_t>(A.cols);
    pivots_.assign(lu_.matrixLU().diagonal().begin(), lu_.matrixLU().diagonal().end());
    rows_.resize(n);
    cols_.resize(n);
    for (int k = 0; k < A.cols; ++k) {
      rows_[static_cast<std::size_t>(lu_.permutationP().indices()[k])] = k;
      cols_[static_cast<std::size_t>(k)] = lu_.permutationQ().indices()[k];
    }
    return lu_.matrixLU().allFinite();
  }
  void refactor(const CscMatrix& A) override { factor(A); }
  void solve(Eigen::Ref<Eigen::VectorXd> b) const override {
    ++solved;
    b = lu_.solve(b).eval();
  }
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const override { b = lu_.transpose().solve(b).eval(); }
  std::span<const double> pivots() const override { return pivots_; }
  std::span<const int> pivot_rows() const override { return rows_; }
  std::span<const int> pivot_cols() const override { return cols_; }
  double growth(const CscMatrix&) const override { return 1; }
  double condition(const CscMatrix&) const override { return 1 / lu_.rcond(); }
  bool factors(Factors&, std::vector<int>&) const override { return false; }

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  std::vector<double> pivots_;
  std::vector<int> rows_, cols_;
};

const SolverEntry kFullPivoting{
    "full pivoting", [](const CscMatrix&, const Plan& p) { return !p.symmetric; },
    []() -> std::unique_ptr<LinearSolver> { return std::make_unique<FullPivoting>(); }};

// Where the tip of a double pendulum is after half a second.
Eigen::VectorXd tip() {
  test::Mechanism m(
      "double pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
      "PART/1, GROUND\nMARKER/1, PART=1, REULER=0D,90D,0D\n"
      "PART/2, MASS=1, CM=20, IP=0.01,0.1,0.1, QG=0.5,0,0\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-0.5,0,0, REULER=0D,90D,0D\nMARKER/22, PART=2, QP=0.5,0,0, REULER=0D,90D,0D\n"
      "PART/3, MASS=1, CM=30, IP=0.01,0.1,0.1, QG=1.5,0,0\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=-0.5,0,0, REULER=0D,90D,0D\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nINTEGRATOR/GSTIFF, ERROR=1E-6\nEND\n");
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  const auto result =
      analysis::dynamics(*m.system, m.assembled, 0.5, {0.5}, analysis::dynamic_settings(m.read.model), {});
  EXPECT_TRUE(result.ok);
  return m.assembled.state.q;
}

TEST(AnotherSolver, StandsInForAllOthers) {
  const Eigen::VectorXd usual = tip();
  EXPECT_EQ(factored, 0);
  Eigen::VectorXd other;
  {
    const AddedSolver added(kFullPivoting);
    other = tip();
  }
  EXPECT_GT(factored, 10);
  EXPECT_GT(solved, 100);
  // Other roundings; iterations end within 1e-3 of ERROR.
  EXPECT_LT((usual - other).norm(), 1e-8);
  const int before = factored;
  tip();
  EXPECT_EQ(factored, before);
}

}  // namespace
}  // namespace trunnion::sparse
