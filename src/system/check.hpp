#pragma once
// What the schema alone cannot see: expressions, the bodies that markers sit on, tables of data, ground. Every
// finding is collected; nothing is changed.

#include <functional>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/joint_type.hpp"
#include "model/model.hpp"

namespace trunnion::system {

// Where a piece of an expression's text stands in its file; src/lang knows how to tell.
using Locate = std::function<core::Span(const model::Expression&, std::size_t offset, std::size_t length)>;

void check_model(const model::Model& model, const Locate& locate, core::Diagnostics& diagnostics);
void check_script(const model::Script& script, const model::Model& model, const Locate& locate,
                  core::Diagnostics& diagnostics);

// Whether FRICTION reads this argument in a joint of that type.
bool friction_reads(std::string_view argument, core::JointType type);

}  // namespace trunnion::system
