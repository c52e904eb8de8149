#pragma once
// The root of an analytic function near a guess, to the last digits: Newton's method with the derivative from an imaginary step,
// which has no difference to lose digits in.

#include <cmath>
#include <complex>

namespace trunnion::formulas {

template <typename Function> double root_near(double x, const Function& f) {
  constexpr double kStep = 1e-30;
  constexpr int kMost = 30;
  for (int k = 0; k < kMost; ++k) {
    const std::complex<double> value = f(std::complex<double>(x, kStep));
    const double change = -value.real() / (value.imag() / kStep);
    x += change;
    if (std::abs(change) <= 4e-16 * std::abs(x)) break;
  }
  return x;
}

}  // namespace trunnion::formulas
