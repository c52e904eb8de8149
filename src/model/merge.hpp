#pragma once
// A statement re-issued as a command changes the arguments it gives and leaves the others; with DEFAULT (INTEGRATOR, EQUILIBRIUM, IC,
// KINEMATICS) the others go back to the standard values.

#include "model/model.hpp"

namespace trunnion::model {

// Copies every argument that `from` gives into `into`; both are of the schema's type.
void merge(const Schema& schema, const Statement& from, Statement& into);

// Applies a command that is a statement to the model. False where the model has none of that id.
bool apply(const Command& command, Model& model);

}  // namespace trunnion::model
