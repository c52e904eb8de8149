#include "lang/match.hpp"

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

std::string did_you_mean(std::string_view word, const std::vector<Candidate>& candidates) {
  std::vector<std::string_view> names;
  for (const Candidate& c : candidates) names.push_back(c.name);
  const auto near = core::nearest(word, names);
  return near ? fmt::format("; did you mean {}?", *near) : std::string();
}

}  // namespace trunnion::lang
