#include "flex/text_lines.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::flex {

namespace {

std::string whole_text(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    throw InputError(path.string() + ": there is no such file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": cannot be opened");
  std::string text;
  const auto size = std::filesystem::file_size(path, code);
  if (!code) text.resize(size);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool separates(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }

}  // namespace

TextLines::TextLines(const std::filesystem::path& path) : TextLines(path, whole_text(path)) {}

TextLines::TextLines(std::filesystem::path path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {}

bool TextLines::next() {
  if (again_) {
    again_ = false;
    return true;
  }
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = std::string_view(text_).substr(at_, end - at_);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  at_ = end + 1;
  ++number_;
  return true;
}

void TextLines::fail(const std::string& why, const std::string& hint) const {
  throw InputError(fmt::format("{}:{}: {}", path_.string(), number_, why), hint);
}

const std::vector<std::string_view>& TextLines::words() {
  words_.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line_.size() && separates(line_[at])) ++at;
    if (at == line_.size()) return words_;
    const std::size_t begin = at;
    while (at < line_.size() && !separates(line_[at])) ++at;
    words_.push_back(line_.substr(begin, at - begin));
  }
}

double TextLines::real(std::string_view word) const {
  constexpr std::size_t kLongest = 64;
  char buffer[kLongest];
  std::string_view text = core::trim(word);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  if (!text.empty() && text.size() < kLongest) {
    std::size_t size = 0;
    for (const char c : text) buffer[size++] = c == 'd' || c == 'D' ? 'e' : c;
    const auto [end, code] = std::from_chars(buffer, buffer + size, value);
    if (code == std::errc::result_out_of_range && end == buffer + size) {
      const std::size_t exponent = text.find_first_of("eEdD");
      if (exponent != std::string_view::npos && exponent + 1 < text.size() && text[exponent + 1] == '-')
        return 0.0;  // too small for a double
    }
    if (code == std::errc() && end == buffer + size && std::isfinite(value)) return value;
  }
  fail(fmt::format("'{}' is not a number", core::printable(word)));
}

int TextLines::whole(std::string_view word) const {
  std::string_view text = core::trim(word);
  if (text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return value;
  fail(fmt::format("'{}' is not a whole number", core::printable(word)));
}

bool is_whole(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  if (word.empty()) return false;
  for (const char c : word) {
    if (!core::is_digit(c)) return false;
  }
  return true;
}

}  // namespace trunnion::flex
