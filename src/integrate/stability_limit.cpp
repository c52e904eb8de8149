#include "integrate/stability_limit.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace trunnion::integrate {

namespace {

using Complex = std::complex<double>;

constexpr int kMostOrder = 6;

// hλ = Σ_{j ≤ k} (1 − 1/ξ)ʲ/j of BDF.
Complex bdf_rate(int order, Complex root) {
  Complex sum = 0, power = 1;
  for (int j = 1; j <= order; ++j) {
    power *= 1.0 - 1.0 / root;
    sum += power / static_cast<double>(j);
  }
  return sum;
}

}  // namespace

// The largest root of Σ_{j ≤ k} (1 − 1/ξ)ʲ/j = i y, all of them found together (Weierstrass).
double bdf_growth(int order, double y) {
  Complex weight[kMostOrder + 1] = {};  // of ξᵏ, ξᵏ⁻¹, …
  for (int j = 1; j <= order; ++j) {
    double binomial = 1;
    for (int i = 0; i <= j; ++i) {
      weight[i] += (i % 2 == 0 ? 1.0 : -1.0) * binomial / j;
      binomial = binomial * (j - i) / (i + 1);
    }
  }
  weight[0] -= Complex(0, y);
  Complex root[kMostOrder], start = 1;
  for (int k = 0; k < order; ++k) root[k] = start *= Complex(0.4, 0.9);
  constexpr int kMost = 200;
  constexpr double kClose = 1e-13;
  double moved = 1;
  for (int iteration = 0; iteration < kMost && moved > kClose; ++iteration) {
    moved = 0;
    for (int k = 0; k < order; ++k) {
      Complex value = 0, others = weight[0];
      for (int i = 0; i <= order; ++i) value = value * root[k] + weight[i];
      for (int i = 0; i < order; ++i) others *= i == k ? Complex(1) : root[k] - root[i];
      root[k] -= value / others;
      moved = std::max(moved, std::abs(value / others));
    }
  }
  double largest = 0;
  for (int k = 0; k < order; ++k) largest = std::max(largest, std::abs(root[k]));
  return largest - 1;
}

void StabilityLimit::see(const Differences& seen, double h) {
  const double(&norms)[kNorms] = seen.norms;
  // Nothing that moves, or nothing known.
  if (!(norms[0] > 0 && norms[1] > 0 && norms[2] > 0)) return forget();
  for (int k = 0; k < kNorms; ++k) {
    const double scale = known_ > 0 && h != h_ ? std::pow(h / h_, 2 * (lowest_ + k)) : 1.0;
    for (int n = 1; n < kSteps; ++n) square_[k][n - 1] = scale * square_[k][n];
    square_[k][kSteps - 1] = norms[k] * norms[k];
  }
  const double scale = known_ > 0 && h != h_ ? std::pow(h / h_, 2 * (lowest_ - 1)) : 1.0;
  for (int n = 1; n < kSteps; ++n) part_[n - 1] = scale * part_[n];
  part_[kSteps - 1] = seen.part * seen.part;
  h_ = h;
  known_ = std::min(known_ + 1, kSteps);
}

std::optional<StabilityLimit::Root> StabilityLimit::root() const {
  if (known_ < kSteps) return {};
  double sum[kNorms] = {};
  for (int k = 0; k < kNorms; ++k) sum[k] = std::accumulate(square_[k], square_[k] + kSteps, 0.0);
  // Of one pace the derivatives grow by one factor.
  constexpr double kOnePace = 2.5;
  const double even = sum[1] * sum[1] / (sum[0] * sum[2]);
  if (!(even < kOnePace && even > 1 / kOnePace)) return {};
  // Weighed like this they add up to a size that hardly swings.
  double older = 0, newer = 0;
  for (int n = 0; n < kSteps; ++n) {
    const double size = square_[0][n] / sum[0] + 2 * square_[1][n] / sum[1] + square_[2][n] / sum[2];
    (n < kSteps / 2 ? older : newer) += size;
  }
  const double r = std::pow(newer / older, 1.0 / kSteps), ratio = std::sqrt(sum[2] / sum[0]);  // |1 − 1/ξ|²
  return Root{r, std::acos(std::clamp(r * (1 + 1 / (r * r) - ratio) / 2, -1.0, 1.0))};
}

std::optional<StabilityLimit::Vibration> StabilityLimit::vibration(int order) const {
  const std::optional<Root> seen = root();
  constexpr double kNoise = 1.9;  // differences of what has no pace at all turn by 2.5
  if (!seen || !(seen->angle > 0) || seen->angle > kNoise) return {};
  const Complex rate = bdf_rate(order, std::polar(seen->size, seen->angle));
  const double y = std::abs(rate.imag());
  const auto amplitude = [&](const double* squares) {
    const double ratio = std::abs(1.0 - std::polar(1 / seen->size, -seen->angle));
    return std::sqrt(2 * std::accumulate(squares, squares + kSteps, 0.0) / kSteps) / std::pow(ratio, lowest_);
  };
  // What is damped needs no help; what grows by itself is the mechanism's affair.
  const bool undamped = rate.real() > -0.02 - 0.1 * y && rate.real() < 0.05 + 0.3 * y;
  return Vibration{y, amplitude(square_[0]), y * amplitude(part_), undamped};
}

}  // namespace trunnion::integrate
