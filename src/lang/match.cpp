#include "lang/match.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::lang {

Match match_word(std::string_view word, const std::vector<Candidate>& candidates) {
  Match match;
  const Candidate* prefix = nullptr;
  const Candidate* declared = nullptr;
  int prefixes = 0;
  int declareds = 0;
  for (const Candidate& c : candidates) {
    if (!core::starts_with_nocase(c.name, word)) continue;
    if (c.name.size() == word.size()) return {Match::Result::found, c.value, {}};
    // Two spellings of one thing (ROTATION, ROTATIONAL) are no rivals.
    if (!prefix || prefix->value != c.value) ++prefixes;
    prefix = &c;
    if (!c.minimum.empty() && word.size() >= c.minimum.size()) {
      if (!declared || declared->value != c.value) ++declareds;
      declared = &c;
    }
  }
  if (prefixes == 1) return {Match::Result::found, prefix->value, {}};
  if (declareds == 1) return {Match::Result::found, declared->value, {}};
  if (prefixes == 0) return match;
  match.result = Match::Result::ambiguous;
  for (const Candidate& c : candidates) {
    if (core::starts_with_nocase(c.name, word)) match.rivals.push_back(c.name);
  }
  return match;
}

namespace {

// The longest of the names that the word goes on from: DYNAMICS of DYNAMICS_ONLY.
std::string_view begins_with(std::string_view word, const std::vector<std::string_view>& names) {
  constexpr std::size_t kShortest = 4;
  std::string_view longest;
  for (const std::string_view name : names) {
    if (name.size() >= kShortest && name.size() > longest.size() && core::starts_with_nocase(word, name))
      longest = name;
  }
  return longest;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<Candidate>& candidates) {
  std::vector<std::string_view> names;
  for (const Candidate& c : candidates) names.push_back(c.name);
  const auto near = core::nearest(word, names);
  if (!near) {
    const std::string_view begun = begins_with(word, names);
    return begun.empty() ? std::string() : fmt::format("; did you mean {}?", begun);
  }
  // Others may be as near: of YGRAV none of IGRAV, JGRAV and KGRAV is meant more than the rest.
  const std::size_t distance = core::edit_distance(word, *near);
  std::vector<std::string> all;
  std::vector<int> meant;
  for (const Candidate& c : candidates) {
    if (core::edit_distance(word, c.name) != distance) continue;
    if (std::find(meant.begin(), meant.end(), c.value) != meant.end()) continue;
    meant.push_back(c.value);
    all.emplace_back(c.name);
  }
  constexpr std::size_t kMost = 3;
  return fmt::format("; did you mean {}?", all.size() > kMost ? *near : core::join_and(all, "or"));
}

}  // namespace trunnion::lang
