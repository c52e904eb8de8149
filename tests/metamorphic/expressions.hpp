#pragma once
// Rewrites function expressions without changing what they say: another clock, another ground, other units.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trunnion::metamorphic {

struct Call {
  std::string name;                    // upper case
  std::vector<std::string> arguments;  // as written
};

struct Rewriting {
  std::function<std::string()> time;  // what stands for TIME
  // What stands for a function that reads the mechanism: DX(1,2), SFORCE(3,0,2).
  std::function<std::string(const Call&)> reads;
};

// Functions of plain numbers are left as they are, their arguments are not.
std::string rewritten(std::string_view text, const Rewriting& how);
std::string text_of(const Call& call);

// Whether a function reads the mechanism, and what it measures by length, time, force.
struct Dimension {
  int length = 0, time = 0, force = 0, mass = 0;
};
bool reads_mechanism(std::string_view name);
Dimension dimension_of(const Call& call);
// The same call with `marker` wherever it leaves out, or names as 0, a marker that stands for the ground.
Call anchored(Call call, int marker);

}  // namespace trunnion::metamorphic
