#pragma once
// The CONTACTs of a system as a step loop sees them: how deep each pair of their solids is.

#include <vector>

#include "system/system.hpp"

namespace trunnion::elements {
struct Load;
}

namespace trunnion::system {

class Contacts {
 public:
  explicit Contacts(const System& system);

  std::size_t size() const { return all_.size(); }
  const core::Words& label(std::size_t contact) const { return *all_[contact].label; }
  // Pairs of all CONTACTs, one after the other.
  std::size_t pairs() const { return contact_of_.size(); }
  std::size_t contact_of(std::size_t pair) const { return contact_of_[pair]; }
  std::size_t first_pair(std::size_t contact) const { return all_[contact].first; }
  std::size_t end_pair(std::size_t contact) const { return all_[contact].first + all_[contact].pairs; }

  // The depth within which a contact's force comes on, for what comes in at a speed: DMAX, or a part of how deep it will get.
  double depth_of_onset(std::size_t contact, double speed) const;
  // The largest penetration of each pair. Apart it is negative: minus the least distance or something less than that; 0 where meshes are near each
  // other, which have no distance. The workspace has been brought to a state.
  void penetrations(const System::Workspace& work, std::vector<double>& all) const;
  void penetrations(std::size_t contact, const System::Workspace& work, std::vector<double>& all) const;
  // How fast the distances of each CONTACT may change at most.
  void paces(const System::Workspace& work, std::vector<double>& all) const;
  double smaller_solid(std::size_t pair) const;  // the radius of the smaller of its two

 private:
  struct One {
    const core::Words* label;
    const elements::Load* load;
    double dmax, time;
    std::size_t first, pairs;
  };
  std::vector<One> all_;
  std::vector<std::size_t> contact_of_;
};

}  // namespace trunnion::system
