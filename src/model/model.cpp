#include "model/model.hpp"

#include <array>

#include <fmt/format.h>

namespace trunnion::model {

namespace {

// One row of functions a type, so that a statement can be reached by its Kind.
struct TableAccess {
  const Statement& (*at)(const Model&, std::size_t);
  const Statement* (*find)(const Model&, int);
  std::size_t (*count)(const Model&);
  Statement& (*add)(Model&, int);
  Command (*make)();
};

template <class T> Statement& add_to(Model& model, int id) {
  T statement;
  statement.id = id;
  return model.add(std::move(statement));
}

template <class... Ts> constexpr std::array<TableAccess, sizeof...(Ts)> make_access(TypeList<Ts...>) {
  return {TableAccess{[](const Model& m, std::size_t i) -> const Statement& { return m.all<Ts>()[i]; },
                      [](const Model& m, int id) -> const Statement* { return m.all<Ts>().find(id); },
                      [](const Model& m) { return m.all<Ts>().size(); }, &add_to<Ts>,
                      []() -> Command { return Ts{}; }}...};
}
constexpr auto kAccess = make_access(Statements{});

const TableAccess& access(Kind kind) { return kAccess[static_cast<std::size_t>(kind.index)]; }

}  // namespace

const Statement& Model::at(Entry entry) const { return access(entry.kind).at(*this, entry.index); }
const Statement* Model::find(Kind kind, int id) const { return access(kind).find(*this, id); }
std::size_t Model::count(Kind kind) const { return access(kind).count(*this); }

Statement& Model::add(Kind kind, int id) { return access(kind).add(*this, id); }

Command make_command(Kind kind) { return access(kind).make(); }
Statement& statement_of(Command& command) {
  return std::visit([](auto& s) -> Statement& { return s; }, command);
}
const Statement& statement_of(const Command& command) {
  return std::visit([](const auto& s) -> const Statement& { return s; }, command);
}
Kind kind_of(const Command& command) { return Kind{static_cast<int>(command.index())}; }

std::string label(const Model& model, Kind kind, int id) {
  if (const Statement* s = model.find(kind, id)) return label(schema_of(kind), *s);
  return fmt::format("{}/{}", schema_of(kind).keyword, id);
}

}  // namespace trunnion::model
