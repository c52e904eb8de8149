#pragma once
// Who owns which unknown and which equation, by name. Every message uses these names, never an index.
//
// An unknown belongs to a block. The tangent vectors v, a, δq have size() entries, block after block in the order added:
//   rigid   ẋ of the mass centre in ground axes (3), ω in body axes (3)       poses: x (3), quaternion w x y z (4)
//   point   ẋ in ground axes (3)                                              poses: x (3)
//   planar  travel along the two axes of its plane (2), turn about its normal poses: the same three numbers
//   parameter    of a curve: a coordinate without mass, moved by its constraint's multipliers
//   first_order  states z of DIFF, LSE, …: q = z, v = ż; one equation each
//   algebraic    variables w of VARIABLE, …: q = w; v and a mean nothing; one equation each
// Each tangent entry is also the name of one equation: the balance conjugate to it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/ids.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

using math::Mat3;
using math::Quat;
using math::Vec3;

enum class BlockKind : std::uint8_t { rigid, point, planar, parameter, first_order, algebraic };
// Plain numbers without a place in space.
constexpr bool is_scalar(BlockKind kind) { return kind >= BlockKind::parameter; }

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

struct Block {
  BlockKind kind = BlockKind::rigid;
  int size = 6;          // tangent entries
  int offset = 0;        // of the first of them
  int pose_size = 7;     // stored numbers
  int pose_offset = 0;   // of the first of them
  int translations = 3;  // leading tangent entries that turn no marker
  int plane = -1;        // index into planes, planar only
  std::string owner;     // "PART/3 'crank'"
};

// Whether a row holds the position or only the velocity.
enum class RowLevel : std::uint8_t { position, velocity };

struct Row {
  std::string owner;     // "JOINT/12 'crank_pin'"
  std::string equation;  // "z_I·y_J = 0"
  std::string unit;      // of the residual: "length", "angle", "1", …
  RowLevel level = RowLevel::position;
  std::string removes = {};  // the freedom it takes, in words: "rotation about y"; may be empty
};

class Layout {
 public:
  BlockId add_rigid(std::string owner);
  BlockId add_point(std::string owner);
  BlockId add_planar(std::string owner, const Plane& plane);
  struct Variable {
    std::string name;  // "state 1"
    std::string unit;
  };
  BlockId add_scalars(BlockKind kind, std::string owner, std::vector<Variable> variables);
  RowId add_row(std::string owner, std::string equation, std::string unit,
                RowLevel level = RowLevel::position, std::string removes = {});

  const Block& block(BlockId id) const { return blocks_[static_cast<std::size_t>(id.index)]; }
  const Plane& plane(const Block& block) const { return planes_[static_cast<std::size_t>(block.plane)]; }
  const Row& row(RowId id) const { return rows_[static_cast<std::size_t>(id.index)]; }
  int block_count() const { return static_cast<int>(blocks_.size()); }
  int row_count() const { return static_cast<int>(rows_.size()); }
  int size() const { return size_; }  // tangent entries
  int mechanical_size() const {
    return mechanical_size_;
  }                                             // of bodies and curve parameters: what constraints hold
  int pose_size() const { return pose_size_; }  // stored numbers

  // "PART/3 'crank' rotation about body x"; entry counts tangent entries over all blocks.
  std::string column_name(int entry) const;
  std::string column_unit(int entry) const;  // of the position: "length", "angle"
  // "PART/3 'crank' torque about body x", the balance in that entry's row.
  std::string balance_name(int entry) const;
  std::string balance_unit(int entry) const;
  std::string row_name(RowId id) const;  // "JOINT/12 'crank_pin' z_I·y_J = 0"
  // "JOINT/12 'crank_pin': rotation about x", or the equation where there are no words for it.
  std::string row_words(RowId id) const;
  BlockId block_of(int entry) const;

 private:
  BlockId add(BlockKind kind, int size, int pose_size, int translations, std::string owner);

  std::vector<Block> blocks_;
  std::vector<Plane> planes_;
  std::vector<Row> rows_;
  std::vector<std::vector<Variable>> variables_;  // one list per block, empty but for scalars
  int size_ = 0;
  int mechanical_size_ = 0;
  int pose_size_ = 0;
};

}  // namespace trunnion::assembly
