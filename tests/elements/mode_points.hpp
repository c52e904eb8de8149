#pragma once
// A body as mass points that move by mode shapes: its invariants are sums over the points.

#include <vector>

#include "elements/modal_body.hpp"

namespace trunnion::elements::test {

struct ModePoint {
  double m = 0;
  math::Vec3 s = math::Vec3::Zero();
  Eigen::Matrix3Xd modes;
};

inline ModalInvariants invariants_of(const std::vector<ModePoint>& points) {
  using math::hat;
  const Eigen::Index M = points.front().modes.cols();
  ModalInvariants I;
  I.I3.setZero(3, M);
  I.I4.setZero(3, M);
  I.I5.setZero(3 * M, M);
  I.I6.setZero(M, M);
  I.I8.setZero(3, 3 * M);
  I.I9.setZero(3 * M, 3 * M);
  I.K.setZero(M, M);
  for (const ModePoint& p : points) {
    I.I1 += p.m;
    I.I2 += p.m * p.s;
    I.I3 += p.m * p.modes;
    I.I4 += p.m * hat(p.s) * p.modes;
    I.I6 += p.m * p.modes.transpose() * p.modes;
    I.I7 += p.m * hat(p.s).transpose() * hat(p.s);
    for (Eigen::Index j = 0; j < M; ++j) {
      const math::Vec3 shape_j = p.modes.col(j);
      I.I5.middleRows<3>(3 * j) += p.m * hat(shape_j) * p.modes;
      I.I8.middleCols<3>(3 * j) += p.m * hat(p.s) * hat(shape_j);
      for (Eigen::Index k = 0; k < M; ++k) {
        const math::Vec3 shape_k = p.modes.col(k);
        I.I9.block<3, 3>(3 * j, 3 * k) += p.m * hat(shape_j) * hat(shape_k);
      }
    }
  }
  return I;
}

}  // namespace trunnion::elements::test
