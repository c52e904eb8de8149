#pragma once
// Source text and positions in it. A model remembers where each statement and argument stood, so that every
// message can show file:line:column, the line itself and a caret.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trunnion::core {

// A half-open byte range in one source file. file 0 means "built without text" (C++ or Python).
struct Span {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return file != 0; }
};

struct LineColumn {
  int line = 0;    // from 1
  int column = 0;  // from 1, in bytes
};

// One file's text with a table of line starts, built when the first position is asked for.
class SourceFile {
 public:
  SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  LineColumn position(std::uint32_t offset) const;
  std::string_view line(int number) const;  // without its line end; number from 1

 private:
  void index_lines() const;

  std::string path_;
  std::string text_;
  mutable std::vector<std::uint32_t> line_starts_;
};

// All files of one run. Ids are 1-based; files stay put once added.
class SourceSet {
 public:
  std::uint32_t add(std::string path, std::string text);
  const SourceFile& file(std::uint32_t id) const { return *files_[id - 1]; }
  bool has(std::uint32_t id) const { return id >= 1 && id <= files_.size(); }

 private:
  std::vector<std::unique_ptr<SourceFile>> files_;
};

}  // namespace trunnion::core
