#pragma once
// Which statement something is about. It travels with unknowns, equations, forces and messages; file and line are added where a message
// is printed, and nothing is decided by reading a name.

#include <compare>

namespace trunnion::core {

// Which statement of the language: its position in the list of all types (model/statements.hpp).
struct Kind {
  static constexpr int kNone = -1;
  int index = kNone;

  friend auto operator<=>(Kind, Kind) = default;
};

struct Subject {
  Kind kind;
  int id = 0;

  bool known() const { return kind.index != Kind::kNone; }
  friend auto operator<=>(Subject, Subject) = default;
};

}  // namespace trunnion::core
