#include "sparse/rank.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sparse/elimination.hpp"

namespace trunnion::sparse {
namespace {

using Entry = Elimination::Entry;
using Rows = std::vector<std::vector<Entry>>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Rows rows_of(const CscMatrix& G) {
  Rows rows(at(G.rows));
  std::vector<int> count(at(G.rows), 0);
  for (const int row : G.row) ++count[at(row)];
  for (int row = 0; row < G.rows; ++row) rows[at(row)].reserve(at(count[at(row)]));
  for (int col = 0; col < G.cols; ++col) {
    for (int k = G.start[at(col)]; k < G.start[at(col) + 1]; ++k) {
      if (G.value[at(k)] != 0.0) rows[at(G.row[at(k)])].push_back({col, G.value[at(k)]});
    }
  }
  return rows;
}

double length_of(const std::vector<Entry>& row) {
  double sum = 0;
  for (const Entry& e : row) sum += e.value * e.value;
  return std::sqrt(sum);
}

Rows unit_rows(const CscMatrix& G, std::vector<double>& length) {
  Rows rows = rows_of(G);
  length.resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    length[r] = length_of(rows[r]);
    for (Entry& e : rows[r]) e.value /= length[r];
  }
  return rows;
}

// The dependent rows as combinations of the others, and the exchanges that let earlier rows win.
class Circuits {
 public:
  Circuits(int row_count, double tolerance)
      : tolerance_(tolerance), firm_(std::sqrt(tolerance)), holders_(at(row_count)) {}

  void add(int row, const std::vector<Entry>& shares) {
    const int k = static_cast<int>(circuits_.size());
    circuits_.push_back({row, {}});
    for (const Entry& e : shares) set(k, e.index, e.value);
  }

  void settle() {
    std::vector<int> open;
    for (int k = 0; k < static_cast<int>(circuits_.size()); ++k) open.push_back(k);
    while (!open.empty()) {
      const int k = open.back();
      open.pop_back();
      const int last = latest(k);
      if (last > circuits_[at(k)].row) exchange(k, last, open);
    }
  }

  struct Circuit {
    int row = 0;                     // the dependent one
    std::map<int, double> share_in;  // by independent row
  };
  const std::vector<Circuit>& all() const { return circuits_; }

 private:
  void set(int k, int row, double value) {
    auto& shares = circuits_[at(k)].share_in;
    if (std::abs(value) <= tolerance_) {
      shares.erase(row);
      return;
    }
    if (shares.insert_or_assign(row, value).second) holders_[at(row)].push_back(k);
  }

  // A weaker share is no firm ground for an exchange: its inverse would magnify the remainder.
  int latest(int k) const {
    const auto& shares = circuits_[at(k)].share_in;
    for (auto it = shares.rbegin(); it != shares.rend() && it->first > circuits_[at(k)].row; ++it) {
      if (std::abs(it->second) > firm_) return it->first;
    }
    return -1;
  }

  // d = Σ x_i i + x_l l  ⇒  l = d/x_l − Σ (x_i/x_l) i, put into every other circuit that had a share in l.
  void exchange(int k, int leaves, std::vector<int>& open) {
    Circuit& circuit = circuits_[at(k)];
    const int enters = circuit.row;
    const double pivot = circuit.share_in.at(leaves);
    std::map<int, double> now;
    for (const auto& [row, value] : circuit.share_in) {
      if (row != leaves) now.emplace(row, -value / pivot);
    }
    now.emplace(enters, 1 / pivot);
    circuit = {leaves, {}};
    for (const auto& [row, value] : now) set(k, row, value);
    const std::vector<int> others = std::move(holders_[at(leaves)]);
    holders_[at(leaves)].clear();
    for (const int other : others) {
      if (other == k) continue;
      auto& shares = circuits_[at(other)].share_in;
      const auto found = shares.find(leaves);
      if (found == shares.end()) continue;
      const double weight = found->second;
      shares.erase(found);
      for (const auto& [row, value] : circuit.share_in) {
        const auto had = shares.find(row);
        set(other, row, (had == shares.end() ? 0.0 : had->second) + weight * value);
      }
      open.push_back(other);
    }
    open.push_back(k);
  }

  double tolerance_, firm_;
  std::vector<Circuit> circuits_;
  std::vector<std::vector<int>> holders_;  // per row: circuits that have, or had, a share in it
};

double largest(const std::vector<Entry>& shares) {
  double size = 1;
  for (const Entry& e : shares) size = std::max(size, std::abs(e.value));
  return size;
}

// Pivots all rows but the dependent ones. Clear pivots first, so that noise never serves as one while there is better;
// then the bar is lowered as long as a row is left that its shares do not explain.
void eliminate(Elimination& elimination, double tolerance) {
  constexpr double kStep = 0.1;
  for (double bar = std::sqrt(tolerance);;) {
    elimination.run(bar);
    double highest = 0;
    for (int r = 0; r < elimination.row_count(); ++r) {
      if (!elimination.open(r)) continue;
      const double rest = elimination.largest_rest(r);
      if (rest > tolerance * largest(elimination.shares(r))) {
        highest = std::max(highest, rest);
      } else {
        elimination.set_aside(r);
      }
    }
    if (highest == 0) return;
    bar = kStep * highest;
  }
}

// What the shares of unit rows leave of a unit row.
double distance(const Rows& unit, const Circuits::Circuit& circuit) {
  std::map<int, double> rest;
  for (const Entry& e : unit[at(circuit.row)]) rest[e.index] += e.value;
  for (const auto& [row, share] : circuit.share_in) {
    for (const Entry& e : unit[at(row)]) rest[e.index] -= share * e.value;
  }
  double sum = 0;
  for (const auto& [column, value] : rest) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

RankResult row_rank(const CscMatrix& G, double tolerance) {
  RankResult result;
  std::vector<double> length;
  Elimination elimination(unit_rows(G, length), G.cols);
  eliminate(elimination, tolerance);
  result.free_columns = elimination.columns_without_pivot();

  Circuits circuits(G.rows, tolerance);
  for (int r = 0; r < G.rows; ++r) {
    if (elimination.pivoted(r)) {
      result.smallest_kept = std::min(result.smallest_kept, length_of(elimination.rest(r)));
    } else {
      circuits.add(r, elimination.shares(r));
    }
  }
  circuits.settle();

  std::vector<bool> dropped(at(G.rows), false);
  const Rows unit = circuits.all().empty() ? Rows{} : unit_rows(G, length);
  for (const Circuits::Circuit& circuit : circuits.all()) {
    dropped[at(circuit.row)] = true;
    DependentRow dependent{circuit.row, {}, distance(unit, circuit)};
    for (const auto& [row, share] : circuit.share_in)
      dependent.shares.push_back({row, share * length[at(circuit.row)] / length[at(row)]});
    result.largest_dropped = std::max(result.largest_dropped, dependent.distance);
    result.dependent.push_back(std::move(dependent));
  }
  for (int r = 0; r < G.rows; ++r) {
    if (!dropped[at(r)]) result.independent.push_back(r);
  }
  std::sort(result.dependent.begin(), result.dependent.end(),
            [](const auto& a, const auto& b) { return a.row < b.row; });
  return result;
}

std::vector<int> free_columns(const CscMatrix& G, double tolerance) {
  constexpr double kOfRow = 0.5;
  std::vector<double> length;
  Elimination elimination(unit_rows(G, length), G.cols, kOfRow);
  eliminate(elimination, tolerance);
  return elimination.columns_without_pivot();
}

}  // namespace trunnion::sparse
