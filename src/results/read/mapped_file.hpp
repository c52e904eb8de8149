#pragma once
// A file's bytes without reading them into memory first: result files may be larger than it.

#include <string>
#include <string_view>

namespace trunnion::results {

class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  bool open(const std::string& path, std::string& error);
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace trunnion::results
