#pragma once
// A text file that is written from front to back, with the reason where it cannot be.

#include <cstdio>
#include <string>
#include <string_view>

namespace trunnion::results {

class TextFile {
 public:
  TextFile() = default;
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile();

  bool open(const std::string& path, std::string& error);
  bool put(std::string_view text, std::string& error);
  bool flush(std::string& error);
  bool close(std::string& error);
  bool is_open() const { return file_ != nullptr; }

 private:
  bool fail(std::string& error) const;

  std::FILE* file_ = nullptr;
  std::string path_;
};

}  // namespace trunnion::results
