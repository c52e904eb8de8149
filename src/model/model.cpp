#include "model/model.hpp"

#include <array>

#include <fmt/format.h>

namespace trunnion::model {

namespace {

// All that has to be known of a type to own one.
struct Ownership {
  Statement* (*make)();
  Statement* (*copy)(const Statement&);
  void (*destroy)(Statement*);
};

template <class... Ts> constexpr std::array<Ownership, sizeof...(Ts)> make_ownership(TypeList<Ts...>) {
  return {Ownership{[]() -> Statement* { return new Ts(); },
                    [](const Statement& s) -> Statement* { return new Ts(static_cast<const Ts&>(s)); },
                    [](Statement* s) { delete static_cast<Ts*>(s); }}...};
}
constexpr auto kOwnership = make_ownership(Statements{});

const Ownership& ownership(Kind kind) { return kOwnership[static_cast<std::size_t>(kind.index)]; }

}  // namespace

AnyStatement::AnyStatement(Kind kind) : kind_(kind), statement_(ownership(kind).make()) {}
AnyStatement::AnyStatement(const AnyStatement& other)
    : kind_(other.kind_), statement_(other.statement_ ? ownership(kind_).copy(*other.statement_) : nullptr) {}
AnyStatement::~AnyStatement() {
  if (statement_) ownership(kind_).destroy(statement_);
}

Statement& StatementTable::add(AnyStatement statement) {
  const int id = statement.get().id;
  if (id == 0) {
    late.push_back(rows.size());
  } else {
    by_id.emplace(id, rows.size());
  }
  return rows.emplace_back(std::move(statement)).get();
}

std::size_t StatementTable::index_of(int id) const {
  const auto found = by_id.find(id);
  if (found != by_id.end()) return found->second;
  for (const std::size_t index : late) {
    if (rows[index].get().id == id) return index;
  }
  return kNone;
}

Statement& Model::add(AnyStatement statement) {
  StatementTable& rows = table(statement.kind());
  order.push_back({statement.kind(), rows.rows.size()});
  return rows.add(std::move(statement));
}

Statement& Model::add(Kind kind, int id) {
  AnyStatement statement(kind);
  statement.get().id = id;
  return add(std::move(statement));
}

core::Words label(const Model& model, Kind kind, int id) {
  if (const Statement* s = model.find(kind, id)) return label(schema_of(kind), *s);
  return {fmt::format("{}/{}", schema_of(kind).keyword, id), core::Subject{kind, id}};
}

}  // namespace trunnion::model
