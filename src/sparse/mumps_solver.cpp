// MUMPS, the sequential one: L D Lᵀ of symmetric matrices that may be indefinite, pivots by pairs.

#include <vector>

#include <dmumps_c.h>

#include "sparse/solvers.hpp"

namespace trunnion::sparse {
namespace {

// MUMPS numbers its controls from one.
int& control(DMUMPS_STRUC_C& m, int number) { return m.icntl[number - 1]; }

class MumpsSolver final : public LinearSolver {
 public:
  MumpsSolver() {
    constexpr int kStart = -1, kWorldOfOne = -987654, kGeneralSymmetric = 2;
    m_.par = 1;
    m_.sym = kGeneralSymmetric;
    m_.comm_fortran = kWorldOfOne;
    run(kStart);
    for (const int stream : {1, 2, 3}) control(m_, stream) = -1;
    control(m_, 4) = 0;
    control(m_, 7) = 0;   // order by approximate minimum degree
    control(m_, 24) = 1;  // zero pivots are counted, and passed over
  }
  MumpsSolver(const MumpsSolver&) = delete;
  MumpsSolver& operator=(const MumpsSolver&) = delete;
  ~MumpsSolver() override {
    constexpr int kEnd = -2;
    run(kEnd);
  }

  // The lower triangle counts.
  bool analyse(const CscMatrix& A, const Plan&) override {
    constexpr int kAnalyse = 1;
    rows_.clear();
    cols_.clear();
    from_.clear();
    for (int c = 0; c < A.cols; ++c) {
      for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
        const int row = A.row[static_cast<std::size_t>(k)];
        if (row < c) continue;
        rows_.push_back(row + 1);
        cols_.push_back(c + 1);
        from_.push_back(static_cast<std::size_t>(k));
      }
    }
    values_.resize(from_.size());
    m_.n = A.cols;
    m_.nnz = static_cast<MUMPS_INT8>(values_.size());
    m_.irn = rows_.data();
    m_.jcn = cols_.data();
    m_.a = values_.data();
    take(A);  // the analysis looks at the numbers of an indefinite matrix
    return run(kAnalyse);
  }

  bool factor(const CscMatrix& A) override {
    constexpr int kFactor = 2, kRoomTooSmall = -9, kTries = 4;
    take(A);
    for (int k = 0; k < kTries; ++k) {
      if (run(kFactor)) return true;
      if (m_.infog[0] != kRoomTooSmall) return false;
      control(m_, 14) *= 4;
    }
    return false;
  }
  void refactor(const CscMatrix& A) override { good_ = factor(A); }

  void solve(Eigen::Ref<Eigen::VectorXd> b) const override {
    constexpr int kSolve = 3;
    m_.nrhs = 1;
    m_.lrhs = m_.n;
    m_.rhs = b.data();
    run(kSolve);
  }
  void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const override { solve(b); }

  std::span<const double> pivots() const override { return {}; }
  std::span<const int> pivot_rows() const override { return {}; }
  std::span<const int> pivot_cols() const override { return {}; }
  int vanished() const override { return good_ ? m_.infog[27] : 1; }
  double growth(const CscMatrix&) const override { return 1; }
  double condition(const CscMatrix&) const override { return 1; }
  bool factors(Factors&, std::vector<int>&) const override { return false; }
  std::optional<Inertia> inertia() const override { return Inertia{m_.infog[11], m_.infog[27]}; }

 private:
  bool run(int job) const {
    m_.job = job;
    dmumps_c(&m_);
    return m_.infog[0] >= 0;
  }
  void take(const CscMatrix& A) {
    good_ = true;
    for (std::size_t k = 0; k < from_.size(); ++k) values_[k] = A.value[from_[k]];
  }

  mutable DMUMPS_STRUC_C m_{};
  std::vector<int> rows_, cols_;
  std::vector<std::size_t> from_;  // of each entry, its place in A
  std::vector<double> values_;
  bool good_ = true;
};

}  // namespace

SolverEntry mumps_solver() {
  return {"MUMPS", [](const CscMatrix&, const Plan& plan) { return plan.symmetric; },
          []() -> std::unique_ptr<LinearSolver> { return std::make_unique<MumpsSolver>(); }};
}

}  // namespace trunnion::sparse
