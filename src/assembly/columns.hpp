#pragma once
// The blocks one element touches, in a fixed order, and where in that order the blocks of each of its markers stand.

#include <span>
#include <vector>

#include "assembly/marker.hpp"

namespace trunnion::assembly {

// A marker as seen by one element.
struct Port {
  MarkerId marker = MarkerTable::kGroundMarker;
  int column = -1;  // of its first block's first entry among the element's columns; −1 on ground
  std::vector<int> several = {};  // of all its blocks, where it has more than one

  bool fixed() const { return column < 0; }  // on ground
  std::span<const int> columns() const {
    if (!several.empty()) return several;
    return {&column, fixed() ? 0u : 1u};
  }
  // Whether a block whose first entry is this column moves the marker.
  bool has(int first) const;
};
inline const Port kGroundPort{};

class Columns {
 public:
  // The first entry of the block among these columns; added at the end unless there.
  int add(const Layout& layout, BlockId block);
  // With all blocks that move the marker.
  Port add(const Layout& layout, const MarkerTable& markers, MarkerId marker);

  std::span<const BlockId> blocks() const { return blocks_; }
  std::span<const int> offsets() const { return offsets_; }  // of each block's first entry
  int size() const { return size_; }
  // Whether all markers added are shifted by their blocks' translations and turned by the rest (Carrier).
  bool shifts_by_translations() const { return shifts_by_translations_; }
  // Whether each of them stands still in the frame of one block.
  bool stand_in_frames() const { return shifts_by_translations_ && turn_with_bodies_; }

  // The entries of a system vector (v, a, …) that these columns are.
  void gather(const Layout& layout, const Eigen::VectorXd& from, Eigen::Ref<Eigen::VectorXd> to) const;

 private:
  std::vector<BlockId> blocks_;
  std::vector<int> offsets_;
  int size_ = 0;
  bool shifts_by_translations_ = true, turn_with_bodies_ = true;
};

}  // namespace trunnion::assembly
