#include "lang/logical_line.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace trunnion::lang {

using core::is_blank;
using core::is_word;

std::uint32_t LogicalLine::source_offset(std::size_t text_offset) const {
  if (segments.empty()) return 0;
  const auto next = std::upper_bound(segments.begin(), segments.end(), text_offset,
                                     [](std::size_t offset, const Segment& s) { return offset < s.text; });
  const Segment& segment = next == segments.begin() ? segments.front() : *(next - 1);
  return segment.source + static_cast<std::uint32_t>(text_offset - segment.text);
}

core::Span LogicalLine::span(std::size_t begin, std::size_t end) const {
  const std::uint32_t first = source_offset(begin);
  const std::uint32_t last = end > begin ? source_offset(end - 1) + 1 : first;
  return {file, first, std::max(first, last)};
}

std::string without_control_bytes(std::string_view line) {
  std::string out(line);
  for (char& c : out) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) c = '?';
  }
  return out;
}

void LogicalLine::clear() {
  text.clear();
  segments.clear();
  comments.clear();
  view_name.clear();
}

namespace {

// Past a "quoted" run on the same line, or the position itself where the quote is not closed.
std::size_t skip_quotes(std::string_view line, std::size_t quote) {
  const std::size_t close = line.find('"', quote + 1);
  return close == std::string_view::npos ? quote : close;
}

}  // namespace

LogicalLines::Physical LogicalLines::scan_line(std::size_t from) {
  if (from == 0 || from > line_end_) line_end_ = std::min(text_.find('\n', from), text_.size());
  const std::string_view line = text_.substr(from, line_end_ - from);
  Physical p{};
  p.next = std::min(line_end_ + 1, text_.size());
  std::size_t end = line.find_first_of("!;\"");
  while (end != std::string_view::npos && line[end] == '"') {
    end = line.find_first_of("!;\"", skip_quotes(line, end) + 1);
  }
  if (end == std::string_view::npos) {
    end = line.size();
  } else if (line[end] == '!') {
    p.has_comment = true;
    p.comment_begin = from + end + 1;
    p.comment_end = line_end_;
  } else {
    p.closed = true;
    p.next = from + end + 1;
  }
  std::size_t begin = 0;
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  if (!p.closed && end > begin && line[end - 1] == '&') {
    p.ampersand = true;
    --end;
    while (end > begin && is_blank(line[end - 1])) --end;
  }
  p.begin = from + begin;
  p.end = from + end;
  return p;
}

void LogicalLines::keep_comment(std::string_view comment) {
  constexpr std::string_view kName = "adams_view_name='";
  if (!comment.empty() && comment.back() == '\r') comment.remove_suffix(1);
  const std::size_t at = comment.find(kName);
  if (at != std::string_view::npos && core::trim(comment.substr(0, at)).empty()) {
    const std::string_view rest = comment.substr(at + kName.size());
    const std::size_t close = rest.rfind('\'');  // the last: a name may hold one itself
    if (close != std::string_view::npos && core::trim(rest.substr(close + 1)).empty()) {
      view_name_ = without_control_bytes(rest.substr(0, close));
      return;
    }
  }
  while (!comment.empty() && is_blank(comment.back())) comment.remove_suffix(1);
  comments_.push_back(without_control_bytes(comment));
}

// Whether the line belongs to the statement under way.
bool LogicalLines::continues(const LogicalLine& line, const Physical& p, bool ampersand) const {
  if (ampersand || text_[p.begin] == ',') return true;
  if (line.text.back() != ',') return false;
  // After a trailing comma: "KEYWORD/" or a bare END starts a new statement, anything else goes on.
  std::size_t i = p.begin;
  while (i < p.end && is_word(text_[i])) ++i;
  const bool bare_end = core::equals_nocase(text_.substr(p.begin, p.end - p.begin), "END");
  while (i < p.end && is_blank(text_[i])) ++i;
  return !bare_end && !(i < p.end && text_[i] == '/');
}

bool LogicalLines::next(LogicalLine& line) {
  line.clear();
  line.file = file_;
  bool ampersand = false;
  const auto take_pending = [&] {
    std::move(comments_.begin(), comments_.end(), std::back_inserter(line.comments));
    comments_.clear();
    if (!view_name_.empty()) line.view_name = std::move(view_name_);
    view_name_.clear();
  };
  while (at_ < text_.size()) {
    const Physical p = scan_line(at_);
    const bool empty = p.begin == p.end;
    if (!empty) {
      if (!line.text.empty()) {
        if (!continues(line, p, ampersand)) return true;
        line.text += '\n';
      }
      take_pending();
      line.segments.push_back(
          {static_cast<std::uint32_t>(line.text.size()), static_cast<std::uint32_t>(p.begin)});
      line.text.append(text_.substr(p.begin, p.end - p.begin));
      ampersand = p.ampersand;
    } else if (p.ampersand) {
      ampersand = true;
    }
    if (p.has_comment) keep_comment(text_.substr(p.comment_begin, p.comment_end - p.comment_begin));
    if (!empty && p.has_comment) take_pending();
    at_ = p.next;
    if (p.closed && !line.text.empty()) return true;
  }
  return !line.text.empty();
}

std::string canonical_expression(std::string_view logical, std::vector<std::uint32_t>* origin) {
  std::string out;
  out.reserve(logical.size());
  bool gap = false;
  const auto joins = [](char a, char b) {
    const auto wordlike = [](char c) { return is_word(c) || c == '.'; };
    return (wordlike(a) && wordlike(b)) || (a == '*' && b == '*');
  };
  for (std::size_t i = 0; i < logical.size(); ++i) {
    const char c = logical[i];
    if (c == '\n') {
      gap = true;
      if (i + 1 < logical.size() && logical[i + 1] == ',') ++i;
      continue;
    }
    if (is_blank(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty() && joins(out.back(), c)) {
      out += ' ';
      if (origin) origin->push_back(static_cast<std::uint32_t>(i));
    }
    gap = false;
    out += c;
    if (origin) origin->push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

core::Span locate_in_expression(const core::SourceSet& sources, core::Span expression, std::size_t offset,
                                std::size_t length) {
  if (!expression.known() || !sources.has(expression.file)) return expression;
  const std::string_view text = sources.file(expression.file).text().substr(0, expression.end);
  LogicalLines lines(text, expression.file, expression.begin);
  LogicalLine line;
  if (!lines.next(line)) return expression;
  std::vector<std::uint32_t> origin;
  canonical_expression(line.text, &origin);
  if (origin.empty()) return expression;
  if (offset >= origin.size()) return {expression.file, expression.end, expression.end};
  const std::size_t last = std::min(offset + std::max<std::size_t>(length, 1) - 1, origin.size() - 1);
  return line.span(origin[offset], origin[last] + 1);
}

}  // namespace trunnion::lang
