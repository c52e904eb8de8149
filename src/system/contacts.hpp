#pragma once
// The CONTACTs of a system as a step loop sees them: how deep each of them is.

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
  const core::Words& label(std::size_t k) const { return *all_[k].label; }
  double full_damping(std::size_t k) const { return all_[k].dmax; }  // DMAX

  // The largest penetration of each. Apart it is negative: minus the least distance or something less than that; 0 where meshes are near each
  // other, which have no distance. The workspace must have been brought to the state.
  void penetrations(const assembly::State& state, System::Workspace& work, std::vector<double>& all) const;
  double penetration(std::size_t k, const assembly::State& state, System::Workspace& work) const;
  // How fast the distance of each may change at most.
  void paces(const System::Workspace& work, std::vector<double>& all) const;
  double smallest_solid(std::size_t k) const;  // the radius of the smallest of its solids

 private:
  struct One {
    const core::Words* label;
    const elements::Load* load;
    double dmax;
  };
  std::vector<One> all_;
};

}  // namespace trunnion::system
