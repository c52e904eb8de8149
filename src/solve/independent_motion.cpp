#include "solve/independent_motion.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solve/independent_choice.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::solve {

using assembly::RowId;

IndependentMotion::IndependentMotion(StageSolver& solver)
    : solver_(solver),
      system_(solver.system()),
      levels_(solver.system().layout()),
      turn_(system_.layout().triples().size(), math::Mat3::Identity()),
      delta_(Eigen::VectorXd::Zero(system_.layout().size())),
      rate_(Eigen::VectorXd::Zero(system_.layout().row_count())) {
  velocities_.rows = solver.active();
  for (const int r : solver.active()) {
    if (system_.layout().row(RowId{r}).level == assembly::RowLevel::position) positions_.rows.push_back(r);
  }
  nonholonomic_ = positions_.rows.size() != velocities_.rows.size();
}

Outcome IndependentMotion::fail(Outcome how, core::Words message) {
  message_ = std::move(message);
  distrusted_ = true;
  return how;
}

// From rows evaluated at the state that `work` is at.
bool IndependentMotion::choose(Level& level, const Workspace& work) {
  if (level.rows.empty() && level.independent.empty()) {
    level.independent.resize(static_cast<std::size_t>(system_.layout().mechanical_size()));
    for (std::size_t k = 0; k < level.independent.size(); ++k) level.independent[k] = static_cast<int>(k);
  }
  if (level.rows.empty()) return true;
  const sparse::CscMatrix& G = levels_.gradient();
  const auto independent = independent_columns(system_, work, G, level.rows);
  if (!independent) return false;
  if (*independent != level.independent || !level.dependent.chosen()) {
    level.independent = *independent;
    std::vector<char> held(static_cast<std::size_t>(system_.layout().size()), 1);
    std::fill_n(held.begin(), system_.layout().mechanical_size(), 0);
    for (const int k : level.independent) held[static_cast<std::size_t>(k)] = 1;
    level.dependent.choose(G, level.rows, held, system_.layout().triples());
  }
  if (!level.dependent.factor(G)) return false;
  turn_measure_ = turn_measure(system_, work);
  level.gain = gain(level);
  return true;
}

// Signs that are no pattern of any mechanism keep shares from cancelling.
double IndependentMotion::gain(const Level& level) {
  const assembly::Layout& layout = system_.layout();
  const auto measure = [&](int entry) { return layout.is_turn(entry) ? turn_measure_ : 1.0; };
  delta_.setZero();
  unsigned sign = 1;
  for (const int k : level.independent) {
    sign = sign * 1664525u + 1013904223u;
    delta_[k] = (sign >> 31 ? 1 : -1) / measure(k);
  }
  for (const int r : level.rows) rate_[r] = levels_.along(r, delta_);
  level.dependent.solve(rate_, delta_);
  double largest = 0;
  for (int k = 0; k < layout.mechanical_size(); ++k) {
    if (const double moved = std::abs(delta_[k]) * measure(k); !(moved <= largest)) largest = moved;
  }
  return largest;
}

void IndependentMotion::follow(Eigen::VectorXd& d, Eigen::VectorXd& v) {
  follow(positions_, d);
  follow(of_velocities(), v);
}

void IndependentMotion::follow(const Level& level, Eigen::VectorXd& x) {
  constexpr double kFar = 10;
  if (level.rows.empty() || !level.dependent.factors().factored()) return;
  const assembly::Layout& layout = system_.layout();
  const int n = layout.mechanical_size();
  const auto largest = [&](const Eigen::VectorXd& y) {
    double size = 0;
    for (int k = 0; k < n; ++k)
      size = std::max(size, std::abs(y[k]) * (layout.is_turn(k) ? turn_measure_ : 1.0));
    return size;
  };
  const double before = largest(x);
  delta_.setZero();
  for (const int k : level.independent) delta_[k] = x[k];
  for (const int r : level.rows) rate_[r] = levels_.along(r, delta_);
  x.head(n) = delta_.head(n);
  level.dependent.solve(rate_, delta_);
  x.head(n) -= delta_.head(n);
  if (!(largest(x) <= kFar * before)) distrusted_ = true;
}

// By G and the factors of the last evaluation, which was at the state just accepted or close to it.
bool IndependentMotion::still_good(const Level& level) {
  constexpr double kGrown = 2;
  if (level.rows.empty()) return true;
  return level.dependent.factors().factored() && gain(level) <= kGrown * std::max(level.gain, 1.0);
}

bool IndependentMotion::settle(const State& state, Workspace& work) {
  if (settled_ && settled_time_ == state.t && !distrusted_) return true;
  const bool good = settled_ && !distrusted_ && still_good(positions_) && still_good(of_velocities());
  settled_time_ = state.t;
  distrusted_ = false;
  if (good) return true;
  message_.clear();
  levels_.evaluate_rows(system_, state, work, false);
  const std::vector<int> before = positions_.independent, before_velocities = of_velocities().independent;
  if (!choose(positions_, work) || (nonholonomic_ && !choose(velocities_, work))) {
    message_ = "the constraints are dependent here, so that no independent coordinates determine the others";
    settled_ = false;
    return false;
  }
  if (settled_ && (before != positions_.independent || before_velocities != of_velocities().independent))
    ++changes_;
  settled_ = true;
  return true;
}

core::Words IndependentMotion::chosen_words() const {
  constexpr std::size_t kShown = 4;
  std::vector<core::Words> names;
  for (std::size_t k = 0; k < std::min(kShown, positions_.independent.size()); ++k)
    names.push_back(system_.layout().column_name(positions_.independent[k]));
  core::Words text = core::words("{}", fmt::join(names, ", "));
  if (positions_.independent.size() > kShown)
    text += core::words(" and {} more", positions_.independent.size() - kShown);
  return text;
}

double IndependentMotion::largest(const std::vector<int>& rows, const Eigen::VectorXd& values) const {
  double size = 0;
  for (const int r : rows) {
    if (!(std::abs(values[r]) <= size)) size = std::abs(values[r]);
  }
  return size;
}

// Newton in the chart's coordinates, with new factors at the first iterate: it is a good one, and they serve the velocities too.
class IndependentMotion::PositionIteration {
 public:
  PositionIteration(IndependentMotion& motion, const assembly::Chart& chart, Eigen::VectorXd& d, State& trial,
                    Workspace& work)
      : m_(motion), chart_(chart), d_(d), trial_(trial), work_(work) {}

  Outcome outcome = Outcome::slow;

  Verdict evaluate(int k) {
    constexpr double kClose = 1e-13, kFast = 0.1, kRounding = 1e-10;
    chart_.place(d_, trial_.q);
    m_.levels_.evaluate_rows(m_.system_, trial_, work_, false);
    const double size = m_.largest(m_.positions_.rows, m_.levels_.phi());
    if (!std::isfinite(size)) return end(Outcome::not_finite);
    const double scale = std::max(1.0, assembly::farthest_place(m_.system_.layout(), trial_.q));
    if (size <= kClose * scale) return Verdict::done;
    const bool slow = k > 0 && size > kFast * before_;
    // Rounding leaves nothing better.
    if (slow && size <= kRounding * scale && size > 0.5 * before_) return Verdict::done;
    before_ = size;
    if (k > 0 && !slow) return Verdict::again;
    return factor() ? Verdict::again : end(Outcome::singular);
  }

  Verdict correct(int) {
    m_.positions_.dependent.solve(m_.levels_.phi(), m_.delta_);
    if (!m_.delta_.allFinite()) return end(Outcome::singular);
    d_ -= m_.delta_;
    return Verdict::again;
  }

 private:
  bool factor() {
    const auto triples = m_.system_.layout().triples();
    for (std::size_t k = 0; k < triples.size(); ++k)
      m_.turn_[k] = math::so3_right_jacobian(d_.segment<3>(triples[k].offset));
    m_.factors_here_ = !m_.nonholonomic_;
    return m_.positions_.dependent.factor(m_.levels_.gradient(), &m_.turn_);
  }
  Verdict end(Outcome how) {
    outcome = how;
    return Verdict::failed;
  }

  IndependentMotion& m_;
  const assembly::Chart& chart_;
  Eigen::VectorXd& d_;
  State& trial_;
  Workspace& work_;
  double before_ = 0;
};

Outcome IndependentMotion::find_positions(const assembly::Chart& chart, Eigen::VectorXd& d, State& trial,
                                          Workspace& work) {
  constexpr int kIterations = 10;
  PositionIteration iteration(*this, chart, d, trial, work);
  if (newton(iteration, kIterations) == Verdict::done) return Outcome::converged;
  if (iteration.outcome == Outcome::not_finite)
    return fail(iteration.outcome, "a constraint has no finite value");
  return fail(iteration.outcome, "the dependent coordinates do not follow from the independent ones");
}

// φ̇ at the trial's velocities. Rows of positions are linear in them: no element is asked again.
void IndependentMotion::rates_at(const State& trial, Workspace& work) {
  if (nonholonomic_) {
    levels_.evaluate_rows(system_, trial, work, false);
    rate_ = levels_.rate();
    return;
  }
  for (const int r : positions_.rows) rate_[r] = levels_.along(r, trial.v) + levels_.phi_t()[r];
}

// By the factors of the positions' first iterate, which are close; residuals decide.
class IndependentMotion::VelocityIteration {
 public:
  VelocityIteration(IndependentMotion& motion, State& trial, Workspace& work)
      : m_(motion), level_(motion.of_velocities()), trial_(trial), work_(work) {}

  Outcome outcome = Outcome::slow;

  Verdict evaluate(int k) {
    constexpr double kClose = 1e-14, kSlow = 0.2, kRounding = 1e-9;
    m_.rates_at(trial_, work_);
    const double size = m_.largest(level_.rows, m_.rate_);
    if (!std::isfinite(size)) return end(Outcome::not_finite);
    const int n = m_.system_.layout().mechanical_size();
    const double scale = std::max(1.0, n > 0 ? trial_.v.head(n).lpNorm<Eigen::Infinity>() : 0.0);
    if (size <= kClose * scale) return Verdict::done;
    const bool slow = k > 0 && size > kSlow * before_;
    if (slow && size <= kRounding * scale && size > 0.5 * before_) return Verdict::done;
    before_ = size;
    if (!slow && m_.factors_here_) return Verdict::again;
    m_.factors_here_ = true;
    return level_.dependent.factor(m_.levels_.gradient()) ? Verdict::again : end(Outcome::singular);
  }

  Verdict correct(int) {
    level_.dependent.solve(m_.rate_, m_.delta_);
    trial_.v -= m_.delta_;
    return Verdict::again;
  }

 private:
  Verdict end(Outcome how) {
    outcome = how;
    return Verdict::failed;
  }

  IndependentMotion& m_;
  Level& level_;
  State& trial_;
  Workspace& work_;
  double before_ = 0;
};

Outcome IndependentMotion::find_velocities(State& trial, Workspace& work) {
  constexpr int kIterations = 20;
  if (of_velocities().rows.empty()) return Outcome::converged;
  VelocityIteration iteration(*this, trial, work);
  if (newton(iteration, kIterations) == Verdict::done) return Outcome::converged;
  switch (iteration.outcome) {
    case Outcome::not_finite: return fail(Outcome::not_finite, "the rate of a constraint is not finite");
    case Outcome::singular:
      return fail(Outcome::singular, "the dependent velocities do not follow from the independent ones");
    default: return fail(Outcome::slow, "the dependent velocities do not converge");
  }
}

Outcome IndependentMotion::evaluate(const assembly::Chart& chart, Eigen::VectorXd& d, State& trial,
                                    Workspace& work) {
  const auto began = std::chrono::steady_clock::now();
  message_.clear();
  factors_here_ = false;
  ++solver_.counts_.evaluations;
  ++solver_.counts_.iterations;
  Outcome outcome = Outcome::converged;
  if (positions_.rows.empty() && !nonholonomic_) chart.place(d, trial.q);
  else outcome = find_positions(chart, d, trial, work);
  if (outcome == Outcome::converged) outcome = find_velocities(trial, work);
  if (outcome == Outcome::converged && !solver_.accelerations(trial, work)) {
    const bool finite = trial.q.allFinite() && trial.v.allFinite() && trial.a.allFinite();
    outcome = fail(finite ? Outcome::singular : Outcome::not_finite, solver_.message());
  }
  ++solver_.counts_.refactorisations;
  ++solver_.counts_.solves;
  if (solver_.timed)
    solver_.seconds_evaluating +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace trunnion::solve
