#pragma once
// The CONTACTs of a system as a step loop sees them: how deep each pair of their solids is.

#include <vector>

#include "elements/contact.hpp"
#include "system/system.hpp"

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
  // other: gap() tells. The workspace has been brought to a state.
  void penetrations(const System::Workspace& work, std::vector<double>& all) const;
  // The frames of each CONTACT.
  using Relation = elements::Contact::Relation;
  void relations(const System::Workspace& work, std::vector<Relation>& all) const;
  // Contact::gap(), pace(), way() and push().
  double gap(std::size_t pair, const math::Vec3& p, const math::Mat3& R, double enough) const;
  double pace(std::size_t contact, const Relation& at) const;
  double way(std::size_t pair, const Relation& from, const Relation& to, const math::Vec3& turn,
             double h) const;
  double push(std::size_t contact, double depth, double rate) const;
  double smaller_solid(std::size_t pair) const;  // half of the least thickness of the thinner of its two

 private:
  const elements::Contact& law(std::size_t contact) const;
  void penetrations(std::size_t contact, const System::Workspace& work, std::vector<double>& all) const;

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
