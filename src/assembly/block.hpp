#pragma once
// What kind of unknowns a block of the layout holds.

#include "assembly/layout.hpp"

namespace trunnion::assembly {

// A body's: neither a state nor a variable.
inline bool is_mechanical(const Block& block) {
  return block.kind != BlockKind::first_order && block.kind != BlockKind::algebraic;
}

}  // namespace trunnion::assembly
