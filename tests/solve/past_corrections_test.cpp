// Corrections made better by those before, on linear problems where a plain iteration is slow or diverges.

#include "solve/past_corrections.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace trunnion::solve {
namespace {

// A matrix that suits one of three stages only: rows that vanish near by have 0.15 of its size at one, and the other sign at another.
TEST(PastCorrections, AreThroughAfterAsManyAsThereAreFactors) {
  constexpr Eigen::Index kRows = 40, kStages = 3;
  const Eigen::RowVector3d part(0.15, -1, 1);
  const Eigen::MatrixXd exact = Eigen::VectorXd::LinSpaced(kRows * kStages, -1, 2).reshaped(kRows, kStages);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(kRows, kStages), plain = x;
  PastCorrections past(Eigen::VectorXd::LinSpaced(kRows, 0.1, 10));
  const auto asked = [&](const Eigen::MatrixXd& at) {
    return Eigen::MatrixXd((exact - at) * part.asDiagonal());
  };
  // The first is plain; each later one knows one factor more.
  constexpr int kEnough = 1 + kStages;
  for (int k = 0; k < kEnough; ++k) {
    Eigen::MatrixXd correction = asked(x);
    past.improve(correction);
    x += correction;
    plain += asked(plain);
  }
  constexpr double kRounding = 1e3 * std::numeric_limits<double>::epsilon();
  EXPECT_LT((x - exact).lpNorm<Eigen::Infinity>(), kRounding);
  EXPECT_GT((plain - exact).lpNorm<Eigen::Infinity>(), 10);  // (1 − 0.15)⁴ of one, 2⁴ of the other
}

TEST(PastCorrections, LeaveAnIterationAloneThatIsThere) {
  PastCorrections past(Eigen::VectorXd::Ones(4));
  for (int k = 0; k < 10; ++k) {
    Eigen::MatrixXd correction = Eigen::MatrixXd::Zero(4, 2);
    past.improve(correction);
    EXPECT_EQ(correction.cwiseAbs().maxCoeff(), 0);
  }
}

}  // namespace
}  // namespace trunnion::solve
