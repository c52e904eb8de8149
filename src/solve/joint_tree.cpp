#include "solve/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "elements/body.hpp"
#include "elements/joint.hpp"
#include "system/excerpt.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;
using elements::JointType;
using math::Mat3;
using math::Vec3;

namespace {

struct Shape {
  LinkKind kind;
  int axis_i = 2, axis_j = 2;  // of the markers: what becomes z
  std::size_t rows = 0;        // of the joint that the link holds, from its first on
};

// What a joint is as a link: all of it, or as much as its leading rows.
std::optional<Shape> shape_of(JointType type) {
  const std::size_t all = elements::joint_rows(type).size();
  switch (type) {
    case JointType::revolute: return Shape{LinkKind::revolute, 2, 2, all};
    case JointType::translational: return Shape{LinkKind::translational, 2, 2, all};
    case JointType::cylindrical: return Shape{LinkKind::cylindrical, 2, 2, all};
    case JointType::spherical:
    case JointType::atpoint: return Shape{LinkKind::spherical, 2, 2, all};
    case JointType::universal: return Shape{LinkKind::universal, 2, 2, all};
    case JointType::hooke: return Shape{LinkKind::universal, 0, 1, all};
    case JointType::fixed: return Shape{LinkKind::fixed, 2, 2, all};
    case JointType::planar: return Shape{LinkKind::planar, 2, 2, all};
    case JointType::convel: return Shape{LinkKind::spherical, 2, 2, 3};  // its mirror row is left
    default: break;                                                      // rows beside the tree
  }
  return {};
}

struct Freedoms {
  int velocities, poses;
};
Freedoms freedoms_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::fixed: return {0, 0};
    case LinkKind::revolute:
    case LinkKind::translational: return {1, 1};
    case LinkKind::cylindrical:
    case LinkKind::universal: return {2, 2};
    case LinkKind::planar:
    case LinkKind::point:
    case LinkKind::plane: return {3, 3};
    case LinkKind::spherical: return {3, 4};
    case LinkKind::free: break;
  }
  return {6, 7};
}

// Turns z to the axis asked for.
Mat3 axis_to_z(int axis) {
  Mat3 W = Mat3::Zero();
  for (int k = 0; k < 3; ++k) W((axis + 1 + k) % 3, k) = 1;  // columns x, y, z of the new frame
  return W;
}

class Builder {
 public:
  Builder(const system::System& system, const std::vector<int>& active, const assembly::State& state)
      : system_(system),
        layout_(system.layout()),
        joints_(system::Excerpt::joints(system)),
        active_(active),
        state_(state) {
    tree_.link_of.assign(static_cast<std::size_t>(layout_.block_count()), -1);
    held_.assign(static_cast<std::size_t>(layout_.row_count()), 0);
    act_ = held_;
    for (const int r : active_) act_[static_cast<std::size_t>(r)] = 1;
    body_of_.assign(static_cast<std::size_t>(layout_.block_count()), nullptr);
    for (const elements::Body& b : system.body_elements())
      body_of_[static_cast<std::size_t>(b.block.index)] = &b;
    joints_at_.resize(static_cast<std::size_t>(layout_.block_count()) + 1);
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const BlockId a = body(joints_[k].i.marker), b = body(joints_[k].j.marker);
      if (!shape_of(joints_[k].type) || !acts(joints_[k]) || !is_rigid(a) || !is_rigid(b) || a == b) continue;
      for (const BlockId at : {a, b}) joints_at_[static_cast<std::size_t>(at.index + 1)].push_back(k);
    }
  }

  JointTree build(std::string& why) {
    if (!all_are_bodies(why)) return {};
    hang_all();
    for (const int r : active_) {
      if (!held_[static_cast<std::size_t>(r)]) tree_.rows.push_back(r);
    }
    return std::move(tree_);
  }

 private:
  bool all_are_bodies(std::string& why) const {
    // Their inertia is not that of rigid bodies, whatever blocks and markers they have.
    for (const system::FlexInfo& body : system_.flexible()) return is_flexible(body.label, why);
    for (const system::BeamInfo& beam : system_.beams()) return is_flexible(beam.label, why);
    for (int b = 0; b < layout_.block_count(); ++b) {
      const Block& block = layout_.block({b});
      if (!block.is_mechanical() || (block.is_body() && is_element({b}))) continue;
      why = fmt::format("{} is no rigid part", block.owner);
      return false;
    }
    for (const assembly::MarkerDef& def : system_.markers().all()) {
      if (def.carrier == nullptr) continue;
      why = fmt::format("{} is flexible", def.body.valid() ? std::string(layout_.block(def.body).owner)
                                                           : std::string("a part"));
      return false;
    }
    return true;
  }
  static bool is_flexible(const core::Words& label, std::string& why) {
    why = fmt::format("{} is flexible", label);
    return false;
  }
  bool is_element(BlockId id) const { return body_of_[static_cast<std::size_t>(id.index)] != nullptr; }

  BlockId body(assembly::MarkerId m) const { return system_.markers()[m].body; }
  bool is_rigid(BlockId id) const { return !id.valid() || layout_.block(id).rotation >= 0; }
  bool hung(BlockId id) const {
    return !id.valid() || tree_.link_of[static_cast<std::size_t>(id.index)] >= 0;
  }
  int link(BlockId id) const { return id.valid() ? tree_.link_of[static_cast<std::size_t>(id.index)] : -1; }
  int depth(BlockId id) const { return id.valid() ? depth_[static_cast<std::size_t>(link(id))] : 0; }

  void hang_all() {
    open_joints(assembly::kGround, 0);
    hang_from_what_hangs();
    while (const elements::Body* heaviest = next_free()) {
      hang_free(heaviest->block);
      hang_from_what_hangs();
    }
  }

  // The heaviest part that hangs from nothing yet, the first of equal ones.
  const elements::Body* next_free() const {
    const elements::Body* found = nullptr;
    for (const elements::Body& b : system_.body_elements()) {
      if (!hung(b.block) && (found == nullptr || b.mass > found->mass)) found = &b;
    }
    return found;
  }

  // Prim's way: of all joints from what hangs to what does not, the one with the most rows, nearest to ground, first in the model.
  void hang_from_what_hangs() {
    while (!open_.empty()) {
      const auto next = open_.begin();
      const elements::Joint& joint = joints_[std::get<2>(*next)];
      open_.erase(next);
      if (!hung(body(joint.i.marker)) || !hung(body(joint.j.marker))) hang(joint);
    }
  }
  // Joints to what does not hang yet.
  void open_joints(BlockId at, int depth) {
    for (const std::size_t k : joints_at_[static_cast<std::size_t>(at.index + 1)]) {
      const elements::Joint& joint = joints_[k];
      if (!hung(body(joint.i.marker)) || !hung(body(joint.j.marker)))
        open_.emplace(6 - shape_of(joint.type)->rows, depth, k);
    }
  }

  // One that is switched off has no rows that act; of one that closes a loop some may be redundant, but hold.
  bool acts(const elements::Joint& joint) const {
    const auto first = act_.begin() + joint.first_row.index;
    return std::any_of(first, first + static_cast<long>(elements::joint_rows(joint.type).size()),
                       [](char a) { return a != 0; });
  }

  void hang_free(BlockId block) {
    Link link;
    const Block& own = layout_.block(block);
    link.kind = own.rotation >= 0 ? LinkKind::free : own.plane >= 0 ? LinkKind::plane : LinkKind::point;
    link.owner = layout_.block(block).owner;
    add(std::move(link), block, 0);
  }

  void hang(const elements::Joint& joint) {
    const Shape shape = *shape_of(joint.type);
    const bool from_j = hung(body(joint.j.marker));  // the parent is on J's side
    const assembly::MarkerDef& on_parent = system_.markers()[from_j ? joint.j.marker : joint.i.marker];
    const assembly::MarkerDef& on_link = system_.markers()[from_j ? joint.i.marker : joint.j.marker];
    const int axis_parent = from_j ? shape.axis_j : shape.axis_i,
              axis_link = from_j ? shape.axis_i : shape.axis_j;
    Link l;
    l.kind = shape.kind;
    l.parent = link(on_parent.body);
    l.owner = layout_.row(joint.first_row).owner;
    const Mat3 R_PF = on_parent.R_BM * axis_to_z(axis_parent);
    l.R_BL = on_link.R_BM * axis_to_z(axis_link);
    if (shape.kind != LinkKind::universal && shape.kind != LinkKind::spherical)
      l.R_BL = l.R_BL * facing(on_parent.body, R_PF, on_link.body, l.R_BL, shape.kind);
    l.c = -l.R_BL.transpose() * on_link.p_BM;
    const Mat3 R_BP =
        l.parent < 0 ? Mat3(Mat3::Identity()) : tree_.links[static_cast<std::size_t>(l.parent)].R_BL;
    l.K = R_BP.transpose() * R_PF;
    constexpr double kRounding = 1e-15;
    l.aligned = (l.K - Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding;
    if (l.aligned) l.K.setIdentity();
    l.d = R_BP.transpose() * on_parent.p_BM;
    for (std::size_t k = 0; k < shape.rows; ++k)
      held_[static_cast<std::size_t>(joint.first_row.index) + k] = 1;
    add(std::move(l), on_link.body, depth(on_parent.body) + 1);
  }

  // Rows that keep axes parallel do not say whether they point the same way: as they are.
  Mat3 facing(BlockId parent, const Mat3& R_PF, BlockId child, const Mat3& R_BL, LinkKind kind) const {
    const Mat3 R = (rotation(parent) * R_PF).transpose() * rotation(child) * R_BL;
    Vec3 sign(1, 1, 1);
    sign.z() = R(2, 2) < 0 ? -1 : 1;
    if (kind == LinkKind::translational || kind == LinkKind::fixed) sign.x() = R(0, 0) < 0 ? -1 : 1;
    sign.y() = sign.x() * sign.z();
    return sign.asDiagonal();
  }
  Mat3 rotation(BlockId id) const {
    return id.valid() ? Mat3(assembly::pose(layout_, id, state_.q).R.toRotationMatrix())
                      : Mat3(Mat3::Identity());
  }

  void add(Link link, BlockId block, int depth) {
    link.block = block;
    const Freedoms freedoms = freedoms_of(link.kind);
    link.freedoms = freedoms.velocities;
    link.poses = freedoms.poses;
    link.offset = tree_.freedoms;
    link.pose_offset = tree_.poses;
    tree_.freedoms += link.freedoms;
    tree_.poses += link.poses;
    const elements::Body& body = *body_of_[static_cast<std::size_t>(block.index)];
    link.mass = body.mass;
    link.J = link.R_BL.transpose() * body.J * link.R_BL;
    link.weight = body.mass * body.gravity;
    tree_.link_of[static_cast<std::size_t>(block.index)] = static_cast<int>(tree_.links.size());
    tree_.links.push_back(std::move(link));
    depth_.push_back(depth);
    open_joints(block, depth);
  }

  const system::System& system_;
  const assembly::Layout& layout_;
  std::span<const elements::Joint> joints_;
  const std::vector<int>& active_;
  const assembly::State& state_;
  JointTree tree_;
  std::vector<int> depth_;                                    // of each link
  std::vector<char> held_, act_;                              // rows
  std::vector<const elements::Body*> body_of_;                // of each block
  std::vector<std::vector<std::size_t>> joints_at_;           // of each block, ground first
  std::set<std::tuple<std::size_t, int, std::size_t>> open_;  // rows missing, depth, joint
};

}  // namespace

JointTree make_joint_tree(const system::System& system, const std::vector<int>& active,
                          const assembly::State& state, std::string& why) {
  return Builder(system, active, state).build(why);
}

}  // namespace trunnion::solve
