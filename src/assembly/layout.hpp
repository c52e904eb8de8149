#pragma once
// Who owns which unknown and which equation, by name. Every message uses these names, never an index.
//
// An unknown belongs to a block. What others need to know of a block are facts: how its equations are (Dynamics), where its pose
// holds a rotation, and the words and quantity of each of its entries. The tangent vectors v, a, δq have size() entries; those of
// second order come first, then those of first order, then algebraic ones, each sort in the order added:
//   rigid   ẋ of the mass centre in ground axes (3), ω in body axes (3)       poses: x (3), quaternion w x y z (4)
//   point   ẋ in ground axes (3)                                              poses: x (3)
//   planar  travel along the two axes of its plane (2), turn about its normal poses: the same three numbers
//   parameters   of a curve: coordinates without mass, moved by their constraint's multipliers
//   states       z of DIFF, LSE, …, of first order: q = z, v = ż; one equation each
//   variables    w of VARIABLE, …, algebraic: q = w; v and a mean nothing; one equation each
// Each tangent entry is also the name of one equation: the balance conjugate to it.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/ids.hpp"
#include "core/words.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

using math::Mat3;
using math::Quat;
using math::Vec3;

// How the equations of a block's unknowns are.
enum class Dynamics : std::uint8_t { second_order, first_order, algebraic };
// What a tangent entry measures.
enum class Quantity : std::uint8_t { length, angle, number };
// How a block is a body. Of this folder alone: all others ask for facts.
enum class BlockKind : std::uint8_t { rigid, point, planar, none };

// Where a planar part moves: x = origin + axes·(q₁, q₂), R_GB = R_GB0 exp(q₃ normal_B). The map from its three
// velocities to (ẋ, ω in body axes) is constant, so that its columns are a fixed choice among a rigid part's.
struct Plane {
  Vec3 origin = Vec3::Zero();
  Eigen::Matrix<double, 3, 2> axes = Eigen::Matrix<double, 3, 2>::Identity();  // unit, in ground axes
  Vec3 normal_B = Vec3::UnitZ();                                               // in body axes
  Quat R_GB0 = Quat::Identity();                                               // orientation at q₃ = 0
};
// The plane through a body's given pose with the given unit normal (ground axes).
Plane make_plane(const Vec3& x, const Quat& R_GB, const Vec3& normal_G);

struct EntryWords {
  std::string coordinate, balance;  // "translation along x", "force along x"
  std::string unit, balance_unit;   // of the position, "length"; of the balance, "force"
  Quantity quantity = Quantity::number;
};
using EntryTable = std::shared_ptr<const std::vector<EntryWords>>;

struct Block {
  Dynamics dynamics = Dynamics::second_order;
  int size = 6;         // tangent entries
  int offset = 0;       // of the first of them
  int pose_size = 7;    // stored numbers
  int pose_offset = 0;  // of the first of them
  int rotation =
      -1;  // which of its entries is the first of three that turn it, stored as a quaternion; −1: none
  int triple = -1;       // its place in Layout::triples(), −1: none
  int translations = 3;  // leading tangent entries that turn no marker
  int plane = -1;        // index into planes, −1: moves in space
  BlockKind kind = BlockKind::rigid;
  EntryTable words;   // of each entry
  core::Words owner;  // "PART/3 'crank'"

  bool is_body() const { return kind != BlockKind::none; }  // has a place in space
  bool is_mechanical() const { return dynamics == Dynamics::second_order; }
};

// The entries of one sort of dynamics: they follow one another in tangent vectors and in poses.
struct Segment {
  int offset = 0, size = 0;
  int pose_offset = 0, pose_size = 0;

  bool has(int entry) const { return entry >= offset && entry < offset + size; }
};
// A rotation: three tangent entries, four numbers of the pose.
struct Triple {
  int offset = 0, pose_offset = 0;
  BlockId block;
};
// Entries that are stored as they are.
struct Run {
  int offset = 0, pose_offset = 0, size = 0;
};

// Whether a row holds the position or only the velocity.
enum class RowLevel : std::uint8_t { position, velocity };

// What a number measures, and what messages call its unit.
struct Measured {
  Quantity quantity = Quantity::number;
  const char* unit = "1";
};
inline constexpr Measured kLength{Quantity::length, "length"}, kAngle{Quantity::angle, "angle"}, kNumber{};

struct Row {
  core::Words owner;     // "JOINT/12 'crank_pin'"
  std::string equation;  // "z_I·y_J = 0"
  Measured residual;     // length, angle, …
  RowLevel level = RowLevel::position;
  std::string removes = {};  // the freedom it takes, in words: "rotation about y"; may be empty
};

class Layout {
 public:
  BlockId add_rigid(core::Words owner);
  BlockId add_point(core::Words owner);
  BlockId add_planar(core::Words owner, const Plane& plane);
  struct Variable {
    std::string name;  // "state 1"
    std::string unit;
  };
  BlockId add_scalars(Dynamics dynamics, core::Words owner, const std::vector<Variable>& variables);
  RowId add_row(core::Words owner, std::string equation, Measured residual,
                RowLevel level = RowLevel::position, std::string removes = {});

  const Block& block(BlockId id) const { return blocks_[static_cast<std::size_t>(id.index)]; }
  const Plane& plane(const Block& block) const { return planes_[static_cast<std::size_t>(block.plane)]; }
  const Row& row(RowId id) const { return rows_[static_cast<std::size_t>(id.index)]; }
  int block_count() const { return static_cast<int>(blocks_.size()); }
  int row_count() const { return static_cast<int>(rows_.size()); }
  int size() const { return size_; }            // tangent entries
  int pose_size() const { return pose_size_; }  // stored numbers
  const Segment& segment(Dynamics dynamics) const { return segments_[static_cast<std::size_t>(dynamics)]; }
  const Segment& coordinates() const { return segment(Dynamics::second_order); }  // what constraints hold
  const Segment& states() const { return segment(Dynamics::first_order); }
  const Segment& variables() const { return segment(Dynamics::algebraic); }
  int mechanical_size() const { return coordinates().size; }
  std::span<const Triple> triples() const { return triples_; }
  std::span<const Run> runs() const { return runs_; }
  bool is_mechanical(int entry) const { return coordinates().has(entry); }
  Quantity quantity(int entry) const { return words(entry).quantity; }
  // Whether the entry is a length, or a turn, of a body.
  bool is_travel(int entry) const { return quantity(entry) == Quantity::length; }
  bool is_turn(int entry) const { return quantity(entry) == Quantity::angle; }
  // Where a number that is stored as it is stands in the pose; −1 for an entry of a triple.
  int pose_entry(int entry) const;

  // "PART/3 'crank' rotation about body x"; entry counts tangent entries over all blocks.
  core::Words column_name(int entry) const;
  std::string column_unit(int entry) const;  // of the position: "length", "angle"
  // "PART/3 'crank' torque about body x", the balance in that entry's row.
  core::Words balance_name(int entry) const;
  std::string balance_unit(int entry) const;
  core::Words row_name(RowId id) const;  // "JOINT/12 'crank_pin' z_I·y_J = 0"
  // "JOINT/12 'crank_pin': rotation about x", or the equation where there are no words for it.
  core::Words row_words(RowId id) const;
  BlockId block_of(int entry) const { return {block_of_entry_[static_cast<std::size_t>(entry)]}; }

 private:
  BlockId add(Block block);
  void arrange();
  void place(int block);
  const EntryWords& words(int entry) const {
    const Block& b = block(block_of(entry));
    return (*b.words)[static_cast<std::size_t>(entry - b.offset)];
  }

  std::vector<Block> blocks_;
  std::vector<Plane> planes_;
  std::vector<Row> rows_;
  std::array<Segment, 3> segments_;
  std::vector<Triple> triples_;
  std::vector<Run> runs_;
  std::vector<std::int32_t> block_of_entry_;
  int size_ = 0;
  int pose_size_ = 0;
};

}  // namespace trunnion::assembly
