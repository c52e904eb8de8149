#pragma once
// A mechanism as plain data, one to one with the statements of the input language, and a list of commands. Both
// can be read from text (src/lang) or built in C++:
//
//   Model m;
//   m.title = "pendulum";
//   Part& ground = m.add(Part{});  ground.id = 1;  ground.ground = true;

#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/statements.hpp"

namespace trunnion::model {

// One statement of any type, owned; copying it copies the statement. It keeps what is done for every type (growing a
// list, copying a model) free of templates over all types, which took minutes to compile.
class AnyStatement {
 public:
  explicit AnyStatement(Kind kind);  // with nothing given
  template <class T>
  requires std::is_base_of_v<Statement, T> AnyStatement(T statement)
      : kind_(kind_of<T>()), statement_(new T(std::move(statement))) {}
  AnyStatement(const AnyStatement& other);
  AnyStatement(AnyStatement&& other) noexcept
      : kind_(other.kind_), statement_(std::exchange(other.statement_, nullptr)) {}
  AnyStatement& operator=(AnyStatement other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(statement_, other.statement_);
    return *this;
  }
  ~AnyStatement();

  Kind kind() const { return kind_; }
  Statement& get() { return *statement_; }
  const Statement& get() const { return *statement_; }
  template <class T> bool is() const { return kind_ == kind_of<T>(); }
  // The statement as its own type; null if it is another.
  template <class T> const T* as() const { return is<T>() ? static_cast<const T*>(statement_) : nullptr; }

 private:
  Kind kind_;
  Statement* statement_;
};

// The statements of one type in the order written, with look-up by id. The first of a repeated id wins.
struct StatementTable {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<AnyStatement> rows;
  std::unordered_map<int, std::size_t> by_id;
  std::vector<std::size_t> late;  // rows that had no id when they were added: C++ code may give it afterwards

  Statement& add(AnyStatement statement);
  std::size_t index_of(int id) const;  // kNone where there is none
  const Statement* find(int id) const {
    const std::size_t index = index_of(id);
    return index == kNone ? nullptr : &rows[index].get();
  }
};

// A table seen as what it holds: for (const Part& part : model.all<Part>()) …
template <class T> class Table {
 public:
  using Rows = std::conditional_t<std::is_const_v<T>, const StatementTable, StatementTable>;
  explicit Table(Rows& table) : table_(&table) {}

  class Iterator {
   public:
    Iterator(Rows* table, std::size_t at) : table_(table), at_(at) {}
    T& operator*() const { return static_cast<T&>(table_->rows[at_].get()); }
    T* operator->() const { return &**this; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    Rows* table_;
    std::size_t at_;
  };

  bool empty() const { return table_->rows.empty(); }
  std::size_t size() const { return table_->rows.size(); }
  T& operator[](std::size_t i) const { return static_cast<T&>(table_->rows[i].get()); }
  Iterator begin() const { return {table_, 0}; }
  Iterator end() const { return {table_, size()}; }
  T* find(int id) const {
    const std::size_t index = table_->index_of(id);
    return index == StatementTable::kNone ? nullptr : &(*this)[index];
  }

 private:
  Rows* table_;
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

  template <class T> T& add(T statement) { return static_cast<T&>(add(AnyStatement(std::move(statement)))); }
  template <class T> Table<T> all() { return Table<T>(table(kind_of<T>())); }
  template <class T> Table<const T> all() const { return Table<const T>(table(kind_of<T>())); }
  template <class T> const T* find(Ref<T> ref) const { return all<T>().find(ref.id); }
  template <class T> const T* find(int id) const { return all<T>().find(id); }
  // A statement that occurs once and has no id: UNITS, ACCGRAV, … ; the last one given counts.
  template <class T> const T* single() const {
    return all<T>().empty() ? nullptr : &all<T>()[all<T>().size() - 1];
  }

  // Without knowing the type.
  Statement& add(AnyStatement statement);
  Statement& add(Kind kind, int id);
  const Statement& at(Kind kind, std::size_t index) const { return table(kind).rows[index].get(); }
  const Statement& at(Entry entry) const { return at(entry.kind, entry.index); }
  const Statement* find(Kind kind, int id) const { return table(kind).find(id); }
  std::size_t count(Kind kind) const { return table(kind).rows.size(); }
  StatementTable& table(Kind kind) { return tables_[static_cast<std::size_t>(kind.index)]; }
  const StatementTable& table(Kind kind) const { return tables_[static_cast<std::size_t>(kind.index)]; }

 private:
  std::vector<StatementTable> tables_{kStatementCount};
};

using Command = AnyStatement;

// A command script (.acf).
struct Script {
  std::optional<std::string> model_file;     // from its first line, or FILE/MODEL=
  std::optional<std::string> output_prefix;  // from its second line, or FILE/OUTPUT_PREFIX=
  bool header_lines = false;                 // the first two lines are names, not commands
  std::vector<Command> commands;
  std::vector<std::string> closing_comments;
};

inline const Statement& statement_of(const Command& command) { return command.get(); }
inline Statement& statement_of(Command& command) { return command.get(); }
inline Kind kind_of(const Command& command) { return command.kind(); }

// "JOINT/3 'hinge'" for any statement of the model, or "JOINT/3" where it is not there.
core::Words label(const Model& model, Kind kind, int id);

}  // namespace trunnion::model
