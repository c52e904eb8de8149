#include "integrate/multistep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace trunnion::integrate {

using assembly::State;

namespace {

// Lagrange weights at x of the polynomial through `nodes`.
void lagrange(const double* nodes, int count, double x, double* value) {
  for (int i = 0; i < count; ++i) {
    double above = 1, below = 1;
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      above *= x - nodes[j];
      below *= nodes[i] - nodes[j];
    }
    value[i] = above / below;
  }
}

// The same, and of its derivative.
void lagrange(const double* nodes, int count, double x, double* value, double* slope) {
  for (int i = 0; i < count; ++i) {
    double product = 1, sum = 0;
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      const double gap = nodes[i] - nodes[j];
      sum = sum * (x - nodes[j]) / gap + product / gap;
      product *= (x - nodes[j]) / gap;
    }
    value[i] = product;
    slope[i] = sum;
  }
}

}  // namespace

// What a motion of full size may gain is bounded by the amplitude test; what gains ten times as much is none of it.
static double trusted_growth(const MultistepSettings& settings) {
  constexpr double kBeyond = 10, kUsual = 1e-4;
  return settings.amplitude.inertia.size() > 0 ? kBeyond * settings.amplitude.allowed : kUsual;
}

BdfWeights bdf_weights(const double* times, int order, MultistepSettings::Coefficients coefficients) {
  BdfWeights b;
  const double h = times[0] - times[1];
  double slope[kHighestBdf + 2];
  lagrange(times + 1, order + 1, times[0], b.predict, slope);
  double alpha_s = 0, alpha_0 = 0;
  for (int i = 1; i <= order; ++i) {
    alpha_s += 1.0 / i;
    alpha_0 += h / (times[0] - times[i]);
  }
  const double next = h / (times[0] - times[order + 1]);
  if (coefficients == MultistepSettings::Coefficients::fixed_leading) {
    b.s = alpha_s / h;
    for (int j = 0; j <= order; ++j) b.w[j] = slope[j] - b.s * b.predict[j];
    b.error = std::max(next, std::abs(next + alpha_0 - alpha_s));
  } else {
    double value[kHighestBdf + 2], all[kHighestBdf + 2];
    lagrange(times, order + 1, times[0], value, all);
    b.s = all[0];
    for (int j = 0; j < order; ++j) b.w[j] = all[j + 1];
    b.w[order] = 0;
    b.error = next;
  }
  return b;
}

Multistep::Multistep(const assembly::Layout& layout, const MultistepSettings& settings, double error)
    : layout_(layout),
      settings_(settings),
      allowed_(error),
      norm_(layout, settings.amplitude),
      control_(
          {std::clamp(settings.highest_order, 1, kHighestBdf), settings.constant, trusted_growth(settings)}),
      past_(kPoints),
      chart_(kPoints, Eigen::VectorXd::Zero(layout.size())),
      stage_(layout, norm_, settings.stabilised),
      predicted_(Eigen::VectorXd::Zero(layout.size())),
      error_(predicted_),
      velocity_error_(predicted_) {}

void Multistep::start_from(const State& state) {
  now_ = state;
  now_.mu.setZero();
  h_ = 0;
  points_ = 1;
  turned_ = 0;
  forget_chart();
  stage_.start(now_);
  norm_.grow(state);
  past_[0] = {state.t, state.q, state.v, state.lambda};
}

void Multistep::start(std::span<const State> past) {
  start_from(past[0]);
  if (past.size() == 1) {
    // The second derivative of a first-order state is not known.
    control_.start(norm_.has_states() ? 1 : std::min(2, control_.highest()));
    return;
  }
  points_ = std::min(static_cast<int>(past.size()), kPoints);
  for (int j = 0; j < points_; ++j) {
    const State& s = past[static_cast<std::size_t>(j)];
    past_[static_cast<std::size_t>(j)] = {s.t, s.q, s.v, s.lambda};
    norm_.grow(s);
  }
  control_.go_on(std::min(control_.highest(), points_ - 1));
}

// Points before the start, where the start's velocities and accelerations lead back to: exact to third order in positions,
// so that the second order can be had from the first step on.
void Multistep::first_past(double h, int place) {
  Point& p = past_[static_cast<std::size_t>(place)];
  const int n = layout_.coordinates().size;
  p.t = now_.t - h;
  p.v = now_.v - h * now_.a;
  p.lambda = now_.lambda;
  p.rounding = {};
  p.q.resize(now_.q.size());
  error_.setZero();
  error_.head(n) = 0.5 * h * h * now_.a.head(n);
  stage_.chart().look(p.t);
  stage_.chart().place(error_, p.q);
}

void Multistep::chart_past(int points) const {
  if (charted_ >= points) return;
  assembly::Chart::Point known[kPoints];
  known[0] = {now_.t, &chart_[0], &now_.v};
  for (int j = 1; j < points; ++j) {
    const Point& p = past_[static_cast<std::size_t>(j)];
    Eigen::VectorXd& chart = chart_[static_cast<std::size_t>(j)];
    known[j] = {p.t, &chart, &p.v};
    if (j < charted_) continue;
    stage_.chart().look(p.t);
    stage_.chart().coordinates(p.q, chart);
  }
  charted_ = points;
  known_ = stage_.chart().turns_known(std::span(known, static_cast<std::size_t>(points)));
}

// Where not all points that made the step are known in its chart: the cubic through coordinates and rates at both ends.
void Multistep::within_step(double t, Eigen::VectorXd& d) const {
  const double h = past_[1].t - now_.t, x = (t - now_.t) / h;
  stage_.chart().look(past_[1].t);
  stage_.chart().coordinates(past_[1].q, error_);
  stage_.chart().rate(error_, past_[1].v, velocity_error_);
  d = x * x * (3 - 2 * x) * error_ + h * x * x * (x - 1) * velocity_error_;
  const assembly::Segment& w = layout_.variables();
  d.segment(w.offset, w.size) = x * error_.segment(w.offset, w.size);
}

void Multistep::predict(double h, State& trial) {
  control_.begin_step(h);
  h_ = h;
  rounding_ = {};
  // Made anew when the first step is repeated shorter.
  if (points_ == 1) forget_chart();
  for (int place = 1; points_ == 1 && place < kMade; ++place) first_past(place * h, place);
  const int wanted = control_.watches() ? std::max(order() + 3, kWatched + kNorms - 1) : order() + 3;
  chart_past(std::min(std::max(points_, kMade), wanted));
  control_.limit(std::max(1, known_ - 1));
  double times[kPoints + 1];
  times[0] = now_.t + h;
  for (int j = 0; j < kPoints; ++j) times[j + 1] = past_[static_cast<std::size_t>(j)].t;
  weights_ = bdf_weights(times, order(), settings_.coefficients);
  trial.t = now_.t + h;
  stage_.open(trial.t, weights_.s, weights_.error / allowed_);
  predicted_.setZero();
  stage_.rate_rest.setZero();
  stage_.acceleration_rest = weights_.w[0] * now_.v;
  for (int j = 1; j <= order(); ++j) {
    const auto& chart = chart_[static_cast<std::size_t>(j)];
    predicted_ += weights_.predict[j] * chart;
    stage_.rate_rest += weights_.w[j] * chart;
    stage_.acceleration_rest += weights_.w[j] * past_[static_cast<std::size_t>(j)].v;
  }
  stage_.d = predicted_;
  trial.memory = now_.memory;
  trial.mu.setZero(layout_.row_count());
  // Reactions: a line through the last two points; more would amplify their errors.
  const Point &p0 = past_[0], &p1 = past_[1];
  const double x = points_ > 2 ? h / (p0.t - p1.t) : 0.0;
  trial.lambda = p0.lambda + std::min(x, 2.0) * (p0.lambda - p1.lambda);
  stage_.place(trial);
}

solve::Outcome Multistep::step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                               State& trial) {
  predict(h, trial);
  return solver.solve(stage_, trial, work);
}

double Multistep::derivative(int j, const State& trial) const {
  // y − P_j times (j + 1)! h^(j+1) / Π (tₙ₊₁ − tₙ₋ᵢ)
  double nodes[kPoints], value[kPoints];
  double scale = 1;
  for (int i = 0; i <= j; ++i) {
    nodes[i] = past_[static_cast<std::size_t>(i)].t;
    scale *= (i + 1) * h_ / (trial.t - nodes[i]);
  }
  lagrange(nodes, j + 1, trial.t, value);
  error_ = stage_.d;
  for (int i = 1; i <= j; ++i) error_ -= value[i] * chart_[static_cast<std::size_t>(i)];
  if (controls_velocities()) {
    velocity_error_ = trial.v;
    for (int i = 0; i <= j; ++i) velocity_error_ -= value[i] * past_[static_cast<std::size_t>(i)].v;
  }
  return scale;
}

double Multistep::derivative_norm(int j, const State& trial, double& plain) const {
  const double scale = derivative(j, trial);
  plain = scale * by_error(trial, error_, velocity_error_);
  return std::max(plain, scale * norm_.amplitude(error_));
}

double Multistep::by_error(const State& trial, const Eigen::VectorXd& position,
                           const Eigen::VectorXd& velocity) const {
  double size = norm_(position);
  if (controls_velocities()) {
    // Rounding of positions over a short step is no error that a shorter one would mend: it would end at HMIN.
    constexpr double kHopeless = 100;  // over ERROR
    size = std::max(size, norm_.velocities_beyond(velocity, trial.q, stage_.coordinate_rounding(),
                                                  control_.starting() ? 0.0 : kHopeless * allowed_));
  }
  return size / allowed_;
}

double Multistep::error(const State& trial) {
  error_ = stage_.d - predicted_;
  if (controls_velocities()) {
    velocity_error_ = trial.v;
    for (int j = 0; j <= order(); ++j)
      velocity_error_ -= weights_.predict[j] * past_[static_cast<std::size_t>(j)].v;
  }
  // Errors of the first steps stay for good and those steps are cheap: a small part of what is allowed.
  constexpr double kStartShare = 1e-2;
  OrderControl::Derivatives seen;
  seen.plain_error = weights_.error * by_error(trial, error_, velocity_error_);
  const double amplitude = weights_.error * norm_.amplitude(error_);
  found_ = {weights_.error * norm_(error_) / allowed_, seen.plain_error, amplitude};
  for (int j = std::max(0, order() - 2); j <= order() + 1; ++j)
    seen.of[j] = j + 1 <= available() ? derivative_norm(j, trial, seen.plain[j]) : -1;
  if (control_.watches()) see_vibration(trial, seen);
  seen.spin_axes_change = assembly::spin_axes_change(layout_, now_);
  control_.see(seen);
  // A higher order shows it; where there is none, the step has to answer for it.
  const bool unseen = order() == control_.highest() && control_.hidden(order());
  const double instead = unseen ? weights_.error * control_.usual(order()) : 0.0;
  // Beyond this the chart does not tell how far a body turned.
  turned_ = assembly::largest_move(layout_, stage_.d).turn;
  found_.positions = std::max(found_.positions, instead);
  if (turned_ > assembly::kLargestTurn) return found_.positions = std::numeric_limits<double>::infinity();
  return std::max(
      {control_.starting() ? seen.plain_error / kStartShare : seen.plain_error, amplitude, instead});
}

void Multistep::note_rounding(solve::StageSolver& solver, const State& trial) {
  stage_.moves(solver.noise_correction(trial, stage_.maps(false)), error_, velocity_error_);
  rounding_ = norm_.tests(error_, velocity_error_, allowed_);
}

// yₙ₊₁ and all points that predict it bring theirs.
double Multistep::error_beyond_rounding() const {
  if (control_.starting()) return std::numeric_limits<double>::infinity();
  ErrorTests rounding = rounding_;
  for (int j = 0; j <= order(); ++j)
    rounding.add(past_[static_cast<std::size_t>(j)].rounding.scaled(std::abs(weights_.predict[j])));
  ErrorTests found = found_;
  if (!controls_velocities()) found.velocities = 0;
  return found.beyond(rounding.scaled(weights_.error));
}

// None where the steps are too few: what is not known leaves no trace.
void Multistep::see_vibration(const State& trial, OrderControl::Derivatives& seen) const {
  double unused = 0;
  const bool known = order() >= 1 && order() <= 4 && seen.of[2] >= 0;
  if (available() > 3) seen.low = known ? seen.of[2] : derivative_norm(2, trial, unused);
  if (available() < kWatched + kNorms - 1) return;
  for (int k = 0; k < kNorms; ++k) {
    const double scale = derivative(kWatched - 1 + k, trial);
    seen.high.norms[k] = scale * by_error(trial, error_, velocity_error_);
    if (k == 0) seen.high.part = scale * norm_.over_speed(error_) / h_;
  }
}

int Multistep::worst_entry() const {
  error_ = stage_.d - predicted_;
  return norm_.largest(error_);
}

double Multistep::next_step(double error, double largest) {
  // A change of spin turns a body further by the square of the time: all points that the next step uses, one order higher, must stay
  // where their turns are known.
  const double steps = order() + 2;
  if (turned_ > 0) largest = std::min(largest, h_ * std::sqrt(assembly::kLargestTurn / turned_) / steps);
  return control_.next_step(error, largest, points_);
}

void Multistep::accept(const State& trial) {
  if (points_ == 1) points_ = kMade;  // those before the start
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = trial.t;
  p.q = trial.q;
  p.v = trial.v;
  p.lambda = trial.lambda;
  p.rounding = rounding_;
  points_ = std::min(points_ + 1, kPoints);
  now_ = trial;
  forget_chart();
  stage_.start(now_);
  norm_.grow(trial);
}

std::string Multistep::remark() {
  if (told_ || !(control_.in_the_way() > 0)) return {};
  told_ = true;
  return fmt::format(
      "a vibration of period {:.3g} that nothing damps sets the step, and orders above 2 feed it: order 2 "
      "until it is "
      "gone, here and wherever it comes back (KMAX = 2 keeps to order 2; a little damping is rid of it, too)",
      2 * std::numbers::pi / control_.in_the_way());
}

void Multistep::interpolate(double t, State& state) const {
  // Through as many points as the order that made the step has.
  const int count = std::min(order() + 1, points_);
  chart_past(count);
  double nodes[kPoints], value[kPoints];
  for (int i = 0; i < count; ++i) nodes[i] = past_[static_cast<std::size_t>(i)].t;
  lagrange(nodes, count, t, value);
  state = now_;
  state.t = t;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout_.size());
  state.v = value[0] * now_.v;
  for (int i = 1; i < count; ++i) {
    d += value[i] * chart_[static_cast<std::size_t>(i)];
    state.v += value[i] * past_[static_cast<std::size_t>(i)].v;
  }
  if (known_ < count) within_step(t, d);
  stage_.chart().look(t);
  stage_.chart().place(d, state.q);
  const double x = (t - nodes[1]) / (nodes[0] - nodes[1]);
  state.lambda = x * past_[0].lambda + (1 - x) * past_[1].lambda;
}

}  // namespace trunnion::integrate
