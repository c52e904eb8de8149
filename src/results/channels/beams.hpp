#pragma once
// Section forces and strains of FE_PARTs as channels, half-way between each node and the next, in section axes there:
//   FE_PART/2.3-4.FX FY FZ TX TY TZ    tension, shear forces; torque, bending moments: what the side of node 4 acts with
//   FE_PART/2.3-4.EX EY EZ KX KY KZ    stretch, shear; twist, bending per length
// Damping is in the forces. Places and motions of nodes are those of bodies: FE_PART/2.3.X …

#include <vector>

#include "assembly/evaluation.hpp"
#include "results/channels/channel.hpp"
#include "system/system.hpp"

namespace trunnion::results {

class BeamChannels {
 public:
  explicit BeamChannels(const system::System& system) : system_(system) {}

  void list(std::vector<Channel>& channels) const;
  void sample(const assembly::Evaluation& at, std::vector<double>& values) const;

 private:
  const system::System& system_;
};

}  // namespace trunnion::results
