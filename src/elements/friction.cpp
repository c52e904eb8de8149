#include "elements/friction.hpp"

#include <algorithm>
#include <cmath>

#include "math/so3.hpp"

namespace trunnion::elements {
namespace {

// The overlap never gets shorter than this part of what it was: a slider that has left its guide has no law.
constexpr double kLeastOverlap = 1e-3;

// The size of a vector of length x goes as (3u − u³)/2, u = x/width, and stays 1 from u = 1 on: its ratio to x, and the slope of that.
struct Saturation {
  double ratio, slope;
};
Saturation saturation(double x, double width) {
  const double u = x / width;
  if (u <= 1.0) return {(1.5 - 0.5 * u * u) / width, -u / (width * width)};
  return {1.0 / x, -1.0 / (x * x)};
}

}  // namespace

Friction::Slope Friction::mu(double a) const {
  const double x = a / data_.transition;
  if (x <= 1.0) return {data_.mu_static, 0.0};
  if (x >= 1.5) return {data_.mu_dynamic, 0.0};
  const double u = 2.0 * (x - 1.0), step = data_.mu_dynamic - data_.mu_static;
  return {data_.mu_static + step * u * u * (3.0 - 2.0 * u),
          step * 6.0 * u * (1.0 - u) * 2.0 / data_.transition};
}

Friction::Slope Friction::hold(double a) const {
  const double u = 2.0 * a / data_.transition - 1.0;
  if (u <= 0.0) return {1.0, 0.0};
  if (u >= 1.0) return {0.0, 0.0};
  return {1.0 - u * u * (3.0 - 2.0 * u), -6.0 * u * (1.0 - u) * 2.0 / data_.transition};
}

Friction::Slips Friction::slips(const VecMap& signals) const {
  Slips s{};
  for (std::size_t k = 0; k < data_.slips.size(); ++k)
    s[k] = data_.slips[k].radius * signals[data_.slips[k].signal];
  return s;
}

Eigen::Matrix<double, 3, 4> Friction::ball_travel(const VecMap& signals) const {
  if (signals[data_.turn_begun] == 0.0) return Eigen::Matrix<double, 3, 4>::Zero();
  const auto at = [&](const std::array<int, 4>& q, std::size_t k) { return signals[q[k]]; };
  double cosine = 0.0;
  for (std::size_t k = 0; k < 4; ++k) cosine += at(data_.turn, k) * at(data_.last_turn, k);
  const double twice = cosine < 0.0 ? -2.0 : 2.0;  // q and −q are one rotation
  const math::Vec3 b(at(data_.last_turn, 1), at(data_.last_turn, 2), at(data_.last_turn, 3));
  Eigen::Matrix<double, 3, 4> M;  // vec(q qₙ⁻¹) = a e − w b + b×e, qₙ = (a, b)
  M << -b, at(data_.last_turn, 0) * Eigen::Matrix3d::Identity() + math::hat(b);
  return twice * M;
}

Friction::Slope Friction::share(const VecMap& signals, double a) const {
  const double vs = data_.transition, a0 = data_.last_slip >= 0 ? signals[data_.last_slip] : 0.0;
  // In statics nothing moves, and all of the way counts.
  if (a0 <= vs || a >= vs || a == 0.0) return {1.0, 0.0};
  const double whole = a0 * a0 - a * a;
  return {(vs * vs - a * a) / whole, -2.0 * a * (a0 * a0 - vs * vs) / (whole * whole)};
}

Friction::Creep Friction::creep(const VecMap& signals, double a) const {
  Creep c;
  c.share = share(signals, a);
  Eigen::Matrix<double, 3, 4> M = Eigen::Matrix<double, 3, 4>::Zero();
  if (data_.ball()) M = ball_travel(signals);
  for (std::size_t k = 0; k < data_.slips.size(); ++k) {
    const FrictionData::Slip& slip = data_.slips[k];
    if (!creeps(slip)) continue;
    for (std::size_t j = 0; data_.ball() && j < 4; ++j)
      c.way[k] += slip.radius * M(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) *
                  signals[data_.turn[j]];
    if (!data_.ball() && signals[slip.begun] != 0.0)
      c.way[k] = slip.sign * slip.radius * (signals[slip.travel] - signals[slip.x0]);
    c.z[k] = signals[slip.z0] + c.share.value * c.way[k];
  }
  return c;
}

bool Friction::remembers() const {
  return std::any_of(data_.slips.begin(), data_.slips.end(),
                     [this](const FrictionData::Slip& slip) { return creeps(slip); });
}

void Friction::keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const {
  const double a = length(slips(signals));
  // Where it does not act nothing sticks: it begins to from here.
  const Slips z = silent(data_, signals) ? Slips{} : creep(signals, a).z;
  const double most = data_.creep * hold(a).value, b = length(z);
  const double back = b > most ? most / b : 1.0;
  for (std::size_t k = 0; k < data_.slips.size(); ++k) {
    const FrictionData::Slip& slip = data_.slips[k];
    if (!creeps(slip)) continue;
    kept.emplace_back(slip.place, back * z[k]);
    if (data_.ball()) continue;
    kept.emplace_back(slip.place + 1, signals[slip.travel]);
    kept.emplace_back(slip.place + 2, 1.0);
  }
  if (data_.last_slip_place >= 0) kept.emplace_back(data_.last_slip_place, a);
  if (!data_.ball()) return;
  for (int k = 0; k < 4; ++k)
    kept.emplace_back(data_.turn_place + k, signals[data_.turn[static_cast<std::size_t>(k)]]);
  kept.emplace_back(data_.turn_place + 4, 1.0);
}

bool silent(const FrictionData& data, const VecMap& signals) {
  return data.inactive_statics && data.mode >= 0 &&
         assembly::is_static(static_cast<assembly::AnalysisMode>(signals[data.mode]));
}

double pressing_force(const FrictionData& data, const VecMap& signals, double* gradient) {
  double overlap = data.overlap, growth = 0.0;
  if (data.travel >= 0 && data.growth != 0.0) {
    overlap += data.growth * (signals[data.travel] - data.start);
    growth = data.growth;
    if (overlap < kLeastOverlap * data.overlap) {
      overlap = kLeastOverlap * data.overlap;
      growth = 0.0;
    }
  }
  double N = data.pressed;
  for (const FrictionTerm& term : data.load) {
    double square = 0.0;
    for (const int k : term.signals) {
      if (k >= 0) square += signals[k] * signals[k];
    }
    const double size = std::sqrt(square), factor = term.by_overlap ? term.factor / overlap : term.factor;
    N += factor * size;
    if (gradient == nullptr || size == 0.0) continue;  // a corner where nothing presses
    for (const int k : term.signals) {
      if (k >= 0) gradient[k] += factor * signals[k] / size;
    }
    if (term.by_overlap && growth != 0.0) gradient[data.travel] -= factor * size * growth / overlap;
  }
  return N;
}

void Friction::add(const VecMap& signals, VecMap c, MatMap D) const {
  if (silent(data_, signals)) return;
  std::array<double, kMostSignals> of_load{};
  const bool partials = D.size() != 0;
  const double N = pressing_force(data_, signals, partials ? of_load.data() : nullptr);
  const std::size_t count = data_.slips.size();
  const Slips s = slips(signals);
  const double a = length(s);
  const Creep crept = creep(signals, a);
  const Slips& z = crept.z;
  const double b = length(z);
  const Slope m = mu(a);
  const Saturation t = saturation(a, data_.transition);
  Saturation g = saturation(b, data_.creep);
  double g_a = 0.0;  // ∂|g|/∂a: where z is drawn back, |g| is the saturation of w
  if (const Slope w = hold(a); b > data_.creep * w.value) {
    const double size = 0.5 * w.value * (3.0 - w.value * w.value);
    g = {size / b, -size / (b * b)};
    g_a = 1.5 * (1.0 - w.value * w.value) * w.slope;
  }
  Eigen::Matrix<double, 3, 4> M = Eigen::Matrix<double, 3, 4>::Zero();
  if (partials && data_.ball()) M = ball_travel(signals);
  const double free = 1.0 - g.ratio * b;  // share of the velocity part
  for (std::size_t k = 0; k < count; ++k) {
    const FrictionData::Slip& slip = data_.slips[k];
    const auto row = static_cast<Eigen::Index>(k);
    const double e = g.ratio * z[k] + free * t.ratio * s[k];
    const double strength = m.value * slip.lever * N + slip.preload;
    const bool capped = data_.most > 0.0 && strength > data_.most;
    const double against = capped ? data_.most : strength;
    c[row] -= against * e;
    if (!partials) continue;
    double by_share = 0.0;  // ∂e/∂a by the part of the way that counts
    for (std::size_t j = 0; j < count; ++j) {
      const FrictionData::Slip& by = data_.slips[j];
      const double same = j == k ? 1.0 : 0.0;
      const double u = a > 0.0 ? s[j] / a : 0.0, n = b > 0.0 ? z[j] / b : 0.0;
      const double e_s = free * (t.ratio * same + t.slope * s[k] * u) +
                         (b > 0.0 ? g_a * u * (z[k] / b - t.ratio * s[k]) : 0.0);
      const double strength_s = capped ? 0.0 : m.slope * slip.lever * N * u;
      D(row, by.signal) -= (against * e_s + strength_s * e) * by.radius;
      const double e_z = g.ratio * same + g.slope * z[k] * n - t.ratio * s[k] * (g.ratio + g.slope * b) * n;
      by_share += e_z * crept.share.slope * crept.way[j];
      const double by_way = against * e_z * crept.share.value * by.radius;
      if (data_.ball()) {
        for (std::size_t q = 0; q < 4; ++q)
          D(row, data_.turn[q]) -= by_way * M(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(q));
        continue;
      }
      if (by.travel < 0 || signals[by.begun] == 0.0) continue;
      D(row, by.travel) -= by_way * by.sign;
    }
    for (std::size_t j = 0; j < count && by_share != 0.0; ++j)
      D(row, data_.slips[j].signal) -= against * by_share * (s[j] / a) * data_.slips[j].radius;
    if (capped) continue;
    for (Eigen::Index j = 0; j < D.cols(); ++j)
      D(row, j) -= e * m.value * slip.lever * of_load[static_cast<std::size_t>(j)];
  }
}

}  // namespace trunnion::elements
