#pragma once
// A text file by lines, and the numbers in them. Errors carry file and line.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "flex/input_error.hpp"

namespace trunnion::flex {

class TextLines {
 public:
  explicit TextLines(const std::filesystem::path& path);    // throws InputError where it cannot be read
  TextLines(std::filesystem::path path, std::string text);  // a text that is there already
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  bool next();                                     // false at the end
  std::string_view line() const { return line_; }  // without its end
  int number() const { return number_; }           // of the line, from 1
  const std::filesystem::path& path() const { return path_; }
  void back() { again_ = true; }  // next() gives this line once more

  [[noreturn]] void fail(const std::string& why, const std::string& hint = {}) const;

  // The words of the line, separated by blanks, tabs or commas.
  const std::vector<std::string_view>& words();
  double real(std::string_view word) const;  // 1.5, 1.5E3, 1.5D3, +2; finite
  int whole(std::string_view word) const;

 private:
  std::filesystem::path path_;
  std::string text_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::vector<std::string_view> words_;
  int number_ = 0;
  bool again_ = false;
};

// Nothing but digits, with a sign at most.
bool is_whole(std::string_view word);

}  // namespace trunnion::flex
