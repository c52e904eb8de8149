#include "solve/ordering.hpp"

#include <algorithm>
#include <queue>

#include "sparse/order.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;

namespace {

constexpr int kGround = -1;

// The bodies of each active row, from the pattern of G.
std::vector<std::vector<int>> bodies_of_rows(const assembly::Layout& layout, const system::StageSink& sink) {
  std::vector<std::vector<int>> bodies(static_cast<std::size_t>(sink.active_count()));
  const sparse::CscMatrix& A = sink.matrix();
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    if (!block.is_mechanical()) continue;
    for (int col = block.offset; col < block.offset + block.size; ++col) {
      for (int k = A.start[static_cast<std::size_t>(col)]; k < A.start[static_cast<std::size_t>(col) + 1];
           ++k) {
        const int row = A.row[static_cast<std::size_t>(k)] - sink.lambda_offset();
        if (row < 0 || row >= sink.active_count()) continue;
        auto& list = bodies[static_cast<std::size_t>(row)];
        if (list.empty() || list.back() != b) list.push_back(b);
      }
    }
  }
  return bodies;
}

// Steps from ground over joints; bodies that hang on nothing start trees of their own.
std::vector<int> distances(int blocks, const std::vector<std::vector<int>>& bodies) {
  std::vector<std::vector<int>> rows_of(static_cast<std::size_t>(blocks));
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    for (const int b : bodies[r]) rows_of[static_cast<std::size_t>(b)].push_back(static_cast<int>(r));
  }
  std::vector<int> distance(static_cast<std::size_t>(blocks), -1);
  std::queue<int> queue;
  const auto reach = [&](int block, int at) {
    if (distance[static_cast<std::size_t>(block)] >= 0) return;
    distance[static_cast<std::size_t>(block)] = at;
    queue.push(block);
  };
  const auto spread = [&] {
    while (!queue.empty()) {
      const int b = queue.front();
      queue.pop();
      for (const int r : rows_of[static_cast<std::size_t>(b)]) {
        for (const int other : bodies[static_cast<std::size_t>(r)])
          reach(other, distance[static_cast<std::size_t>(b)] + 1);
      }
    }
  };
  for (const auto& list : bodies) {
    if (list.size() == 1) reach(list[0], 0);
  }
  spread();
  for (int b = 0; b < blocks; ++b) {
    reach(b, 0);
    spread();
  }
  return distance;
}

}  // namespace

std::vector<int> elimination_order(const assembly::Layout& layout, const system::StageSink& sink) {
  const int blocks = layout.block_count(), rows = sink.active_count();
  const auto bodies = bodies_of_rows(layout, sink);
  const std::vector<int> distance = distances(blocks, bodies);
  // Groups: one per block, then one per row that has no body to go with.
  std::vector<int> room(static_cast<std::size_t>(blocks)), group_of_row(static_cast<std::size_t>(rows));
  for (int b = 0; b < blocks; ++b) room[static_cast<std::size_t>(b)] = layout.block(BlockId{b}).size;
  int groups = blocks;
  for (int r = 0; r < rows; ++r) {
    int best = kGround;
    for (const int b : bodies[static_cast<std::size_t>(r)]) {
      const bool deeper =
          best == kGround || distance[static_cast<std::size_t>(b)] > distance[static_cast<std::size_t>(best)];
      if (room[static_cast<std::size_t>(b)] > 0 && deeper) best = b;
    }
    if (best != kGround) --room[static_cast<std::size_t>(best)];
    group_of_row[static_cast<std::size_t>(r)] = best != kGround ? best : groups++;
  }
  std::vector<int> group(static_cast<std::size_t>(sink.size()));
  std::vector<std::vector<int>> members(static_cast<std::size_t>(groups));
  const auto put = [&](int unknown, int in) {
    group[static_cast<std::size_t>(unknown)] = in;
    members[static_cast<std::size_t>(in)].push_back(unknown);
  };
  const auto put_all = [&](int block_offset, int row_offset) {
    for (int b = 0; b < blocks; ++b) {
      const Block& block = layout.block(BlockId{b});
      for (int i = 0; i < block.size; ++i) put(block_offset + block.offset + i, b);
    }
    for (int r = 0; r < rows; ++r) put(row_offset + r, group_of_row[static_cast<std::size_t>(r)]);
  };
  put_all(0, sink.lambda_offset());
  if (sink.stabilised()) put_all(sink.y_offset(), sink.mu_offset());

  const std::vector<int> order = sparse::minimum_degree(sink.matrix(), group, groups);
  std::vector<int> result;
  result.reserve(group.size());
  for (const int g : order) {
    const auto& list = members[static_cast<std::size_t>(g)];
    result.insert(result.end(), list.begin(), list.end());
  }
  return result;
}

}  // namespace trunnion::solve
