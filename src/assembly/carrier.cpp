#include "assembly/carrier.hpp"

#include "assembly/carriers/bodies.hpp"

namespace trunnion::assembly {

const BodyCarrier* carrier_of(const Block& block) {
  switch (block.kind) {
    case BlockKind::rigid: return &rigid_carrier();
    case BlockKind::point: return &point_carrier();
    case BlockKind::planar: return &planar_carrier();
    default: return nullptr;
  }
}

const Carrier& carrier_of(const MarkerDef& def, const Layout& layout) {
  if (def.carrier) return *def.carrier;
  return def.body.valid() ? *carrier_of(layout.block(def.body)) : ground_carrier();
}

}  // namespace trunnion::assembly
