#pragma once
// Slow modes beside very fast ones. All eigenvalues at once are known to n ε of the largest: a thin wire, whose sections turn within
// 10⁻⁸ s against their shear, hides its own bending in that rounding. The inverse about a shift of the slow modes' own size has them for
// its largest eigenvalues instead, and holds the fast ones as next to nothing. So what is not known well is found anew in the subspace
// of such modes, about shifts that go down by decades, until each is known to its own digits, or is as small as the rounding of the
// stiffness alone leaves it.

#include <functional>

#include "analysis/linear/levels.hpp"
#include "analysis/linear/spectrum.hpp"

namespace trunnion::analysis {

// P x = p x by its inverse.
class InvertedProblem {
 public:
  virtual ~InvertedProblem() = default;
  virtual bool factor(double shift) = 0;
  // What the entries of x are measured in about this shift, so that none counts for nothing beside the others.
  virtual Eigen::VectorXd unit() const = 0;
  // (P − shift)⁻¹ of each column; of vectors x as they are.
  virtual Eigen::MatrixXd inverse(const Eigen::MatrixXd& columns) const = 0;
};

struct RefineOptions {
  bool symmetric = false;  // P is, and the given vectors are orthonormal; its unit is 1
  int side = 1;            // shifts are above (1) or below (−1) zero
  // How well p of this vector can be known at all.
  std::function<double(const Eigen::VectorXcd&)> unknown;
};

void refine(InvertedProblem& problem, const RefineOptions& options, Spectrum& spectrum);

}  // namespace trunnion::analysis
