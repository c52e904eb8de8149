#pragma once
// The body a marker sits on.

#include "model/model.hpp"

namespace trunnion::system {

struct Owner {
  model::Kind kind;  // Part, PointMass, FlexBody, FePart, Curve or Surface; kNone where there is none
  int id = 0;

  friend bool operator==(const Owner&, const Owner&) = default;
  bool known() const { return kind.index != model::Kind::kNone; }
};

// Named by the marker itself; a marker that names none belongs to the body stated last before it.
class Owners {
 public:
  explicit Owners(const model::Model& model);
  Owner of(const model::Marker& marker) const;
  Owner of(int marker_id) const;

 private:
  static Owner named(const model::Marker& marker);

  const model::Model& model_;
  std::unordered_map<int, Owner> implied_;  // marker id → body, for markers that name none
};

}  // namespace trunnion::system
