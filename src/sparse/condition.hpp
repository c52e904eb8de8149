#pragma once
// ‖A‖₁‖A⁻¹‖₁ estimated from a few solutions (Hager 1984, Higham 1988): a lower bound that is seldom below a third of the truth.

#include <functional>

#include <Eigen/Core>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

using Solve = std::function<void(Eigen::Ref<Eigen::VectorXd>)>;

// x and y: room of A's size.
double estimated_condition(const CscMatrix& A, const Solve& solve, const Solve& solve_transpose,
                           Eigen::VectorXd& x, Eigen::VectorXd& y);

}  // namespace trunnion::sparse
