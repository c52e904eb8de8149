#include "integrate/collocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Dense>

#include "integrate/step_control.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;

Collocation::Collocation(const assembly::Layout& layout, CollocationSettings settings, double error)
    : layout_(layout),
      table_(std::move(settings.table)),
      A_inverse_(table_.A.inverse()),
      A_square_(table_.A * table_.A),
      stabilised_(settings.stabilised),
      index2_(settings.index2),
      constant_predictor_(settings.constant_predictor),
      allowed_(error),
      norm_(layout, std::move(settings.amplitude)),
      dense_(layout),
      turn_(layout.triples().size(), math::Mat3::Identity()),
      zero_(Eigen::VectorXd::Zero(layout.size())) {
  const auto s = static_cast<std::size_t>(table_.stages);
  charts_.reserve(s + 1);
  for (std::size_t k = 0; k <= s; ++k) charts_.emplace_back(layout);
  stages_.resize(s);
  y_.assign(s, zero_);
  d_ = d_dot_ = v_ = a_ = last_rates_ = Columns::Zero(layout.size(), table_.stages);
  last_lambda_ = Columns::Zero(layout.row_count(), table_.stages);
  rate_ = rate_before_ = rate_start_ = end_d_ = end_rate_ = end_a_ = error_ = velocity_error_ = change_ =
      zero_;
  maps_.turn = pair_maps_.turn = &turn_;
}

void Collocation::start(std::span<const State> past) {
  now_ = before_ = past[0];
  now_.mu.setZero();
  rate_ = now_.v;
  has_before_ = false;
  h_ = last_h_ = turned_ = 0;
  for (State& stage : stages_) stage = now_;
  for (assembly::Chart& chart : charts_) chart.start(now_);
  norm_.grow(now_);
}

// Times, maps and charts of a step of this length.
void Collocation::open(double h) {
  h_ = h;
  rounding_ = {};
  chart(0).look(now_.t);
  chart(0).rate(zero_, rate_, rate_start_);
  for (int k = 0; k < table_.stages; ++k) {
    trial(k).t = table_.c[k] == 1 ? now_.t + h : now_.t + table_.c[k] * h;
    chart(k).look(trial(k).t);
  }
  chart(table_.stages).look(now_.t + h);
  const double s = largest_s();
  maps_.body = {1 / (s * s), 1 / s, 1};
  maps_.state = {1 / s, 1, 0};
  const std::complex<double> pair = std::conj(table_.pair) / h;
  if (table_.has_pair) {
    pair_maps_.body = {1.0 / (pair * pair), 1.0 / pair, 1};
    pair_maps_.state = {1.0 / pair, 1, 0};
  }
  for (Eigen::VectorXd& y : y_) y.setZero();
}

double Collocation::largest_s() const { return (table_.has_real ? table_.real : std::abs(table_.pair)) / h_; }

// Of the last step's stages, and of its end where that is none of them, at x after it.
void Collocation::extrapolation_weights(double x, Eigen::VectorXd& weight) const {
  const int s = table_.stages, nodes = s + (table_.stiffly_accurate ? 0 : 1);
  const auto node = [&](int j) { return j < s ? (table_.c[j] - 1) * last_h_ : 0.0; };
  weight.setOnes(nodes);
  for (int j = 0; j < nodes; ++j) {
    for (int i = 0; i < nodes; ++i) {
      if (i != j) weight[j] *= (x - node(i)) / (node(j) - node(i));
    }
  }
}

// Accelerations, rates of states and reactions as those of the last step go on; velocities and coordinates by the formula.
void Collocation::guess() {
  const int n = layout_.coordinates().size, s = table_.stages;
  const Segment& w = layout_.variables();
  const bool constant = last_h_ == 0 || constant_predictor_;
  for (int k = 0; k < s; ++k) {
    State& stage = trial(k);
    a_.col(k).head(n) = now_.a.head(n);
    a_.col(k).tail(layout_.size() - n) = now_.v.tail(layout_.size() - n);
    stage.lambda = now_.lambda;
    stage.mu.setZero();
    stage.memory = now_.memory;
    if (constant) continue;
    extrapolation_weights(table_.c[k] * h_, weight_);
    const double end = table_.stiffly_accurate ? 0.0 : weight_[s];
    a_.col(k) *= end;
    stage.lambda *= end;
    for (int j = 0; j < s; ++j) {
      a_.col(k) += weight_[j] * last_rates_.col(j);
      stage.lambda += weight_[j] * last_lambda_.col(j);
    }
  }
  for (int k = 0; k < s; ++k) {
    v_.col(k) = a_.col(k);  // of states
    v_.col(k).head(n) = now_.v.head(n) + h_ * table_.start[k] * now_.a.head(n);
    for (int j = 0; j < s; ++j) v_.col(k).head(n) += h_ * table_.A(k, j) * a_.col(j).head(n);
  }
  d_.setZero();
  constexpr int kPasses = 2;  // the rate depends on where the body has turned to
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int k = 0; k < s; ++k) chart(k).rate(d_.col(k), v_.col(k), d_dot_.col(k));
    for (int k = 0; k < s; ++k) {
      d_.col(k) = h_ * table_.start[k] * rate_start_;
      for (int j = 0; j < s; ++j) d_.col(k) += h_ * table_.A(k, j) * d_dot_.col(j);
    }
    d_.middleRows(w.offset, w.size).setZero();
  }
}

void Collocation::place() {
  const int n = layout_.coordinates().size, s = table_.stages;
  const Segment& w = layout_.variables();
  for (int k = 0; k < s; ++k) {
    d_dot_.col(k).setZero();
    for (int j = 0; j < s; ++j)
      d_dot_.col(k) += A_inverse_(k, j) * (d_.col(j) / h_ - table_.start[j] * rate_start_);
    d_dot_.col(k).segment(w.offset, w.size).setZero();
    State& stage = trial(k);
    chart(k).place(d_.col(k), stage.q);
    chart(k).velocity(d_.col(k), d_dot_.col(k), stage.v);
    for (int j = 0; j < s && stabilised_; ++j)
      stage.v.head(n) += h_ * table_.A(k, j) * y_[static_cast<std::size_t>(j)].head(n);
  }
  for (int k = 0; k < s; ++k) {
    auto a = trial(k).a.head(n);
    a.setZero();
    for (int j = 0; j < s; ++j)
      a += A_inverse_(k, j) * ((trial(j).v.head(n) - now_.v.head(n)) / h_ - table_.start[j] * now_.a.head(n));
  }
}

const solve::LevelMaps& Collocation::maps(bool turns) {
  const int last = table_.stages - 1;
  if (turns) chart(last).turns(d_.col(last), d_dot_.col(last), largest_s(), turn_);
  return maps_;
}

// What the unknowns of all stages are in positions, states and variables of one.
void Collocation::positions_of(const Eigen::MatrixXd& du, int k, Eigen::VectorXd& to) const {
  const Segment &q = layout_.coordinates(), &z = layout_.states(), &w = layout_.variables();
  to.setZero();
  for (int j = 0; j < table_.stages; ++j) {
    to.head(q.size) += h_ * h_ * A_square_(k, j) * du.col(j).head(q.size);
    to.segment(z.offset, z.size) += h_ * table_.A(k, j) * du.col(j).segment(z.offset, z.size);
  }
  to.segment(w.offset, w.size) = du.col(k).segment(w.offset, w.size);
}

void Collocation::add(const Eigen::MatrixXd& du) {
  for (int k = 0; k < table_.stages; ++k) {
    positions_of(du, k, change_);
    assembly::turn_to_increment(layout_, d_.col(k), change_, change_);
    d_.col(k) += change_;
    if (stabilised_) y_[static_cast<std::size_t>(k)] += du.col(k).segment(du.rows() / 2, layout_.size());
  }
  place();
}

double Collocation::size(const Eigen::MatrixXd& du) const {
  double size = 0;
  for (int k = 0; k < table_.stages; ++k) {
    positions_of(du, k, change_);
    size = std::max(size, norm_(change_));
    change_.setZero();
    for (int j = 0; j < table_.stages; ++j) {
      change_ += h_ * table_.A(k, j) * du.col(j).head(layout_.size());
      if (stabilised_) change_ += h_ * table_.A(k, j) * du.col(j).segment(du.rows() / 2, layout_.size());
    }
    size = std::max(size, norm_.velocities(change_));
  }
  return size / allowed_;
}

double Collocation::rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return kRounding * std::max(1.0, largest_s() * norm_.velocity_of_rounding()) / allowed_;
}

void Collocation::predict(double h, State& trial) {
  open(h);
  guess();
  place();
  trial = stages_.back();
  trial.t = now_.t + h;
}

solve::Outcome Collocation::step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                                 State& trial) {
  open(h);
  guess();
  place();
  const solve::Outcome outcome = solver.solve(static_cast<solve::CoupledStages&>(*this), work);
  trial = stages_.back();
  if (outcome != solve::Outcome::converged) return outcome;
  if (index2_ && !end_of_step(solver, work, trial)) return solve::Outcome::slow;
  keep_end(trial);
  return outcome;
}

// By the quadrature, then onto the constraints.
bool Collocation::end_of_step(solve::StageSolver& solver, system::System::Workspace& work, State& trial) {
  if (!table_.stiffly_accurate) quadrature(trial);
  return solver.onto_positions(trial, work) && solver.onto_velocities(trial, work) &&
         solver.accelerations(trial, work);
}

void Collocation::quadrature(State& trial) {
  const int n = layout_.coordinates().size;
  const Segment& w = layout_.variables();
  trial.t = now_.t + h_;
  end_d_.setZero();
  trial.v.head(n) = now_.v.head(n);
  for (int j = 0; j < table_.stages; ++j) {
    end_d_ += h_ * table_.b[j] * d_dot_.col(j);
    trial.v.head(n) += h_ * table_.b[j] * stages_[static_cast<std::size_t>(j)].a.head(n);
  }
  end_d_.segment(w.offset, w.size) = d_.col(table_.stages - 1).segment(w.offset, w.size);
  chart(table_.stages).place(end_d_, trial.q);
}

void Collocation::keep_end(const State& trial) {
  const int last = table_.stages - 1;
  end_a_ = trial.a;
  if (!index2_) {
    end_d_ = d_.col(last);
    end_rate_ = d_dot_.col(last);
    return;
  }
  chart(table_.stages).coordinates(trial.q, end_d_);
  chart(table_.stages).rate(end_d_, trial.v, end_rate_);
}

void Collocation::embedded_error() {
  error_ = -h_ * table_.embedded_start * rate_start_;
  velocity_error_ = -h_ * table_.embedded_start * now_.a;
  for (int j = 0; j < table_.stages; ++j) {
    const double weight = h_ * (table_.b[j] - table_.embedded_b[j]);
    error_ += weight * d_dot_.col(j);
    velocity_error_ += weight * stages_[static_cast<std::size_t>(j)].a;
  }
}

// h³ y⃛/12
void Collocation::third_derivative_error() {
  if (!has_before_) {  // no third rate yet: as if the second derivative were all of it
    error_ = h_ / 12 * (end_rate_ - rate_start_);
    velocity_error_ = h_ / 12 * (end_a_ - now_.a);
    return;
  }
  const double span = now_.t - before_.t, factor = h_ * h_ * h_ / 6 / (h_ + span);
  chart(0).look(before_.t);
  chart(0).coordinates(before_.q, error_);
  chart(0).rate(error_, rate_before_, change_);
  chart(0).look(stages_.front().t);
  error_ = factor * ((end_rate_ - rate_start_) / h_ - (rate_start_ - change_) / span);
  velocity_error_ = factor * ((end_a_ - now_.a) / h_ - (now_.a - before_.a) / span);
}

// The reaction of a stage that holds velocities is that of an earlier time, by a quarter of the step: states that follow it lag with it. The
// end, which has been laid onto the constraints, knows the reaction there.
void Collocation::lag_error() {
  const Segment& z = layout_.states();
  const auto lag = h_ * (d_dot_.col(0) - (rate_start_ + end_rate_) / 2);
  error_.segment(z.offset, z.size) =
      error_.segment(z.offset, z.size).cwiseAbs() + lag.segment(z.offset, z.size).cwiseAbs();
}

// h⁴ y⁗/72 from the rates at both ends and at the stages: a third divided difference.
void Collocation::fourth_derivative_error() {
  const int s = table_.stages;
  const auto node = [&](int j) { return j == 0 ? 0.0 : j <= s ? table_.c[j - 1] : 1.0; };
  const auto weight = [&](int j) {
    double w = h_ / 12;
    for (int i = 0; i < s + 2; ++i) {
      if (i != j) w /= node(j) - node(i);
    }
    return w;
  };
  error_ = weight(0) * rate_start_ + weight(s + 1) * end_rate_;
  velocity_error_ = weight(0) * now_.a + weight(s + 1) * end_a_;
  for (int j = 1; j <= s; ++j) {
    error_ += weight(j) * d_dot_.col(j - 1);
    velocity_error_ += weight(j) * stages_[static_cast<std::size_t>(j - 1)].a;
  }
}

double Collocation::error(const State&) {
  if (table_.embedded) embedded_error();
  else if (table_.order == 2) third_derivative_error();
  else fourth_derivative_error();
  if (index2_ && table_.stages == 1 && norm_.has_states()) lag_error();
  turned_ = assembly::largest_move(layout_, end_d_).turn;
  found_ = {norm_(error_) / allowed_, stabilised_ ? norm_.velocities(velocity_error_) / allowed_ : 0.0,
            norm_.amplitude(error_)};
  if (turned_ > assembly::kLargestTurn) return found_.positions = std::numeric_limits<double>::infinity();
  return std::max({found_.positions, found_.velocities, found_.amplitude});
}

// Of the matrix' unknowns of one stage; others have as much, with other signs.
void Collocation::note_rounding(solve::StageSolver& solver, const State& trial) {
  const Eigen::VectorXd& du = solver.noise_correction(trial, maps(false));
  const int n = layout_.size();
  change_ = maps_.body.v * du.head(n);
  if (stabilised_) change_ += maps_.body.v * du.segment(du.size() / 2, n);
  Eigen::VectorXd positions = maps_.body.q * du.head(n);
  const Segment &z = layout_.states(), &w = layout_.variables();
  positions.segment(z.offset, z.size) = maps_.state.q * du.segment(z.offset, z.size);
  positions.segment(w.offset, w.size).setZero();
  rounding_ = norm_.tests(positions, change_, allowed_);
}

// Rates are A⁻¹ of places less the start's, over h; the start's own rate was found so over the step before. Errors that are not by an
// embedded formula are differences of the same rates: they are left as they are.
double Collocation::error_beyond_rounding() const {
  if (!table_.embedded || last_h_ == 0) return std::numeric_limits<double>::infinity();
  const Eigen::VectorXd by_places = A_inverse_.transpose() * (table_.b - table_.embedded_b);
  const double of_start = std::abs(by_places.sum()) + std::abs(table_.embedded_start) * h_ / last_h_ *
                                                          A_inverse_.row(table_.stages - 1).lpNorm<1>();
  ErrorTests rounding = rounding_.scaled(by_places.lpNorm<1>());
  rounding.add(rounding_before_.scaled(of_start));
  return found_.beyond(rounding);
}

double Collocation::power() const {
  const int seen = table_.embedded ? table_.embedded_order : table_.order == 2 ? 2 : 3;
  return 1.0 / (seen + 1);
}

double Collocation::next_step(double error, double largest) {
  return StepControl::next(h_, error, power(), turned_, largest);
}

double Collocation::smaller_step(double error, Rejection why) {
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  return StepControl::after_error(h_, error, power());
}

void Collocation::accept(const State& trial) {
  const int n = layout_.coordinates().size, s = table_.stages;
  for (int k = 0; k < s; ++k) {
    const State& stage = stages_[static_cast<std::size_t>(k)];
    last_rates_.col(k) = stage.v;
    last_rates_.col(k).head(n) = stage.a.head(n);
    last_lambda_.col(k) = stage.lambda;
  }
  last_h_ = h_;
  rounding_before_ = rounding_;
  rate_before_ = rate_;
  rate_ = trial.v;
  for (int j = 0; j < s && stabilised_ && table_.stiffly_accurate; ++j)
    rate_.head(n) -= h_ * table_.A(s - 1, j) * y_[static_cast<std::size_t>(j)].head(n);
  std::swap(before_, now_);
  now_ = trial;
  has_before_ = true;
  for (assembly::Chart& chart : charts_) chart.start(now_);
  norm_.grow(trial);
}

void Collocation::interpolate(double t, State& state) const {
  dense_.at(t, before_, now_, order() > 3, state);
}

}  // namespace trunnion::integrate
