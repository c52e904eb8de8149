#pragma once
// Ctrl-C and SIGTERM in a run. The first asks it to stop, which it does before its next step. What it is in by then may not end: user
// code that does not come back is given three seconds, then the program ends; a second signal ends it at once. Either way the
// rows so far are kept: the store and its tail have every row at any time.

#include <thread>

namespace trunnion::apps {

// One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool asked() const;

 private:
  std::thread watch_;
};

}  // namespace trunnion::apps
