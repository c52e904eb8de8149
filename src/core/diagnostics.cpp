#include "core/diagnostics.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace trunnion::core {

void Diagnostics::add(Severity severity, Span span, std::string subject, std::string message,
                      std::string hint, std::size_t& count) {
  if (++count > kErrorLimit) return;
  all_.push_back({severity, span, std::move(subject), std::move(message), std::move(hint)});
}

void Diagnostics::error(Span span, std::string subject, std::string message, std::string hint) {
  add(Severity::error, span, std::move(subject), std::move(message), std::move(hint), error_count_);
}

void Diagnostics::warning(Span span, std::string subject, std::string message, std::string hint) {
  add(Severity::warning, span, std::move(subject), std::move(message), std::move(hint), warning_count_);
}

void Diagnostics::sort() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.file, a.span.begin) < std::tie(b.span.file, b.span.begin);
  });
}

namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "";
}

const char* severity_colour(Severity severity) {
  return severity == Severity::error     ? "\033[1;31m"
         : severity == Severity::warning ? "\033[1;35m"
                                         : "\033[1m";
}

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Columns of a terminal that a piece of a line takes once it is printable.
std::size_t columns(std::string_view text) {
  const std::string shown = printable(text);
  return shown.size() - static_cast<std::size_t>(std::count_if(shown.begin(), shown.end(), continues_utf8));
}

// The source line cut to a window around the caret, with control bytes made visible and tabs as one blank, so
// that the caret below it lines up.
void append_excerpt(std::string& out, std::string_view line, std::size_t column, std::size_t length,
                    std::size_t width) {
  if (line.empty()) return;
  const std::size_t caret = std::min(column - 1, line.size());
  std::size_t begin = caret > width * 2 / 3 ? caret - width * 2 / 3 : 0;
  while (begin > 0 && begin < caret && continues_utf8(line[begin])) ++begin;  // no half letters
  std::size_t end = std::min(line.size(), begin + width);
  while (end < line.size() && end > caret + 1 && continues_utf8(line[end])) --end;
  const std::string_view marked = line.substr(caret, std::min(length, end - caret));
  const std::size_t carets = std::max<std::size_t>(columns(marked), 1);
  const std::string_view lead = begin > 0 ? "…" : "";
  const std::string_view tail = end < line.size() ? "…" : "";
  out += fmt::format("    {}{}{}\n", lead, printable(line.substr(begin, end - begin)), tail);
  const std::size_t indent = columns(line.substr(begin, caret - begin)) + (begin > 0 ? 1 : 0);
  out += fmt::format("    {}^{}\n", std::string(indent, ' '), std::string(carets - 1, '~'));
}

}  // namespace

std::string render(const Diagnostic& d, const SourceSet& sources, const RenderOptions& options) {
  std::string out;
  LineColumn at;
  const bool located = d.span.known() && sources.has(d.span.file);
  if (located) {
    const SourceFile& file = sources.file(d.span.file);
    at = file.position(d.span.begin);
    out += fmt::format("{}:{}:{}: ", printable(file.path()), at.line, at.column);
  }
  const char* on = options.colour ? severity_colour(d.severity) : "";
  const char* off = options.colour ? "\033[0m" : "";
  out += fmt::format("{}{}:{} ", on, severity_name(d.severity), off);
  if (!d.subject.empty()) out += printable(d.subject) + ": ";
  out += printable_lines(d.message);
  out += '\n';
  if (located) {
    const auto column = static_cast<std::size_t>(at.column);
    const std::size_t length = d.span.end > d.span.begin ? d.span.end - d.span.begin : 1;
    append_excerpt(out, sources.file(d.span.file).line(at.line), column, length, options.line_width);
  }
  if (!d.hint.empty()) out += fmt::format("    try: {}\n", printable(d.hint));
  return out;
}

std::string render(const Diagnostics& diagnostics, const SourceSet& sources, const RenderOptions& options) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += render(d, sources, options);
  const auto more = [&](std::size_t count, const char* what) {
    if (count <= Diagnostics::kErrorLimit) return;
    const std::size_t rest = count - Diagnostics::kErrorLimit;
    out += fmt::format("… and {} more {}{}\n", rest, what, rest == 1 ? "" : "s");
  };
  more(diagnostics.error_count(), "error");
  more(diagnostics.warning_count(), "warning");
  return out;
}

}  // namespace trunnion::core
