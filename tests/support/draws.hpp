#pragma once
// How many random cases a test draws. Sanitizers make each thirty times slower: ./test draws one there, and all at -O2.

#include <cstdlib>

namespace trunnion::test {

inline unsigned draws() {
  const char* wanted = std::getenv("TRUNNION_DRAWS");
  return wanted ? static_cast<unsigned>(std::atoi(wanted)) : 3;
}

}  // namespace trunnion::test
