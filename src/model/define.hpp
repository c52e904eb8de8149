#pragma once
// The notation in which src/model/schema/*.cpp fill the schema table:
//
//   Define<Joint>("JOINT", "J", "Connects …")
//       .choice<&Joint::type>("type", {{"REVOLUTE", "RE", …}}).required()
//       .arg<&Joint::i>("I", "I", "marker on the first part").required()
//       .arg<&Joint::pd>("PD", "", "pitch diameter").unit("length").range(kPositive);
//
// The kind of an argument follows from the type of the field it is bound to. The modifiers after an argument
// apply to that argument. All that does not depend on a type is in define.cpp: the chains are long, and inlined
// they took g++ two minutes and 1.5 GB a file under the sanitizers.

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "model/schema.hpp"
#include "model/statements.hpp"

namespace trunnion::model {

namespace detail {

template <class T> struct MemberOf;
template <class Class, class Type> struct MemberOf<Type Class::*> {
  using Owner = Class;
  using Field = Type;
};

template <auto Member> void* access(Statement& statement) {
  using Owner = typename MemberOf<decltype(Member)>::Owner;
  return &(static_cast<Owner&>(statement).*Member);
}

// The enum behind a Choice or ChoiceList; void for other fields.
template <class T> struct EnumOf { using Type = void; };
template <class E> struct EnumOf<Choice<E>> { using Type = E; };
template <class E> struct EnumOf<ChoiceList<E>> { using Type = E; };

template <class T> Kind target_of(const Ref<T>*) { return kind_of<T>(); }
template <class T> Kind target_of(const RefList<T>*) { return kind_of<T>(); }
inline Kind target_of(const void*) { return {}; }

template <class Field> constexpr ValueKind value_kind() {
  if constexpr (std::is_same_v<Field, bool>) return ValueKind::flag;
  else if constexpr (std::is_same_v<Field, std::optional<double>>) return ValueKind::real;
  else if constexpr (std::is_same_v<Field, std::optional<int>>) return ValueKind::integer;
  else if constexpr (std::is_same_v<Field, std::vector<double>>) return ValueKind::reals;
  else if constexpr (std::is_same_v<Field, std::vector<int>>) return ValueKind::integers;
  else if constexpr (std::is_same_v<Field, Rows>) return ValueKind::rows;
  else if constexpr (std::is_base_of_v<RefBase, Field>) return ValueKind::reference;
  else if constexpr (std::is_base_of_v<RefListBase, Field>) return ValueKind::references;
  else if constexpr (std::is_base_of_v<ChoiceBase, Field>) return ValueKind::word;
  else if constexpr (std::is_base_of_v<ChoiceListBase, Field>) return ValueKind::words;
  else if constexpr (std::is_same_v<Field, std::optional<std::string>>) return ValueKind::text;
  else if constexpr (std::is_same_v<Field, std::vector<std::string>>) return ValueKind::texts;
  else {
    static_assert(std::is_same_v<Field, Expression>, "a field of a type the schema does not know");
    return ValueKind::expression;
  }
}

}  // namespace detail

// An enumerator with its spelling; V is the statement's enum.
template <class V> struct Spelling {
  std::string_view name;
  std::string_view minimum;
  V value;
  std::string_view help = {};
};
template <auto Member>
using SpellingOf =
    Spelling<typename detail::EnumOf<typename detail::MemberOf<decltype(Member)>::Field>::Type>;

class SchemaBuilder {
 public:
  // --- the statement as a whole
  SchemaBuilder& no_id();
  SchemaBuilder& repeatable();
  SchemaBuilder& dataset_only();
  SchemaBuilder& command_only();
  SchemaBuilder& acted_on();
  SchemaBuilder& group(std::string_view chapter);
  SchemaBuilder& exactly_one(std::initializer_list<std::string_view> names);
  SchemaBuilder& at_least_one(std::initializer_list<std::string_view> names);
  SchemaBuilder& at_most_one(std::initializer_list<std::string_view> names);
  SchemaBuilder& all_or_none(std::initializer_list<std::string_view> names);
  // Where the first is given, one of the others must be.
  SchemaBuilder& needs(std::initializer_list<std::string_view> names);

  // --- one more argument, its kind taken from the field
  template <auto Member>
  SchemaBuilder& arg(std::string_view name, std::string_view minimum, std::string_view help) {
    using Value = typename detail::MemberOf<decltype(Member)>::Field;
    return add(name, minimum, help, detail::value_kind<Value>(),
               detail::target_of(static_cast<const Value*>(nullptr)), &detail::access<Member>);
  }

  // KEY=word, or KEY=word:word for a list field.
  template <auto Member>
  SchemaBuilder& word(std::string_view name, std::string_view minimum, std::string_view help,
                      std::initializer_list<SpellingOf<Member>> words) {
    return arg<Member>(name, minimum, help).spell(words);
  }
  template <auto Member>
  SchemaBuilder& word(std::string_view name, std::string_view minimum, std::string_view help,
                      const std::vector<SpellingOf<Member>>& words) {
    return arg<Member>(name, minimum, help).spell(words);
  }

  // Words that stand by themselves and exclude each other.
  template <auto Member>
  SchemaBuilder& choice(std::string_view what, std::string_view help,
                        std::initializer_list<SpellingOf<Member>> words) {
    return arg<Member>(what, {}, help).stand_alone().spell(words);
  }
  template <auto Member>
  SchemaBuilder& choice(std::string_view what, std::string_view help,
                        const std::vector<SpellingOf<Member>>& words) {
    return arg<Member>(what, {}, help).stand_alone().spell(words);
  }

  // --- modifiers of the last argument
  SchemaBuilder& required();
  SchemaBuilder& unit(std::string_view dimension);
  SchemaBuilder& range(Range r);
  SchemaBuilder& count(std::size_t n);
  SchemaBuilder& count(std::size_t low, std::size_t high);
  SchemaBuilder& counts(std::initializer_list<std::size_t> lengths);
  SchemaBuilder& alias(std::string_view name);
  SchemaBuilder& defaults(std::initializer_list<double> values);
  template <class V>
  requires std::is_enum_v<V> SchemaBuilder& defaults(V value) {
    return defaults({static_cast<double>(value)});
  }
  SchemaBuilder& default_help(std::string_view text);
  // It is read and has no effect; a model that gives it is warned with what is done instead.
  SchemaBuilder& unused(std::string_view instead);
  SchemaBuilder& at_start();

  operator Schema() const;

 protected:
  SchemaBuilder(Kind kind, std::string_view keyword, std::string_view minimum, std::string_view help);

 private:
  Argument& last() { return schema_.arguments.back(); }
  SchemaBuilder& rule(Rule::Type type, std::initializer_list<std::string_view> names);
  SchemaBuilder& add(std::string_view name, std::string_view minimum, std::string_view help, ValueKind kind,
                     Kind target, void* (*field)(Statement&));
  SchemaBuilder& stand_alone();
  void add_word(std::string_view name, std::string_view minimum, int value, std::string_view help);
  template <class Words> SchemaBuilder& spell(const Words& words) {
    for (const auto& w : words) add_word(w.name, w.minimum, static_cast<int>(w.value), w.help);
    return *this;
  }

  Schema schema_;
};

template <class S> class Define : public SchemaBuilder {
 public:
  Define(std::string_view keyword, std::string_view minimum, std::string_view help)
      : SchemaBuilder(kind_of<S>(), keyword, minimum, help) {}
};

}  // namespace trunnion::model
