#pragma once
// The table of functions: it drives the parser, the messages, `trunnion help` and the manual.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace trunnion::expr {

enum class Function : std::uint8_t {
#define F(name, ...) k##name,
#include "expr/functions.def"
#undef F
};

enum class Category : std::uint8_t {
  math,
  constant,
  measure,
  vector,
  force,    // sum over all elements between two markers
  element,  // force of one named element
  state,
  spline,
  general,
  control,
  user,
};
std::string_view category_name(Category category);

enum class ArgumentKind : std::uint8_t {
  expression,
  marker,    // MARKER id; if optional, 0 or nothing means ground
  element,   // id of the row's statement
  integer,   // whole number written out
  constant,  // number known when the model is read
};

// One argument of a function, read from its letter in the table:
//   e expression         m marker             M marker or 0     # id of the row's statement   n constant
//   j 0-1   c 1-8   o 0-2   k 1-3   t 1 or 3   i 1 and up
struct Argument {
  ArgumentKind kind = ArgumentKind::expression;
  bool ground_allowed = false;  // markers only
  int low = 0;                  // integers only
  int high = 0;
};

struct FunctionInfo {
  Function id;
  std::string_view name;       // upper case
  std::string_view signature;  // "STEP(x, x0, h0, x1, h1)"
  Category category;
  std::string_view codes;
  int min_arguments;
  int max_arguments;
  std::string_view statement;  // what an id names: "MARKER", "SPLINE", …; empty if there is none
  std::string_view help;       // one line

  Argument argument(int index) const;  // index from 0
};

std::span<const FunctionInfo> functions();
const FunctionInfo& info(Function id);
const FunctionInfo* find_function(std::string_view name);  // any case; null if unknown
std::optional<std::string_view> nearest_function(std::string_view name);

}  // namespace trunnion::expr
