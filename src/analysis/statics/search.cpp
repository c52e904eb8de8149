#include "analysis/statics/search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "analysis/initial/correction_limit.hpp"
#include "analysis/statics/balance_units.hpp"
#include "analysis/statics/descent.hpp"
#include "assembly/chart.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::State;

StaticSearch::StaticSearch(const system::System& system, const AssemblyResult& from,
                           const StaticSettings& settings, const StaticListener& listener)
    : system_(system),
      layout_(system.layout()),
      from_(from),
      settings_(settings),
      listener_(listener),
      equations_(system, from.active, settings.mode,
                 settings.plain_newton && !settings.dynamic ? settings.stability : 0.0, from.state),
      idle_states_(equations_.hold_idle_states(from.state)) {}

std::pair<double, double> StaticSearch::turn_and_travel(const Eigen::VectorXd& d) const {
  const assembly::Moved moved = assembly::largest_move(layout_, d);
  return {moved.turn, moved.travel};
}

double StaticSearch::extent(const Eigen::VectorXd& d) const {
  const auto [turn, travel] = turn_and_travel(d);
  return std::max(turn, travel / equations_.length_scale());
}

double StaticSearch::distance(const State& a, const State& b) const {
  Eigen::VectorXd d(layout_.size());
  assembly::difference(layout_, a.q, b.q, d);
  return extent(d);
}

// Of a model without forces, a part of what the user calls nothing: reactions of rounding are no scale.
double StaticSearch::force_scale() const {
  constexpr double kNoForce = 2.2e-16;
  return std::max(equations_.force_scale(), kNoForce * settings_.imbalance);
}

// IMBALANCE is absolute. In a model whose forces are small it would pass anything: no more than a millionth of them then.
double StaticSearch::tolerance() const {
  constexpr double kPart = 1e-6;
  return std::min(settings_.imbalance, kPart * force_scale());
}

bool StaticSearch::balanced(const State& state) const {
  constexpr double kOfStates = 1e-10;  // their equations have scales of their own
  const double force = tolerance();
  Eigen::VectorXd rounding;
  for (int i = 0; i < layout_.size(); ++i) {
    const double left = std::abs(equations_.residual()[i]);
    const bool turns = equations_.is_mechanical(i) && equations_.way(i) == 1.0;
    double most = force;
    if (turns) most = std::min(settings_.imbalance, force * equations_.length_scale());
    if (!equations_.is_mechanical(i)) most = std::max(force, std::min(kOfStates, settings_.imbalance));
    if (left <= most) continue;
    if (rounding.size() == 0) rounding = equations_.rounding(state);
    if (!(left <= rounding[i])) return false;
  }
  return true;
}

double StaticSearch::gap_tolerance(const State& state) const {
  constexpr double kRounding = 64 * 2.2e-16;
  const double size = std::max(equations_.length_scale(), assembly::farthest_place(layout_, state.q));
  return std::max(settings_.gap, kRounding * size);
}

// Where the stiffness is singular along a direction without force, this much of W keeps the step there at nothing, also where
// rounding leaves a little force; it is too little to slow down Newton elsewhere.
double StaticSearch::smallest_shift() const {
  constexpr double kOfStiffness = 1e-13, kOfForces = 1e-9;
  const double heaviest = equations_.heaviest();
  const double pace = heaviest > 0 ? force_scale() / (heaviest * equations_.length_scale()) : 0.0;
  return std::max(kOfStiffness * equations_.stiffest(), kOfForces * pace);
}

void StaticSearch::tell(const char* phase, double correction, double shift, const Eigen::VectorXd& d,
                        bool accepted) {
  tell(phase, equations_.largest_imbalance(), correction, shift, equations_.residual(), d, accepted);
}

void StaticSearch::tell(const char* phase, double imbalance, double correction, double shift,
                        const Eigen::VectorXd& r, const Eigen::VectorXd& d, bool accepted) {
  ++iterations_;
  if (!listener_.iteration || layout_.size() == 0) return;
  StaticIteration it{phase, iterations_, imbalance, correction, shift, 0, 0, accepted};
  Eigen::Index at = 0;
  r.head(layout_.size()).cwiseAbs().maxCoeff(&at);
  it.equation = static_cast<int>(at);
  d.head(layout_.size()).cwiseAbs().maxCoeff(&at);
  it.coordinate = static_cast<int>(at);
  if (!listener_.iteration(it)) interrupted_ = true;
}

void StaticSearch::tell_motion(double h, double moved, double energy, bool accepted) {
  ++iterations_;
  if (!listener_.iteration) return;
  StaticIteration it{"motion", iterations_, 0, moved, 0, 0, 0, accepted};
  it.step = h;
  it.energy = energy;
  if (!listener_.iteration(it)) interrupted_ = true;
}

void StaticSearch::note_singular() {
  const auto at = equations_.stiffness_singular();
  if (singular_at_ < 0 && at && at->col < layout_.size()) singular_at_ = at->col;
}

// What elements keep of a place once it is taken: turns counted, and so on.
void StaticSearch::remember(State& state) {
  system_.accept(state, equations_.work(), system::System::Way::search);
}

Search StaticSearch::newton(State& state) {
  const double gap = gap_tolerance(state);
  const auto renews = [&](int k) {
    return k == 0 || settings_.pattern[static_cast<std::size_t>(k) % settings_.pattern.size()];
  };
  equations_.evaluate(state, true);
  for (int k = 0; k < settings_.maxit; ++k) {
    if (interrupted_) return Search::interrupted;
    if (renews(k) && !equations_.factor_stiffness(0)) {
      note_singular();
      return Search::singular;
    }
    Eigen::VectorXd d = -equations_.residual();
    equations_.solve_stiffness(d);
    if (!d.allFinite()) return Search::singular;
    note_direction(d);
    const double factor = correction_limit(layout_, d, settings_.alimit, settings_.tlimit);
    const double largest = layout_.size() > 0 ? d.head(layout_.size()).lpNorm<Eigen::Infinity>() : 0.0;
    tell("Newton", largest, 0, d, true);
    equations_.add(d, factor, state);
    remember(state);
    equations_.evaluate(state, renews(k + 1));
    if (factor == 1 && largest <= settings_.error && equations_.largest_imbalance() <= settings_.imbalance &&
        equations_.largest_gap() <= gap)
      return Search::converged;
  }
  return Search::spent;
}

double StaticSearch::merit_of(const Eigen::VectorXd& d) const {
  double sum = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (equations_.is_mechanical(i)) sum += equations_.weights()[i] * d[i] * d[i];
  }
  return sum;
}

double StaticSearch::work_product(const Eigen::VectorXd& r, const Eigen::VectorXd& d) const {
  double sum = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (equations_.is_mechanical(i)) sum += r[i] * d[i];
  }
  return sum;
}

bool StaticSearch::forces_jump(const State& state) const {
  constexpr double kOff = 1e-6;
  // A stiffness K gives no more than K · length · kOff, and the scale of forces is a thousandth of K · length at least.
  constexpr double kJump = 100 * kOff / 1e-3;
  const double most = std::max(kJump * force_scale(), settings_.imbalance);
  State beside = state;
  assembly::retract(layout_, state.q, kOff * random_displacement(1), beside.q);
  Eigen::VectorXd x;
  StaticEquations there(system_, from_.active, settings_.mode, 0,
                        state);  // whose forces are no scale for ours
  if (!there.place(beside, gap_tolerance(state), x)) return false;
  double left = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (equations_.is_mechanical(i))
      left = std::max(left, std::abs(there.weights()[i] * x[i]) * there.way(i));
  }
  return left > most * there.length_scale();
}

// Of the force left over and of the states' equations.
double StaticSearch::merit(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (equations_.is_mechanical(i)) sum += equations_.weights()[i] * x[i] * x[i];
    else sum += equations_.residual()[i] * equations_.residual()[i];
  }
  return sum;
}

Search StaticSearch::descend(State& state, Merit by) { return StaticDescent(*this, state, by).run(); }

// Newton steps as long as they help: the balance is then as good as the numbers allow.
void StaticSearch::polish(State& state) {
  constexpr int kSteps = 4;
  const double gap = gap_tolerance(state);
  State best = state;
  double left = HUGE_VAL;
  for (int k = 0; k <= kSteps; ++k) {
    equations_.evaluate(state, true);
    const double now =
        equations_.largest_imbalance() / force_scale() + equations_.largest_gap() / gap * 1e-10;
    if (!(now < left)) break;
    const bool slow = now > 0.5 * left;
    best = state;
    left = now;
    if (k == kSteps || slow) break;
    Eigen::VectorXd d;
    // Without a shift where that can be done: it would keep soft directions from their last digits.
    bool found = false;
    for (const double shift : {0.0, smallest_shift()}) {
      if (found || !equations_.factor_stiffness(shift)) continue;
      d = -equations_.residual();
      equations_.solve_stiffness(d);
      found = d.allFinite() && extent(d) <= largest_correction();
    }
    if (!found) break;
    equations_.add(d, 1, state);
  }
  state = best;
}

State StaticSearch::perturbed(const State& state, int number) {
  State other = state;
  assembly::retract(layout_, state.q, random_displacement(number), other.q);
  return equations_.project(other, gap_tolerance(other)) ? other : state;
}

Eigen::VectorXd StaticSearch::random_displacement(int number) const {
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  // Not std::uniform_real_distribution: its numbers differ between libraries.
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  constexpr double kPart = 0.3;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout_.size());
  for (int k = 0; k < layout_.mechanical_size(); ++k) {
    if (layout_.is_travel(k)) d[k] = kPart * uniform() * equations_.length_scale();
    else if (layout_.is_turn(k)) d[k] = kPart * uniform();
  }
  return d;
}

bool StaticSearch::verify(const State& state, StaticResult& result) const {
  StaticEquations fresh(system_, from_.active, settings_.mode, 0, state);
  fresh.evaluate(state, true);
  note_imbalance(fresh, result);
  result.gap = 0;
  for (int r = 0; r < layout_.row_count(); ++r) {
    const bool start_only =
        std::find(system_.start_rows().begin(), system_.start_rows().end(), r) != system_.start_rows().end();
    if (!start_only) result.gap = std::max(result.gap, std::abs(fresh.phi()[r]));
  }
  if (!(fresh.largest_gap() <= gap_tolerance(state))) {
    result.messages.push_back(core::words("largest constraint violation {:.3g}", fresh.largest_gap()));
    return false;
  }
  // Rows left out as redundant must hold as well as those that imply them.
  for (const RedundantRow& row : from_.redundant) {
    if (std::abs(fresh.phi()[row.row]) <= 10 * row.magnification * gap_tolerance(state) + row.slack) continue;
    result.messages.push_back("supports contradict each other at the place found: " + describe(system_, row));
    result.rows_part = true;
    return false;
  }
  return in_balance(fresh, state, result);
}

// The largest imbalance, in the user's units.
void StaticSearch::note_imbalance(const StaticEquations& at, StaticResult& result) const {
  result.imbalance = 0;
  result.imbalance_unit.clear();
  if (layout_.size() == 0) return;
  Eigen::Index worst = 0;
  const double left = at.residual().head(layout_.size()).cwiseAbs().maxCoeff(&worst);
  result.imbalance = in_user_units(system_, static_cast<int>(worst), left);
  result.imbalance_unit = balance_unit(system_, static_cast<int>(worst));
}

// Each equation within IMBALANCE, or within rounding; the latter is said.
bool StaticSearch::in_balance(const StaticEquations& at, const State& state, StaticResult& result) const {
  Eigen::VectorXd rounding;
  int unreached = -1;
  for (int i = 0; i < layout_.size(); ++i) {
    const double left = std::abs(at.residual()[i]);
    if (left <= settings_.imbalance) continue;
    if (rounding.size() == 0) rounding = at.rounding(state);
    if (!(left <= rounding[i])) return false;
    if (unreached < 0 || left > std::abs(at.residual()[unreached])) unreached = i;
  }
  if (unreached >= 0)
    result.messages.push_back(
        core::words("IMBALANCE = {} was not reached: {} is left of {}, which is rounding of stiff elements",
                    balance_text(system_, unreached, settings_.imbalance),
                    balance_text(system_, unreached, std::abs(at.residual()[unreached])),
                    layout_.balance_name(unreached)));
  return true;
}

}  // namespace trunnion::analysis
