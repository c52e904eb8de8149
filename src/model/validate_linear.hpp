#pragma once
// What the table cannot say of LINEAR: which arguments its analyses do not look at.

#include "core/diagnostics.hpp"
#include "model/schema.hpp"
#include "model/statements.hpp"

namespace trunnion::model {

void check_linear(const Schema& schema, const Linear& command, core::Diagnostics& diagnostics);

}  // namespace trunnion::model
