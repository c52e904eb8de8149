#include "api/present/help.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "api/present/function_notes.hpp"
#include "core/text.hpp"

namespace trunnion::api {

using model::Argument;
using model::Schema;
using model::ValueKind;

namespace {

// What a user writes after the name.
std::string value_form(const Argument& a) {
  switch (a.kind) {
    case ValueKind::flag: return {};
    case ValueKind::choice: return {};
    case ValueKind::word: return "=word";
    case ValueKind::words: return "=word:word…";
    case ValueKind::real: return "=number";
    case ValueKind::integer: return "=integer";
    case ValueKind::reals: return "=numbers";
    case ValueKind::rows: return "=numbers";
    case ValueKind::integers: return "=integers";
    case ValueKind::reference:
      return a.target.index == model::Kind::kNone ? "=id"
                                                  : fmt::format("={} id", model::schema_of(a.target).keyword);
    case ValueKind::references:
      return a.target.index == model::Kind::kNone
                 ? "=ids"
                 : fmt::format("={} ids", model::schema_of(a.target).keyword);
    case ValueKind::text: return "=text";
    case ValueKind::texts: return "=\"text\",…";
    case ValueKind::expression: return "=expression";
  }
  return {};
}

std::string number(double value, std::string_view unit) {
  if (unit == "angle" && value != 0)
    return core::number_text(std::round(value * 180 / std::numbers::pi * 1e9) / 1e9) + "D";
  return core::number_text(value);
}

std::string default_text(const Argument& a) {
  if (!a.default_help.empty()) return std::string(a.default_help);
  if (a.defaults.empty()) return {};
  std::string out;
  for (const double value : a.defaults) {
    if (!out.empty()) out += a.kind == ValueKind::words ? ":" : ", ";
    if (a.words.empty()) {
      out += number(value, a.unit);
      continue;
    }
    for (const model::Word& word : a.words) {
      if (word.value == static_cast<int>(value)) {
        out += word.name;
        break;
      }
    }
  }
  return out;
}

std::string range_text(const Argument& a) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::string> parts;
  if (a.range.low > -kInfinity)
    parts.push_back(fmt::format("{} {}", a.range.low_open ? ">" : ">=", core::number_text(a.range.low)));
  if (a.range.high < kInfinity)
    parts.push_back(fmt::format("{} {}", a.range.high_open ? "<" : "<=", core::number_text(a.range.high)));
  return core::join_and(parts);
}

std::string count_text(const Argument& a) {
  if (!a.is_list()) return {};
  if (!a.counts.empty()) {
    std::vector<std::string> lengths;
    for (const std::size_t n : a.counts) lengths.push_back(fmt::format("{}", n));
    return core::join_and(lengths, "or") + " values";
  }
  constexpr auto kMany = std::numeric_limits<std::size_t>::max();
  if (a.min_count == a.max_count) return fmt::format("{} values", a.min_count);
  if (a.max_count != kMany) return fmt::format("{} to {} values", a.min_count, a.max_count);
  return a.min_count > 1 ? fmt::format("at least {} values", a.min_count) : std::string();
}

// "required; length; > 0; default 1"
std::string no_effect(const Argument& a) { return fmt::format("no effect: {}", a.unused); }

std::string facts(const Argument& a) {
  std::vector<std::string> all;
  if (a.required) all.emplace_back("required");
  if (a.kind == ValueKind::rows) all.emplace_back("may be repeated");
  if (const auto text = count_text(a); !text.empty()) all.push_back(text);
  if (!a.unit.empty()) all.emplace_back(a.unit);
  if (const auto text = range_text(a); !text.empty()) all.push_back(text);
  if (const auto text = default_text(a); !text.empty()) all.push_back("default " + text);
  if (!a.unused.empty()) all.push_back(no_effect(a));
  std::string out;
  for (const std::string& fact : all) out += (out.empty() ? "" : "; ") + fact;
  return out;
}

// NAME with its minimum abbreviation marked: RE[VOLUTE]
std::string with_minimum(std::string_view name, std::string_view minimum) {
  if (minimum.empty() || minimum.size() >= name.size()) return std::string(name);
  return fmt::format("{}[{}]", name.substr(0, minimum.size()), name.substr(minimum.size()));
}

std::string rule_text(const model::Rule& rule) {
  std::vector<std::string> names(rule.names.begin(), rule.names.end());
  switch (rule.type) {
    case model::Rule::Type::exactly_one: return "exactly one of " + core::join_and(names, "or");
    case model::Rule::Type::at_least_one: return "at least one of " + core::join_and(names, "or");
    case model::Rule::Type::at_most_one: return "at most one of " + core::join_and(names, "or");
    case model::Rule::Type::all_or_none: return core::join_and(names) + " together or not at all";
    case model::Rule::Type::first_needs_one_of_rest: {
      const std::string first = names.front();
      names.erase(names.begin());
      return first + " needs " + core::join_and(names, "or");
    }
  }
  return {};
}

std::string head_form(const Schema& schema) {
  return with_minimum(schema.keyword, schema.minimum) + (schema.has_id              ? "/id"
                                                         : schema.arguments.empty() ? ""
                                                                                    : "/");
}

std::string where_text(const Schema& schema) {
  switch (schema.where) {
    case model::Where::dataset: return "statement in a model";
    case model::Where::command: return "command";
    case model::Where::both: return "statement in a model; as a command it changes what it names";
  }
  return {};
}

}  // namespace

std::string statement_help(const Schema& schema) {
  std::string out =
      fmt::format("{}\n  {}\n  ({}{})\n", head_form(schema), schema.help, where_text(schema),
                  schema.acted_on || schema.where == model::Where::command ? "" : "; read, not acted on yet");
  const auto row = [&](const std::string& left, std::string_view help, const std::string& right) {
    out += fmt::format("  {:<34} {}{}\n", left, help, right.empty() ? "" : fmt::format(" [{}]", right));
  };
  if (!schema.arguments.empty()) out += '\n';
  for (const Argument& a : schema.arguments) {
    if (a.kind == ValueKind::choice) {
      const std::string text = default_text(a);
      out += fmt::format("  one {}: {}{}{}\n", a.name, a.help,
                         a.required     ? " [required]"
                         : text.empty() ? ""
                                        : fmt::format(" [default {}]", text),
                         a.unused.empty() ? "" : fmt::format(" [{}]", no_effect(a)));
      for (const model::Word& word : a.words)
        row("  " + with_minimum(word.name, word.minimum), word.help, {});
      continue;
    }
    row(with_minimum(a.name, a.minimum) + value_form(a), a.help, facts(a));
    if (!a.words.empty()) {
      std::string line = "      ";
      for (const model::Word& word : a.words) {
        if (line.size() + word.name.size() > 100) {
          out += line + '\n';
          line = "      ";
        }
        line += with_minimum(word.name, word.minimum) + ' ';
      }
      out += line + '\n';
    }
  }
  if (!schema.rules.empty()) out += '\n';
  for (const model::Rule& rule : schema.rules) out += fmt::format("  {}\n", rule_text(rule));
  return out;
}

std::string function_help(const expr::FunctionInfo& f) {
  return fmt::format("{}\n  {}\n  (function in expressions: {})\n{}", f.signature, f.help,
                     expr::category_name(f.category), function_note(f.name));
}

std::string topic_list() {
  std::string out = "Statements and commands (capitals before [ ] are the shortest form):\n";
  std::string_view group;
  for (const Schema& schema : model::all_schemas()) {
    if (schema.group != group) {
      group = schema.group;
      out += fmt::format("\n{}\n", group);
    }
    out += fmt::format("  {:<20} {}\n", with_minimum(schema.keyword, schema.minimum), schema.help);
  }
  out += "\nFunctions in expressions:\n";
  std::string_view category;
  std::size_t column = 0;
  for (const expr::FunctionInfo& f : expr::functions()) {
    if (expr::category_name(f.category) != category) {
      category = expr::category_name(f.category);
      out += fmt::format("\n  {}:\n   ", category);
      column = 3;
    }
    if (column + f.name.size() + 1 > 100) {
      out += "\n   ";
      column = 3;
    }
    out += fmt::format(" {}", f.name);
    column += f.name.size() + 1;
  }
  return out + "\n\n'trunnion help NAME' says more about each.\n";
}

namespace {

// What an argument, or a word that one can be, belongs to: EIGENSOL is found by someone who forgot LINEAR.
std::string argument_help(std::string_view topic) {
  std::string lines;
  std::vector<const Schema*> schemas;
  for (const Schema& schema : model::all_schemas()) {
    std::string found;
    for (const Argument& a : schema.arguments) {
      if (a.kind != ValueKind::choice && core::equals_nocase(a.name, topic))
        found += fmt::format("  {:<20} {}{}: {}\n", schema.keyword, a.name, value_form(a), a.help);
      for (const model::Word& word : a.words) {
        if (core::equals_nocase(word.name, topic))
          found += fmt::format("  {:<20} {}{}: {}\n", schema.keyword,
                               a.kind == ValueKind::choice ? "" : fmt::format("{}=", a.name), word.name,
                               word.help);
      }
    }
    if (found.empty()) continue;
    lines += found;
    schemas.push_back(&schema);
  }
  if (schemas.empty()) return {};
  std::string out = fmt::format("{} is written in\n{}", core::to_upper(topic), lines);
  constexpr std::size_t kShownWhole = 1;
  if (schemas.size() == kShownWhole) return out + "\n" + statement_help(*schemas.front());
  return out + "\n'trunnion help NAME' says more about each.\n";
}

}  // namespace

std::string topic_help(std::string_view topic) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "\n") + text; };
  for (const Schema& schema : model::all_schemas()) {
    const bool shortened = !schema.minimum.empty() &&
                           topic.size() >= std::max<std::size_t>(3, schema.minimum.size()) &&
                           core::starts_with_nocase(schema.keyword, topic);
    if (core::equals_nocase(topic, schema.keyword) || shortened) add(statement_help(schema));
  }
  if (const expr::FunctionInfo* f = expr::find_function(topic)) add(function_help(*f));
  return out.empty() ? argument_help(topic) : out;
}

std::string nearest_topic(std::string_view topic) {
  std::vector<std::string_view> names;
  for (const Schema& schema : model::all_schemas()) names.push_back(schema.keyword);
  for (const expr::FunctionInfo& f : expr::functions()) names.push_back(f.name);
  if (const auto found = core::nearest(topic, names)) return *found;
  // What argument_help() explains.
  names.clear();
  for (const Schema& schema : model::all_schemas()) {
    for (const Argument& a : schema.arguments) {
      if (a.kind != ValueKind::choice) names.push_back(a.name);
      for (const model::Word& word : a.words) names.push_back(word.name);
    }
  }
  return core::nearest(topic, names).value_or("");
}

std::string manual_markdown() {
  std::string out =
      "# The language\n\n"
      "Made from the schema and function tables by `trunnion help --markdown`; a test keeps it in step. A "
      "name may\n"
      "be shortened to the letters before `[`.\n";
  std::string_view group;
  for (const Schema& schema : model::all_schemas()) {
    if (schema.group != group) {
      group = schema.group;
      out += fmt::format("\n## {}\n", group);
    }
    out += fmt::format("\n### {}\n\n```text\n{}```\n", schema.keyword, statement_help(schema));
  }
  out += "\n## Functions\n\n| function | meaning |\n| --- | --- |\n";
  for (const expr::FunctionInfo& f : expr::functions())
    out += fmt::format("| `{}` | {} |\n", f.signature, f.help);
  return out;
}

}  // namespace trunnion::api
