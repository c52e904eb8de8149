#include "integrate/newmark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrate/step_control.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;
using math::Mat3;

Newmark::Newmark(const assembly::Layout& layout, const formulas::NewmarkTable& table, double error,
                 AmplitudeTest amplitude)
    : layout_(layout),
      table_(table),
      allowed_(error),
      norm_(layout, std::move(amplitude)),
      kappa_((1 - table.alpha_f) / (1 - table.alpha_m)),
      second_order_(std::abs(table.gamma - (0.5 + table.alpha_f - table.alpha_m)) < 1e-12),
      d_(Eigen::VectorXd::Zero(layout.size())),
      spin_(d_),
      against_(d_),
      error_(d_),
      turn_(layout.triples().size(), Mat3::Identity()),
      dense_(layout) {
  // Eq. 26, the local error over h²(aₙ₊₁ − aₙ). With filtered accelerations aₙ₊₁ − aₙ ≈ κ-fold what the paper's 1 + α stands
  // for: (1 − αf)/(1 − αm).
  // It vanishes at β = 1/6, where the next term takes over; then as if it were the trapezoidal rule's.
  constexpr double kTrapezoidal = 1.0 / 12;
  error_factor_ = std::max(std::abs(table.beta - 1 / (6 * kappa_)), kTrapezoidal);
  maps_.turn = &turn_;
}

void Newmark::start(std::span<const State> past) {
  const State& state = past[0];
  now_ = before_ = state;
  const Segment& z = layout_.states();
  a_ = state.a;
  a_.segment(z.offset, z.size) = state.v.segment(z.offset, z.size);
  a_next_ = a_here_ = a_;
  last_h_ = 0;
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

void Newmark::extrapolate(double t, int degree, State& trial) {
  const std::array<double, 4> weight = weights_at(t, degree);
  trial.lambda.setZero();
  Eigen::VectorXd& unknowns = trial.a;  // sorted out below: every tangent entry has one unknown
  unknowns.setZero();
  for (int i = 0; i <= degree; ++i) {
    unknowns += weight[static_cast<std::size_t>(i)] * past_[static_cast<std::size_t>(i)].unknowns;
    trial.lambda += weight[static_cast<std::size_t>(i)] * past_[static_cast<std::size_t>(i)].lambda;
  }
  const Segment &z = layout_.states(), &w = layout_.variables();
  trial.v.segment(z.offset, z.size) = unknowns.segment(z.offset, z.size);
  d_.segment(w.offset, w.size) = unknowns.segment(w.offset, w.size) - now_.q.segment(w.pose_offset, w.size);
  unknowns.segment(z.offset, z.size + w.size).setZero();
}

void Newmark::predict(double h, State& trial) {
  h_ = h;
  trial.t = now_.t + h;
  trial.memory = now_.memory;
  const double gain = kappa_ * table_.gamma * h;
  maps_.body = {kappa_ * table_.beta * h * h, gain, 1};
  maps_.state = {gain, 1, 0};
  shift_filter();
  spin_ = h * now_.v;
  assembly::without_whole_turns(layout_, spin_);
  extrapolate(trial.t, prediction_degree(trial.t), trial);
  place(trial);
}

// The formula's accelerations are those of a time (αm − αf) h after the state's own. With another step that is another time; without the
// shift every change of the step would cost an order.
void Newmark::shift_filter() {
  const Segment& z = layout_.states();
  a_here_ = a_;
  if (!(last_h_ > 0) || h_ == last_h_) return;
  const double ratio = h_ / last_h_;
  a_here_ = now_.a + ratio * (a_ - now_.a);
  const auto rates = now_.v.segment(z.offset, z.size);
  a_here_.segment(z.offset, z.size) = rates + ratio * (a_.segment(z.offset, z.size) - rates);
}

solve::Outcome Newmark::step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                             State& trial) {
  predict(h, trial);
  solve::Outcome outcome = solver.solve(*this, trial, work);
  // The first step knows no acceleration of another time than the start's: from its end it does. Reactions would otherwise begin with
  // an error of order 1. Each pass leaves less than a tenth of it.
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses && outcome == solve::Outcome::converged && starts_off(); ++pass) {
    const double after = table_.alpha_m - table_.alpha_f;
    const Segment &q = layout_.coordinates(), &z = layout_.states();
    const auto shift = [&](const auto& from, const auto& to) { return from + after * (to - from); };
    a_here_.head(q.size) = shift(now_.a.head(q.size), trial.a.head(q.size));
    a_here_.segment(z.offset, z.size) =
        shift(now_.v.segment(z.offset, z.size), trial.v.segment(z.offset, z.size));
    place(trial);
    outcome = solver.solve(*this, trial, work);
  }
  return outcome;
}

void Newmark::place(State& trial) {
  const double beta = table_.beta, gamma = table_.gamma, h = h_;
  const double old_true = table_.alpha_f / (1 - table_.alpha_m), old = -table_.alpha_m / (1 - table_.alpha_m);
  const Segment &q = layout_.coordinates(), &z = layout_.states();
  const auto bodies = [&](auto& vector) { return vector.head(q.size); };
  const auto states = [&](auto& vector) { return vector.segment(z.offset, z.size); };
  bodies(a_next_) = kappa_ * bodies(trial.a) + old_true * bodies(now_.a) + old * bodies(a_here_);
  states(a_next_) = kappa_ * states(trial.v) + old_true * states(now_.v) + old * states(a_here_);
  bodies(d_) = bodies(spin_) + h * h * ((0.5 - beta) * bodies(a_here_) + beta * bodies(a_next_));
  states(d_) = h * ((1 - gamma) * states(a_here_) + gamma * states(a_next_));
  bodies(trial.v) = bodies(now_.v) + h * ((1 - gamma) * bodies(a_here_) + gamma * bodies(a_next_));
  assembly::retract(layout_, now_.q, d_, trial.q);
}

const solve::LevelMaps& Newmark::maps(bool turns) {
  if (turns) assembly::turns_of_increments(layout_, d_, turn_);
  return maps_;
}

void Newmark::add(const Eigen::VectorXd& du, State& trial) {
  const Segment &q = layout_.coordinates(), &z = layout_.states(), &w = layout_.variables();
  assembly::turn_to_increment(layout_, d_, du.head(layout_.size()), error_);
  trial.a.head(q.size) += error_.head(q.size);
  trial.v.segment(z.offset, z.size) += error_.segment(z.offset, z.size);
  d_.segment(w.offset, w.size) += error_.segment(w.offset, w.size);
  place(trial);
}

double Newmark::size(const Eigen::VectorXd& du) const {
  // Δx of the paper, in units of the error it makes: Eqs. 46, 47.
  Eigen::VectorXd& e = error_;
  e = du.head(layout_.size());
  const Segment& z = layout_.states();
  e.head(z.offset) *= error_factor_ * kappa_ * h_ * h_;
  e.segment(z.offset, z.size) *= maps_.state.q;
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
  error_ = error_factor_ * h_ * h_ * (a_next_ - a_here_);
  if (const Segment& z = layout_.states(); z.size > 0) {
    const auto at = [&](const Eigen::VectorXd& vector) { return vector.segment(z.offset, z.size); };
    const auto change = at(trial.v) - at(now_.v);
    auto e = error_.segment(z.offset, z.size);
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
          (change / h_ - (at(now_.v) - at(earlier.unknowns)) / span);
    }
  }
  against_ = d_ - spin_;
  turned_ = assembly::largest_move(layout_, against_).turn;
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  // What γ beyond ½ takes from the velocities is not judged here: that damping is the formula's, and told by the energy's balance.
  power_ = !second_order_ && norm_.states_dominate(error_) ? 1.0 / 2 : 1.0 / 3;
  return std::max(norm_(error_) / allowed_, norm_.amplitude(error_));
}

double Newmark::next_step(double error, double largest) {
  return StepControl::next(h_, error, power_, turned_, largest);
}

double Newmark::smaller_step(double error, Rejection why) {
  trusted_ = std::max(0, trusted_ - 1);
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  return StepControl::after_error(h_, error, power_);
}

void Newmark::accept(const State& trial) {
  if (h_ > 0) {
    std::swap(before_, now_);
    now_ = trial;
    std::swap(a_, a_next_);
    last_h_ = h_;
    trusted_ = std::min(3, trusted_ + 1);
  }
  norm_.grow(trial);
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = trial.t;
  p.unknowns = trial.a;
  const Segment &z = layout_.states(), &w = layout_.variables();
  p.unknowns.segment(z.offset, z.size) = trial.v.segment(z.offset, z.size);
  p.unknowns.segment(w.offset, w.size) = trial.q.segment(w.pose_offset, w.size);
  p.lambda = trial.lambda;
  points_ = std::min(points_ + 1, 4);
}

void Newmark::interpolate(double t, State& state) const {
  const bool undamped = table_.gamma <= 0.5 && table_.alpha_m == table_.alpha_f;
  dense_.at(t, before_, now_, {false, undamped}, state);
}

}  // namespace trunnion::integrate
