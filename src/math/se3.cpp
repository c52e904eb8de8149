#include "math/se3.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/so3_turn.hpp"

namespace trunnion::math {
namespace {

// T⁻¹ = 1 + φ̂/2 + D φ̂² with D a function of s = |φ|², and its derivatives by s.
struct LogCoefficients {
  double D, D1, D2;
};

LogCoefficients log_coefficients(double s) {
  constexpr double kLogSeriesBelow = 1.0;
  LogCoefficients k{};
  if (s < kLogSeriesBelow) {
    // D = Σ |B₂ₖ| s^(k−1)/(2k)!, B the Bernoulli numbers; terms fall by 1/(2π)² each.
    static constexpr std::array<double, 10> kSeries = {1.0 / 12.0,
                                                       1.0 / 720.0,
                                                       1.0 / 30240.0,
                                                       1.0 / 1209600.0,
                                                       1.0 / 47900160.0,
                                                       691.0 / 1307674368000.0,
                                                       1.0 / 74724249600.0,
                                                       3617.0 / 10670622842880000.0,
                                                       43867.0 / 5109094217170944000.0,
                                                       174611.0 / 802857662698291200000.0};
    // An element bends little: how many terms it takes for the rest to be below rounding of D and, by s, of its derivatives.
    const std::size_t terms = s < 1e-2 ? 7 : s < 1e-1 ? 9 : kSeries.size();
    for (std::size_t n = terms; n-- > 0;) {  // Horner's rule, with two derivatives
      k.D2 = k.D2 * s + 2.0 * k.D1;
      k.D1 = k.D1 * s + k.D;
      k.D = k.D * s + kSeries[n];
    }
    return k;
  }
  // D = (1 − x cot x)/s, x = √s/2, obeys 2 s D′ = s D² − 3 D + 1/4.
  const double x = 0.5 * std::sqrt(s);
  k.D = (1.0 - x * std::cos(x) / std::sin(x)) / s;
  k.D1 = (s * k.D * k.D - 3.0 * k.D + 0.25) / (2.0 * s);
  k.D2 = (k.D * k.D + (2.0 * s * k.D - 5.0) * k.D1) / (2.0 * s);
  return k;
}

}  // namespace

Vec6 se3_log(const Vec3& p, const Quat& R) {
  Vec6 epsilon;
  const Vec3 phi = so3_log(R);
  epsilon << so3_right_jacobian_inverse_times(-phi, p), phi;  // T(−φ) = T(φ)ᵀ
  return epsilon;
}

RigidMotion se3_exp(const Vec6& epsilon) {
  const Vec3 phi = epsilon.tail<3>();
  return {so3_right_jacobian(phi).transpose() * epsilon.head<3>(), so3_exp_quat(phi)};
}

// â b̂ = b aᵀ − a·b, so that nothing here is a product of matrices.
Mat6 se3_log_rate(const Vec6& epsilon) {
  const Vec3 u = epsilon.head<3>(), phi = epsilon.tail<3>();
  const double s = phi.squaredNorm(), along = phi.dot(u);
  const LogCoefficients k = log_coefficients(s);
  const double of_square = 2.0 * k.D1 * along;
  const Vec3 P = 0.5 * phi, U = 0.5 * u;
  Mat3 A, B;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const double square = phi[i] * phi[j];
      A(i, j) = k.D * square;
      B(i, j) = k.D * (phi[i] * u[j] + u[i] * phi[j]) + of_square * square;
    }
    A(j, j) += 1.0 - k.D * s;
    B(j, j) -= 2.0 * k.D * along + of_square * s;
  }
  for (int j = 0; j < 3; ++j) {  // + φ̂/2, + û/2
    const int i = (j + 2) % 3, l = (j + 1) % 3;
    A(l, j) += P[i], A(j, l) -= P[i];
    B(l, j) += U[i], B(j, l) -= U[i];
  }
  Mat6 S;
  S << A, B, Mat3::Zero(), A;
  return S;
}

Mat6 se3_log_rate_derivative(const Vec6& epsilon, const Vec6& y) {
  const Vec3 u = epsilon.head<3>(), phi = epsilon.tail<3>();
  const LogCoefficients k = log_coefficients(phi.squaredNorm());
  // â b̂
  const auto twice = [](const Vec3& a, const Vec3& b) {
    Mat3 M = b * a.transpose();
    M.diagonal().array() -= a.dot(b);
    return M;
  };
  // ∂(A b)/∂φ of A b = b + φ×b/2 + D φ×(φ×b)
  const auto turned = [&](const Vec3& b) {
    const Vec3 w = phi.cross(b);
    return Mat3(-0.5 * hat(b) - k.D * (hat(w) + twice(phi, b)) +
                (2.0 * k.D1 * phi.cross(w)) * phi.transpose());
  };
  // ∂(B b)/∂φ of B b = u×b/2 + D (u×(φ×b) + φ×(u×b)) + 2D′ (φ·u) φ×(φ×b); by u it is ∂(A b)/∂φ
  const Vec3 b = y.tail<3>();
  const Vec3 w = phi.cross(b), v = u.cross(b), ww = phi.cross(w);
  const Vec3 mixed = u.cross(w) + phi.cross(v);
  const double along = phi.dot(u);
  const Mat3 second = -k.D * (twice(u, b) + hat(v)) + (2.0 * k.D1 * mixed) * phi.transpose() +
                      (2.0 * k.D1 * ww) * u.transpose() - (2.0 * k.D1 * along) * (hat(w) + twice(phi, b)) +
                      (4.0 * k.D2 * along * ww) * phi.transpose();
  Mat6 out = Mat6::Zero();
  const Mat3 of_b = turned(b);
  out.topLeftCorner<3, 3>() = of_b;
  out.topRightCorner<3, 3>() = turned(y.head<3>()) + second;
  out.bottomRightCorner<3, 3>() = of_b;
  return out;
}

}  // namespace trunnion::math
