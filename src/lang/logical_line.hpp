#pragma once
// From physical lines to statements. A statement may run over several lines: a line that starts with a comma
// continues the one before, and so does the line after one that ends in '&' or in a comma; ';' ends a statement
// inside a line; '!' starts a comment. This file undoes all that and remembers where each byte came from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.hpp"

namespace trunnion::lang {

// A title, name or comment that can be shown and written again: stray control bytes as '?'.
std::string without_control_bytes(std::string_view line);

// A statement's text as one piece. A line break inside it is '\n'; a comma that opened a continuation line stands
// right after it, because its meaning (separator or mere mark) depends on where it is.
struct LogicalLine {
  struct Segment {
    std::uint32_t text = 0;    // offset in `text`
    std::uint32_t source = 0;  // offset in the file
  };

  std::string text;
  std::vector<Segment> segments;
  std::vector<std::string> comments;  // lines above and inside, without '!'
  std::string view_name;              // from ! adams_view_name='…'
  std::uint32_t file = 0;

  std::uint32_t source_offset(std::size_t text_offset) const;
  core::Span span(std::size_t begin, std::size_t end) const;
  void clear();
};

class LogicalLines {
 public:
  LogicalLines(std::string_view text, std::uint32_t file, std::size_t start = 0)
      : text_(text), at_(start), file_(file) {}

  // The next statement; false at the end of the text. Reuses the storage of `line`.
  bool next(LogicalLine& line);
  // Comments after the last statement.
  std::vector<std::string> take_comments() { return std::move(comments_); }
  std::size_t position() const { return at_; }

 private:
  struct Physical {
    std::size_t begin, end;  // content, trimmed, without comment and '&'
    std::size_t next;        // where the following line (or statement after ';') starts
    bool ampersand = false;  // ended in '&'
    bool closed = false;     // ended by ';'
    bool has_comment = false;
    std::size_t comment_begin, comment_end;
  };
  Physical scan_line(std::size_t from);
  bool continues(const LogicalLine& line, const Physical& physical, bool ampersand) const;
  void keep_comment(std::string_view comment);

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t file_ = 0;
  std::size_t line_end_ = 0;  // end of the physical line that at_ is in, so that many ';' stay linear
  std::vector<std::string> comments_;
  std::string view_name_;
};

// An expression without blanks and continuation marks; a blank stays only where taking it out would join two
// tokens. With `origin`, also the offset in `logical` of each character kept.
std::string canonical_expression(std::string_view logical, std::vector<std::uint32_t>* origin = nullptr);

// Where character `offset` of an expression's canonical text stands in its file.
core::Span locate_in_expression(const core::SourceSet& sources, core::Span expression, std::size_t offset,
                                std::size_t length);

}  // namespace trunnion::lang
