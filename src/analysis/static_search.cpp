#include "analysis/static_search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "analysis/correction_limit.hpp"
#include "analysis/turning.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::State;

namespace {

constexpr double kEasiest = 0.1, kFarTooLong = 4, kBent = 1.0, kSteepest = 1e30;
constexpr int kDescents = 2000;
constexpr double kAway = 30;  // lengths of the mechanism

}  // namespace

StaticSearch::StaticSearch(const system::System& system, const AssemblyResult& from,
                           const StaticSettings& settings, const StaticListener& listener)
    : system_(system),
      layout_(system.layout()),
      from_(from),
      settings_(settings),
      listener_(listener),
      equations_(system, from.active, settings.mode, settings.plain_newton ? settings.stability : 0.0,
                 from.state) {}

double StaticSearch::extent(const Eigen::VectorXd& d) const {
  double turn = 0, travel = 0;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (assembly::is_scalar(block.kind)) continue;
    travel = std::max(travel, d.segment(block.offset, block.translations).norm());
    turn =
        std::max(turn, d.segment(block.offset + block.translations, block.size - block.translations).norm());
  }
  return std::max(turn, travel / equations_.length_scale());
}

double StaticSearch::distance(const State& a, const State& b) const {
  Eigen::VectorXd d(layout_.size());
  assembly::difference(layout_, a.q, b.q, d);
  return extent(d);
}

// IMBALANCE is absolute. In a model whose forces are small it would pass anything: no more than a millionth of them then.
double StaticSearch::tolerance() const {
  constexpr double kPart = 1e-6;
  const double scale = equations_.force_scale();
  return scale > 0 ? std::min(settings_.imbalance, kPart * scale) : settings_.imbalance;
}

double StaticSearch::gap_tolerance(const State& state) const {
  constexpr double kRounding = 64 * 2.2e-16;
  double size = equations_.length_scale();
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (assembly::is_scalar(block.kind)) continue;
    size = std::max(
        size, state.q.segment(block.pose_offset, std::min(3, block.pose_size)).lpNorm<Eigen::Infinity>());
  }
  return std::max(settings_.gap, kRounding * size);
}

// Where the stiffness is singular along a direction without force, this much of W keeps the step there at nothing, also where
// rounding leaves a little force; it is too little to slow down Newton elsewhere.
double StaticSearch::smallest_shift() const {
  constexpr double kOfStiffness = 1e-13, kOfForces = 1e-9;
  double heaviest = 0;
  for (int i = 0; i < layout_.size(); ++i) heaviest = std::max(heaviest, equations_.weights()[i]);
  const double pace = heaviest > 0 ? equations_.force_scale() / (heaviest * equations_.length_scale()) : 0.0;
  return std::max({kOfStiffness * equations_.stiffest(), kOfForces * pace, 1e-300});
}

void StaticSearch::tell(const char* phase, double correction, double shift, const Eigen::VectorXd& d,
                        bool accepted) {
  ++iterations_;
  if (!listener_) return;
  StaticIteration it{phase, iterations_, equations_.largest_imbalance(), correction, shift, 0, 0, accepted};
  Eigen::Index at = 0;
  if (layout_.size() == 0) return;
  equations_.residual().head(layout_.size()).cwiseAbs().maxCoeff(&at);
  it.equation = static_cast<int>(at);
  d.head(layout_.size()).cwiseAbs().maxCoeff(&at);
  it.coordinate = static_cast<int>(at);
  listener_(it);
}

Search StaticSearch::newton(State& state) {
  const double gap = gap_tolerance(state);
  for (int k = 0; k < settings_.maxit; ++k) {
    const bool renew = k == 0 || settings_.pattern[static_cast<std::size_t>(k) % settings_.pattern.size()];
    equations_.evaluate(state, renew);
    if (renew && !equations_.factor_stiffness(0)) return Search::singular;
    Eigen::VectorXd d = -equations_.residual();
    equations_.solve_stiffness(d);
    if (!d.allFinite()) return Search::singular;
    last_direction_ = d;
    const double factor = correction_limit(layout_, d, settings_.alimit, settings_.tlimit);
    const double largest =
        d.head(layout_.size()).size() > 0 ? d.head(layout_.size()).lpNorm<Eigen::Infinity>() : 0.0;
    tell("Newton", largest, 0, d, true);
    equations_.add(d, factor, state);
    system_.accept(state, equations_.work());
    equations_.evaluate(state, false);
    if (factor == 1 && largest <= settings_.error && equations_.largest_imbalance() <= settings_.imbalance &&
        equations_.largest_gap() <= gap)
      return Search::converged;
  }
  return Search::not_converged;
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

Search StaticSearch::descend(State& state, Merit by) {
  const char* phase = by == Merit::work ? "descent" : "residual";
  const double gap = gap_tolerance(state);
  const State start = state;
  Eigen::VectorXd x, xt, delta(layout_.size());
  if (!equations_.project(state, gap) || !equations_.balance(state, x)) return Search::singular;
  // The first step is to go a part of the way that the forces alone would take it.
  double s = extent(x) / kLongestStep;
  double before = merit(x);
  Turning turning(layout_);
  double ease =
      kEasiest;  // what a good step multiplies the shift by; nearer to one where steps had to be repeated
  for (int k = 0; k < kDescents; ++k) {
    equations_.evaluate(state, true);
    const double least = smallest_shift();
    s = std::max(s, least);
    const double imbalance = equations_.largest_imbalance();
    if (!std::isfinite(imbalance)) return Search::not_converged;
    if (!equations_.factor_stiffness(s)) {
      s *= 10;
      continue;
    }
    const Eigen::VectorXd r = equations_.residual();
    Eigen::VectorXd d = -r;
    equations_.solve_stiffness(d);
    if (!d.allFinite()) {
      s *= 10;
      continue;
    }
    last_direction_ = d;
    const double size = extent(d);
    const bool balanced = imbalance <= std::max(tolerance(), equations_.rounding(state));
    if (balanced && size <= settings_.error && s <= 1e6 * least) {
      tell(phase, size, s, d, true);
      equations_.add(d, 1, state);
      polish(state);
      return Search::converged;
    }
    double promise = 0, weight = 0;
    for (int i = 0; i < layout_.size(); ++i) {
      if (!equations_.is_mechanical(i)) continue;
      promise -= r[i] * d[i];
      weight += equations_.weights()[i] * d[i] * d[i];
    }
    const double curvature = promise - s * weight;  // δᵀ K δ
    const double comparable = weight > 0 ? std::abs(curvature) / weight : 0.0;
    if (by == Merit::work && promise <= 0 && !balanced) {
      // The stiffness has a negative direction that the shift does not yet outweigh.
      tell(phase, size, s, d, false);
      s = std::max(8 * s, 1.5 * comparable);
      continue;
    }
    if (by == Merit::work && size > kFarTooLong * kLongestStep && s < kSteepest) {
      // So long a step comes from a stiffness near a singular or indefinite one; its direction means nothing.
      tell(phase, size, s, d, false);
      s *= std::clamp(size / kLongestStep, 4.0, 30.0);
      continue;
    }
    double factor = size > kLongestStep ? kLongestStep / size : 1.0;
    if (settings_.bounded)
      factor = std::min(factor, correction_limit(layout_, d, settings_.alimit, settings_.tlimit));
    State trial = state;
    equations_.add(d, factor, trial);
    // On the way joints may be apart by a little more: each step closes them again.
    constexpr double kLoose = 1e-7;
    const double apart = balanced || size < 1e-3 ? gap : std::max(gap, kLoose * equations_.length_scale());
    const bool placed = equations_.project(trial, apart) && equations_.balance(trial, xt);
    bool taken = false;
    double share = 0, now = 0;
    if (placed) {
      now = merit(xt);
      assembly::difference(layout_, state.q, trial.q, delta);
      double work = 0;
      for (int i = 0; i < layout_.size(); ++i) {
        if (equations_.is_mechanical(i)) work -= 0.5 * (r[i] - equations_.weights()[i] * xt[i]) * delta[i];
      }
      const double promised = factor * promise - 0.5 * factor * factor * curvature;
      share = promised > 0 ? work / promised : 0.0;
      constexpr double kClose = 1e-3;  // where work is lost in rounding, the residual decides
      if (by == Merit::work) taken = share > 0.1 || (size < kClose && now < 0.25 * before);
      else taken = now < before * (1 - 1e-4 * factor);
      if (by == Merit::residual) share = now < 0.25 * before ? 1 : now < before ? 0.4 : 0;
      // Where the constraints bend a step by its own size, they lead elsewhere than it was meant to.
      const double bent = extent(delta - factor * d.head(layout_.size())) / (factor * size);
      if (bent > kBent) taken = false;
      else if (bent > 0.5 * kBent) share = std::min(share, 0.3);
      else if (share > 2) share = 0.5;
      if (!taken && balanced && size <= settings_.error) taken = true;
    }
    tell(phase, size, s, d, taken);
    if (!taken) {
      ease = std::min(0.7, std::sqrt(ease));
      s = std::max(4 * s, std::min(comparable, 1e3 * s));
      if (!std::isfinite(s) || s > kSteepest) return Search::not_converged;
      continue;
    }
    state = trial;
    before = now;
    system_.accept(state, equations_.work());
    if (share > 0.8) {
      s *= ease;
      ease = std::max(kEasiest, 0.7 * ease);
    } else if (share > 0.4) {
      s *= std::max(ease, 0.5);
    } else if (share < 0.2) {
      s *= 3;
    }
    if (by == Merit::work && (distance(start, state) > kAway || turning.on(delta, now)))
      return Search::runs_away;
  }
  return Search::not_converged;
}

// Newton steps as long as they help: the balance is then as good as the numbers allow.
void StaticSearch::polish(State& state) {
  constexpr int kSteps = 4;
  const double gap = gap_tolerance(state);
  State best = state;
  double left = HUGE_VAL;
  for (int k = 0; k <= kSteps; ++k) {
    equations_.evaluate(state, true);
    const double now = equations_.largest_imbalance() / std::max(equations_.force_scale(), 1e-300) +
                       equations_.largest_gap() / gap * 1e-10;
    if (!(now < left)) break;
    const bool slow = now > 0.5 * left;
    best = state;
    left = now;
    if (k == kSteps || slow || !equations_.factor_stiffness(smallest_shift())) break;
    Eigen::VectorXd d = -equations_.residual();
    equations_.solve_stiffness(d);
    if (!d.allFinite() || extent(d) > settings_.error) break;
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
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (assembly::is_scalar(block.kind)) continue;
    for (int i = 0; i < block.size; ++i)
      d[block.offset + i] = kPart * uniform() * (i < block.translations ? equations_.length_scale() : 1.0);
  }
  return d;
}

bool StaticSearch::verify(const State& state, StaticResult& result) const {
  StaticEquations fresh(system_, from_.active, settings_.mode, 0, state);
  fresh.evaluate(state, true);
  result.imbalance = fresh.largest_imbalance();
  result.gap = 0;
  for (int r = 0; r < layout_.row_count(); ++r) {
    const bool start_only =
        std::find(system_.start_rows().begin(), system_.start_rows().end(), r) != system_.start_rows().end();
    if (!start_only) result.gap = std::max(result.gap, std::abs(fresh.phi()[r]));
  }
  if (!(fresh.largest_gap() <= gap_tolerance(state))) {
    result.messages.push_back(fmt::format("constraints are apart by {:.3g}", fresh.largest_gap()));
    return false;
  }
  // Rows left out as redundant must hold as well as those that imply them.
  for (const RedundantRow& row : from_.redundant) {
    if (std::abs(fresh.phi()[row.row]) <= 10 * row.magnification * gap_tolerance(state)) continue;
    result.messages.push_back("supports contradict each other at the place found: " + describe(system_, row));
    result.rows_part = true;
    return false;
  }
  return result.imbalance <= std::max(settings_.imbalance, fresh.rounding(state));
}

// Equations that cannot be computed where the search stands: a division by zero, the root of a negative number.
std::vector<std::string> StaticSearch::not_numbers() const {
  std::vector<std::string> lines;
  constexpr std::size_t kShown = 3;
  for (int i = 0; i < layout_.size() && lines.size() < kShown; ++i) {
    if (!std::isfinite(equations_.residual()[i]))
      lines.push_back(fmt::format("{} is not a number", layout_.balance_name(i)));
  }
  if (!lines.empty())
    lines.push_back(
        "try: another start; look for a division by zero or a root of a negative number in the functions");
  return lines;
}

// Coordinates that the forces on them would move without end: stiffness is next to nothing there.
std::vector<std::string> StaticSearch::pushed(const State& state) {
  std::vector<std::string> lines;
  constexpr double kFar = 100;  // radians or lengths
  constexpr int kShown = 3;
  equations_.evaluate(state, true);
  Eigen::VectorXd d = -equations_.residual();
  // With this much of W alone the forces would take the heaviest part 10⁶ lengths or radians.
  constexpr double kWeak = 1e-6;
  double heaviest = 0;
  for (int i = 0; i < layout_.size(); ++i) heaviest = std::max(heaviest, equations_.weights()[i]);
  const double weak =
      heaviest > 0 ? kWeak * equations_.largest_imbalance() / (heaviest * equations_.length_scale()) : 0.0;
  if (!(weak > 0) || !equations_.factor_stiffness(weak)) return lines;
  equations_.solve_stiffness(d);
  if (!d.allFinite() || extent(d) < kFar) return lines;
  const double largest = d.head(layout_.size()).lpNorm<Eigen::Infinity>();
  for (int i = 0; i < layout_.size() && static_cast<int>(lines.size()) < kShown; ++i) {
    if (std::abs(d[i]) >= 0.5 * largest && equations_.is_mechanical(i))
      lines.push_back(fmt::format("nothing holds {} against the forces on it", layout_.column_name(i)));
  }
  if (!lines.empty())
    lines.push_back(
        "try: a spring, stop or support for it; or, for a force that jumps (IF), a STEP over some width");
  return lines;
}

std::vector<std::string> StaticSearch::explain(const State& state, Search ended) {
  equations_.evaluate(state, false);
  std::vector<std::string> lines = not_numbers();
  if (!lines.empty()) return lines;
  std::vector<int> order;
  constexpr double kRounding = 1e-9;
  const double worth = std::max(tolerance(), kRounding * equations_.largest_imbalance());
  for (int i = 0; i < layout_.size(); ++i) {
    if (std::abs(equations_.residual()[i]) > worth) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(equations_.residual()[a]) > std::abs(equations_.residual()[b]);
  });
  constexpr std::size_t kShown = 5;
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k)
    lines.push_back(fmt::format("largest imbalance: {}: {:.4g}", layout_.balance_name(order[k]),
                                equations_.residual()[order[k]]));
  if (order.size() > kShown) lines.push_back(fmt::format("and {} more", order.size() - kShown));
  if (equations_.largest_gap() > gap_tolerance(state)) {
    for (const std::string& line : describe_gaps(system_, equations_.phi(), gap_tolerance(state)))
      lines.push_back(line);
  }
  if (ended == Search::singular && equations_.stiffness_singular()) {
    const int at = equations_.stiffness_singular()->col;
    if (at >= 0 && at < layout_.size())
      lines.push_back(fmt::format("nothing holds {}", layout_.column_name(at)));
  }
  if (ended == Search::runs_away && last_direction_.size() > 0) {
    Eigen::Index at = 0;
    const double largest = last_direction_.head(layout_.size()).cwiseAbs().maxCoeff(&at);
    for (int i = 0, shown = 0; i < layout_.size() && shown < 3; ++i) {
      if (std::abs(last_direction_[i]) < 0.5 * largest || !equations_.is_mechanical(i)) continue;
      lines.push_back(fmt::format("{} is free, and forces push it on without end", layout_.column_name(i)));
      ++shown;
    }
    lines.push_back("try: a spring, stop or support for it, or ACCGRAV in another direction");
    return lines;
  }
  const std::vector<std::string> free = pushed(state);
  lines.insert(lines.end(), free.begin(), free.end());
  if (!free.empty()) return lines;
  lines.push_back(
      settings_.plain_newton
          ? "try: EQUILIBRIUM/METHOD=ADVANCED; or a smaller ALIMIT with a larger MAXIT and STABILITY"
          : "try: a start nearer to rest, or look for forces that jump (IF, contact without depth)");
  return lines;
}

}  // namespace trunnion::analysis
