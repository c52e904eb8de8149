#include "math/se3.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace trunnion::math {
namespace {

constexpr double kSe3Eps = Eigen::NumTraits<double>::epsilon();
// Central difference with h = ∛ε: truncation and rounding are about 4e-11 each; values and third derivatives are below 30 here.
const double kSe3Step = std::cbrt(kSe3Eps);
constexpr double kSe3Difference = 5e-9;

class Se3 : public ::testing::TestWithParam<double> {
 protected:
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(rng_); }
  Vec3 vector() { return {uniform(), uniform(), uniform()}; }
  Vec6 twist() {
    Vec6 y;
    y << vector(), vector();
    return y;
  }
  // A logarithm whose turn has the length of the parameter.
  Vec6 logarithm() {
    Vec6 e;
    e << vector(), GetParam() * vector().normalized();
    return e;
  }
  std::mt19937 rng_{7};
};

TEST_P(Se3, LogOfExp) {
  const Vec6 e = logarithm();
  const RigidMotion H = se3_exp(e);
  EXPECT_LT((se3_log(H.p, H.R) - e).norm(), 64 * kSe3Eps * (1 + e.norm()));
}

// log(H exp(h y)) moves by S(ε) y, log(exp(−h y) H) by −S(−ε) y.
TEST_P(Se3, RateOfTheLogarithm) {
  const Vec6 e = logarithm(), y = twist();
  const RigidMotion H = se3_exp(e);
  const auto moved = [&](double h, bool behind) {
    const RigidMotion step = se3_exp((behind ? h : -h) * y);
    const RigidMotion& first = behind ? H : step;
    const RigidMotion& second = behind ? step : H;
    return se3_log(first.p + first.R * second.p, first.R * second.R);
  };
  const double h = kSe3Step;
  EXPECT_LT(((moved(h, true) - moved(-h, true)) / (2 * h) - se3_log_rate(e) * y).norm(), kSe3Difference);
  EXPECT_LT(((moved(h, false) - moved(-h, false)) / (2 * h) + se3_log_rate(-e) * y).norm(), kSe3Difference);
  Mat6 transposed = se3_log_rate(e);
  transposed.topLeftCorner<3, 3>().transposeInPlace();
  transposed.topRightCorner<3, 3>().transposeInPlace();
  transposed.bottomRightCorner<3, 3>().transposeInPlace();
  EXPECT_LT((se3_log_rate(-e) - transposed).norm(), 16 * kSe3Eps);
}

TEST_P(Se3, DerivativeOfTheRate) {
  const Vec6 e = logarithm(), y = twist();
  const Mat6 D = se3_log_rate_derivative(e, y);
  for (int k = 0; k < 6; ++k) {
    const Vec6 d = kSe3Step * Vec6::Unit(k);
    const Vec6 difference = (se3_log_rate(e + d) * y - se3_log_rate(e - d) * y) / (2 * kSe3Step);
    EXPECT_LT((difference - D.col(k)).norm(), kSe3Difference) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Turns, Se3, ::testing::Values(0.0, 1e-9, 1e-3, 0.3, 0.999, 1.001, 2.0, 3.0));

}  // namespace
}  // namespace trunnion::math
