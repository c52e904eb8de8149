#pragma once
// Where the model's bodies and markers are before assembly, as rigid frames in ground axes.

#include <optional>
#include <unordered_map>

#include "core/diagnostics.hpp"
#include "math/so3.hpp"
#include "model/model.hpp"
#include "system/owner.hpp"

namespace trunnion::system {

struct Frame {
  math::Vec3 p = math::Vec3::Zero();
  math::Mat3 R = math::Mat3::Identity();

  Frame operator*(const Frame& inner) const { return {p + R * inner.p, R * inner.R}; }
  Frame inverse() const { return {-(R.transpose() * p), R.transpose()}; }
};

class Frames {
 public:
  Frames(const model::Model& model, core::Diagnostics& diagnostics);

  const Owners& owners() const { return owners_; }
  Frame body(Owner owner) const;  // X_GB of the body frame; ground is the identity
  Frame marker(int id);           // X_GM; the identity for 0 and for floating markers
  Frame marker_on_body(int id);   // X_BM on its owner's body frame
  void put(int marker, const Frame& X_GM) { markers_[marker] = X_GM; }  // one whose place is a node's

 private:
  template <class T> Frame placed(const T& body);
  Frame local(const model::Marker& marker);

  const model::Model& model_;
  core::Diagnostics& diagnostics_;
  Owners owners_;
  std::unordered_map<int, Frame> markers_;
  std::unordered_map<int, Frame> parts_, point_masses_, flex_bodies_, fe_parts_;
  int depth_ = 0;  // of RM chains
};

}  // namespace trunnion::system
