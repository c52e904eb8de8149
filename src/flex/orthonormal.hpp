#pragma once
// Modes of a small pair K, M with rigid motions taken out by generalised mass.

#include <Eigen/Core>

namespace trunnion::flex {

struct Orthonormal {
  Eigen::VectorXd eigenvalues;  // ascending
  Eigen::MatrixXd vectors;      // N: NᵀMN = 1, NᵀKN = Λ, RᵀMN = 0
};

// R: the rigid motions in the pair's coordinates, by columns; independent. Throws InputError where M is not positive definite.
Orthonormal without_rigid(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, const Eigen::MatrixXd& R);

// Each column times ±1, so that its largest entry is positive; among equals the first decides. Two runs give the same bits, and two
// machines the same sign. `also` goes with it.
void fix_signs(Eigen::MatrixXd& shapes, Eigen::MatrixXd& also);

}  // namespace trunnion::flex
