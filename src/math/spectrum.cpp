#include "math/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <fmt/format.h>

#include "math/spline.hpp"

namespace trunnion::math {

namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ull;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

std::string SpectrumSignal::check(std::span<const double> f, std::span<const double> psd, double f0,
                                  double f1, int count, bool logarithmic) {
  std::string message = check_spline_points(f, psd);
  if (!message.empty()) return message;
  if (count < 1) return fmt::format("the number of frequencies must be positive, {} given", count);
  if (!(f1 > f0)) return fmt::format("f1 = {} must be greater than f0 = {}", f1, f0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (psd[i] < 0.0)
      return fmt::format("a power spectral density cannot be negative: point {} is {}", i + 1, psd[i]);
    if (logarithmic && (f[i] <= 0.0 || psd[i] <= 0.0)) {
      return fmt::format("logarithmic interpolation needs positive values: point {} is ({}, {})", i + 1, f[i],
                         psd[i]);
    }
  }
  if (logarithmic && f0 <= 0.0) return fmt::format("logarithmic interpolation needs f0 > 0, {} given", f0);
  return {};
}

SpectrumSignal::SpectrumSignal(std::span<const double> f, std::span<const double> psd, double f0, double f1,
                               int count, bool logarithmic, long long seed) {
  std::vector<double> x(f.begin(), f.end()), y(psd.begin(), psd.end());
  if (logarithmic) {
    for (double& v : x) v = std::log(v);
    for (double& v : y) v = std::log(v);
  }
  const PiecewisePolynomial density = linear_spline(x, y, Extrapolation::constant);
  const double band = (f1 - f0) / count;
  std::uint64_t state = static_cast<std::uint64_t>(seed);
  terms_.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double frequency = f0 + (i + 0.5) * band;
    const double s = logarithmic ? std::exp(density.value(std::log(frequency))) : density.value(frequency);
    const double unit = static_cast<double>(split_mix(state) >> 11) * 0x1p-53;
    terms_.push_back({std::sqrt(2.0 * std::max(s, 0.0) * band), 2.0 * std::numbers::pi * frequency,
                      2.0 * std::numbers::pi * unit});
  }
}

double SpectrumSignal::value(double x) const {
  double sum = 0.0;
  for (const Term& t : terms_) sum += t.amplitude * std::sin(t.omega * x + t.phase);
  return sum;
}

Jet SpectrumSignal::jet(double x) const {
  Jet f;
  for (const Term& t : terms_) {
    const double s = t.amplitude * std::sin(t.omega * x + t.phase);
    f.value += s;
    f.d1 += t.amplitude * t.omega * std::cos(t.omega * x + t.phase);
    f.d2 -= t.omega * t.omega * s;
  }
  return f;
}

}  // namespace trunnion::math
