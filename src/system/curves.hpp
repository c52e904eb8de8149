#pragma once
// A CURVE statement's points as a curve.

#include <optional>
#include <string>

#include <Eigen/Core>

#include "math/curve.hpp"
#include "model/model.hpp"

namespace trunnion::system {

// Points in rows, x y z in columns, as the statement's CVP or points through which it goes.
std::optional<math::Curve> curve_through(const model::Curve& curve, const Eigen::MatrixXd& points,
                                         std::string& trouble);

// Empty where it cannot be made: for want of a MATRIX with three columns, then `trouble` is empty too, or for the reason told.
std::optional<math::Curve> curve_of(const model::Model& model, const model::Curve& curve,
                                    std::string& trouble);

}  // namespace trunnion::system
