// Why a search for a state of rest failed, in the words of the model.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/statics/balance_units.hpp"
#include "analysis/statics/search.hpp"

namespace trunnion::analysis {

using assembly::State;

namespace {

constexpr std::size_t kShown = 3;  // of what is alike

}  // namespace

// Forces and equations that cannot be computed where the search stands: a division by zero, the root of a negative number.
std::vector<core::Words> StaticSearch::not_numbers(const State& state) {
  if (equations_.residual().allFinite()) return {};
  std::vector<core::Words> lines = system_.not_finite(state, equations_.work());
  if (lines.size() > kShown) lines.resize(kShown);
  const bool causes = !lines.empty();
  for (int i = 0; i < layout_.size() && lines.size() < kShown && !causes; ++i) {
    if (!std::isfinite(equations_.residual()[i]))
      lines.push_back(core::words("{} is not a number", layout_.balance_name(i)));
  }
  if (lines.empty()) lines.emplace_back("a constraint is not a number");
  lines.emplace_back(
      causes ? "try: another start; MAX, MIN or IF that keep the argument where the function is defined"
             : "try: another start; look for a division by zero or a root of a negative number in the "
               "functions");
  return lines;
}

std::vector<core::Words> StaticSearch::imbalances() const {
  std::vector<int> order;
  constexpr double kRounding = 1e-9;
  const double worth = std::max(tolerance(), kRounding * equations_.largest_imbalance());
  for (int i = 0; i < layout_.size(); ++i) {
    if (std::abs(equations_.residual()[i]) > worth) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(equations_.residual()[a]) > std::abs(equations_.residual()[b]);
  });
  std::vector<core::Words> lines;
  constexpr std::size_t kMost = 5;
  for (std::size_t k = 0; k < std::min(kMost, order.size()); ++k)
    lines.push_back(core::words("largest imbalance: {}: {}", layout_.balance_name(order[k]),
                                balance_text(system_, order[k], equations_.residual()[order[k]])));
  if (order.size() > kMost) lines.push_back(core::words("and {} more", order.size() - kMost));
  return lines;
}

// Coordinates along which the search went far with a force that stayed.
std::vector<core::Words> StaticSearch::carried_off() const {
  std::vector<core::Words> lines;
  if (last_direction_.size() == 0) return lines;
  const double largest = last_direction_.head(layout_.size()).cwiseAbs().maxCoeff();
  for (int i = 0; i < layout_.size() && lines.size() < kShown; ++i) {
    if (std::abs(last_direction_[i]) < 0.5 * largest || !equations_.is_mechanical(i)) continue;
    lines.push_back(core::words("{} is free, and forces push it on without end", layout_.column_name(i)));
  }
  lines.emplace_back("try: a spring, stop or support for it, or ACCGRAV in another direction");
  return lines;
}

// Coordinates that the forces on them would move without end: stiffness is next to nothing there.
std::vector<core::Words> StaticSearch::pushed(const State& state) {
  std::vector<core::Words> lines;
  constexpr double kFar = 100;  // radians or lengths
  equations_.evaluate(state, true);
  Eigen::VectorXd d = -equations_.residual();
  // With this much of W alone the forces would take the heaviest part 10⁶ lengths or radians.
  constexpr double kWeak = 1e-6;
  const double heaviest = equations_.heaviest();
  const double weak =
      heaviest > 0 ? kWeak * equations_.largest_imbalance() / (heaviest * equations_.length_scale()) : 0.0;
  if (!(weak > 0) || !equations_.factor_stiffness(weak)) return lines;
  equations_.solve_stiffness(d);
  if (!d.allFinite() || extent(d) < kFar) return lines;
  const double largest = d.head(layout_.size()).lpNorm<Eigen::Infinity>();
  for (int i = 0; i < layout_.size() && lines.size() < kShown; ++i) {
    if (std::abs(d[i]) >= 0.5 * largest && equations_.is_mechanical(i))
      lines.push_back(core::words("nothing holds {} against the forces on it", layout_.column_name(i)));
  }
  if (!lines.empty())
    lines.emplace_back(
        "try: a spring, stop or support for it; or, for a force that jumps (IF), a STEP over some width");
  return lines;
}

// States whose rate depends on nothing that statics can change: it is zero everywhere, or nowhere.
std::vector<core::Words> StaticSearch::idle_states(const State& state) {
  std::vector<core::Words> lines;
  if (!equations_.has_states()) return lines;
  equations_.evaluate(state, true);
  const Eigen::VectorXd sums = equations_.row_sums();
  for (int i = 0; i < layout_.size() && lines.size() < kShown; ++i) {
    if (equations_.is_mechanical(i) || equations_.is_held(i) || sums[i] != 0) continue;
    if (!layout_.states().has(i)) continue;
    const double rate = -equations_.residual()[i];
    lines.push_back(rate == 0
                        ? core::words("{}: its rate is zero at rest whatever its value, so that nothing "
                                      "determines it",
                                      layout_.column_name(i))
                        : core::words("{}: its rate is {:.4g} at rest, wherever the mechanism stands",
                                      layout_.column_name(i), rate));
  }
  if (!lines.empty()) lines.emplace_back("try: STATIC_HOLD, which keeps its value");
  return lines;
}

std::vector<core::Words> StaticSearch::explain(const State& state, Search ended) {
  equations_.evaluate(state, false);
  std::vector<core::Words> lines = not_numbers(state);
  if (!lines.empty()) return lines;
  const auto say = [&](const std::vector<core::Words>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
    return !more.empty();
  };
  say(imbalances());
  const double gap = gap_tolerance(state);
  if (equations_.largest_gap() > gap) say(describe_gaps(system_, equations_.phi(), gap));
  if (ended == Search::spent) {
    if (singular_at_ >= 0)
      lines.push_back(core::words("on the way nothing determined {}", layout_.column_name(singular_at_)));
    lines.push_back(core::words("not converged in MAXIT = {} iterations", settings_.maxit));
    lines.emplace_back(
        settings_.plain_newton
            ? "try: a larger MAXIT, or EQUILIBRIUM/METHOD=ADVANCED"
            : "try: a larger MAXIT; without it the search goes on as long as it gets somewhere");
    return lines;
  }
  if (say(idle_states(state))) return lines;
  const bool singular = ended == Search::singular || ended == Search::undetermined;
  if (singular && singular_at_ >= 0)
    lines.push_back(core::words("{} {}", ended == Search::singular ? "nothing holds" : "nothing determines",
                                layout_.column_name(singular_at_)));
  if (ended == Search::undetermined) {
    lines.emplace_back("try: STATIC_HOLD for it, which keeps its value");
    return lines;
  }
  if (ended == Search::runs_away) {
    say(carried_off());
    return lines;
  }
  if (say(pushed(state))) return lines;
  lines.emplace_back(
      settings_.plain_newton
          ? "try: EQUILIBRIUM/METHOD=ADVANCED; or a smaller ALIMIT with a larger MAXIT and STABILITY"
          : "try: a start nearer to rest, or look for forces that jump (IF, contact without depth)");
  return lines;
}

}  // namespace trunnion::analysis
