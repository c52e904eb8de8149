#include "sparse/order.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace trunnion::sparse {
namespace {

class MinimumDegree {
 public:
  MinimumDegree(const CscMatrix& A, const Grouping& g);
  std::vector<int> run();

 private:
  using Candidate = std::pair<int, int>;  // degree, group
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  void offer(int group) {
    if (waiting_for_[index(group)] == 0) open_.emplace(degree(group), group);
  }
  int degree(int group) const {
    int sum = 0;
    for (const int part : reached_[index(group)]) sum += size_[index(part)];
    return sum;
  }
  void eliminate(int group);
  void join(int group, int eliminated, const std::vector<int>& parts);

  const std::vector<int>& group_of_;       // of each part
  std::vector<int> size_;                  // of each part
  std::vector<std::vector<int>> reached_;  // parts that a group reaches, ascending
  std::vector<int> waiting_for_;           // how many groups must go before
  std::vector<std::vector<int>> awaited_by_;
  std::vector<char> done_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open_;
  std::vector<int> joined_;
};

MinimumDegree::MinimumDegree(const CscMatrix& A, const Grouping& g)
    : group_of_(g.group),
      size_(g.group.size(), 0),
      reached_(g.after.size()),
      waiting_for_(g.after.size(), 0),
      awaited_by_(g.after.size()),
      done_(g.after.size(), 0) {
  for (const int part : g.part) ++size_[index(part)];
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[index(j)]; k < A.start[index(j) + 1]; ++k) {
      const int a = g.part[index(A.row[index(k)])], b = g.part[index(j)];
      const int ga = g.group[index(a)], gb = g.group[index(b)];
      if (ga == gb) continue;
      auto &of_a = reached_[index(ga)], &of_b = reached_[index(gb)];
      if (of_a.empty() || of_a.back() != b) of_a.push_back(b);
      if (of_b.empty() || of_b.back() != a) of_b.push_back(a);
    }
  }
  for (auto& parts : reached_) {
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  }
  for (std::size_t k = 0; k < g.after.size(); ++k) {
    waiting_for_[k] = static_cast<int>(g.after[k].size());
    for (const int before : g.after[k]) awaited_by_[index(before)].push_back(static_cast<int>(k));
  }
}

// What `group` reaches once another one that reached `parts` is gone.
void MinimumDegree::join(int group, int eliminated, const std::vector<int>& parts) {
  auto& mine = reached_[index(group)];
  joined_.clear();
  std::set_union(mine.begin(), mine.end(), parts.begin(), parts.end(), std::back_inserter(joined_));
  std::erase_if(joined_, [&](int part) {
    const int owner = group_of_[index(part)];
    return owner == group || owner == eliminated;
  });
  mine = joined_;
}

void MinimumDegree::eliminate(int group) {
  done_[index(group)] = 1;
  const std::vector<int> parts = std::move(reached_[index(group)]);
  int last = -1;
  std::vector<int> neighbours;
  for (const int part : parts) {
    if (const int owner = group_of_[index(part)]; owner != last) neighbours.push_back(last = owner);
  }
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  for (const int other : neighbours) join(other, group, parts);
  for (const int other : neighbours) offer(other);
  for (const int other : awaited_by_[index(group)]) {
    --waiting_for_[index(other)];
    offer(other);
  }
}

std::vector<int> MinimumDegree::run() {
  std::vector<int> order;
  for (std::size_t g = 0; g < done_.size(); ++g) offer(static_cast<int>(g));
  while (!open_.empty()) {
    const auto [degree_then, group] = open_.top();
    open_.pop();
    if (done_[index(group)] || degree_then != degree(group)) continue;  // offered again since
    order.push_back(group);
    eliminate(group);
  }
  return order;
}

}  // namespace

std::vector<int> minimum_degree(const CscMatrix& A, const Grouping& grouping) {
  return MinimumDegree(A, grouping).run();
}

}  // namespace trunnion::sparse
