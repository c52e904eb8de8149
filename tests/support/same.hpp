#pragma once
// Field-by-field comparison of statements, models and scripts through the schema table. Each function returns what
// differs, in words, or nothing.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/text.hpp"
#include "lang/logical_line.hpp"
#include "model/model.hpp"

namespace trunnion::test {

inline bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_number);
}

// Whether one argument holds the same value in both.
inline bool same_field(const model::Argument& a, const model::Statement& s, const model::Statement& t) {
  using namespace model;
  const auto equal = [&]<class T>(auto get) { return get(field<T>(a, s)) == get(field<T>(a, t)); };
  const auto self = [](const auto& value) { return value; };
  switch (a.kind) {
    case ValueKind::flag: return equal.operator()<bool>(self);
    case ValueKind::choice:
    case ValueKind::word: return equal.operator()<ChoiceBase>([](const auto& v) { return v.index; });
    case ValueKind::words: return equal.operator()<ChoiceListBase>([](const auto& v) { return v.indices; });
    case ValueKind::real: {
      const auto& x = field<std::optional<double>>(a, s);
      const auto& y = field<std::optional<double>>(a, t);
      return x.has_value() == y.has_value() && (!x || same_number(*x, *y));
    }
    case ValueKind::integer: return equal.operator()<std::optional<int>>(self);
    case ValueKind::reals:
      return same_numbers(field<std::vector<double>>(a, s), field<std::vector<double>>(a, t));
    case ValueKind::integers: return equal.operator()<std::vector<int>>(self);
    case ValueKind::rows: {
      const auto& x = field<Rows>(a, s).rows;
      const auto& y = field<Rows>(a, t).rows;
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_numbers);
    }
    case ValueKind::reference: return equal.operator()<RefBase>([](const auto& v) { return v.id; });
    case ValueKind::references: return equal.operator()<RefListBase>([](const auto& v) { return v.ids; });
    case ValueKind::text: return equal.operator()<std::optional<std::string>>(self);
    case ValueKind::texts: return equal.operator()<std::vector<std::string>>(self);
    case ValueKind::expression:  // blanks written in C++ mean nothing
      return equal.operator()<Expression>([](const auto& v) { return lang::canonical_expression(v.text); });
  }
  return false;
}

inline std::string difference(const model::Schema& schema, const model::Statement& a,
                              const model::Statement& b) {
  const std::string who = label(schema, a);
  if (a.id != b.id) return fmt::format("{}: id {} and {}", who, a.id, b.id);
  if (a.name != b.name) return fmt::format("{}: name '{}' and '{}'", who, a.name, b.name);
  if (a.comments != b.comments) {
    return fmt::format("{}: comments '{}' and '{}'", who, core::join_and(a.comments),
                       core::join_and(b.comments));
  }
  if (a.list != b.list) return fmt::format("{}: LIST", who);
  for (const model::Argument& argument : schema.arguments) {
    if (!same_field(argument, a, b)) return fmt::format("{}: {}", who, argument.name);
  }
  return {};
}

inline bool same(const model::Schema& schema, const model::Statement& a, const model::Statement& b) {
  return difference(schema, a, b).empty();
}

inline std::string difference(const model::Model& a, const model::Model& b) {
  if (a.title != b.title) return fmt::format("title '{}' and '{}'", a.title, b.title);
  if (a.closing_comments != b.closing_comments) return "closing comments";
  if (a.order.size() != b.order.size())
    return fmt::format("{} and {} statements", a.order.size(), b.order.size());
  for (std::size_t i = 0; i < a.order.size(); ++i) {
    if (a.order[i].kind != b.order[i].kind) return fmt::format("statement {} is of another kind", i);
    const auto found = difference(model::schema_of(a.order[i].kind), a.at(a.order[i]), b.at(b.order[i]));
    if (!found.empty()) return found;
  }
  return {};
}

inline std::string difference(const model::Script& a, const model::Script& b) {
  if (a.model_file != b.model_file) return "model file";
  if (a.output_prefix != b.output_prefix) return "output prefix";
  if (a.header_lines != b.header_lines) return "header lines";
  if (a.closing_comments != b.closing_comments) return "closing comments";
  if (a.commands.size() != b.commands.size()) {
    return fmt::format("{} and {} commands", a.commands.size(), b.commands.size());
  }
  for (std::size_t i = 0; i < a.commands.size(); ++i) {
    if (model::kind_of(a.commands[i]) != model::kind_of(b.commands[i]))
      return fmt::format("command {} is another", i);
    const auto found = difference(model::schema_of(model::kind_of(a.commands[i])),
                                  model::statement_of(a.commands[i]), model::statement_of(b.commands[i]));
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace trunnion::test
