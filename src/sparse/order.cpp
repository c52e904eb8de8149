#include "sparse/order.hpp"

#include <numeric>

#include <amd.h>

namespace trunnion::sparse {

std::vector<int> minimum_degree(const CscMatrix& A, const std::vector<int>& group, int groups) {
  // The groups' graph, each edge once: columns by group, with a mark of the last group that had the edge.
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(groups));
  for (int j = 0; j < A.cols; ++j)
    columns[static_cast<std::size_t>(group[static_cast<std::size_t>(j)])].push_back(j);
  std::vector<int> start(static_cast<std::size_t>(groups) + 1, 0), row,
      mark(static_cast<std::size_t>(groups), -1);
  for (int g = 0; g < groups; ++g) {
    for (const int j : columns[static_cast<std::size_t>(g)]) {
      for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k) {
        const int other = group[static_cast<std::size_t>(A.row[static_cast<std::size_t>(k)])];
        if (other == g || mark[static_cast<std::size_t>(other)] == g) continue;
        mark[static_cast<std::size_t>(other)] = g;
        row.push_back(other);
      }
    }
    start[static_cast<std::size_t>(g) + 1] = static_cast<int>(row.size());
  }
  std::vector<int> order(static_cast<std::size_t>(groups));
  if (row.empty() || amd_order(groups, start.data(), row.data(), order.data(), nullptr, nullptr) < AMD_OK)
    std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace trunnion::sparse
