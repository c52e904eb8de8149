#include "sparse/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace trunnion::sparse {
namespace {

// Of rows of length one: less than this is rounding, and carrying it along would only fill the matrix.
constexpr double kNothing = 64 * std::numeric_limits<double>::epsilon();
// A pivot may be this much smaller than the largest entry of its column: multipliers stay below its inverse.
constexpr double kThreshold = 0.1;

}  // namespace

Elimination::Elimination(std::vector<std::vector<Entry>> rows, int columns, double of_row)
    : of_row_(of_row),
      rows_(std::move(rows)),
      multipliers_(rows_.size()),
      rows_of_(at(columns)),
      count_(at(columns), 0),
      position_(rows_.size(), kOpen),
      column_done_(at(columns), false),
      place_(at(columns), -1),
      share_(rows_.size(), 0.0),
      reached_(rows_.size(), false) {
  for (std::vector<Entry>& row : rows_) {
    std::erase_if(row, [](const Entry& e) { return std::abs(e.value) <= kNothing; });
    for (const Entry& e : row) ++count_[at(e.index)];
  }
  for (std::size_t c = 0; c < rows_of_.size(); ++c) rows_of_[c].reserve(at(count_[c]));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const Entry& e : rows_[r]) rows_of_[at(e.index)].push_back(static_cast<int>(r));
  }
}

void Elimination::count(int column, int change) {
  const int now = count_[at(column)] += change;
  if (now <= 0 || column_done_[at(column)]) return;
  if (columns_with_.size() <= at(now)) columns_with_.resize(at(now) + 1);
  columns_with_[at(now)].push_back(column);
  lowest_ = std::min(lowest_, at(now));
}

bool Elimination::seed(double small) {
  std::vector<bool> large(count_.size(), false);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (position_[r] != kOpen) continue;
    for (const Entry& e : rows_[r]) {
      if (std::abs(e.value) > small) large[at(e.index)] = true;
    }
  }
  lowest_ = std::numeric_limits<std::size_t>::max();
  // The last column ends on top of its pile: a chain is taken apart from its tip.
  for (std::size_t c = 0; c < large.size(); ++c) {
    if (large[c]) count(static_cast<int>(c), 0);
  }
  return lowest_ != std::numeric_limits<std::size_t>::max();
}

void Elimination::run(double small) {
  // A column that held nothing large when its turn came may have got it later: look again until none has.
  while (seed(small)) {
    for (; lowest_ < columns_with_.size(); ++lowest_) {
      // pivot_column() may find work in a shorter column, and lowest_ then falls.
      while (lowest_ < columns_with_.size() && !columns_with_[lowest_].empty()) {
        const int column = columns_with_[lowest_].back();
        columns_with_[lowest_].pop_back();
        if (!column_done_[at(column)] && at(count_[at(column)]) == lowest_) pivot_column(column, small);
      }
    }
  }
}

// The shortest row of those with a pivot large enough; of equals the earliest. −1 where there is none.
int Elimination::choose_row(int column, double small) {
  // A row that left the column and came back is listed twice.
  std::vector<int>& listed = rows_of_[at(column)];
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  candidates_.clear();
  double largest = 0;
  for (const int r : listed) {
    if (position_[at(r)] != kOpen) continue;
    for (const Entry& e : rows_[at(r)]) {
      if (e.index != column) continue;
      candidates_.emplace_back(r, e.value);
      largest = std::max(largest, std::abs(e.value));
    }
  }
  int best = -1;
  for (const auto& [r, value] : candidates_) {
    if (std::abs(value) <= small || std::abs(value) < kThreshold * largest) continue;
    if (of_row_ > 0 && std::abs(value) < of_row_ * largest_rest(r)) continue;
    if (best < 0 || rows_[at(r)].size() < rows_[at(best)].size()) best = r;
  }
  return best;
}

void Elimination::pivot_column(int column, double small) {
  const int pivot_row = choose_row(column, small);
  if (pivot_row < 0) return;
  double pivot = 0;
  for (const auto& [r, value] : candidates_) {
    if (r == pivot_row) pivot = value;
  }
  position_[at(pivot_row)] = static_cast<int>(order_.size());
  order_.push_back(pivot_row);
  column_done_[at(column)] = true;
  for (const Entry& e : rows_[at(pivot_row)]) count(e.index, -1);
  for (const auto& [r, value] : candidates_) {
    if (r != pivot_row) eliminate(r, pivot_row, column, value / pivot);
  }
}

void Elimination::set_aside(int row) {
  position_[at(row)] = kAside;
  for (const Entry& e : rows_[at(row)]) count(e.index, -1);
}

void Elimination::eliminate(int row, int pivot_row, int column, double factor) {
  std::vector<Entry>& target = rows_[at(row)];
  for (std::size_t k = 0; k < target.size(); ++k) place_[at(target[k].index)] = static_cast<int>(k);
  for (const Entry& e : rows_[at(pivot_row)]) {
    int& place = place_[at(e.index)];
    if (place >= 0) {
      target[at(place)].value -= factor * e.value;
    } else {
      place = static_cast<int>(target.size());
      target.push_back({e.index, -factor * e.value});
      rows_of_[at(e.index)].push_back(row);
      count(e.index, 1);
    }
  }
  for (const Entry& e : target) place_[at(e.index)] = -1;
  std::erase_if(target, [&](const Entry& e) {
    const bool gone = e.index == column || std::abs(e.value) <= kNothing;
    if (gone) count(e.index, -1);
    return gone;
  });
  multipliers_[at(row)].push_back({pivot_row, factor});
}

double Elimination::largest_rest(int row) const {
  double size = 0;
  for (const Entry& e : rows_[at(row)]) size = std::max(size, std::abs(e.value));
  return size;
}

std::vector<int> Elimination::columns_without_pivot() const {
  std::vector<int> out;
  for (std::size_t c = 0; c < column_done_.size(); ++c) {
    if (!column_done_[c]) out.push_back(static_cast<int>(c));
  }
  return out;
}

// Σ l u with u_p = a_p − Σ l u put in from the last pivot back to the first; only what is reached is visited.
std::vector<Elimination::Entry> Elimination::shares(int row) {
  std::priority_queue<int> open;  // positions of pivots
  const auto reach = [&](int pivot_row, double value) {
    const auto p = at(position_[at(pivot_row)]);
    share_[p] += value;
    if (!reached_[p]) open.push(static_cast<int>(p));
    reached_[p] = true;
  };
  for (const Multiplier& l : multipliers_[at(row)]) reach(l.pivot_row, l.value);
  std::vector<Entry> out;
  while (!open.empty()) {
    const auto p = at(open.top());
    open.pop();
    const double share = share_[p];
    share_[p] = 0;
    reached_[p] = false;
    out.push_back({order_[p], share});
    for (const Multiplier& l : multipliers_[at(order_[p])]) reach(l.pivot_row, -share * l.value);
  }
  return out;
}

}  // namespace trunnion::sparse
