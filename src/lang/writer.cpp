#include "lang/writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"
#include "lang/logical_line.hpp"
#include "lang/numbers.hpp"

namespace trunnion::lang {

using model::Argument;
using model::Schema;
using model::Statement;
using model::ValueKind;

namespace {

constexpr std::size_t kColumns = 80;

// What a statement is made of before it is laid out: breaks are allowed between pieces only.
struct Item {
  std::vector<std::string> pieces;  // the first holds "NAME = "
  bool expression = false;          // must be closed with a backslash before the next argument
  bool list = false;                // pieces are list items: the comma that opens a line is the separator
};

// Units of a list may be given element by element: "length, length/time".
bool is_angle(const Argument& argument, std::size_t element) {
  std::string_view unit = argument.unit;
  for (std::size_t i = 0; i < element && unit.find(',') != std::string_view::npos; ++i) {
    unit = core::trim(unit.substr(unit.find(',') + 1));
  }
  return core::trim(unit.substr(0, unit.find(','))) == "angle";
}

// The language has no escape for a quote inside quotes: a single one takes its place, as when reading.
std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? '\'' : c == '\n' ? ' ' : c;
  return out + '"';
}

std::string text_value(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(",;&!\\\"\n") == std::string::npos &&
                     core::trim(text).size() == text.size();
  return plain ? text : quoted_text(text);
}

bool is_operator(char c) { return c == '+' || c == '-' || c == '*' || c == '/' || c == '%'; }

// At the start of a line this would be taken for the next argument. No expression holds it, but a wrong one may.
bool looks_like_argument(std::string_view text) {
  text = core::trim(text);
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) { return core::is_word(c); });
  const std::string_view rest = core::trim(text.substr(static_cast<std::size_t>(end - text.begin())));
  return end != text.begin() && rest.starts_with('=');
}

// Splits an expression where a line may be broken: after a comma and before a binary operator, and puts a blank
// after each comma.
std::vector<std::string> expression_pieces(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i > 0 ? text[i - 1] : '\0';
    const bool exponent =
        core::upper(before) == 'E' && i > 1 && (core::is_digit(text[i - 2]) || text[i - 2] == '.');
    const bool second_star = c == '*' && before == '*';
    const bool operand_before = core::is_word(before) || before == ')' || before == ']' || before == '.';
    if (is_operator(c) && operand_before && !exponent && !second_star) pieces.emplace_back();
    pieces.back() += c;
    if (c == ',' || c == ':') {
      pieces.back() += ' ';
      if (!looks_like_argument(std::string_view(text).substr(i + 1))) pieces.emplace_back();
    }
  }
  if (pieces.size() > 1 && pieces.back().empty()) pieces.pop_back();
  return pieces;
}

template <class Values, class Format>
Item list_item(std::string_view name, const Values& values, Format format) {
  Item item;
  item.list = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string value = format(values[i], i);
    item.pieces.push_back(i == 0 ? fmt::format("{} = {}", name, value) : value);
  }
  return item;
}

Item single_item(std::string_view name, const std::string& value) {
  return {{value.empty() ? fmt::format("{} =", name) : fmt::format("{} = {}", name, value)}, false, false};
}

void add_items(const Argument& a, const Statement& s, std::vector<Item>& items) {
  using model::field;
  const auto number = [&](double value, std::size_t i) { return write_number(value, is_angle(a, i)); };
  const auto integer = [](int value, std::size_t) { return fmt::format("{}", value); };
  switch (a.kind) {
    case ValueKind::flag: items.push_back({{std::string(a.name)}, false, false}); break;
    case ValueKind::choice:
      items.push_back({{std::string(a.spelled(field<model::ChoiceBase>(a, s).index))}, false, false});
      break;
    case ValueKind::word:
      items.push_back(single_item(a.name, std::string(a.spelled(field<model::ChoiceBase>(a, s).index))));
      break;
    case ValueKind::words: {
      std::string joined;
      for (const int index : field<model::ChoiceListBase>(a, s).indices) {
        joined += (joined.empty() ? "" : ":") + std::string(a.spelled(index));
      }
      items.push_back(single_item(a.name, joined));
      break;
    }
    case ValueKind::real:
      items.push_back(single_item(a.name, number(*field<std::optional<double>>(a, s), 0)));
      break;
    case ValueKind::integer:
      items.push_back(single_item(a.name, integer(*field<std::optional<int>>(a, s), 0)));
      break;
    case ValueKind::reals:
      items.push_back(list_item(a.name, field<std::vector<double>>(a, s), number));
      break;
    case ValueKind::rows:
      for (const auto& row : field<model::Rows>(a, s).rows) items.push_back(list_item(a.name, row, number));
      break;
    case ValueKind::integers:
      items.push_back(list_item(a.name, field<std::vector<int>>(a, s), integer));
      break;
    case ValueKind::reference:
      items.push_back(single_item(a.name, integer(field<model::RefBase>(a, s).id, 0)));
      break;
    case ValueKind::references:
      items.push_back(list_item(a.name, field<model::RefListBase>(a, s).ids, integer));
      break;
    case ValueKind::text:
      items.push_back(single_item(a.name, text_value(*field<std::optional<std::string>>(a, s))));
      break;
    case ValueKind::texts:
      items.push_back(list_item(a.name, field<std::vector<std::string>>(a, s),
                                [](const std::string& text, std::size_t) { return quoted_text(text); }));
      break;
    case ValueKind::expression: {
      Item item{expression_pieces(canonical_expression(field<model::Expression>(a, s).text)), true, false};
      item.pieces.front() = fmt::format("{} = {}", a.name, item.pieces.front());
      items.push_back(std::move(item));
      break;
    }
  }
}

// Lays items out: on one line if they fit, else one argument a line, broken where longer than a line.
class Layout {
 public:
  Layout(std::string head, bool ampersand) : out_(std::move(head)), ampersand_(ampersand) {}

  std::string text(const std::vector<Item>& items, bool slash_only) {
    const std::string one = one_line(items, slash_only);
    if (one.size() <= kColumns) return one + '\n';
    if (slash_only) out_ += '/';
    column_ = out_.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      break_line();
      put(items[i]);
      if (items[i].expression && i + 1 < items.size()) out_ += '\\';
    }
    return out_ + '\n';
  }

 private:
  std::string one_line(const std::vector<Item>& items, bool slash_only) const {
    std::string line = out_;
    if (slash_only) line += '/';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!(slash_only && i == 0)) line += ", ";
      for (std::size_t p = 0; p < items[i].pieces.size(); ++p) {
        if (p > 0 && items[i].list) line += ", ";
        line += items[i].pieces[p];
      }
      if (items[i].expression && i + 1 < items.size()) line += '\\';
      if (line.size() > kColumns) break;
    }
    return line;
  }
  void break_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    out_ += ampersand_ ? " &\n, " : "\n, ";
    column_ = 2;
  }
  void put(const Item& item) {
    for (std::size_t p = 0; p < item.pieces.size(); ++p) {
      const std::string& piece = item.pieces[p];
      const std::size_t room = kColumns - (ampersand_ ? 2 : 0);
      if (p > 0 && column_ + piece.size() + 2 > room) {
        break_line();
      } else if (p > 0 && item.list) {
        out_ += ", ";
        column_ += 2;
      }
      out_ += piece;
      column_ += piece.size();
    }
  }

  std::string out_;
  std::size_t column_ = 0;
  bool ampersand_;
};

std::string lay_out(const Schema& schema, const Statement& statement, bool command) {
  std::vector<Item> items;
  for (const Argument& argument : schema.arguments) {
    if (model::is_given(argument, statement)) add_items(argument, statement, items);
  }
  if (statement.list) items.push_back({{"LIST"}, false, false});
  std::string head(schema.keyword);
  if (schema.has_id && !(statement.list && statement.id == 0)) head += fmt::format("/{}", statement.id);
  const bool slash_only = head.find('/') == std::string::npos && !items.empty();
  return Layout(std::move(head), command).text(items, slash_only);
}

void write_comments(std::string& out, const std::vector<std::string>& comments) {
  for (const std::string& comment : comments) out += '!' + comment + '\n';
}

void write_with_comments(std::string& out, const Schema& schema, const Statement& statement, bool command) {
  write_comments(out, statement.comments);
  if (!statement.name.empty()) out += fmt::format("! adams_view_name='{}'\n", statement.name);
  out += lay_out(schema, statement, command);
}

}  // namespace

std::string write_statement(const Schema& schema, const Statement& statement) {
  return lay_out(schema, statement, false);
}

std::string write_model(const model::Model& model) {
  std::string out = model.title + '\n';
  for (const model::Model::Entry entry : model.order) {
    write_with_comments(out, model::schema_of(entry.kind), model.at(entry), false);
  }
  write_comments(out, model.closing_comments);
  return out + "END\n";
}

std::string write_script(const model::Script& script) {
  std::string out;
  if (script.header_lines) {
    // A prefix that a FILE command gives is written there.
    const bool by_command =
        std::any_of(script.commands.begin(), script.commands.end(), [&](const model::Command& command) {
          const auto* file = command.as<model::File>();
          return file && file->output_prefix == script.output_prefix;
        });
    out +=
        script.model_file.value_or("") + '\n' + (by_command ? "" : script.output_prefix.value_or("")) + '\n';
  } else {
    out += '\n';
  }
  for (const model::Command& command : script.commands) {
    write_with_comments(out, model::schema_of(model::kind_of(command)), model::statement_of(command), true);
  }
  write_comments(out, script.closing_comments);
  return out;
}

}  // namespace trunnion::lang
