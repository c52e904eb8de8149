#pragma once
// Whether IP is the inertia of a body: no axis has a negative moment (an error), and none has more than the other two together (a
// warning). Both are judged by the digits the numbers were written with: a thin rod printed with three of them passes.

#include "core/diagnostics.hpp"
#include "model/model.hpp"

namespace trunnion::system {

// Of a model without errors so far.
void check_inertia(const model::Model& model, core::Diagnostics& diagnostics);

}  // namespace trunnion::system
