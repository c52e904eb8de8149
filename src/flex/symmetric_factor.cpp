#include "flex/symmetric_factor.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Spectra/SymGEigsShiftSolver.h>
#include <fmt/format.h>

#include "flex/input_error.hpp"

namespace trunnion::flex {

namespace {

sparse::CscMatrix compressed(const SparseMatrix& A) {
  SparseMatrix B = A;
  B.makeCompressed();
  sparse::CscMatrix out;
  out.rows = static_cast<int>(B.rows());
  out.cols = static_cast<int>(B.cols());
  out.start.assign(B.outerIndexPtr(), B.outerIndexPtr() + B.cols() + 1);
  out.row.assign(B.innerIndexPtr(), B.innerIndexPtr() + B.nonZeros());
  out.value.assign(B.valuePtr(), B.valuePtr() + B.nonZeros());
  return out;
}

// (K + shift M)⁻¹ as Spectra asks for it; the shift is in the factors.
class Inverse {
 public:
  using Scalar = double;
  Inverse(const SymmetricFactor& factor, Eigen::Index size) : factor_(factor), size_(size) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  void set_shift(const double&) {}
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd> out(y, size_);
    out = Eigen::Map<const Eigen::VectorXd>(x, size_);
    factor_.solve_in_place(out);
  }

 private:
  const SymmetricFactor& factor_;
  Eigen::Index size_;
};

class Product {
 public:
  using Scalar = double;
  explicit Product(const SparseMatrix& A) : A_(A) {}
  Eigen::Index rows() const { return A_.rows(); }
  Eigen::Index cols() const { return A_.cols(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, A_.rows()) = A_ * Eigen::Map<const Eigen::VectorXd>(x, A_.cols());
  }

 private:
  const SparseMatrix& A_;
};

// M x = μ (K + shift M) x: the pair turned round, so that M may be singular and the largest μ are the lowest λ = 1/μ − shift.
Modes turned_round(const Eigen::MatrixXd& shifted, const Eigen::MatrixXd& M, double shift, int count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pair(M, shifted);
  const Eigen::VectorXd& mu = pair.eigenvalues();
  constexpr double kNoMass = 1e-14;  // of the largest: no mass takes part
  int found = 0;
  while (found < std::min<int>(count, static_cast<int>(mu.size())) &&
         mu[mu.size() - 1 - found] > kNoMass * mu[mu.size() - 1])
    ++found;
  Modes modes{Eigen::VectorXd(found), Eigen::MatrixXd(M.rows(), found)};
  for (int k = 0; k < found; ++k) {
    const double value = mu[mu.size() - 1 - k];
    modes.values[k] = 1 / value - shift;
    modes.vectors.col(k) = pair.eigenvectors().col(mu.size() - 1 - k) / std::sqrt(value);
  }
  return modes;
}

// A few directions, close to modes, made into them: one more inverse iteration, then the best that their span has.
Modes polished(const SparseMatrix& K, const SparseMatrix& M, double shift, const SymmetricFactor& factor,
               const Eigen::MatrixXd& near, int count) {
  const Eigen::MatrixXd X = factor.solve(M * near);
  const Eigen::MatrixXd MX = M * X;
  const Eigen::MatrixXd m = X.transpose() * MX, k = X.transpose() * (K * X) + shift * m;
  Modes small = turned_round((k + k.transpose()) / 2, (m + m.transpose()) / 2, shift, count);
  small.vectors = X * small.vectors;
  return small;
}

Modes by_lanczos(const SparseMatrix& K, const SparseMatrix& M, double shift, const SymmetricFactor& factor,
                 int count, int space) {
  Inverse inverse(factor, K.rows());
  Product product(M);
  Spectra::SymGEigsShiftSolver<Inverse, Product, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, space, -shift);
  // A start that every mode is in, and that M sees: the same in each run.
  Eigen::VectorXd start(K.rows());
  for (Eigen::Index k = 0; k < start.size(); ++k)
    start[k] = 1.0 + 0.5 * std::sin(static_cast<double>(7 * k + 1));
  start = M * start;
  factor.solve_in_place(start);
  solver.init(start.data());
  constexpr int kRestarts = 1000;
  constexpr double kTolerance = 1e-12;
  solver.compute(Spectra::SortRule::LargestMagn, kRestarts, kTolerance);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw InputError(
        fmt::format("the lowest {} modes were not found in {} restarts of Lanczos' method", count, kRestarts),
        "ask for fewer modes");
  return polished(K, M, shift, factor, solver.eigenvectors(), count);
}

// Whether as many eigenvalues are below a place between two of these as were found there.
bool none_missing(const SparseMatrix& K, const SparseMatrix& M, const Modes& modes) {
  const Eigen::Index n = modes.values.size();
  if (n < 2) return true;
  Eigen::Index widest = n - 2;
  for (Eigen::Index k = n / 2; k + 1 < n; ++k) {
    if (modes.values[k + 1] - modes.values[k] > modes.values[widest + 1] - modes.values[widest]) widest = k;
  }
  return count_below(K, M, (modes.values[widest] + modes.values[widest + 1]) / 2) == widest + 1;
}

}  // namespace

bool SymmetricFactor::factor(const SparseMatrix& A) {
  const sparse::CscMatrix matrix = compressed(A);
  size_ = matrix.cols;
  if (size_ == 0) return true;
  sparse::Plan plan;
  plan.symmetric = true;
  if (!factors_.analyse(matrix, plan)) return false;
  if (factors_.factor(matrix) == sparse::FactorStatus::singular) return false;
  negative_ = factors_.inertia() ? factors_.inertia()->negative : 0;
  return true;
}

Eigen::MatrixXd SymmetricFactor::solve(const Eigen::MatrixXd& B) const {
  Eigen::MatrixXd X = B;
  for (Eigen::Index k = 0; k < X.cols(); ++k) solve_in_place(X.col(k));
  return X;
}

void SymmetricFactor::solve_in_place(Eigen::Ref<Eigen::VectorXd> b) const {
  if (size_ > 0) factors_.solve(b);
}

SparseMatrix part_of(const SparseMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    place[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (SparseMatrix::InnerIterator e(A, columns[c]); e; ++e) {
      const int row = place[static_cast<std::size_t>(e.row())];
      if (row >= 0) entries.emplace_back(row, static_cast<int>(c), e.value());
    }
  }
  SparseMatrix out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

int count_below(const SparseMatrix& K, const SparseMatrix& M, double value) {
  SymmetricFactor factor;
  if (!factor.factor(K - value * M))
    throw InputError("the modes below a frequency cannot be counted: the shifted stiffness is singular",
                     "ask for another number of modes");
  return factor.negative();
}

Modes lowest_modes(const SparseMatrix& K, const SparseMatrix& M, double shift, const SymmetricFactor& shifted,
                   int count) {
  constexpr int kSmall = 400;  // full matrices are as quick, and give all there is
  const auto n = static_cast<int>(K.rows());
  if (count <= 0 || n == 0) return {Eigen::VectorXd(0), Eigen::MatrixXd(n, 0)};
  if (n <= kSmall || count > n / 3)
    return turned_round(Eigen::MatrixXd(K) + shift * Eigen::MatrixXd(M), Eigen::MatrixXd(M), shift, count);
  for (int space = std::min(n, std::max(2 * count + 1, count + 30));; space = std::min(n, 2 * space)) {
    Modes modes = by_lanczos(K, M, shift, shifted, count, space);
    if (none_missing(K, M, modes)) return modes;
    if (space >= std::min(n, 8 * count))
      throw InputError("modes were passed over: as many as found are not all below the highest of them",
                       "ask for another number of modes");
  }
}

}  // namespace trunnion::flex
