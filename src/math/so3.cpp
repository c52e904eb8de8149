#include "math/so3.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/so3_turn.hpp"

namespace trunnion::math {
namespace {

// With θ = |φ|: exp = 1 + A φ̂ + B φ̂², T = 1 − B φ̂ + C φ̂². dB, dC are dB/dθ / θ and dC/dθ / θ.
struct Coefficients {
  double A, B, C, dB, dC;
};

// Below this θ² the closed forms lose digits to cancellation (dC most: about 30 rounding errors at θ = 1, growing as θ⁻⁴);
// the series then needs ten terms for full accuracy, 1/(2·10+3)! < 1e-22.
constexpr double kSeriesBelow = 1.0;
constexpr int kTerms = 10;

// 1/(2n + shift)! for n = 0, 1, …
constexpr std::array<double, kTerms> inverse_factorials(int shift) {
  std::array<double, kTerms> out{};
  double factorial = 1.0;
  for (int n = 0, k = 1; n < kTerms; ++n) {
    for (; k <= 2 * n + shift; ++k) factorial *= k;
    out[static_cast<std::size_t>(n)] = 1.0 / factorial;
  }
  return out;
}
constexpr auto kCos = inverse_factorials(0), kA = inverse_factorials(1), kB = inverse_factorials(2),
               kC = inverse_factorials(3);

// The turn of one step is small: how many terms it takes for the rest to be below rounding.
int terms_for(double theta2) { return theta2 < 1e-4 ? 4 : theta2 < 1e-2 ? 6 : kTerms; }

Coefficients coefficients(double theta2) {
  Coefficients k{};
  if (theta2 < kSeriesBelow) {
    // A = Σ (−θ²)ⁿ/(2n+1)!, B = Σ (−θ²)ⁿ/(2n+2)!, C = Σ (−θ²)ⁿ/(2n+3)!; d/dθ /θ = 2 d/d(θ²).
    const double x = -theta2;
    for (int n = terms_for(theta2) - 1; n >= 0; --n) {
      const auto at = static_cast<std::size_t>(n);
      k.dB = k.dB * x + k.B;  // Horner's rule for the derivative by x
      k.dC = k.dC * x + k.C;
      k.A = k.A * x + kA[at];
      k.B = k.B * x + kB[at];
      k.C = k.C * x + kC[at];
    }
    k.dB *= -2.0;
    k.dC *= -2.0;
    return k;
  }
  const double theta = std::sqrt(theta2);
  const double s = std::sin(theta);
  const double half = std::sin(0.5 * theta);
  const double one_minus_cos = 2.0 * half * half;
  k.A = s / theta;
  k.B = one_minus_cos / theta2;
  k.C = (theta - s) / (theta2 * theta);
  k.dB = (k.A - 2.0 * k.B) / theta2;
  k.dC = (k.B - 3.0 * k.C) / theta2;
  return k;
}

// T⁻¹ = 1 + φ̂/2 + D φ̂² with D = (1 − (θ/2) cot(θ/2))/θ², and dD = dD/dθ / θ.
struct InverseCoefficients {
  double D, dD;
};

// D = Σ |B₂ₖ| θ^(2k−2)/(2k)!, B the Bernoulli numbers; terms fall by θ²/(2π)² each, the tenth is below 2e-16 of the first.
constexpr std::array<double, 9> kBernoulli = {1.0 / 12.0,
                                              1.0 / 720.0,
                                              1.0 / 30240.0,
                                              1.0 / 1209600.0,
                                              1.0 / 47900160.0,
                                              691.0 / 1307674368000.0,
                                              1.0 / 74724249600.0,
                                              3617.0 / 10670622842880000.0,
                                              43867.0 / 5109094217170944000.0};

int inverse_terms_for(double theta2) {
  return std::min(terms_for(theta2), static_cast<int>(kBernoulli.size()));
}

InverseCoefficients inverse_coefficients(double theta2) {
  if (theta2 < kSeriesBelow) {
    InverseCoefficients k{};
    for (int n = inverse_terms_for(theta2) - 1; n >= 0; --n) {
      const auto at = static_cast<std::size_t>(n);
      k.dD = k.dD * theta2 + (at + 1 < kBernoulli.size() ? 2.0 * (n + 1) * kBernoulli[at + 1] : 0.0);
      k.D = k.D * theta2 + kBernoulli[at];
    }
    return k;
  }
  const double theta = std::sqrt(theta2);
  const double x = 0.5 * theta;
  const double s = std::sin(x);
  const double cot = std::cos(x) / s;
  const double D = (1.0 - x * cot) / theta2;
  return {D, ((x / (s * s) - cot) / (2.0 * theta) - 2.0 * D) / theta2};
}

Mat3 axis_rotation(int axis, double angle) {
  Mat3 R = Mat3::Identity();
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double c = std::cos(angle), s = std::sin(angle);
  R(i, i) = c;
  R(j, j) = c;
  R(i, j) = -s;
  R(j, i) = s;
  return R;
}

}  // namespace

Mat3 so3_exp(const Vec3& phi) {
  const Coefficients k = coefficients(phi.squaredNorm());
  const Mat3 S = hat(phi);
  return Mat3::Identity() + k.A * S + k.B * (S * S);
}

Quat so3_exp_quat(const Vec3& phi) {
  const double half2 = 0.25 * phi.squaredNorm();
  double cosine = 0.0, sine = 0.0;  // of θ/2, the sine over it
  if (half2 < kSeriesBelow) {
    for (int n = terms_for(half2) - 1; n >= 0; --n) {
      const auto at = static_cast<std::size_t>(n);
      cosine = kCos[at] - half2 * cosine;
      sine = kA[at] - half2 * sine;
    }
  } else {
    const double half = std::sqrt(half2);
    cosine = std::cos(half);
    sine = std::sin(half) / half;
  }
  const Vec3 v = 0.5 * sine * phi;
  return Quat(cosine, v.x(), v.y(), v.z());
}

Vec3 so3_log(const Quat& q) {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const double w = sign * q.w();
  const Vec3 v = sign * q.vec();
  const double n = v.norm();
  if (n < 1e-3 * w) {  // 2 atan(x)/x; the next term is x⁶/7 < 2e-19
    const double x2 = (n / w) * (n / w);
    return (2.0 / w) * (1.0 - x2 / 3.0 + x2 * x2 / 5.0) * v;
  }
  return (2.0 * std::atan2(n, w) / n) * v;
}

Vec3 so3_log(const Mat3& R) { return so3_log(Quat(R)); }

Quat so3_compose(const Quat& q, const Vec3& dtheta) { return (q * so3_exp_quat(dtheta)).normalized(); }

Mat3 so3_right_jacobian(const Vec3& phi) {
  const Coefficients k = coefficients(phi.squaredNorm());
  const Mat3 S = hat(phi);
  return Mat3::Identity() - k.B * S + k.C * (S * S);
}

Mat3 so3_right_jacobian_inverse(const Vec3& phi) {
  const Mat3 S = hat(phi);
  return Mat3::Identity() + 0.5 * S + inverse_coefficients(phi.squaredNorm()).D * (S * S);
}

Vec3 so3_right_jacobian_inverse_times(const Vec3& phi, const Vec3& u) {
  const double theta2 = phi.squaredNorm();
  double D = 0.0;
  if (theta2 < kSeriesBelow) {
    for (int n = inverse_terms_for(theta2) - 1; n >= 0; --n)
      D = D * theta2 + kBernoulli[static_cast<std::size_t>(n)];
  } else {
    D = inverse_coefficients(theta2).D;
  }
  const Vec3 w = phi.cross(u);
  return u + 0.5 * w + D * phi.cross(w);
}

Mat3 so3_right_jacobian_derivative(const Vec3& phi, const Vec3& u) {
  // T u = u − B φ×u + C φ×(φ×u)
  const Coefficients k = coefficients(phi.squaredNorm());
  const Vec3 w = phi.cross(u);
  const Mat3 S = hat(phi), U = hat(u);
  return k.B * U - k.C * (hat(w) + S * U) + (k.dC * phi.cross(w) - k.dB * w) * phi.transpose();
}

Mat3 so3_right_jacobian_inverse_derivative(const Vec3& phi, const Vec3& u) {
  // T⁻¹ u = u + φ×u/2 + D φ×(φ×u)
  const InverseCoefficients k = inverse_coefficients(phi.squaredNorm());
  const Vec3 w = phi.cross(u);
  const Mat3 S = hat(phi), U = hat(u);
  return -0.5 * U - k.D * (hat(w) + S * U) + (k.dD * phi.cross(w)) * phi.transpose();
}

Mat3 rotation_from_euler_313(const EulerAngles& a) {
  return axis_rotation(2, a.first) * axis_rotation(0, a.second) * axis_rotation(2, a.third);
}
Mat3 rotation_from_euler_321(const EulerAngles& a) {
  return axis_rotation(2, a.first) * axis_rotation(1, a.second) * axis_rotation(0, a.third);
}
Mat3 rotation_from_euler_123(const EulerAngles& a) {
  return axis_rotation(0, a.first) * axis_rotation(1, a.second) * axis_rotation(2, a.third);
}

// Each solves for the outer angles from the two entries that hold cos or sin of the second; where those vanish to
// rounding the third is set to 0 and the first takes the whole turn. The third is what is left after the first: read from two
// entries of its own it would have a rounding of its own, and near the place where axes coincide the sum of both would be lost.
EulerAngles euler_313(const Mat3& R) {
  const double s = std::hypot(R(0, 2), R(1, 2));
  if (s < kAligned) return {std::atan2(R(1, 0), R(0, 0)), R(2, 2) > 0.0 ? 0.0 : M_PI, 0.0};
  const double first = std::atan2(R(0, 2), -R(1, 2));
  const Eigen::RowVector3d left =
      std::cos(first) * R.row(0) + std::sin(first) * R.row(1);  // cos, −sin of the third
  return {first, std::atan2(s, R(2, 2)), std::atan2(-left[1], left[0])};
}
EulerAngles euler_321(const Mat3& R) {
  const double c = std::hypot(R(0, 0), R(1, 0));
  if (c < kAligned) return {std::atan2(-R(0, 1), R(1, 1)), std::atan2(-R(2, 0), c), 0.0};
  const double first = std::atan2(R(1, 0), R(0, 0));
  const Eigen::RowVector3d left = std::cos(first) * R.row(1) - std::sin(first) * R.row(0);  // 0, cos, −sin
  return {first, std::atan2(-R(2, 0), c), std::atan2(-left[2], left[1])};
}
EulerAngles euler_123(const Mat3& R) {
  const double c = std::hypot(R(0, 0), R(0, 1));
  if (c < kAligned) return {std::atan2(R(2, 1), R(1, 1)), std::atan2(R(0, 2), c), 0.0};
  const double first = std::atan2(-R(1, 2), R(2, 2));
  const Eigen::RowVector3d left = std::cos(first) * R.row(1) + std::sin(first) * R.row(2);  // sin, cos
  return {first, std::atan2(R(0, 2), c), std::atan2(left[0], left[1])};
}

bool rotation_from_points(const Vec3& origin, const Vec3& z_point, const Vec3& x_point, bool use_xp,
                          Mat3& R) {
  const Vec3 z = z_point - origin, x = x_point - origin;
  const double size = z.norm() * x.norm();
  const Vec3 y = z.cross(x);
  // A plane needs more than the rounding of the cross product: points are given with few digits.
  if (!(y.norm() > 1e-12 * size)) return false;
  const Vec3 y_unit = y.normalized();
  const Vec3 main = use_xp ? Vec3(x.normalized()) : Vec3(z.normalized());
  R.col(1) = y_unit;
  R.col(0) = use_xp ? main : Vec3(y_unit.cross(main));
  R.col(2) = use_xp ? Vec3(main.cross(y_unit)) : main;
  return true;
}

}  // namespace trunnion::math
