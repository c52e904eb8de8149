#pragma once
// Multipliers of constraint equations, as channels that are there when a pattern spells them:
//   JOINT/3.LAMBDA1 LAMBDA2 …    of each equation of a statement, in the order of its equations
// −λ g is what an equation exerts on the coordinates, so that λ has the unit of work over that of the equation: a force where it keeps
// a distance, a torque where it keeps an angle or two directions. An equation that others imply has 0.

#include <string_view>
#include <vector>

#include "results/channels/channel.hpp"
#include "system/system.hpp"

namespace trunnion::results {

class MultiplierChannels {
 public:
  MultiplierChannels(const system::System& system, std::string_view patterns);

  void list(std::vector<Channel>& channels) const {
    channels.insert(channels.end(), list_.begin(), list_.end());
  }
  void sample(const assembly::State& state, std::vector<double>& values) const;

 private:
  std::vector<Channel> list_;
  std::vector<int> rows_;
  double ucf_;
};

}  // namespace trunnion::results
