#include "results/write/journal.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace trunnion::results {

std::string journal_path(const std::string& store) { return store + ".tail"; }

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

bool Journal::open(const std::string& store, std::size_t columns) {
  path_ = journal_path(store);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  next_ = at_ = 0;
  record_.resize(2 * sizeof next_ + columns * sizeof(double));
  if (file_ >= 0) return true;
  error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  return false;
}

bool Journal::widen(std::size_t columns) {
  at_ = 0;
  record_.resize(2 * sizeof next_ + columns * sizeof(double));
  if (ftruncate(file_, 0) == 0) return true;
  error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  return false;
}

bool Journal::add(const std::vector<double>& values) {
  std::memcpy(record_.data(), &next_, sizeof next_);
  std::memcpy(record_.data() + sizeof next_, values.data(), record_.size() - 2 * sizeof next_);
  std::memcpy(record_.data() + record_.size() - sizeof next_, &next_, sizeof next_);
  std::size_t done = 0;
  while (done < record_.size()) {
    const ssize_t wrote =
        pwrite(file_, record_.data() + done, record_.size() - done, static_cast<off_t>(at_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      error_ = "cannot write " + path_ + ": " + std::strerror(errno);
      return false;
    }
    done += static_cast<std::size_t>(wrote);
  }
  at_ += record_.size();
  ++next_;
  return true;
}

// Old records stay behind the new ones, where their numbers tell them apart.
void Journal::restart(std::size_t rows) {
  next_ = rows;
  at_ = 0;
}

void Journal::remove() {
  if (file_ < 0) return;
  ::close(file_);
  file_ = -1;
  unlink(path_.c_str());
}

std::vector<double> read_journal(const std::string& store, std::size_t rows, std::size_t columns) {
  std::vector<double> out;
  std::ifstream file(journal_path(store), std::ios::binary);
  const auto get = [&](void* to, std::size_t bytes) {
    return static_cast<bool>(file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)));
  };
  std::uint64_t first = 0, last = 0, expected = rows;
  std::vector<double> values(columns);
  while (get(&first, sizeof first) && get(values.data(), columns * sizeof(double)) &&
         get(&last, sizeof last)) {
    if (first != expected || last != expected)
      continue;  // in the store already, left from before, or cut short
    out.insert(out.end(), values.begin(), values.end());
    ++expected;
  }
  return out;
}

}  // namespace trunnion::results
