#include "analysis/initial/initial_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/correction_limit.hpp"
#include "analysis/initial/gap_words.hpp"
#include "analysis/initial/least_change.hpp"
#include "assembly/chart.hpp"
#include "model/defaults.hpp"
#include "sparse/selection.hpp"
#include "system/levels.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;
using system::System;

std::vector<bool> renewals(const model::ChoiceList<model::Switch>& pattern) {
  if (!pattern.given()) return {true};
  std::vector<bool> out;
  for (const int index : pattern.indices)
    out.push_back(static_cast<model::Switch>(index) == model::Switch::on);
  return out;
}

AssemblySettings assembly_settings(const model::Model& model) {
  const model::InitialConditions* given = model.single<model::InitialConditions>();
  const auto ic = model::with_defaults(given ? *given : model::InitialConditions{});
  AssemblySettings s;
  s.error = ic.error.value_or(s.error);
  s.alimit = ic.alimit.value_or(s.alimit);
  s.tlimit = ic.tlimit.value_or(s.tlimit);
  s.maxit = ic.maxit.value_or(s.maxit);
  s.verror = ic.verror.value_or(s.verror);
  s.pattern = renewals(ic.pattern);
  s.data = data_precision(model);
  return s;
}

std::vector<int> independent_rows(const sparse::CscMatrix& G, const std::vector<int>& among,
                                  std::vector<RedundantRow>& redundant, double tolerance) {
  sparse::RowSelection rows;
  rows.choose(G, among);
  const sparse::RankResult rank = sparse::row_rank(rows.matrix(), tolerance);
  std::vector<int> independent;
  for (const int k : rank.independent) independent.push_back(among[static_cast<std::size_t>(k)]);
  redundant.clear();
  for (const sparse::DependentRow& d : rank.dependent) {
    RedundantRow r{among[static_cast<std::size_t>(d.row)]};
    for (const auto& share : d.shares) {
      r.implied_by.push_back(among[static_cast<std::size_t>(share.row)]);
      r.shares.push_back(share.coefficient);
      r.magnification += std::abs(share.coefficient);
    }
    redundant.push_back(std::move(r));
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

void give_slack(const assembly::Layout& layout, const DataPrecision& data,
                std::vector<RedundantRow>& redundant) {
  constexpr double kFrames = 4;  // two markers and two parts, each off by its own last digit
  for (RedundantRow& r : redundant) {
    r.slack = data.of(layout.row(RowId{r.row}));
    for (std::size_t k = 0; k < r.implied_by.size(); ++k)
      r.slack += std::abs(r.shares[k]) * data.of(layout.row(RowId{r.implied_by[k]}));
    r.slack *= kFrames;
  }
}

core::Words describe(const System& system, const RedundantRow& row) {
  const assembly::Layout& layout = system.layout();
  std::vector<core::Words> owners;
  std::set<core::Subject> seen;
  for (const int r : row.implied_by) {
    const core::Words& owner = layout.row(RowId{r}).owner;
    if (seen.insert(owner.subject()).second) owners.push_back(owner);
  }
  core::Words others;
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < owners.size() && k < kShown; ++k) others += (k ? ", " : "") + owners[k];
  if (owners.size() > kShown) others += core::words(" and {} more", owners.size() - kShown);
  if (owners.empty()) return core::words("{} constrains nothing", layout.row_words(RowId{row.row}));
  return core::words("{} is redundant with {}", layout.row_words(RowId{row.row}), others);
}

namespace {

// The rows whose values exceed the tolerance: the worst of each owner, the worst owners first.
std::vector<RowId> worst_rows(const System& system, const Eigen::VectorXd& values, double tolerance) {
  std::map<core::Subject, std::pair<double, int>> worst;  // by owner: size and row
  for (int r = 0; r < values.size(); ++r) {
    const double gap = std::abs(values[r]);
    if (!(gap > tolerance)) continue;
    auto& entry = worst[system.layout().row(RowId{r}).owner.subject()];
    if (gap > entry.first) entry = {gap, r};
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [owner, entry] : worst) order.push_back(entry);
  std::sort(order.rbegin(), order.rend());
  std::vector<RowId> rows;
  constexpr std::size_t kShown = 5;
  for (std::size_t k = 0; k < order.size() && k < kShown; ++k) rows.push_back(RowId{order[k].second});
  return rows;
}

}  // namespace

std::vector<core::Words> describe_gaps(const System& system, const Eigen::VectorXd& phi, double tolerance) {
  std::vector<core::Words> lines;
  for (const RowId row : worst_rows(system, phi, tolerance)) lines.push_back(gap_words(system, phi, row));
  return lines;
}

namespace {

class Assembler {
 public:
  Assembler(const System& system, const State& start, const AssemblySettings& settings)
      : system_(system),
        layout_(system.layout()),
        settings_(settings),
        work_(system, assembly::AnalysisMode::initial_conditions),
        rows_(system.layout()) {
    const std::set<int> start_rows(system.start_rows().begin(), system.start_rows().end());
    for (int r = 0; r < layout_.row_count(); ++r) {
      const bool start_only = start_rows.contains(r);
      if (start_only && !settings.first) continue;
      (layout_.row(RowId{r}).level == assembly::RowLevel::position ? positions_ : velocities_).push_back(r);
      if (!start_only) lasting_.push_back(r);
    }
    result_.state = start;
    start_ = start;
    result_.data = settings.data;
    for (std::vector<int>* rows : {&positions_, &velocities_, &lasting_}) keep_first(*rows);
  }

  AssemblyResult run(Upto upto) {
    result_.ok = positions() && (upto == Upto::positions || speeds());
    State& state = result_.state;
    if (result_.ok && upto != Upto::positions) {
      // Rows that held only the start are let go; what they implied may be needed again.
      evaluate(state, false);
      choose(lasting_);
      result_.freedoms = layout_.mechanical_size() - static_cast<int>(result_.active.size());
    }
    if (result_.ok && upto == Upto::accelerations) {
      core::Words message;
      result_.ok = solve_accelerations(system_, result_.active, state, work_, message);
      if (!result_.ok) result_.messages.push_back(message);
    }
    if (result_.ok && settings_.first) tell_moves();
    if (result_.ok) system_.accept(result_.state, work_);
    return std::move(result_);
  }

 private:
  // Of rows that depend on each other the last ones are left out: those of statements with few equations before those with many,
  // else in the order of the model. The commercial solver leaves out such rows too, though not always the same ones. Rows that hold
  // places by lever arms instead of rotations would be no better: the arms vanish where a planar mechanism is stretched.
  void keep_first(std::vector<int>& rows) const {
    std::map<core::Subject, int> equations;
    for (int r = 0; r < layout_.row_count(); ++r) ++equations[layout_.row(RowId{r}).owner.subject()];
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
      return equations[layout_.row(RowId{a}).owner.subject()] >
             equations[layout_.row(RowId{b}).owner.subject()];
    });
  }

  void evaluate(const State& state, bool accelerations) {
    rows_.evaluate_rows(system_, state, work_, accelerations);
  }

  // The independent rows of `among` at the place last evaluated. Positions, velocities and accelerations have the same
  // Jacobian, so that a choice made for one of them serves the others.
  void choose(const std::vector<int>& among) {
    const State& state = result_.state;
    const auto here = [&] {
      return state.q == chosen_at_->q && (velocities_.empty() || state.v == chosen_at_->v);
    };
    if (chosen_at_ && here() && among == chosen_among_) return;
    result_.active = independent_rows(rows_.gradient(), among, result_.redundant, rank_tolerance());
    give_slack(layout_, settings_.data, result_.redundant);
    chosen_at_ = state;
    chosen_among_ = among;
  }

  // Directions that are off by the last digit leave rows that depend on others as independent as that.
  double rank_tolerance() const {
    constexpr double kMargin = 10;
    return std::max(sparse::kRankTolerance, kMargin * settings_.data.angle);
  }

  // The first redundant row, by how much it is off, that neither rounding nor the data explain.
  const RedundantRow* conflict() const {
    const double wanted = 10 * tolerance();
    const RedundantRow* worst = nullptr;
    for (const RedundantRow& row : result_.redundant) {
      const double off = std::abs(rows_.phi()[row.row]);
      if (off <= std::max(wanted, row.slack)) continue;
      if (!worst || !(off <= std::abs(rows_.phi()[worst->row]))) worst = &row;
    }
    return worst;
  }

  double largest(const std::vector<int>& rows, const Eigen::VectorXd& values) const {
    double size = 0;
    for (const int r : rows) {
      // A comparison that is false for NaN would let it pass.
      if (!(std::abs(values[r]) <= size)) size = std::abs(values[r]);
    }
    return size;
  }

  // Coordinates far from the origin carry rounding errors of their own size.
  double tolerance() const {
    constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
    const double size = std::max(1.0, assembly::farthest_place(layout_, result_.state.q));
    return std::max(settings_.error, kRounding * size);
  }

  bool positions() {
    State& state = result_.state;
    LeastChange problem(layout_.size(), system_.exact_coordinates());
    bool reranked = false, factored = false;
    evaluate(state, false);
    gaps_at_start_ = describe_gaps(system_, rows_.phi(), tolerance());
    choose(positions_);
    for (int iteration = 0;; ++iteration) {
      result_.iterations = iteration;
      const double wanted = tolerance();
      const double off = largest(result_.active, rows_.phi());
      result_.violation = largest(positions_, rows_.phi());
      if (off <= wanted) {
        if (!conflict()) {
          note_imprecise();
          return true;
        }
        // The equations kept hold, others do not: either the choice was made in a poor place, or they contradict.
        const std::vector<int> before = result_.active;
        choose(positions_);
        if (reranked || before == result_.active) return contradiction();
        reranked = true;
        factored = false;
        continue;
      }
      if (iteration >= settings_.maxit) {
        return fail(core::words("the mechanism did not assemble in {} iterations", settings_.maxit));
      }
      const bool renew = settings_.pattern[static_cast<std::size_t>(iteration) % settings_.pattern.size()];
      if (renew || !factored) factored = problem.factor(rows_.gradient(), result_.active);
      if (!factored) {
        // The rank has fallen on the way (a stretched linkage): choose the rows anew.
        const std::vector<int> before = result_.active;
        choose(positions_);
        factored = before != result_.active && problem.factor(rows_.gradient(), result_.active);
        if (!factored) return fail("the assembly equations are singular");
      }
      const Eigen::VectorXd d = problem.solve(Eigen::VectorXd::Zero(layout_.size()), -rows_.phi());
      if (!d.allFinite()) return fail("the assembly equations gave a value that is not a number");
      tell("positions", iteration, rows_.phi(), d, renew);
      if (!step(d, off)) return fail("assembly stalled: no correction reduces the constraint violation");
    }
  }

  void tell(const char* phase, int iteration, const Eigen::VectorXd& residual, const Eigen::VectorXd& change,
            bool renewed) const {
    if (settings_.listener)
      settings_.listener(
          {phase, iteration + 1, result_.state, residual, result_.active, rows_.gradient(), change, renewed});
  }

  // The limited correction, halved while it makes things worse.
  bool step(const Eigen::VectorXd& d, double off) {
    State& state = result_.state;
    const Eigen::VectorXd from = state.q;
    double factor = correction_limit(layout_, d, settings_.alimit, settings_.tlimit);
    constexpr int kHalvings = 8;
    for (int k = 0; k <= kHalvings; ++k, factor /= 2) {
      assembly::retract(layout_, from, factor * d, state.q);
      evaluate(state, false);
      const double now = largest(result_.active, rows_.phi());
      // A full Newton step may grow a little before it converges; a cut one must improve.
      if (now < off || (k == 0 && factor == 1 && now < 4 * off)) return true;
    }
    return false;
  }

  bool speeds() {
    State& state = result_.state;
    LeastChange problem(layout_.size(), system_.exact_velocities());
    const Eigen::VectorXd wanted = state.v;
    // A start value without a rate says nothing of velocities.
    std::vector<int> held;
    const std::vector<int>& silent = system_.start_positions_only();
    const std::set<int> unheld(silent.begin(), silent.end());
    for (const int r : positions_) {
      if (!unheld.contains(r)) held.push_back(r);
    }
    std::vector<int> all = held;
    all.insert(all.end(), velocities_.begin(), velocities_.end());
    for (int iteration = 0; iteration <= settings_.maxit; ++iteration) {
      evaluate(state, false);
      // Position rows are linear in v; velocity rows by their tangent ψ_v at v.
      Eigen::VectorXd rate = rows_.phi_t();
      Eigen::VectorXd Gv = Eigen::VectorXd::Zero(layout_.row_count());
      rows_.gradient().multiply_add(state.v, Gv);
      for (const int r : positions_) rate[r] += Gv[r];
      for (const int r : silent) rate[r] = 0;
      for (const int r : velocities_) rate[r] = rows_.phi()[r];
      const double size = std::max(1.0, state.v.lpNorm<Eigen::Infinity>());
      const double off = largest(all, rate);
      constexpr double kConverged = 1e-12;
      if (iteration > 0 && off <= kConverged * size) return true;
      if (iteration == 0 || !velocities_.empty()) {
        choose(all);
        if (!problem.factor(rows_.gradient(), result_.active))
          return fail("the velocity equations are singular");
      } else if (off <= settings_.verror * size && largest(result_.active, rate) <= kConverged * size * 1e3) {
        return true;
      }
      if (iteration == settings_.maxit || (iteration > 2 && velocities_.empty())) {
        result_.messages = {"the initial velocities contradict each other:"};
        for (const RowId id : worst_rows(system_, rate, settings_.verror * size)) {
          const assembly::Row& row = layout_.row(id);
          result_.messages.push_back(core::words("  {} ({}): its velocity is off by {:.3g} [{}/time]",
                                                 row.owner, equation_words(system_, id),
                                                 std::abs(rate[id.index]), row.residual.unit));
        }
        for (const RedundantRow& row : result_.redundant) {
          if (std::abs(rate[row.row]) > settings_.verror * size)
            result_.messages.push_back("  " + describe(system_, row));
        }
        return false;
      }
      const Eigen::VectorXd b = Gv - rate;  // G v_new = G v − rate
      const Eigen::VectorXd found = problem.solve(wanted, b);
      tell("velocities", iteration, rate, found - state.v, true);
      state.v = found;
      if (!state.v.allFinite()) return fail("the velocity equations gave a value that is not a number");
    }
    return false;
  }

  // Joints that were open, or asked to start elsewhere, and what moved to satisfy them.
  void tell_moves() {
    const std::vector<core::Words> moved = moved_words(system_, start_, result_.state);
    if (moved.empty()) return;
    result_.messages.push_back("assembly moved parts to satisfy the constraints:");
    for (const core::Words& line : gaps_at_start_) result_.messages.push_back("  before: " + line);
    constexpr std::size_t kShown = 5;
    for (std::size_t k = 0; k < moved.size() && k < kShown; ++k)
      result_.messages.push_back("  moved: " + moved[k]);
    if (moved.size() > kShown)
      result_.messages.push_back(core::words("  and {} more", moved.size() - kShown));
  }

  bool fail(core::Words message) {
    result_.messages = {std::move(message)};
    if (!rows_.phi().allFinite() || !rows_.phi_t().allFinite()) {
      for (const core::Words& line : system_.not_finite(result_.state, work_))
        result_.messages.push_back("  " + line);
    }
    for (const core::Words& line : describe_gaps(system_, rows_.phi(), tolerance()))
      result_.messages.push_back("  " + line);
    return false;
  }

  // Joints that hold only as well as they were printed.
  void note_imprecise() {
    const double wanted = 10 * tolerance();
    if (result_.violation <= wanted) return;
    const std::vector<core::Words> gaps = describe_gaps(system_, rows_.phi(), wanted);
    result_.messages = {core::words("redundant constraints agree to the {} digits of the model's numbers:{}",
                                    settings_.data.digits, gaps.empty() ? "" : " " + gaps.front())};
  }

  bool contradiction() {
    result_.messages = {"the constraints contradict each other:"};
    for (const core::Words& line : describe_gaps(system_, rows_.phi(), 10 * tolerance()))
      result_.messages.push_back("  " + line);
    for (const RedundantRow& row : result_.redundant) {
      if (std::abs(rows_.phi()[row.row]) > std::max(10 * tolerance(), row.slack))
        result_.messages.push_back("  " + describe(system_, row));
    }
    return false;
  }

  const System& system_;
  const assembly::Layout& layout_;
  AssemblySettings settings_;
  System::Workspace work_;
  system::Levels rows_;
  std::vector<int> positions_, velocities_, lasting_;
  std::optional<State> chosen_at_;  // where result_.active was chosen, and among which rows
  std::vector<int> chosen_among_;
  State start_;
  std::vector<core::Words> gaps_at_start_;
  AssemblyResult result_;
};

}  // namespace

AssemblyResult initial_conditions(const System& system, const State& start, const AssemblySettings& settings,
                                  Upto upto) {
  return Assembler(system, start, settings).run(upto);
}

}  // namespace trunnion::analysis
