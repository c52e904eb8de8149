#pragma once
// The one table that describes the language: every statement and command with its arguments, their kind, unit,
// default, range and a line of help. The reader, the writer, the messages, `trunnion help` and the manual are all
// driven by it; src/model/schema/*.cpp fill it in, a few lines a statement.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

using core::Kind;  // which statement a schema, a reference or a list entry means

enum class ValueKind {
  flag,        // GROUND                      bool
  choice,      // REVOLUTE                    Choice, each word stands by itself
  word,        // FORCE=NEWTON                Choice
  words,       // EXACT=X:Y:Z                 ChoiceList
  real,        // MASS=2.5                    std::optional<double>
  integer,     // MAXIT=25                    std::optional<int>
  reals,       // QP=1,2,3                    std::vector<double>
  integers,    // NODE_LABELS=1,2,3           std::vector<int>
  rows,        // Y=… Y=…                     Rows, the argument may be repeated
  reference,   // I=2203                      Ref
  references,  // JOINTS=1,2                  RefList
  text,        // FILE=name                   std::optional<std::string>
  texts,       // CNAMES="a","b"              std::vector<std::string>
  expression,  // FUNCTION=…                  Expression
};

struct Word {
  std::string_view name;
  std::string_view minimum;  // shortest abbreviation that wins over others; may be empty
  int value = 0;
  std::string_view help = {};
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};
inline constexpr Range kPositive{0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr Range kNotNegative{0, std::numeric_limits<double>::infinity(), false, false};

struct Argument {
  std::string_view name;     // as written in full; for a choice, what the words select ("type")
  std::string_view minimum;  // as for Word
  ValueKind kind = ValueKind::flag;
  std::string_view help;
  std::string_view unit = {};    // "length", "force/length", "angle": also says that 30D is natural
  std::vector<Word> words = {};  // choice, word, words
  Kind target = {};              // reference, references
  std::size_t min_count = 1;     // lists
  std::size_t max_count = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> counts = {};  // lists that take only these lengths, e.g. 3 or 6
  std::vector<double> defaults = {};     // numbers, or the value of a Word
  std::string_view default_help = {};    // where the default is no number: "the output step"
  Range range = {};
  bool required = false;
  std::vector<std::string_view> aliases = {};
  std::string_view unused = {};  // read without effect: what is done instead. Empty: it acts
  bool at_start = false;         // a value of the start: no effect once a simulation has begun
  void* (*field)(Statement&) = nullptr;

  bool is_list() const {
    return kind == ValueKind::reals || kind == ValueKind::integers || kind == ValueKind::references ||
           kind == ValueKind::texts || kind == ValueKind::rows;
  }
  // How a value is spelled in full; empty where no word stands for it.
  std::string_view spelled(int value) const;
};

// A rule over several arguments, by name; a word of a choice counts as an argument.
struct Rule {
  enum class Type { exactly_one, at_least_one, at_most_one, all_or_none, first_needs_one_of_rest };
  Type type = Type::exactly_one;
  std::vector<std::string_view> names;
};

enum class Where { dataset, command, both };

struct Schema {
  std::string_view keyword;
  std::string_view minimum;
  std::string_view help;
  Where where = Where::both;  // dataset statements may be re-issued as commands: both
  bool has_id = true;
  bool repeatable = false;      // a statement without id that may occur more than once
  bool acted_on = false;        // the solver does something with it
  std::string_view group = {};  // chapter of the manual
  std::vector<Argument> arguments = {};
  std::vector<Rule> rules = {};
  Kind kind = {};

  const Argument* find(std::string_view full_name) const;
  int index_of(std::string_view full_name) const;  // -1 where absent
};

// All schemas, in the order of the type list.
std::span<const Schema> all_schemas();
inline const Schema& schema_of(Kind kind) { return all_schemas()[static_cast<std::size_t>(kind.index)]; }

// "PART/3 'crank'", or "UNITS" where there is no id.
core::Words label(const Schema& schema, const Statement& statement);

// Whether the argument holds a value.
bool is_given(const Argument& argument, const Statement& statement);

// Typed access to the field behind an argument.
template <class T> T& field(const Argument& argument, Statement& statement) {
  return *static_cast<T*>(argument.field(statement));
}
template <class T> const T& field(const Argument& argument, const Statement& statement) {
  return *static_cast<const T*>(argument.field(const_cast<Statement&>(statement)));
}

}  // namespace trunnion::model
