#pragma once
// Markers as data of the compiled system, and the motion of frames. Everything that moves is in ground axes.

#include <memory>
#include <span>
#include <vector>

#include "assembly/ids.hpp"
#include "assembly/layout.hpp"

namespace trunnion::assembly {

class Carrier;

// A frame fixed in a body: its origin from the body's (the mass centre) and its axes, both in body axes.
struct MarkerDef {
  BlockId body;  // kGround: p_BM and R_BM are from the ground frame. Of a body of several blocks any one, the
                 // same for all its markers: reactions on a body are summed over the markers that share it
  Vec3 p_BM = Vec3::Zero();
  Mat3 R_BM = Mat3::Identity();
  std::shared_ptr<const Carrier> carrier = nullptr;  // none: that of the body's block (carrier.hpp)
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

// Of the frame of a body's block.
struct BodyMotion {
  Vec3 x = Vec3::Zero();
  Mat3 R = Mat3::Identity();  // R_GB
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Vec3 a = Vec3::Zero(), alpha = Vec3::Zero();
};

struct MarkerMotion {
  Vec3 p = Vec3::Zero();
  Mat3 R = Mat3::Identity();                // R_GM; its columns are the marker's axes
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // ω and α are the marker's own: a flexible body turns it, too
  Vec3 a = Vec3::Zero(), alpha = Vec3::Zero();
};

// A small motion of a frame: δp of its origin, δφ of its axes, δe = δφ × e.
struct Twist {
  Vec3 p = Vec3::Zero();
  Vec3 turn = Vec3::Zero();
};

}  // namespace trunnion::assembly
