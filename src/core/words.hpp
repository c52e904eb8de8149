#pragma once
// Text that remembers which statements it names: "JOINT/3 'hinge'" as the owner of an equation, and every message made from it. Where
// only text is wanted it is a std::string.
//
//   core::words("{} is redundant with {}", layout.row_words(row), others)      about the owners of both

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/subject.hpp"

namespace trunnion::core {

class Words : public std::string {
 public:
  Words() = default;
  Words(std::string text) : std::string(std::move(text)) {}
  Words(const char* text) : std::string(text) {}
  Words(std::string text, Subject about) : std::string(std::move(text)) {
    if (about.known()) about_.push_back(about);
  }

  // In the order in which they are named, each once.
  const std::vector<Subject>& about() const { return about_; }
  // Of a name: the statement. Unknown where the text names none.
  Subject subject() const { return about_.empty() ? Subject{} : about_.front(); }

  void mention(const Words& other);
  Words& operator+=(const Words& other) {
    append(other);
    mention(other);
    return *this;
  }
  Words& operator+=(const std::string& text) {
    append(text);
    return *this;
  }
  Words& operator+=(const char* text) {
    append(text);
    return *this;
  }

 private:
  std::vector<Subject> about_;
};

template <class A, class B>
requires(std::is_same_v<std::remove_cvref_t<A>, Words> || std::is_same_v<std::remove_cvref_t<B>, Words>)  //
    Words
    operator+(A&& a, B&& b) {
  Words out(std::forward<A>(a));
  out += std::forward<B>(b);
  return out;
}

template <class T> void mention_in(Words& out, const T& argument) {
  if constexpr (std::is_same_v<T, Words>) out.mention(argument);
}
template <class It, class End> void mention_in(Words& out, const fmt::join_view<It, End>& list) {
  for (It it = list.begin; it != list.end; ++it) mention_in(out, *it);
}

// As fmt::format, about all the statements that the arguments are about.
template <class... T> Words words(fmt::format_string<T...> format, T&&... arguments) {
  Words out(fmt::vformat(format, fmt::make_format_args(arguments...)));
  (mention_in(out, std::as_const(arguments)), ...);
  return out;
}

}  // namespace trunnion::core
