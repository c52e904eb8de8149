#include "integrate/newmark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assembly/steady_spin.hpp"

namespace trunnion::integrate {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;
using assembly::State;
using math::Mat3;
using math::Quat;
using math::Vec3;

NewmarkTable hht_table(double alpha) {
  return {"HHT", (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha, 0, -alpha};
}
NewmarkTable newmark_table(double beta, double gamma) { return {"NEWMARK", beta, gamma, 0, 0}; }
NewmarkTable generalized_alpha_table(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {"GENERALIZED_ALPHA", (gamma + 0.5) * (gamma + 0.5) / 4, gamma, alpha_m, alpha_f};
}

Newmark::Newmark(const assembly::Layout& layout, const NewmarkTable& table, double error,
                 AmplitudeTest amplitude)
    : layout_(layout),
      table_(table),
      allowed_(error),
      norm_(layout, std::move(amplitude)),
      kappa_((1 - table.alpha_f) / (1 - table.alpha_m)),
      second_order_(std::abs(table.gamma - (0.5 + table.alpha_f - table.alpha_m)) < 1e-12),
      d_(Eigen::VectorXd::Zero(layout.size())),
      error_(Eigen::VectorXd::Zero(layout.size())),
      turn_(static_cast<std::size_t>(layout.block_count()), Mat3::Identity()) {
  // Eq. 26, the local error over h²(aₙ₊₁ − aₙ). With filtered accelerations aₙ₊₁ − aₙ ≈ κ-fold what the paper's 1 + α stands
  // for: (1 − αf)/(1 − αm).
  // It vanishes at β = 1/6, where the next term takes over; then as if it were the trapezoidal rule's.
  constexpr double kTrapezoidal = 1.0 / 12;
  error_factor_ = std::max(std::abs(table.beta - 1 / (6 * kappa_)), kTrapezoidal);
  maps_.turn = &turn_;
}

void Newmark::start(const State& state) {
  now_ = before_ = state;
  a_ = state.a;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::first_order)
      a_.segment(block.offset, block.size) = state.v.segment(block.offset, block.size);
  }
  a_next_ = a_;
  norm_.grow(state);
  h_ = 0;
  points_ = 0;
  trusted_ = 3;
  for (Point& p : past_) {
    p.unknowns.setZero(layout_.size());
    p.lambda.setZero(layout_.row_count());
  }
  accept(state);
}

std::array<double, 4> Newmark::weights_at(double t, int degree) const {
  std::array<double, 4> weight{};
  for (int i = 0; i <= degree; ++i) {
    weight[static_cast<std::size_t>(i)] = 1;
    for (int j = 0; j <= degree; ++j) {
      if (j == i) continue;
      const double ti = past_[static_cast<std::size_t>(i)].t, tj = past_[static_cast<std::size_t>(j)].t;
      weight[static_cast<std::size_t>(i)] *= (t - tj) / (ti - tj);
    }
  }
  return weight;
}

// As long as the terms of Newton's form shrink: one that grows says that the past is not smooth. Rejections take a degree each.
int Newmark::prediction_degree(double t) {
  const int highest = std::min({points_ - 1, trusted_, 3});
  std::array<double, 4> lower = weights_at(t, 0);
  double before = std::numeric_limits<double>::infinity();
  for (int degree = 1; degree <= highest; ++degree) {
    const std::array<double, 4> weight = weights_at(t, degree);
    error_.setZero();
    for (std::size_t i = 0; i < weight.size(); ++i) error_ += (weight[i] - lower[i]) * past_[i].unknowns;
    const double term = error_.norm();
    if (!(term <= before)) return degree - 1;
    before = term;
    lower = weight;
  }
  return std::max(highest, 0);
}

void Newmark::extrapolate(double t, int degree, State& trial) const {
  const std::array<double, 4> weight = weights_at(t, degree);
  trial.lambda.setZero();
  Eigen::VectorXd& unknowns = trial.a;  // sorted out below: every tangent entry has one unknown
  unknowns.setZero();
  for (int i = 0; i <= degree; ++i) {
    unknowns += weight[static_cast<std::size_t>(i)] * past_[static_cast<std::size_t>(i)].unknowns;
    trial.lambda += weight[static_cast<std::size_t>(i)] * past_[static_cast<std::size_t>(i)].lambda;
  }
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::algebraic)
      trial.q.segment(block.pose_offset, block.size) = unknowns.segment(block.offset, block.size);
    else if (block.kind == BlockKind::first_order)
      trial.v.segment(block.offset, block.size) = unknowns.segment(block.offset, block.size);
    else continue;
    unknowns.segment(block.offset, block.size).setZero();
  }
}

void Newmark::predict(double h, State& trial) {
  h_ = h;
  trial.t = now_.t + h;
  trial.memory = now_.memory;
  const double gain = kappa_ * table_.gamma * h;
  maps_.body = {kappa_ * table_.beta * h * h, gain, 1};
  maps_.state = {gain, 1, 0};
  extrapolate(trial.t, prediction_degree(trial.t), trial);
  place(trial);
}

Vec3 Newmark::turn_by_spin(const Block& block) const {
  const Vec3 turn = h_ * now_.v.segment<3>(block.offset + 3);
  const double angle = turn.norm(), whole = 2 * M_PI * std::round(angle / (2 * M_PI));
  return whole > 0 ? Vec3((1 - whole / angle) * turn) : turn;
}

double Newmark::largest_turn() const {
  double largest = 0;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::rigid)
      largest = std::max(largest, (d_.segment<3>(block.offset + 3) - turn_by_spin(block)).norm());
    else if (block.kind == BlockKind::planar)
      largest = std::max(largest, std::abs(d_[block.offset + 2] - h_ * now_.v[block.offset + 2]));
  }
  return largest;
}

void Newmark::place(State& trial) {
  const double beta = table_.beta, gamma = table_.gamma, h = h_;
  const double old_true = table_.alpha_f / (1 - table_.alpha_m), old = -table_.alpha_m / (1 - table_.alpha_m);
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::algebraic) continue;
    const auto at = [&](auto& vector) { return vector.segment(block.offset, block.size); };
    if (block.kind == BlockKind::first_order) {
      at(a_next_) = kappa_ * at(trial.v) + old_true * at(now_.v) + old * at(a_);
      trial.q.segment(block.pose_offset, block.size) =
          now_.q.segment(block.pose_offset, block.size) + h * ((1 - gamma) * at(a_) + gamma * at(a_next_));
      continue;
    }
    at(a_next_) = kappa_ * at(trial.a) + old_true * at(now_.a) + old * at(a_);
    at(d_) = h * at(now_.v) + h * h * ((0.5 - beta) * at(a_) + beta * at(a_next_));
    at(trial.v) = at(now_.v) + h * ((1 - gamma) * at(a_) + gamma * at(a_next_));
    if (block.kind != BlockKind::rigid)
      trial.q.segment(block.pose_offset, block.size) = now_.q.segment(block.pose_offset, block.size) + at(d_);
    if (block.kind == BlockKind::rigid) {
      d_.segment<3>(block.offset + 3) += turn_by_spin(block) - h * now_.v.segment<3>(block.offset + 3);
      trial.q.segment<3>(block.pose_offset) =
          now_.q.segment<3>(block.pose_offset) + d_.segment<3>(block.offset);
      const auto from = now_.q.segment<4>(block.pose_offset + 3);
      const Quat R =
          math::so3_compose(Quat(from[0], from[1], from[2], from[3]), d_.segment<3>(block.offset + 3));
      trial.q.segment<4>(block.pose_offset + 3) << R.w(), R.x(), R.y(), R.z();
    }
  }
}

const system::LevelMaps& Newmark::maps(bool turns) {
  for (int b = 0; turns && b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::rigid)
      turn_[static_cast<std::size_t>(b)] = math::so3_right_jacobian_inverse(d_.segment<3>(block.offset + 3));
  }
  return maps_;
}

void Newmark::add(const Eigen::VectorXd& du, State& trial) {
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    const auto part = du.segment(block.offset, block.size);
    if (block.kind == BlockKind::algebraic) {
      trial.q.segment(block.pose_offset, block.size) += part;
    } else if (block.kind == BlockKind::first_order) {
      trial.v.segment(block.offset, block.size) += part;
    } else if (block.kind == BlockKind::rigid) {
      trial.a.segment<3>(block.offset) += part.head<3>();
      trial.a.segment<3>(block.offset + 3) +=
          math::so3_right_jacobian_inverse(d_.segment<3>(block.offset + 3)) * part.tail<3>();
    } else {
      trial.a.segment(block.offset, block.size) += part;
    }
  }
  place(trial);
}

double Newmark::size(const Eigen::VectorXd& du) const {
  // Δx of the paper, in units of the error it makes: Eqs. 46, 47.
  Eigen::VectorXd& e = error_;
  e = du.head(layout_.size());
  const double positions = error_factor_ * kappa_ * h_ * h_, states = maps_.state.q;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    e.segment(block.offset, block.size) *= block.kind == BlockKind::first_order ? states : positions;
  }
  // An error left by the corrector is a force that is missing: it stays in the velocities. So they must converge as well as
  // the positions, which the paper does not ask for.
  const double size = norm_(e);
  e = du.head(layout_.size());
  return std::max(size, error_factor_ / table_.beta * maps_.body.v * norm_.velocities(e)) / allowed_;
}

double Newmark::rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  const double velocities = maps_.body.v / maps_.body.q * norm_.velocity_of_rounding();
  return error_factor_ / table_.beta * kRounding * std::max(1.0, velocities) / allowed_;
}

double Newmark::error(const State& trial) {
  error_ = error_factor_ * h_ * h_ * (a_next_ - a_);
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind != BlockKind::first_order) continue;
    const auto change = (trial.v - now_.v).segment(block.offset, block.size);
    auto e = error_.segment(block.offset, block.size);
    if (!second_order_) {
      e = (table_.gamma - 0.5) * h_ * change;  // Eq. 34
    } else if (points_ < 2) {
      e = h_ * change / 12;
    } else {
      // z⃛ from three rates; α = −(αf − αm) of the filter.
      const double alpha = table_.alpha_m - table_.alpha_f;
      const double constant = 1.0 / 12 - alpha / 2 - alpha * alpha;
      const Point& earlier = past_[1];
      const double span = now_.t - earlier.t;
      e = constant * h_ * h_ * h_ * 2 / (h_ + span) *
          (change / h_ -
           (now_.v.segment(block.offset, block.size) - earlier.unknowns.segment(block.offset, block.size)) /
               span);
    }
  }
  turned_ = largest_turn();
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  // What γ beyond ½ takes from the velocities is not judged here: that damping is the formula's, and told by the energy's balance.
  power_ = !second_order_ && norm_.states_dominate(error_) ? 1.0 / 2 : 1.0 / 3;
  return std::max(norm_(error_) / allowed_, norm_.amplitude(error_));
}

double Newmark::next_step(double error, double largest) {
  constexpr double kSafety = 0.9, kGrowth = 2.0, kHold = 1.1;
  // A change of spin turns a body further by the square of the step.
  if (turned_ > 0) largest = std::min(largest, kSafety * h_ * std::sqrt(assembly::kLargestTurn / turned_));
  const double factor = std::clamp(kSafety * std::pow(std::max(error, 1e-12), -power_), 0.2, kGrowth);
  // Small changes are not worth a new filter state.
  const double h = factor > 1 && factor < kHold ? h_ : factor * h_;
  return std::min(h, largest);
}

double Newmark::smaller_step(double error, Rejection why) {
  trusted_ = std::max(0, trusted_ - 1);
  if (why == Rejection::corrector) return h_ / 4;
  return h_ * std::clamp(0.9 * std::pow(error, -power_), 0.1, 0.9);
}

void Newmark::accept(const State& trial) {
  if (h_ > 0) {
    std::swap(before_, now_);
    now_ = trial;
    std::swap(a_, a_next_);
    trusted_ = std::min(3, trusted_ + 1);
  }
  norm_.grow(trial);
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = trial.t;
  p.unknowns = trial.a;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (block.kind == BlockKind::algebraic)
      p.unknowns.segment(block.offset, block.size) = trial.q.segment(block.pose_offset, block.size);
    else if (block.kind == BlockKind::first_order)
      p.unknowns.segment(block.offset, block.size) = trial.v.segment(block.offset, block.size);
  }
  p.lambda = trial.lambda;
  points_ = std::min(points_ + 1, 4);
}

// Cubic through positions and velocities at both ends, and through velocities and accelerations: one order better than the
// step itself.
void Newmark::interpolate(double t, State& state) const {
  const State &a = before_, &b = now_;
  const double h = b.t - a.t, x = (t - a.t) / h;
  const double h01 = x * x * (3 - 2 * x), h10 = h * x * (1 - x) * (1 - x), h11 = h * x * x * (x - 1);
  state = b;
  state.t = t;
  Eigen::VectorXd d(layout_.size());
  assembly::difference(layout_, a.q, b.q, d);
  const auto orientation = [](const Eigen::VectorXd& q, const Block& block) {
    const auto R = q.segment<4>(block.pose_offset + 3);
    return Quat(R[0], R[1], R[2], R[3]);
  };
  for (int k = 0; k < layout_.block_count(); ++k) {
    const Block& block = layout_.block(BlockId{k});
    const auto at = [&](const Eigen::VectorXd& vector) { return vector.segment(block.offset, block.size); };
    if (block.kind == BlockKind::algebraic) {
      d.segment(block.offset, block.size) *= x;
      continue;
    }
    d.segment(block.offset, block.size) = h01 * at(d) + h10 * at(a.v) + h11 * at(b.v);
    state.v.segment(block.offset, block.size) = (1 - h01) * at(a.v) + h01 * at(b.v);
    if (block.kind != BlockKind::first_order)
      state.v.segment(block.offset, block.size) += h10 * at(a.a) + h11 * at(b.a);
  }
  assembly::retract(layout_, a.q, d, state.q);
  // Turns against steady spin: none at the beginning, nor any rate of them.
  for (int k = 0; k < layout_.block_count(); ++k) {
    const Block& block = layout_.block(BlockId{k});
    if (block.kind != BlockKind::rigid) continue;
    const Vec3 w0 = a.v.segment<3>(block.offset + 3), w1 = b.v.segment<3>(block.offset + 3);
    const assembly::SteadySpin spin{orientation(a.q, block), w0, a.t};
    const Vec3 turn = spin.turn(orientation(b.q, block), b.t);
    const Quat R = math::so3_compose(spin.at(t), h01 * turn + h11 * assembly::spin_rate(turn, w1, w0));
    state.q.segment<4>(block.pose_offset + 3) << R.w(), R.x(), R.y(), R.z();
  }
  state.a = (1 - x) * a.a + x * b.a;
  state.lambda = (1 - x) * a.lambda + x * b.lambda;
}

}  // namespace trunnion::integrate
