#pragma once
// The kinds of value an argument of the language can hold. Every field of a statement is one of these (or a bool
// for a flag, std::optional<double>, std::optional<int>, std::optional<std::string>, std::vector<double>, std::vector<int>,
// std::vector<std::string>), so that one schema table can read, check and write them all. A field that was not
// given is empty; model/defaults.hpp fills in what the language says then.

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/source.hpp"

namespace trunnion::model {

// A reference to another statement by its id, e.g. I=2203. The schema knows which statement is meant; the type
// says so to C++ code.
struct RefBase {
  static constexpr int kNone = -1;
  int id = kNone;

  bool given() const { return id != kNone; }
};
template <class Target> struct Ref : RefBase {
  Ref() = default;
  Ref(int value) : RefBase{value} {}
  Ref(const Target& target) : RefBase{target.id} {}
};

// Ids in the order written: JGEOM=1209,1210,1211.
struct RefListBase {
  std::vector<int> ids;

  bool given() const { return !ids.empty(); }
};
template <class Target> struct RefList : RefListBase {
  RefList() = default;
  RefList(std::vector<int> values) : RefListBase{std::move(values)} {}
};

// One word out of a fixed set: REVOLUTE, or FORCE=NEWTON.
struct ChoiceBase {
  static constexpr int kNone = -1;
  int index = kNone;

  bool given() const { return index != kNone; }
};
template <class Enum> struct Choice : ChoiceBase {
  Choice() = default;
  Choice(Enum value) : ChoiceBase{static_cast<int>(value)} {}
  Enum value() const { return static_cast<Enum>(index); }
  Enum value_or(Enum other) const { return given() ? value() : other; }
  friend bool operator==(const Choice& choice, Enum value) { return choice.index == static_cast<int>(value); }
};

// For KEY=ON|OFF, TRUE|FALSE, YES|NO and T:F patterns.
enum class Switch { off, on };

// Which motion of a joint or force is meant: TRANSLATION or ROTATION.
enum class Freedom { translation, rotation };

// Words out of a fixed set: EXACT=X:Y:PSI.
struct ChoiceListBase {
  std::vector<int> indices;

  bool given() const { return !indices.empty(); }
};
template <class Enum> struct ChoiceList : ChoiceListBase {
  ChoiceList() = default;
  ChoiceList(std::initializer_list<Enum> values) {
    for (const Enum value : values) indices.push_back(static_cast<int>(value));
  }
  bool has(Enum value) const {
    for (const int index : indices) {
      if (index == static_cast<int>(value)) return true;
    }
    return false;
  }
};

// A function expression: canonical text (no blanks, continuation marks removed) and where it stood.
struct Expression {
  std::string text;
  core::Span span;

  Expression() = default;
  Expression(std::string value) : text(std::move(value)) {}
  Expression(const char* value) : text(value) {}
  bool given() const { return !text.empty(); }
};

// An argument that may be repeated, each time with a list: Y=z1,y11,… Y=z2,…
struct Rows {
  std::vector<std::vector<double>> rows;

  bool given() const { return !rows.empty(); }
};

}  // namespace trunnion::model
