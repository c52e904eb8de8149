#pragma once
// A spanning tree over the parts of a mechanism: each part hangs from another one, or from ground, by one joint whose freedoms are its
// coordinates; a part that no joint connects is free. Joints beside the tree and all other constraints are rows over it.
//
// Joints with many rows come into the tree first, so that few rows are left, and of those of one kind the ones nearest to ground, so that
// loops are short. A part group without a joint to ground hangs from its heaviest part, which is free.
//
// A link's own axes L are those of its joint's frame on its side, so that at coordinates of zero they are the frame's on the parent's side:
//   joint frame on the parent    at d, axes K, both in the parent's link axes from its mass centre
//   link                         R = R_P K rot(q),   mass centre = joint's point + travel + R c
// travel is along axes of the parent's frame; rot turns about its z (one), about its z and then the link's z, which are perpendicular (two),
// or is a rotation of its own (three).

#include <cstdint>
#include <string>
#include <vector>

#include "assembly/layout.hpp"
#include "core/words.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

enum class LinkKind : std::uint8_t {
  fixed,          // –
  revolute,       // turn about z
  translational,  // travel along z
  cylindrical,    // travel along z, turn about z
  universal,      // turn about the parent's z, turn about the link's z
  planar,         // travel along x, y, turn about z
  spherical,      // three turns
  free,           // travel along ground's x, y, z, three turns
  point,          // travel along ground's x, y, z; it has no turns
  plane,          // a planar part: its own three numbers
};

struct Link {
  LinkKind kind = LinkKind::free;
  int parent = -1;              // link; −1: ground
  assembly::BlockId block;      // of the mechanism
  int freedoms = 6, poses = 7;  // entries of v, stored numbers
  int offset = 0, pose_offset = 0;
  math::Vec3 d = math::Vec3::Zero();
  math::Mat3 K = math::Mat3::Identity();
  bool aligned = true;                       // K is the identity
  math::Vec3 c = math::Vec3::Zero();         // link axes
  math::Mat3 R_BL = math::Mat3::Identity();  // link axes in body axes
  double mass = 0;
  math::Mat3 J = math::Mat3::Zero();       // about the mass centre, link axes
  math::Vec3 weight = math::Vec3::Zero();  // mass × gravity, ground axes
  core::Words owner;                       // "JOINT/3 'hinge'", or the part's
};

struct JointTree {
  std::vector<Link> links;   // parents before children, in the order of the bodies as far as that allows
  std::vector<int> link_of;  // of each block of the layout; −1: no body
  std::vector<int> rows;     // of the layout: active and not held by the tree
  int freedoms = 0, poses = 0;
};

// From the joints as they stand at this state. `active`: the constraint rows that act. Where the mechanism has bodies or coordinates that no
// link describes, `why` tells it and there are no links.
JointTree make_joint_tree(const system::System& system, const std::vector<int>& active,
                          const assembly::State& state, std::string& why);

}  // namespace trunnion::solve
