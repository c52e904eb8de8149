#include "analysis/linear/spectrum.hpp"

#include <algorithm>
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

// Of eigenvalues that lie together, as two of a critically damped mass do, κ says nothing: p of them come apart by the p-th root of
// what the matrix is known to.
double cluster_doubt(const Eigen::VectorXcd& values, Eigen::Index k, double part, double size) {
  const auto within = [&](double radius) { return ((values.array() - values[k]).abs() <= radius).count(); };
  int p = 2;
  while (p < values.size() && within(size * std::pow(part, 1.0 / (p + 1))) > p) ++p;
  return size * std::pow(part, 1.0 / p);
}

Eigen::VectorXd doubts(const Eigen::MatrixXd& A, const Eigen::VectorXcd& values, const Eigen::MatrixXcd& V) {
  const Eigen::Index n = A.rows();
  const double part = static_cast<double>(n) * std::numeric_limits<double>::epsilon(), size = A.norm();
  Eigen::VectorXd out = part * size * condition(V);
  // A regular matrix has no eigenvalue zero, however badly its vectors are known.
  constexpr double kRegular = 16;
  const bool regular = Eigen::PartialPivLU<Eigen::MatrixXd>(A).rcond() > kRegular * part;
  for (Eigen::Index k = 0; k < n; ++k) {
    double apart = std::numeric_limits<double>::infinity();
    for (Eigen::Index j = 0; j < n; ++j) {
      if (j != k) apart = std::min(apart, std::abs(values[j] - values[k]));
    }
    if (!(out[k] <= apart / 2)) out[k] = std::min(out[k], cluster_doubt(values, k, part, size));
    if (regular) out[k] = std::min(out[k], std::abs(values[k]) / 2);
  }
  return out;
}

}  // namespace

Eigen::VectorXd balancing(Eigen::MatrixXd A) { return balance(A); }

Spectrum spectrum(const Eigen::MatrixXd& given) {
  Spectrum out;
  const Eigen::Index n = given.rows();
  if (n == 0) return out;
  Eigen::MatrixXd A = given;
  const Eigen::VectorXd scale = balance(A);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, true);
  out.values = solver.eigenvalues();
  const Eigen::MatrixXcd V = solver.eigenvectors();
  out.doubt = doubts(A, out.values, V);
  out.vectors = scale.cast<std::complex<double>>().asDiagonal() * V;
  out.scale = scale;
  return out;
}

std::vector<int> telling_entries(Eigen::MatrixXd columns) {
  constexpr double kNothing = 1e-6;
  std::vector<int> entries;
  double first = 0;
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    Eigen::Index row = 0;
    const double size = columns.rows() > 0 ? columns.rowwise().norm().maxCoeff(&row) : 0.0;
    if (k == 0) first = size;
    if (!(size > kNothing * first)) break;
    entries.push_back(static_cast<int>(row));
    const Eigen::RowVectorXd direction = columns.row(row).normalized();
    columns -= (columns * direction.transpose()).eval() * direction;
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<int> telling_entries(const Eigen::MatrixXcd& vectors, const std::vector<Eigen::Index>& chosen) {
  Eigen::MatrixXd columns(vectors.rows(), 2 * static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    columns.col(static_cast<Eigen::Index>(2 * k)) = vectors.col(chosen[k]).real();
    columns.col(static_cast<Eigen::Index>(2 * k + 1)) = vectors.col(chosen[k]).imag();
  }
  return telling_entries(std::move(columns));
}

core::Words free_motions(int count, const std::vector<core::Words>& coordinates) {
  constexpr std::size_t kShown = 6;
  core::Words names;
  for (std::size_t k = 0; k < std::min(kShown, coordinates.size()); ++k)
    names += (k ? ", " : "") + coordinates[k];
  if (coordinates.size() > kShown) names += core::words(" and {} more", coordinates.size() - kShown);
  return core::words("{} eigenvalue{} zero within rounding: free motion{}{}", count,
                     count == 1 ? " is" : "s are", names.empty() ? "" : " of ", names);
}

}  // namespace trunnion::analysis
