#pragma once
// From markers to the unknowns of whatever carries them: a wrench is a force f and a moment τ on marker m, in ground axes, dual to the
// marker's motion (δp, δφ), where δφ turns its axes by δe = δφ × e. A constraint's gradient is one (f = ∂φ/∂p, τ = ∂φ/∂φ), an
// applied load is another. What a wrench is over the unknowns is its carrier's answer (carrier.hpp).

#include "assembly/columns.hpp"
#include "assembly/evaluation.hpp"

namespace trunnion::assembly {

using math::hat;

// Listens to the wrenches of one body while a row is built: their sum, about a point. For reactions.
struct WrenchTap {
  BlockId body;               // MarkerDef::body, kGround too
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

  void wrench(const Port& m, const Vec3& f, const Vec3& tau) {
    if (tap_ != nullptr) hear(m, f, tau);
    if (m.fixed()) return;
    const Seat& seat = kin_.seat(m.marker);
    seat.carrier->pull(seat, f, tau, g_, m.columns().data());
  }
  void force(const Port& m, const Vec3& f) { wrench(m, f, Vec3::Zero()); }
  void moment(const Port& m, const Vec3& tau) { wrench(m, Vec3::Zero(), tau); }

  // ∂/∂q of wrench(m, f, tau) with f, tau held.
  void curvature(const Port& m, const Vec3& f, const Vec3& tau) {
    if (m.fixed()) return;
    const Seat& seat = kin_.seat(m.marker);
    seat.carrier->curvature(seat, f, tau, H_, m.columns().data());
  }
  // The same of moment(m, tau), less what partials(m, m, {.tau_turn = τ̂}) is: nothing where the marker turns as its body does. For forms
  // that have joined τ̂ with partials of their own.
  void curvature_beyond_turn(const Port& m, const Vec3& tau) {
    if (!m.fixed() && !kin_.seat(m.marker).carrier->turns_with_body()) add_beyond_turn(m, tau);
  }
  // ∂/∂q through f and τ of m as they depend on the place and turn of n.
  void partials(const Port& m, const Port& n, const WrenchGradient& P);

  // A scalar that depends on the velocity v and angular velocity ω of m by f_v, f_w: adds its row in the columns of q …
  void rate_in_q(const Port& m, const Vec3& f_v, const Vec3& f_w) {
    if (m.fixed()) return;
    const Seat& seat = kin_.seat(m.marker);
    seat.carrier->rate_in_q(seat, f_v, f_w, g_, m.columns().data());
  }
  // … and one that depends on the acceleration a and angular acceleration α by f_a, f_alpha, in the columns of q and v.
  // In its own level's columns each is wrench().
  void acceleration_in_q(const Port& m, const Vec3& f_a, const Vec3& f_alpha) {
    if (m.fixed()) return;
    const Seat& seat = kin_.seat(m.marker);
    seat.carrier->acceleration_in_q(seat, f_a, f_alpha, g_, m.columns().data());
  }
  void acceleration_in_v(const Port& m, const Vec3& f_a, const Vec3& f_alpha) {
    if (m.fixed()) return;
    const Seat& seat = kin_.seat(m.marker);
    seat.carrier->acceleration_in_v(seat, f_a, f_alpha, g_, m.columns().data());
  }

 private:
  void hear(const Port& m, const Vec3& f, const Vec3& tau);
  void add_beyond_turn(const Port& m, const Vec3& tau);

  const Kinematics& kin_;
  double* g_;
  MatMap H_;
  WrenchTap* tap_ = nullptr;
};

}  // namespace trunnion::assembly
