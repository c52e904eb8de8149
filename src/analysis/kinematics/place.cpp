#include "analysis/kinematics/place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/correction_limit.hpp"
#include "solve/newton.hpp"

namespace trunnion::analysis {

using assembly::State;
using solve::Verdict;
using system::System;

KinematicSettings kinematic_settings(const model::Model& model) {
  KinematicSettings s;
  const model::Kinematics* given = model.single<model::Kinematics>();
  if (!given) return s;
  s.error = given->error.value_or(s.error);
  s.maxit = given->maxit.value_or(s.maxit);
  s.alimit = given->alimit.value_or(s.alimit);
  s.tlimit = given->tlimit.value_or(s.tlimit);
  s.hmax = given->hmax.value_or(s.hmax);
  s.pattern = renewals(given->pattern);
  return s;
}

namespace {

// Whether some force is a function of reactions: then they cannot be found from Gᵀλ = −r alone.
class ReactionReaders final : public assembly::Sink {
 public:
  bool any = false;
  assembly::Needs needs() const override { return {}; }
  void residual(assembly::BlockId, assembly::Term, assembly::VecRef) override {}
  void partial(assembly::BlockId, assembly::BlockId, assembly::Level, assembly::MatRef) override {}
  void multiplier_partial(assembly::BlockId, assembly::RowId, assembly::VecRef) override { any = true; }
  void constraint(assembly::RowId, const assembly::ConstraintRow&) override {}
  void velocity_constraint(assembly::RowId, const assembly::VelocityRow&) override {}
};

}  // namespace

KinematicPlace::KinematicPlace(const System& system, const KinematicSettings& settings)
    : system_(system),
      layout_(system.layout()),
      settings_(settings),
      work_(system, assembly::AnalysisMode::kinematics),
      rows_(system.layout()),
      step_(system.layout().size()),
      squares_(system.layout().row_count()),
      longest_(Eigen::VectorXd::Zero(system.layout().row_count())) {
  ReactionReaders readers;
  system.evaluate(system.start(), work_, readers);
  forces_read_reactions_ = readers.any;
}

void KinematicPlace::use_rows(const std::vector<int>& active, const std::vector<RedundantRow>& redundant) {
  active_ = active;
  redundant_ = redundant;
  dependent_.forget();
  best_ = 0;
  length_.resize(static_cast<Eigen::Index>(active.size()));
  singularity_.forget();
}

void KinematicPlace::measure_rows() {
  squares_.setZero();
  const sparse::CscMatrix& G = rows_.gradient();
  for (std::size_t k = 0; k < G.row.size(); ++k) squares_[G.row[k]] += G.value[k] * G.value[k];
}

void KinematicPlace::keep_best() {
  best_ = std::max(best_, singularity_.size());
  measure_rows();
  longest_ = longest_.cwiseMax(squares_);
}

std::vector<int> KinematicPlace::vanished_rows(double part) const {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(longest_.size());
  const sparse::CscMatrix& G = rows_.gradient();
  for (std::size_t k = 0; k < G.row.size(); ++k) squares[G.row[k]] += G.value[k] * G.value[k];
  std::vector<int> out;
  for (int r = 0; r < squares.size(); ++r) {
    if (squares[r] <= part * part * longest_[r]) out.push_back(r);
  }
  return out;
}

void KinematicPlace::evaluate(const State& state, bool accelerations) {
  rows_.evaluate_rows(system_, state, work_, accelerations);
}

double KinematicPlace::tolerance(const State& state) const {
  // Coordinates far from the origin carry rounding errors of their own size.
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  return std::max(settings_.error, kRounding * std::max(1.0, state.q.lpNorm<Eigen::Infinity>()));
}

double KinematicPlace::largest_gap() const {
  double size = 0;
  for (const int r : active_) {
    // A comparison that is false for NaN would let it pass.
    if (!(std::abs(rows_.phi()[r]) <= size)) size = std::abs(rows_.phi()[r]);
  }
  return size;
}

bool KinematicPlace::agrees(const RedundantRow& row, double tolerance) const {
  // The rows it hangs on are off by the tolerance each; ten times that leaves room for what is not linear.
  return std::abs(rows_.phi()[row.row]) <= 10 * tolerance * row.magnification + row.slack;
}

std::vector<RedundantRow> KinematicPlace::conflicts(const State& state) const {
  std::vector<RedundantRow> out;
  for (const RedundantRow& row : redundant_) {
    if (!agrees(row, tolerance(state))) out.push_back(row);
  }
  return out;
}

std::vector<int> KinematicPlace::singular_rows() const {
  std::vector<int> rows = singularity_.rows();
  for (int& r : rows) r = active_[static_cast<std::size_t>(r)];
  return rows;
}

bool KinematicPlace::factor() {
  if (!dependent_.chosen()) {
    dependent_.choose(rows_.gradient(), active_);
    measure_rows();
    longest_ = longest_.cwiseMax(squares_);
  }
  return dependent_.factor(rows_.gradient());
}

bool KinematicPlace::correct(State& state, int iteration, bool renewed) {
  dependent_.solve(rows_.phi(), step_);
  step_ = -step_;
  if (!step_.allFinite()) return false;
  if (settings_.listener)
    settings_.listener(
        {"positions", iteration + 1, state, rows_.phi(), active_, rows_.gradient(), step_, renewed});
  step_ *= correction_limit(layout_, step_, settings_.alimit, settings_.tlimit);
  assembly::retract(layout_, state.q, step_, state.q);
  ++iterations_;
  return true;
}

// Down to rounding.
class KinematicPlace::Polishing {
 public:
  Polishing(KinematicPlace& place, State& state) : p_(place), state_(state), gap(place.largest_gap()) {}

  Verdict evaluate(int k) {
    if (k > 0) {
      p_.evaluate(state_);
      if (!p_.factor()) return Verdict::failed;
      const double before = std::exchange(gap, p_.largest_gap());
      if (!(gap < before / 4)) return Verdict::done;
    }
    return gap > 0 && k < kMost ? Verdict::again : Verdict::done;
  }
  Verdict correct(int k) {
    if (!p_.correct(state_, k, true)) return Verdict::failed;
    last = p_.step_.lpNorm<Eigen::Infinity>();
    return Verdict::again;
  }
  static constexpr int kMost = 6;

 private:
  KinematicPlace& p_;
  State& state_;

 public:
  double gap, last = 0;
};

// False where that leads nowhere: at a singular place itself corrections go on as large as the distance from it, and what the
// Jacobian says of rates hangs on where the iteration stopped.
bool KinematicPlace::polish(State& state) {
  Polishing polishing(*this, state);
  if (solve::newton(polishing, Polishing::kMost) != Verdict::done) return false;
  take_measure();
  return polishing.gap <= tolerance(state) && polishing.last <= kSingular * singularity_.size();
}

void KinematicPlace::take_measure() {
  for (std::size_t k = 0; k < active_.size(); ++k)
    length_[static_cast<Eigen::Index>(k)] = std::sqrt(longest_[active_[k]]);
  singularity_.update(dependent_.factors(), length_);
}

// From a predicted place until the gaps are closed.
class KinematicPlace::Following {
 public:
  Following(KinematicPlace& place, State& state) : p_(place), state_(state) {}
  Placing trouble = Placing::not_converged;

  Verdict evaluate(int k) {
    p_.evaluate(state_);
    const double gap = p_.largest_gap();
    if (gap <= p_.tolerance(state_)) return Verdict::done;
    // Newton that does not shrink the gaps is not on its way; a shorter step will be.
    if (k == p_.settings_.maxit || !(gap < 2 * before_)) return Verdict::failed;
    before_ = gap;
    const std::vector<bool>& pattern = p_.settings_.pattern;
    fresh_ = pattern[static_cast<std::size_t>(k) % pattern.size()] || !p_.dependent_.chosen() ||
             !p_.dependent_.factors().factored();
    if (!fresh_ || p_.factor()) return Verdict::again;
    trouble = Placing::singular;
    return Verdict::failed;
  }
  Verdict correct(int k) { return p_.correct(state_, k, fresh_) ? Verdict::again : Verdict::failed; }

 private:
  KinematicPlace& p_;
  State& state_;
  double before_ = std::numeric_limits<double>::infinity();
  bool fresh_ = false;
};

Placing KinematicPlace::newton(State& state) {
  Following following(*this, state);
  if (solve::newton(following, settings_.maxit) != Verdict::done) return following.trouble;
  if (!factor()) return Placing::singular;
  take_measure();
  constexpr double kNear = 0.1;  // rates lose two digits there
  if (singularity_.size() < kNear * best_ && !polish(state)) return Placing::singular;
  return singularity_.size() < kSingular * best_ ? Placing::singular : Placing::done;
}

Placing KinematicPlace::find_positions(State& state, double time) {
  const double h = time - state.t;
  step_ = h * state.v + (0.5 * h * h) * state.a;
  assembly::retract(layout_, state.q, step_, state.q);
  state.t = time;
  return newton(state);
}

bool KinematicPlace::velocities(State& state) {
  dependent_.solve(rows_.phi_t(), state.v);
  state.v = -state.v;
  return state.v.allFinite();
}

bool KinematicPlace::accelerations(State& state) {
  if (forces_read_reactions_) {
    std::string message;
    return solve_accelerations(system_, active_, state, work_, message);
  }
  evaluate(state, true);
  dependent_.solve(rows_.gamma(), state.a);
  state.lambda.setZero();
  rows_.evaluate_forces(system_, state, work_);
  step_ = -rows_.residual();
  dependent_.solve_transpose(step_, state.lambda);
  return state.a.allFinite() && state.lambda.allFinite();
}

Placing KinematicPlace::find_all(State& state, double time) {
  const Placing found = find_positions(state, time);
  if (found != Placing::done) return found;
  const double wanted = tolerance(state);
  for (const RedundantRow& row : redundant_) {
    if (!agrees(row, wanted)) return Placing::conflict;
  }
  if (!velocities(state) || !accelerations(state)) return Placing::singular;
  system_.accept(state, work_);
  return Placing::done;
}

}  // namespace trunnion::analysis
