#include "solve/secants.hpp"

#include <cmath>
#include <utility>

namespace trunnion::solve {

void Secants::prepare(Eigen::VectorXd weights, Eigen::Index unknowns) {
  w_ = std::move(weights);
  last_.setZero(unknowns);
  s_.assign(kMost, last_);
  z_.assign(kMost, last_);
  over_.assign(kMost, 0.0);
  count_ = 0;
}

double Secants::dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  const Eigen::Index n = w_.size();
  return (a.head(n).array() * w_.array() * b.head(n).array()).sum();
}

void Secants::apply(Eigen::VectorXd& x) const {
  for (int k = 0; k < count_; ++k) {
    const auto at = static_cast<std::size_t>(k);
    x -= (over_[at] * dot(s_[at], x)) * z_[at];
  }
}

// With x = −z the update multiplies x by 1 / (1 − ρ), ρ = sᵀWx / sᵀWs: the sum of the corrections that would follow at this ratio.
void Secants::learn(Eigen::VectorXd& x) {
  constexpr double kLargest = 0.8;  // ratios close to 1 and above tell of no sum
  const double size = dot(last_, last_);
  if (!(size > 0) || count_ == kMost) return;
  const double ratio = dot(last_, x) / size;
  if (!(std::abs(ratio) < 1e3) || ratio > kLargest) return;
  const auto at = static_cast<std::size_t>(count_);
  s_[at] = last_;
  z_[at] = -x;
  over_[at] = 1 / (size * (1 - ratio));
  ++count_;
  x /= 1 - ratio;
}

}  // namespace trunnion::solve
