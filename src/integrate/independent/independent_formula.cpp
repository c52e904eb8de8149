#include "integrate/independent/independent_formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "integrate/hermite.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;
using formulas::ExplicitTable;

IndependentFormula::IndependentFormula(const assembly::Layout& layout, double error, AmplitudeTest amplitude,
                                       int points)
    : layout_(layout),
      allowed_(error),
      norm_(layout, std::move(amplitude)),
      past_(static_cast<std::size_t>(points)),
      all_d_(Eigen::VectorXd::Zero(layout.size())),
      all_v_(Eigen::VectorXd::Zero(layout.mechanical_size())),
      all_rate_(all_d_),
      stiffness_(layout) {}

void IndependentFormula::fit() {
  d_ = Eigen::VectorXd::Zero(sizes_.all());
  end_ = {d_, Eigen::VectorXd::Zero(sizes_.coordinates)};
  error_ = within_ = at_end_d_ = second_ = difference_d_ = d_;
  velocity_error_ = at_end_v_ = second_velocity_ = end_.v;
  difference_ = end_;
  charted_.assign(past_.size(), Charted{d_, end_});
  stages_.assign(static_cast<std::size_t>(stage_count_), end_);
}

// The evaluation for this mechanism; it stays for all that this formula integrates.
void IndependentFormula::adopt(const Place& place) {
  if (motion_) {
    motion_->attach(place.solver);
    return;
  }
  motion_ = solve::make_motion(place.solver, accepted_, place.work);
  sizes_ = motion_->sizes();
  fit();
  motion_->express(accepted_, now_);
  y_ = now_;
  for (Point& p : past_) p = {0, now_.q, now_.v, now_.a};
  keep();
}

void IndependentFormula::start(std::span<const State> past) {
  known_ = 0;
  h_ = 0;
  turned_ = 0;
  stiffness_.start();
  accepted_ = past[0];
  norm_.grow(accepted_);
  if (!motion_) return;
  motion_->express(accepted_, now_);
  y_ = now_;
  keep();
}

void IndependentFormula::keep() {
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = now_.t;
  p.q = now_.q;
  p.v = now_.v;
  p.a = now_.a;
  known_ = std::min(known_ + 1, static_cast<int>(past_.size()));
  motion_->start_chart(now_);
  charted_count_ = 0;
}

// The point that was found, with what the state remembers from here on.
void IndependentFormula::accept(const State& trial) {
  y_.memory = trial.memory;
  now_ = y_;
  accepted_ = trial;
  norm_.grow(accepted_);
  keep();
  stiffness_.accept();
}

void IndependentFormula::predict(double h, State& trial) {
  const std::vector<double> memory = accepted_.memory;
  trial = assembly::advanced(layout_, accepted_, h);
  trial.memory = memory;
}

int IndependentFormula::chart_past(int points) const {
  points = std::min(points, known_);
  if (points <= charted_count_) return std::min(points, usable_);
  for (int j = charted_count_; j < points; ++j) {
    const Point& p = past_[static_cast<std::size_t>(j)];
    Charted& c = charted_[static_cast<std::size_t>(j)];
    motion_->look(p.t);
    if (j == 0) c.d.setZero();
    else motion_->coordinates(p.q, c.d);
    motion_->rate(c.d, p.q, p.v, c.rates.d);
    c.rates.d.tail(sizes_.variables).setZero();
    c.rates.v = p.a.head(sizes_.coordinates);
  }
  charted_count_ = points;
  constexpr std::size_t kMost = 16;
  assembly::Chart::Point seen[kMost];
  for (int j = 0; j < points; ++j)
    seen[j] = {time(j), &coordinates(j), &past_[static_cast<std::size_t>(j)].v};
  usable_ = motion_->turns_known(std::span(seen, static_cast<std::size_t>(points)));
  return usable_;
}

// Where the dependent coordinates cannot be found, others may be the better ones to hold.
solve::Outcome IndependentFormula::step(double h, solve::StageSolver& solver, Workspace& work, State& trial) {
  const Place place{solver, work};
  adopt(place);
  const int before = motion_->changes();
  Outcome outcome = attempt(h, place);
  if (outcome != Outcome::converged && outcome != Outcome::not_finite) {
    const bool others =
        motion_->changes() == before && motion_->settle(now_, work) && motion_->changes() != before;
    if (others) outcome = attempt(h, place);
  }
  trial.lambda = accepted_.lambda;
  motion_->complete(y_, trial);
  return outcome;
}

IndependentFormula::Outcome IndependentFormula::open(double h, const Place& place) {
  h_ = h;
  trouble_ = {};
  y_ = now_;
  if (!motion_->settle(now_, place.work)) {
    trouble_ = motion_->message();
    return Outcome::singular;
  }
  if (motion_->changes() != changes_) {
    changes_ = motion_->changes();
    remark_ = fmt::format("other independent coordinates from here: {}", motion_->chosen_words());
  }
  return Outcome::converged;
}

IndependentFormula::Outcome IndependentFormula::evaluate(double c, const Place& place, Rates& rates) {
  const int w = sizes_.variables;
  y_.t = now_.t + c * h_;
  motion_->look(y_.t);
  d_.tail(w) = y_.q.tail(w) - now_.q.tail(w);
  const Outcome outcome = motion_->evaluate(d_, y_, place.work);
  if (outcome != Outcome::converged) {
    trouble_ = motion_->message();
    return outcome;
  }
  motion_->rate(d_, y_.q, y_.v, rates.d);
  rates.d.tail(w).setZero();
  rates.v = y_.a.head(sizes_.coordinates);
  return outcome;
}

IndependentFormula::Outcome IndependentFormula::runge_kutta(const ExplicitTable& table, const Place& place) {
  const int n = sizes_.coordinates;
  chart_past(1);
  stages_[0] = rates(0);
  const auto sum = [&](const auto& weights, int count) {
    d_.setZero();
    y_.v.head(n) = now_.v.head(n);
    for (int j = 0; j < count; ++j) {
      if (weights[j] == 0) continue;
      const Rates& stage = stages_[static_cast<std::size_t>(j)];
      d_ += (h_ * weights[j]) * stage.d;
      y_.v.head(n) += (h_ * weights[j]) * stage.v;
    }
  };
  for (int k = 1; k < table.stages; ++k) {
    sum(table.A.row(k), k);
    const Outcome outcome = evaluate(table.c[k], place, stages_[static_cast<std::size_t>(k)]);
    if (outcome != Outcome::converged) return outcome;
    if (k != table.stage_at_end) continue;
    at_end_d_ = d_;
    at_end_v_ = y_.v.head(n);
  }
  sum(table.b, table.stages);
  const Outcome outcome = evaluate(1, place, end_);
  if (outcome == Outcome::converged)
    watch_stiffness(table.stiff_from, at_end_d_, at_end_v_,
                    stages_[static_cast<std::size_t>(table.stage_at_end)], place);
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

double IndependentFormula::interpolation_error() {
  constexpr int kFewest = 3;
  const int n = sizes_.coordinates;
  const int points = 1 + chart_past(points_within() - 1);
  if (points < kFewest) return 0;
  double node[kMostWithin], value[kMostWithin], slope[kMostWithin];
  node[0] = now_.t + h_;
  for (int j = 1; j < points; ++j) node[j] = time(j - 1);
  // y = Σ … through the newest `count` points, with this sign.
  const auto add = [&](int count, double sign) {
    hermite_value(node, count, now_.t + h_ / 2, value, slope);
    second_ += sign * (value[0] * d_ + slope[0] * end_.d);
    second_velocity_ += sign * (value[0] * y_.v.head(n) + slope[0] * end_.v);
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
  turned_ = motion_->turned(d_);
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  motion_->spread(d, v, all_d_, all_v_);
  const double plain = std::max(norm_(all_d_), norm_.velocities(all_v_)) / allowed_;
  return std::max({plain, norm_.amplitude(all_d_), norm_.speed(all_v_)});
}

int IndependentFormula::worst_entry() const {
  motion_->spread(error_, velocity_error_, all_d_, all_v_);
  return norm_.largest(all_d_);
}

void IndependentFormula::watch_stiffness(double from, const Eigen::VectorXd& d, const Eigen::VectorXd& v,
                                         const Rates& rates, const Place& place) {
  const int n = sizes_.coordinates;
  const Segment& z = layout_.states();
  difference_d_ = d_ - d;
  difference_.d = end_.d - rates.d;
  difference_.v = end_.v - rates.v;
  motion_->spread(difference_d_, difference_.v, all_d_, all_v_);
  all_rate_.segment(z.offset, z.size) = difference_.d.segment(n, z.size);
  if (!stiffness_.see(h_, from, norm_, all_d_, all_rate_, all_v_)) return;
  stiffness_.tell();
  difference_.v = y_.v.head(n) - v;
  stiffness_words_ = fmt::format("this motion is stiff: {}{} at {:.2g} rad/s holds the step",
                                 layout_.column_name(stiffness_.entry()), culprit(place),
                                 stiffness_.frequency() / place.solver.system().units().time_si);
  remark_ = stiffness_words_ + "; try HHT or GSTIFF";
}

// The force that changes most along the fastest part of the motion.
core::Words IndependentFormula::culprit(const Place& place) const {
  const system::System& system = place.solver.system();
  const auto wrenches = [&](const State& y) {
    State state = accepted_;
    motion_->complete(y, state);
    Eigen::VectorXd all(6 * static_cast<Eigen::Index>(system.forces().size()));
    system.update(state, place.work);
    Eigen::Index next = 0;
    for (const system::Force& force : system.forces()) {
      const elements::Wrench w = system.wrench(force, state, place.work, false);
      all.segment<3>(next) = w.force;
      all.segment<3>(next + 3) = w.torque;
      next += 6;
    }
    return all;
  };
  State moved = y_;
  motion_->look(y_.t);
  motion_->place(d_ - difference_d_, moved.q);
  moved.v.head(sizes_.coordinates) -= difference_.v;
  Eigen::VectorXd change = -wrenches(moved);
  change += wrenches(y_);
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
  return who;
}

std::string IndependentFormula::remark() { return std::exchange(remark_, {}); }

int IndependentFormula::points_within() const { return std::clamp((order() + 2) / 2, 2, kMostWithin); }

void IndependentFormula::interpolate(double t, State& state) const {
  state = accepted_;
  if (!motion_) return;
  // Values and rates of m points leave an error of h^(2m).
  const int points = chart_past(points_within());
  double node[kMostWithin], value[kMostWithin], slope[kMostWithin];
  for (int j = 0; j < points; ++j) node[j] = time(j);
  hermite_value(node, points, t, value, slope);
  const int n = sizes_.coordinates;
  within_point_ = now_;
  within_point_.t = t;
  within_.setZero();
  within_point_.v.head(n).setZero();
  for (int j = 0; j < points; ++j) {
    within_ += value[j] * coordinates(j) + slope[j] * rates(j).d;
    within_point_.v.head(n) += value[j] * velocities(j).head(n) + slope[j] * rates(j).v;
  }
  within_.tail(sizes_.variables).setZero();
  motion_->look(t);
  motion_->place(within_, within_point_.q);
  // The rest are guesses.
  motion_->complete(within_point_, state);
}

}  // namespace trunnion::integrate
