#pragma once
// What a run may write. A model and its script are data: OUTPUT_PREFIX, SAVE/FILE and LINEAR/FILE must not lead out of the folder
// that the user named, by "..", a whole path or a symbolic link, nor onto a file that is not one of our results.

#include <string>

namespace trunnion::api {

class OutputGuard {
 public:
  // `folder`: of the results; it is there.
  OutputGuard(const std::string& folder, bool outside_allowed);

  // Why `path` must not be written, with what to try; empty where it may.
  std::string refusal(const std::string& path) const;
  // Only whether it lies where it may.
  std::string misplaced(const std::string& path) const;

 private:
  std::string folder_;  // links followed
  bool outside_allowed_;
};

}  // namespace trunnion::api
