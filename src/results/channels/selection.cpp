#include "results/channels/selection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::results {

bool matches(std::string_view pattern, std::string_view name) {
  // Greedy with one way back, to the last '*': time is at most the product of the lengths.
  constexpr auto kNone = std::string_view::npos;
  std::size_t p = 0, n = 0, star = kNone, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || core::upper(pattern[p]) == core::upper(name[n]))) {
      ++p;
      ++n;
    } else if (star != kNone) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> split_patterns(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view word = core::trim(list.substr(0, comma));
    if (!word.empty()) out.emplace_back(word);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const std::string& pattern) { return matches(pattern, name); });
}

namespace {

std::string_view object_of(std::string_view name) { return name.substr(0, name.find('.')); }

// "; PART/2 has X, Y and Z" where the object is there, "; did you mean JOINT?" where its kind is misspelt.
std::string suggestion(std::string_view pattern, const std::vector<std::string>& kinds,
                       std::span<const Channel> channels) {
  std::vector<std::string> components;
  constexpr std::size_t kShown = 40;
  for (const Channel& channel : channels) {
    const std::string_view object = object_of(channel.name);
    if (object.size() == channel.name.size() || !matches(object_of(pattern), object)) continue;
    std::string component(channel.name.substr(object.size() + 1));
    if (std::find(components.begin(), components.end(), component) == components.end() &&
        components.size() < kShown)
      components.push_back(std::move(component));
  }
  if (!components.empty()) return fmt::format("; {} has {}", object_of(pattern), core::join_and(components));
  const std::vector<std::string_view> names(kinds.begin(), kinds.end());
  const auto near = core::nearest(pattern.substr(0, pattern.find_first_of("/.")), names);
  return near && !core::equals_nocase(*near, pattern.substr(0, near->size()))
             ? fmt::format("; did you mean {}?", *near)
             : std::string();
}

}  // namespace

std::string useless_patterns(const std::vector<std::string>& patterns, std::span<const Channel> channels) {
  std::vector<std::string> kinds;
  for (const Channel& channel : channels.subspan(std::min<std::size_t>(1, channels.size()))) {
    const std::string kind = channel.name.substr(0, channel.name.find_first_of("/."));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  std::string text =
      "no channel matches " + core::join_and(patterns) + ": there are " + core::join_and(kinds);
  for (const std::string& pattern : patterns) text += suggestion(pattern, kinds, channels);
  return text;
}

Selection select(std::span<const Channel> channels, std::string_view patterns) {
  const std::vector<std::string> words = split_patterns(patterns);
  std::vector<bool> used(words.size());
  Selection selection;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    bool wanted = k == 0 || words.empty();
    for (std::size_t w = 0; w < words.size(); ++w) {
      if (!matches(words[w], channels[k].name)) continue;
      used[w] = wanted = true;
    }
    if (wanted) selection.places.push_back(k);
  }
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (!used[w]) selection.useless.push_back(words[w]);
  }
  return selection;
}

}  // namespace trunnion::results
