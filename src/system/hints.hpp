#pragma once
// Values that are allowed but look like slips: gravity of another unit of length, degrees written as radians, a largest step that
// no run could finish with. Warnings, each with what was probably meant.

#include "core/diagnostics.hpp"
#include "model/model.hpp"

namespace trunnion::system {

void add_hints(const model::Model& model, core::Diagnostics& diagnostics);

}  // namespace trunnion::system
