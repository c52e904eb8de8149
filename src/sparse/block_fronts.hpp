#pragma once
// The structure of a block elimination: which front each group of unknowns is eliminated in, what it reaches beyond its own unknowns,
// and where its remainder goes. Found once for a pattern and an order; no numbers.
//
// Each group of the order is one front: its unknowns, all that they or what was eliminated before them and left its remainder here
// couple to, and pivots among the group's own rows only. Fronts are numbered so that each follows the fronts it takes
// remainders from, as closely as can be (a postorder of the elimination tree).

#include <span>
#include <vector>

#include "sparse/block_kernels.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::sparse {

inline std::size_t nth(int k) { return static_cast<std::size_t>(k); }

struct Front {
  FrontShape shape{};
  int first = 0;       // position of its first unknown
  int reach = 0;       // in BlockFronts::reach: positions beyond its own, shape.size − shape.pivots of them
  int entry = 0;       // first in BlockFronts::entries
  int parent = -1;     // the front that takes its remainder; −1: there is none
  std::size_t at = 0;  // of its numbers
};

// An entry of A and its row and column in a front.
struct FrontEntry {
  int value, row, col;
};

struct BlockFronts {
  // `order`: unknowns, first to be eliminated first; `groups`: where in it each group begins.
  BlockFronts(const CscMatrix& A, std::span<const int> order, std::span<const int> groups);
  BlockFronts() = default;

  std::vector<Front> fronts;
  std::vector<int> unknown;         // at each position
  std::vector<int> reach;           // of all fronts, ascending within each
  std::vector<int> place;           // of each number of `reach`: its row and column in the parent
  std::vector<int> children, from;  // of front f: children[from[f]] … children[from[f + 1] − 1]
  std::vector<FrontEntry> entries;  // by front
  std::size_t numbers = 0;          // of all fronts
  int widest = 0;                   // stride of any
  double flops = 0;                 // multiplications of one elimination

  int reach_of(const Front& f) const { return f.shape.size - f.shape.pivots; }

 private:
  void find_diagonals();
};

// Multiplications of an elimination entry by entry in this order, pivots on the diagonal.
double scalar_flops(const CscMatrix& A, std::span<const int> order);

}  // namespace trunnion::sparse
