#include "model/schema.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "model/schema/chapters.hpp"
#include "model/statements.hpp"

namespace trunnion::model {

namespace {

std::vector<Schema> collect() {
  std::vector<Schema> all(kStatementCount);
  std::vector<bool> filled(kStatementCount, false);
  for (const auto& chapter : {body_schemas(), constraint_schemas(), force_schemas(), state_schemas(),
                              output_schemas(), setting_schemas(), command_schemas()}) {
    for (const Schema& schema : chapter) {
      const auto index = static_cast<std::size_t>(schema.kind.index);
      if (filled[index]) throw std::logic_error(fmt::format("two schemas for {}", schema.keyword));
      all[index] = schema;
      filled[index] = true;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!filled[i]) throw std::logic_error(fmt::format("no schema for statement type {}", i));
  }
  return all;
}

}  // namespace

std::span<const Schema> all_schemas() {
  static const std::vector<Schema> schemas = collect();
  return schemas;
}

int Schema::index_of(std::string_view full_name) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == full_name) return static_cast<int>(i);
  }
  return -1;
}

std::string_view Argument::spelled(int value) const {
  for (const Word& word : words) {
    if (word.value == value) return word.name;
  }
  return {};
}

const Argument* Schema::find(std::string_view full_name) const {
  const int index = index_of(full_name);
  return index < 0 ? nullptr : &arguments[static_cast<std::size_t>(index)];
}

core::Words label(const Schema& schema, const Statement& statement) {
  std::string out(schema.keyword);
  if (schema.has_id) out += fmt::format("/{}", statement.id);
  if (!statement.name.empty()) out += fmt::format(" '{}'", statement.name);
  return {std::move(out), core::Subject{schema.kind, statement.id}};
}

bool is_given(const Argument& argument, const Statement& s) {
  switch (argument.kind) {
    case ValueKind::flag: return field<bool>(argument, s);
    case ValueKind::choice:
    case ValueKind::word: return field<ChoiceBase>(argument, s).given();
    case ValueKind::words: return field<ChoiceListBase>(argument, s).given();
    case ValueKind::real: return field<std::optional<double>>(argument, s).has_value();
    case ValueKind::integer: return field<std::optional<int>>(argument, s).has_value();
    case ValueKind::reals: return !field<std::vector<double>>(argument, s).empty();
    case ValueKind::integers: return !field<std::vector<int>>(argument, s).empty();
    case ValueKind::rows: return field<Rows>(argument, s).given();
    case ValueKind::reference: return field<RefBase>(argument, s).given();
    case ValueKind::references: return field<RefListBase>(argument, s).given();
    case ValueKind::text: return field<std::optional<std::string>>(argument, s).has_value();
    case ValueKind::texts: return !field<std::vector<std::string>>(argument, s).empty();
    case ValueKind::expression: return field<Expression>(argument, s).given();
  }
  return false;
}

}  // namespace trunnion::model
