#include "sparse/rank.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>

namespace trunnion::sparse {

RankResult row_rank(const CscMatrix& G, double tolerance) {
  RankResult result;
  // Columns of Gt are the rows of G, scaled to unit length.
  Eigen::SparseMatrix<double> Gt = Eigen::SparseMatrix<double>(G.view()).transpose();
  std::vector<double> length(static_cast<std::size_t>(G.rows));
  std::vector<int> live;  // rows that are not zero
  for (int i = 0; i < G.rows; ++i) {
    length[i] = Gt.col(i).norm();
    if (length[i] > 0.0) {
      Gt.col(i) /= length[i];
      live.push_back(i);
    } else {
      result.dependent.push_back({i, {}, 0.0});
    }
  }
  if (live.empty()) return result;

  Eigen::SparseMatrix<double> A(Gt.rows(), static_cast<Eigen::Index>(live.size()));
  A.reserve(Gt.nonZeros());
  for (std::size_t j = 0; j < live.size(); ++j) {
    A.startVec(static_cast<Eigen::Index>(j));
    for (Eigen::SparseMatrix<double>::InnerIterator it(Gt, live[j]); it; ++it) {
      if (it.value() != 0.0) A.insertBack(it.row(), static_cast<Eigen::Index>(j)) = it.value();
    }
  }
  A.finalize();
  A.makeCompressed();

  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> qr;
  qr.setPivotThreshold(tolerance);
  qr.compute(A);
  const Eigen::Index rank = qr.rank();
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  const Eigen::VectorXi column = qr.colsPermutation().indices();  // place k of R is column[k] of A

  for (Eigen::Index k = 0; k < rank; ++k) {
    result.independent.push_back(live[static_cast<std::size_t>(column[k])]);
    result.smallest_kept = std::min(result.smallest_kept, std::abs(R.coeff(k, k)));
  }
  const auto upper = R.topLeftCorner(rank, rank);
  for (Eigen::Index k = rank; k < A.cols(); ++k) {
    // R₁₁ x = r₁₂: the shares of the scaled rows
    Eigen::VectorXd x = R.col(k).head(rank);
    upper.triangularView<Eigen::Upper>().solveInPlace(x);
    DependentRow dependent;
    dependent.row = live[static_cast<std::size_t>(column[k])];
    Eigen::VectorXd rest = A.col(column[k]);
    for (Eigen::Index i = 0; i < rank; ++i) {
      if (x[i] == 0.0) continue;
      rest -= x[i] * A.col(column[i]);
      if (std::abs(x[i]) <= tolerance) continue;
      const int row = live[static_cast<std::size_t>(column[i])];
      dependent.shares.push_back({row, x[i] * length[dependent.row] / length[row]});
    }
    dependent.distance = rest.norm();
    result.largest_dropped = std::max(result.largest_dropped, dependent.distance);
    std::sort(dependent.shares.begin(), dependent.shares.end(),
              [](const auto& a, const auto& b) { return a.row < b.row; });
    result.dependent.push_back(std::move(dependent));
  }
  std::sort(result.independent.begin(), result.independent.end());
  std::sort(result.dependent.begin(), result.dependent.end(),
            [](const auto& a, const auto& b) { return a.row < b.row; });
  return result;
}

}  // namespace trunnion::sparse
