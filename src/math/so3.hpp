#pragma once
// Rotations. The only place that knows how a rotation is stored, composed and differentiated; see docs/theory/rotation.md.
//
// A rotation is a unit quaternion; its variations are vectors δθ in the axes of the rotated frame, R ← R exp(δθ). Hence
//   δ(R a) = −R â δθ        δ(Rᵀ f) = (Rᵀ f)^ δθ        Ṙ = R ω̂, ω in the rotated frame's axes.
// With R = R₀ exp(φ): ω = T(φ) φ̇, T the right Jacobian.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace trunnion::math {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

inline Mat3 hat(const Vec3& a) {
  Mat3 s;
  s << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return s;
}

Mat3 so3_exp(const Vec3& phi);
Quat so3_exp_quat(const Vec3& phi);

// The rotation vector of at most half a turn. At exactly half a turn either of ±φ.
Vec3 so3_log(const Quat& q);
Vec3 so3_log(const Mat3& R);

// q exp(δθ), kept at unit length.
Quat so3_compose(const Quat& q, const Vec3& dtheta);

// T(φ): exp(φ)ᵀ d/dt exp(φ) = (T(φ) φ̇)^. Regular for |φ| < 2π.
Mat3 so3_right_jacobian(const Vec3& phi);
Mat3 so3_right_jacobian_inverse(const Vec3& phi);

// ∂(T(φ) u)/∂φ and ∂(T(φ)⁻¹ u)/∂φ with u held.
Mat3 so3_right_jacobian_derivative(const Vec3& phi, const Vec3& u);
Mat3 so3_right_jacobian_inverse_derivative(const Vec3& phi, const Vec3& u);

// Angles of rotations about the rotated axes, in the order of the name; for input and output only.
struct EulerAngles {
  double first = 0.0, second = 0.0, third = 0.0;
};
Mat3 rotation_from_euler_313(const EulerAngles& angles);  // ψ, θ, φ
Mat3 rotation_from_euler_321(const EulerAngles& angles);  // yaw, −PITCH(), roll
Mat3 rotation_from_euler_123(const EulerAngles& angles);
// second in [0, π] for 3-1-3, [−π/2, π/2] for the others; the others in (−π, π]. Where the first and third axes
// coincide only their sum or difference is defined: the third is then 0. They coincide where the sine of the angle between them
// is below kAligned: rounding of a mechanism that moves in a plane must not turn up as angles.
inline constexpr double kAligned = 1e-10;
EulerAngles euler_313(const Mat3& R);
EulerAngles euler_321(const Mat3& R);
EulerAngles euler_123(const Mat3& R);

// Axes from points as ZP= and XP= (ZG=, XG=) give them: z from the origin to z_point, x in the plane of x_point and on its
// side; with use_xp the roles are swapped: x from the origin to x_point, z on the side of z_point.
// False, leaving R alone, if the points do not span a plane.
bool rotation_from_points(const Vec3& origin, const Vec3& z_point, const Vec3& x_point, bool use_xp, Mat3& R);

}  // namespace trunnion::math
