#include "assembly/state.hpp"

#include <cassert>

namespace trunnion::assembly {
State make_state(const Layout& layout) {
  State state;
  state.q.setZero(layout.pose_size());
  for (const Triple& t : layout.triples()) state.q[t.pose_offset] = 1.0;
  state.v.setZero(layout.size());
  state.a.setZero(layout.size());
  state.lambda.setZero(layout.row_count());
  state.mu.setZero(layout.row_count());
  return state;
}

void retract(const Layout& layout, VecRef q, VecRef d, Eigen::Ref<Eigen::VectorXd> result) {
  for (const Run& r : layout.runs())
    result.segment(r.pose_offset, r.size) = q.segment(r.pose_offset, r.size) + d.segment(r.offset, r.size);
  for (const Triple& t : layout.triples())
    store_quat(math::so3_compose(load_quat(q, t.pose_offset), d.segment<3>(t.offset)), result, t.pose_offset);
}

void difference(const Layout& layout, VecRef from, VecRef to, Eigen::Ref<Eigen::VectorXd> d) {
  for (const Run& r : layout.runs())
    d.segment(r.offset, r.size) = to.segment(r.pose_offset, r.size) - from.segment(r.pose_offset, r.size);
  for (const Triple& t : layout.triples())
    d.segment<3>(t.offset) =
        math::so3_log(Quat(load_quat(from, t.pose_offset).conjugate() * load_quat(to, t.pose_offset)));
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

void carry_over(const Standing& from, const State& earlier, const Vec3& d, const Standing& to, State& state) {
  const Block &was = from.layout.block(from.block), &is = to.layout.block(to.block);
  if (was.kind != is.kind || was.size != is.size) return;
  state.q.segment(is.pose_offset, is.pose_size) = earlier.q.segment(was.pose_offset, was.pose_size);
  state.v.segment(is.offset, is.size) = earlier.v.segment(was.offset, was.size);
  const Pose X = pose(from.layout, from.block, earlier.q);
  const Vec3 arm = X.R * d, x = X.x + arm;
  auto v = state.v.segment(is.offset, is.size);
  switch (is.kind) {
    case BlockKind::rigid: {
      state.q.segment<3>(is.pose_offset) = x;
      v.head<3>() += (X.R * Vec3(v.tail<3>())).cross(arm);
      return;
    }
    case BlockKind::point: state.q.segment<3>(is.pose_offset) = x; return;
    case BlockKind::planar: {
      const Plane &before = from.layout.plane(was), &now = to.layout.plane(is);
      const Vec3 spin = v[2] * (X.R * before.normal_B);
      const Vec3 velocity = before.axes * v.head<2>() + spin.cross(arm);
      const Vec3 turned = math::so3_log(Quat(now.R_GB0.conjugate() * before.R_GB0));
      state.q.segment<2>(is.pose_offset) = now.axes.transpose() * (x - now.origin);
      state.q[is.pose_offset + 2] += turned.dot(now.normal_B);
      v.head<2>() = now.axes.transpose() * velocity;
      return;
    }
    default: return;
  }
}

void set_pose(const Layout& layout, BlockId body, const Pose& pose, Eigen::Ref<Eigen::VectorXd> q) {
  const Block& block = layout.block(body);
  assert(block.kind == BlockKind::rigid || block.kind == BlockKind::point);
  q.segment<3>(block.pose_offset) = pose.x;
  if (block.kind == BlockKind::rigid) store_quat(pose.R, q, block.pose_offset + 3);
}

}  // namespace trunnion::assembly
