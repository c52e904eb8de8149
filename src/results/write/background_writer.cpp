#include "results/write/background_writer.hpp"

namespace trunnion::results {

namespace {

constexpr std::size_t kBlock = 1 << 16;  // numbers
constexpr std::size_t kAhead = 8;        // blocks
constexpr auto kOften = std::chrono::milliseconds(200);

}  // namespace

bool BackgroundWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  close();
  if (!inner_->open(path, channels)) {
    error_ = inner_->error();
    return false;
  }
  width_ = channels.size();
  filling_ = {};
  failed_ = ending_ = false;
  good_ = true;
  thread_ = std::thread([this] { work(); });
  return true;
}

bool BackgroundWriter::row(const std::vector<double>& values) {
  if (!thread_.joinable()) return false;
  const auto now = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (filling_.values.empty()) begun_ = now;
  filling_.values.insert(filling_.values.end(), values.begin(), values.end());
  if (filling_.values.size() >= kBlock || now - begun_ >= kOften) hand_over(lock);
  if (!good_) error_ = inner_->error();
  return good_;
}

// Rows of the old width must be through first.
bool BackgroundWriter::change(const std::vector<Channel>& channels) {
  std::unique_lock lock(mutex_);
  hand_over(lock);
  changed_.wait(lock, [&] { return waiting_.empty(); });
  good_ = good_ && inner_->change(channels);
  width_ = channels.size();
  if (!good_) error_ = inner_->error();
  return good_;
}

void BackgroundWriter::phase(Phase phase) {
  std::unique_lock lock(mutex_);
  hand_over(lock);
  filling_.phase = phase;
}

void BackgroundWriter::hand_over(std::unique_lock<std::mutex>& lock) {
  if (filling_.values.empty()) return;
  changed_.wait(lock, [&] { return waiting_.size() < kAhead; });
  if (filling_.values.empty()) return;  // taken in the meantime
  waiting_.push_back(std::move(filling_));
  filling_ = {};
  changed_.notify_all();
}

bool BackgroundWriter::write(const Block& block) {
  if (block.phase) inner_->phase(*block.phase);
  std::vector<double> row(width_);
  for (auto at = block.values.begin(); at != block.values.end(); at += static_cast<std::ptrdiff_t>(width_)) {
    row.assign(at, at + static_cast<std::ptrdiff_t>(width_));
    if (!inner_->row(row)) return false;
  }
  return true;
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto something = [&] { return !waiting_.empty() || ending_; };
    const bool idle = !changed_.wait_for(lock, kOften, something);
    if (idle) {
      // The run takes its time with the next row: it may never come.
      if (filling_.values.empty()) continue;
      waiting_.push_back(std::move(filling_));
      filling_ = {};
    }
    if (waiting_.empty()) return;
    const Block block = std::move(waiting_.front());
    lock.unlock();
    const bool good = write(block) && (!idle || inner_->flush());
    lock.lock();
    waiting_.pop_front();  // only now: the run must not get further ahead
    good_ = good_ && good;
    changed_.notify_all();
  }
}

bool BackgroundWriter::close() {
  if (!thread_.joinable()) return true;
  {
    std::unique_lock lock(mutex_);
    hand_over(lock);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (failed_) inner_->failed();
  const bool good = inner_->close() && good_;
  if (!good) error_ = inner_->error();
  return good;
}

}  // namespace trunnion::results
