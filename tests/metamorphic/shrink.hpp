#pragma once
// From a mechanism that breaks a relation to the smallest one found that still does.

#include <string>

#include "metamorphic/relations.hpp"

namespace trunnion::metamorphic {

// Drops statements with all that refers to them, then arguments that have a default, then time, as long as the relation still fails.
Case shrunk(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed);

// Writes the model, and a script that runs it, into the folder TRUNNION_FAILURES names (metamorphic-failures here, unless set).
// Returns the path of the model.
std::string keep(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed);

}  // namespace trunnion::metamorphic
