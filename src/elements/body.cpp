#include "elements/body.hpp"

namespace trunnion::elements {

using assembly::Level;
using assembly::Term;
using math::hat;
using math::Mat3;
using math::Vec3;

void evaluate(const Body& body, const assembly::Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  const assembly::Block& block = at.layout().block(body.block);
  const int o = block.offset;
  const double m = body.mass;
  if (block.rotation >= 0) {
    const Vec3 w = at.state.v.segment<3>(o + 3);
    const Vec3 Jw = body.J * w;
    if (needs.residual) {
      Eigen::Matrix<double, 6, 1> inertia, weight;
      inertia << m * at.state.a.segment<3>(o), body.J * at.state.a.segment<3>(o + 3) + w.cross(Jw);
      weight << -m * body.gravity, Vec3::Zero();
      sink.residual(body.block, Term::inertia, inertia);
      sink.residual(body.block, Term::applied, weight);
    }
    if (needs.partial_v) {
      Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();
      C.bottomRightCorner<3, 3>() = hat(w) * body.J - hat(Jw);
      sink.partial(body.block, body.block, Level::v, C);
    }
    if (needs.partial_a) {
      Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
      M.topLeftCorner<3, 3>().diagonal().setConstant(m);
      M.bottomRightCorner<3, 3>() = body.J;
      sink.partial(body.block, body.block, Level::a, M);
    }
    return;
  }
  Vec3 M, weight;
  if (block.plane >= 0) {
    const assembly::Plane& plane = at.layout().plane(block);
    M << m, m, plane.normal_B.dot(body.J * plane.normal_B);
    weight << -m * (plane.axes.transpose() * body.gravity), 0.0;
  } else {
    M.setConstant(m);
    weight = -m * body.gravity;
  }
  if (needs.residual) {
    const Vec3 inertia = M.cwiseProduct(at.state.a.segment<3>(o));
    sink.residual(body.block, Term::inertia, inertia);
    sink.residual(body.block, Term::applied, weight);
  }
  if (needs.partial_a) {
    const Mat3 full = M.asDiagonal();
    sink.partial(body.block, body.block, Level::a, full);
  }
}

double kinetic_energy(const Body& body, const assembly::Evaluation& at) {
  const assembly::BodyMotion& b = at.kinematics.body(body.block);
  const Vec3 w = b.R.transpose() * b.w;
  return 0.5 * (body.mass * b.v.squaredNorm() + w.dot(body.J * w));
}

double potential_energy(const Body& body, const assembly::Evaluation& at) {
  return -body.mass * body.gravity.dot(at.kinematics.body(body.block).x);
}

Mat3 inertia_about_mass_centre(const double (&ip)[6], double mass, const Mat3& R_BI, const Vec3& p_IC_B) {
  Mat3 J;
  J << ip[0], -ip[3], -ip[4], -ip[3], ip[1], -ip[5], -ip[4], -ip[5], ip[2];
  const Mat3 c = hat(p_IC_B);
  return R_BI * J * R_BI.transpose() + mass * (c * c);  // Steiner: J_C = J_I − m(c² 1 − c cᵀ)
}

}  // namespace trunnion::elements
