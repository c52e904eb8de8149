#include "results/read/mapped_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trunnion::results {

MappedFile::~MappedFile() {
  if (data_) munmap(const_cast<char*>(data_), size_);
}

bool MappedFile::open(const std::string& path, std::string& error) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) {
    error = path + ": " + std::strerror(errno);
    if (file >= 0) ::close(file);
    return false;
  }
  const auto size = static_cast<std::size_t>(about.st_size);
  void* data = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  if (data == MAP_FAILED) error = path + ": " + std::strerror(errno);
  ::close(file);
  if (data == MAP_FAILED) return false;
  data_ = static_cast<const char*>(data);
  size_ = size;
  return true;
}

}  // namespace trunnion::results
