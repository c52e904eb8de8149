#pragma once

#include <string>
#include <vector>

#include "core/subject.hpp"

namespace trunnion::results {

// A named number with a unit.
struct Channel {
  std::string name;
  std::string unit;
  core::Subject about = {};  // the statement; unknown where it was read from a file
};

}  // namespace trunnion::results
