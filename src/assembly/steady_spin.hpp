#pragma once
// A body's turn measured against steady spin: R(t) = R₀ exp(ω₀ (t − t₀)) exp(d), so that
//   ω = exp(d)ᵀ ω₀ + T(d) ḋ
// The reference follows the body through any number of turns; d holds only what its spin changes by, and stays far from the
// full turn at which T is singular. A body that spins steadily has d = 0 for all time.

#include "assembly/state.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

// The largest |d| that formulas work with. Rotation vectors are unique below π; two bodies together then stay
// below it when the turn between them is counted (elements/measure.hpp).
inline constexpr double kLargestTurn = 1.5;

struct SteadySpin {
  math::Quat R0 = math::Quat::Identity();
  math::Vec3 w = math::Vec3::Zero();  // ω₀ in body axes
  double t0 = 0;

  math::Quat at(double t) const { return math::so3_compose(R0, (t - t0) * w); }
  // d of an orientation at t, of less than half a turn.
  math::Vec3 turn(const math::Quat& R, double t) const {
    return math::so3_log(math::Quat(at(t).conjugate() * R));
  }
};

// exp(d)ᵀ ω₀: the reference's spin as the body sees it.
inline math::Vec3 spin_seen(const math::Vec3& d, const math::Vec3& w0) {
  return math::so3_exp_quat(d).conjugate() * w0;
}
inline math::Vec3 spin_velocity(const math::Vec3& d, const math::Vec3& d_dot, const math::Vec3& w0) {
  return spin_seen(d, w0) + math::so3_right_jacobian(d) * d_dot;
}
inline math::Vec3 spin_rate(const math::Vec3& d, const math::Vec3& w, const math::Vec3& w0) {
  return math::so3_right_jacobian_inverse(d) * (w - spin_seen(d, w0));
}

// Whether it is plain how far every body turned from one state to the next: little against steady spin, and as the
// rates at both ends say.
bool turns_known(const Layout& layout, const State& from, const State& to);

}  // namespace trunnion::assembly
