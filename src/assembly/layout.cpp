#include "assembly/layout.hpp"

#include <utility>

#include <fmt/format.h>

namespace trunnion::assembly {
namespace {

EntryWords travel(const char* axis) {
  return {fmt::format("translation along {}", axis), fmt::format("force along {}", axis), "length", "force",
          Quantity::length};
}
EntryWords turn(const char* axis) {
  return {fmt::format("rotation about {}", axis), fmt::format("torque about {}", axis), "angle", "torque",
          Quantity::angle};
}

// The same for all bodies of a kind.
const EntryTable& rigid_words() {
  static const EntryTable words = std::make_shared<std::vector<EntryWords>>(
      std::vector{travel("x"), travel("y"), travel("z"), turn("body x"), turn("body y"), turn("body z")});
  return words;
}
const EntryTable& point_words() {
  static const EntryTable words =
      std::make_shared<std::vector<EntryWords>>(std::vector{travel("x"), travel("y"), travel("z")});
  return words;
}
const EntryTable& planar_words() {
  static const EntryTable words = std::make_shared<std::vector<EntryWords>>(
      std::vector{travel("plane x"), travel("plane y"), turn("plane normal")});
  return words;
}

}  // namespace

Plane make_plane(const Vec3& x, const Quat& R_GB, const Vec3& normal_G) {
  Plane plane;
  plane.origin = x;
  plane.R_GB0 = R_GB;
  const Vec3 n = normal_G.normalized();
  plane.normal_B = R_GB.conjugate() * n;
  // In-plane axes along ground's where the normal allows: x of the plane is ground x less its part along n, unless n is
  // nearly ground x.
  const Vec3 start = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  plane.axes.col(0) = (start - n.dot(start) * n).normalized();
  plane.axes.col(1) = n.cross(plane.axes.col(0));
  return plane;
}

BlockId Layout::add(Block block) {
  const int index = block_count();
  const auto sort = static_cast<std::size_t>(block.dynamics);
  blocks_.push_back(std::move(block));
  bool last = true;
  for (std::size_t later = sort + 1; later < segments_.size(); ++later)
    last = last && segments_[later].size == 0;
  if (last) place(index);
  else arrange();
  return {index};
}

// Blocks of second order before those of first order before algebraic ones.
void Layout::arrange() {
  size_ = pose_size_ = 0;
  segments_ = {};
  triples_.clear();
  runs_.clear();
  block_of_entry_.clear();
  for (const Dynamics sort : {Dynamics::second_order, Dynamics::first_order, Dynamics::algebraic}) {
    for (int b = 0; b < block_count(); ++b) {
      if (blocks_[static_cast<std::size_t>(b)].dynamics == sort) place(b);
    }
  }
}

// Behind all that have a place.
void Layout::place(int index) {
  Block& block = blocks_[static_cast<std::size_t>(index)];
  block.offset = size_;
  block.pose_offset = pose_size_;
  Segment& segment = segments_[static_cast<std::size_t>(block.dynamics)];
  if (segment.size == 0) segment = {size_, 0, pose_size_, 0};
  const auto run = [&](int from, int pose, int count) {
    if (count == 0) return;
    Run* const before = runs_.empty() ? nullptr : &runs_.back();
    const Run next{block.offset + from, block.pose_offset + pose, count};
    if (before && before->offset + before->size == next.offset &&
        before->pose_offset + before->size == next.pose_offset)
      before->size += count;
    else runs_.push_back(next);
  };
  if (block.rotation < 0) {
    run(0, 0, block.size);
  } else {
    run(0, 0, block.rotation);
    run(block.rotation + 3, block.rotation + 4, block.size - block.rotation - 3);
    block.triple = static_cast<int>(triples_.size());
    triples_.push_back({block.offset + block.rotation, block.pose_offset + block.rotation, {index}});
  }
  segment.size += block.size;
  segment.pose_size += block.pose_size;
  size_ += block.size;
  pose_size_ += block.pose_size;
  block_of_entry_.resize(static_cast<std::size_t>(size_), index);
  // Segments behind begin where all that there is ends.
  for (auto later = static_cast<std::size_t>(block.dynamics) + 1; later < segments_.size(); ++later)
    segments_[later] = {size_, 0, pose_size_, 0};
}

BlockId Layout::add_rigid(core::Words owner) {
  Block block;
  block.rotation = 3;
  block.words = rigid_words();
  block.owner = std::move(owner);
  return add(std::move(block));
}
BlockId Layout::add_point(core::Words owner) {
  Block block;
  block.kind = BlockKind::point;
  block.size = block.pose_size = 3;
  block.words = point_words();
  block.owner = std::move(owner);
  return add(std::move(block));
}
BlockId Layout::add_planar(core::Words owner, const Plane& plane) {
  Block block;
  block.kind = BlockKind::planar;
  block.size = block.pose_size = 3;
  block.translations = 2;
  block.plane = static_cast<int>(planes_.size());
  planes_.push_back(plane);
  block.words = planar_words();
  block.owner = std::move(owner);
  return add(std::move(block));
}
BlockId Layout::add_scalars(Dynamics dynamics, core::Words owner, const std::vector<Variable>& variables) {
  Block block;
  block.dynamics = dynamics;
  block.kind = BlockKind::none;
  block.size = block.pose_size = static_cast<int>(variables.size());
  block.translations = 0;
  std::vector<EntryWords> words;
  for (const Variable& v : variables)
    words.push_back(
        {v.name, fmt::format("equation of {} {}", owner, v.name), v.unit, v.unit, Quantity::number});
  block.words = std::make_shared<const std::vector<EntryWords>>(std::move(words));
  block.owner = std::move(owner);
  return add(std::move(block));
}
RowId Layout::add_row(core::Words owner, std::string equation, Measured residual, RowLevel level,
                      std::string removes) {
  rows_.push_back({std::move(owner), std::move(equation), residual, level, std::move(removes)});
  return {static_cast<std::int32_t>(rows_.size()) - 1};
}

int Layout::pose_entry(int entry) const {
  const Block& b = block(block_of(entry));
  const int k = entry - b.offset;
  if (b.rotation < 0 || k < b.rotation) return b.pose_offset + k;
  return k < b.rotation + 3 ? -1 : b.pose_offset + k + 1;
}

core::Words Layout::column_name(int entry) const {
  return core::words("{} {}", block(block_of(entry)).owner, words(entry).coordinate);
}
std::string Layout::column_unit(int entry) const { return words(entry).unit; }
core::Words Layout::balance_name(int entry) const {
  const Block& b = block(block_of(entry));
  return b.is_body() ? core::words("{} {}", b.owner, words(entry).balance)
                     : core::Words(words(entry).balance, b.owner.subject());
}
std::string Layout::balance_unit(int entry) const { return words(entry).balance_unit; }

core::Words Layout::row_name(RowId id) const { return core::words("{} {}", row(id).owner, row(id).equation); }

core::Words Layout::row_words(RowId id) const {
  const Row& r = row(id);
  return core::words("{}: {}", r.owner, r.removes.empty() ? r.equation : r.removes);
}

}  // namespace trunnion::assembly
