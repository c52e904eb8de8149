#include "lang/statement_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text.hpp"
#include "lang/numbers.hpp"

namespace trunnion::lang {

using core::is_alpha;
using core::is_blank;
using core::is_digit;
using core::is_word;
using model::Argument;
using model::ValueKind;

namespace {

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = core::printable(text.substr(0, kShown));
  if (text.size() > kShown) shown += "…";
  return shown;
}

std::string one_of(const Argument& argument, const std::vector<Candidate>& values) {
  std::vector<std::string> names;
  for (const Candidate& c : values) names.emplace_back(c.name);
  return fmt::format("{} is one of {}", argument.name, core::join_and(names, "or"));
}

std::string ambiguity(std::string_view word, const Match& match) {
  std::vector<std::string> names(match.rivals.begin(), match.rivals.end());
  return fmt::format("{} is short for more than one: {}", quoted(word), core::join_and(names, "or"));
}

}  // namespace

namespace {

// The statement or command that has this word as its type, where it is the only one: INPLANE is a JPRIM, not a JOINT.
std::string_view chosen_by(std::string_view word, bool command, const model::Schema* but = nullptr) {
  std::string_view found;
  for (const model::Schema& schema : model::all_schemas()) {
    if (&schema == but || (schema.where == model::Where::command) != command) continue;
    for (const Argument& argument : schema.arguments) {
      const bool has = argument.kind == ValueKind::choice &&
                       std::any_of(argument.words.begin(), argument.words.end(),
                                   [&](const auto& w) { return core::equals_nocase(w.name, word); });
      if (!has) continue;
      if (!found.empty()) return {};
      found = schema.keyword;
    }
  }
  return found;
}

// "begin a comment with !" for a line that begins as a comment does in other languages.
std::string comment_hint(std::string_view text) {
  constexpr std::string_view kElsewhere[] = {"//", "/*", "#", "$", "--"};
  for (const std::string_view mark : kElsewhere) {
    if (text.starts_with(mark)) return "a comment begins with !";
  }
  return {};
}

// What helps where a line begins with a word that is none of the context's.
std::string unknown_hint(std::string_view word, std::string_view rest, Context context,
                         const model::Schema* before) {
  const bool equals = core::trim(rest).starts_with('=');
  if (equals && before && match_word(word, words_of(before->kind).candidates).found())
    return fmt::format(
        "{} is an argument of {}, above: a statement goes on in a line that begins with a comma",
        core::to_upper(word), before->keyword);
  if (core::equals_nocase(word, "END")) return "a command file ends with STOP";
  const bool command = context == Context::command;
  if (const std::string_view owner = chosen_by(word, command); !owner.empty())
    return fmt::format("it is one of {}: {}{}{}", owner, owner, command ? "/" : "/…, ", core::to_upper(word));
  return fmt::format("'trunnion help' lists the {}s", command ? "command" : "statement");
}

}  // namespace

Head read_head(const LogicalLine& line, Context context, core::Diagnostics& diagnostics,
               const model::Schema* before) {
  Head head;
  const std::string_view text = line.text;
  std::size_t at = 0;
  while (at < text.size() && is_word(text[at])) ++at;
  const std::string_view word = text.substr(0, at);
  head.keyword_span = line.span(0, std::max<std::size_t>(at, 1));
  if (word.empty() || !is_alpha(word[0])) {
    diagnostics.error(head.keyword_span, {},
                      fmt::format("expected a {}, found {}",
                                  context == Context::dataset ? "statement such as PART/1"
                                                              : "command such as SIMULATE/STATICS",
                                  quoted(text.substr(0, 20))),
                      comment_hint(text));
    return head;
  }
  const auto& candidates = keywords(context);
  const Match match = match_word(word, candidates);
  if (match.result == Match::Result::ambiguous) {
    diagnostics.error(head.keyword_span, {}, ambiguity(word, match));
    return head;
  }
  if (!match.found()) {
    const char* what = context == Context::dataset ? "statement" : "command";
    if (context == Context::dataset && match_word(word, keywords(Context::command)).found()) {
      diagnostics.error(head.keyword_span, {},
                        fmt::format("{} is a command, not a statement of a model", quoted(word)),
                        "put it into a command file (.acf)");
      return head;
    }
    const std::string hint = unknown_hint(word, text.substr(at), context, before);
    const bool led_elsewhere = !hint.starts_with('\'');
    diagnostics.error(head.keyword_span, {},
                      fmt::format("{} is not a {}{}", quoted(word), what,
                                  led_elsewhere ? "" : did_you_mean(word, candidates)),
                      hint);
    return head;
  }
  if (match.value == kEndKeyword) {
    head.result = Head::Result::end;
    return head;
  }
  head.kind = model::Kind{match.value};
  const model::Schema& schema = model::schema_of(head.kind);
  const auto skip = [&] {
    while (at < text.size() && (is_blank(text[at]) || text[at] == '\n')) ++at;
  };
  skip();
  const bool slash = at < text.size() && text[at] == '/';
  if (slash) {
    ++at;
    skip();
    if (at < text.size() && text[at] == ',' && text[at - 1] == '\n') ++at;
    skip();
  } else if (at < text.size() && !(context == Context::command && !schema.has_id && is_alpha(text[at]))) {
    // (SHOW STATUS=SIM, with a blank for the slash, is seen in command logs.)
    diagnostics.error(
        line.span(at, at + 1), std::string(schema.keyword),
        fmt::format("expected '/' after {}", schema.keyword),
        schema.has_id ? fmt::format("{}/id, …", schema.keyword) : fmt::format("{}/…", schema.keyword));
    if (schema.has_id) return head;
  }
  const std::size_t digits = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at > digits) {
    head.id_span = line.span(digits, at);
    long long id = 0;
    for (std::size_t i = digits; i < at && id <= std::numeric_limits<int>::max(); ++i)
      id = id * 10 + (text[i] - '0');
    if (id > std::numeric_limits<int>::max()) {
      diagnostics.error(head.id_span, std::string(schema.keyword),
                        "the id is too large; ids go up to 2147483647");
      return head;
    }
    if (!schema.has_id) {
      diagnostics.error(head.id_span, std::string(schema.keyword), "it takes no id");
    } else {
      head.id = static_cast<int>(id);
      head.has_id = true;
      if (at < text.size() && is_word(text[at])) {
        diagnostics.error(line.span(digits, at + 1), std::string(schema.keyword),
                          "the id must be a whole number");
        while (at < text.size() && is_word(text[at])) ++at;
      }
    }
  } else if (schema.has_id && context == Context::dataset) {
    diagnostics.error(line.span(0, std::min(at + 1, text.size())), std::string(schema.keyword),
                      fmt::format("expected an id after {}/", schema.keyword),
                      fmt::format("{}/1, …", schema.keyword));
    return head;
  }
  head.result = Head::Result::statement;
  head.rest = at;
  return head;
}

StatementReader::StatementReader(const LogicalLine& line, Context context, const model::Schema& schema,
                                 model::Statement& statement, core::Diagnostics& diagnostics)
    : line_(line),
      text_(line.text),
      context_(context),
      schema_(schema),
      statement_(statement),
      diagnostics_(diagnostics),
      words_(words_of(schema.kind)) {}

void StatementReader::error(std::size_t begin, std::size_t end, std::string message, std::string hint) {
  statement_.damaged = true;
  diagnostics_.error(line_.span(std::min(begin, text_.size()), std::min(end, text_.size())), subject(),
                     std::move(message), std::move(hint));
}

std::string StatementReader::argument_names() const {
  std::string out;
  for (const Candidate& c : words_.candidates) {
    if (!out.empty()) out += ' ';
    out += c.name;
    if (out.size() > 150) return out + " …";
  }
  return out;
}

// --- scanning ---------------------------------------------------------------------------------------------------

void StatementReader::skip_blanks() {
  while (!at_end() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
}

void StatementReader::skip_after_equals() {
  skip_blanks();
  if (peek() == ',' && at_ > 0 && text_[at_ - 1] == '\n') {
    ++at_;
    skip_blanks();
  }
}

bool StatementReader::skip_separator() {
  bool any = false;
  bool comma = false;
  while (!at_end()) {
    const char c = text_[at_];
    if (is_blank(c) || c == '\n') {
      if (c == '\n' && at_ + 1 < text_.size() && text_[at_ + 1] == ',') {
        ++at_;  // the mark that opens a continuation line: a separator, but no second one
        any = true;
      }
      ++at_;
    } else if (c == '\\') {
      any = true;
      ++at_;
    } else if (c == ',') {
      if (comma) error(at_, at_ + 1, "two commas with nothing between them");
      comma = true;
      any = true;
      ++at_;
    } else {
      break;
    }
  }
  return any;
}

bool StatementReader::item_follows() {
  const std::size_t before = at_;
  if (!skip_separator() || at_end()) {
    at_ = before;
    return false;
  }
  // A backslash closes an argument; what follows it is never a further value.
  const bool closed = text_.substr(before, at_ - before).find('\\') != std::string_view::npos;
  const char c = peek();
  const bool value = !closed && (is_digit(c) || c == '+' || c == '-' || c == '.');
  if (!value) at_ = before;
  return value;
}

std::string_view StatementReader::read_word() {
  const std::size_t begin = at_;
  while (!at_end() && is_word(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

// After an error: to the next comma outside parentheses that an argument follows.
void StatementReader::skip_to_next_argument() {
  while (!at_end()) {
    const char c = text_[at_];
    if ((c == ',' || c == '\\') && starts_argument(at_ + 1)) return;
    ++at_;
  }
}

// Past blanks, line breaks and at most one continuation mark.
std::size_t StatementReader::past_gap(std::size_t position) const {
  bool marked = false;
  for (; position < text_.size(); ++position) {
    const char c = text_[position];
    if (is_blank(c) || c == '\n') continue;
    const bool mark = c == ',' && position > 0 && text_[position - 1] == '\n';
    if (!mark || marked) break;
    marked = true;
  }
  return position;
}

// NAME= at this place.
bool StatementReader::names_argument(std::size_t position) const {
  const std::size_t begin = past_gap(position);
  position = begin;
  while (position < text_.size() && is_word(text_[position])) ++position;
  if (position == begin || !is_alpha(text_[begin])) return false;
  while (position < text_.size() && is_blank(text_[position])) ++position;
  return position < text_.size() && text_[position] == '=';
}

// NAME=, or a bare word that this statement knows.
bool StatementReader::starts_argument(std::size_t position) const {
  if (names_argument(position)) return true;
  const std::size_t begin = past_gap(position);
  position = begin;
  while (position < text_.size() && is_word(text_[position])) ++position;
  const std::string_view word = text_.substr(begin, position - begin);
  if (word.size() < 2 || !is_alpha(word[0])) return false;
  while (position < text_.size() && is_blank(text_[position])) ++position;
  if (position < text_.size() && text_[position] == '(') return false;
  return match_word(word, words_.candidates).found();
}

// --- arguments --------------------------------------------------------------------------------------------------

void StatementReader::read_arguments(std::size_t position) {
  at_ = position;
  skip_separator();
  while (!at_end()) {
    const std::size_t before = at_;
    read_argument();
    const std::size_t after = at_;
    if (!skip_separator() && !at_end()) {
      error(at_, at_ + 1, fmt::format("expected a comma before {}", quoted(text_.substr(at_, 12))));
      skip_to_next_argument();
      skip_separator();
    }
    if (at_ == before && after == before) ++at_;  // always gain ground
  }
}

bool StatementReader::begin_argument(const Argument& argument, int index, std::size_t name_begin,
                                     std::size_t name_end) {
  const bool repeated = model::is_given(argument, statement_) && argument.kind != ValueKind::rows;
  if (repeated) {
    if (argument.kind == ValueKind::choice) {
      const auto& chosen = model::field<model::ChoiceBase>(argument, statement_);
      std::string_view first;
      for (const model::Word& word : argument.words) {
        if (word.value == chosen.index && first.empty()) first = word.name;
      }
      error(name_begin, name_end,
            fmt::format("{} and {} are mutually exclusive",
                        core::to_upper(text_.substr(name_begin, name_end - name_begin)), first));
    } else {
      error(name_begin, name_end, fmt::format("{} is given twice", argument.name));
    }
  }
  statement_.given.push_back({index, line_.span(name_begin, name_end), line_.span(name_begin, name_end)});
  return !repeated;
}

void StatementReader::read_argument() {
  const std::size_t begin = at_;
  const std::string_view word = read_word();
  if (word.empty() || !is_alpha(word[0])) {
    at_ = begin;
    error(begin, begin + 1, fmt::format("expected an argument, found {}", quoted(text_.substr(begin, 12))),
          fmt::format("arguments are {}", argument_names()));
    skip_to_next_argument();
    return;
  }
  const std::size_t name_end = at_;
  skip_blanks();
  const bool equals = peek() == '=';
  const Match match = match_word(word, words_.candidates);
  if (!match.found()) {
    if (core::equals_nocase(word, "LIST") && !equals && context_ == Context::command) {
      statement_.list = true;
      at_ = name_end;
      return;
    }
    if (match.result == Match::Result::ambiguous) {
      error(begin, name_end, ambiguity(word, match));
    } else {
      const std::string_view other =
          equals ? std::string_view() : chosen_by(word, schema_.where == model::Where::command, &schema_);
      const std::string near = other.empty() ? did_you_mean(word, words_.candidates)
                                             : fmt::format("; it is one of {}: did you mean {}/…, {}?", other,
                                                           other, core::to_upper(word));
      error(begin, name_end,
            fmt::format("{} is not an argument of {}{}", quoted(word), schema_.keyword, near),
            near.empty() ? fmt::format("arguments are {}", argument_names()) : std::string());
    }
    skip_to_next_argument();
    return;
  }
  const ArgumentWord meaning = words_.meanings[static_cast<std::size_t>(match.value)];
  const Argument& argument = schema_.arguments[static_cast<std::size_t>(meaning.argument)];
  const bool fresh = begin_argument(argument, meaning.argument, begin, name_end);
  const bool takes_value = argument.kind != ValueKind::flag && argument.kind != ValueKind::choice;
  if (!takes_value) {
    if (equals) {
      error(begin, at_ + 1, fmt::format("{} takes no value", core::to_upper(word)));
      skip_to_next_argument();
    } else {
      at_ = name_end;
    }
    if (argument.kind == ValueKind::flag) {
      model::field<bool>(argument, statement_) = true;
    } else if (fresh) {
      model::field<model::ChoiceBase>(argument, statement_).index =
          argument.words[static_cast<std::size_t>(meaning.word)].value;
    }
    return;
  }
  if (!equals) {
    error(
        begin, name_end, fmt::format("{} needs a value: {}=…", argument.name, argument.name),
        argument.words.empty() ? std::string() : one_of(argument, values_of(schema_.kind, meaning.argument)));
    at_ = name_end;
    return;
  }
  ++at_;
  if (!fresh) {
    skip_to_next_argument();
    return;
  }
  skip_after_equals();
  const std::size_t value_begin = at_;
  const bool nothing = at_end() || peek() == ',' || peek() == '\\';
  if (nothing && argument.kind != ValueKind::text && argument.kind != ValueKind::texts) {
    error(begin, name_end, fmt::format("{} has no value after '='", argument.name));
    return;
  }
  read_value(argument, meaning.argument);
  statement_.given.back().value = line_.span(value_begin, std::max(at_, value_begin));
}

void StatementReader::read_value(const Argument& argument, int index) {
  using model::field;
  switch (argument.kind) {
    case ValueKind::flag:
    case ValueKind::choice: break;
    case ValueKind::word: read_word_value(argument, index); break;
    case ValueKind::words: read_words_value(argument, index); break;
    case ValueKind::real: read_real(argument); break;
    case ValueKind::integer: {
      int value = 0;
      if (!read_integer(argument, value)) break;
      field<std::optional<int>>(argument, statement_) = value;
      refuse_second(argument);
      break;
    }
    case ValueKind::reals: read_reals(argument, field<std::vector<double>>(argument, statement_)); break;
    case ValueKind::rows:
      read_reals(argument, field<model::Rows>(argument, statement_).rows.emplace_back());
      break;
    case ValueKind::integers: read_integers(argument, field<std::vector<int>>(argument, statement_)); break;
    case ValueKind::reference: {
      int value = 0;
      if (!read_integer(argument, value)) break;
      field<model::RefBase>(argument, statement_).id = value;
      refuse_second(argument);
      break;
    }
    case ValueKind::references:
      read_integers(argument, field<model::RefListBase>(argument, statement_).ids);
      break;
    case ValueKind::text: field<std::optional<std::string>>(argument, statement_) = read_text(false); break;
    case ValueKind::texts: read_texts(argument); break;
    case ValueKind::expression: read_expression(argument); break;
  }
}

// --- values -----------------------------------------------------------------------------------------------------

// What stands at a place where a value was expected, for a message.
std::size_t StatementReader::end_of_item(std::size_t position) const {
  while (position < text_.size() && text_[position] != ',' && text_[position] != '\\' &&
         text_[position] != '\n') {
    ++position;
  }
  while (position > at_ + 1 && is_blank(text_[position - 1])) --position;
  return position;
}

namespace {

// What may be meant by 5O and 400mm; nothing where the trouble is another.
std::string tail_hint(std::string_view number) {
  const std::size_t tail = number.find_first_not_of("0123456789.+-");
  if (tail == std::string_view::npos || tail == 0) return {};
  const auto letters = number.substr(tail);
  if (letters.find_first_not_of("oOlI0123456789.") == std::string_view::npos)
    return "a letter O or l stands where a digit 0 or 1 may be meant";
  const bool unit = std::all_of(letters.begin(), letters.end(), core::is_alpha);
  if (unit && !core::equals_nocase(letters.substr(0, 1), "E") &&
      !core::equals_nocase(letters.substr(0, 1), "D"))
    return "numbers carry no unit of their own: UNITS says what all are in";
  return {};
}

}  // namespace

bool StatementReader::read_number(const Argument& argument, double& value) {
  const Number number = lang::read_number(text_.substr(at_));
  if (number.length == 0) {
    const bool names = argument.kind == ValueKind::reference || argument.kind == ValueKind::references;
    const std::size_t end = end_of_item(at_);
    error(at_, end,
          fmt::format("{} needs {}, found {}", argument.name, names ? "an id" : "a number",
                      quoted(text_.substr(at_, end - at_))));
    skip_to_next_argument();
    return false;
  }
  const std::size_t end = at_ + number.length;
  if (number.trouble) {
    error(at_, end,
          fmt::format("{}: the number {} {}", argument.name, quoted(text_.substr(at_, number.length)),
                      number.trouble),
          tail_hint(text_.substr(at_, number.length)));
    at_ = end;
    skip_to_next_argument();
    return false;
  }
  at_ = end;
  value = number.value;
  return true;
}

bool StatementReader::read_integer(const Argument& argument, int& value) {
  const std::size_t begin = at_;
  // The common case, a plain run of up to nine digits, needs no floating point.
  std::size_t end = at_;
  int plain = 0;
  while (end < text_.size() && is_digit(text_[end]) && end - begin < 9)
    plain = plain * 10 + (text_[end++] - '0');
  if (end > begin && (end == text_.size() || !(is_word(text_[end]) || text_[end] == '.'))) {
    at_ = end;
    value = plain;
    return true;
  }
  double number = 0;
  if (!read_number(argument, number)) return false;
  if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int>::max()) {
    error(begin, at_,
          fmt::format("{} needs a whole number, found {}", argument.name,
                      quoted(text_.substr(begin, at_ - begin))));
    return false;
  }
  const bool names = argument.kind == ValueKind::reference || argument.kind == ValueKind::references;
  if (names && number < 0) {
    error(begin, at_,
          fmt::format("{} needs an id, found {}", argument.name, quoted(text_.substr(begin, at_ - begin))));
    return false;
  }
  value = static_cast<int>(number);
  return true;
}

void StatementReader::read_real(const Argument& argument) {
  double value = 0;
  if (!read_number(argument, value)) return;
  model::field<std::optional<double>>(argument, statement_) = value;
  refuse_second(argument);
}

void StatementReader::refuse_second(const Argument& argument) {
  const std::size_t after = at_;
  if (item_follows()) {
    const bool digits = argument.kind == ValueKind::real && core::is_digit(peek());
    error(at_, at_ + 1, fmt::format("{} takes one value", argument.name),
          digits ? "decimals are written with a point, not with a comma" : "");
    skip_to_next_argument();
  } else {
    at_ = after;
  }
}

void StatementReader::read_reals(const Argument& argument, std::vector<double>& out) {
  double value = 0;
  do {
    if (!read_number(argument, value)) return;
    out.push_back(value);
  } while (item_follows());
}

void StatementReader::read_integers(const Argument& argument, std::vector<int>& out) {
  int value = 0;
  do {
    if (!read_integer(argument, value)) return;
    out.push_back(value);
  } while (item_follows());
}

bool StatementReader::read_one_word(const Argument& argument, int index, int& word) {
  const std::size_t begin = at_;
  const std::string_view text = read_word();
  const auto& candidates = values_of(schema_.kind, index);
  const Match match = text.empty() ? Match{} : match_word(text, candidates);
  if (match.found()) {
    word = argument.words[static_cast<std::size_t>(match.value)].value;
    return true;
  }
  const std::string_view shown = text.empty() ? text_.substr(begin, 12) : text;
  if (match.result == Match::Result::ambiguous) {
    error(begin, at_, fmt::format("{}: {}", argument.name, ambiguity(text, match)));
  } else {
    error(begin, std::max(at_, begin + 1),
          fmt::format("{}={}: not a value of {}{}", argument.name, quoted(shown), argument.name,
                      did_you_mean(text, candidates)),
          one_of(argument, candidates));
  }
  skip_to_next_argument();
  return false;
}

void StatementReader::read_word_value(const Argument& argument, int index) {
  int word = 0;
  if (read_one_word(argument, index, word))
    model::field<model::ChoiceBase>(argument, statement_).index = word;
}

void StatementReader::read_words_value(const Argument& argument, int index) {
  auto& out = model::field<model::ChoiceListBase>(argument, statement_).indices;
  int word = 0;
  while (read_one_word(argument, index, word)) {
    out.push_back(word);
    const std::size_t before = at_;
    skip_blanks();
    if (peek() != ':') {
      at_ = before;
      return;
    }
    ++at_;
    skip_after_equals();
  }
}

// Text runs to the next comma or backslash; in double quotes it may hold anything. NUL bytes, which one writer
// leaves behind as padding, count as blanks.
std::string StatementReader::read_text(bool in_list) {
  if (peek() == '"') {
    const std::size_t close = text_.find('"', at_ + 1);
    if (close == std::string_view::npos) {
      error(at_, at_ + 1, "the quote is not closed");
      at_ = text_.size();
      return {};
    }
    const std::string out = clean_text(at_ + 1, close);
    at_ = close + 1;
    return out;
  }
  const std::size_t begin = at_;
  while (!at_end() && text_[at_] != ',' && text_[at_] != '\\') ++at_;
  if (at_end() || !in_list) {
    // A backslash followed by more of the text (a Windows path) does not close it.
    while (!at_end() && text_[at_] == '\\' && !names_argument(at_ + 1) && at_ + 1 < text_.size() &&
           is_word(text_[at_ + 1])) {
      ++at_;
      while (!at_end() && text_[at_] != ',' && text_[at_] != '\\') ++at_;
    }
  }
  return std::string(core::trim(clean_text(begin, at_)));
}

// A text as it is kept: what could not be written back is changed now, and said.
std::string StatementReader::clean_text(std::size_t begin, std::size_t end) {
  std::string out;
  bool padding = false;
  bool quotes = false;
  for (std::size_t i = begin; i < end; ++i) {
    const char c = text_[i];
    padding = padding || c == '\0';
    quotes = quotes || c == '"';
    if (c == '\n' && i + 1 < end && text_[i + 1] == ',') ++i;  // a mark of continuation inside quotes
    out += c == '\0' || c == '\n' ? ' ' : c == '"' ? '\'' : c;
  }
  if (padding)
    diagnostics_.warning(line_.span(begin, end), subject(), "NUL bytes in the text were read as blanks");
  if (quotes) {
    diagnostics_.warning(line_.span(begin, end), subject(),
                         "double quotes inside the text were read as single ones");
  }
  return out;
}

void StatementReader::read_texts(const Argument& argument) {
  auto& out = model::field<std::vector<std::string>>(argument, statement_);
  for (;;) {
    out.push_back(read_text(true));
    const std::size_t before = at_;
    skip_blanks();
    const bool comma = peek() == ',';
    if (!comma) {
      at_ = before;
      return;
    }
    at_ = before;
    skip_separator();
    if (at_end() || (peek() != '"' && starts_argument(at_))) {
      at_ = before;
      return;
    }
  }
}

// An expression ends at a backslash, at the end, or (as real files have it) at a comma outside parentheses that
// an argument follows. '=' never occurs in an expression, so NAME= ends it at any depth: an unbalanced
// parenthesis then spoils this argument only.
void StatementReader::read_expression(const Argument& argument) {
  const std::size_t begin = at_;
  int depth = 0;
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '\\') break;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c == ',') {
      if (names_argument(at_ + 1)) break;
      if (depth <= 0) {
        const bool mark = at_ > 0 && text_[at_ - 1] == '\n';
        std::size_t last = at_;
        while (last > begin && (is_blank(text_[last - 1]) || text_[last - 1] == '\n')) --last;
        const char before = last > begin ? text_[last - 1] : '\0';
        const bool operand_before = is_word(before) || before == ')' || before == '.' || before == ']';
        if (!mark) break;
        if (operand_before && starts_argument(at_ + 1)) break;
      }
    }
    ++at_;
  }
  std::size_t end = at_;
  while (end > begin && (is_blank(text_[end - 1]) || text_[end - 1] == '\n')) --end;
  auto& expression = model::field<model::Expression>(argument, statement_);
  expression.text = canonical_expression(text_.substr(begin, end - begin));
  expression.span = line_.span(begin, end);
  if (expression.text.empty())
    error(begin, begin + 1, fmt::format("{} has no expression after '='", argument.name));
  // These could change what the text means when it is broken into lines again.
  const std::size_t odd = text_.substr(begin, end - begin).find_first_of("\"&");
  if (odd != std::string_view::npos) {
    error(begin + odd, begin + odd + 1,
          fmt::format("{}: unknown character '{}'", argument.name, text_[begin + odd]));
  }
}

}  // namespace trunnion::lang
