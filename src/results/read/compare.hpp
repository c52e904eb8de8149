#pragma once
// Two results side by side: for each channel both have, the largest difference and when. Times need not agree: the second
// is interpolated at the times of the first, over the span both cover. What a file's digits cannot tell is no difference; a value that is
// infinite or not a number differs without end from one that is not so.

#include <string>
#include <vector>

#include "results/read/history.hpp"

namespace trunnion::results {

struct Difference {
  std::string name, unit;
  double largest = 0;   // |a − b|
  double at = 0;        // the time of it
  double scale = 0;     // what the channel is judged by, see scales.hpp
  double relative = 0;  // largest / scale: a torque that is noise is measured by the torques that are not
};

struct Comparison {
  std::vector<Difference> channels;  // worst first
  std::vector<std::string> only_a, only_b;
  std::vector<std::string> not_of_a, not_of_b;  // what the other has and this kind of file never tells
  std::vector<std::string> other_units;  // "PART/2.X (meter, mm)": the same name, and nothing to compare
  std::size_t times = 0;                 // compared
  double begin = 0, end = 0;             // span both cover
  bool same_span = true;                 // false: one of them is shorter
  bool no_common_time = true;            // nothing could be compared
};
Comparison compare(History& a, History& b);

}  // namespace trunnion::results
