#pragma once

#include <string>
#include <vector>

namespace trunnion::results {

// A named number with a unit.
struct Channel {
  std::string name;
  std::string unit;
};

}  // namespace trunnion::results
