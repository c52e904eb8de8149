#pragma once
// A mechanism as plain data, one to one with the statements of the input language, and a list of commands. Both
// can be read from text (src/lang) or built in C++:
//
//   Model m;
//   m.title = "pendulum";
//   Part& ground = m.add(Part{});  ground.id = 1;  ground.ground = true;

#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "model/statements.hpp"

namespace trunnion::model {

// The statements of one type in the order written, with look-up by id. The first of a repeated id wins.
template <class T> class Table {
 public:
  T& add(T statement) {
    by_id_.emplace(statement.id, rows_.size());
    return rows_.emplace_back(std::move(statement));
  }
  const T* find(int id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &rows_[found->second];
  }
  T* find(int id) { return const_cast<T*>(std::as_const(*this).find(id)); }

  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }
  const T& operator[](std::size_t i) const { return rows_[i]; }
  T& operator[](std::size_t i) { return rows_[i]; }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }

 private:
  std::vector<T> rows_;
  std::unordered_map<int, std::size_t> by_id_;
};

template <class List> struct TablesOf;
template <class... Ts> struct TablesOf<TypeList<Ts...>> {
  using Type = std::tuple<Table<Ts>...>;
  using Command = std::variant<Ts...>;
};

struct Model {
  // One statement in the order of the file.
  struct Entry {
    Kind kind;
    std::size_t index = 0;
  };

  std::string title;
  std::vector<Entry> order;
  std::vector<std::string> closing_comments;  // after the last statement

  template <class T> T& add(T statement) {
    order.push_back({kind_of<T>(), all<T>().size()});
    return all<T>().add(std::move(statement));
  }
  template <class T> Table<T>& all() { return std::get<Table<T>>(tables_); }
  template <class T> const Table<T>& all() const { return std::get<Table<T>>(tables_); }
  template <class T> const T* find(Ref<T> ref) const { return all<T>().find(ref.id); }
  template <class T> const T* find(int id) const { return all<T>().find(id); }
  // A statement that occurs once and has no id: UNITS, ACCGRAV, … ; the last one given counts.
  template <class T> const T* single() const {
    return all<T>().empty() ? nullptr : &all<T>()[all<T>().size() - 1];
  }

  // Without knowing the type.
  Statement& add(Kind kind, int id);
  const Statement& at(Entry entry) const;
  const Statement* find(Kind kind, int id) const;
  std::size_t count(Kind kind) const;
  const Statement& at(Kind kind, std::size_t index) const { return at(Entry{kind, index}); }

 private:
  TablesOf<Statements>::Type tables_;
};

using Command = TablesOf<Statements>::Command;

// A command script (.acf).
struct Script {
  std::optional<std::string> model_file;     // from its first line, or FILE/MODEL=
  std::optional<std::string> output_prefix;  // from its second line, or FILE/OUTPUT_PREFIX=
  bool header_lines = false;                 // the first two lines are names, not commands
  std::vector<Command> commands;
  std::vector<std::string> closing_comments;
};

Command make_command(Kind kind);
const Statement& statement_of(const Command& command);
Statement& statement_of(Command& command);
Kind kind_of(const Command& command);

// "JOINT/3 'hinge'" for any statement of the model, or "JOINT/3" where it is not there.
std::string label(const Model& model, Kind kind, int id);

}  // namespace trunnion::model
