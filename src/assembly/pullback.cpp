#include "assembly/pullback.hpp"

namespace trunnion::assembly {
namespace {

// A planar part's (ẋ, ω in body axes) over its three velocities.
Eigen::Matrix<double, 6, 3> planar_map(const Plane& plane) {
  Eigen::Matrix<double, 6, 3> S = Eigen::Matrix<double, 6, 3>::Zero();
  S.topLeftCorner<3, 2>() = plane.axes;
  S.bottomRightCorner<3, 1>() = plane.normal_B;
  return S;
}

}  // namespace

Pullback::Owner Pullback::owner(const Port& m) const {
  const Block& block = kin_.layout().block(kin_.owner(m.marker));
  return {block.kind, block.kind == BlockKind::planar ? &kin_.layout().plane(block) : nullptr, block.size};
}

void Pullback::add_row(const Port& m, const Vec3& x_part, const Vec3& theta_part) {
  Eigen::Map<Vec3> first(g_ + m.column);
  const Owner own = owner(m);
  switch (own.kind) {
    case BlockKind::rigid:
      first += x_part;
      Eigen::Map<Vec3>(g_ + m.column + 3) += theta_part;
      break;
    case BlockKind::point: first += x_part; break;
    case BlockKind::planar:
      first.head<2>() += own.plane->axes.transpose() * x_part;
      first[2] += own.plane->normal_B.dot(theta_part);
      break;
    default: break;
  }
}

void Pullback::add_block(const Port& m, const Port& n, const Mat3& xx, const Mat3& xt, const Mat3& tx,
                         const Mat3& tt) {
  const Owner row = owner(m), col = owner(n);
  if (row.kind == BlockKind::rigid && col.kind == BlockKind::rigid) {
    auto block = H_.block<6, 6>(m.column, n.column);
    block.topLeftCorner<3, 3>() += xx;
    block.topRightCorner<3, 3>() += xt;
    block.bottomLeftCorner<3, 3>() += tx;
    block.bottomRightCorner<3, 3>() += tt;
    return;
  }
  Mat6 full;
  full << xx, xt, tx, tt;
  Eigen::Matrix<double, 6, 6> half;  // columns reduced; only the first col.size are used
  switch (col.kind) {
    case BlockKind::planar: half.leftCols<3>() = full * planar_map(*col.plane); break;
    case BlockKind::point: half.leftCols<3>() = full.leftCols<3>(); break;
    default: half = full; break;
  }
  const auto reduced = half.leftCols(col.size);
  auto block = H_.block(m.column, n.column, row.size, col.size);
  switch (row.kind) {
    case BlockKind::planar: block.noalias() += planar_map(*row.plane).transpose().lazyProduct(reduced); break;
    case BlockKind::point: block += reduced.topRows<3>(); break;
    default: block += reduced; break;
  }
}

void Pullback::wrench(const Port& m, const Vec3& f, const Vec3& tau) {
  if (tap_ != nullptr && kin_.owner(m.marker) == tap_->body) {
    tap_->force += f;
    tap_->moment += tau + (kin_.marker(m.marker).p - tap_->about).cross(f);
  }
  if (m.column < 0) return;
  const Vec3 moment_at_origin = tau + kin_.marker(m.marker).r.cross(f);
  add_row(m, f, kin_.body_of(m.marker).R.transpose() * moment_at_origin);
}

void Pullback::curvature(const Port& m, const Vec3& f, const Vec3& tau) {
  if (m.column < 0) return;
  const Mat3& R = kin_.body_of(m.marker).R;
  // r̂ f̂ = f rᵀ − (r·f) 1
  const Vec3& r = kin_.marker(m.marker).r;
  Mat3 inner = f * r.transpose() + hat(tau);
  inner.diagonal().array() -= r.dot(f);
  add_block(m, m, Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), R.transpose() * inner * R);
}

void Pullback::partials(const Port& m, const Port& n, const Mat3* f_p, const Mat3* f_turn, const Mat3* tau_p,
                        const Mat3* tau_turn) {
  if (m.column < 0 || n.column < 0) return;
  const Mat3& R_m = kin_.body_of(m.marker).R;
  const Mat3& R_n = kin_.body_of(n.marker).R;
  if (f_p == nullptr && f_turn == nullptr && tau_p == nullptr) {  // pure orientation, the most frequent
    if (tau_turn != nullptr)
      add_block(m, n, Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), R_m.transpose() * *tau_turn * R_n);
    return;
  }
  const Mat3 zero = Mat3::Zero();
  const Mat3 r_m = hat(kin_.marker(m.marker).r), r_n = hat(kin_.marker(n.marker).r);
  const Mat3& fp = f_p != nullptr ? *f_p : zero;
  const Mat3& ft = f_turn != nullptr ? *f_turn : zero;
  Mat3 mp = r_m * fp, mt = r_m * ft;  // moment about the body's origin
  if (tau_p != nullptr) mp += *tau_p;
  if (tau_turn != nullptr) mt += *tau_turn;
  add_block(m, n, fp, (ft - fp * r_n) * R_n, R_m.transpose() * mp, R_m.transpose() * (mt - mp * r_n) * R_n);
}

void Pullback::rate_in_q(const Port& m, const Vec3& f_v, const Vec3& f_w) {
  if (m.column < 0) return;
  // δv = δφ × (ω × r), δω = δφ × ω
  const BodyMotion& b = kin_.body_of(m.marker);
  const Vec3 turn = b.w.cross(kin_.marker(m.marker).r).cross(f_v) + b.w.cross(f_w);
  add_row(m, Vec3::Zero(), b.R.transpose() * turn);
}

void Pullback::acceleration_in_q(const Port& m, const Vec3& f_a, const Vec3& f_alpha) {
  if (m.column < 0) return;
  // δa = δφ × (a − ẍ), δα = δφ × α
  const BodyMotion& b = kin_.body_of(m.marker);
  const Vec3 turn = (kin_.marker(m.marker).a - b.a).cross(f_a) + b.alpha.cross(f_alpha);
  add_row(m, Vec3::Zero(), b.R.transpose() * turn);
}

void Pullback::acceleration_in_v(const Port& m, const Vec3& f_a) {
  if (m.column < 0) return;
  // δa = δω × (ω × r) + ω × (δω × r)
  const BodyMotion& b = kin_.body_of(m.marker);
  const Vec3& r = kin_.marker(m.marker).r;
  add_row(m, Vec3::Zero(), b.R.transpose() * (b.w.cross(r).cross(f_a) - r.cross(b.w.cross(f_a))));
}

}  // namespace trunnion::assembly
