#include "elements/forms.hpp"

namespace trunnion::elements {
namespace {

using math::hat;
using math::Quat;

// â b̂ = b aᵀ − (a·b) 1
Mat3 hat_hat(const Vec3& a, const Vec3& b) {
  Mat3 m = b * a.transpose();
  m.diagonal().array() -= a.dot(b);
  return m;
}

Quat relative_quaternion(const Kinematics& kin, const Port& i, const Port& j) {
  Quat e(Mat3(kin.marker(j.marker).R.transpose() * kin.marker(i.marker).R));
  if (e.w() < 0.0) e.coeffs() = -e.coeffs();
  return e;
}

}  // namespace

void vector_vector_row(Pullback& out, const Port& m, const Vec3& a, const Port& n, const Vec3& b,
                       double weight) {
  // δ(a·b) = δφ_m·(a×b) − δφ_n·(a×b)
  const Vec3 tau = weight * a.cross(b);
  out.moment(m, tau);
  out.moment(n, -tau);
  if (!out.wants_partials()) return;
  // Curvature included: b̂â + (a×b)^ = âb̂.
  const Mat3 ab = weight * hat_hat(a, b), ba = weight * hat_hat(b, a);
  const Mat3 minus_ab = -ab, minus_ba = -ba;
  out.partials(m, m, {.tau_turn = &ab});
  out.partials(m, n, {.tau_turn = &minus_ab});
  out.partials(n, n, {.tau_turn = &ba});
  out.partials(n, m, {.tau_turn = &minus_ba});
  out.curvature_beyond_turn(m, tau);
  out.curvature_beyond_turn(n, -tau);
}

void axis_axis_row(Pullback& out, const Kinematics& kin, const Port& m, int a, const Port& n, int b,
                   double weight) {
  vector_vector_row(out, m, axis(kin, m, a), n, axis(kin, n, b), weight);
}

void axis_offset_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                     double weight) {
  const Vec3 e = weight * axis(kin, k, c), d = offset(kin, i, j);
  const Vec3 tau = e.cross(d);
  out.force(i, e);
  out.force(j, -e);
  out.moment(k, tau);
  if (!out.wants_partials()) return;
  out.curvature(i, e, Vec3::Zero());
  out.curvature(j, -e, Vec3::Zero());
  if (k.fixed()) return;  // a constant direction
  const Mat3 E = hat(e), minus_E = -E;
  const Mat3 turn = hat_hat(e, d);  // d̂ê + (e×d)^
  out.partials(i, k, {.f_turn = &minus_E});
  out.partials(j, k, {.f_turn = &E});
  out.partials(k, i, {.tau_p = &E});
  out.partials(k, j, {.tau_p = &minus_E});
  out.partials(k, k, {.tau_turn = &turn});
  out.curvature_beyond_turn(k, tau);
}

void offset_offset_row(Pullback& out, const Kinematics& kin, const Port& i, const Port& j, const Port& k,
                       const Port& l, double weight) {
  const Port* const first[2] = {&i, &j};
  const Port* const second[2] = {&k, &l};
  const double sign[2] = {1.0, -1.0};
  const Vec3 d1 = weight * offset(kin, i, j), d2 = weight * offset(kin, k, l);
  const Mat3 plus = weight * Mat3::Identity(), minus = -plus;
  for (int s = 0; s < 2; ++s) {
    out.force(*first[s], sign[s] * d2);
    out.force(*second[s], sign[s] * d1);
    if (!out.wants_partials()) continue;
    out.curvature(*first[s], sign[s] * d2, Vec3::Zero());
    out.curvature(*second[s], sign[s] * d1, Vec3::Zero());
    for (int t = 0; t < 2; ++t) {
      const Mat3& unit = s == t ? plus : minus;
      out.partials(*first[s], *second[t], {.f_p = &unit});
      out.partials(*second[t], *first[s], {.f_p = &unit});
    }
  }
}

Vec3 relative_velocity(const Kinematics& kin, const Port& i, const Port& j, const Port& l) {
  return kin.marker(i.marker).v - kin.marker(j.marker).v - kin.marker(l.marker).w.cross(offset(kin, i, j));
}

Vec3 relative_angular_velocity(const Kinematics& kin, const Port& i, const Port& j) {
  return kin.marker(i.marker).w - kin.marker(j.marker).w;
}

void velocity_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                  const Port& l, double weight) {
  velocity_vector_row(out, kin, k, weight * axis(kin, k, c), i, j, l);
}

void velocity_vector_row(Pullback& out, const Kinematics& kin, const Port& k, const Vec3& e, const Port& i,
                         const Port& j, const Port& l) {
  const Vec3 d = offset(kin, i, j);
  const Vec3 tau = e.cross(d);  // −e·(ω×d) = ω·(e×d)
  out.force(i, e);
  out.force(j, -e);
  out.moment(l, tau);
  if (!out.wants_partials()) return;
  out.curvature(i, e, Vec3::Zero());
  out.curvature(j, -e, Vec3::Zero());
  out.curvature(l, Vec3::Zero(), tau);
  const Mat3 E = hat(e), minus_E = -E;
  const Mat3 turn = hat_hat(d, e);  // δ(e×d) = (δφ×e)×d = d̂ê δφ
  out.partials(i, k, {.f_turn = &minus_E});
  out.partials(j, k, {.f_turn = &E});
  out.partials(l, k, {.tau_turn = &turn});
  out.partials(l, i, {.tau_p = &E});
  out.partials(l, j, {.tau_p = &minus_E});
}

void angular_row(Pullback& out, const Kinematics& kin, const Port& k, int c, const Port& i, const Port& j,
                 double weight) {
  angular_vector_row(out, k, weight * axis(kin, k, c), i, j);
}

void angular_vector_row(Pullback& out, const Port& k, const Vec3& e, const Port& i, const Port& j) {
  out.moment(i, e);
  out.moment(j, -e);
  if (!out.wants_partials()) return;
  out.curvature(i, Vec3::Zero(), e);
  out.curvature(j, Vec3::Zero(), -e);
  const Mat3 E = hat(e), minus_E = -E;
  out.partials(i, k, {.tau_turn = &minus_E});
  out.partials(j, k, {.tau_turn = &E});
}

double euler_parameter(const Kinematics& kin, const Port& i, const Port& j, int component) {
  const Quat e = relative_quaternion(kin, i, j);
  return component == 0 ? e.w() : e.vec()[component - 1];
}

Vec3 euler_parameter_gradient(const Kinematics& kin, const Port& i, const Port& j, int component) {
  const Quat q = relative_quaternion(kin, i, j);
  const Vec3 e = q.vec();
  if (component == 0) return kin.marker(i.marker).R * (-0.5 * e);
  const Vec3 u = Vec3::Unit(component - 1);
  return kin.marker(i.marker).R * (0.5 * (q.w() * u + u.cross(e)));
}

double euler_parameter_rate(const Kinematics& kin, const Port& i, const Port& j, int component) {
  return euler_parameter_gradient(kin, i, j, component).dot(relative_angular_velocity(kin, i, j));
}

void euler_parameter_row(Pullback& out, const Kinematics& kin, const Port& i, const Port& j, int component,
                         double weight) {
  // With δψ the turn of I relative to J in I's axes: δe₀ = −½ e·δψ, δe = ½(e₀ δψ + e × δψ).
  const Quat q = relative_quaternion(kin, i, j);
  const Vec3 e = q.vec();
  const Mat3 de = 0.5 * (q.w() * Mat3::Identity() + hat(e));  // δe = de δψ
  Vec3 t;                                                     // the parameter varies by t·δψ
  Mat3 dt;                                                    // and t by dt δψ
  if (component == 0) {
    t = -0.5 * e;
    dt = -0.5 * de;
  } else {
    const Vec3 u = Vec3::Unit(component - 1);
    t = 0.5 * (q.w() * u + u.cross(e));
    dt = 0.5 * (-0.5 * u * e.transpose() + hat(u) * de);
  }
  const Mat3& R = kin.marker(i.marker).R;
  const Vec3 tau = weight * (R * t);
  out.moment(i, tau);
  out.moment(j, -tau);
  if (!out.wants_partials()) return;
  const Mat3 D = weight * (R * dt * R.transpose()), minus_D = -D;
  const Mat3 turned = hat(tau) - D;
  // δτ_i = δφ_i × τ + D (δφ_i − δφ_j); the first cancels the curvature τ̂ of i.
  out.partials(i, i, {.tau_turn = &D});
  out.partials(i, j, {.tau_turn = &minus_D});
  out.partials(j, i, {.tau_turn = &turned});
  out.partials(j, j, {.tau_turn = &D});
  out.curvature_beyond_turn(i, tau);
  out.curvature(j, Vec3::Zero(), -tau);
}

}  // namespace trunnion::elements
