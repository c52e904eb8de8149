#pragma once
// Which rows of a matrix depend on others, and how. For redundant constraints: G's rows are the constraint equations, and
// earlier rows win, so that a model's first joints keep their equations.
//
// 1. Rows are scaled to unit length (their units differ) and eliminated in an order that keeps them sparse (elimination.hpp).
//    What is left of a row, a_i − Σ x_p a_p, is its remainder.
// 2. A row depends on others when its remainder is below the tolerance for the size of the shares x that took part: a
//    change of every row by the tolerance would make it vanish. Shares grow with lever arms along a ring of bodies, and
//    the noise of the positions grows with them.
// 3. A dependent row and those it has shares in form a circuit. The latest row of each circuit is the one to drop; the
//    dependent row takes its place (a pivot on the table of shares). When no circuit has a later row than its
//    dependent one, earlier rows have won: the choice a row-by-row orthogonalisation in the given order would make,
//    without its fill.
// Linear in the size of the matrix for chains and trees; besides, in the number of shares in all circuits.

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
  std::vector<int> free_columns;  // as many as columns exceed the rank: given these, the others follow
  // The two sides of the gap: the shortest remainder of a row kept and the longest of one dropped, relative to their rows.
  // A clear decision has many powers of ten between them.
  double smallest_kept = 1.0;
  double largest_dropped = 0.0;
};

// Positions are known to about 1e-10 after assembly, and rank noise is of that size.
inline constexpr double kRankTolerance = 1e-8;

RankResult row_rank(const CscMatrix& G, double tolerance = kRankTolerance);

// Free columns of a matrix with independent rows, chosen so that what follows from them does so by small coefficients: in each row
// an entry about as large as any is the one that follows. The measure of the columns counts. Fewer or more than columns exceed rows:
// the rows are dependent.
std::vector<int> free_columns(const CscMatrix& G, double tolerance = kRankTolerance);

}  // namespace trunnion::sparse
