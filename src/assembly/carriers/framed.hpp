#pragma once
// What rigid, planar and point bodies share: a frame (x, R) that carries its markers rigidly. With r from its origin to the marker
//   δp = δx + δφ × r,  δφ = R δθ      ⇒      row over (x, θ):   f ,  Rᵀ(τ + r × f)
// and its derivative, with f and τ held:                         Rᵀ(r̂ f̂ + τ̂)R   in (θ, θ)
// A Kind says which combinations of (x, θ) its entries are:
//   add(seat, row, x_part, theta_part)       a row over (x, θ) onto the block's
//   add_turn(seat, H, column, tt)            a square over (θ, θ) onto the block's
//   kTurns                                   whether θ is among them at all

#include "assembly/carrier.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

template <class Kind> class Framed : public BodyCarrier {
 public:
  bool shifts_by_translations() const final { return true; }
  bool turns_with_body() const final { return true; }
  int kept() const final { return 3; }

  void move(const Seat& seat, const State&, Level level, MarkerMotion& m) const final {
    const BodyMotion& b = *seat.body;
    Eigen::Map<Vec3> r(seat.kept);
    r = b.R * seat.def->p_BM;
    m.p = b.x + r;
    m.R = b.R * seat.def->R_BM;
    if (level == Level::q) return;
    m.v = b.v + b.w.cross(r);
    m.w = b.w;
    if (level == Level::v) return;
    m.a = b.a + b.alpha.cross(r) + b.w.cross(b.w.cross(r));
    m.alpha = b.alpha;
  }
  Twist twist(const Seat& seat, int, int entry) const final {
    Twist t = this->body_twist(*seat.layout, seat.layout->block(seat.def->body), *seat.body, entry);
    t.p += t.turn.cross(arm(seat));
    return t;
  }
  void pull(const Seat& seat, const Vec3& f, const Vec3& tau, double* row, const int* columns) const final {
    Kind::add(seat, row + columns[0], f, in_body(seat, tau + arm(seat).cross(f)));
  }
  void curvature(const Seat& seat, const Vec3& f, const Vec3& tau, MatMap& H,
                 const int* columns) const final {
    if constexpr (Kind::kTurns) {
      // r̂ f̂ = f rᵀ − (r·f) 1
      const Mat3& R = seat.body->R;
      const Vec3 r = arm(seat);
      Mat3 inner = f * r.transpose() + math::hat(tau);
      inner.diagonal().array() -= r.dot(f);
      Kind::add_turn(seat, H, columns[0], R.transpose() * inner * R);
    }
  }
  void rate_in_q(const Seat& seat, const Vec3& f_v, const Vec3& f_w, double* row,
                 const int* columns) const final {
    // δv = δφ × (ω × r), δω = δφ × ω
    const Vec3& w = seat.body->w;
    add_turning(seat, row + columns[0], w.cross(arm(seat)).cross(f_v) + w.cross(f_w));
  }
  void acceleration_in_q(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                         const int* columns) const final {
    // δa = δφ × (α × r + ω × (ω × r)), δα = δφ × α
    const Vec3 &w = seat.body->w, &alpha = seat.body->alpha;
    const Vec3 r = arm(seat), relative = alpha.cross(r) + w.cross(w.cross(r));
    add_turning(seat, row + columns[0], relative.cross(f_a) + alpha.cross(f_alpha));
  }
  void acceleration_in_v(const Seat& seat, const Vec3& f_a, const Vec3&, double* row,
                         const int* columns) const final {
    // δa = δω × (ω × r) + ω × (δω × r); α = R θ̈ knows no ω
    const Vec3& w = seat.body->w;
    const Vec3 r = arm(seat);
    add_turning(seat, row + columns[0], w.cross(r).cross(f_a) - r.cross(w.cross(f_a)));
  }

 protected:
  static Vec3 arm(const Seat& seat) { return Eigen::Map<const Vec3>(seat.kept); }

 private:
  static Vec3 in_body(const Seat& seat, const Vec3& moment) {
    if constexpr (Kind::kTurns) return seat.body->R.transpose() * moment;
    return Vec3::Zero();
  }
  // A row over δφ alone.
  static void add_turning(const Seat& seat, double* row, const Vec3& moment) {
    if constexpr (Kind::kTurns) Kind::add(seat, row, Vec3::Zero(), in_body(seat, moment));
  }
};

}  // namespace trunnion::assembly
