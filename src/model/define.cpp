#include "model/define.hpp"

namespace trunnion::model {

SchemaBuilder::SchemaBuilder(Kind kind, std::string_view keyword, std::string_view minimum,
                             std::string_view help) {
  schema_.keyword = keyword;
  schema_.minimum = minimum;
  schema_.help = help;
  schema_.kind = kind;
}

SchemaBuilder::operator Schema() const { return schema_; }

// --- the statement as a whole

SchemaBuilder& SchemaBuilder::no_id() {
  schema_.has_id = false;
  return *this;
}
SchemaBuilder& SchemaBuilder::repeatable() {
  schema_.repeatable = true;
  return *this;
}
SchemaBuilder& SchemaBuilder::dataset_only() {
  schema_.where = Where::dataset;
  return *this;
}
SchemaBuilder& SchemaBuilder::command_only() {
  schema_.where = Where::command;
  return *this;
}
SchemaBuilder& SchemaBuilder::acted_on() {
  schema_.acted_on = true;
  return *this;
}
SchemaBuilder& SchemaBuilder::group(std::string_view chapter) {
  schema_.group = chapter;
  return *this;
}

using Names = std::initializer_list<std::string_view>;
SchemaBuilder& SchemaBuilder::exactly_one(Names names) { return rule(Rule::Type::exactly_one, names); }
SchemaBuilder& SchemaBuilder::at_least_one(Names names) { return rule(Rule::Type::at_least_one, names); }
SchemaBuilder& SchemaBuilder::at_most_one(Names names) { return rule(Rule::Type::at_most_one, names); }
SchemaBuilder& SchemaBuilder::all_or_none(Names names) { return rule(Rule::Type::all_or_none, names); }
SchemaBuilder& SchemaBuilder::needs(Names names) { return rule(Rule::Type::first_needs_one_of_rest, names); }

SchemaBuilder& SchemaBuilder::rule(Rule::Type type, Names names) {
  schema_.rules.push_back({type, names});
  return *this;
}

// --- arguments

SchemaBuilder& SchemaBuilder::add(std::string_view name, std::string_view minimum, std::string_view help,
                                  ValueKind kind, Kind target, void* (*field)(Statement&)) {
  Argument a;
  a.name = name;
  a.minimum = minimum;
  a.help = help;
  a.kind = kind;
  a.target = target;
  a.field = field;
  schema_.arguments.push_back(std::move(a));
  return *this;
}

SchemaBuilder& SchemaBuilder::stand_alone() {
  last().kind = ValueKind::choice;
  return *this;
}

void SchemaBuilder::add_word(std::string_view name, std::string_view minimum, int value,
                             std::string_view help) {
  last().words.push_back({name, minimum, value, help});
}

SchemaBuilder& SchemaBuilder::required() {
  last().required = true;
  return *this;
}
SchemaBuilder& SchemaBuilder::unit(std::string_view dimension) {
  last().unit = dimension;
  return *this;
}
SchemaBuilder& SchemaBuilder::range(Range r) {
  last().range = r;
  return *this;
}
SchemaBuilder& SchemaBuilder::count(std::size_t n) { return count(n, n); }
SchemaBuilder& SchemaBuilder::count(std::size_t low, std::size_t high) {
  last().min_count = low;
  last().max_count = high;
  return *this;
}
SchemaBuilder& SchemaBuilder::counts(std::initializer_list<std::size_t> lengths) {
  last().counts = lengths;
  return *this;
}
SchemaBuilder& SchemaBuilder::alias(std::string_view name) {
  last().aliases.push_back(name);
  return *this;
}
SchemaBuilder& SchemaBuilder::defaults(std::initializer_list<double> values) {
  last().defaults = values;
  return *this;
}
SchemaBuilder& SchemaBuilder::default_help(std::string_view text) {
  last().default_help = text;
  return *this;
}
SchemaBuilder& SchemaBuilder::at_start() {
  last().at_start = true;
  return *this;
}

SchemaBuilder& SchemaBuilder::unused(std::string_view instead) {
  last().unused = instead;
  return *this;
}

}  // namespace trunnion::model
