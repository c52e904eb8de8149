#pragma once
// The few geometric forms all joints and measures are made of, each with its exact gradient and Hessian.
//
// Scalar products of marker axes e and of vectors between marker origins p, in ground axes:
//   axis_axis       e_a(m) · e_b(n)
//   axis_offset     e_c(k) · (p_i − p_j)
//   offset_offset   (p_i − p_j) · (p_k − p_l)
// Linear forms in the velocities (rows g(q) with value g·v):
//   velocity_form   e_c(k) · (v_i − v_j − ω_l × (p_i − p_j))
//   angular_form    e_c(k) · (ω_i − ω_j)
// Each *_row() adds weight × gradient to the pullback's row and weight × Hessian to its matrix (if it has one). They follow
// from δe = δφ × e and δp alone; see docs/theory/constraints.md.

#include "assembly/pullback.hpp"

namespace trunnion::elements {

using assembly::Kinematics;
using assembly::Port;
using assembly::Pullback;
using math::Mat3;
using math::Vec3;

inline Vec3 axis(const Kinematics& kin, const Port& m, int which) {
  return kin.marker(m.marker).R.col(which);
}
inline Vec3 offset(const Kinematics& kin, const Port& i, const Port& j) {
  return kin.marker(i.marker).p - kin.marker(j.marker).p;
}

void axis_axis_row(Pullback& out, const Kinematics& kin, const Port& m, int a, const Port& n, int b,
                   double weight);
void axis_offset_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                     double weight);
void offset_offset_row(Pullback& out, const Kinematics& kin, const Port& i, const Port& j, const Port& k,
                       const Port& l, double weight);

// With any vectors fixed in the markers, given in ground axes, in place of axes.
void vector_vector_row(Pullback& out, const Port& m, const Vec3& a, const Port& n, const Vec3& b,
                       double weight);

Vec3 relative_velocity(const Kinematics& kin, const Port& i, const Port& j, const Port& l);
Vec3 relative_angular_velocity(const Kinematics& kin, const Port& i, const Port& j);
void velocity_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                  const Port& l, double weight);
void angular_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                 double weight);
// The same with a vector e fixed in marker k, given in ground axes. Seen as forces: e acts at I on its body, its opposite at
// the same point on the body of J (for l = j); a moment e on I and its opposite on J.
void velocity_vector_row(Pullback& out, const Kinematics& kin, const Port& k, const Vec3& e, const Port& i,
                         const Port& j, const Port& l);
void angular_vector_row(Pullback& out, const Port& k, const Vec3& e, const Port& i, const Port& j);

// A Euler parameter of I in J, e₀ = cos(θ/2) for component 0, (e₁, e₂, e₃) = sin(θ/2) u for 1 to 3, with e₀ ≥ 0.
double euler_parameter(const Kinematics& kin, const Port& i, const Port& j, int component);
double euler_parameter_rate(const Kinematics& kin, const Port& i, const Port& j, int component);
// The torque on I, its opposite on J, that is its gradient.
Vec3 euler_parameter_gradient(const Kinematics& kin, const Port& i, const Port& j, int component);
void euler_parameter_row(Pullback& out, const Kinematics& kin, const Port& i, const Port& j, int component,
                         double weight);

}  // namespace trunnion::elements
