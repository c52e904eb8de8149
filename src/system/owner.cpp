#include "system/owner.hpp"

namespace trunnion::system {

using model::kind_of;
using model::Marker;

Owners::Owners(const model::Model& model) : model_(model) {
  Owner last;
  for (const model::Model::Entry entry : model.order) {
    const bool body = entry.kind == kind_of<model::Part>() || entry.kind == kind_of<model::PointMass>() ||
                      entry.kind == kind_of<model::FlexBody>() || entry.kind == kind_of<model::FePart>();
    if (body) last = {entry.kind, model.at(entry).id};
    if (!(entry.kind == kind_of<Marker>())) continue;
    const Marker& marker = model.all<Marker>()[entry.index];
    if (!named(marker).known()) implied_.emplace(marker.id, last);
  }
}

Owner Owners::named(const Marker& m) {
  if (m.part.given()) return {kind_of<model::Part>(), m.part.id};
  if (m.point_mass.given()) return {kind_of<model::PointMass>(), m.point_mass.id};
  if (m.flex_body.given()) return {kind_of<model::FlexBody>(), m.flex_body.id};
  if (m.fe_part.given()) return {kind_of<model::FePart>(), m.fe_part.id};
  if (m.curve.given()) return {kind_of<model::Curve>(), m.curve.id};
  if (m.surface.given()) return {kind_of<model::Surface>(), m.surface.id};
  return {};
}

Owner Owners::of(const Marker& marker) const {
  const Owner owner = named(marker);
  if (owner.known()) return owner;
  const auto found = implied_.find(marker.id);
  return found == implied_.end() ? Owner{} : found->second;
}

Owner Owners::of(int marker_id) const {
  const Marker* marker = model_.find<Marker>(marker_id);
  return marker ? of(*marker) : Owner{};
}

}  // namespace trunnion::system
