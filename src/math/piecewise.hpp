#pragma once
// A piecewise polynomial in one variable: what every spline here becomes once its coefficients are known.
// Lookup is a binary search in the breaks: no state, no allocation, safe from any thread.
// At a break the piece to the right answers. Outside the breaks `Extrapolation` decides.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace trunnion::math {

enum class Extrapolation {
  polynomial,  // the end piece goes on
  linear,      // the tangent at the end
  constant,    // the end value
};

inline constexpr int kDerivativeCount = 5;                 // value and four derivatives
using Derivatives = std::array<double, kDerivativeCount>;  // f, f′, f″, f‴, f⁗

class PiecewisePolynomial {
 public:
  PiecewisePolynomial() = default;
  // Piece i is Σ c[i·(degree+1) + j] (x − breaks[i])^j on [breaks[i], breaks[i+1]). At least two breaks,
  // increasing.
  PiecewisePolynomial(std::vector<double> breaks, int degree, std::vector<double> coefficients,
                      Extrapolation extrapolation);

  double value(double x) const;
  Derivatives derivatives(double x) const;

  std::span<const double> breaks() const { return breaks_; }
  int degree() const { return degree_; }

 private:
  std::size_t piece(double x) const;
  Derivatives inside(std::size_t piece, double x) const;

  std::vector<double> breaks_;
  std::vector<double> coefficients_;
  int degree_ = 0;
  Extrapolation extrapolation_ = Extrapolation::polynomial;
};

}  // namespace trunnion::math
