#include "integrate/norm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::integrate {

using assembly::Segment;

Norm::Norm(const assembly::Layout& layout, AmplitudeTest amplitude)
    : layout_(layout),
      size_(Eigen::VectorXd::Ones(layout.size())),
      speed_(Eigen::VectorXd::Constant(layout.size(), amplitude.slow)),
      weight_(Eigen::VectorXd::Ones(layout.size())),
      speed_weight_(Eigen::VectorXd::Constant(layout.size(), 1 / amplitude.slow)),
      test_(std::move(amplitude)),
      farthest_(test_.least) {
  const Segment &q = layout.coordinates(), &z = layout.states(), &w = layout.variables();
  coordinates_ = q.size;
  states_ = z.size;
  weight_.segment(w.offset, w.size).setZero();
  speed_weight_.segment(z.offset, z.size + w.size).setZero();
  for (int k = 0; k < q.size + z.size; ++k) {
    if (layout.is_turn(k)) turns_.push_back(k);
    else sized_.emplace_back(k, layout.pose_entry(k));
  }
}

// Turns count up to a radian, and no further than the body's ω has changed: one that merely spins is not displaced.
void Norm::grow_displacement(const assembly::State& state) {
  if (first_q_.size() == 0) {
    first_t_ = state.t;
    first_q_ = state.q;
    first_v_ = state.v;
    displacement_.setZero(layout_.size());
  }
  assembly::difference(layout_, first_q_, state.q, displacement_);
  for (const int k : turns_) {
    const double changed = std::abs(state.v[k] - first_v_[k]) * (state.t - first_t_);
    displacement_[k] = std::min({1.0, std::abs(displacement_[k]), changed});
  }
  farthest_ = std::max(farthest_, kinetic(displacement_));
  fastest_ = std::max(fastest_, kinetic(state.v));
}

void Norm::grow(const assembly::State& state) {
  if (test_.inertia.size() > 0) grow_displacement(state);
  for (const auto& [k, pose] : sized_) {
    size_[k] = std::max(size_[k], std::abs(state.q[pose]));
    weight_[k] = 1 / size_[k];
  }
  const int n = coordinates_;
  speed_.head(n) = speed_.head(n).cwiseMax(state.v.head(n).cwiseAbs());
  speed_weight_.head(n) = speed_.head(n).cwiseInverse();
}

Norm::Squares Norm::squares(const Eigen::VectorXd& error) const {
  Squares sum;
  const Segment& z = layout_.states();
  const auto weighted = error.cwiseProduct(weight_);
  if (coordinates_ > 0) sum.coordinates = weighted.head(coordinates_).squaredNorm() / coordinates_;
  if (states_ > 0) sum.states = weighted.segment(z.offset, z.size).squaredNorm() / states_;
  return sum;
}

double Norm::operator()(const Eigen::VectorXd& error) const {
  const auto [coordinates, states] = squares(error);
  // Not std::max, which would lose a NaN.
  return std::sqrt(coordinates >= states ? coordinates : states + 0 * coordinates);
}

Norm::Groups Norm::groups(const Eigen::VectorXd& error) const {
  const auto [coordinates, states] = squares(error);
  return {std::sqrt(coordinates), std::sqrt(states)};
}

int Norm::largest(const Eigen::VectorXd& error) const {
  Eigen::Index at = 0;
  if (error.size() > 0) (error.array() * weight_.array()).abs().maxCoeff(&at);
  return static_cast<int>(at);
}

double Norm::velocities(const Eigen::VectorXd& error) const {
  const int n = coordinates_;
  return n > 0 ? std::sqrt(error.head(n).cwiseProduct(speed_weight_.head(n)).squaredNorm() / n) : 0.0;
}

double Norm::velocities_beyond(const Eigen::VectorXd& error, const Eigen::VectorXd& q, double rounding,
                               double hopeless) const {
  if (coordinates_ == 0) return 0;
  double reach = 1;
  for (const auto& [k, pose] : sized_) {
    if (k < coordinates_) reach = std::max(reach, std::abs(q[pose]));
  }
  double sum = 0;
  const auto add = [&](int k, double size) {
    const double noise = rounding * size * speed_weight_[k], e = std::abs(error[k]) * speed_weight_[k];
    if (!(e <= noise && noise > hopeless)) sum += e * e;
  };
  for (const int k : turns_) add(k, 1);
  for (const auto& [k, pose] : sized_) {
    if (k < coordinates_) add(k, reach);
  }
  return std::sqrt(sum / coordinates_);
}

double Norm::kinetic(const Eigen::VectorXd& v) const {
  return std::sqrt((test_.inertia.array() * v.array().square()).sum());
}

double Norm::amplitude(const Eigen::VectorXd& error) const {
  return test_.inertia.size() > 0 && farthest_ > 0 ? kinetic(error) / (farthest_ * test_.allowed) : 0;
}

double Norm::over_speed(const Eigen::VectorXd& error) const {
  return fastest_ > 0 ? kinetic(error) / fastest_ : 0;
}

// A speed is at least what crosses the least displacement in the slowest time that counts.
double Norm::speed(const Eigen::VectorXd& error) const {
  if (test_.inertia.size() == 0) return 0;
  const double size = std::max(fastest_, test_.least * test_.slow);
  const auto part = test_.inertia.head(coordinates_).array() * error.head(coordinates_).array().square();
  return size > 0 ? std::sqrt(part.sum()) / (size * test_.allowed) : 0;
}

double Norm::velocity_of_rounding() const { return velocities(size_); }

}  // namespace trunnion::integrate
