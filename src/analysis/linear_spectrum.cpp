#include "analysis/linear_spectrum.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

namespace trunnion::analysis {

namespace {

// Similar by a diagonal of powers of two, until rows and columns are about as long as each other (Osborne, Parlett, Reinsch).
// Returns the diagonal.
Eigen::VectorXd balance(Eigen::MatrixXd& A) {
  const Eigen::Index n = A.rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  constexpr int kSweeps = 50;
  bool changed = n > 0;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double c = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      const double r = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (c == 0 || r == 0) continue;
      const double f = std::exp2(std::round(std::log2(std::sqrt(r / c))));
      if (!((c * f + r / f) < 0.95 * (c + r))) continue;
      changed = true;
      scale[i] *= f;
      A.col(i) *= f;
      A.row(i) /= f;
    }
  }
  return scale;
}

// κ of each eigenvalue; the rows of V⁻¹ are the left vectors.
Eigen::VectorXd condition(const Eigen::MatrixXcd& V) {
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(V);
  const Eigen::MatrixXcd left = lu.inverse();
  Eigen::VectorXd out(V.cols());
  for (Eigen::Index k = 0; k < V.cols(); ++k) {
    const double size = left.row(k).norm() * V.col(k).norm();
    out[k] = std::isfinite(size) ? std::max(1.0, size) : std::numeric_limits<double>::infinity();
  }
  return out;
}

}  // namespace

Spectrum spectrum(const Eigen::MatrixXd& given) {
  Spectrum out;
  const Eigen::Index n = given.rows();
  if (n == 0) return out;
  Eigen::MatrixXd A = given;
  const Eigen::VectorXd scale = balance(A);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, true);
  out.values = solver.eigenvalues();
  const Eigen::MatrixXcd V = solver.eigenvectors();
  out.doubt = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * A.norm() * condition(V);
  out.vectors = scale.cast<std::complex<double>>().asDiagonal() * V;
  return out;
}

std::string free_motions(int count, const std::string& coordinate) {
  return fmt::format("{} eigenvalue{} zero within rounding: free motion{}{}", count,
                     count == 1 ? " is" : "s are", coordinate.empty() ? "" : " of ", coordinate);
}

}  // namespace trunnion::analysis
