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

namespace {

constexpr double kUndamped = 1 - 1e-6;  // radius at infinity; a double root is known to no more

}  // namespace

Newmark::Newmark(const assembly::Layout& layout, const formulas::NewmarkTable& table, double error,
                 AmplitudeTest amplitude)
    : layout_(layout),
      table_(table),
      allowed_(error),
      norm_(layout, std::move(amplitude)),
      bodies_{table.gamma, table.alpha_m, table.alpha_f},
      states_(table.rho_states ? Filter{*table.rho_states, 0, 0} : bodies_),
      second_order_(bodies_.second_order()),
      undamped_(formulas::radius_at_infinity(table) > kUndamped),
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
  error_factor_ = std::max(std::abs(table.beta - 1 / (6 * bodies_.kappa())), kTrapezoidal);
  maps_.turn = &turn_;
}

bool Newmark::Filter::second_order() const { return std::abs(gamma + after() - 0.5) < 1e-12; }

// With b = (1 + δD + cD²) ż, D = h d/dt, δ = αm − αf and, by the filter, c = δ(αm − ½): h((1 − γ) + γ e^D) b less ∫ż.
double Newmark::Filter::third_derivative() const {
  const double delta = after();
  return 1.0 / 12 - delta / 2 - delta * delta + delta * alpha_m;
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
  maps_.body = {bodies_.kappa() * table_.beta * h * h, bodies_.kappa() * bodies_.gamma * h, 1};
  maps_.state = {states_.kappa() * states_.gamma * h, 1, 0};
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
    const Segment &q = layout_.coordinates(), &z = layout_.states();
    a_here_.head(q.size) = now_.a.head(q.size) + bodies_.after() * (trial.a - now_.a).head(q.size);
    a_here_.segment(z.offset, z.size) =
        now_.v.segment(z.offset, z.size) + states_.after() * (trial.v - now_.v).segment(z.offset, z.size);
    place(trial);
    outcome = solver.solve(*this, trial, work);
  }
  if (outcome == solve::Outcome::converged && undamped_ && !end_on_constraints(solver, work, trial))
    return solve::Outcome::slow;
  return outcome;
}

// On index 3 velocities and reactions of a formula without damping swing by −1 from step to step, and changes of the step make them grow. So
// the step ends as its constraints and the equations of motion have it, and the next begins from there.
bool Newmark::end_on_constraints(solve::StageSolver& solver, system::System::Workspace& work, State& trial) {
  if (solver.active().empty()) return true;
  const Segment &q = layout_.coordinates(), &z = layout_.states();
  lag_ = -trial.v.segment(z.offset, z.size);
  if (!solver.reconcile(trial, work)) return false;
  // The reaction that ended the step is that of an earlier time, by a third of it: states that follow it lag with it.
  lag_ = maps_.state.q * (lag_ + trial.v.segment(z.offset, z.size));
  a_next_.head(q.size) = trial.a.head(q.size);
  a_next_.segment(z.offset, z.size) = trial.v.segment(z.offset, z.size);
  return true;
}

void Newmark::place(State& trial) {
  const double beta = table_.beta, h = h_;
  const Filter &f = bodies_, &g = states_;
  const Segment &q = layout_.coordinates(), &z = layout_.states();
  const auto bodies = [&](auto& vector) { return vector.head(q.size); };
  const auto states = [&](auto& vector) { return vector.segment(z.offset, z.size); };
  bodies(a_next_) = f.kappa() * bodies(trial.a) + f.old_true() * bodies(now_.a) + f.old() * bodies(a_here_);
  states(a_next_) = g.kappa() * states(trial.v) + g.old_true() * states(now_.v) + g.old() * states(a_here_);
  bodies(d_) = bodies(spin_) + h * h * ((0.5 - beta) * bodies(a_here_) + beta * bodies(a_next_));
  states(d_) = h * ((1 - g.gamma) * states(a_here_) + g.gamma * states(a_next_));
  bodies(trial.v) = bodies(now_.v) + h * ((1 - f.gamma) * bodies(a_here_) + f.gamma * bodies(a_next_));
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
  e.head(z.offset) *= error_factor_ * bodies_.kappa() * h_ * h_;
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

void Newmark::state_error(const State& trial) {
  const Segment& z = layout_.states();
  const auto at = [&](const Eigen::VectorXd& vector) { return vector.segment(z.offset, z.size); };
  const auto change = at(trial.v) - at(now_.v);
  auto e = error_.segment(z.offset, z.size);
  if (!states_.second_order()) {
    e = (states_.gamma + states_.after() - 0.5) * h_ * change;  // Eq. 34
  } else if (points_ < 2) {
    e = h_ * change / 12;
  } else {
    // z⃛ from three rates.
    const Point& earlier = past_[1];
    const double span = now_.t - earlier.t;
    e = states_.third_derivative() * h_ * h_ * h_ * 2 / (h_ + span) *
        (change / h_ - (at(now_.v) - at(earlier.unknowns)) / span);
  }
  if (lag_.size() > 0) e = e.cwiseAbs() + lag_.cwiseAbs();
}

double Newmark::error(const State& trial) {
  error_ = error_factor_ * h_ * h_ * (a_next_ - a_here_);
  if (layout_.states().size > 0) state_error(trial);
  against_ = d_ - spin_;
  turned_ = assembly::largest_move(layout_, against_).turn;
  coordinate_error_ = std::numeric_limits<double>::infinity();
  if (turned_ > assembly::kLargestTurn) return coordinate_error_;
  // What γ beyond ½ takes from the velocities is not judged here: that damping is the formula's, and told by the energy's balance.
  const Norm::Groups groups = norm_.groups(error_);
  coordinate_error_ = std::max(groups.coordinates / allowed_, norm_.amplitude(error_));
  state_error_ = groups.states / allowed_;
  return std::max(norm_(error_) / allowed_, norm_.amplitude(error_));
}

// Eqs. 38 and 39.
double Newmark::next_step(double error, double largest) {
  constexpr double kSecond = 1.0 / 3, kFirst = 1.0 / 2;
  if (states_.second_order()) return StepControl::next(h_, error, kSecond, turned_, largest);
  return std::min(StepControl::next(h_, coordinate_error_, kSecond, turned_, largest),
                  StepControl::next(h_, state_error_, kFirst, turned_, largest));
}

double Newmark::smaller_step(double error, Rejection why) {
  constexpr double kSecond = 1.0 / 3, kFirst = 1.0 / 2;
  trusted_ = std::max(0, trusted_ - 1);
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  if (states_.second_order()) return StepControl::after_error(h_, error, kSecond);
  return std::min(StepControl::after_error(h_, coordinate_error_, kSecond),
                  StepControl::after_error(h_, state_error_, kFirst));
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

void Newmark::interpolate(double t, State& state) const { dense_.at(t, before_, now_, false, state); }

}  // namespace trunnion::integrate
