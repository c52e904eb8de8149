#include "sparse/klu_common.hpp"

#include <cassert>

namespace trunnion::sparse {
namespace {

constexpr int kColamd = 1;

// Columns by minimum fill, rows by partial pivoting. Needs no zero-free diagonal.
klu_symbolic* by_columns(const CscMatrix& A, klu_common& common) {
  constexpr double kPartial = 0.1;  // of the column's largest: then the diagonal is as good a pivot
  common.btf = 0;
  common.ordering = kColamd;
  common.tol = kPartial;
  return klu_analyze(A.cols, mut(A.start), mut(A.row), &common);
}

}  // namespace

klu_symbolic* klu_symbolic_of(const CscMatrix& A, const Plan& plan, klu_common& common) {
  assert(A.rows == A.cols);
  klu_common standard;
  klu_defaults(&standard);
  common.ordering = standard.ordering;
  common.tol = standard.tol;
  common.btf = 0;
  if (!plan.order.empty()) {
    assert(static_cast<int>(plan.order.size()) == A.cols);
    constexpr double kTiny = 1e-6;
    common.tol = kTiny;
    int* const order = const_cast<int*>(plan.order.data());
    return klu_analyze_given(A.cols, mut(A.start), mut(A.row), order, order, &common);
  }
  if (!plan.matching) return by_columns(A, common);
  // A matching of rows and columns takes a time that grows with the square of a chain's length: it is given up then.
  constexpr double kMostWork = 10;  // times the entries
  common.btf = 1;
  common.maxwork = kMostWork;
  common.work = 0;
  klu_symbolic* found = klu_analyze(A.cols, mut(A.start), mut(A.row), &common);
  const bool given_up = common.work < 0;
  if (!given_up) return found;
  klu_free_symbolic(&found, &common);
  return by_columns(A, common);
}

}  // namespace trunnion::sparse
