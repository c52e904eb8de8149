// LU of a small matrix as a full one: rows scaled to a largest entry of 1, partial pivoting, pivots that can be kept. Up to
// kDenseUpTo unknowns that block triangular form does not take apart it is two to three times faster (docs/theory/assembly.md).

#include <algorithm>
#include <cmath>
#include <numeric>

#include <btf.h>

#include "sparse/klu_common.hpp"
#include "sparse/solvers.hpp"

namespace trunnion::sparse {
namespace {

constexpr int kDenseUpTo = 36;

class DenseSolver final : public LinearSolver {
 public:
  bool analyse(const CscMatrix& A, const Plan&) override {
    cols_.resize(static_cast<std::size_t>(A.cols));
    std::iota(cols_.begin(), cols_.end(), 0);
    return true;
  }
  bool factor(const CscMatrix& A) override {
    eliminate(A, true);
    return true;
  }
  void refactor(const CscMatrix& A) override { eliminate(A, false); }
  void solve(Eigen::Ref<Eigen::VectorXd> b) const override;
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const override;

  std::span<const double> pivots() const override { return pivots_; }
  std::span<const int> pivot_rows() const override { return row_; }
  std::span<const int> pivot_cols() const override { return cols_; }
  double growth(const CscMatrix&) const override { return growth_; }
  double condition(const CscMatrix& A) const override;
  bool factors(Factors& out, std::vector<int>& blocks) const override;

 private:
  void load(const CscMatrix& A);
  void eliminate(const CscMatrix& A, bool choose);

  Eigen::MatrixXd lu_;
  Eigen::VectorXd scale_, column_size_;
  std::vector<double> pivots_;
  std::vector<int> row_, place_;  // row_[k]: the row that gave pivot k; place_[i]: where row i of A stands
  std::vector<int> cols_;         // 0, 1, 2, …
  double growth_ = 0.0;
  mutable Eigen::VectorXd work_;
};

// The scaled rows, in the order of the pivots so far.
void DenseSolver::load(const CscMatrix& A) {
  const int n = A.cols;
  if (lu_.rows() != n) {
    lu_.resize(n, n);
    scale_.resize(n);
    column_size_.resize(n);
    work_.resize(n);
  }
  scale_.setZero();
  for (std::size_t k = 0; k < A.row.size(); ++k)
    scale_[A.row[k]] = std::max(scale_[A.row[k]], std::abs(A.value[k]));
  for (int i = 0; i < n; ++i) scale_[i] = scale_[i] > 0 ? 1 / scale_[i] : 1;
  lu_.setZero();
  column_size_.setZero();
  for (int j = 0; j < n; ++j) {
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      const double value = A.value[k] * scale_[A.row[k]];
      lu_(place_[A.row[k]], j) = value;
      column_size_[j] = std::max(column_size_[j], std::abs(value));
    }
  }
}

void DenseSolver::eliminate(const CscMatrix& A, bool choose) {
  const int n = A.cols;
  if (choose) {
    row_.resize(static_cast<std::size_t>(n));
    place_.resize(static_cast<std::size_t>(n));
    pivots_.resize(static_cast<std::size_t>(n));
    std::iota(row_.begin(), row_.end(), 0);
    std::iota(place_.begin(), place_.end(), 0);
  }
  load(A);
  growth_ = 1;
  for (int k = 0; k < n; ++k) {
    if (choose) {
      Eigen::Index best = 0;
      lu_.col(k).tail(n - k).cwiseAbs().maxCoeff(&best);
      if (best != 0) {
        lu_.row(k).swap(lu_.row(k + best));
        std::swap(row_[k], row_[k + best]);
      }
    }
    const double pivot = lu_(k, k);
    const int below = n - k - 1;
    if (pivot != 0.0) {
      lu_.col(k).tail(below) /= pivot;
      for (int j = k + 1; j < n; ++j) {
        const double u = lu_(k, j);
        if (u != 0.0) lu_.col(j).tail(below) -= u * lu_.col(k).tail(below);
      }
    } else {
      lu_.col(k).tail(below).setZero();  // a vanished pivot: its owner is asked for by name, the rest goes on
    }
    const double size = lu_.col(k).head(k + 1).cwiseAbs().maxCoeff();
    if (size > 0) growth_ = std::min(growth_, column_size_[k] / size);
  }
  for (int k = 0; k < n; ++k) {
    place_[row_[k]] = k;
    pivots_[k] = lu_(k, k);
  }
}

bool DenseSolver::factors(Factors& f, std::vector<int>& blocks) const {
  blocks = {0};
  f.l_start = f.u_start = {0};
  for (Eigen::Index c = 0; c < lu_.cols(); ++c) {
    for (Eigen::Index r = 0; r < lu_.rows(); ++r) {
      const double value = lu_(r, c);
      if (value == 0) continue;
      (r <= c ? f.u_row : f.l_row).push_back(static_cast<int>(r));
      (r <= c ? f.u_value : f.l_value).push_back(value);
    }
    f.l_row.push_back(static_cast<int>(c));
    f.l_value.push_back(1.0);
    f.l_start.push_back(static_cast<int>(f.l_row.size()));
    f.u_start.push_back(static_cast<int>(f.u_row.size()));
  }
  return true;
}

// P D A = L U with D the scale.
void DenseSolver::solve(Eigen::Ref<Eigen::VectorXd> b) const {
  const int n = static_cast<int>(lu_.rows());
  for (int k = 0; k < n; ++k) work_[k] = b[row_[k]] * scale_[row_[k]];
  for (int j = 0; j < n; ++j) {
    if (work_[j] != 0.0) work_.tail(n - j - 1) -= work_[j] * lu_.col(j).tail(n - j - 1);
  }
  for (int j = n - 1; j >= 0; --j) {
    work_[j] /= lu_(j, j);
    if (work_[j] != 0.0) work_.head(j) -= work_[j] * lu_.col(j).head(j);
  }
  b = work_;
}

void DenseSolver::solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const {
  const int n = static_cast<int>(lu_.rows());
  for (int j = 0; j < n; ++j) work_[j] = (b[j] - lu_.col(j).head(j).dot(work_.head(j))) / lu_(j, j);
  for (int j = n - 1; j >= 0; --j) work_[j] -= lu_.col(j).tail(n - j - 1).dot(work_.tail(n - j - 1));
  for (int k = 0; k < n; ++k) b[row_[k]] = work_[k] * scale_[row_[k]];
}

double DenseSolver::condition(const CscMatrix& A) const {
  const int n = static_cast<int>(lu_.rows());
  double size = 0, inverse = 0;
  Eigen::VectorXd column(n);
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) sum += std::abs(A.value[k]);
    size = std::max(size, sum);
    column.setZero();
    column[j] = 1;
    solve(column);
    inverse = std::max(inverse, column.lpNorm<1>());
  }
  return size * inverse;
}

// Of block triangular form; 0 where the pattern is singular.
int largest_block(const CscMatrix& A) {
  const auto n = static_cast<std::size_t>(A.cols);
  std::vector<int> rows(n), cols(n), blocks(n + 1), room(5 * n);
  double work = 0;
  int matched = 0;
  const int count = btf_order(A.cols, mut(A.start), mut(A.row), 0, &work, rows.data(), cols.data(),
                              blocks.data(), &matched, room.data());
  int largest = 0;
  for (int k = 0; k < count && matched == A.cols; ++k) largest = std::max(largest, blocks[k + 1] - blocks[k]);
  return largest;
}

}  // namespace

SolverEntry dense_solver() {
  return {"dense",
          [](const CscMatrix& A, const Plan& plan) {
            return A.cols <= kDenseUpTo && plan.order.empty() && 2 * largest_block(A) >= A.cols;
          },
          []() -> std::unique_ptr<LinearSolver> { return std::make_unique<DenseSolver>(); }};
}

}  // namespace trunnion::sparse
