#include "integrate/independent/independent_formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integrate/hermite.hpp"
#include "solve/independent_motion.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;
using formulas::ExplicitTable;

IndependentFormula::IndependentFormula(const assembly::Layout& layout, double error, AmplitudeTest amplitude,
                                       int points)
    : layout_(layout),
      allowed_(error),
      norm_(layout, std::move(amplitude)),
      d_(Eigen::VectorXd::Zero(layout.size())),
      end_{d_, Eigen::VectorXd::Zero(layout.mechanical_size())},
      error_(d_),
      velocity_error_(end_.v),
      chart_(layout),
      past_(static_cast<std::size_t>(points)),
      charted_(static_cast<std::size_t>(points), Charted{d_, end_}),
      within_(d_),
      at_end_d_(d_),
      at_end_v_(end_.v),
      second_(d_),
      second_velocity_(end_.v),
      stiffness_(layout),
      difference_(end_),
      difference_d_(d_) {
  const State empty = assembly::make_state(layout);
  for (Point& p : past_) p = {0, empty.q, empty.v, empty.a};
}

void IndependentFormula::make_room(int stages) { stages_.assign(static_cast<std::size_t>(stages), end_); }

void IndependentFormula::start(std::span<const State> past) {
  known_ = 0;
  h_ = 0;
  turned_ = 0;
  stiffness_.start();
  keep(past[0]);
}

void IndependentFormula::keep(const State& state) {
  now_ = state;
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = state.t;
  p.q = state.q;
  p.v = state.v;
  p.a = state.a;
  known_ = std::min(known_ + 1, static_cast<int>(past_.size()));
  chart_.start(now_);
  charted_count_ = 0;
  norm_.grow(state);
}

void IndependentFormula::accept(const State& trial) {
  keep(trial);
  stiffness_.accept();
}

void IndependentFormula::predict(double h, State& trial) {
  const std::vector<double> memory = now_.memory;
  trial = assembly::advanced(layout_, now_, h);
  trial.memory = memory;
}

int IndependentFormula::chart_past(int points) const {
  points = std::min(points, known_);
  if (points <= charted_count_) return std::min(points, usable_);
  for (int j = charted_count_; j < points; ++j) {
    const Point& p = past_[static_cast<std::size_t>(j)];
    Charted& c = charted_[static_cast<std::size_t>(j)];
    chart_.look(p.t);
    if (j == 0) c.d.setZero();
    else chart_.coordinates(p.q, c.d);
    chart_.rate(c.d, p.v, c.rates.d);
    c.rates.d.segment(layout_.variables().offset, layout_.variables().size).setZero();
    c.rates.v = p.a.head(layout_.mechanical_size());
  }
  charted_count_ = points;
  constexpr std::size_t kMost = 16;
  assembly::Chart::Point seen[kMost];
  for (int j = 0; j < points; ++j)
    seen[j] = {time(j), &coordinates(j), &past_[static_cast<std::size_t>(j)].v};
  usable_ = chart_.turns_known(std::span(seen, static_cast<std::size_t>(points)));
  return usable_;
}

// Where the dependent coordinates cannot be found, others may be the better ones to hold.
solve::Outcome IndependentFormula::step(double h, solve::StageSolver& solver, Workspace& work, State& trial) {
  solve::IndependentMotion& motion = solver.independent_motion();
  const int before = motion.changes();
  const Outcome outcome = attempt(h, solver, work, trial);
  if (outcome == Outcome::converged || outcome == Outcome::not_finite) return outcome;
  const bool others = motion.changes() == before && motion.settle(now_, work) && motion.changes() != before;
  return others ? attempt(h, solver, work, trial) : outcome;
}

IndependentFormula::Outcome IndependentFormula::open(double h, solve::StageSolver& solver, Workspace& work,
                                                     State& trial) {
  h_ = h;
  trouble_ = {};
  solve::IndependentMotion& motion = solver.independent_motion();
  trial.q = now_.q;
  trial.v = now_.v;
  trial.a = now_.a;
  trial.lambda = now_.lambda;
  trial.memory = now_.memory;
  if (!motion.settle(now_, work)) {
    trouble_ = motion.message();
    trial.t = now_.t;
    return Outcome::singular;
  }
  if (motion.changes() != changes_) {
    changes_ = motion.changes();
    remark_ = fmt::format("other independent coordinates from here: {}", motion.chosen_words());
  }
  return Outcome::converged;
}

IndependentFormula::Outcome IndependentFormula::evaluate(double c, solve::StageSolver& solver,
                                                         Workspace& work, State& trial, Rates& rates) {
  const Segment& w = layout_.variables();
  trial.t = now_.t + c * h_;
  chart_.look(trial.t);
  d_.segment(w.offset, w.size) =
      trial.q.segment(w.pose_offset, w.size) - now_.q.segment(w.pose_offset, w.size);
  solve::IndependentMotion& motion = solver.independent_motion();
  const Outcome outcome = motion.evaluate(chart_, d_, trial, work);
  if (outcome != Outcome::converged) {
    trouble_ = motion.message();
    return outcome;
  }
  chart_.rate(d_, trial.v, rates.d);
  rates.d.segment(w.offset, w.size).setZero();
  rates.v = trial.a.head(layout_.mechanical_size());
  return outcome;
}

IndependentFormula::Outcome IndependentFormula::runge_kutta(const ExplicitTable& table,
                                                            solve::StageSolver& solver, Workspace& work,
                                                            State& trial) {
  const int n = layout_.mechanical_size();
  chart_past(1);
  stages_[0] = rates(0);
  const auto sum = [&](const auto& weights, int count) {
    d_.setZero();
    trial.v.head(n) = now_.v.head(n);
    for (int j = 0; j < count; ++j) {
      if (weights[j] == 0) continue;
      const Rates& stage = stages_[static_cast<std::size_t>(j)];
      d_ += (h_ * weights[j]) * stage.d;
      trial.v.head(n) += (h_ * weights[j]) * stage.v;
    }
  };
  for (int k = 1; k < table.stages; ++k) {
    sum(table.A.row(k), k);
    const Outcome outcome = evaluate(table.c[k], solver, work, trial, stages_[static_cast<std::size_t>(k)]);
    if (outcome != Outcome::converged) return outcome;
    if (k != table.stage_at_end) continue;
    at_end_d_ = d_;
    at_end_v_ = trial.v.head(n);
  }
  sum(table.b, table.stages);
  const Outcome outcome = evaluate(1, solver, work, trial, end_);
  if (outcome == Outcome::converged)
    watch_stiffness(table.stiff_from, at_end_d_, at_end_v_,
                    stages_[static_cast<std::size_t>(table.stage_at_end)], solver, work, trial);
  return outcome;
}

double IndependentFormula::runge_kutta_error(const ExplicitTable& table) {
  const auto sum = [&](const Eigen::VectorXd& weights, Eigen::VectorXd& d, Eigen::VectorXd& v) {
    d.setZero();
    v.setZero();
    for (int j = 0; j < table.stages; ++j) {
      if (weights[j] == 0) continue;
      d += (h_ * weights[j]) * stages_[static_cast<std::size_t>(j)].d;
      v += (h_ * weights[j]) * stages_[static_cast<std::size_t>(j)].v;
    }
  };
  sum(table.error, error_, velocity_error_);
  const double first = size(error_, velocity_error_);
  if (table.second_error.size() == 0 || !(first > 0) || !std::isfinite(first)) return first;
  sum(table.second_error, second_, second_velocity_);
  const double second = size(second_, second_velocity_);
  return first * first / std::sqrt(first * first + 0.01 * second * second);
}

double IndependentFormula::interpolation_error(const State& trial) {
  constexpr int kFewest = 3;
  const int n = layout_.mechanical_size();
  const int points = 1 + chart_past(points_within() - 1);
  if (points < kFewest) return 0;
  double node[kMostWithin], value[kMostWithin], slope[kMostWithin];
  node[0] = now_.t + h_;
  for (int j = 1; j < points; ++j) node[j] = time(j - 1);
  // y = Σ … through the newest `count` points, with this sign.
  const auto add = [&](int count, double sign) {
    hermite_value(node, count, now_.t + h_ / 2, value, slope);
    second_ += sign * (value[0] * d_ + slope[0] * end_.d);
    second_velocity_ += sign * (value[0] * trial.v.head(n) + slope[0] * end_.v);
    for (int j = 1; j < count; ++j) {
      second_ += sign * (value[j] * coordinates(j - 1) + slope[j] * rates(j - 1).d);
      second_velocity_ += sign * (value[j] * velocities(j - 1).head(n) + slope[j] * rates(j - 1).v);
    }
  };
  const auto difference = [&](int count) {
    second_.setZero();
    second_velocity_.setZero();
    add(count, 1);
    add(count - 1, -1);
    return size(second_, second_velocity_);
  };
  const double last = difference(points), before = difference(points - 1);
  return before > last ? last * last / before : last;
}

double IndependentFormula::power(const ExplicitTable& table) {
  return 1.0 / (table.second_order > 0 ? table.order : table.embedded_order + 1);
}

double IndependentFormula::size(const Eigen::VectorXd& d, const Eigen::VectorXd& v) {
  turned_ = assembly::largest_move(layout_, d_).turn;
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  const double plain = std::max(norm_(d), norm_.velocities(v)) / allowed_;
  return std::max(plain, norm_.amplitude(d));
}

void IndependentFormula::watch_stiffness(double from, const Eigen::VectorXd& d, const Eigen::VectorXd& v,
                                         const Rates& rates, solve::StageSolver& solver, Workspace& work,
                                         const State& trial) {
  const int n = layout_.mechanical_size();
  difference_d_ = d_ - d;
  difference_.d = end_.d - rates.d;
  difference_.v = end_.v - rates.v;
  if (!stiffness_.see(h_, from, norm_, difference_d_, difference_.d, difference_.v)) return;
  stiffness_.tell();
  difference_.v = trial.v.head(n) - v;
  stiffness_words_ = fmt::format("this motion is stiff: {}{} at {:.2g} rad/s holds the step",
                                 layout_.column_name(stiffness_.entry()), culprit(solver, work, trial),
                                 stiffness_.frequency() / solver.system().units().time_si);
  remark_ = stiffness_words_ + "; try HHT or GSTIFF";
}

// The force that changes most along the fastest part of the motion.
core::Words IndependentFormula::culprit(solve::StageSolver& solver, Workspace& work,
                                        const State& trial) const {
  const system::System& system = solver.system();
  State moved = trial;
  chart_.look(trial.t);
  chart_.place(d_ - difference_d_, moved.q);
  moved.v.head(layout_.mechanical_size()) -= difference_.v;
  const auto wrenches = [&](const State& state) {
    Eigen::VectorXd all(6 * static_cast<Eigen::Index>(system.forces().size()));
    system.update(state, work);
    Eigen::Index next = 0;
    for (const system::Force& force : system.forces()) {
      const elements::Wrench w = system.wrench(force, state, work, false);
      all.segment<3>(next) = w.force;
      all.segment<3>(next + 3) = w.torque;
      next += 6;
    }
    return all;
  };
  const Eigen::VectorXd change = wrenches(trial) - wrenches(moved);
  double largest = 0;
  core::Words who;
  Eigen::Index next = 0;
  for (const system::Force& force : system.forces()) {
    const double size = change.segment<6>(next).norm();
    next += 6;
    if (!(size > largest)) continue;
    largest = size;
    who = " – " + force.label;
  }
  system.update(trial, work);
  return who;
}

std::string IndependentFormula::remark() { return std::exchange(remark_, {}); }

int IndependentFormula::points_within() const { return std::clamp((order() + 2) / 2, 2, kMostWithin); }

void IndependentFormula::interpolate(double t, State& state) const {
  // Values and rates of m points leave an error of h^(2m).
  const int points = chart_past(points_within());
  double node[kMostWithin], value[kMostWithin], slope[kMostWithin];
  for (int j = 0; j < points; ++j) node[j] = time(j);
  hermite_value(node, points, t, value, slope);
  const int n = layout_.mechanical_size();
  const Segment& w = layout_.variables();
  state = now_;
  state.t = t;
  within_.setZero();
  state.v.head(n).setZero();
  state.v.segment(layout_.states().offset, layout_.states().size).setZero();
  for (int j = 0; j < points; ++j) {
    within_ += value[j] * coordinates(j) + slope[j] * rates(j).d;
    state.v.head(n) += value[j] * velocities(j).head(n) + slope[j] * rates(j).v;
  }
  within_.segment(w.offset, w.size).setZero();
  chart_.look(t);
  chart_.place(within_, state.q);
  // The rest are guesses.
  const Segment& z = layout_.states();
  state.v.segment(z.offset, z.size) = now_.v.segment(z.offset, z.size);
}

}  // namespace trunnion::integrate
