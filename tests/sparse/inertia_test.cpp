#include "sparse/inertia.hpp"

#include <random>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace trunnion::sparse {
namespace {

CscMatrix csc(const Eigen::MatrixXd& dense) {
  CscMatrix out;
  out.rows = out.cols = static_cast<int>(dense.rows());
  out.start.push_back(0);
  for (int c = 0; c < out.cols; ++c) {
    for (int r = 0; r < out.rows; ++r) {
      if (dense(r, c) == 0) continue;
      out.row.push_back(r);
      out.value.push_back(dense(r, c));
    }
    out.start.push_back(static_cast<int>(out.row.size()));
  }
  return out;
}

// Against all eigenvalues: indefinite matrices bordered by rows with an empty corner.
TEST(Inertia, CountsNegativeEigenvalues) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int n = 1; n < 40; n += 3) {
    const int m = n / 3;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(0, i - 3); j <= i; ++j) A(i, j) = A(j, i) = normal(random);
    }
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; j += 2) A(n + i, j) = A(j, n + i) = normal(random);
    }
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    const auto found = inertia(csc(A));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->negative, (values.array() < 0).count()) << n;
    EXPECT_EQ(found->zero, 0);
  }
}

TEST(Inertia, OfZeroAndNothing) {
  const auto none = inertia(CscMatrix{});
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->negative, 0);
  const auto zero = inertia(csc(Eigen::Vector3d(1, 0, -1).asDiagonal()));
  ASSERT_TRUE(zero.has_value());
  EXPECT_EQ(zero->negative, 1);
}

}  // namespace
}  // namespace trunnion::sparse
