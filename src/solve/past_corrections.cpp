#include "solve/past_corrections.hpp"

#include <Eigen/QR>

namespace trunnion::solve {

void PastCorrections::improve(Eigen::MatrixXd& correction) {
  const auto weighted = [&](const Eigen::MatrixXd& m) {
    return Eigen::VectorXd((weight_.asDiagonal() * m).reshaped());
  };
  const std::size_t past = asked_.size();
  asked_.push_back(correction);
  // Columns of length one: they differ by as much as the iteration has gained.
  Eigen::MatrixXd changes(correction.size(), static_cast<Eigen::Index>(past));
  Eigen::VectorXd length(changes.cols());
  for (std::size_t j = 0; j < past; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    changes.col(column) = weighted(asked_[j + 1] - asked_[j]);
    length[column] = changes.col(column).norm();
    if (length[column] > 0) changes.col(column) /= length[column];
  }
  const Eigen::VectorXd share =
      past > 0 ? Eigen::VectorXd(changes.colPivHouseholderQr().solve(weighted(correction))) : length;
  for (std::size_t j = 0; j < past; ++j) {
    const auto k = static_cast<Eigen::Index>(j);
    if (length[k] > 0) correction -= share[k] / length[k] * (taken_[j] + asked_[j + 1] - asked_[j]);
  }
  taken_.push_back(correction);
  if (asked_.size() <= kMost) return;
  asked_.erase(asked_.begin());
  taken_.erase(taken_.begin());
}

}  // namespace trunnion::solve
