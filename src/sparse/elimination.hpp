#pragma once
// Gaussian elimination of the rows of a rectangular sparse matrix, in an order that keeps it sparse (Markowitz): first the
// columns with the fewest rows in them. On an open chain of bodies nothing is left to eliminate, on closed loops little.
// A row whose entries have all become small is put off; what is left when no large entry remains depends on the others
// nearly or wholly, and rank.cpp decides which.
//
// With pivot rows u_p in the order of pivoting:   a_i = u_i + Σ_p l_ip u_p,   u_i what is left of row i.

#include <utility>
#include <vector>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

class Elimination {
 public:
  struct Entry {
    int index = 0;  // a column, or a row
    double value = 0.0;
  };

  // Rows are expected to be of length one. A pivot is no smaller than `of_row` times the largest entry of its row: where that is
  // not 0, the columns with pivots follow from those without by coefficients that do not grow along a chain.
  explicit Elimination(std::vector<std::vector<Entry>> rows, int columns, double of_row = 0);

  // Pivots as long as there is an entry above `small`.
  void run(double small);
  // The row has no part in what follows: its rest is nothing but noise.
  void set_aside(int row);

  int row_count() const { return static_cast<int>(rows_.size()); }
  bool pivoted(int row) const { return position_[at(row)] >= 0; }
  bool open(int row) const { return position_[at(row)] == kOpen; }          // neither pivoted nor set aside
  const std::vector<Entry>& rest(int row) const { return rows_[at(row)]; }  // u_i
  double largest_rest(int row) const;                                       // max |u_i|
  std::vector<int> columns_without_pivot() const;
  // The shares x of a_i = u_i + Σ x_p a_p over the pivot rows p.
  std::vector<Entry> shares(int row);

 private:
  struct Multiplier {
    int pivot_row;
    double value;
  };
  static constexpr int kOpen = -1, kAside = -2;
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  bool seed(double small);  // columns that have an entry above `small`; false where there is none
  void pivot_column(int column, double small);
  int choose_row(int column, double small);
  void eliminate(int row, int pivot_row, int column, double factor);
  void count(int column, int change);

  double of_row_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<Multiplier>> multipliers_;
  std::vector<std::vector<int>> rows_of_;  // per column; may hold rows that have left it
  std::vector<int> count_;                 // live rows in a column
  std::vector<int> position_;              // of a pivot row in the order of pivoting, or kOpen, kAside
  std::vector<int> order_;                 // pivot rows
  std::vector<bool> column_done_;
  std::vector<std::vector<int>> columns_with_;  // by count; an entry whose count has changed since is stale
  std::size_t lowest_ = 0;
  std::vector<std::pair<int, double>> candidates_;
  std::vector<int> place_;     // scratch, per column: where a row holds it, −1 elsewhere
  std::vector<double> share_;  // scratch, per pivot
  std::vector<bool> reached_;  // scratch, per pivot
};

}  // namespace trunnion::sparse
