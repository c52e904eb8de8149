#include "elements/lugre.hpp"

#include <cmath>

namespace trunnion::elements {
namespace {

using Slips = Friction::Slips;

// What the speed a alone decides.
struct AtSpeed {
  double g, g_a;        // steady friction and its slope
  double fade, fade_a;  // exp(−(a/vs)²)
  AtSpeed(const Bristles& b, double a) {
    const double x = a / b.transition;
    fade = std::exp(-x * x);
    fade_a = -2.0 * x / b.transition * fade;
    g = b.mu_dynamic + (b.mu_static - b.mu_dynamic) * fade;
    g_a = (b.mu_static - b.mu_dynamic) * fade_a;
  }
};

// ż_k, and over slip j and deflection k; a corner of |s| where there is no slip.
struct Rate {
  const Bristles& b;
  const Slips &s, &z;
  double a = Friction::length(s);
  AtSpeed at{b, a};

  double value(std::size_t k) const { return s[k] - b.stiffness * a / at.g * z[k]; }
  double direction(std::size_t j) const { return a > 0.0 ? s[j] / a : 0.0; }
  double by_slip(std::size_t k, std::size_t j) const {
    const double growth = (1.0 - a * at.g_a / at.g) / at.g;  // d(a/g)/da
    return (j == k ? 1.0 : 0.0) - b.stiffness * z[k] * growth * direction(j);
  }
  double by_deflection() const { return -b.stiffness * a / at.g; }
};

}  // namespace

void BristleRate::add(const VecMap& signals, VecMap c, MatMap D) const {
  const std::size_t n = radii_.size();
  Slips s{}, z{};
  for (std::size_t k = 0; k < n; ++k) {
    s[k] = radii_[k] * signals[static_cast<Eigen::Index>(k)];
    z[k] = signals[static_cast<Eigen::Index>(n + k)];
  }
  const Rate rate{bristles_, s, z};
  for (std::size_t k = 0; k < n; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    c[row] += rate.value(k);
    if (D.size() == 0) continue;
    for (std::size_t j = 0; j < n; ++j)
      D(row, static_cast<Eigen::Index>(j)) += rate.by_slip(k, j) * radii_[j];
    D(row, static_cast<Eigen::Index>(n + k)) += rate.by_deflection();
  }
}

void LuGre::add(const VecMap& signals, VecMap c, MatMap D) const {
  if (silent(data_, signals)) return;
  std::array<double, Friction::kMostSignals> of_load{};
  const bool partials = D.size() != 0;
  const double N = pressing_force(data_, signals, partials ? of_load.data() : nullptr);
  const std::size_t n = data_.slips.size();
  Slips s{}, z{};
  for (std::size_t k = 0; k < n; ++k) {
    s[k] = data_.slips[k].radius * signals[data_.slips[k].signal];
    z[k] = signals[z_[k]];
  }
  const Rate rate{bristles_, s, z};
  const double damping = bristles_.damping * rate.at.fade, damping_a = bristles_.damping * rate.at.fade_a;
  for (std::size_t k = 0; k < n; ++k) {
    const FrictionData::Slip& slip = data_.slips[k];
    const auto row = static_cast<Eigen::Index>(k);
    const double strength = slip.lever * N + slip.preload / rate.at.g;
    const double m = bristles_.stiffness * z[k] + damping * rate.value(k) + bristles_.viscous * s[k];
    c[row] -= strength * m;
    if (!partials) continue;
    for (std::size_t j = 0; j < n; ++j) {
      const double u = rate.direction(j);
      const double m_s =
          damping_a * u * rate.value(k) + damping * rate.by_slip(k, j) + (j == k ? bristles_.viscous : 0.0);
      const double strength_s = -slip.preload * rate.at.g_a / (rate.at.g * rate.at.g) * u;
      D(row, data_.slips[j].signal) -= (strength * m_s + strength_s * m) * data_.slips[j].radius;
    }
    D(row, z_[k]) -= strength * (bristles_.stiffness + damping * rate.by_deflection());
    for (Eigen::Index j = 0; j < D.cols(); ++j)
      D(row, j) -= m * slip.lever * of_load[static_cast<std::size_t>(j)];
  }
}

}  // namespace trunnion::elements
