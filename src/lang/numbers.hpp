#pragma once
// Numbers as the language writes them: 0, -8, .5, 1., 1.0E-005, 90D. A D right after a number means degrees,
// never an exponent.

#include <cstddef>
#include <string>
#include <string_view>

namespace trunnion::lang {

struct Number {
  double value = 0;        // radians where written in degrees
  std::size_t length = 0;  // bytes used; 0 where there is no number
  bool degrees = false;
  const char* trouble = nullptr;  // what is wrong with it, if anything
};

Number read_number(std::string_view text);

// The shortest text that read_number takes back to the same double; angles in degrees where that is exact.
std::string write_number(double value, bool angle = false);

}  // namespace trunnion::lang
