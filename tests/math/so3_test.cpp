#include "math/so3.hpp"

#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "math/so3_turn.hpp"

namespace trunnion::math {
namespace {

constexpr double kEps = Eigen::NumTraits<double>::epsilon();
// Products of a few rotation matrices: some tens of rounding errors of numbers up to 1.
constexpr double kRounding = 64 * kEps;
// Central difference with h = ∛ε: truncation h²/6·f‴ plus rounding ε/h, both about 4e-11; entries and third
// derivatives are below 10 here.
const double kStep = std::cbrt(kEps);
constexpr double kDifference = 1e-9;

class So3 : public ::testing::Test {
 protected:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng_); }
  Vec3 direction() {
    Vec3 d;
    do d = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    while (d.norm() < 0.1);
    return d.normalized();
  }
  std::mt19937 rng_{20240611};
};

// Lengths of φ that meet every branch: the series, the closed forms, half a turn.
const double kLengths[] = {0.0,      1e-300, 1e-160,   1e-9, 1e-5, 1e-3,        0.1,         0.5,
                           0.999999, 1.0,    1.000001, 2.0,  3.0,  M_PI - 1e-3, M_PI - 1e-9, M_PI};

TEST_F(So3, HatIsTheCrossProduct) {
  const Vec3 a = direction(), b = direction();
  EXPECT_EQ((hat(a) * b - a.cross(b)).norm(), 0.0);
}

TEST_F(So3, ExpIsARotationAndAgreesWithTheQuaternion) {
  for (const double length : kLengths) {
    const Vec3 phi = length * direction();
    const Mat3 R = so3_exp(phi);
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), kRounding) << length;
    EXPECT_NEAR(R.determinant(), 1.0, kRounding);
    EXPECT_LT((R - so3_exp_quat(phi).toRotationMatrix()).norm(), kRounding) << length;
    EXPECT_LT(
        (R - Eigen::AngleAxisd(length, length > 0 ? Vec3(phi / length) : Vec3::UnitX()).toRotationMatrix())
            .norm(),
        kRounding);
  }
}

TEST_F(So3, LogUndoesExp) {
  for (const double length : kLengths) {
    const Vec3 phi = length * direction();
    // At half a turn both signs are right, and through the matrix the angle is known to sqrt-free rounding only.
    const auto off = [&](const Vec3& x) {
      return length > M_PI - 1e-6 ? std::min((x - phi).norm(), (x + phi).norm()) : (x - phi).norm();
    };
    EXPECT_LE(off(so3_log(so3_exp_quat(phi))), kRounding * length) << length;
    EXPECT_LE(off(so3_log(so3_exp(phi))), kRounding) << length;
    EXPECT_LE(so3_log(so3_exp_quat(phi)).norm(), M_PI * (1 + kEps));
  }
  const Quat q = so3_exp_quat(Vec3(0.3, -0.2, 0.5));
  const Quat minus(-q.w(), -q.x(), -q.y(), -q.z());
  EXPECT_EQ((so3_log(q) - so3_log(minus)).norm(), 0.0);
}

TEST_F(So3, ComposeTurnsInTheRotatedAxesAndKeepsUnitLength) {
  Quat q = so3_exp_quat(Vec3(0.4, 1.0, -0.3));
  const Vec3 d(0.2, -0.5, 0.1);
  EXPECT_LT((so3_compose(q, d).toRotationMatrix() - q.toRotationMatrix() * so3_exp(d)).norm(), kRounding);
  for (int i = 0; i < 10000; ++i) q = so3_compose(q, Vec3(0.1, 0.2, -0.3));
  EXPECT_NEAR(q.norm(), 1.0, 2 * kEps);
}

TEST_F(So3, RightJacobianIsTheDerivativeOfExp) {
  for (const double length : kLengths) {
    if (length > 0.0 && length < 1e-9) continue;
    const Vec3 phi = length * direction();
    const Mat3 R = so3_exp(phi), T = so3_right_jacobian(phi);
    for (int j = 0; j < 3; ++j) {
      const Vec3 e = kStep * Vec3::Unit(j);
      const Vec3 difference = (so3_log(Mat3(R.transpose() * so3_exp(phi + e))) -
                               so3_log(Mat3(R.transpose() * so3_exp(phi - e)))) /
                              (2 * kStep);
      EXPECT_LT((difference - T.col(j)).norm(), kDifference) << length;
    }
  }
}

TEST_F(So3, RightJacobianInverse) {
  for (const double length : kLengths) {
    const Vec3 phi = length * direction();
    EXPECT_LT((so3_right_jacobian(phi) * so3_right_jacobian_inverse(phi) - Mat3::Identity()).norm(),
              kRounding)
        << length;
    const Vec3 u = direction();
    EXPECT_LT((so3_right_jacobian_inverse_times(phi, u) - so3_right_jacobian_inverse(phi) * u).norm(),
              kRounding)
        << length;
    // exp(φ) maps the right Jacobian to the left one, T(−φ).
    EXPECT_LT((so3_exp(phi) * so3_right_jacobian(phi) - so3_right_jacobian(-phi)).norm(), kRounding)
        << length;
  }
}

TEST_F(So3, DirectionalDerivatives) {
  for (const double length : kLengths) {
    const Vec3 phi = length * direction(), u = direction();
    Mat3 dT, dI;
    for (int j = 0; j < 3; ++j) {
      const Vec3 e = kStep * Vec3::Unit(j);
      dT.col(j) = (so3_right_jacobian(phi + e) * u - so3_right_jacobian(phi - e) * u) / (2 * kStep);
      dI.col(j) =
          (so3_right_jacobian_inverse(phi + e) * u - so3_right_jacobian_inverse(phi - e) * u) / (2 * kStep);
    }
    EXPECT_LT((dT - so3_right_jacobian_derivative(phi, u)).norm(), kDifference) << length;
    EXPECT_LT((dI - so3_right_jacobian_inverse_derivative(phi, u)).norm(), kDifference) << length;
  }
}

TEST_F(So3, SeriesMeetsClosedFormAtTheSwitch) {
  const Vec3 d = direction(), u = direction();
  const Vec3 below = (1.0 - 1e-15) * d, above = (1.0 + 1e-15) * d;
  EXPECT_LT((so3_right_jacobian(below) - so3_right_jacobian(above)).norm(), kRounding);
  // dC loses 30 rounding errors at the switch.
  EXPECT_LT((so3_right_jacobian_derivative(below, u) - so3_right_jacobian_derivative(above, u)).norm(),
            2 * kRounding);
  EXPECT_LT(
      (so3_right_jacobian_inverse_derivative(below, u) - so3_right_jacobian_inverse_derivative(above, u))
          .norm(),
      8 * kRounding);  // dD: 2/720 left of terms of 1/6, 60 rounding errors
}

TEST_F(So3, EulerAnglesRoundTrip) {
  for (int n = 0; n < 200; ++n) {
    const double a = uniform(-3.1, 3.1), c = uniform(-3.1, 3.1);
    const EulerAngles p = euler_313(rotation_from_euler_313({a, uniform(0.1, 3.0), c}));
    EXPECT_NEAR(p.first, a, 32 * kRounding);  // divided by sin(0.1)
    EXPECT_NEAR(p.third, c, 32 * kRounding);
    const double b = uniform(-1.4, 1.4);
    const EulerAngles y = euler_321(rotation_from_euler_321({a, b, c}));
    const EulerAngles x = euler_123(rotation_from_euler_123({a, b, c}));
    for (const EulerAngles& e : {x, y}) {
      EXPECT_NEAR(e.first, a, 32 * kRounding);
      EXPECT_NEAR(e.second, b, 32 * kRounding);
      EXPECT_NEAR(e.third, c, 32 * kRounding);
    }
  }
}

TEST_F(So3, EulerAnglesWhereTwoAxesCoincide) {
  for (const double second : {0.0, M_PI}) {
    const Mat3 R = rotation_from_euler_313({0.4, second, 0.3});
    EXPECT_LT((rotation_from_euler_313(euler_313(R)) - R).norm(), kRounding);
  }
  for (const double second : {-M_PI / 2, M_PI / 2}) {
    const Mat3 Y = rotation_from_euler_321({0.4, second, 0.3}),
               X = rotation_from_euler_123({0.4, second, 0.3});
    EXPECT_LT((rotation_from_euler_321(euler_321(Y)) - Y).norm(), kRounding);
    EXPECT_LT((rotation_from_euler_123(euler_123(X)) - X).norm(), kRounding);
  }
}

// First and third are each known to ε/s only, the rotation that they make together to ε.
TEST_F(So3, EulerAnglesNextToWhereTwoAxesCoincideKeepTheRotation) {
  for (const double near : {2e-10, 1e-8, 1e-6, 1e-3}) {
    for (int n = 0; n < 50; ++n) {
      const double a = uniform(-3, 3), c = uniform(-3, 3);
      // Through another rotation and back: entries that were zero are rounding then.
      const Mat3 Q = so3_exp(3 * direction());
      const auto rounded = [&](const Mat3& R) { return Mat3(Q.transpose() * (Q * R)); };
      const Mat3 P = rounded(rotation_from_euler_313({a, near, c})),
                 Y = rounded(rotation_from_euler_321({a, M_PI / 2 - near, c})),
                 X = rounded(rotation_from_euler_123({a, M_PI / 2 - near, c}));
      EXPECT_LT((rotation_from_euler_313(euler_313(P)) - P).norm(), 4 * kRounding);
      EXPECT_LT((rotation_from_euler_321(euler_321(Y)) - Y).norm(), 4 * kRounding);
      EXPECT_LT((rotation_from_euler_123(euler_123(X)) - X).norm(), 4 * kRounding);
    }
  }
}

// The primer's matrix after Eq. 12, at angles whose cosines are exact.
TEST_F(So3, Euler313IsThePrimersMatrix) {
  const double psi = 0.3, theta = 0.8, phi = -0.5;
  const Mat3 A = rotation_from_euler_313({psi, theta, phi});
  EXPECT_NEAR(A(0, 0), std::cos(psi) * std::cos(phi) - std::sin(psi) * std::cos(theta) * std::sin(phi),
              kRounding);
  EXPECT_NEAR(A(0, 2), std::sin(psi) * std::sin(theta), kRounding);
  EXPECT_NEAR(A(1, 2), -std::cos(psi) * std::sin(theta), kRounding);
  EXPECT_NEAR(A(2, 1), std::sin(theta) * std::cos(phi), kRounding);
}

TEST_F(So3, AxesFromPoints) {
  Mat3 R;
  ASSERT_TRUE(rotation_from_points(Vec3(1, 2, 3), Vec3(1, 2, 8), Vec3(4, 2, 99), false, R));
  EXPECT_LT((R - Mat3::Identity()).norm(), kRounding);
  // XP on the −x side of the old x axis turns the frame half round z.
  ASSERT_TRUE(rotation_from_points(Vec3::Zero(), Vec3(0, 0, 1), Vec3(-2, 0, 1), false, R));
  EXPECT_LT((R - so3_exp(Vec3(0, 0, M_PI))).norm(), kRounding);
  // USEXP: x goes exactly through XP, z leans.
  ASSERT_TRUE(rotation_from_points(Vec3::Zero(), Vec3(1, 0, 1), Vec3(1, 0, 0), true, R));
  EXPECT_LT((R - Mat3::Identity()).norm(), kRounding);
  const Mat3 before = R;
  EXPECT_FALSE(rotation_from_points(Vec3::Zero(), Vec3(0, 0, 1), Vec3(0, 0, -2), false, R));
  EXPECT_FALSE(rotation_from_points(Vec3::Zero(), Vec3::Zero(), Vec3(1, 0, 0), false, R));
  EXPECT_EQ(R, before);
}

}  // namespace
}  // namespace trunnion::math
