#pragma once
// Where the statements stand that messages are about.

#include <string>
#include <vector>

#include "core/source.hpp"
#include "model/model.hpp"

namespace trunnion::api {

// "  JOINT/3 'hinge' is at model.adm:12", one line for each statement, in the order of the messages.
std::vector<std::string> statement_places(const std::vector<core::Words>& messages, const model::Model& model,
                                          const core::SourceSet& sources);

}  // namespace trunnion::api
