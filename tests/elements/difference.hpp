#pragma once
// A numerical derivative that knows its own error.

#include <cmath>

#include <Eigen/Dense>

namespace trunnion::elements::test {

// d/dε f(ε) at 0 of a vector function by the fourth-order central formula at two steps. Their difference bounds the
// truncation left in the finer one (it falls sixteenfold); a hundred roundings of f divided by the step bound the rest.
struct Difference {
  Eigen::VectorXd value;
  Eigen::VectorXd tolerance;
};

template <class F> Difference differentiate(const F& f) {
  constexpr double kStep = 1e-3;
  double largest = 0.0;
  const auto at = [&](double h) {
    const Eigen::VectorXd p1 = f(h), m1 = f(-h), p2 = f(2 * h), m2 = f(-2 * h);
    largest = std::max({largest, p2.size() == 0 ? 0.0 : p2.cwiseAbs().maxCoeff(), 1.0});
    return Eigen::VectorXd((8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * h));
  };
  const Eigen::VectorXd coarse = at(kStep);
  Difference d;
  d.value = at(0.5 * kStep);
  const double rounding = 100.0 * Eigen::NumTraits<double>::epsilon() * largest / kStep;
  d.tolerance = (coarse - d.value).cwiseAbs().array() + rounding;
  return d;
}

// Empty if equal within the tolerance and the tolerance itself is small enough to mean something.
inline std::string compare(const Difference& d, const Eigen::VectorXd& exact) {
  for (Eigen::Index k = 0; k < exact.size(); ++k) {
    const double size = 1.0 + exact.cwiseAbs().maxCoeff();
    if (!(std::abs(exact[k] - d.value[k]) <= d.tolerance[k]))
      return "entry " + std::to_string(k) + ": exact " + std::to_string(exact[k]) + ", difference " +
             std::to_string(d.value[k]) + " ± " + std::to_string(d.tolerance[k]);
    if (!(d.tolerance[k] < 1e-4 * size))
      return "entry " + std::to_string(k) + ": difference too coarse to tell";
  }
  return {};
}

}  // namespace trunnion::elements::test
