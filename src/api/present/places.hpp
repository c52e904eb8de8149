#pragma once
// Where the statements stand that a message names: "JOINT/3 'hinge'" is told apart by its name, found by its line.

#include <string>
#include <vector>

#include "core/source.hpp"
#include "model/model.hpp"

namespace trunnion::api {

// "  JOINT/3 'hinge' is at model.adm:12", one line for each statement that the lines name, in their order.
std::vector<std::string> places_of(const std::vector<std::string>& lines, const model::Model& model,
                                   const core::SourceSet& sources);

// I and J of a message about a joint by the markers they are: "JOINT/1: z of MARKER/21 and z of MARKER/10 must be …".
std::string with_markers(std::string line, const model::Model& model);

}  // namespace trunnion::api
