#pragma once
// Whether states of a model (DIFF, LSE, TFSISO, GSE) follow reactions of constraints, by themselves or through VARIABLEs. With index 3 a reaction
// is a second derivative of places: after every change of the step it is off by much, and most where steps are short, so that a
// tight ERROR of such a state is met by no step.

#include "model/model.hpp"

namespace trunnion::analysis {

bool states_read_reactions(const model::Model& model);

}  // namespace trunnion::analysis
