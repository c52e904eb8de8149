// Elimination by blocks, without pivoting between them: for matrices whose order brings each multiplier after the unknowns it holds, so
// that the pivots of a block are good by structure (solve/ordering.hpp). Within a block rows are chosen by partial pivoting.
// Everything is done in small full fronts (block_fronts.hpp), by kernels on whole vectors (block_kernels.hpp).
//
// How far that may go wrong is watched. With pivots just chosen one solution is put back into the equations: where it misses them by
// more than rounding, all solutions are refined once, and where refinement would not mend it, Factorisation takes another
// solver. Pivots are kept for other numbers; what they have lost is looked at each time, for a growing factor needs a shrinking pivot.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "sparse/block_fronts.hpp"
#include "sparse/block_kernels.hpp"
#include "sparse/condition.hpp"
#include "sparse/solvers.hpp"

namespace trunnion::sparse {
namespace {

class BlockSolver final : public LinearSolver {
 public:
  bool analyse(const CscMatrix& A, const Plan& plan) override;
  bool factor(const CscMatrix& A) override;
  void refactor(const CscMatrix& A) override;
  void solve(Eigen::Ref<Eigen::VectorXd> b) const override;
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const override;

  std::span<const double> pivots() const override { return pivots_; }
  std::span<const int> pivot_rows() const override { return pivot_rows_; }
  std::span<const int> pivot_cols() const override { return fronts_.unknown; }
  double growth(const CscMatrix&) const override { return growth_; }
  bool usable() const override { return missed_ <= kMended; }
  double condition(const CscMatrix& A) const override;
  bool factors(Factors& out, std::vector<int>& blocks) const override;

 private:
  // Backward errors: up to kGood a solution is left as it is, up to kMended one refinement, which squares it, brings it below that.
  static constexpr double kGood = 1e-12, kMended = 1e-7;

  double* numbers(const Front& f) { return numbers_.data() + f.at; }
  const double* numbers(const Front& f) const { return numbers_.data() + f.at; }
  double* inverse(const Front& f) { return inverse_.data() + f.first; }
  void assemble(const CscMatrix& A, int f);
  void eliminate(const CscMatrix& A, int f);
  void choose_pivots(int f);
  void place_rows(int f);
  void find_scales(const CscMatrix& A);
  double whole_growth(const CscMatrix& A) const;
  double missed(const CscMatrix& A) const;
  void solve_once(Eigen::Ref<Eigen::VectorXd> b) const;

  BlockFronts fronts_;
  std::vector<double> numbers_, inverse_;
  std::vector<int> entry_place_;  // of each entry: where in its front it goes
  std::vector<int> row_place_;    // of each number of fronts_.reach: its row in the parent
  std::vector<int> row_at_;       // of each position: the place within its group of the row that stands there
  std::vector<int> position_of_row_;  // the other way round, by positions
  std::vector<int> reach_row_;        // of each number of fronts_.reach: the position its row stands at
  std::vector<int> pivot_rows_;
  std::vector<double> scale_;            // of each row, when pivots were chosen
  std::vector<double> pivots_, chosen_;  // now, and when they were chosen
  double growth_ = 0, chosen_growth_ = 0;
  double missed_ = 0;  // backward error of a solution without refinement, when pivots were chosen
  bool refined_ = false;
  CscMatrix refine_by_;  // A, where solutions are refined
  std::vector<double> block_;
  mutable Eigen::VectorXd probe_, signs_;  // of condition()
  mutable Eigen::VectorXd x_, local_, beyond_, rest_, right_;
};

bool BlockSolver::analyse(const CscMatrix& A, const Plan& plan) {
  fronts_ = BlockFronts(A, plan.order, plan.groups);
  const std::size_t n = nth(A.cols);
  numbers_.assign(fronts_.numbers, 0.0);
  inverse_.assign(n, 0.0);
  entry_place_.resize(fronts_.entries.size());
  row_place_ = fronts_.place;
  row_at_.resize(n);
  position_of_row_.resize(n);
  reach_row_ = fronts_.reach;
  pivot_rows_ = fronts_.unknown;
  scale_.assign(n, 1.0);
  pivots_.assign(n, 0.0);
  chosen_.assign(n, 0.0);
  refine_by_ = A;
  int most = 0;
  for (const Front& f : fronts_.fronts) most = std::max(most, f.shape.pivots);
  block_.resize(nth(most) * nth(most));
  x_.resize(A.cols);
  rest_.resize(A.cols);
  probe_.resize(A.cols);
  signs_.resize(A.cols);
  right_.resize(A.cols);
  local_.resize(fronts_.widest + kVector);
  beyond_.resize(fronts_.widest + kVector);
  return true;
}

// The numbers of A and the remainders of the children, rows in the order of the pivots.
void BlockSolver::assemble(const CscMatrix& A, int f) {
  const Front& front = fronts_.fronts[nth(f)];
  double* const to = numbers(front);
  const int stride = front.shape.stride;
  if (front.shape.diagonal) {
    // Beside the diagonal there are zeros and nothing writes there.
    const int own = front.shape.pivots;
    for (int j = 0; j < own; ++j) {
      to[j * stride + j] = 0;
      std::fill(to + j * stride + own, to + (j + 1) * stride, 0.0);
    }
    std::fill_n(to + own * stride, nth(stride) * nth(front.shape.size - own), 0.0);
  } else {
    std::fill_n(to, nth(stride) * nth(front.shape.size), 0.0);
  }
  const int last = nth(f) + 1 < fronts_.fronts.size() ? fronts_.fronts[nth(f) + 1].entry
                                                      : static_cast<int>(fronts_.entries.size());
  for (int k = front.entry; k < last; ++k)
    to[entry_place_[nth(k)]] += A.value[nth(fronts_.entries[nth(k)].value)];
  for (int c = fronts_.from[nth(f)]; c < fronts_.from[nth(f) + 1]; ++c) {
    const Front& child = fronts_.fronts[nth(fronts_.children[nth(c)])];
    const int reach = fronts_.reach_of(child), own = child.shape.pivots;
    const int* const col = fronts_.place.data() + child.reach;
    const int* const row = row_place_.data() + child.reach;
    const double* from = numbers(child) + own * child.shape.stride + own;
    for (int j = 0; j < reach; ++j, from += child.shape.stride) {
      double* const column = to + col[j] * stride;
      for (int i = 0; i < reach; ++i) column[row[i]] += from[i];
    }
  }
}

void BlockSolver::eliminate(const CscMatrix& A, int f) {
  const Front& front = fronts_.fronts[nth(f)];
  assemble(A, f);
  block_kernels().eliminate(numbers(front), front.shape, inverse(front));
  const double* diagonal = numbers(front);
  for (int k = 0; k < front.shape.pivots; ++k, diagonal += front.shape.stride + 1)
    pivots_[nth(front.first + k)] = *diagonal * scale_[nth(pivot_rows_[nth(front.first + k)])];
}

// Rows of the group in the order that partial pivoting of its own block gives, sizes being those of scaled rows.
void BlockSolver::choose_pivots(int f) {
  const Front& front = fronts_.fronts[nth(f)];
  const int n = front.shape.pivots;
  Eigen::Map<Eigen::MatrixXd> B(block_.data(), n, n);
  int* const row_at = row_at_.data() + front.first;
  for (int i = 0; i < n; ++i) {
    const double scale = scale_[nth(fronts_.unknown[nth(front.first + i)])];
    for (int j = 0; j < n; ++j) B(i, j) = numbers(front)[j * front.shape.stride + i] * scale;
  }
  for (int k = 0; k < n; ++k) {
    Eigen::Index best = 0;
    B.col(k).tail(n - k).cwiseAbs().maxCoeff(&best);
    if (best != 0) {
      B.row(k).swap(B.row(k + best));
      std::swap(row_at[k], row_at[k + best]);
    }
    if (B(k, k) == 0) continue;
    B.col(k).tail(n - k - 1) /= B(k, k);
    B.bottomRightCorner(n - k - 1, n - k - 1) -= B.col(k).tail(n - k - 1) * B.row(k).tail(n - k - 1);
  }
}

// Sends entries and remainders to the rows as row_at_ has them.
void BlockSolver::place_rows(int f) {
  const Front& front = fronts_.fronts[nth(f)];
  const int n = front.shape.pivots;
  for (int k = 0; k < n; ++k) {
    const int row = row_at_[nth(front.first + k)];
    position_of_row_[nth(front.first + row)] = front.first + k;
    pivot_rows_[nth(front.first + k)] = fronts_.unknown[nth(front.first + row)];
  }
  const auto placed = [&](int row) {
    return row < n ? position_of_row_[nth(front.first + row)] - front.first : row;
  };
  const int last = nth(f) + 1 < fronts_.fronts.size() ? fronts_.fronts[nth(f) + 1].entry
                                                      : static_cast<int>(fronts_.entries.size());
  for (int k = front.entry; k < last; ++k) {
    const FrontEntry& e = fronts_.entries[nth(k)];
    entry_place_[nth(k)] = e.col * front.shape.stride + placed(e.row);
  }
  for (int c = fronts_.from[nth(f)]; c < fronts_.from[nth(f) + 1]; ++c) {
    const Front& child = fronts_.fronts[nth(fronts_.children[nth(c)])];
    for (int k = child.reach; k < child.reach + fronts_.reach_of(child); ++k)
      row_place_[nth(k)] = placed(fronts_.place[nth(k)]);
  }
}

void BlockSolver::find_scales(const CscMatrix& A) {
  std::fill(scale_.begin(), scale_.end(), 0.0);
  for (std::size_t k = 0; k < A.row.size(); ++k)
    scale_[nth(A.row[k])] = std::max(scale_[nth(A.row[k])], std::abs(A.value[k]));
  for (double& s : scale_) s = s > 0 ? 1 / s : 1.0;
}

bool BlockSolver::factor(const CscMatrix& A) {
  find_scales(A);
  for (int f = 0; nth(f) < fronts_.fronts.size(); ++f) {
    const Front& front = fronts_.fronts[nth(f)];
    std::iota(row_at_.begin() + front.first, row_at_.begin() + front.first + front.shape.pivots, 0);
    place_rows(f);
    if (!front.shape.diagonal) {  // where there is nothing to choose
      assemble(A, f);
      choose_pivots(f);
      place_rows(f);
    }
    eliminate(A, f);
  }
  for (std::size_t k = 0; k < reach_row_.size(); ++k) reach_row_[k] = position_of_row_[nth(fronts_.reach[k])];
  chosen_ = pivots_;
  growth_ = chosen_growth_ = whole_growth(A);
  missed_ = missed(A);
  refined_ = missed_ > kGood;
  if (refined_) std::copy_n(A.value.begin(), refine_by_.row.size(), refine_by_.value.begin());
  return std::all_of(pivots_.begin(), pivots_.end(), [](double p) { return std::isfinite(p); });
}

void BlockSolver::refactor(const CscMatrix& A) {
  for (int f = 0; nth(f) < fronts_.fronts.size(); ++f) eliminate(A, f);
  double kept = 1;
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    const double now = std::abs(pivots_[k]), then = std::abs(chosen_[k]);
    if (!(now >= kept * then)) kept = now / then;
  }
  growth_ = chosen_growth_ * kept;
  if (refined_) std::copy_n(A.value.begin(), refine_by_.row.size(), refine_by_.value.begin());
}

// Least change of the entries, relative to each, that a solution would be exact for (Oettli and Prager).
double BlockSolver::missed(const CscMatrix& A) const {
  for (Eigen::Index k = 0; k < right_.size(); ++k) right_[k] = std::sin(1.0 + static_cast<double>(k));
  rest_ = right_;
  solve_once(rest_);
  Eigen::VectorXd residual = right_, size = right_.cwiseAbs();
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[nth(j)]; k < A.start[nth(j) + 1]; ++k) {
      residual[A.row[nth(k)]] -= A.value[nth(k)] * rest_[j];
      size[A.row[nth(k)]] += std::abs(A.value[nth(k)] * rest_[j]);
    }
  }
  double worst = 0;
  for (Eigen::Index k = 0; k < size.size(); ++k) {
    if (!(std::abs(residual[k]) <= worst * size[k])) worst = std::abs(residual[k]) / size[k];
  }
  return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst;
}

// Rows scaled as those of pivots_.
bool BlockSolver::factors(Factors& out, std::vector<int>& blocks) const {
  const int n = static_cast<int>(pivots_.size());
  std::vector<std::vector<std::pair<int, double>>> lower(nth(n)), upper(nth(n));
  const auto scale = [&](int position) { return scale_[nth(pivot_rows_[nth(position)])]; };
  for (const Front& front : fronts_.fronts) {
    const int own = front.shape.pivots;
    const double* column = numbers(front);
    for (int j = 0; j < front.shape.size; ++j, column += front.shape.stride) {
      const int col = j < own ? front.first + j : fronts_.reach[nth(front.reach + j - own)];
      for (int i = 0; i < std::min(j + 1, own); ++i)
        upper[nth(col)].emplace_back(front.first + i, column[i] * scale(front.first + i));
      if (j >= own) continue;
      lower[nth(col)].emplace_back(col, 1.0);
      for (int i = j + 1; i < front.shape.size; ++i) {
        const int row = i < own ? front.first + i : reach_row_[nth(front.reach + i - own)];
        lower[nth(col)].emplace_back(row, column[i] * scale(row) / scale(col));
      }
    }
  }
  const auto put = [&](const auto& columns, std::vector<int>& start, std::vector<int>& row,
                       std::vector<double>& value) {
    start.assign(1, 0);
    row.clear();
    value.clear();
    for (const auto& column : columns) {
      for (const auto& [r, v] : column) {
        if (v == 0) continue;
        row.push_back(r);
        value.push_back(v);
      }
      start.push_back(static_cast<int>(row.size()));
    }
  };
  put(lower, out.l_start, out.l_row, out.l_value);
  put(upper, out.u_start, out.u_row, out.u_value);
  blocks = {0, n};
  return true;
}

// Over all columns of the scaled matrix.
double BlockSolver::whole_growth(const CscMatrix& A) const {
  std::vector<double> in_A(pivots_.size(), 0.0), in_U(pivots_.size(), 0.0);
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[nth(j)]; k < A.start[nth(j) + 1]; ++k)
      in_A[nth(j)] = std::max(in_A[nth(j)], std::abs(A.value[nth(k)]) * scale_[nth(A.row[nth(k)])]);
  }
  for (const Front& front : fronts_.fronts) {
    for (int j = 0; j < front.shape.size; ++j) {
      const int own = front.shape.pivots;
      const int col =
          fronts_.unknown[nth(j < own ? front.first + j : fronts_.reach[nth(front.reach + j - own)])];
      const double* const column = numbers(front) + j * front.shape.stride;
      for (int i = 0; i < std::min(own, j + 1); ++i) {
        const double size = std::abs(column[i]) * scale_[nth(pivot_rows_[nth(front.first + i)])];
        if (!(size <= in_U[nth(col)])) in_U[nth(col)] = size;
      }
    }
  }
  double least = 1;
  for (std::size_t k = 0; k < in_A.size(); ++k) {
    if (!(in_A[k] >= least * in_U[k])) least = in_A[k] / in_U[k];
  }
  return std::isfinite(least) ? least : 0.0;
}

void BlockSolver::solve_once(Eigen::Ref<Eigen::VectorXd> b) const {
  const BlockKernels& kernels = block_kernels();
  const std::size_t n = pivot_rows_.size();
  for (std::size_t k = 0; k < n; ++k) x_[static_cast<Eigen::Index>(k)] = b[pivot_rows_[k]];
  double *const x = x_.data(), *const local = local_.data(), *const beyond = beyond_.data();
  for (const Front& front : fronts_.fronts) {
    const int own = front.shape.pivots, reach = fronts_.reach_of(front);
    std::copy_n(x + front.first, own, local);
    std::fill(local + own, local + front.shape.stride, 0.0);
    kernels.forward(numbers(front), front.shape, local);
    std::copy_n(local, own, x + front.first);
    const int* const row = reach_row_.data() + front.reach;
    for (int k = 0; k < reach; ++k) x[row[k]] += local[own + k];
  }
  for (auto front = fronts_.fronts.rbegin(); front != fronts_.fronts.rend(); ++front) {
    const int own = front->shape.pivots, reach = fronts_.reach_of(*front);
    const int* const from = fronts_.reach.data() + front->reach;
    for (int k = 0; k < reach; ++k) beyond[k] = x[from[k]];
    std::copy_n(x + front->first, own, local);
    std::fill(local + own, local + padded(own), 0.0);
    kernels.backward(numbers(*front), front->shape, inverse_.data() + front->first, beyond, local);
    std::copy_n(local, own, x + front->first);
  }
  for (std::size_t k = 0; k < n; ++k) b[fronts_.unknown[k]] = x_[static_cast<Eigen::Index>(k)];
}

void BlockSolver::solve(Eigen::Ref<Eigen::VectorXd> b) const {
  if (!refined_) {
    solve_once(b);
    return;
  }
  right_ = b;
  solve_once(b);
  rest_ = right_;
  for (int j = 0; j < refine_by_.cols; ++j) {
    for (int k = refine_by_.start[nth(j)]; k < refine_by_.start[nth(j) + 1]; ++k)
      rest_[refine_by_.row[nth(k)]] -= refine_by_.value[nth(k)] * b[j];
  }
  solve_once(rest_);
  b += rest_;
}

// Uᵀ down the fronts, Lᵀ up.
void BlockSolver::solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const {
  for (Eigen::Index k = 0; k < x_.size(); ++k) x_[k] = b[fronts_.unknown[static_cast<std::size_t>(k)]];
  for (const Front& front : fronts_.fronts) {
    const int own = front.shape.pivots;
    const double* column = numbers(front);
    for (int j = 0; j < front.shape.size; ++j, column += front.shape.stride) {
      double& here = x_[j < own ? front.first + j : fronts_.reach[nth(front.reach + j - own)]];
      for (int i = 0; i < std::min(j, own); ++i) here -= column[i] * x_[front.first + i];
      if (j < own) here *= inverse_[nth(front.first + j)];
    }
  }
  for (auto front = fronts_.fronts.rbegin(); front != fronts_.fronts.rend(); ++front) {
    const int own = front->shape.pivots;
    for (int j = own - 1; j >= 0; --j) {
      const double* const column = numbers(*front) + j * front->shape.stride;
      double& here = x_[front->first + j];
      for (int i = j + 1; i < own; ++i) here -= column[i] * x_[front->first + i];
      for (int i = own; i < front->shape.size; ++i)
        here -= column[i] * x_[reach_row_[nth(front->reach + i - own)]];
    }
  }
  for (Eigen::Index k = 0; k < x_.size(); ++k) b[pivot_rows_[static_cast<std::size_t>(k)]] = x_[k];
}

double BlockSolver::condition(const CscMatrix& A) const {
  return estimated_condition(
      A, [&](Eigen::Ref<Eigen::VectorXd> b) { solve(b); },
      [&](Eigen::Ref<Eigen::VectorXd> b) { solve_transpose(b); }, probe_, signs_);
}

}  // namespace

SolverEntry block_solver() {
  return {"block elimination",
          [](const CscMatrix&, const Plan& plan) { return !plan.groups.empty() && !plan.symmetric; },
          []() -> std::unique_ptr<LinearSolver> { return std::make_unique<BlockSolver>(); }};
}
}  // namespace trunnion::sparse
