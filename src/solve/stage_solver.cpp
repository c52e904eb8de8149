#include "solve/stage_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "elements/body.hpp"
#include "solve/newton.hpp"

namespace trunnion::solve {

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

// w of kept rows (kept_rows.hpp).
Eigen::VectorXd row_weights(const System& system, const std::vector<int>& rows) {
  double mass = 0, inertia = 0;
  for (const elements::Body& body : system.body_elements()) {
    if (!body.block.valid()) continue;
    mass += body.mass;
    inertia += body.J.trace() / 3;
  }
  const double square = mass > 0 && inertia > 0 ? inertia / mass : 1.0;
  Eigen::VectorXd w(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool length =
        system.layout().row(assembly::RowId{rows[k]}).residual.quantity == assembly::Quantity::length;
    w[static_cast<Eigen::Index>(k)] = length ? 1.0 : 1 / square;
  }
  return w;
}

}  // namespace

StageSolver::StageSolver(const System& system, std::vector<int> active_rows, bool stabilised,
                         CorrectorSettings settings, StageEquations::Rows rows)
    : system_(system),
      settings_(std::move(settings)),
      active_(std::move(active_rows)),
      stage_(system, active_, rows, stabilised),
      motion_(system, active_, StageEquations::Rows::acceleration),
      d_(Eigen::VectorXd::Zero(system.layout().size())) {
  if (stabilised) stage_.equations.set_weights(lengths_squared(system));
  if (settings_.keep_redundant) {
    stage_.equations.keep_redundant(row_weights(system, active_));
    motion_.equations.keep_redundant(stage_.equations.row_weights());
  }
  const assembly::Layout& layout = system.layout();
  std::vector<char> active(static_cast<std::size_t>(layout.row_count()), 0);
  for (const int r : active_) active[static_cast<std::size_t>(r)] = 1;
  for (int r = 0; r < layout.row_count(); ++r) {
    if (!active[static_cast<std::size_t>(r)]) inactive_.push_back(r);
  }
}

void StageSolver::evaluate(StagePlace& stage, const State& trial, Workspace& work, bool matrix) {
  const Stopwatch watch(timed, seconds_evaluating);
  stage_.evaluate(trial, work, stage.maps(matrix), matrix, stage.y(), stage.choice());
  ++counts_.evaluations;
}

// Residual and matrix at the trial state, factored; `evaluated`: K, C and M too are of this state. False where it is singular even
// with new pivots.
bool StageSolver::build(StagePlace& stage, const State& trial, Workspace& work, bool evaluated) {
  evaluate(stage, trial, work, evaluated || !stage_.known());
  combined_ = !evaluated && stage_.known();
  if (combined_) {
    const Stopwatch watch(timed, seconds_evaluating);
    combined_ = stage_.equations.combine(stage.maps(true), stage.choice());
  }
  if (!evaluated && !combined_ && stage_.known()) evaluate(stage, trial, work, true);
  if (stage_.known() && stage_.equations.new_pattern())
    ++counts_.matrices[static_cast<int>(NewMatrix::pattern)];
  const Stopwatch watch(timed, seconds_factoring);
  matrix_age_ = 0;
  rate_ = 0;
  levels_old_ = false;
  counts_.combined += combined_;
  const int gave_up = stage_.factors.gave_up();
  sparse::FactorStatus status = stage_.factor();
  if (stage_.factors.gave_up() > gave_up && stage.choice().closed.empty() && stage.choice().held.empty() &&
      !settings_.keep_redundant && stage_.equations.levels().readings().empty())
    status = factor_augmented(stage, trial, work, status);
  new_pivots_ = status != sparse::FactorStatus::refactored;
  ++(new_pivots_ ? counts_.factorisations : counts_.refactorisations);
  counts_.solver = stage_.factors.solver();
  // With the augmented term it did not leave the matrix to another one after all.
  counts_.gave_up = stage_.factors.gave_up() - (stage_.equations.augmented() > 0 ? 1 : 0);
  return status != sparse::FactorStatus::singular;
}

// A block without a pivot of its own, as that of a part without mass, has one with the augmented Lagrangian term. Where that does not help
// the matrix stays as it was, with the solver that pivots.
sparse::FactorStatus StageSolver::factor_augmented(StagePlace& stage, const State& trial, Workspace& work,
                                                   sparse::FactorStatus status) {
  constexpr double kRho = 1;  // Bottasso, Dopico, Trainelli 2008
  if (augmentation_failed_) return status;
  const double rho = stage_.equations.augmented() > 0 ? 0 : kRho;
  augmentation_failed_ = rho == 0;
  stage_.equations.augment(rho);
  const int gave_up = stage_.factors.gave_up();
  evaluate(stage, trial, work, true);
  combined_ = false;
  status = stage_.factor();
  if (rho == 0 || stage_.factors.gave_up() == gave_up) return status;
  return factor_augmented(stage, trial, work, status);
}

// What a new matrix costs, in iterations: its sum and factors against a residual and a solution. Measured on chains of 10 to 1,000
// links: 1 to 1.5. And what the evaluation of elements for K, C and M costs besides: 2 to 3.
constexpr double kNewMatrixCost = 1, kEvaluationCost = 2;

bool StageSolver::old_matrix_costs_more() const {
  const double with_new = iterations_combined_ > 0 ? iterations_combined_ : iterations_evaluated_;
  return settings_.pattern.empty() && with_new > 0 && iterations_old_ > with_new + kNewMatrixCost;
}

void StageSolver::learn(bool began_fresh, Outcome outcome) {
  constexpr double kLately = 0.3, kForget = 0.98;
  const auto average = [&](double& usual, double now) {
    usual = usual > 0 ? usual + kLately * (now - usual) : now;
  };
  const double again = outcome == Outcome::converged ? 0 : iterations_evaluated_ + kNewMatrixCost;
  if (!began_fresh) {
    average(iterations_old_, last_iterations_ + again);
  } else if (combined_) {
    average(iterations_combined_, last_iterations_ + again);
  } else if (outcome == Outcome::converged) {
    average(iterations_evaluated_, last_iterations_);
  }
  if (began_fresh)
    iterations_old_ *= kForget;  // so that an old matrix gets a chance again, and one without evaluation
  if (began_fresh && !combined_) iterations_combined_ *= kForget;
  // K, C and M change with the motion itself where a matrix without them converges no better than an old one.
  if (iterations_evaluated_ > 0 && iterations_combined_ > iterations_evaluated_ + kEvaluationCost)
    levels_old_ = true;
}

// One iteration is an evaluation at the iterate, with a new matrix where one is wanted, and a correction.
class StageSolver::StageIteration {
 public:
  StageIteration(StageSolver& solver, Stage& stage, State& trial, Workspace& work)
      : s_(solver), stage_(stage), trial_(trial), work_(work), equations_(solver.stage_.equations) {}

  Outcome outcome = Outcome::converged;
  int limit() const { return s_.settings_.exactly > 0 ? s_.settings_.exactly : s_.settings_.maxit; }

  Verdict evaluate(int k) {
    s_.last_iterations_ = k + 1;
    const bool asked = asked_for(k);
    fresh_ = s_.fresh_wanted_ >= 0 || asked;
    if (!fresh_) {
      s_.evaluate(stage_, trial_, work_, false);
      return Verdict::again;
    }
    const auto why = s_.fresh_wanted_ >= 0 ? static_cast<NewMatrix>(s_.fresh_wanted_) : NewMatrix::asked_for;
    ++s_.counts_.matrices[static_cast<int>(why)];
    s_.fresh_wanted_ = -1;
    const bool evaluated = s_.levels_old_ || asked || (why != NewMatrix::slow && why != NewMatrix::cheaper);
    if (s_.build(stage_, trial_, work_, evaluated)) return Verdict::again;
    if (s_.combined_ && s_.build(stage_, trial_, work_, true)) return Verdict::again;
    note_worst();
    s_.renew(NewMatrix::failed);
    return end(equations_.not_finite().empty() ? Outcome::singular : Outcome::not_finite);
  }

  Verdict correct(int k) {
    solve();
    const double delta = stage_.size(s_.x_);
    if (!std::isfinite(delta) || !s_.x_.allFinite()) {
      note_worst();
      return end(Outcome::not_finite);
    }
    tell(k);
    if (k > 0 && s_.settings_.exactly == 0 && residual_is_rounding()) return Verdict::done;
    add();
    return judge(k, delta);
  }

 private:
  bool asked_for(int iteration) const {
    const std::vector<char>& pattern = s_.settings_.pattern;
    return !pattern.empty() && pattern[static_cast<std::size_t>(iteration) % pattern.size()] != 0;
  }

  void solve() {
    ++s_.counts_.iterations;
    const Stopwatch watch(s_.timed, s_.seconds_solving);
    s_.x_ = -equations_.residual();
    s_.stage_.solve(s_.x_);
    ++s_.counts_.solves;
  }

  void tell(int k) {
    s_.worst_variable_ = 0;
    if (!s_.listener) return;
    note_worst();
    s_.worst_variable_ = largest(s_.x_);
    s_.listener({k + 1, s_.worst_residual_, s_.x_[s_.worst_variable_], s_.worst_equation_, s_.worst_variable_,
                 fresh_, fresh_ && s_.new_pivots_, fresh_ ? s_.lu().left_pivot() : std::nullopt, trial_,
                 s_.x_});
  }

  void add() {
    stage_.add(s_.x_, trial_);
    for (int i = 0; i < equations_.active_count(); ++i) {
      trial_.lambda[equations_.row_of_active(i)] += s_.x_[equations_.lambda_offset() + i];
      if (equations_.stabilised())
        trial_.mu[equations_.row_of_active(i)] += s_.x_[equations_.mu_offset() + i];
    }
  }

  // Whether the correction of size `delta` was the last one, or shows that no other will help.
  Verdict judge(int k, double delta) {
    const double c = s_.settings_.c;
    // The rate of an earlier stage is a guess: the matrix has aged since. Never below what one step's motion does to it.
    constexpr double kAged = 0.05;
    double rate = s_.rate_ > 0 ? std::max(2 * s_.rate_, kAged) : 0.0;
    if (k > 0) {
      rate = before_ > 0 ? delta / before_ : 0.0;
      constexpr double kDiverges = 2;
      if (rate > kDiverges && k > s_.settings_.patience && delta > std::max(c, stage_.rounding()) &&
          !is_rounding(delta))
        return give_up(Outcome::diverged);
      s_.rate_ = std::max({rate, 0.5 * (k > 1 ? s_.rate_ : 0.0), 1e-6});
    }
    before_ = delta;
    if (s_.settings_.exactly > 0) return k + 1 == limit() ? Verdict::done : Verdict::again;
    // A rate of zero is not known yet, or an error that vanished at once.
    constexpr double kFirst =
        1e-3;  // how small a first correction must be to be the last, no rate being known
    const double left = rate >= 1 ? std::numeric_limits<double>::infinity() : rate / (1 - rate) * delta;
    const bool small =
        ((k > 0 || s_.rate_ > 0) ? left <= c : delta <= kFirst * c) || delta <= stage_.rounding();
    constexpr double kStill = 1e-6;
    const double factor = rate > 0 && rate < 1 ? std::min(1.0, rate / (1 - rate)) : 1.0;
    if (small && (!s_.settings_.all_variables || others_converged(factor, rate < kStill)))
      return Verdict::done;
    constexpr double kStands = 0.3;  // corrections that shrink no faster than this may be rounding
    if (k > 1 && rate > kStands && is_rounding(delta)) {
      s_.renew(NewMatrix::slow);
      return Verdict::done;
    }
    if (k + 1 == limit()) {
      if (!small) return give_up(Outcome::slow);
      // Where constraints lose rank reactions are not unique and never settle; positions and velocities have.
      s_.renew(NewMatrix::slow);
      return Verdict::done;
    }
    // Hopeless with this matrix: the rate would need more iterations than there are.
    if (k > 0 && rate < 1 && s_.settings_.pattern.empty()) {
      const double at_end = left * std::pow(rate, limit() - k - 1);
      if (at_end > c && at_end > stage_.rounding()) return give_up(Outcome::slow);
    }
    return Verdict::again;
  }

  // CORRECTOR=ORIGINAL: reactions and variables to three digits of the largest of their kind, or to rounding: an error of
  // rounding in a position comes back as an acceleration of that over q.
  bool others_converged(double factor, bool still) const {
    constexpr double kDigits = 1e-3;
    const int n = equations_.tangent_size(), m = equations_.active_count();
    if (m > 0) {
      const double change = factor * s_.x_.segment(n, m).lpNorm<Eigen::Infinity>();
      if (!(change <= kDigits * s_.forces_of(trial_))) return false;
    }
    // An old matrix corrects VARIABLEs later than coordinates, which may stand still while a force does not know them yet: then they must, too.
    constexpr double kLater = 0.05;
    const double share = still ? 1 / kDigits : std::max(factor, kLater);
    const assembly::Segment& w = s_.system_.layout().variables();
    for (int i = 0; i < w.size; ++i) {
      const double size = std::abs(trial_.q[w.pose_offset + i]);
      if (!(share * std::abs(s_.x_[w.offset + i]) <= kDigits * std::max(size, 1.0))) return false;
    }
    return true;
  }

  // Whether nothing is left but the rounding of positions (|x| ε / q in a scaled constraint) and of forces. A matrix close to
  // singular makes large corrections out of that; they mean nothing.
  bool residual_is_rounding() const {
    constexpr double kEpsilon = 32 * std::numeric_limits<double>::epsilon(), kForces = 1e-11;
    const Eigen::VectorXd& r = equations_.residual();
    s_.rounding_residual(trial_, stage_.maps(false), {kForces, kEpsilon}, s_.rounding_);
    return (r.cwiseAbs().array() <= s_.rounding_.array()).all();
  }

  // Whether a correction is no larger than what rounding of the residual makes with this matrix: close to a place where constraints lose
  // rank that is more than the user's ERROR may ask for, and no iteration makes it less.
  bool is_rounding(double delta) {
    if (noise_ < 0) noise_ = stage_.size(s_.noise_correction(trial_, stage_.maps(false)));
    return delta <= noise_;
  }

  void note_worst() {
    s_.worst_equation_ = largest(equations_.residual());
    s_.worst_residual_ = equations_.residual().size() > 0 ? equations_.residual()[s_.worst_equation_] /
                                                                equations_.row_scale(s_.worst_equation_)
                                                          : 0.0;
  }
  Verdict give_up(Outcome why) {
    note_worst();
    s_.worst_variable_ = largest(s_.x_);
    return end(why);
  }
  Verdict end(Outcome how) {
    outcome = how;
    return Verdict::failed;
  }

  StageSolver& s_;
  Stage& stage_;
  State& trial_;
  Workspace& work_;
  const StageEquations& equations_;
  bool fresh_ = false;
  double before_ = 0;
  double noise_ = -1;  // ‖Δ‖ of rounding; not known yet
};

// Forces of this size are met at the state: reactions, and masses times accelerations, of which rounding of a position over the step is the
// least.
double StageSolver::forces_of(const State& state) const {
  const auto largest_of = [](const Eigen::VectorXd& v) {
    return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
  };
  return std::max(largest_of(state.lambda), stage_.equations.sigma() * largest_of(state.a));
}

// What rounding makes of the residual's equations at most.
void StageSolver::rounding_residual(const State& state, const LevelMaps& maps, const Rounding& part,
                                    Eigen::VectorXd& r) const {
  const StageEquations& equations = stage_.equations;
  const int n = equations.tangent_size(), m = equations.active_count();
  const double length = std::max(1.0, state.q.size() > 0 ? state.q.lpNorm<Eigen::Infinity>() : 0.0);
  const double speed = std::max(1.0, state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0.0);
  r.resize(equations.size());
  r.head(n).setConstant(part.forces * forces_of(state));
  const double phi = part.positions * length, rate = part.positions * speed * length / maps.body.v;
  for (int k = 0; k < m; ++k)
    r[n + k] = equations.row_scale(n + k) * phi / (equations.holds_velocity(k) ? maps.body.v : maps.body.q);
  if (!equations.stabilised()) return;
  r.segment(equations.y_offset(), n).setConstant(equations.sigma() * rate);
  for (int k = 0; k < m; ++k)
    r[equations.mu_offset() + k] = equations.row_scale(equations.mu_offset() + k) * rate;
}

const Eigen::VectorXd& StageSolver::noise_correction(const State& state, const LevelMaps& maps) {
  constexpr double kUnits = 8 * std::numeric_limits<double>::epsilon();
  rounding_residual(state, maps, {kUnits, kUnits}, rounding_);
  std::uint32_t bits = 1;
  for (double& r : rounding_) {
    bits = bits * 1664525u + 1013904223u;
    if ((bits >> 31) != 0) r = -r;
  }
  stage_.solve(rounding_);
  return rounding_;
}

// Whether the first iteration has a new matrix.
bool StageSolver::begin() {
  if (old_matrix_costs_more()) renew(NewMatrix::cheaper);
  return fresh_wanted_ >= 0;
}

Outcome StageSolver::finish(bool began_fresh, Outcome outcome) {
  if (outcome == Outcome::converged) {
    ++matrix_age_;
    constexpr int kMany = 4;
    // A rate at which three digits take four iterations and more: a new matrix pays within a step or two.
    constexpr double kSlow = 0.2;
    if (settings_.pattern.empty() &&
        (rate_ > kSlow || (settings_.exactly == 0 && last_iterations_ > kMany))) {
      // With a matrix just combined that is so because K, C and M are old.
      if (combined_ && matrix_age_ == 1) levels_old_ = true;
      renew(NewMatrix::slow);
    }
  }
  learn(began_fresh, outcome);
  return outcome;
}

// Iterations change multipliers by what makes forces alone. What makes none, as the mechanism moves, is taken out once a stage.
void StageSolver::share_reactions(const StageMatrix& of, State& state) {
  if (!settings_.keep_redundant || active_.empty()) return;
  shared_.resize(static_cast<Eigen::Index>(active_.size()));
  for (std::size_t k = 0; k < active_.size(); ++k)
    shared_[static_cast<Eigen::Index>(k)] = state.lambda[active_[k]];
  of.share(shared_);
  for (std::size_t k = 0; k < active_.size(); ++k)
    state.lambda[active_[k]] = shared_[static_cast<Eigen::Index>(k)];
}

Outcome StageSolver::solve(Stage& stage, State& trial, Workspace& work) {
  const bool fresh = begin();
  StageIteration iteration(*this, stage, trial, work);
  newton(iteration, iteration.limit());
  if (iteration.outcome == Outcome::converged) share_reactions(stage_, trial);
  return finish(fresh, iteration.outcome);
}

}  // namespace trunnion::solve
