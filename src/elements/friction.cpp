#include "elements/friction.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::elements {
namespace {

// The overlap never gets shorter than this part of what it was: a slider that has left its guide has no law.
constexpr double kLeastOverlap = 1e-3;
constexpr std::size_t kMostSlips = 3;

}  // namespace

Friction::Ratio Friction::ratio(double a, double mu_static, double mu_dynamic) const {
  const double vs = data_.transition, x = a / vs;
  if (x <= 1.0) return {mu_static * (1.5 - 0.5 * x * x) / vs, -mu_static * x / (vs * vs)};
  double mu = mu_dynamic, slope = 0.0;
  if (x < 1.5) {
    const double u = 2.0 * (x - 1.0), step = mu_dynamic - mu_static;
    mu = mu_static + step * u * u * (3.0 - 2.0 * u);
    slope = step * 6.0 * u * (1.0 - u) * 2.0 / vs;
  }
  return {mu / a, (slope * a - mu) / (a * a)};
}

double Friction::load(const VecMap& signals, double* gradient) const {
  double overlap = data_.overlap, growth = 0.0;
  if (data_.travel >= 0 && data_.growth != 0.0) {
    overlap += data_.growth * (signals[data_.travel] - data_.start);
    growth = data_.growth;
    if (overlap < kLeastOverlap * data_.overlap) {
      overlap = kLeastOverlap * data_.overlap;
      growth = 0.0;
    }
  }
  double N = 0.0;
  for (const FrictionTerm& term : data_.load) {
    double square = 0.0;
    for (const int k : term.signals) {
      if (k >= 0) square += signals[k] * signals[k];
    }
    const double length = std::sqrt(square), factor = term.by_overlap ? term.factor / overlap : term.factor;
    N += factor * length;
    if (gradient == nullptr || length == 0.0) continue;  // a corner where nothing presses
    for (const int k : term.signals) {
      if (k >= 0) gradient[k] += factor * signals[k] / length;
    }
    if (term.by_overlap && growth != 0.0) gradient[data_.travel] -= factor * length * growth / overlap;
  }
  return N;
}

void Friction::add(const VecMap& signals, VecMap c, MatMap D) const {
  const bool statics = data_.mode >= 0 && (signals[data_.mode] == 5.0 || signals[data_.mode] == 6.0);
  if (data_.inactive_statics && statics) return;
  constexpr std::size_t kMostSignals = 16;
  std::array<double, kMostSignals> of_load{};
  const bool partials = D.size() != 0;
  const double N = load(signals, partials ? of_load.data() : nullptr);
  std::array<double, kMostSlips> s{};
  double square = 0.0;
  for (std::size_t k = 0; k < data_.slips.size(); ++k) {
    s[k] = data_.slips[k].radius * signals[data_.slips[k].signal];
    square += s[k] * s[k];
  }
  const double a = std::sqrt(square);
  const Ratio mu = ratio(a, data_.mu_static, data_.mu_dynamic), sigma = ratio(a, 1.0, 1.0);
  for (std::size_t k = 0; k < data_.slips.size(); ++k) {
    const FrictionData::Slip& slip = data_.slips[k];
    const auto row = static_cast<Eigen::Index>(k);
    const double against = mu.value * slip.lever * N + sigma.value * slip.preload;
    c[row] -= s[k] * against;
    if (!partials) continue;
    const double slope = mu.slope * slip.lever * N + sigma.slope * slip.preload;
    for (std::size_t j = 0; j < data_.slips.size(); ++j) {
      const double by_s = (j == k ? against : 0.0) + (a > 0.0 ? s[k] * slope * s[j] / a : 0.0);
      D(row, data_.slips[j].signal) -= by_s * data_.slips[j].radius;
    }
    for (Eigen::Index j = 0; j < D.cols(); ++j)
      D(row, j) -= s[k] * mu.value * slip.lever * of_load[static_cast<std::size_t>(j)];
  }
}

}  // namespace trunnion::elements
