#pragma once
// Poses, velocities and accelerations of bodies and markers, computed once per evaluation: the numbers of one thread at one state.
// Everything in ground axes.

#include <vector>

#include "assembly/carrier.hpp"

namespace trunnion::assembly {

class Kinematics {
 public:
  Kinematics(const Layout& layout, const MarkerTable& markers);  // both outlive this and stay as they are
  Kinematics(const Kinematics&) = delete;
  Kinematics(Kinematics&&) = default;

  // Brings everything up to the level asked for to the state's; higher levels keep their old values.
  void update(const State& state, Level level = Level::a);

  const MarkerMotion& marker(MarkerId id) const { return markers_[static_cast<std::size_t>(id.index)]; }
  // For Pullback.
  const Seat& seat(MarkerId id) const { return seats_[static_cast<std::size_t>(id.index)]; }
  BlockId owner(MarkerId id) const { return (*table_)[id].body; }

  // The frame of a body's block; ground's for kGround.
  const BodyMotion& body(BlockId id) const { return bodies_[static_cast<std::size_t>(id.index + 1)]; }
  // How that frame moves with one of the block's entries.
  Twist body_twist(BlockId id, int entry) const {
    return carriers_[static_cast<std::size_t>(id.index)]->body_twist(*layout_, layout_->block(id), body(id),
                                                                     entry);
  }

  const Layout& layout() const { return *layout_; }
  const MarkerTable& table() const { return *table_; }

 private:
  const Layout* layout_;
  const MarkerTable* table_;
  std::vector<const BodyCarrier*> carriers_;  // of each block, or null
  std::vector<BodyMotion> bodies_;            // ground first
  std::vector<MarkerMotion> markers_;
  std::vector<Seat> seats_;   // of each marker
  std::vector<double> kept_;  // of the seats
};

}  // namespace trunnion::assembly
