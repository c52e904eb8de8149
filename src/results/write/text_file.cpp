#include "results/write/text_file.hpp"

#include <cerrno>
#include <cstring>

namespace trunnion::results {

TextFile::~TextFile() {
  if (file_) std::fclose(file_);
}

bool TextFile::fail(std::string& error) const {
  error = "cannot write " + path_ + ": " + std::strerror(errno);
  return false;
}

bool TextFile::open(const std::string& path, std::string& error) {
  if (file_) std::fclose(file_);
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  return file_ != nullptr || fail(error);
}

bool TextFile::put(std::string_view text, std::string& error) {
  if (!file_) return false;
  return std::fwrite(text.data(), 1, text.size(), file_) == text.size() || fail(error);
}

bool TextFile::flush(std::string& error) { return !file_ || std::fflush(file_) == 0 || fail(error); }

bool TextFile::close(std::string& error) {
  if (!file_) return true;
  const bool good = std::fclose(file_) == 0;
  file_ = nullptr;
  return good || fail(error);
}

}  // namespace trunnion::results
