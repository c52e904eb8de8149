#pragma once
// What size a channel's values are judged by: the largest of its like channels (same kind of statement, same unit). Where those are all
// noise, torques of 1e-24 beside forces of 10 over lengths of 1, the size that their unit has in the rest of the results.

#include <map>
#include <string>

#include "results/channels/channel.hpp"

namespace trunnion::results {

class Scales {
 public:
  explicit Scales(double span) : span_(span) {}      // of time
  void add(const Channel& channel, double largest);  // finite values only
  double of(const Channel& channel) const;

 private:
  static std::string kind(const Channel& channel);
  double base(const std::string& word) const;     // of a unit; 0: not known
  double by_unit(const std::string& unit) const;  // product of its words' sizes; 0: not known

  double span_;
  std::string time_;
  std::map<std::string, double> by_kind_;
  std::map<std::string, double> by_unit_;
  double largest_ = 0;
};

}  // namespace trunnion::results
