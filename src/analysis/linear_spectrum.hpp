#pragma once
// Eigenvalues, and how well each is known. A matrix B found in floating point has the eigenvalues of B + F with ‖F‖ up to some
// n ε ‖B‖, which moves an eigenvalue λ by ‖F‖ κ, κ = ‖x‖ ‖y‖ / |yᴴx| of its vectors on the right and on the left (Wilkinson).
// What cancelled before the matrix was made is no part of this: see StiffnessDoubt in linear_levels.hpp.

#include <cmath>
#include <complex>
#include <string>

#include <Eigen/Core>

namespace trunnion::analysis {

struct Spectrum {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
  Eigen::VectorXd doubt;  // how far each value may be from the true one

  bool is_zero(Eigen::Index k) const { return std::abs(values[k]) <= doubt[k]; }
  bool grows(Eigen::Index k) const { return !is_zero(k) && values[k].real() > doubt[k]; }
};

// Of a real matrix, balanced first.
Spectrum spectrum(const Eigen::MatrixXd& A);

// "2 eigenvalues are zero within rounding: free motion of PART/3 …"
std::string free_motions(int count, const std::string& coordinate);

}  // namespace trunnion::analysis
