#include "solve/corrector.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "elements/body.hpp"
#include "solve/ordering.hpp"

namespace trunnion::solve {

using assembly::State;
using system::System;

namespace {

class Stopwatch {
 public:
  Stopwatch(bool on, double& seconds) : on_(on), seconds_(seconds) {
    if (on_) start_ = std::chrono::steady_clock::now();
  }
  ~Stopwatch() {
    if (on_) seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  bool on_;
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

int largest(const Eigen::VectorXd& v) {
  Eigen::Index at = 0;
  if (v.size() > 0) v.cwiseAbs().maxCoeff(&at);
  return static_cast<int>(at);
}

// The square of each body's radius of gyration for its turns, 1 for lengths. A body without inertia counts as the widest does.
Eigen::VectorXd lengths_squared(const System& system) {
  const auto gyration = [](const elements::Body& body) {
    return body.mass > 0 ? body.J.trace() / (2 * body.mass) : 0.0;
  };
  double widest = 0;
  for (const elements::Body& body : system.body_elements()) widest = std::max(widest, gyration(body));
  if (!(widest > 0)) widest = 1;
  constexpr double kSlender = 1e-6;  // of the widest: a part that is nearly a point
  Eigen::VectorXd w = Eigen::VectorXd::Ones(system.layout().size());
  for (const elements::Body& body : system.body_elements()) {
    if (!body.block.valid()) continue;
    const assembly::Block& block = system.layout().block(body.block);
    const double here = gyration(body);
    const double square = here > 0 ? std::max(here, kSlender * widest) : widest;
    for (int k = block.offset; k < block.offset + block.size; ++k) {
      if (system.layout().is_turn(k)) w[k] = square;
    }
  }
  return w;
}

}  // namespace

Corrector::Corrector(const System& system, const std::vector<int>& active_rows, bool stabilised,
                     CorrectorSettings settings)
    : system_(system),
      settings_(std::move(settings)),
      equations_(system.layout(), active_rows, StageEquations::Rows::position, stabilised) {
  if (stabilised) equations_.set_weights(lengths_squared(system));
}

void Corrector::evaluate(Stage& stage, const State& trial, System::Workspace& work, bool matrix) {
  const Stopwatch watch(timed, seconds_evaluating);
  equations_.evaluate(system_, trial, work, stage.maps(matrix), matrix, stage.y());
  ++counts_.evaluations;
}

// Residual and matrix at the trial state, factored. False where it is singular even with new pivots.
bool Corrector::build(Stage& stage, const State& trial, System::Workspace& work) {
  evaluate(stage, trial, work, true);
  if (equations_.new_pattern()) {
    if (analysed_) ++counts_.matrices[static_cast<int>(NewMatrix::pattern)];
    analysed_ = false;
  }
  const Stopwatch watch(timed, seconds_factoring);
  matrix_age_ = 0;
  rate_ = 0;
  sparse::FactorStatus status;
  if (!analysed_) {
    analysed_ = lu_.analyse(equations_.matrix(), elimination_order(system_.layout(), equations_));
    if (!analysed_) return false;
    status = lu_.factor(equations_.matrix());
  } else {
    status = lu_.update(equations_.matrix());
  }
  new_pivots_ = status != sparse::FactorStatus::refactored;
  ++(new_pivots_ ? counts_.factorisations : counts_.refactorisations);
  return status != sparse::FactorStatus::singular;
}

// CORRECTOR=ORIGINAL: reactions and variables to three digits of the largest of their kind, or to rounding: an error of
// rounding in a position comes back as an acceleration of that over q.
bool Corrector::others_converged(const State& trial, double factor) const {
  constexpr double kDigits = 1e-3;
  const int n = equations_.tangent_size(), m = equations_.active_count();
  if (m > 0) {
    const double change = factor * x_.segment(n, m).lpNorm<Eigen::Infinity>();
    const double size = trial.lambda.lpNorm<Eigen::Infinity>();
    if (!(change <= kDigits * std::max(size, 1.0))) return false;
  }
  const assembly::Segment& w = system_.layout().variables();
  for (int i = 0; i < w.size; ++i) {
    const double size = std::abs(trial.q[w.pose_offset + i]);
    if (!(factor * std::abs(x_[w.offset + i]) <= kDigits * std::max(size, 1.0))) return false;
  }
  return true;
}

// Whether nothing is left but the rounding of positions (|x| ε / q in a scaled constraint) and of forces. A matrix close to
// singular makes large corrections out of that; they mean nothing.
bool Corrector::residual_is_rounding(Stage& stage, const State& trial) const {
  constexpr double kEpsilon = 32 * std::numeric_limits<double>::epsilon(), kForces = 1e-11;
  const LevelMaps& maps = stage.maps(false);
  const int n = equations_.tangent_size(), m = equations_.active_count();
  const double length = std::max(1.0, trial.q.size() > 0 ? trial.q.lpNorm<Eigen::Infinity>() : 0.0);
  const double force = std::max(1.0, trial.lambda.size() > 0 ? trial.lambda.lpNorm<Eigen::Infinity>() : 0.0);
  const Eigen::VectorXd& r = equations_.residual();
  if (!(r.head(n).lpNorm<Eigen::Infinity>() <= kForces * force)) return false;
  if (m > 0 && !(r.segment(n, m).lpNorm<Eigen::Infinity>() <= kEpsilon * length / maps.body.q)) return false;
  if (!equations_.stabilised()) return true;
  const double rate = kEpsilon * std::max(1.0, trial.v.lpNorm<Eigen::Infinity>()) * length;
  return r.tail(n + m).lpNorm<Eigen::Infinity>() <= rate / maps.body.v;
}

void Corrector::note_worst() {
  worst_equation_ = largest(equations_.residual());
  worst_residual_ = equations_.residual().size() > 0 ? equations_.residual()[worst_equation_] : 0.0;
}

// What a new matrix costs, in iterations: its entries and factors against a residual and a solution. Measured on chains of 10
// to 1,000 links: 1 to 1.5.
constexpr double kNewMatrixCost = 1;

bool Corrector::old_matrix_costs_more() const {
  return settings_.pattern.empty() && iterations_new_ > 0 &&
         iterations_old_ > iterations_new_ + kNewMatrixCost;
}

void Corrector::learn(bool began_fresh, Outcome outcome) {
  constexpr double kLately = 0.3, kForget = 0.98;
  const auto average = [&](double& usual, double now) {
    usual = usual > 0 ? usual + kLately * (now - usual) : now;
  };
  if (began_fresh) {
    if (outcome == Outcome::converged) average(iterations_new_, last_iterations_);
    iterations_old_ *= kForget;  // so that an old matrix gets a chance again
  } else {
    const double again = outcome == Outcome::converged ? 0 : iterations_new_ + kNewMatrixCost;
    average(iterations_old_, last_iterations_ + again);
  }
}

Outcome Corrector::solve(Stage& stage, State& trial, System::Workspace& work) {
  if (old_matrix_costs_more()) renew(NewMatrix::cheaper);
  const bool fresh = fresh_wanted_ >= 0;
  const Outcome outcome = iterate(stage, trial, work);
  learn(fresh, outcome);
  return outcome;
}

Outcome Corrector::iterate(Stage& stage, State& trial, System::Workspace& work) {
  const auto asked = [&](int iteration) {
    return !settings_.pattern.empty() &&
           settings_.pattern[static_cast<std::size_t>(iteration) % settings_.pattern.size()] != 0;
  };
  const int limit = settings_.exactly > 0 ? settings_.exactly : settings_.maxit;
  double before = 0;
  for (int k = 0; k < limit; ++k) {
    last_iterations_ = k + 1;
    bool fresh = false;
    const bool wanted = fresh_wanted_ >= 0 || asked(k);
    if (wanted) {
      ++counts_.matrices[fresh_wanted_ >= 0 ? fresh_wanted_ : static_cast<int>(NewMatrix::asked_for)];
      fresh_wanted_ = -1;
      fresh = true;
      if (!build(stage, trial, work)) {
        note_worst();
        renew(NewMatrix::failed);
        return equations_.not_finite().empty() ? Outcome::singular : Outcome::not_finite;
      }
    } else {
      evaluate(stage, trial, work, false);
    }
    ++counts_.iterations;
    {
      const Stopwatch watch(timed, seconds_solving);
      x_ = -equations_.residual();
      lu_.solve(x_);
      ++counts_.solves;
    }
    const double delta = stage.size(x_);
    if (!std::isfinite(delta) || !x_.allFinite()) {
      note_worst();
      return Outcome::not_finite;
    }
    worst_variable_ = 0;
    if (listener) {
      note_worst();
      worst_variable_ = largest(x_);
      listener({k + 1, worst_residual_, x_[worst_variable_], worst_equation_, worst_variable_, fresh,
                fresh && new_pivots_, fresh ? lu_.left_pivot() : std::nullopt, trial, x_});
    }
    if (k > 0 && settings_.exactly == 0 && residual_is_rounding(stage, trial)) break;
    stage.add(x_, trial);
    for (int i = 0; i < equations_.active_count(); ++i) {
      trial.lambda[equations_.row_of_active(i)] += x_[equations_.lambda_offset() + i];
      if (equations_.stabilised()) trial.mu[equations_.row_of_active(i)] += x_[equations_.mu_offset() + i];
    }
    // The rate of an earlier stage is a guess: the matrix has aged since. Never below what one step's motion does to it.
    constexpr double kAged = 0.05;
    double rate = rate_ > 0 ? std::max(2 * rate_, kAged) : 0.0;
    if (k > 0) {
      rate = before > 0 ? delta / before : 0.0;
      constexpr double kDiverges = 2;
      if (rate > kDiverges && delta > std::max(settings_.c, stage.rounding())) {
        note_worst();
        worst_variable_ = largest(x_);
        return Outcome::diverged;
      }
      rate_ = std::max({rate, 0.5 * (k > 1 ? rate_ : 0.0), 1e-6});
    }
    before = delta;
    if (settings_.exactly > 0) {
      if (k + 1 == limit) break;
      continue;
    }
    // A rate of zero is not known yet, or an error that vanished at once.
    constexpr double kFirst =
        1e-3;  // how small a first correction must be to be the last, no rate being known
    const double left = rate >= 1 ? std::numeric_limits<double>::infinity() : rate / (1 - rate) * delta;
    const bool small = ((k > 0 || rate_ > 0) ? left <= settings_.c : delta <= kFirst * settings_.c) ||
                       delta <= stage.rounding();
    const double factor = rate > 0 && rate < 1 ? std::min(1.0, rate / (1 - rate)) : 1.0;
    if (small && (!settings_.all_variables || others_converged(trial, factor))) break;
    if (k + 1 == limit) {
      // Where constraints lose rank reactions are not unique and never settle; positions and velocities have.
      if (small) {
        renew(NewMatrix::slow);
        break;
      }
      note_worst();
      worst_variable_ = largest(x_);
      return Outcome::slow;
    }
    // Hopeless with this matrix: the rate would need more iterations than there are.
    if (k > 0 && rate < 1 && settings_.pattern.empty()) {
      const double at_end = left * std::pow(rate, limit - k - 1);
      if (at_end > settings_.c && at_end > stage.rounding()) {
        note_worst();
        worst_variable_ = largest(x_);
        return Outcome::slow;
      }
    }
  }
  ++matrix_age_;
  constexpr int kMany = 4;
  // A rate at which three digits take four iterations and more: a new matrix pays within a step or two.
  constexpr double kSlow = 0.2;
  if (settings_.pattern.empty() && (rate_ > kSlow || (settings_.exactly == 0 && last_iterations_ > kMany)))
    renew(NewMatrix::slow);
  return Outcome::converged;
}

}  // namespace trunnion::solve
