#include "assembly/layout.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace trunnion::assembly {
namespace {

struct EntryWords {
  const char* coordinate;
  const char* balance;
  bool turn;
};
constexpr EntryWords kRigid[] = {
    {"translation along x", "force along x", false},
    {"translation along y", "force along y", false},
    {"translation along z", "force along z", false},
    {"rotation about body x", "torque about body x", true},
    {"rotation about body y", "torque about body y", true},
    {"rotation about body z", "torque about body z", true},
};
constexpr EntryWords kPlanar[] = {
    {"translation along plane x", "force along plane x", false},
    {"translation along plane y", "force along plane y", false},
    {"rotation about plane normal", "torque about plane normal", true},
};

const EntryWords& words(BlockKind kind, int entry) {
  return kind == BlockKind::planar ? kPlanar[entry] : kRigid[entry];
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

BlockId Layout::add(BlockKind kind, int size, int pose_size, int translations, std::string owner) {
  Block block;
  block.kind = kind;
  block.size = size;
  block.offset = size_;
  block.pose_size = pose_size;
  block.pose_offset = pose_size_;
  block.translations = translations;
  block.owner = std::move(owner);
  blocks_.push_back(std::move(block));
  variables_.emplace_back();
  size_ += size;
  if (kind != BlockKind::first_order && kind != BlockKind::algebraic) mechanical_size_ += size;
  pose_size_ += pose_size;
  return {static_cast<std::int32_t>(blocks_.size()) - 1};
}

BlockId Layout::add_rigid(std::string owner) { return add(BlockKind::rigid, 6, 7, 3, std::move(owner)); }
BlockId Layout::add_point(std::string owner) { return add(BlockKind::point, 3, 3, 3, std::move(owner)); }
BlockId Layout::add_planar(std::string owner, const Plane& plane) {
  const BlockId id = add(BlockKind::planar, 3, 3, 2, std::move(owner));
  blocks_.back().plane = static_cast<int>(planes_.size());
  planes_.push_back(plane);
  return id;
}
BlockId Layout::add_scalars(BlockKind kind, std::string owner, std::vector<Variable> variables) {
  assert(is_scalar(kind));
  const int n = static_cast<int>(variables.size());
  const BlockId id = add(kind, n, n, 0, std::move(owner));
  variables_.back() = std::move(variables);
  return id;
}
RowId Layout::add_row(std::string owner, std::string equation, std::string unit, RowLevel level,
                      std::string removes) {
  rows_.push_back({std::move(owner), std::move(equation), std::move(unit), level, std::move(removes)});
  return {static_cast<std::int32_t>(rows_.size()) - 1};
}

BlockId Layout::block_of(int entry) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), entry,
                                      [](int e, const Block& block) { return e < block.offset; });
  auto found = static_cast<std::int32_t>(after - blocks_.begin()) - 1;
  while (found > 0 && blocks_[static_cast<std::size_t>(found)].size == 0) --found;
  return {found};
}

std::string Layout::column_name(int entry) const {
  const BlockId id = block_of(entry);
  const Block& b = block(id);
  const int k = entry - b.offset;
  if (is_scalar(b.kind))
    return fmt::format("{} {}", b.owner,
                       variables_[static_cast<std::size_t>(id.index)][static_cast<std::size_t>(k)].name);
  return fmt::format("{} {}", b.owner, words(b.kind, k).coordinate);
}

std::string Layout::column_unit(int entry) const {
  const BlockId id = block_of(entry);
  const Block& b = block(id);
  const int k = entry - b.offset;
  if (is_scalar(b.kind))
    return variables_[static_cast<std::size_t>(id.index)][static_cast<std::size_t>(k)].unit;
  return words(b.kind, k).turn ? "angle" : "length";
}

std::string Layout::balance_name(int entry) const {
  const Block& b = block(block_of(entry));
  if (is_scalar(b.kind)) return "equation of " + column_name(entry);
  return fmt::format("{} {}", b.owner, words(b.kind, entry - b.offset).balance);
}

std::string Layout::balance_unit(int entry) const {
  const Block& b = block(block_of(entry));
  if (is_scalar(b.kind)) return column_unit(entry);
  return words(b.kind, entry - b.offset).turn ? "torque" : "force";
}

std::string Layout::row_name(RowId id) const { return fmt::format("{} {}", row(id).owner, row(id).equation); }

std::string Layout::row_words(RowId id) const {
  const Row& r = row(id);
  return fmt::format("{}: {}", r.owner, r.removes.empty() ? r.equation : r.removes);
}

}  // namespace trunnion::assembly
