#include "formulas/bdf.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

namespace trunnion::formulas {

std::vector<double> bdf_weights(int order) {
  std::vector<double> a(static_cast<std::size_t>(order) + 1, 0.0);
  for (int i = 1; i <= order; ++i) {
    double binomial = 1;  // of i over j, with its sign
    for (int j = 0; j <= i; ++j) {
      a[static_cast<std::size_t>(j)] += binomial / i;
      binomial *= -static_cast<double>(i - j) / (j + 1);
    }
  }
  return a;
}

// Along the boundary of stability hλ = Σ (1 − e^(−iθ))ⁱ/i, the place that is farthest behind the imaginary axis.
double bdf_angle(int order) {
  constexpr int kPlaces = 2000;
  constexpr double kOnAxis = 1e-9;
  double least = std::numbers::pi / 2;
  for (int k = 1; k <= kPlaces; ++k) {
    const std::complex<double> back = 1.0 - std::polar(1.0, -std::numbers::pi * k / kPlaces);
    std::complex<double> sum = 0, power = 1;
    for (int i = 1; i <= order; ++i) sum += (power *= back) / static_cast<double>(i);
    if (sum.real() < -kOnAxis) least = std::min(least, std::numbers::pi - std::abs(std::arg(sum)));
  }
  return least * 180 / std::numbers::pi;
}

std::vector<std::string> bdf_conditions() {
  constexpr double kRounding = 1e-11;  // of binomials and sixth powers of six
  std::vector<std::string> failed;
  for (int order = 1; order <= kHighestBdfOrder; ++order) {
    const std::vector<double> a = bdf_weights(order);
    for (int power = 0; power <= order; ++power) {
      double sum = power == 1 ? -1 : 0;
      for (int j = 0; j <= order; ++j) sum += a[static_cast<std::size_t>(j)] * std::pow(-j, power);
      if (!(std::abs(sum) <= kRounding))
        failed.push_back(
            fmt::format("BDF of order {}: order, for y = t^{}: off by {:.3g}", order, power, sum));
    }
    const double angle = bdf_angle(order);
    if (!(order <= 2 ? angle == 90 : angle > 0))
      failed.push_back(fmt::format("BDF of order {}: stable within {:.3g} degrees only", order, angle));
  }
  return failed;
}

}  // namespace trunnion::formulas
