#pragma once
// The state of a system as a value: copying saves it, dropping it rejects a step.

#include <vector>

#include <Eigen/Core>

#include "assembly/layout.hpp"

namespace trunnion::assembly {

using VecRef = Eigen::Ref<const Eigen::VectorXd>;
using MatRef = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using VecMap = Eigen::Map<Eigen::VectorXd>;
using MatMap = Eigen::Map<Eigen::MatrixXd>;

struct State {
  double t = 0.0;
  Eigen::VectorXd q;           // Layout::pose_size(): poses as stored, states and variables
  Eigen::VectorXd v, a;        // Layout::size()
  Eigen::VectorXd lambda, mu;  // Layout::row_count(): multipliers of the rows, and of their rates in SI2
  std::vector<double> memory;  // unwrapped angles and the like; written only when a step is accepted
};

// Zeros of the right sizes, every rigid body at the ground frame.
State make_state(const Layout& layout);

// The quaternion that stands at a place of a pose vector.
inline Quat load_quat(const VecRef& q, int at) { return Quat(q[at], q[at + 1], q[at + 2], q[at + 3]); }
inline void store_quat(const Quat& R, Eigen::Ref<Eigen::VectorXd> q, int at) {
  q[at] = R.w();
  q[at + 1] = R.x();
  q[at + 2] = R.y();
  q[at + 3] = R.z();
}

// result = q ⊕ d: R ← R exp(δθ) for rotations, a sum for all else. result may be q itself.
void retract(const Layout& layout, VecRef q, VecRef d, Eigen::Ref<Eigen::VectorXd> result);
// d with from ⊕ d = to; rotations of less than half a turn.
void difference(const Layout& layout, VecRef from, VecRef to, Eigen::Ref<Eigen::VectorXd> d);

// The pose of a body's frame (a point mass keeps the ground's axes).
struct Pose {
  Vec3 x = Vec3::Zero();
  Quat R = Quat::Identity();
};
Pose pose(const Layout& layout, BlockId body, VecRef q);
// Only for rigid bodies and point masses; a planar part's pose is set through its three numbers.
void set_pose(const Layout& layout, BlockId body, const Pose& pose, Eigen::Ref<Eigen::VectorXd> q);

// A block and the state it is in.
struct Standing {
  const Layout& layout;
  BlockId block;
};
// The place and velocity of a block taken over from another layout, where it has as many unknowns. Of a body whose mass centre has been
// shifted in it by d, along the axes of the pose, the body itself stays where it is and moves as it does.
void carry_over(const Standing& from, const State& earlier, const Vec3& d, const Standing& to, State& state);

}  // namespace trunnion::assembly
