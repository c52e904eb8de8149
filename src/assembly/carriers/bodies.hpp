#pragma once
// The carriers that need no data of their own: one of each kind serves all its bodies.

#include "assembly/carrier.hpp"

namespace trunnion::assembly {

const Carrier& ground_carrier();
const BodyCarrier& rigid_carrier();
const BodyCarrier& planar_carrier();
const BodyCarrier& point_carrier();

}  // namespace trunnion::assembly
