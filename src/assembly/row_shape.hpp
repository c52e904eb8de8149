#pragma once
// Which entries of a constraint row a sink has to make room for, from the row's shape alone.

#include "assembly/layout.hpp"
#include "assembly/sink.hpp"

namespace trunnion::assembly {

// The first entry of a block's part of g, and of a block's rows and columns in H, that can be other than zero.
inline int first_in_g(RowShape shape, const Block& block) {
  return shape == RowShape::orientation ? block.translations : 0;
}
inline int first_in_H(RowShape shape, const Block& block) {
  return shape == RowShape::general ? 0 : block.translations;
}
// Whether H has entries between two different blocks.
inline bool couples(RowShape shape) { return shape != RowShape::coincidence; }

}  // namespace trunnion::assembly
