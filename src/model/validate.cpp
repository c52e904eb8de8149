#include "model/validate.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "core/text.hpp"
#include "model/validate_linear.hpp"

namespace trunnion::model {

namespace {

class Validator {
 public:
  Validator(const Model& model, core::Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  // `whole` is false for a command that changes some arguments of a statement, and for a statement that could not
  // be read in full: nothing is required then.
  void check(const Schema& schema, const Statement& statement, bool whole) {
    schema_ = &schema;
    statement_ = &statement;
    for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
      const Argument& argument = schema.arguments[i];
      if (is_given(argument, statement)) {
        check_value(argument, static_cast<int>(i));
        if (!argument.unused.empty()) warn_unused(argument, static_cast<int>(i));
      } else if (whole && argument.required && !tried(static_cast<int>(i))) {
        report_missing(argument);
      }
    }
    for (const Rule& rule : schema.rules) check_rule(rule, whole);
  }

 private:
  void error(core::Span span, std::string message) {
    diagnostics_.error(span, label(*schema_, *statement_), std::move(message));
  }
  // A rule broken in a drawing or an output list spoils no result: real files break them, so it is only said.
  void complain(core::Span span, std::string message) {
    if (schema_->group == "Output") {
      diagnostics_.warning(span, label(*schema_, *statement_), std::move(message));
    } else {
      error(span, std::move(message));
    }
  }
  core::Span head() const {
    core::Span span = statement_->span;
    const auto length = static_cast<std::uint32_t>(schema_->keyword.size());
    span.end =
        std::min(span.end, statement_->id_span.known() ? statement_->id_span.end : span.begin + length);
    return span;
  }
  core::Span value_span(int argument) const {
    const GivenArgument* given = statement_->find_given(argument);
    return given ? given->value : head();
  }
  // It was written, but its value could not be read: that has been reported.
  bool tried(int argument) const { return statement_->find_given(argument) != nullptr; }

  // Whether a number, or list of numbers, is the default.
  bool is_default(const Argument& a) const {
    if (a.defaults.empty()) return false;
    switch (a.kind) {
      case ValueKind::real: return *field<std::optional<double>>(a, *statement_) == a.defaults.front();
      case ValueKind::integer: return *field<std::optional<int>>(a, *statement_) == a.defaults.front();
      case ValueKind::reals: return field<std::vector<double>>(a, *statement_) == a.defaults;
      default: return false;
    }
  }

  // What asks for what is done anyway needs no warning.
  void warn_unused(const Argument& a, int index) {
    if (is_default(a)) return;
    std::string_view name = a.name;
    if (a.kind == ValueKind::choice || a.kind == ValueKind::word) {
      const int chosen = field<ChoiceBase>(a, *statement_).index;
      if (!a.defaults.empty() && chosen == static_cast<int>(a.defaults.front())) return;
      for (const Word& word : a.words) {
        if (a.kind == ValueKind::choice && word.value == chosen) name = word.name;
      }
    }
    diagnostics_.warning(value_span(index), label(*schema_, *statement_),
                         fmt::format("{} is read, but has no effect: {}", name, a.unused));
  }

  void report_missing(const Argument& argument) {
    if (argument.kind == ValueKind::choice) {
      std::vector<std::string> names;
      for (const Word& word : argument.words) names.emplace_back(word.name);
      complain(head(),
               fmt::format("its {} is missing: one of {}", argument.name, core::join_and(names, "or")));
    } else {
      complain(head(), fmt::format("{} is missing ({})", argument.name, argument.help));
    }
  }

  void check_value(const Argument& a, int index) {
    switch (a.kind) {
      case ValueKind::real: check_range(a, index, *field<std::optional<double>>(a, *statement_)); break;
      case ValueKind::integer: check_range(a, index, *field<std::optional<int>>(a, *statement_)); break;
      case ValueKind::reals: check_values(a, index, field<std::vector<double>>(a, *statement_)); break;
      case ValueKind::rows:
        for (const auto& row : field<Rows>(a, *statement_).rows) check_count(a, index, row.size());
        break;
      case ValueKind::words:
        check_count(a, index, field<ChoiceListBase>(a, *statement_).indices.size());
        break;
      case ValueKind::integers: check_values(a, index, field<std::vector<int>>(a, *statement_)); break;
      case ValueKind::texts:
        check_count(a, index, field<std::vector<std::string>>(a, *statement_).size());
        break;
      case ValueKind::reference: check_reference(a, index, field<RefBase>(a, *statement_).id); break;
      case ValueKind::references: {
        const auto& ids = field<RefListBase>(a, *statement_).ids;
        check_count(a, index, ids.size());
        for (const int id : ids) check_reference(a, index, id);
        break;
      }
      default: break;
    }
  }

  template <class Number> void check_values(const Argument& a, int index, const std::vector<Number>& values) {
    check_count(a, index, values.size());
    for (const Number value : values) {
      if (!check_range(a, index, value)) break;
    }
  }

  bool check_range(const Argument& a, int index, double value) {
    const Range& r = a.range;
    if (!std::isfinite(value)) {
      complain(value_span(index), fmt::format("{} = {} is not a finite number", a.name, value));
      return false;
    }
    if (r.contains(value)) return true;
    std::string rule;
    if (r.low > -std::numeric_limits<double>::infinity()) {
      rule += fmt::format(" {} {}", r.low_open ? ">" : ">=", core::number_text(r.low));
    }
    if (r.high < std::numeric_limits<double>::infinity()) {
      if (!rule.empty()) rule += " and";
      rule += fmt::format(" {} {}", r.high_open ? "<" : "<=", core::number_text(r.high));
    }
    complain(value_span(index), fmt::format("{} = {} must be{}", a.name, core::number_text(value), rule));
    return false;
  }

  void check_count(const Argument& a, int index, std::size_t found) {
    if (!a.counts.empty()) {
      std::vector<std::string> lengths;
      for (const std::size_t n : a.counts) {
        if (n == found) return;
        lengths.push_back(fmt::format("{}", n));
      }
      complain(value_span(index),
               fmt::format("{} needs {} values, found {}", a.name, core::join_and(lengths, "or"), found));
      return;
    }
    if (found >= a.min_count && found <= a.max_count) return;
    const bool exact = a.min_count == a.max_count;
    const bool few = found < a.min_count;
    complain(value_span(index), fmt::format("{} needs {} {} value{}, found {}", a.name,
                                            exact ? "exactly"
                                            : few ? "at least"
                                                  : "at most",
                                            few ? a.min_count : a.max_count,
                                            (few ? a.min_count : a.max_count) == 1 ? "" : "s", found));
  }

  void check_reference(const Argument& a, int index, int id) {
    if (a.target.index == Kind::kNone || model_.find(a.target, id)) return;
    // As the marker that something is measured from or along, 0 means the global frame.
    const bool frame = a.name == "J" || a.name == "RM";
    if (id == 0 && frame && (schema_->group == "Output" || schema_->group == "Commands")) return;
    // The search for the nearest id is linear in the model: not for errors nobody will see.
    const bool shown = diagnostics_.error_count() < core::Diagnostics::kErrorLimit;
    error(value_span(index),
          fmt::format("{}: {}/{} is not in the model{}", a.name, schema_of(a.target).keyword, id,
                      shown ? nearest_id(model_, a.target, id) : ""));
  }

  // An argument, or a word of a choice.
  bool given(std::string_view name) const {
    for (std::size_t i = 0; i < schema_->arguments.size(); ++i) {
      const Argument& a = schema_->arguments[i];
      if (a.name == name) return is_given(a, *statement_) || tried(static_cast<int>(i));
      if (a.kind != ValueKind::choice) continue;
      for (const Word& word : a.words) {
        if (word.name == name) return field<ChoiceBase>(a, *statement_).index == word.value;
      }
    }
    return false;
  }

  void check_rule(const Rule& rule, bool whole) {
    std::vector<std::string> names(rule.names.begin(), rule.names.end());
    std::vector<std::string> found;
    for (const std::string_view name : rule.names) {
      if (given(name)) found.emplace_back(name);
    }
    switch (rule.type) {
      case Rule::Type::exactly_one:
      case Rule::Type::at_most_one:
        if (found.size() > 1) {
          complain(head(), fmt::format("{} are mutually exclusive; give one of {}", core::join_and(found),
                                       core::join_and(names, "or")));
        }
        if (found.empty() && whole && rule.type == Rule::Type::exactly_one) {
          complain(head(), fmt::format("one of {} is missing", core::join_and(names, "or")));
        }
        break;
      case Rule::Type::at_least_one:
        if (found.empty() && whole)
          complain(head(), fmt::format("at least one of {} is missing", core::join_and(names, "or")));
        break;
      case Rule::Type::all_or_none:
        if (!found.empty() && found.size() < names.size() && whole) {
          complain(head(), fmt::format("{} belong together; only {} given", core::join_and(names),
                                       core::join_and(found) + (found.size() == 1 ? " is" : " are")));
        }
        break;
      case Rule::Type::first_needs_one_of_rest:
        if (whole && given(rule.names.front()) && found.size() == 1) {
          names.erase(names.begin());
          complain(head(), fmt::format("{} needs {}", rule.names.front(), core::join_and(names, "or")));
        }
        break;
    }
  }

  const Model& model_;
  core::Diagnostics& diagnostics_;
  const Schema* schema_ = nullptr;
  const Statement* statement_ = nullptr;
};

}  // namespace

Kind kind_named(std::string_view keyword) {
  for (const Schema& schema : all_schemas()) {
    if (schema.keyword == keyword) return schema.kind;
  }
  return {};
}

std::string nearest_id(const Model& model, Kind kind, int id) {
  // Closest in digits (a slip of a finger), then in value.
  const std::string wanted = fmt::format("{}", id);
  const auto distance = [id](int other) { return std::llabs(static_cast<long long>(other) - id); };
  const Statement* best = nullptr;
  std::size_t best_edits = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < model.count(kind); ++i) {
    const Statement& candidate = model.at(kind, i);
    const std::size_t edits = core::edit_distance(wanted, fmt::format("{}", candidate.id));
    const bool closer =
        edits < best_edits || (edits == best_edits && distance(candidate.id) < distance(best->id));
    if (closer) {
      best = &candidate;
      best_edits = edits;
    }
  }
  if (!best) return fmt::format("; it has no {}", schema_of(kind).keyword);
  return fmt::format("; nearest: {}", label(schema_of(kind), *best));
}

void validate(const Model& model, core::Diagnostics& diagnostics) {
  Validator validator(model, diagnostics);
  for (const Model::Entry entry : model.order) {
    const Schema& schema = schema_of(entry.kind);
    const Statement& statement = model.at(entry);
    validator.check(schema, statement, !statement.damaged);
    if (!schema.has_id && !schema.repeatable && entry.index > 0) {
      diagnostics.warning(statement.span, label(schema, statement),
                          "it is given more than once; only the last one counts");
    }
  }
}

void validate(const Script& script, const Model& model, core::Diagnostics& diagnostics) {
  Validator validator(model, diagnostics);
  for (const Command& command : script.commands) {
    const Schema& schema = schema_of(kind_of(command));
    const Statement& statement = statement_of(command);
    validator.check(schema, statement, schema.where == Where::command && !statement.damaged);
    if (const auto* linear = command.as<Linear>()) check_linear(schema, *linear, diagnostics);
    const bool changes = schema.where != Where::command && schema.has_id && !statement.list;
    if (changes && !model.find(schema.kind, statement.id)) {
      diagnostics.error(statement.id_span, fmt::format("{}/{}", schema.keyword, statement.id),
                        fmt::format("there is none in the model to change{}",
                                    nearest_id(model, schema.kind, statement.id)));
    }
  }
}

}  // namespace trunnion::model
