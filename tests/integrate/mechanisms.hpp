#pragma once
// Mechanisms that move in all ways a formula has to follow: in space, fast spinning, with states and variables.

#include <span>

namespace trunnion::test {

struct Moving {
  const char* name;
  const char* text;
  double span;  // seconds of a run
  int finer;    // times as many steps as the slow ones need
};
std::span<const Moving> moving_mechanisms();

}  // namespace trunnion::test
