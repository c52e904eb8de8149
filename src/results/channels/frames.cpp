#include "results/channels/frames.hpp"

#include <fmt/format.h>

#include "results/channels/selection.hpp"
#include "results/channels/unit_names.hpp"
#include "system/frames.hpp"

namespace trunnion::results {

using math::Mat3;
using math::Vec3;
using model::kind_of;

namespace {

constexpr const char* kNames[FrameChannels::kComponents] = {"X",    "Y",    "Z",    "PSI", "THETA", "PHI",
                                                            "VX",   "VY",   "VZ",   "WX",  "WY",    "WZ",
                                                            "ACCX", "ACCY", "ACCZ", "WDX", "WDY",   "WDZ"};

bool wanted(const std::string& group, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (pattern.starts_with('*')) continue;  // that would be every marker of the model
    for (const char* name : kNames) {
      if (matches(pattern, group + "." + name)) return true;
    }
  }
  return false;
}

void put(std::vector<double>& values, const Vec3& v) { values.insert(values.end(), v.data(), v.data() + 3); }

void put(std::vector<double>& values, const Vec3& p, const Mat3& R, const Vec3& v, const Vec3& w,
         const Vec3& a, const Vec3& alpha) {
  const math::EulerAngles angles = math::euler_313(R);
  put(values, p);
  put(values, {angles.first, angles.second, angles.third});
  put(values, v);
  put(values, w);
  put(values, a);
  put(values, alpha);
}

}  // namespace

void add_motion(std::vector<Channel>& channels, const std::string& group, const model::UnitSystem& units,
                core::Subject about) {
  const UnitNames u = unit_names(units);
  const std::string* const by_three[] = {&u.length, &u.angle,        &u.speed,
                                         &u.spin,   &u.acceleration, &u.spin_rate};
  for (std::size_t k = 0; k < FrameChannels::kComponents; ++k)
    channels.push_back({group + "." + kNames[k], *by_three[k / 3], about});
}

FrameChannels::FrameChannels(const system::System& system, const model::Model& model,
                             std::string_view patterns, bool part_frames)
    : units_(system.units()) {
  const std::vector<std::string> words = split_patterns(patterns);
  core::Diagnostics said_before;
  system::Frames frames(model, said_before);
  for (const system::BodyInfo& body : system.bodies()) {
    const core::Subject owner = body.label.subject();
    if (owner.kind != kind_of<model::Part>()) continue;
    const std::string group = fmt::format("XFORM/{}", owner.id);
    const auto* part = model.find<model::Part>(owner.id);
    const bool named = wanted(group, words);
    if (!part || (!part_frames && !named)) continue;
    const Vec3 p_BC = part->cm.given() ? frames.marker_on_body(part->cm.id).p : Vec3(Vec3::Zero());
    const auto at = parts_.begin() + static_cast<std::ptrdiff_t>(named ? named_parts_++ : parts_.size());
    parts_.insert(at, {group, body.block, -p_BC});
  }
  if (words.empty()) return;
  for (const model::Marker& marker : model.all<model::Marker>()) {
    const std::string group = fmt::format("MARKER/{}", marker.id);
    const auto id = system.find_marker(marker.id);
    if (id && wanted(group, words)) markers_.push_back({group, *id});
  }
}

void FrameChannels::list(std::vector<Channel>& channels) const {
  for (std::size_t k = 0; k < named_parts_; ++k) add_motion(channels, parts_[k].group, units_);
  for (const Marker& marker : markers_) add_motion(channels, marker.group, units_);
  for (std::size_t k = named_parts_; k < parts_.size(); ++k) add_motion(channels, parts_[k].group, units_);
}

void FrameChannels::sample(const assembly::Kinematics& kinematics, std::vector<double>& values) const {
  const auto sample_part = [&](const Part& part) {
    const assembly::BodyMotion& m = kinematics.body(part.body);
    const Vec3 r = m.R * part.p_CB;
    put(values, m.x + r, m.R, m.v + m.w.cross(r), m.w, m.a + m.alpha.cross(r) + m.w.cross(m.w.cross(r)),
        m.alpha);
  };
  for (std::size_t k = 0; k < named_parts_; ++k) sample_part(parts_[k]);
  for (const Marker& marker : markers_) {
    const assembly::MarkerMotion& m = kinematics.marker(marker.id);
    put(values, m.p, m.R, m.v, m.w, m.a, m.alpha);
  }
  for (std::size_t k = named_parts_; k < parts_.size(); ++k) sample_part(parts_[k]);
}

}  // namespace trunnion::results
