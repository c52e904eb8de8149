#pragma once
// What the commands that read results share.

#include <memory>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "results/read/history.hpp"

namespace trunnion::apps {

inline int complain(const std::string& what) {
  print(stderr, "trunnion: " + what + "\n");
  return kErrors;
}

// Null, and said why, where it cannot be read. What the reader should know of it is said too.
inline std::unique_ptr<results::History> open_results(const std::string& path) {
  std::string error;
  auto history = results::open_history(path, error);
  if (!history) complain(error);
  else if (!history->notice().empty()) complain("warning: " + history->notice());
  return history;
}

}  // namespace trunnion::apps
