#pragma once
// A CURVE statement's points as a curve.

#include <optional>
#include <string>

#include "math/curve.hpp"
#include "model/model.hpp"

namespace trunnion::system {

// Empty where it cannot be made: for want of a MATRIX with three columns, then `trouble` is empty too, or for the reason told.
std::optional<math::Curve> curve_of(const model::Model& model, const model::Curve& curve,
                                    std::string& trouble);

}  // namespace trunnion::system
