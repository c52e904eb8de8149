#include "analysis/kinematics/singularity.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::analysis {

void Singularity::update(const sparse::Factorisation& lu, const Eigen::VectorXd& length, int iterations) {
  const auto n = static_cast<int>(length.size());
  if (n == 0) return;
  if (rows_.size() != n) {
    rows_.resize(n);
    columns_.resize(n);
    // Any start that is not special: no symmetric mechanism has a mode across golden-ratio steps.
    for (int k = 0; k < n; ++k) rows_[k] = 1.0 + std::fmod(0.6180339887498949 * k, 1.0);
    rows_.normalize();
    iterations += 2;
  }
  // With D = 1/length: x = (DJ)⁻¹ b, c = x/|x|, y = (DJ)⁻ᵀ c, b = y/|y|, σ = 1/|y|.
  for (int pass = 0; pass < iterations; ++pass) {
    columns_ = rows_.cwiseProduct(length);
    lu.solve(columns_);
    const double x = columns_.norm();
    if (!(x > 0) || !std::isfinite(x)) break;
    columns_ /= x;
    lu.solve_transpose(columns_);
    columns_ = columns_.cwiseProduct(length);
    const double y = columns_.norm();
    if (!(y > 0) || !std::isfinite(y)) break;
    rows_ = columns_ / y;
    size_ = 1 / y;
  }
}

std::vector<int> Singularity::rows() const {
  constexpr double kTakesPart = 0.1;  // of the strongest
  std::vector<int> out;
  if (rows_.size() == 0) return out;
  const double strongest = rows_.lpNorm<Eigen::Infinity>();
  for (int k = 0; k < rows_.size(); ++k) {
    if (std::abs(rows_[k]) >= kTakesPart * strongest) out.push_back(k);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](int a, int b) { return std::abs(rows_[a]) > std::abs(rows_[b]) * (1 + 1e-9); });
  return out;
}

}  // namespace trunnion::analysis
