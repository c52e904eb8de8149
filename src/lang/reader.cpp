#include "lang/reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/text.hpp"
#include "lang/statement_reader.hpp"

namespace trunnion::lang {

using core::Diagnostics;
using core::SourceSet;
using core::Span;

std::optional<std::uint32_t> load_file(const std::string& path, SourceSet& sources,
                                       Diagnostics& diagnostics) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    diagnostics.error({}, {}, fmt::format("{} is a folder, not a file", path));
    return std::nullopt;
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) {
    diagnostics.error({}, {}, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  std::string text;
  const auto size = std::filesystem::file_size(path, code);
  if (!code && size < std::numeric_limits<std::uint32_t>::max()) text.reserve(size);
  char buffer[1 << 16];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
    text.append(buffer, got);
    if (text.size() >= std::numeric_limits<std::uint32_t>::max()) break;
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) {
    diagnostics.error({}, {}, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    diagnostics.error({}, {}, fmt::format("{} is larger than 4 GB", path));
    return std::nullopt;
  }
  return sources.add(path, std::move(text));
}

namespace {

std::size_t after_byte_order_mark(std::string_view text) {
  std::size_t at = 0;
  while (text.substr(at).starts_with("\xef\xbb\xbf")) at += 3;
  return at;
}

// A byte order mark that follows blanks would stand first once it is written back.
std::string_view first_line(std::string_view line) {
  for (line = core::trim(line); after_byte_order_mark(line) > 0;)
    line = core::trim(line.substr(after_byte_order_mark(line)));
  return line;
}

struct Line {
  std::string_view text;
  std::size_t begin = 0;
  std::size_t next = 0;
};

Line physical_line(std::string_view text, std::size_t from) {
  const std::size_t end = std::min(text.find('\n', from), text.size());
  std::string_view line = text.substr(from, end - from);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return {line, from, std::min(end + 1, text.size())};
}

// "WORD/" with a word the language knows in full or by its declared minimum.
bool looks_like_statement(std::string_view line, Context context) {
  line = core::trim(line);
  std::size_t end = 0;
  while (end < line.size() && core::is_word(line[end])) ++end;
  const std::string_view word = line.substr(0, end);
  while (end < line.size() && core::is_blank(line[end])) ++end;
  const bool slash = end < line.size() && line[end] == '/';
  if (word.empty() || (!slash && end < line.size())) return false;
  // A title may well hold a slash (ADAMS/View …): in a model what follows it must look the part too.
  std::size_t after = std::min(end + 1, line.size());
  while (after < line.size() && core::is_blank(line[after])) ++after;
  const bool fits = context == Context::command || after == line.size() || core::is_digit(line[after]) ||
                    line.find('=', after) != std::string_view::npos;
  if (!fits) return false;
  for (const Candidate& c : keywords(context)) {
    const bool full = core::equals_nocase(word, c.name);
    const bool shortened = word.size() >= 3 && core::starts_with_nocase(c.name, word);
    if (slash ? (full || shortened) : (full && core::equals_nocase(word, "STOP"))) return true;
  }
  return false;
}

// Something that is no text at all would give fifty meaningless errors; one says it better.
bool refuse_binary(std::string_view text, std::uint32_t file, Context context, Diagnostics& diagnostics) {
  const Span start{file, 0, 1};
  text.remove_prefix(
      after_byte_order_mark(text));  // what is left must read like itself when it is written without one
  if (text.find_first_not_of(" \t\r\n\v\f;&") == std::string_view::npos) {
    diagnostics.error(start, {}, "the file is empty");
    return true;
  }
  const std::string_view mark = first_line(text);  // a title is written without the blanks before it
  if (mark.starts_with("\xff\xfe") || mark.starts_with("\xfe\xff")) {
    diagnostics.error(start, {}, "the file is UTF-16 text", "save it as plain text (UTF-8 or Latin-1)");
    return true;
  }
  if (mark.starts_with("\x89HDF")) {
    diagnostics.error(start, {}, "the file holds results (HDF5), not a model or command text",
                      "'trunnion info FILE' tells what is in it, 'trunnion view FILE' shows it");
    return true;
  }
  constexpr std::size_t kProbe = 4096;
  const std::string_view probe = text.substr(0, kProbe);
  const auto odd = std::count_if(probe.begin(), probe.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f';
  });
  // Compressed data has one such byte in nine; a model that some program padded with NUL bytes still has statements.
  constexpr std::ptrdiff_t kStray = 2;  // a control byte or two in a short script are no sign of a binary
  if (odd <= kStray || odd * 50 <= static_cast<std::ptrdiff_t>(probe.size())) return false;
  for (std::size_t at = 0; at < text.size();) {
    const Line line = physical_line(text, at);
    if (looks_like_statement(line.text, context)) return false;
    at = line.next;
  }
  diagnostics.error(start, {}, "the file is binary, not a model or command text");
  return true;
}

void take_line(LogicalLine& line, const Head& head, model::Statement& statement) {
  statement.name = std::move(line.view_name);
  statement.comments = std::move(line.comments);
  statement.span = line.span(0, line.text.size());
  statement.id_span = head.id_span;
}

// A command by its keyword, or what can hardly be anything else although its keyword is misspelt: a word, a slash and arguments.
bool looks_like_command(std::string_view line) {
  if (looks_like_statement(line, Context::command)) return true;
  line = core::trim(line);
  const auto end = std::find_if_not(line.begin(), line.end(), [](char c) { return core::is_word(c); });
  return end != line.begin() && end != line.end() && *end == '/' &&
         std::any_of(end, line.end(), [](char c) { return c == '=' || c == ','; });
}

// The names on the first two lines of a script in the old style. Paths may be quoted by blanks only.
void read_script_header(std::string_view text, std::size_t& at, model::Script& script) {
  const Line first = physical_line(text, at);
  const std::string_view name = first_line(first.text);
  if (name.empty() || name[0] == '!' || looks_like_command(name)) return;
  script.header_lines = true;
  script.model_file = without_control_bytes(name);
  at = first.next;
  const Line second = physical_line(text, at);
  const std::string_view prefix = core::trim(second.text);
  if ((!prefix.empty() && prefix[0] == '!') || looks_like_command(prefix)) return;
  if (!prefix.empty()) script.output_prefix = without_control_bytes(prefix);
  at = second.next;
}

// Comments after the last statement are kept; a further statement is said to be lost.
void read_rest(LogicalLines& lines, LogicalLine& line, std::string_view after,
               std::vector<std::string>& comments, Diagnostics& diagnostics) {
  const bool more = lines.next(line);
  if (more)
    diagnostics.warning(line.span(0, line.text.size()), {}, fmt::format("text after {} is not read", after));
  auto kept = more ? std::move(line.comments) : lines.take_comments();
  std::move(kept.begin(), kept.end(), std::back_inserter(comments));
}

}  // namespace

model::Model read_model(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
  model::Model model;
  const std::string_view text = sources.file(file).text();
  if (refuse_binary(text, file, Context::dataset, diagnostics)) return model;
  Line title = physical_line(text, after_byte_order_mark(text));
  if (looks_like_statement(title.text, Context::dataset)) {
    const auto begin = static_cast<std::uint32_t>(title.begin);
    diagnostics.warning({file, begin, begin + static_cast<std::uint32_t>(title.text.size())}, {},
                        "the first line of a model should be its title; this one is read as a statement",
                        "put a title line above it");
    title.next = title.begin;
  } else {
    model.title = without_control_bytes(first_line(title.text));
  }
  LogicalLines lines(text, file, title.next);
  LogicalLine line;
  bool ended = false;
  const model::Schema* before = nullptr;  // of the statement above
  while (!ended && lines.next(line)) {
    const Head head = read_head(line, Context::dataset, diagnostics, before);
    if (head.result == Head::Result::end) {
      ended = true;
      model.closing_comments = std::move(line.comments);
    }
    if (head.result != Head::Result::statement) continue;
    const model::Schema& schema = model::schema_of(head.kind);
    before = &schema;
    if (schema.has_id) {
      if (const model::Statement* first = model.find(head.kind, head.id)) {
        const core::LineColumn at = sources.file(file).position(first->span.begin);
        diagnostics.error(
            head.id_span, fmt::format("{}/{}", schema.keyword, head.id),
            fmt::format("duplicate id: {} is already defined on line {}", label(schema, *first), at.line),
            "give one of them another id");
      }
    }
    model::Statement& statement = model.add(head.kind, head.id);
    take_line(line, head, statement);
    StatementReader(line, Context::dataset, schema, statement, diagnostics).read_arguments(head.rest);
  }
  if (ended) {
    read_rest(lines, line, "END", model.closing_comments, diagnostics);
  } else {
    model.closing_comments = lines.take_comments();
    const auto end = static_cast<std::uint32_t>(text.size());
    diagnostics.error({file, end > 0 ? end - 1 : 0, end}, {}, "END is missing at the end of the model",
                      "add a line END; if the file was cut short, fetch it again");
  }
  return model;
}

model::Script read_script(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
  model::Script script;
  const std::string_view text = sources.file(file).text();
  if (refuse_binary(text, file, Context::command, diagnostics)) return script;
  std::size_t at = after_byte_order_mark(text);
  read_script_header(text, at, script);
  LogicalLines lines(text, file, at);
  LogicalLine line;
  bool stopped = false;
  while (!stopped && lines.next(line)) {
    const Head head = read_head(line, Context::command, diagnostics);
    if (head.result != Head::Result::statement) continue;
    const model::Schema& schema = model::schema_of(head.kind);
    model::Command command(head.kind);
    model::Statement& statement = model::statement_of(command);
    statement.id = head.id;
    take_line(line, head, statement);
    StatementReader(line, Context::command, schema, statement, diagnostics).read_arguments(head.rest);
    if (schema.has_id && !head.has_id && !statement.list) {
      diagnostics.error(head.keyword_span, std::string(schema.keyword),
                        fmt::format("expected an id after {}/", schema.keyword));
    }
    if (const auto* f = command.as<model::File>()) {
      if (f->model && !script.model_file) script.model_file = f->model;
      if (f->output_prefix && !script.output_prefix) script.output_prefix = f->output_prefix;
    }
    stopped = command.is<model::Stop>();
    script.commands.push_back(std::move(command));
  }
  if (stopped) {
    read_rest(lines, line, "STOP", script.closing_comments, diagnostics);
  } else {
    script.closing_comments = lines.take_comments();
  }
  return script;
}

}  // namespace trunnion::lang
