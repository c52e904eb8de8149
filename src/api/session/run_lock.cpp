#include "api/session/run_lock.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.hpp"

namespace trunnion::api {

namespace {

std::string holder() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return fmt::format("process {} on {}, since {:%Y-%m-%d %H:%M:%S}", getpid(), host,
                     fmt::localtime(std::time(nullptr)));
}

// What a lock file says of its holder, in one line that is safe to print.
std::string said_by(int file) {
  char text[512];
  const ssize_t got = pread(file, text, sizeof text, 0);
  std::string_view line(text, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  line = line.substr(0, line.find('\n'));
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return {};
  return core::printable(line.substr(colon + 2));
}

// Whether the path still leads to the file that is open: a run that ends removes its lock.
bool still_there(const std::string& path, int file) {
  struct stat by_path {
  }, by_file{};
  return stat(path.c_str(), &by_path) == 0 && fstat(file, &by_file) == 0 &&
         by_path.st_dev == by_file.st_dev && by_path.st_ino == by_file.st_ino;
}

}  // namespace

std::string RunLock::take(const std::string& path) {
  release();
  constexpr int kTries = 16;  // each lost one is a run that ended in between
  for (int k = 0; k < kTries; ++k) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int why = errno;
      std::string who = said_by(file);
      if (who.empty()) who = "a process that has not said its number yet";
      ::close(file);
      if (why != EWOULDBLOCK) return {};  // a file system without locks: nothing can be said
      return fmt::format(
          "another run writes these results: {} ({}). Wait for it, or choose another --prefix or --out", who,
          path);
    }
    if (!still_there(path, file)) {
      ::close(file);
      continue;
    }
    left_by_ = said_by(file);
    const std::string text = "Trunnion run: " + holder() + "\n";
    if (ftruncate(file, 0) != 0 || pwrite(file, text.data(), text.size(), 0) < 0) {
      const std::string why = std::strerror(errno);
      ::close(file);
      return fmt::format("cannot write {}: {}", path, why);
    }
    path_ = path;
    file_ = file;
    return {};
  }
  return fmt::format("other runs take {} all the time", path);
}

void RunLock::release() {
  if (file_ < 0) return;
  unlink(path_.c_str());  // before the lock is gone: who waits for it sees that the file is
  ::close(file_);
  file_ = -1;
}

}  // namespace trunnion::api
