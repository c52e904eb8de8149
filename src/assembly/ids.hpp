#pragma once
// Strong indices. An invalid one (−1) means "none"; for a body that is ground.

#include <cstdint>

namespace trunnion::assembly {

template <class Tag> struct Id {
  std::int32_t index = -1;

  constexpr bool valid() const { return index >= 0; }
  constexpr bool operator==(const Id&) const = default;
};

using BlockId =
    Id<struct BlockTag>;  // the unknowns of one body, or of one set of first-order or algebraic states
using RowId = Id<struct RowTag>;        // one constraint row and its multiplier
using MarkerId = Id<struct MarkerTag>;  // one marker of the MarkerTable

inline constexpr BlockId kGround{};

}  // namespace trunnion::assembly
