#pragma once
// A writer that works behind the run, in a thread of its own: turning numbers into text costs more than computing some of
// them. Rows are handed over in blocks; the run waits only where it is many blocks ahead. What the file lacks after a
// kill is at most a fifth of a second's rows; the store keeps every row. A run that stands still (user code that does not come back)
// has all its rows in the file.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "results/write/writer.hpp"

namespace trunnion::results {

class BackgroundWriter final : public Writer {
 public:
  explicit BackgroundWriter(std::unique_ptr<Writer> inner) : inner_(std::move(inner)) {}
  ~BackgroundWriter() override { close(); }

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool change(const std::vector<Channel>& channels) override;
  void phase(Phase phase) override;
  void failed() override { failed_ = true; }
  bool close() override;
  const char* extension() const override { return inner_->extension(); }

 private:
  struct Block {
    std::optional<Phase> phase;  // that begins with it
    std::vector<double> values;
  };
  void hand_over(std::unique_lock<std::mutex>& lock);
  void work();
  bool write(const Block& block);

  std::unique_ptr<Writer> inner_;
  std::size_t width_ = 0;
  bool failed_ = false;
  std::thread thread_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  Block filling_;
  std::chrono::steady_clock::time_point begun_;  // the block that is being filled
  std::deque<Block> waiting_;
  bool ending_ = false, good_ = true;
};

}  // namespace trunnion::results
