#pragma once
// Channels by pattern: "JOINT/*.F*,PART/2.*". '*' is any text, '?' any letter, a comma separates patterns; letters of
// either case. An empty list is everything.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/channels/channel.hpp"

namespace trunnion::results {

bool matches(std::string_view pattern, std::string_view name);
std::vector<std::string> split_patterns(std::string_view list);
// Whether one of the patterns, or none at all, is matched.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);

struct Selection {
  std::vector<std::size_t> places;   // into the channels, in their order
  std::vector<std::string> useless;  // patterns that no channel matches
};
// "no channel matches JONT/*: there are PART, JOINT and ENERGY".
std::string useless_patterns(const std::vector<std::string>& patterns, std::span<const Channel> channels);

// The first channel, the time, is always among them.
Selection select(std::span<const Channel> channels, std::string_view patterns);

}  // namespace trunnion::results
