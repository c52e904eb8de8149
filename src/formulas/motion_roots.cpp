#include "formulas/motion_roots.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace trunnion::formulas {

namespace {

// Relative to the largest: a linear corrector leaves 1e-15, and a few dozen of that stay below.
constexpr double kLost = 1e-13;

Roots values(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXcd found = matrix.eigenvalues();
  return {found.begin(), found.end()};
}

// A formula that keeps nothing else repeats its first step.
bool keeps_nothing(const Motion& motion) {
  const Eigen::Matrix2d step = motion[1] * motion[0].inverse();
  for (int k = 2; k <= kStartingSteps; ++k)
    if ((motion[k] - step * motion[k - 1]).norm() > 1e-12 * (motion[k - 1].norm() + motion[k].norm()))
      return false;
  return true;
}

// Block (i, j) is the motion after `from` + i + j steps.
Eigen::MatrixXd hankel(const Motion& motion, int from, int blocks) {
  Eigen::MatrixXd h(2 * blocks, 2 * blocks);
  for (int i = 0; i < blocks; ++i)
    for (int j = 0; j < blocks; ++j) h.block<2, 2>(2 * i, 2 * j) = motion[from + i + j];
  return h;
}

}  // namespace

Roots motion_roots(const Motion& motion) {
  if (keeps_nothing(motion)) return values(motion[1] * motion[0].inverse());
  // The least linear system that has this motion (B. L. Ho, R. E. Kálmán; J.-N. Juang, R. S. Pappa): its matrix is that of the shift.
  constexpr int kBlocks = (kStepsForRoots - kStartingSteps + 1) / 2;
  const Eigen::MatrixXd here = hankel(motion, kStartingSteps, kBlocks);
  const Eigen::MatrixXd next = hankel(motion, kStartingSteps + 1, kBlocks);
  using Svd = Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>;  // a square matrix needs none
  const Svd svd(here, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd& sizes = svd.singularValues();
  const auto rank = std::count_if(sizes.begin(), sizes.end(), [&](double s) { return s > kLost * sizes[0]; });
  const Eigen::VectorXd scale = sizes.head(rank).cwiseSqrt().cwiseInverse();
  return values(scale.asDiagonal() * svd.matrixU().leftCols(rank).transpose() * next *
                svd.matrixV().leftCols(rank) * scale.asDiagonal());
}

}  // namespace trunnion::formulas
