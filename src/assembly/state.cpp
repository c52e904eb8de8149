#include "assembly/state.hpp"

#include <cassert>

namespace trunnion::assembly {
namespace {

Quat load_quat(VecRef q, int at) { return Quat(q[at], q[at + 1], q[at + 2], q[at + 3]); }
void store_quat(const Quat& R, Eigen::Ref<Eigen::VectorXd> q, int at) {
  q[at] = R.w();
  q[at + 1] = R.x();
  q[at + 2] = R.y();
  q[at + 3] = R.z();
}

}  // namespace

State make_state(const Layout& layout) {
  State state;
  state.q.setZero(layout.pose_size());
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    if (block.kind == BlockKind::rigid) state.q[block.pose_offset + 3] = 1.0;
  }
  state.v.setZero(layout.size());
  state.a.setZero(layout.size());
  state.lambda.setZero(layout.row_count());
  state.mu.setZero(layout.row_count());
  return state;
}

void retract(const Layout& layout, VecRef q, VecRef d, Eigen::Ref<Eigen::VectorXd> result) {
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    const int p = block.pose_offset, o = block.offset;
    if (block.kind == BlockKind::rigid) {
      const Quat R = math::so3_compose(load_quat(q, p + 3), d.segment<3>(o + 3));
      result.segment<3>(p) = q.segment<3>(p) + d.segment<3>(o);
      store_quat(R, result, p + 3);
    } else {
      for (int k = 0; k < block.size; ++k) result[p + k] = q[p + k] + d[o + k];
    }
  }
}

void difference(const Layout& layout, VecRef from, VecRef to, Eigen::Ref<Eigen::VectorXd> d) {
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    const int p = block.pose_offset, o = block.offset;
    if (block.kind == BlockKind::rigid) {
      d.segment<3>(o) = to.segment<3>(p) - from.segment<3>(p);
      d.segment<3>(o + 3) = math::so3_log(Quat(load_quat(from, p + 3).conjugate() * load_quat(to, p + 3)));
    } else {
      for (int k = 0; k < block.size; ++k) d[o + k] = to[p + k] - from[p + k];
    }
  }
}

Pose pose(const Layout& layout, BlockId body, VecRef q) {
  if (!body.valid()) return {};
  const Block& block = layout.block(body);
  const int p = block.pose_offset;
  switch (block.kind) {
    case BlockKind::rigid: return {q.segment<3>(p), load_quat(q, p + 3)};
    case BlockKind::point: return {q.segment<3>(p), Quat::Identity()};
    case BlockKind::planar: {
      const Plane& plane = layout.plane(block);
      return {plane.origin + plane.axes * q.segment<2>(p),
              math::so3_compose(plane.R_GB0, q[p + 2] * plane.normal_B)};
    }
    default: break;
  }
  return {};
}

void set_pose(const Layout& layout, BlockId body, const Pose& pose, Eigen::Ref<Eigen::VectorXd> q) {
  const Block& block = layout.block(body);
  assert(block.kind == BlockKind::rigid || block.kind == BlockKind::point);
  q.segment<3>(block.pose_offset) = pose.x;
  if (block.kind == BlockKind::rigid) store_quat(pose.R, q, block.pose_offset + 3);
}

}  // namespace trunnion::assembly
