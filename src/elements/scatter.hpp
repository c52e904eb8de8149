#pragma once
// From a measure's own columns to those of the element that uses it.

#include <vector>

#include "elements/measure.hpp"

namespace trunnion::elements {

class Scatter {
 public:
  // Adds the measure's blocks to `columns` and remembers where they went.
  Scatter(const assembly::Layout& layout, const Columns& from, Columns& columns) {
    for (std::size_t b = 0; b < from.blocks().size(); ++b) {
      const int size = layout.block(from.blocks()[b]).size;
      runs_.push_back({from.offsets()[b], columns.add(layout, from.blocks()[b]), size});
    }
  }
  void add(double weight, const VecMap& from, VecMap to) const {
    if (from.size() == 0) return;
    for (const Run& r : runs_) to.segment(r.to, r.size) += weight * from.segment(r.from, r.size);
  }
  void add(double weight, const MatMap& from, MatMap to) const {
    if (from.size() == 0) return;
    for (const Run& r : runs_) {
      for (const Run& c : runs_)
        to.block(r.to, c.to, r.size, c.size) += weight * from.block(r.from, c.from, r.size, c.size);
    }
  }

 private:
  struct Run {
    int from, to, size;
  };
  std::vector<Run> runs_;
};

}  // namespace trunnion::elements
