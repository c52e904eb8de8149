#pragma once
// One run at a time writes the files of one prefix. PREFIX.lock says who; the system gives the lock back when its holder ends, however
// that ends, so a file that was left behind by a kill locks nothing.

#include <string>

namespace trunnion::api {

class RunLock {
 public:
  RunLock() = default;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock() { release(); }

  // Empty; or why it cannot be had: who holds it, and since when.
  std::string take(const std::string& path);
  void release();
  // Whoever had the lock and ended without giving it back; empty where nobody.
  const std::string& left_by() const { return left_by_; }

 private:
  std::string path_, left_by_;
  int file_ = -1;
};

}  // namespace trunnion::api
