#pragma once
// Which rows of a matrix depend on rows before them, and how. For redundant constraints: G's rows are the constraint
// equations, and earlier rows win, so that a model's first joints keep their equations.
// A QR factorisation of Gᵀ with the rows of G scaled to unit length (their units differ), in the given order, in which a row
// is dependent when what is left of it outside the span of the rows kept is shorter than the tolerance.

#include <vector>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

struct DependentRow {
  struct Share {
    int row = 0;               // an independent row
    double coefficient = 0.0;  // row ≈ Σ coefficient · rows
  };
  int row = 0;
  std::vector<Share>
      shares;             // those above the tolerance, in ascending order of rows; empty for a row of zeros
  double distance = 0.0;  // what the shares leave of the row, relative to its length
};

struct RankResult {
  std::vector<int> independent;  // ascending
  std::vector<DependentRow> dependent;
  // The two sides of the gap: the shortest remainder of a row kept and the longest of one dropped, relative to their rows.
  // A clear decision has many powers of ten between them.
  double smallest_kept = 1.0;
  double largest_dropped = 0.0;
};

// Positions are known to about 1e-10 after assembly, and rank noise is of that size.
inline constexpr double kRankTolerance = 1e-8;

RankResult row_rank(const CscMatrix& G, double tolerance = kRankTolerance);

}  // namespace trunnion::sparse
