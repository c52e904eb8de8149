#pragma once
// Checks statements against the schema, however they came about: what is missing, out of range, of the wrong
// length, contradictory, or points to a statement that is not there. All findings are collected.

#include "core/diagnostics.hpp"
#include "model/model.hpp"

namespace trunnion::model {

void validate(const Model& model, core::Diagnostics& diagnostics);
// Commands, checked against the model they act on.
void validate(const Script& script, const Model& model, core::Diagnostics& diagnostics);

// By its full keyword; kNone: there is none.
Kind kind_named(std::string_view keyword);

// "; nearest: MARKER/2202 'hub'" for an id that is not there, or nothing.
std::string nearest_id(const Model& model, Kind kind, int id);

}  // namespace trunnion::model
