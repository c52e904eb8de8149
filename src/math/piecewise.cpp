#include "math/piecewise.hpp"

#include <algorithm>
#include <utility>

namespace trunnion::math {

PiecewisePolynomial::PiecewisePolynomial(std::vector<double> breaks, int degree,
                                         std::vector<double> coefficients, Extrapolation extrapolation)
    : breaks_(std::move(breaks)),
      coefficients_(std::move(coefficients)),
      degree_(degree),
      extrapolation_(extrapolation) {}

std::size_t PiecewisePolynomial::piece(double x) const {
  // Last break ≤ x, held within the first and last piece.
  const auto first = breaks_.begin() + 1, last = breaks_.end() - 1;
  return static_cast<std::size_t>(std::upper_bound(first, last, x) - first);
}

Derivatives PiecewisePolynomial::inside(std::size_t i, double x) const {
  const double* c = coefficients_.data() + i * static_cast<std::size_t>(degree_ + 1);
  const double t = x - breaks_[i];
  Derivatives f{};
  if (degree_ == 3) {  // nearly every spline
    f[0] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    f[1] = c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]);
    f[2] = 2.0 * c[2] + 6.0 * c[3] * t;
    f[3] = 6.0 * c[3];
    return f;
  }
  for (int j = degree_; j >= 0; --j) {  // Horner; f[k] collects f⁽ᵏ⁾/k!
    for (int k = kDerivativeCount - 1; k > 0; --k) f[k] = f[k] * t + f[k - 1];
    f[0] = f[0] * t + c[j];
  }
  f[2] *= 2.0;
  f[3] *= 6.0;
  f[4] *= 24.0;
  return f;
}

double PiecewisePolynomial::value(double x) const {
  if (extrapolation_ != Extrapolation::polynomial && !(x >= breaks_.front() && x <= breaks_.back())) {
    return derivatives(x)[0];
  }
  const std::size_t i = piece(x);
  const double* c = coefficients_.data() + i * static_cast<std::size_t>(degree_ + 1);
  const double t = x - breaks_[i];
  double f = c[degree_];
  for (int j = degree_ - 1; j >= 0; --j) f = f * t + c[j];
  return f;
}

Derivatives PiecewisePolynomial::derivatives(double x) const {
  if (extrapolation_ != Extrapolation::polynomial) {
    // At the last break itself the right-hand side is the extrapolation: x ≥ break, as at every other break.
    const bool before = x < breaks_.front(), after = x >= breaks_.back();
    if (before || after) {
      const double end = before ? breaks_.front() : breaks_.back();
      const Derivatives at_end = inside(before ? 0 : breaks_.size() - 2, end);
      if (extrapolation_ == Extrapolation::constant) return {at_end[0]};
      return {at_end[0] + at_end[1] * (x - end), at_end[1]};
    }
  }
  return inside(piece(x), x);
}

}  // namespace trunnion::math
