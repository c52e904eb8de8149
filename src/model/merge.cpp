#include "model/merge.hpp"

namespace trunnion::model {

namespace {

template <class T> void copy(const Argument& argument, const Statement& from, Statement& into) {
  field<T>(argument, into) = field<T>(argument, from);
}

// DEFAULT: nothing counts as given any more. What the statement is called and where it stands stay.
void reset(const Schema& schema, AnyStatement& row) {
  Statement kept = row.get();
  kept.given.clear();
  row = AnyStatement(schema.kind);
  row.get() = std::move(kept);
}

}  // namespace

void merge(const Schema& schema, const Statement& from, Statement& into) {
  for (const Argument& a : schema.arguments) {
    if (!is_given(a, from)) continue;
    switch (a.kind) {
      case ValueKind::flag: copy<bool>(a, from, into); break;
      case ValueKind::choice:
      case ValueKind::word: copy<ChoiceBase>(a, from, into); break;
      case ValueKind::words: copy<ChoiceListBase>(a, from, into); break;
      case ValueKind::real: copy<std::optional<double>>(a, from, into); break;
      case ValueKind::integer: copy<std::optional<int>>(a, from, into); break;
      case ValueKind::reals: copy<std::vector<double>>(a, from, into); break;
      case ValueKind::integers: copy<std::vector<int>>(a, from, into); break;
      case ValueKind::rows: copy<Rows>(a, from, into); break;
      case ValueKind::reference: copy<RefBase>(a, from, into); break;
      case ValueKind::references: copy<RefListBase>(a, from, into); break;
      case ValueKind::text: copy<std::optional<std::string>>(a, from, into); break;
      case ValueKind::texts: copy<std::vector<std::string>>(a, from, into); break;
      case ValueKind::expression: copy<Expression>(a, from, into); break;
    }
  }
}

bool apply(const Command& command, Model& model) {
  const Schema& schema = schema_of(command.kind());
  if (!schema.has_id && model.count(schema.kind) == 0) model.add(AnyStatement(schema.kind));
  std::vector<AnyStatement>& rows = model.table(schema.kind).rows;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (schema.has_id && row->get().id != command.get().id) continue;
    const Argument* standard = schema.find("DEFAULT");
    const bool anew = standard && standard->kind == ValueKind::flag && is_given(*standard, command.get());
    if (anew) reset(schema, *row);
    merge(schema, command.get(), row->get());
    // It was an order; the statement itself goes on without it.
    if (anew) field<bool>(*standard, row->get()) = false;
    return true;
  }
  return false;
}

}  // namespace trunnion::model
