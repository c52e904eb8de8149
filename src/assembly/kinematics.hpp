#pragma once
// Poses, velocities and accelerations of bodies and markers, computed once per evaluation. Everything in ground axes.
// MarkerTable is fixed data of the compiled system; Kinematics is the numbers of one thread at one state.

#include <span>
#include <vector>

#include "assembly/ids.hpp"
#include "assembly/layout.hpp"
#include "assembly/sink.hpp"
#include "assembly/state.hpp"

namespace trunnion::assembly {

// A frame fixed in a body: its origin from the body's (the mass centre) and its axes, both in body axes.
struct MarkerDef {
  BlockId body;  // kGround: p_BM and R_BM are from the ground frame
  Vec3 p_BM = Vec3::Zero();
  Mat3 R_BM = Mat3::Identity();
};

class MarkerTable {
 public:
  // Marker 0 is the ground frame: what a marker id of 0 means in the language.
  static constexpr MarkerId kGroundMarker{0};

  MarkerTable() { markers_.emplace_back(); }
  MarkerId add(const MarkerDef& marker) {
    markers_.push_back(marker);
    return {static_cast<std::int32_t>(markers_.size()) - 1};
  }
  const MarkerDef& operator[](MarkerId id) const { return markers_[static_cast<std::size_t>(id.index)]; }
  std::span<const MarkerDef> all() const { return markers_; }

 private:
  std::vector<MarkerDef> markers_;
};

struct BodyMotion {
  Vec3 x = Vec3::Zero();
  Mat3 R = Mat3::Identity();  // R_GB
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Vec3 a = Vec3::Zero(), alpha = Vec3::Zero();
};

struct MarkerMotion {
  Vec3 p = Vec3::Zero();
  Mat3 R = Mat3::Identity();  // R_GM; its columns are the marker's axes
  Vec3 r = Vec3::Zero();      // p less the body's origin
  Vec3 v = Vec3::Zero();
  Vec3 a = Vec3::Zero();
};

class Kinematics {
 public:
  Kinematics(const Layout& layout, const MarkerTable& markers);

  // Brings everything up to the level asked for to the state's; higher levels keep their old values.
  void update(const State& state, Level level = Level::a);

  const MarkerMotion& marker(MarkerId id) const { return markers_[static_cast<std::size_t>(id.index)]; }
  const BodyMotion& body(BlockId id) const {
    return bodies_[static_cast<std::size_t>(id.index + 1)];
  }  // ground first
  const BodyMotion& body_of(MarkerId id) const { return body((*table_)[id].body); }
  BlockId owner(MarkerId id) const { return (*table_)[id].body; }
  const Layout& layout() const { return *layout_; }
  const MarkerTable& table() const { return *table_; }

 private:
  const Layout* layout_;
  const MarkerTable* table_;
  std::vector<BodyMotion> bodies_;
  std::vector<MarkerMotion> markers_;
};

}  // namespace trunnion::assembly
