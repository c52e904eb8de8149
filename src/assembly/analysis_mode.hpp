#pragma once
// Which analysis asks for an evaluation: what MODE reads. Forces, friction and equations may differ by it, so that every evaluation
// is told; there is no default.

#include <cstdint>

namespace trunnion::assembly {

enum class AnalysisMode : std::uint8_t {  // the language's numbers
  kinematics = 1,
  initial_conditions = 3,
  dynamics = 4,
  statics = 5,
  quasi_statics = 6,
  linear = 7
};

constexpr double number(AnalysisMode mode) { return static_cast<double>(mode); }
constexpr bool is_static(AnalysisMode mode) {
  return mode == AnalysisMode::statics || mode == AnalysisMode::quasi_statics;
}

}  // namespace trunnion::assembly
