#pragma once
// What sinks that take turning rows take of bodies with many modes, so that these cost by what their numbers are and not by the square of
// their count. All other sinks get Sink's calls, which say the same.
//
// A partial of a block by itself that is diagonal at every state may come as a column, Sink::partial(block, block, level, diagonal).

#include <algorithm>

#include "assembly/layout.hpp"
#include "assembly/sink.hpp"

namespace trunnion::assembly {

// Given to Sink::turning_rows in place of its base where modes are among the blocks: Σ λ H over all entries instead of turns alone.
struct SummedRows : TurningRows {
  MatRef H, H_mu;  // Σ λ H and Σ μ H; empty: zero, or needs() asks for no hessians or no partial_q
  bool modes_couple = true;  // whether H has entries between modes; where not, they are not set
};

inline bool are_modes(const Block& block) { return block.kind == BlockKind::none && block.is_mechanical(); }
// Whether rows over these blocks are SummedRows.
inline bool have_modes(const Layout& layout, std::span<const BlockId> blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&](BlockId id) { return are_modes(layout.block(id)); });
}

}  // namespace trunnion::assembly
