#pragma once
// The matrices that a FLEX_BODY names, from the model's MATRIX statements and their files.

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "system/compile/flex_matrices.hpp"

namespace trunnion::system {

// With the modes that the statement selects. `folder`: of the model. Nothing where something is missing; `troubles` then says all of it,
// `notes` are told in any case.
std::optional<FlexMatrices> read_flex_matrices(const model::Model& model, const model::FlexBody& body,
                                               const std::string& folder, std::vector<std::string>& troubles,
                                               std::vector<std::string>& notes);

}  // namespace trunnion::system
