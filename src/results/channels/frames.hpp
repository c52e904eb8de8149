#pragma once
// How frames move, as channels that are there when asked for:
//   MARKER/12.X Y Z PSI THETA PHI VX … WDZ    a marker, in ground axes: where a pattern names it ("*.X" does not)
//   XFORM/2.X …                               the frame of PART/2 itself, which is what the commercial tool's results
//                                             file tells of a part (PART/2.X … is the mass centre)
// Angles are body 3-1-3.

#include <string_view>

#include "results/channels/channel.hpp"
#include "system/system.hpp"

namespace trunnion::results {

class FrameChannels {
 public:
  // `part_frames`: all of XFORM, whatever the patterns say.
  FrameChannels(const system::System& system, const model::Model& model, std::string_view patterns,
                bool part_frames);

  // Those that a pattern names come first.
  void list(std::vector<Channel>& channels) const;
  std::size_t named() const { return kComponents * (named_parts_ + markers_.size()); }
  void sample(const assembly::Kinematics& kinematics, std::vector<double>& values) const;

  static constexpr int kComponents = 18;

 private:
  struct Part {
    std::string group;
    assembly::BlockId body;
    math::Vec3 p_CB;  // from the mass centre to the part's frame, in body axes
  };
  struct Marker {
    std::string group;
    assembly::MarkerId id;
  };
  std::vector<Part> parts_;  // first those that a pattern names
  std::size_t named_parts_ = 0;
  std::vector<Marker> markers_;
  model::UnitSystem units_;
};

// X Y Z PSI THETA PHI VX … WDZ of `group`, with their units.
void add_motion(std::vector<Channel>& channels, const std::string& group, const model::UnitSystem& units,
                core::Subject about = {});

}  // namespace trunnion::results
