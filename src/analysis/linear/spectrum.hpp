#pragma once
// Eigenvalues, and how well each is known. A matrix B found in floating point has the eigenvalues of B + F with ‖F‖ up to some
// n ε ‖B‖, which moves an eigenvalue λ by ‖F‖ κ, κ = ‖x‖ ‖y‖ / |yᴴx| of its vectors on the right and on the left (Wilkinson).
// Where that is more than the way to the next eigenvalue, they are a cluster: p of them move by ‖B‖ (n ε)^(1/p) at most.
// What cancelled before the matrix was made is no part of this: see StiffnessDoubt in linear/levels.hpp.

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "core/words.hpp"

namespace trunnion::analysis {

struct Spectrum {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
  Eigen::VectorXd doubt;  // how far each value may be from the true one
  Eigen::VectorXd scale;  // of a matrix that was balanced: vectors over it have entries of like meaning

  bool is_zero(Eigen::Index k) const { return std::abs(values[k]) <= doubt[k]; }
  bool grows(Eigen::Index k) const { return !is_zero(k) && values[k].real() > doubt[k]; }
};

// Of a real matrix, balanced first.
Spectrum spectrum(const Eigen::MatrixXd& A);

// The diagonal of powers of two that makes rows and columns about as long as each other.
Eigen::VectorXd balancing(Eigen::MatrixXd A);

// Rows of as many as columns are independent, each the largest of those not told by the others.
std::vector<int> telling_entries(Eigen::MatrixXd columns);
std::vector<int> telling_entries(const Eigen::MatrixXcd& vectors, const std::vector<Eigen::Index>& chosen);

// "2 eigenvalues are zero within rounding: free motions of PART/3 …, PART/4 …"
core::Words free_motions(int count, const std::vector<core::Words>& coordinates);

}  // namespace trunnion::analysis
