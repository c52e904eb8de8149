#pragma once
// Rigid motions: a place and a rotation together, and the logarithm that a beam's strain is made of; see docs/theory/beams.md.
//
// A motion H = (p, R) moves by its body twist y = (Rᵀδp, δθ), translation first. exp(u, φ) = (T(φ)ᵀ u, exp φ) with T the right Jacobian
// of rotations, and for ε = log H
//   δε = S(ε) y,   S(ε) = [A B; 0 A],   A = T(φ)⁻¹,   B = ∂A/∂φ · u
// For H = H_a⁻¹ H_b:  δε = S(ε) y_b − S(−ε) y_a, and S(−ε) is S(ε) with both blocks transposed.

#include "math/so3.hpp"

namespace trunnion::math {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// ε = (u, φ) of (p, R), |φ| at most half a turn.
Vec6 se3_log(const Vec3& p, const Quat& R);
// The inverse: p and R of exp ε.
struct RigidMotion {
  Vec3 p = Vec3::Zero();
  Quat R = Quat::Identity();
};
RigidMotion se3_exp(const Vec6& epsilon);

// S(ε), regular for |φ| < 2π.
Mat6 se3_log_rate(const Vec6& epsilon);
// ∂(S(ε) y)/∂ε with y held.
Mat6 se3_log_rate_derivative(const Vec6& epsilon, const Vec6& y);

}  // namespace trunnion::math
