#pragma once
// Mechanisms that move in all ways a formula has to follow: in space, fast spinning, with states and variables.

#include <span>
#include <string>

namespace trunnion::test {

struct Moving {
  const char* name;
  std::string text;
  double span;  // seconds of a run
  int finer;    // times as many steps as the slow ones need
};
std::span<const Moving> moving_mechanisms();
// With closed loops: Andrews' squeezer, and a four-bar in space with a DIFF.
std::span<const Moving> loops();

}  // namespace trunnion::test
