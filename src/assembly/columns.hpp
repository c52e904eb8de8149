#pragma once
// The blocks one element touches, in a fixed order, and where in that order each of its markers' bodies stands.

#include <span>
#include <vector>

#include "assembly/kinematics.hpp"

namespace trunnion::assembly {

// A marker as seen by one element.
struct Port {
  MarkerId marker = MarkerTable::kGroundMarker;
  int column = -1;  // of its body's first entry among the element's columns; −1 on ground
};

class Columns {
 public:
  // The first entry of the block among these columns; added at the end unless there. −1 for ground.
  int add(const Layout& layout, BlockId block);
  Port add(const Layout& layout, const MarkerTable& markers, MarkerId marker) {
    return {marker, add(layout, markers[marker].body)};
  }

  std::span<const BlockId> blocks() const { return blocks_; }
  std::span<const int> offsets() const { return offsets_; }  // of each block's first entry
  int size() const { return size_; }

  // The entries of a system vector (v, a, …) that these columns are.
  void gather(const Layout& layout, const Eigen::VectorXd& from, Eigen::Ref<Eigen::VectorXd> to) const;

 private:
  std::vector<BlockId> blocks_;
  std::vector<int> offsets_;
  int size_ = 0;
};

}  // namespace trunnion::assembly
