#include "sparse/condition.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::sparse {

double estimated_condition(const CscMatrix& A, const Solve& solve, const Solve& solve_transpose,
                           Eigen::VectorXd& x, Eigen::VectorXd& y) {
  const int n = A.cols;
  double norm = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k)
      sum += std::abs(A.value[static_cast<std::size_t>(k)]);
    norm = std::max(norm, sum);
  }
  constexpr int kSolutions = 5;
  x.setConstant(n, 1.0 / n);
  double inverse = 0;
  Eigen::Index last = -1;
  for (int k = 0; k < kSolutions; ++k) {
    solve(x);
    const double size = x.lpNorm<1>();
    if (!(size > inverse) && k > 0) break;
    inverse = size;
    y = x.unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; });
    solve_transpose(y);
    Eigen::Index steepest = 0;
    y.cwiseAbs().maxCoeff(&steepest);
    if (steepest == last) break;
    last = steepest;
    x.setZero();
    x[steepest] = 1;
  }
  // A vector of alternating signs and growing entries sees what cancels in the others.
  for (int i = 0; i < n; ++i)
    x[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + (n > 1 ? static_cast<double>(i) / (n - 1) : 0.0));
  solve(x);
  inverse = std::max(inverse, 2 * x.lpNorm<1>() / (3.0 * n));
  return norm * inverse;
}

}  // namespace trunnion::sparse
