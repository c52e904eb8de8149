// SuiteSparse KLU. With a given order pivots stay on the diagonal as long as they are not tiny, for matrices whose order was chosen so
// that they are good; else KLU's own order, by blocks.

#include <cassert>

#include <klu.h>

#include "sparse/klu_common.hpp"
#include "sparse/solvers.hpp"

namespace trunnion::sparse {
namespace {

class KluSolver final : public LinearSolver {
 public:
  KluSolver() {
    klu_defaults(&common_);
    common_.halt_if_singular = 0;  // goes on past a zero pivot, so that its row and column can be named
  }
  ~KluSolver() override { clear(); }
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  bool analyse(const CscMatrix& A, const Plan& plan) override {
    clear();
    unmatched_ = {};
    n_ = A.cols;
    symbolic_ = klu_symbolic_of(A, plan, common_);
    if (symbolic_ == nullptr) return false;
    if (common_.btf == 0) return true;  // without a matching KLU leaves the rank as it finds it in memory
    const int rank = symbolic_->structural_rank;
    if (rank < 0 || rank >= n_) return true;
    // BTF puts the unmatched rows and columns last, as in Duff's maximum transversal.
    unmatched_ = {symbolic_->P[n_ - 1], symbolic_->Q[n_ - 1]};
    return false;
  }
  SingularPivot unmatched() const override { return unmatched_; }

  bool factor(const CscMatrix& A) override {
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(mut(A.start), mut(A.row), mut(A.value), symbolic_, &common_);
    if (numeric_ != nullptr) return true;
    // Only a matrix with numbers that are not finite, or no memory, ends here: the row scaling rejects a zero row by itself.
    unmatched_ = {-1, common_.singular_col < n_ ? common_.singular_col : -1};
    return false;
  }
  void refactor(const CscMatrix& A) override {
    klu_refactor(mut(A.start), mut(A.row), mut(A.value), symbolic_, numeric_, &common_);
  }
  void solve(Eigen::Ref<Eigen::VectorXd> b) const override {
    klu_solve(symbolic_, numeric_, n_, 1, b.data(), &common_);
  }
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const override {
    klu_tsolve(symbolic_, numeric_, n_, 1, b.data(), &common_);
  }

  std::span<const double> pivots() const override {
    return {static_cast<const double*>(numeric_->Udiag), static_cast<std::size_t>(n_)};
  }
  std::span<const int> pivot_rows() const override { return {numeric_->Pnum, static_cast<std::size_t>(n_)}; }
  std::span<const int> pivot_cols() const override { return {symbolic_->Q, static_cast<std::size_t>(n_)}; }
  double growth(const CscMatrix& A) const override {
    const int done = klu_rgrowth(mut(A.start), mut(A.row), mut(A.value), symbolic_, numeric_, &common_);
    return done != 0 ? common_.rgrowth : 0.0;
  }
  double condition(const CscMatrix& A) const override {
    klu_condest(mut(A.start), mut(A.value), symbolic_, numeric_, &common_);
    return common_.condest;
  }
  bool factors(Factors& f, std::vector<int>& blocks) const override {
    const auto n = static_cast<std::size_t>(n_);
    const auto lnz = static_cast<std::size_t>(numeric_->lnz), unz = static_cast<std::size_t>(numeric_->unz);
    f.l_start.resize(n + 1);
    f.u_start.resize(n + 1);
    f.l_row.resize(lnz);
    f.l_value.resize(lnz);
    f.u_row.resize(unz);
    f.u_value.resize(unz);
    blocks.resize(static_cast<std::size_t>(symbolic_->nblocks) + 1);
    return klu_extract(numeric_, symbolic_, f.l_start.data(), f.l_row.data(), f.l_value.data(),
                       f.u_start.data(), f.u_row.data(), f.u_value.data(), nullptr, nullptr, nullptr, nullptr,
                       nullptr, nullptr, blocks.data(), &common_) != 0;
  }

 private:
  void clear() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }

  mutable klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  int n_ = 0;
  SingularPivot unmatched_;
};

}  // namespace

SolverEntry klu_solver() {
  return {"KLU", [](const CscMatrix&, const Plan&) { return true; },
          []() -> std::unique_ptr<LinearSolver> { return std::make_unique<KluSolver>(); }};
}

}  // namespace trunnion::sparse
