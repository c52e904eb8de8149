#pragma once
// From markers to the unknowns of the bodies that carry them. Joints, forces and measures speak of markers only; this is the
// one place that knows what kind of body a marker sits on.
//
// A wrench at markers: force f and moment τ on marker m, in ground axes, dual to the marker's motion (δp, δφ), where
// δφ turns its axes by δe = δφ × e. A constraint's gradient is one (f = ∂φ/∂p, τ = ∂φ/∂φ), an applied load is another.
// With r from the body's origin to the marker and body axes R:
//   δp = δx + (R δθ) × r,  δφ = R δθ      ⇒      row over (x, θ):   f ,  Rᵀ(τ + r × f)
// and its derivative, with f and τ held (curvature):                 Rᵀ(r̂ f̂ + τ̂)R   in (θ, θ)
// Point masses keep x only; planar parts combine these by their constant 6×3 map.

#include "assembly/columns.hpp"
#include "assembly/evaluation.hpp"

namespace trunnion::assembly {

using math::hat;

// Listens to the wrenches of one body while a row is built: their sum, about a point. For reactions.
struct WrenchTap {
  BlockId body;               // kGround too
  Vec3 about = Vec3::Zero();  // ground axes
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
};

// Adds wrenches to a row over an element's columns, and their partials to a square matrix over the same.
class Pullback {
 public:
  // H may be empty (0×0) when no partials are wanted; then only wrench() and the rate functions may be called.
  Pullback(const Kinematics& kinematics, Eigen::Ref<Eigen::VectorXd> g, MatMap H)
      : kin_(kinematics), g_(g.data()), H_(H) {}
  Pullback(const Kinematics& kinematics, Eigen::Ref<Eigen::VectorXd> g)
      : kin_(kinematics), g_(g.data()), H_(nullptr, 0, 0) {}

  void listen(WrenchTap* tap) { tap_ = tap; }
  bool wants_partials() const { return H_.size() != 0; }

  void wrench(const Port& m, const Vec3& f, const Vec3& tau);
  void force(const Port& m, const Vec3& f) { wrench(m, f, Vec3::Zero()); }
  void moment(const Port& m, const Vec3& tau) { wrench(m, Vec3::Zero(), tau); }

  // ∂/∂q of wrench(m, f, tau) with f, tau held.
  void curvature(const Port& m, const Vec3& f, const Vec3& tau);
  // ∂/∂q through f and τ of m as they depend on the place p and turn φ of n:
  // f_p = ∂f/∂p, f_turn = ∂f/∂φ, tau_p, tau_turn. A null pointer is a zero matrix.
  void partials(const Port& m, const Port& n, const Mat3* f_p, const Mat3* f_turn, const Mat3* tau_p,
                const Mat3* tau_turn);

  // A scalar that depends on the velocity v and angular velocity ω of m by f_v, f_w: adds its row in the columns of q …
  void rate_in_q(const Port& m, const Vec3& f_v, const Vec3& f_w);
  // … and one that depends on the acceleration a and angular acceleration α by f_a, f_alpha, in the columns of q and v.
  // In its own level's columns each is wrench().
  void acceleration_in_q(const Port& m, const Vec3& f_a, const Vec3& f_alpha);
  void acceleration_in_v(const Port& m, const Vec3& f_a);

 private:
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  struct Owner {
    BlockKind kind;
    const Plane* plane;
    int size;
  };
  Owner owner(const Port& m) const;
  void add_row(const Port& m, const Vec3& x_part, const Vec3& theta_part);
  void add_block(const Port& m, const Port& n, const Mat3& xx, const Mat3& xt, const Mat3& tx,
                 const Mat3& tt);

  const Kinematics& kin_;
  double* g_;
  MatMap H_;
  WrenchTap* tap_ = nullptr;
};

}  // namespace trunnion::assembly
