#include "flex/orthonormal.hpp"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "flex/input_error.hpp"

namespace trunnion::flex {

Orthonormal without_rigid(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, const Eigen::MatrixXd& R) {
  const Eigen::Index n = M.rows(), rigid = R.cols();
  if (n <= rigid) return {Eigen::VectorXd(0), Eigen::MatrixXd(n, 0)};
  if (!(M.diagonal().minCoeff() > 0))
    throw InputError("a motion of the reduced body has no mass",
                     "give the interface's neighbourhood a density");
  const Eigen::VectorXd d = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> cholesky(d.asDiagonal() * M * d.asDiagonal());
  if (cholesky.info() != Eigen::Success)
    throw InputError("the reduced mass matrix is not positive definite: two modes move alike",
                     "two interfaces at one place? Take one of them");
  // y = Lᵀ d⁻¹ x turns M into 1: what is orthogonal to the rigid motions there is mass-orthogonal to them here.
  const Eigen::MatrixXd y = cholesky.matrixU() * Eigen::MatrixXd(d.cwiseInverse().asDiagonal() * R);
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(y).householderQ();
  const Eigen::MatrixXd back = d.asDiagonal() * cholesky.matrixU().solve(Q.rightCols(n - rigid));
  const Eigen::MatrixXd A = back.transpose() * K * back;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes((A + A.transpose()) / 2);
  return {modes.eigenvalues(), back * modes.eigenvectors()};
}

void fix_signs(Eigen::MatrixXd& shapes, Eigen::MatrixXd& also) {
  constexpr double kEqual = 1 - 1e-6;
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    const double largest = shapes.col(k).cwiseAbs().maxCoeff();
    Eigen::Index first = 0;
    while (first + 1 < shapes.rows() && std::abs(shapes(first, k)) < kEqual * largest) ++first;
    if (shapes.rows() > 0 && shapes(first, k) < 0) {
      shapes.col(k) *= -1;
      also.col(k) *= -1;
    }
  }
}

}  // namespace trunnion::flex
