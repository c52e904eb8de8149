#include "integrate/staged.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrate/hermite.hpp"
#include "integrate/step_control.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;
using formulas::kMostStages;
using formulas::SingleStepTable;
using formulas::StagedTable;
using formulas::StageRow;

namespace {

// Steps that add up to an output time or an end differ by rounding.
constexpr double kSameStep = 1e-7;
bool same(double h, double other) { return std::abs(h - other) <= kSameStep * h; }

// The single-step formula's row: its auxiliary rates are added apart.
StagedTable row_of(const SingleStepTable& single) {
  const SingleStepTable::Weights w = single.weights();
  StagedTable table;
  table.name = single.name;
  table.order = single.order;
  table.rho = single.rho;
  table.rows[0].a[0] = 1;
  table.rows[0].b[0] = w.old;
  table.rows[0].implicit = w.implicit;
  return table;
}

}  // namespace

Staged::Staged(const assembly::Layout& layout, StagedSettings settings, double error)
    : layout_(layout),
      settings_(std::move(settings)),
      starter_(formulas::trapezoidal_table()),
      allowed_(error),
      norm_(layout, settings_.amplitude),
      stage_(layout, norm_, settings_.stabilised),
      dense_(layout),
      kept_(kKept),
      rate_(Eigen::VectorXd::Zero(layout.size())),
      error_(rate_),
      velocity_error_(rate_) {
  if (settings_.single) {
    settings_.table = row_of(*settings_.single);
    aux_rate_.resize(static_cast<std::size_t>(settings_.single->steps));
    aux_velocity_.resize(aux_rate_.size());
    for (std::size_t m = 0; m < aux_rate_.size(); ++m)
      aux_rate_[m] = aux_velocity_[m] = Eigen::VectorXcd::Zero(layout.size());
  }
  row_ = settings_.table;
  if (row_.fixed_step) bridge_ = formulas::lms_table(2, row_.rho);
  const Point empty{0, rate_, rate_, rate_, rate_, Eigen::VectorXd::Zero(layout.row_count())};
  points_.assign(static_cast<std::size_t>(kKept + kMostStages), empty);
}

void Staged::start(std::span<const State> past) {
  now_ = before_ = past[0];
  now_.mu.setZero();
  h_ = 0;
  aux_h_ = 0;
  turned_ = 0;
  known_ = std::min(static_cast<int>(past.size()), kKept);
  for (int j = known_ - 1; j >= 0; --j) {
    const State& s = past[static_cast<std::size_t>(j)];
    kept_[static_cast<std::size_t>(j)] = {s.t, s.q, s.v, s.v, s.a, s.lambda};
    norm_.grow(s);
  }
  stage_.start(now_);
}

// For how many points of the past the formula may use them: they must be there, at equal steps where it asks for that, and their turns
// known.
int Staged::usable_past(double h) {
  int count = std::min(known_ - 1, settings_.table.past);
  for (int j = 0; settings_.table.fixed_step && j < count; ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (!same(h, kept_[k].t - kept_[k + 1].t)) count = std::min(count, 1);
  }
  chart_past(count + 1);
  assembly::Chart::Point known[kKept];
  for (int j = 0; j <= count; ++j) {
    const Kept& kept = kept_[static_cast<std::size_t>(j)];
    known[j] = {kept.t, &point(j).d, &kept.v};
  }
  return stage_.chart().turns_known(std::span(known, static_cast<std::size_t>(count + 1))) - 1;
}

void Staged::chart_past(int points) {
  for (int j = 0; j < points; ++j) {
    const Kept& kept = kept_[static_cast<std::size_t>(j)];
    Point& p = point(j);
    p.t = kept.t;
    stage_.chart().look(kept.t);
    if (j == 0) p.d.setZero();
    else stage_.chart().coordinates(kept.q, p.d);
    stage_.chart().rate(p.d, kept.rate, p.d_dot);
    p.v = kept.v;
    p.a = kept.a;
    p.lambda = kept.lambda;
  }
}

// Across a change of steps: two steps of any length. The trapezoidal rule, which starts a motion, has no damping, and index 3 does not
// bear that where steps change.
const StagedTable& Staged::bridge(double h) {
  bridge_.rows[0] = formulas::lms2_row(settings_.table.rho, h / (kept_[0].t - kept_[1].t));
  return bridge_;
}

// The table of a step of this length.
const StagedTable& Staged::prepare(double h) {
  const int past = usable_past(h);
  if (past < settings_.table.past) return past >= 1 && known_ > settings_.table.past ? bridge(h) : starter_;
  if (settings_.row_of_ratio == nullptr) return settings_.table;
  row_.rows[0] = settings_.row_of_ratio(settings_.table.rho, h / (kept_[0].t - kept_[1].t));
  return row_;
}

void Staged::open_stage(const StagedTable& table, int k, double h, State& trial) {
  const StageRow& row = table.rows[static_cast<std::size_t>(k)];
  const double s = 1 / (h * row.implicit);
  trial.t = now_.t + row.c * h;
  if (k + 1 == table.stages) trial.t = now_.t + h;
  stage_.open(trial.t, s, 1 / allowed_);
  stage_.rate_rest.setZero();
  stage_.acceleration_rest.setZero();
  for (int j = 0; j < table.place(k); ++j) {
    const double a = s * row.a[static_cast<std::size_t>(j)], b = s * h * row.b[static_cast<std::size_t>(j)];
    const Point& p = point(j);
    if (a != 0) {
      stage_.rate_rest -= a * p.d;
      stage_.acceleration_rest -= a * p.v;
    }
    if (b != 0) {
      stage_.rate_rest -= b * p.d_dot;
      stage_.acceleration_rest -= b * p.a;
    }
  }
  if (settings_.single && table.past == 0) add_auxiliary(h, s);
}

// Auxiliary rates are rates at times between steps: after a change of step those times are others, and a first-order shift keeps the
// formula's order.
void Staged::add_auxiliary(double h, double s) {
  const SingleStepTable::Weights weights = settings_.single->weights();
  const double shift = aux_h_ > 0 ? h / aux_h_ : 1.0;
  const Kept& last = kept_[0];
  for (std::size_t m = 1; m < aux_rate_.size(); ++m) {
    const std::complex<double> b = s * h * weights.auxiliary[m];
    // In the chart, a rate is less the velocity that the chart moves with.
    stage_.rate_rest -= (b * shift * (aux_rate_[m] - last.rate)).real();
    stage_.rate_rest -= b.real() * (last.rate - now_.v);
    stage_.acceleration_rest -= (b * shift * (aux_velocity_[m] - last.a)).real();
    stage_.acceleration_rest -= b.real() * last.a;
  }
}

// By the paper: the rates of the last point for single-step formulas and second stages, two points for stages of order 2 and 3, three
// for the last stage of a formula of higher order.
int Staged::prediction_nodes(int k, const StagedTable& table) const {
  const int there = std::min(known_, 1 + table.past) + k;
  int wanted = 2;
  switch (settings_.predictor) {
    case Predictor::constant: wanted = 1; break;
    case Predictor::cubic: break;
    case Predictor::quintic: wanted = 3; break;
    case Predictor::usual:
      if (settings_.single) wanted = 1;
      else if (k + 1 == table.stages && table.order > 3) wanted = 3;
  }
  return std::min(wanted, there);
}

void Staged::guess(int k, const StagedTable& table, int nodes, State& trial) {
  constexpr int kMost = 3;
  int which[kMost];
  double t[kMost], value[kMost], slope[kMost];
  for (int i = 0; i < nodes; ++i) {
    which[i] = i < k ? table.place(k - 1 - i) : i - k;
    t[i] = point(which[i]).t;
  }
  hermite_slope(t, nodes, trial.t, value, slope);
  // Accelerations and rates of states first; velocities and positions follow from the formula.
  const Segment &q = layout_.coordinates(), &w = layout_.variables();
  error_.setZero();
  velocity_error_.setZero();
  for (int i = 0; i < nodes; ++i) {
    const Point& p = point(which[i]);
    velocity_error_ += value[i] * p.v + slope[i] * p.a;
    error_ += value[i] * p.d + slope[i] * p.d_dot;
  }
  const double s = stage_.s();
  rate_ = (velocity_error_ - stage_.acceleration_rest) / s;  // velocities
  rate_.tail(layout_.size() - q.size).setZero();
  stage_.d = (error_ - stage_.rate_rest) / s;
  stage_.chart().rate(stage_.d, rate_, velocity_error_);
  stage_.d.head(q.size) = (velocity_error_.head(q.size) - stage_.rate_rest.head(q.size)) / s;
  const Point& last = point(which[0]);
  stage_.d.segment(w.offset, w.size) = last.d.segment(w.offset, w.size);
  trial.lambda = last.lambda;
  if (nodes > 1) {
    const Point& other = point(which[1]);
    const double x = std::clamp((trial.t - last.t) / (last.t - other.t), -2.0, 2.0);
    trial.lambda += x * (last.lambda - other.lambda);
  }
  trial.mu.setZero(layout_.row_count());
  trial.memory = now_.memory;
  stage_.place(trial);
}

void Staged::keep_stage(int k, const State& trial) {
  Point& p = point(used_->place(k));
  p.t = trial.t;
  p.d = stage_.d;
  p.d_dot = stage_.rate();
  p.v = trial.v;
  p.a = trial.a;
  p.lambda = trial.lambda;
}

void Staged::predict(double h, State& trial) {
  h_ = h;
  if (settings_.single && aux_h_ == 0) first_auxiliary(0);
  used_ = &prepare(h);
  // As if the end of the step were its first stage.
  StagedTable whole = starter_;
  if (used_->stages == 1) whole = *used_;
  open_stage(whole, 0, h, trial);
  guess(0, whole, prediction_nodes(0, whole), trial);
}

// Auxiliary rates are rates of other times than the start's, which only the end of the first step tells: p = ẏ₀ + δ(ẏ₁ − ẏ₀), where δ is how
// far ahead of a rate that grows evenly they run.
void Staged::first_auxiliary(double share) {
  const Kept& last = kept_[0];
  std::complex<double> ahead = 0;
  for (std::size_t m = 1; m < aux_rate_.size(); ++m) {
    const SingleStepTable::Filter f = settings_.single->filter(static_cast<int>(m));
    ahead = (f.newer - 1.0 + (f.newer + f.older) * ahead) / (1.0 - f.kept);
    aux_rate_[m] = last.rate + (share * ahead) * (rate_ - last.rate);
    aux_velocity_[m] = last.a + (share * ahead) * (point(1).a - last.a);
  }
}

solve::Outcome Staged::step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                            State& trial) {
  const solve::Outcome outcome = solve_step(h, solver, work, trial);
  const bool undamped =
      settings_.table.rho >= 1 && settings_.table.past == 0 && !settings_.single && !settings_.stabilised;
  if (outcome != solve::Outcome::converged || !undamped || solver.active().empty()) return outcome;
  return end_on_constraints(solver, work, trial) ? outcome : solve::Outcome::slow;
}

// Velocities and reactions of a formula without damping swing by −1 from step to step on index 3, and changes of the step make them grow. So
// the step ends as its constraints and the equations of motion have it, and the next begins from there.
bool Staged::end_on_constraints(solve::StageSolver& solver, system::System::Workspace& work, State& trial) {
  const Segment& z = layout_.states();
  lag_ = -trial.v.segment(z.offset, z.size);
  if (!solver.reconcile(trial, work)) return false;
  // The reaction that ended the step is that of an earlier time, by a third of it: states that follow it lag with it.
  lag_ = h_ * used_->last().implicit * (lag_ + trial.v.segment(z.offset, z.size));
  Point& p = point(used_->place(used_->stages - 1));
  stage_.chart().look(trial.t);
  stage_.chart().coordinates(trial.q, p.d);
  stage_.chart().rate(p.d, trial.v, p.d_dot);
  p.v = trial.v;
  p.a = trial.a;
  p.lambda = trial.lambda;
  return true;
}

solve::Outcome Staged::solve_step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                                  State& trial) {
  if (!settings_.single || aux_h_ > 0) return solve_stages(h, solver, work, trial);
  first_auxiliary(0);
  solve::Outcome outcome = solve_stages(h, solver, work, trial);
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses && outcome == solve::Outcome::converged; ++pass) {
    rate_of(trial, rate_);
    first_auxiliary(1);
    outcome = solve_stages(h, solver, work, trial);
  }
  return outcome;
}

// The rate of the coordinates: the velocity less what stabilises it.
void Staged::rate_of(const State& trial, Eigen::VectorXd& rate) const {
  const int n = layout_.coordinates().size;
  rate = trial.v;
  if (const Eigen::VectorXd* y = stage_.y()) rate.head(n) -= y->head(n) / stage_.s();
}

solve::Outcome Staged::solve_stage(int k, int nodes, solve::StageSolver& solver,
                                   system::System::Workspace& work, State& trial) {
  open_stage(*used_, k, h_, trial);
  guess(k, *used_, nodes, trial);
  return solver.solve(stage_, trial, work);
}

// A polynomial through points far apart may lead astray where the last rate does not; with a matrix for each iteration, which may go
// apart before they come together. Where the step is given there is no other way.
solve::Outcome Staged::solve_with_care(int k, solve::StageSolver& solver, system::System::Workspace& work,
                                       State& trial) {
  constexpr int kIterations = 25;
  solve::CorrectorSettings& settings = solver.settings();
  const int maxit = settings.maxit, patience = settings.patience;
  settings.pattern.swap(always_);
  settings.maxit = std::max(maxit, kIterations);
  settings.patience = maxit;
  solver.renew(solve::NewMatrix::failed);
  const solve::Outcome outcome = solve_stage(k, 1, solver, work, trial);
  settings.pattern.swap(always_);
  settings.maxit = maxit;
  settings.patience = patience;
  return outcome;
}

solve::Outcome Staged::solve_stages(double h, solve::StageSolver& solver, system::System::Workspace& work,
                                    State& trial) {
  h_ = h;
  used_ = &prepare(h);
  for (int k = 0; k < used_->stages; ++k) {
    solve::Outcome outcome = solve_stage(k, prediction_nodes(k, *used_), solver, work, trial);
    if (outcome == solve::Outcome::diverged || outcome == solve::Outcome::slow)
      outcome = solve_with_care(k, solver, work, trial);
    if (outcome != solve::Outcome::converged) return outcome;
    keep_stage(k, trial);
  }
  return solve::Outcome::converged;
}

// C h³ y⃛ of a formula of order 2, from the rates at the end, at its beginning and one step earlier.
void Staged::divided_error(const StagedTable& table) {
  const StageRow& row = table.last();
  const int end = table.place(table.stages - 1);
  double constant = 1.0 / 6 - row.implicit / 2;
  for (int j = 0; j < end; ++j) {
    const double x = (point(j).t - now_.t) / h_;
    constant -=
        row.a[static_cast<std::size_t>(j)] * x * x * x / 6 + row.b[static_cast<std::size_t>(j)] * x * x / 2;
  }
  if (known_ < 2) {  // no third rate yet: as if the second derivative were all of it
    error_ = constant * h_ * (point(end).d_dot - point(0).d_dot);
    velocity_error_ = constant * h_ * (point(end).a - point(0).a);
    return;
  }
  const Point &p0 = point(0), &p1 = point(end);
  const Kept& older = kept_[1];
  const double span = kept_[0].t - older.t, factor = constant * h_ * h_ * h_ * 2 / (h_ + span);
  stage_.chart().look(older.t);
  stage_.chart().coordinates(older.q, error_);
  stage_.chart().rate(error_, older.rate, rate_);
  stage_.chart().look(now_.t + h_);
  error_ = factor * ((p1.d_dot - p0.d_dot) / h_ - (p0.d_dot - rate_) / span);
  velocity_error_ = factor * ((p1.a - p0.a) / h_ - (p0.a - older.a) / span);
}

double Staged::error(const State&) {
  const StagedTable& table = *used_;
  if (table.embedded) {
    error_ = h_ * table.error_weight(0) * point(0).d_dot;
    velocity_error_ = h_ * table.error_weight(0) * point(0).a;
    for (int k = 0; k < table.stages; ++k) {
      const Point& p = point(table.place(k));
      error_ += h_ * table.error_weight(k + 1) * p.d_dot;
      velocity_error_ += h_ * table.error_weight(k + 1) * p.a;
    }
  } else if (table.order == 2) {
    divided_error(table);
  } else {
    error_.setZero();
    velocity_error_.setZero();
  }
  if (lag_.size() > 0) {
    const Segment& z = layout_.states();
    error_.segment(z.offset, z.size) = error_.segment(z.offset, z.size).cwiseAbs() + lag_.cwiseAbs();
  }
  turned_ = assembly::largest_move(layout_, stage_.d).turn;
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  double size = norm_(error_) / allowed_;
  if (settings_.stabilised) size = std::max(size, norm_.velocities(velocity_error_) / allowed_);
  return std::max(size, norm_.amplitude(error_));
}

double Staged::power() const {
  const int seen = used_->embedded ? std::min(used_->order, used_->embedded_order) : used_->order;
  return 1.0 / (seen + 1);
}

double Staged::next_step(double error, double largest) {
  const double h = StepControl::next(h_, error, power(), turned_, largest);
  if (!settings_.table.fixed_step) return h;
  // A change costs the past: only one that is worth it.
  constexpr double kWorthIt = 1.9;
  if (h > h_ && h < kWorthIt * h_) return std::min(h_, largest);
  return h;
}

double Staged::smaller_step(double error, Rejection why) {
  if (why == Rejection::corrector) return StepControl::after_corrector(h_);
  return StepControl::after_error(h_, error, power());
}

// p'ᵐ from p'ᵐ⁻¹, pᵐ⁻¹ and pᵐ, which stands for the length of this step.
void Staged::filter(const Eigen::VectorXd& newest, const Eigen::VectorXd& last,
                    std::vector<Eigen::VectorXcd>& aux) {
  const double shift = aux_h_ > 0 ? h_ / aux_h_ : 1.0;
  newer_ = newest.cast<std::complex<double>>();
  older_ = last.cast<std::complex<double>>();
  for (std::size_t m = 1; m < aux.size(); ++m) {
    const SingleStepTable::Filter f = settings_.single->filter(static_cast<int>(m));
    filtered_ = last + shift * (aux[m] - last);
    aux[m] = f.newer * newer_ + f.older * older_ + f.kept * filtered_;
    newer_ = aux[m];
    std::swap(older_, filtered_);
  }
}

void Staged::keep_auxiliary(const State& trial) {
  if (!settings_.single) return;
  rate_of(trial, rate_);
  filter(rate_, kept_[0].rate, aux_rate_);
  filter(trial.a, kept_[0].a, aux_velocity_);
  aux_h_ = h_;
}

void Staged::accept(const State& trial) {
  restarted_ = restarted_ || used_ == &bridge_;
  keep_auxiliary(trial);
  std::rotate(kept_.begin(), kept_.end() - 1, kept_.end());
  Kept& k = kept_.front();
  k.t = trial.t;
  k.q = trial.q;
  k.v = trial.v;
  rate_of(trial, k.rate);
  k.a = trial.a;
  k.lambda = trial.lambda;
  known_ = std::min(known_ + 1, kKept);
  std::swap(before_, now_);
  now_ = trial;
  stage_.start(now_);
  norm_.grow(trial);
}

void Staged::interpolate(double t, State& state) const { dense_.at(t, before_, now_, order() > 3, state); }

std::string Staged::remark() {
  if (!restarted_ || told_) return {};
  told_ = true;
  return settings_.table.name +
         " has no formula for unequal steps: each change of the step is bridged by LMS2";
}

}  // namespace trunnion::integrate
