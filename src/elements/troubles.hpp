#pragma once
// What elements complained about at states where they have no result; an analysis that fails can tell why.

#include <mutex>
#include <string>
#include <vector>

namespace trunnion::elements {

class Troubles {
 public:
  void add(std::string message);
  std::vector<std::string> take();

 private:
  static constexpr std::size_t kMost = 3;  // the last ones: earlier trial states were got over
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

}  // namespace trunnion::elements
