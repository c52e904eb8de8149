#include "sparse/block_fronts.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace trunnion::sparse {
namespace {

// The groups as they are given, before they are numbered anew.
struct Groups {
  std::vector<int> of;                   // the group of each unknown
  std::vector<std::vector<int>> beyond;  // unknowns that a group reaches
  std::vector<int> parent;

  Groups(const CscMatrix& A, std::span<const int> order, std::span<const int> starts);
};

Groups::Groups(const CscMatrix& A, std::span<const int> order, std::span<const int> starts)
    : of(order.size()), beyond(starts.size()), parent(starts.size(), -1) {
  const int count = static_cast<int>(starts.size());
  const auto end = [&](int g) { return g + 1 < count ? starts[nth(g) + 1] : static_cast<int>(order.size()); };
  for (int g = 0; g < count; ++g) {
    for (int k = starts[nth(g)]; k < end(g); ++k) of[nth(order[nth(k)])] = g;
  }
  // Of each entry the group that is eliminated first reaches the other's unknown, rows and columns alike.
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[nth(j)]; k < A.start[nth(j) + 1]; ++k) {
      const int i = A.row[nth(k)];
      const int gi = of[nth(i)], gj = of[nth(j)];
      if (gi < gj) beyond[nth(gi)].push_back(j);
      if (gj < gi) beyond[nth(gj)].push_back(i);
    }
  }
  std::vector<std::vector<int>> children(starts.size());
  std::vector<int> mark(order.size(), -1);
  for (int g = 0; g < count; ++g) {
    std::vector<int> reached;
    const auto add = [&](int unknown) {
      if (of[nth(unknown)] == g || mark[nth(unknown)] == g) return;
      mark[nth(unknown)] = g;
      reached.push_back(unknown);
    };
    for (const int unknown : beyond[nth(g)]) add(unknown);
    for (const int child : children[nth(g)]) {
      for (const int unknown : beyond[nth(child)]) add(unknown);
    }
    for (const int unknown : reached) {
      if (parent[nth(g)] < 0 || of[nth(unknown)] < parent[nth(g)]) parent[nth(g)] = of[nth(unknown)];
    }
    if (parent[nth(g)] >= 0) children[nth(parent[nth(g)])].push_back(g);
    beyond[nth(g)] = std::move(reached);
  }
}

// Children right before their parents.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int count = static_cast<int>(parent.size());
  std::vector<int> first(parent.size(), -1), next(parent.size(), -1), result, open;
  for (int g = count - 1; g >= 0; --g) {
    if (parent[nth(g)] < 0) continue;
    next[nth(g)] = first[nth(parent[nth(g)])];
    first[nth(parent[nth(g)])] = g;
  }
  for (int root = 0; root < count; ++root) {
    if (parent[nth(root)] >= 0) continue;
    open.push_back(root);
    while (!open.empty()) {
      const int g = open.back();
      if (const int child = first[nth(g)]; child >= 0) {
        first[nth(g)] = next[nth(child)];
        open.push_back(child);
      } else {
        result.push_back(g);
        open.pop_back();
      }
    }
  }
  return result;
}

double square_sum(int from, int to) {  // Σ k² for from ≤ k ≤ to
  const auto upto = [](double k) { return k * (k + 1) * (2 * k + 1) / 6; };
  return upto(to) - upto(from - 1);
}

}  // namespace

BlockFronts::BlockFronts(const CscMatrix& A, std::span<const int> order, std::span<const int> groups) {
  const Groups given(A, order, groups);
  const std::vector<int> sequence = postorder(given.parent);
  const int count = static_cast<int>(groups.size()), n = static_cast<int>(order.size());
  std::vector<int> front_of(nth(count)), position(nth(n));
  fronts.resize(nth(count));
  for (int f = 0; f < count; ++f) front_of[nth(sequence[nth(f)])] = f;
  for (int f = 0; f < count; ++f) {
    const int g = sequence[nth(f)];
    Front& front = fronts[nth(f)];
    front.first = static_cast<int>(unknown.size());
    front.parent = given.parent[nth(g)] >= 0 ? front_of[nth(given.parent[nth(g)])] : -1;
    const int end = g + 1 < count ? groups[nth(g) + 1] : n;
    for (int k = groups[nth(g)]; k < end; ++k) {
      position[nth(order[nth(k)])] = static_cast<int>(unknown.size());
      unknown.push_back(order[nth(k)]);
    }
    front.shape.pivots = static_cast<int>(unknown.size()) - front.first;
  }
  for (int f = 0; f < count; ++f) {
    Front& front = fronts[nth(f)];
    const std::vector<int>& beyond = given.beyond[nth(sequence[nth(f)])];
    front.reach = static_cast<int>(reach.size());
    for (const int u : beyond) reach.push_back(position[nth(u)]);
    std::sort(reach.begin() + front.reach, reach.end());
    front.shape.size = front.shape.pivots + static_cast<int>(beyond.size());
    front.shape.stride = padded(front.shape.size);
    front.at = numbers;
    numbers += nth(front.shape.stride) * nth(front.shape.size);
    widest = std::max(widest, front.shape.stride);
    flops += square_sum(front.shape.size - front.shape.pivots + 1, front.shape.size);
  }
  // Where a position stands in a front.
  const auto local = [&](const Front& front, int where) {
    if (where < front.first + front.shape.pivots) return where - front.first;
    const auto begin = reach.begin() + front.reach, end = begin + reach_of(front);
    return front.shape.pivots + static_cast<int>(std::lower_bound(begin, end, where) - begin);
  };
  from.assign(nth(count) + 1, 0);
  place.resize(reach.size());
  for (const Front& front : fronts) {
    if (front.parent >= 0) ++from[nth(front.parent) + 1];
    for (int k = 0; k < reach_of(front); ++k)
      place[nth(front.reach + k)] = local(fronts[nth(front.parent)], reach[nth(front.reach + k)]);
  }
  std::partial_sum(from.begin(), from.end(), from.begin());
  children.resize(nth(from.back()));
  std::vector<int> next(from.begin(), from.end() - 1);
  for (int f = 0; f < count; ++f) {
    if (fronts[nth(f)].parent >= 0) children[nth(next[nth(fronts[nth(f)].parent)]++)] = f;
  }
  // Entries by the front of that of their unknowns which goes first.
  std::vector<int> front_at(nth(n));
  for (int f = 0; f < count; ++f)
    std::fill_n(front_at.begin() + fronts[nth(f)].first, fronts[nth(f)].shape.pivots, f);
  std::vector<int> begin(nth(count) + 1, 0);
  const auto for_all = [&](const auto& with) {
    for (int j = 0; j < A.cols; ++j) {
      for (int k = A.start[nth(j)]; k < A.start[nth(j) + 1]; ++k) {
        const int row = position[nth(A.row[nth(k)])], col = position[nth(j)];
        with(k, row, col, front_at[nth(std::min(row, col))]);
      }
    }
  };
  for_all([&](int, int, int, int f) { ++begin[nth(f) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (int f = 0; f < count; ++f) fronts[nth(f)].entry = begin[nth(f)];
  entries.resize(nth(begin.back()));
  for_all([&](int k, int row, int col, int f) {
    const Front& front = fronts[nth(f)];
    entries[nth(begin[nth(f)]++)] = {k, local(front, row), local(front, col)};
  });
  find_diagonals();
}

// Fronts whose own unknowns nothing couples with one another: neither an entry nor a remainder of the fronts before.
void BlockFronts::find_diagonals() {
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    Front& front = fronts[f];
    const int own = front.shape.pivots,
              last = f + 1 < fronts.size() ? fronts[f + 1].entry : static_cast<int>(entries.size());
    bool diagonal = own > 1;
    for (int k = front.entry; k < last && diagonal; ++k) {
      const FrontEntry& e = entries[nth(k)];
      diagonal = e.row >= own || e.col >= own || e.row == e.col;
    }
    for (int c = from[f]; c < from[f + 1] && diagonal; ++c) {
      const Front& child = fronts[nth(children[nth(c)])];
      const auto begin = place.begin() + child.reach, end = begin + reach_of(child);
      diagonal = std::count_if(begin, end, [&](int row) { return row < own; }) <= 1;
    }
    if (!diagonal) continue;
    front.shape.diagonal = true;
    const double size = front.shape.size, beyond = reach_of(front);
    flops +=
        own * (beyond + 1) * (beyond + 1) - square_sum(static_cast<int>(size) - own + 1, front.shape.size);
  }
}

double scalar_flops(const CscMatrix& A, std::span<const int> order) {
  const int n = A.cols;
  std::vector<int> single(nth(n));
  std::iota(single.begin(), single.end(), 0);
  const Groups columns(A, order, single);
  double sum = 0;
  for (const std::vector<int>& beyond : columns.beyond) {
    const auto below = static_cast<double>(beyond.size());
    sum += (below + 1) * (below + 1);
  }
  return sum;
}

}  // namespace trunnion::sparse
