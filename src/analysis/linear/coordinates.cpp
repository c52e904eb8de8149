#include "analysis/linear/coordinates.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "math/so3.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using math::hat;
using math::Mat3;
using math::Vec3;

namespace {

constexpr double kParallel = 1e-9;

// A frame's axes, and how they turn, in themselves.
struct Frame {
  Mat3 Q = Mat3::Identity();
  Mat3 W = Mat3::Zero();   // Ω̂
  Mat3 W2 = Mat3::Zero();  // Ω̂² + α̂
};

Frame frame_of(const assembly::Kinematics& kinematics, assembly::MarkerId rm) {
  Frame f;
  if (!rm.valid()) return f;
  const assembly::MarkerMotion& marker = kinematics.marker(rm);
  f.Q = marker.R;
  f.W = hat(Vec3(f.Q.transpose() * marker.w));
  f.W2 = f.W * f.W + hat(Vec3(f.Q.transpose() * marker.alpha));
  return f;
}

class Builder {
 public:
  explicit Builder(int size) : size_(size) {}

  void put(int at, const Eigen::MatrixXd& E, const Eigen::MatrixXd& E1, const Eigen::MatrixXd& F1,
           const Eigen::MatrixXd& F0) {
    add(at, E, E_);
    add(at, E1, E1_);
    add(at, F1, F1_);
    add(at, F0, F0_);
  }
  // Entries that no axes belong to.
  void put_one(int at) { E_.emplace_back(at, at, 1.0); }

  void finish(LinearCoordinates& out) const {
    out.E = make(E_);
    out.E1 = make(E1_);
    out.F1 = make(F1_);
    out.F0 = make(F0_);
  }

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  static void add(int at, const Eigen::MatrixXd& m, Triplets& to) {
    for (int j = 0; j < m.cols(); ++j) {
      for (int i = 0; i < m.rows(); ++i) {
        if (m(i, j) != 0) to.emplace_back(at + i, at + j, m(i, j));
      }
    }
  }
  LinearCoordinates::Matrix make(const Triplets& entries) const {
    LinearCoordinates::Matrix m(size_, size_);
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
  }

  int size_;
  Triplets E_, E1_, F1_, F0_;
};

void put_translation(Builder& to, int at, const Frame& f) {
  to.put(at, f.Q, f.Q * f.W, 2 * f.Q * f.W, f.Q * f.W2);
}

void put_rotation(Builder& to, int at, const Frame& f, const assembly::BodyMotion& body) {
  const Mat3 E = body.R.transpose() * f.Q, w = hat(Vec3(body.R.transpose() * body.w));
  to.put(at, E, E * f.W, 2 * E * f.W - w * E, E * f.W2 - w * E * f.W);
}

// The two axes of the frame that lie in the plane; false where none does, or where the frame turns out of it.
bool put_planar(Builder& to, int at, const Frame& f, const assembly::Plane& plane) {
  to.put_one(at + 2);
  const Vec3 normal = plane.axes.col(0).cross(plane.axes.col(1));
  for (int k = 0; k < 3; ++k) {
    if (f.Q.col(k).cross(normal).norm() > kParallel) continue;
    Eigen::Matrix<double, 3, 2> in_plane;
    in_plane << Mat3::Identity().col((k + 1) % 3), Mat3::Identity().col((k + 2) % 3);
    const double leaving = (f.W * Mat3::Identity().col(k)).norm();
    if (leaving > kParallel * (1 + f.W.norm())) return false;
    const Eigen::Matrix2d E = plane.axes.transpose() * f.Q * in_plane;
    const Eigen::Matrix2d W = in_plane.transpose() * f.W * in_plane,
                          W2 = in_plane.transpose() * f.W2 * in_plane;
    to.put(at, E, E * W, 2 * E * W, E * W2);
    return true;
  }
  to.put_one(at);
  to.put_one(at + 1);
  return f.W.norm() <= kParallel && f.W2.norm() <= kParallel;
}

// Its first three entries are a place in ground axes.
bool in_space(const Block& block) { return block.is_body() && block.plane < 0; }

}  // namespace

LinearCoordinates::LinearCoordinates(const system::System& system, const assembly::Kinematics& kinematics,
                                     assembly::MarkerId rm) {
  const assembly::Layout& layout = system.layout();
  const Frame frame = frame_of(kinematics, rm);
  Builder to(layout.size());
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    if (block.plane >= 0 && rm.valid()) {
      if (!put_planar(to, block.offset, frame, layout.plane(block)))
        trouble = core::words(
            "RM turns out of the plane of {}: it has no coordinates along such axes; try an RM that turns "
            "about the normal of the plane, or a part without PLANAR",
            block.owner);
    } else if (in_space(block)) {
      put_translation(to, block.offset, frame);
      if (block.rotation >= 0)
        put_rotation(to, block.offset + block.rotation, frame, kinematics.body(BlockId{b}));
    } else {
      for (int i = 0; i < block.size; ++i) to.put_one(block.offset + i);
    }
  }
  to.finish(*this);
}

core::Words coordinate_name(const system::System& system, int entry, const core::Words& frame) {
  const assembly::Layout& layout = system.layout();
  const Block& block = layout.block(layout.block_of(entry));
  const int about = entry - block.offset - block.rotation;
  const bool turn = block.rotation >= 0 && about >= 0 && about < 3;
  const bool place = in_space(block);
  core::Words name = layout.column_name(entry);
  if (turn) name = core::words("{} rotation about {}", block.owner, "xyz"[about]);
  return place && !frame.empty() ? name + " of " + frame : name;
}

}  // namespace trunnion::analysis
