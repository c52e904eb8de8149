#include "core/source.hpp"

#include <algorithm>

namespace trunnion::core {

void SourceFile::index_lines() const {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

LineColumn SourceFile::position(std::uint32_t offset) const {
  if (line_starts_.empty()) index_lines();
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<int>(next - line_starts_.begin());
  return {line, static_cast<int>(offset - *(next - 1)) + 1};
}

std::string_view SourceFile::line(int number) const {
  if (line_starts_.empty()) index_lines();
  if (number < 1 || number > static_cast<int>(line_starts_.size())) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number - 1)];
  std::string_view rest = std::string_view(text_).substr(begin);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::uint32_t SourceSet::add(std::string path, std::string text) {
  files_.push_back(std::make_unique<SourceFile>(std::move(path), std::move(text)));
  return static_cast<std::uint32_t>(files_.size());
}

}  // namespace trunnion::core
