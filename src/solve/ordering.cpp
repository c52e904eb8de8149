#include "solve/ordering.hpp"

#include <algorithm>
#include <queue>

#include "sparse/order.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;

namespace {

std::size_t nth(int k) { return static_cast<std::size_t>(k); }

// A matrix over u, λ and, stabilised, y, μ: where they begin.
struct Unknowns {
  const sparse::CscMatrix& matrix;
  int rows, lambda;
  int y = -1, mu = -1;
};

// The bodies of each active row, from the pattern of G.
std::vector<std::vector<int>> bodies_of_rows(const assembly::Layout& layout, const Unknowns& of) {
  std::vector<std::vector<int>> bodies(static_cast<std::size_t>(of.rows));
  const sparse::CscMatrix& A = of.matrix;
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    if (!block.is_mechanical()) continue;
    for (int col = block.offset; col < block.offset + block.size; ++col) {
      for (int k = A.start[static_cast<std::size_t>(col)]; k < A.start[static_cast<std::size_t>(col) + 1];
           ++k) {
        const int row = A.row[static_cast<std::size_t>(k)] - of.lambda;
        if (row < 0 || row >= of.rows) continue;
        auto& list = bodies[static_cast<std::size_t>(row)];
        if (list.empty() || list.back() != b) list.push_back(b);
      }
    }
  }
  return bodies;
}

// The tree of the mechanism: on the way to ground, over joints, the body next to each.
struct Tree {
  static constexpr int kNothing = -2, kGround = -1;
  std::vector<int> parent;    // kNothing: hangs on nothing
  std::vector<int> distance;  // from the end of the way

  Tree(int blocks, const std::vector<std::vector<int>>& bodies);
  // All bodies between these and the one where their ways meet, which is not among them.
  std::vector<int> between(std::vector<int> bodies) const;
};

Tree::Tree(int blocks, const std::vector<std::vector<int>>& bodies)
    : parent(nth(blocks), kNothing), distance(nth(blocks), -1) {
  std::vector<std::vector<int>> rows_of(nth(blocks));
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    for (const int b : bodies[r]) rows_of[nth(b)].push_back(static_cast<int>(r));
  }
  std::queue<int> queue;
  const auto reach = [&](int block, int from) {
    if (distance[nth(block)] >= 0) return;
    distance[nth(block)] = from >= 0 ? distance[nth(from)] + 1 : 0;
    parent[nth(block)] = from;
    queue.push(block);
  };
  const auto spread = [&] {
    while (!queue.empty()) {
      const int b = queue.front();
      queue.pop();
      for (const int r : rows_of[nth(b)]) {
        for (const int other : bodies[nth(r)]) reach(other, b);
      }
    }
  };
  for (const auto& list : bodies) {
    if (list.size() == 1) reach(list[0], kGround);
  }
  spread();
  for (int b = 0; b < blocks; ++b) {
    reach(b, kNothing);
    spread();
  }
}

std::vector<int> Tree::between(std::vector<int> bodies) const {
  std::vector<int> passed;
  const auto depth = [&](int b) { return b >= 0 ? distance[nth(b)] : -1; };
  for (;;) {
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    if (bodies.size() <= 1) return passed;
    const auto deepest =
        std::max_element(bodies.begin(), bodies.end(), [&](int a, int b) { return depth(a) < depth(b); });
    passed.push_back(*deepest);
    *deepest = std::max<int>(parent[nth(*deepest)], kGround);
  }
}

// The body that a row hangs on its neighbour; −1: it closes a loop.
int held_body(const Tree& tree, const std::vector<int>& bodies) {
  if (bodies.size() == 1) return tree.parent[nth(bodies[0])] == Tree::kGround ? bodies[0] : -1;
  if (bodies.size() != 2) return -1;
  if (tree.parent[nth(bodies[0])] == bodies[1]) return bodies[0];
  return tree.parent[nth(bodies[1])] == bodies[0] ? bodies[1] : -1;
}

// Rows by group: those of the blocks first, then those of loops.
struct RowGroups {
  std::vector<int> of_row;
  std::vector<std::vector<int>> after;  // of each group
};

// Whether the matrix couples no two unknowns of the block.
bool uncoupled(const Block& block, const sparse::CscMatrix& A) {
  for (int c = block.offset; c < block.offset + block.size; ++c) {
    for (int k = A.start[nth(c)]; k < A.start[nth(c) + 1]; ++k) {
      const int row = A.row[nth(k)];
      if (row != c && row >= block.offset && row < block.offset + block.size) return false;
    }
  }
  return true;
}

// Blocks of modes that nothing couples with one another but other unknowns. Eliminated before all of these they stay so; later, the square
// of their number would have to be worked on.
std::vector<char> modes_apart(const assembly::Layout& layout, const sparse::CscMatrix& A) {
  constexpr int kFew = 6;  // no more than a body's: not worth it
  std::vector<char> apart(nth(layout.block_count()), 0);
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    apart[nth(b)] = block.is_mechanical() && block.size > kFew && uncoupled(block, A);
  }
  return apart;
}

void put_modes_first(const assembly::Layout& layout, const sparse::CscMatrix& A,
                     const std::vector<char>& apart, std::vector<std::vector<int>>& after) {
  std::vector<int> block_at(nth(layout.size()));
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    std::fill_n(block_at.begin() + block.offset, block.size, b);
  }
  for (int b = 0; b < layout.block_count(); ++b) {
    if (apart[nth(b)] == 0) continue;
    const Block& block = layout.block(BlockId{b});
    std::vector<char> coupled(nth(layout.block_count()), 0);
    for (int c = block.offset; c < block.offset + block.size; ++c) {
      for (int k = A.start[nth(c)]; k < A.start[nth(c) + 1]; ++k) {
        if (A.row[nth(k)] < layout.size()) coupled[nth(block_at[nth(A.row[nth(k)])])] = 1;
      }
    }
    for (int other = 0; other < layout.block_count(); ++other) {
      if (coupled[nth(other)] != 0 && apart[nth(other)] == 0) after[nth(other)].push_back(b);
    }
  }
}

RowGroups row_groups(const assembly::Layout& layout, const std::vector<std::vector<int>>& bodies,
                     const std::vector<char>& apart) {
  const int blocks = layout.block_count();
  const Tree tree(blocks, bodies);
  RowGroups result;
  result.after.resize(nth(blocks));
  std::vector<int> room(nth(blocks));
  for (int b = 0; b < blocks; ++b) room[nth(b)] = layout.block(BlockId{b}).size;
  int last = -1;  // row that closes a loop, and the group after all others
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    // Modes go alone, and what holds them comes after all that it holds.
    const bool on_modes =
        std::any_of(bodies[r].begin(), bodies[r].end(), [&](int b) { return apart[nth(b)] != 0; });
    int group = on_modes ? -1 : held_body(tree, bodies[r]);
    if (group >= 0 && room[nth(group)] == 0) group = -1;
    if (group >= 0) {
      --room[nth(group)];
    } else {
      group = static_cast<int>(result.after.size());
      if (last >= 0 && bodies[nth(last)] == bodies[r]) {
        --group;  // of the same joint
      } else {
        std::vector<int> ends = bodies[r];
        if (ends.size() == 1) ends.push_back(Tree::kGround);  // over ground
        std::vector<int> before = tree.between(ends);
        if (on_modes) {
          before.insert(before.end(), bodies[r].begin(), bodies[r].end());
          std::sort(before.begin(), before.end());
          before.erase(std::unique(before.begin(), before.end()), before.end());
        }
        result.after.push_back(std::move(before));
      }
      last = static_cast<int>(r);
    }
    result.of_row.push_back(group);
  }
  return result;
}

GroupedOrder order_of(const assembly::Layout& layout, const Unknowns& of) {
  const int blocks = layout.block_count();
  const std::vector<char> apart = modes_apart(layout, of.matrix);
  RowGroups by_row = row_groups(layout, bodies_of_rows(layout, of), apart);
  put_modes_first(layout, of.matrix, apart, by_row.after);
  const int groups = static_cast<int>(by_row.after.size());
  // Two parts each: coordinates, multipliers.
  sparse::Grouping grouping;
  grouping.after = std::move(by_row.after);
  grouping.part.resize(nth(of.matrix.cols));
  std::vector<std::vector<int>> members(nth(groups));
  for (int g = 0; g < groups; ++g) grouping.group.insert(grouping.group.end(), 2, g);
  const auto put = [&](int unknown, int group, int part) {
    grouping.part[nth(unknown)] = 2 * group + part;
    members[nth(group)].push_back(unknown);
  };
  const auto put_all = [&](int block_offset, int row_offset) {
    for (int b = 0; b < blocks; ++b) {
      const Block& block = layout.block(BlockId{b});
      for (int i = 0; i < block.size; ++i) put(block_offset + block.offset + i, b, 0);
    }
    for (int r = 0; r < of.rows; ++r) put(row_offset + r, by_row.of_row[nth(r)], 1);
  };
  put_all(0, of.lambda);
  if (of.y >= 0) put_all(of.y, of.mu);

  GroupedOrder result;
  result.order.reserve(nth(of.matrix.cols));
  for (const int g : sparse::minimum_degree(of.matrix, grouping)) {
    const auto& list = members[nth(g)];
    if (list.empty()) continue;
    result.groups.push_back(static_cast<int>(result.order.size()));
    result.order.insert(result.order.end(), list.begin(), list.end());
  }
  return result;
}

}  // namespace

GroupedOrder grouped_order(const assembly::Layout& layout, const StageEquations& stage) {
  Unknowns of{stage.matrix(), stage.active_count(), stage.lambda_offset()};
  if (stage.stabilised()) {
    of.y = stage.y_offset();
    of.mu = stage.mu_offset();
  }
  return order_of(layout, of);
}

GroupedOrder grouped_order(const assembly::Layout& layout, const sparse::CscMatrix& matrix, int rows) {
  return order_of(layout, {matrix, rows, layout.size()});
}

std::vector<int> elimination_order(const assembly::Layout& layout, const StageEquations& stage) {
  return grouped_order(layout, stage).order;
}

}  // namespace trunnion::solve
