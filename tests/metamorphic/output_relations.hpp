#pragma once
// What results tell of a row must be what the equations held there.

#include "metamorphic/relations.hpp"

namespace trunnion::metamorphic {

Verdict angles_read(Subject& s, Random& random);
Verdict mode_read(Subject& s, Random& random);

}  // namespace trunnion::metamorphic
