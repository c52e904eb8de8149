#include "integrate/norm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trunnion::integrate {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;

Norm::Norm(const assembly::Layout& layout, AmplitudeTest amplitude)
    : layout_(layout),
      size_(Eigen::VectorXd::Ones(layout.size())),
      speed_(Eigen::VectorXd::Constant(layout.size(), amplitude.slow)),
      weight_(Eigen::VectorXd::Ones(layout.size())),
      speed_weight_(Eigen::VectorXd::Constant(layout.size(), 1 / amplitude.slow)),
      is_state_(static_cast<std::size_t>(layout.size()), 0),
      test_(std::move(amplitude)),
      farthest_(test_.least) {
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    for (int i = block.offset; i < block.offset + block.size; ++i) {
      if (block.kind == BlockKind::algebraic) {
        weight_[i] = speed_weight_[i] = 0;
      } else if (block.kind == BlockKind::first_order) {
        speed_weight_[i] = 0;
        is_state_[static_cast<std::size_t>(i)] = 1;
        ++states_;
      } else {
        ++coordinates_;
      }
    }
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
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (assembly::is_scalar(block.kind)) continue;
    for (int k = block.offset + block.translations; k < block.offset + block.size; ++k) {
      const double changed = std::abs(state.v[k] - first_v_[k]) * (state.t - first_t_);
      displacement_[k] = std::min({1.0, std::abs(displacement_[k]), changed});
    }
  }
  farthest_ = std::max(farthest_, kinetic(displacement_));
}

void Norm::grow(const assembly::State& state) {
  if (test_.inertia.size() > 0) grow_displacement(state);
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::algebraic) continue;
    const int turns_from = assembly::is_scalar(block.kind) ? block.size : block.translations;
    for (int i = 0; i < block.size; ++i) {
      const int k = block.offset + i;
      if (i < turns_from) {
        size_[k] = std::max(size_[k], std::abs(state.q[block.pose_offset + i]));
        weight_[k] = 1 / size_[k];
      }
      if (block.kind == BlockKind::first_order) continue;
      speed_[k] = std::max(speed_[k], std::abs(state.v[k]));
      speed_weight_[k] = 1 / speed_[k];
    }
  }
}

Norm::Squares Norm::squares(const Eigen::VectorXd& error) const {
  Squares sum;
  for (Eigen::Index k = 0; k < error.size(); ++k) {
    const double e = error[k] * weight_[k];
    (is_state_[static_cast<std::size_t>(k)] ? sum.states : sum.coordinates) += e * e;
  }
  if (coordinates_ > 0) sum.coordinates /= coordinates_;
  if (states_ > 0) sum.states /= states_;
  return sum;
}

double Norm::operator()(const Eigen::VectorXd& error) const {
  const auto [coordinates, states] = squares(error);
  // Not std::max, which would lose a NaN.
  return std::sqrt(coordinates >= states ? coordinates : states + 0 * coordinates);
}

bool Norm::states_dominate(const Eigen::VectorXd& error) const {
  const auto [coordinates, states] = squares(error);
  return states > coordinates;
}

int Norm::largest(const Eigen::VectorXd& error) const {
  Eigen::Index at = 0;
  if (error.size() > 0) (error.array() * weight_.array()).abs().maxCoeff(&at);
  return static_cast<int>(at);
}

double Norm::velocities(const Eigen::VectorXd& error) const {
  double sum = 0;
  for (Eigen::Index k = 0; k < error.size(); ++k) {
    const double e = error[k] * speed_weight_[k];
    sum += e * e;
  }
  return coordinates_ > 0 ? std::sqrt(sum / coordinates_) : 0.0;
}

double Norm::kinetic(const Eigen::VectorXd& v) const {
  return std::sqrt((test_.inertia.array() * v.array().square()).sum());
}

double Norm::amplitude(const Eigen::VectorXd& error) const {
  return test_.inertia.size() > 0 && farthest_ > 0 ? kinetic(error) / (farthest_ * test_.allowed) : 0;
}

double Norm::velocity_of_rounding() const { return velocities(size_); }

}  // namespace trunnion::integrate
