#include "analysis/initial/initial_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/correction_limit.hpp"
#include "analysis/initial/gap_words.hpp"
#include "assembly/chart.hpp"
#include "model/defaults.hpp"
#include "solve/least_change.hpp"
#include "solve/newton.hpp"
#include "solve/stage_solver.hpp"
#include "system/levels.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;
using solve::Verdict;
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
    if (result_.ok) {
      tell_moves();
      if (settings_.first && upto != Upto::positions) tell_speeds();
      if (settings_.struck && upto != Upto::positions) tell_jumps();
    }
    if (result_.ok) system_.accept(result_.state, work_);
    return std::move(result_);
  }

 private:
  // Of rows that depend on each other the last ones are left out: those of statements with few equations before those with many,
  // else in the order of the model. The commercial solver leaves out such rows too, though not always the same ones. Rows that hold
  // places by lever arms instead of rotations would be no better: the arms vanish where a planar mechanism is stretched.
  void keep_first(std::vector<int>& rows) const {
    std::map<core::Subject, int> equations;
    std::vector<const int*> of_row;
    for (int r = 0; r < layout_.row_count(); ++r) {
      int& count = equations[layout_.row(RowId{r}).owner.subject()];
      ++count;
      of_row.push_back(&count);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
      return *of_row[static_cast<std::size_t>(a)] > *of_row[static_cast<std::size_t>(b)];
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
    result_.active = independent_rows(layout_, rows_.gradient(), among, result_.redundant, rank_tolerance());
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

  class Positions;
  class Speeds;

  bool positions();
  bool speeds();

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
      if (now < off || (k == 0 && factor == 1 && now < 4 * off)) {
        // Angles are counted on from here: a coupler may have to turn a wheel by more than half a turn.
        system_.accept(state, work_, System::Way::search);
        return true;
      }
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

  // Constraints that close in mid-run act as impulses without rebound: the masses decide, not what was given for the start.
  void strike() {
    std::vector<int> rows = positions_;
    rows.insert(rows.end(), velocities_.begin(), velocities_.end());
    evaluate(result_.state, false);
    choose(rows);
    solve::StageSolver solver(system_, result_.active);
    State struck = result_.state;
    // Where masses are missing the least change below does without them.
    if (solver.impulse(struck, work_, {}, 0.0)) result_.state.v = struck.v;
  }

  void tell_jumps() {
    constexpr double kSmall = 1e-3;
    const int n = layout_.mechanical_size();
    const Eigen::VectorXd jump = (result_.state.v - start_.v).head(n);
    const double fastest = start_.v.head(n).lpNorm<Eigen::Infinity>();
    std::vector<core::Words> owners;
    for (int k = 0; k < n; ++k) {
      const core::Words& owner = layout_.block(layout_.block_of(k)).owner;
      if (std::abs(jump[k]) > kSmall * fastest &&
          std::find(owners.begin(), owners.end(), owner) == owners.end())
        owners.push_back(owner);
    }
    if (owners.empty()) return;
    constexpr std::size_t kShown = 4;
    const std::size_t shown = std::min(owners.size(), kShown);
    result_.messages.push_back(
        core::words("constraints that closed changed velocities, as an impulse without rebound does: {}{}",
                    fmt::join(owners.begin(), owners.begin() + static_cast<long>(shown), ", "),
                    owners.size() > shown ? fmt::format(" and {} more", owners.size() - shown) : ""));
  }

  // Velocities that were given and that the constraints do not allow.
  void tell_speeds() {
    constexpr double kSmall = 1e-3;    // what files print of a velocity
    constexpr double kNothing = 1e-6;  // of the fastest
    const Eigen::VectorXd& v = result_.state.v;
    std::vector<core::Words> lines;
    for (const system::Weight& w : system_.exact_velocities()) {
      const double given = w.c.head(w.size).dot(start_.v.segment(w.offset, w.size));
      const double found = w.c.head(w.size).dot(v.segment(w.offset, w.size));
      const double size = std::max(std::abs(given), std::abs(found)), off = std::abs(found - given);
      if (off <= kSmall * size || off <= kNothing * v.lpNorm<Eigen::Infinity>()) continue;
      lines.push_back(core::words("  {}: {} {:.6g} → {:.6g}", layout_.block(layout_.block_of(w.offset)).owner,
                                  w.word, given, std::abs(found) < kNothing * size ? 0.0 : found));
    }
    if (lines.empty()) return;
    result_.messages.push_back("start velocities were changed to satisfy the constraints:");
    constexpr std::size_t kShown = 5;
    for (std::size_t k = 0; k < lines.size() && k < kShown; ++k) result_.messages.push_back(lines[k]);
    if (lines.size() > kShown)
      result_.messages.push_back(core::words("  and {} more", lines.size() - kShown));
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

  // Where the search has moved parts on its way, the slip is seen in the model as it was written.
  void tell_gaps_at_start() {
    if (gaps_at_start_.empty() || result_.iterations == 0) return;
    result_.messages.push_back("  as the model is written:");
    for (const core::Words& line : gaps_at_start_) result_.messages.push_back("    " + line);
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
    tell_open_redundant();
    return false;
  }

  // The redundant rows that do not hold, the farthest off first.
  void tell_open_redundant() {
    std::vector<const RedundantRow*> open;
    const auto off = [&](const RedundantRow& row) { return std::abs(rows_.phi()[row.row]); };
    for (const RedundantRow& row : result_.redundant) {
      if (off(row) > std::max(10 * tolerance(), row.slack)) open.push_back(&row);
    }
    std::stable_sort(open.begin(), open.end(),
                     [&](const RedundantRow* a, const RedundantRow* b) { return off(*a) > off(*b); });
    constexpr std::size_t kShown = 8;
    for (std::size_t k = 0; k < open.size() && k < kShown; ++k)
      result_.messages.push_back("  " + describe(system_, *open[k]));
    if (open.size() > kShown) result_.messages.push_back(core::words("  and {} more", open.size() - kShown));
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

// Least changes, one after the other, until the rows that were chosen hold, and with them those that they imply.
class Assembler::Positions {
 public:
  explicit Positions(Assembler& assembler)
      : a_(assembler),
        problem_(assembler.layout_.size(), assembler.system_.exact_coordinates(), &assembler.layout_) {}

  Verdict evaluate(int k) {
    AssemblyResult& result = a_.result_;
    result.iterations = k;
    off_ = a_.largest(result.active, a_.rows_.phi());
    result.violation = a_.largest(a_.positions_, a_.rows_.phi());
    if (off_ > a_.tolerance() || std::isnan(off_)) return k < a_.settings_.maxit ? factor(k) : Verdict::again;
    close();
    if (!a_.conflict()) {
      a_.note_imprecise();
      return Verdict::done;
    }
    // The equations kept hold, others do not: either the choice was made in a poor place, or they contradict.
    if (std::exchange(reranked_, true) || !rechosen()) {
      a_.contradiction();
      return Verdict::failed;
    }
    factored_ = false;
    return evaluate(k);
  }

  Verdict correct(int k) {
    const Eigen::VectorXd d = problem_.solve(Eigen::VectorXd::Zero(a_.layout_.size()), -a_.rows_.phi());
    if (!d.allFinite()) return fail("the assembly equations gave a value that is not a number");
    a_.tell("positions", k, a_.rows_.phi(), d, renewed_);
    if (!a_.step(d, off_)) return fail("assembly stalled: no correction reduces the constraint violation");
    return Verdict::again;
  }

 private:
  // What IC/ERROR allows to be left would be closed by the first step of a formula, whose error, with a tight ERROR, would see nothing else
  // however short the step is. So it is taken away where that is easy.
  void close() {
    constexpr double kClosed = 1e-12, kEasy = 1e4;  // the change, over the gap
    AssemblyResult& result = a_.result_;
    if (off_ <= kClosed * std::max(1.0, assembly::farthest_place(a_.layout_, result.state.q))) return;
    factored_ = false;
    if (!problem_.factor(a_.rows_.gradient(), result.active)) return;
    const Eigen::VectorXd d = problem_.solve(Eigen::VectorXd::Zero(a_.layout_.size()), -a_.rows_.phi());
    if (!(d.lpNorm<Eigen::Infinity>() <= kEasy * off_)) return;
    State before = result.state;
    const bool smaller = a_.step(d, off_) && a_.largest(result.active, a_.rows_.phi()) < off_;
    if (!smaller) {
      result.state = std::move(before);
      a_.evaluate(result.state, false);
    }
    off_ = a_.largest(result.active, a_.rows_.phi());
    result.violation = a_.largest(a_.positions_, a_.rows_.phi());
  }
  bool rechosen() {
    const std::vector<int> before = a_.result_.active;
    a_.choose(a_.positions_);
    return before != a_.result_.active;
  }
  Verdict factor(int k) {
    const std::vector<bool>& pattern = a_.settings_.pattern;
    renewed_ = pattern[static_cast<std::size_t>(k) % pattern.size()];
    if (renewed_ || !factored_) factored_ = problem_.factor(a_.rows_.gradient(), a_.result_.active);
    if (factored_) return Verdict::again;
    // The rank has fallen on the way (a stretched linkage): choose the rows anew.
    factored_ = rechosen() && problem_.factor(a_.rows_.gradient(), a_.result_.active);
    return factored_ ? Verdict::again : fail("the assembly equations are singular");
  }
  Verdict fail(const char* message) {
    a_.fail(message);
    return Verdict::failed;
  }

  Assembler& a_;
  solve::LeastChange problem_;
  double off_ = 0;
  bool reranked_ = false, factored_ = false, renewed_ = false;
};

bool Assembler::positions() {
  evaluate(result_.state, false);
  gaps_at_start_ = describe_gaps(system_, rows_.phi(), tolerance());
  choose(positions_);
  if (solve::newton(Positions(*this), settings_.maxit) == Verdict::done) return true;
  if (result_.messages.empty())
    fail(core::words("the mechanism did not assemble in {} iterations", settings_.maxit));
  tell_gaps_at_start();
  return false;
}

// One least change where all rows are linear in v; velocity rows are taken by their tangent ψ_v at v.
class Assembler::Speeds {
 public:
  explicit Speeds(Assembler& assembler)
      : a_(assembler),
        problem_(assembler.layout_.size(), assembler.system_.exact_velocities(), &assembler.layout_),
        wanted_(assembler.result_.state.v) {
    // A start value without a rate says nothing of velocities.
    const std::vector<int>& silent = a_.system_.start_positions_only();
    const std::set<int> unheld(silent.begin(), silent.end());
    for (const int r : a_.positions_) {
      if (!unheld.contains(r)) all_.push_back(r);
    }
    all_.insert(all_.end(), a_.velocities_.begin(), a_.velocities_.end());
  }

  Verdict evaluate(int k) {
    const State& state = a_.result_.state;
    const bool linear = a_.velocities_.empty();
    take_rates();
    const double size = std::max(1.0, state.v.lpNorm<Eigen::Infinity>());
    const double off = a_.largest(all_, rate_), verror = a_.settings_.verror * size;
    constexpr double kConverged = 1e-12;
    if (k > 0 && off <= kConverged * size) return Verdict::done;
    if (k == 0 || !linear) {
      a_.choose(all_);
      if (!problem_.factor(a_.rows_.gradient(), a_.result_.active)) {
        a_.fail("the velocity equations are singular");
        return Verdict::failed;
      }
    } else if (off <= verror && a_.largest(a_.result_.active, rate_) <= kConverged * size * 1e3) {
      return Verdict::done;
    }
    if (k < a_.settings_.maxit && !(k > 2 && linear)) return Verdict::again;
    contradiction(verror);
    return Verdict::failed;
  }

  Verdict correct(int k) {
    State& state = a_.result_.state;
    const Eigen::VectorXd right = Gv_ - rate_;  // G v_new = G v − rate
    Eigen::VectorXd found = problem_.solve_keeping(wanted_, right);
    if (!all_kept(found)) found = calmer(found, right);
    a_.tell("velocities", k, rate_, found - state.v, true);
    state.v = found;
    if (state.v.allFinite()) return Verdict::again;
    a_.fail("the velocity equations gave a value that is not a number");
    return Verdict::failed;
  }

 private:
  // Of turns, or of all others.
  double largest(const Eigen::VectorXd& v, bool turns) const {
    double most = 0;
    for (int k = 0; k < a_.layout_.size(); ++k) {
      if (a_.layout_.is_turn(k) == turns) most = std::max(most, std::abs(v[k]));
    }
    return most;
  }
  bool all_kept(const Eigen::VectorXd& found) const {
    constexpr double kKept = 1e-6;
    const std::vector<system::Weight>& given = a_.system_.exact_velocities();
    return std::all_of(given.begin(), given.end(), [&](const system::Weight& w) {
      Eigen::Index main = 0;
      w.c.head(w.size).cwiseAbs().maxCoeff(&main);
      const bool turns = a_.layout_.is_turn(w.offset + static_cast<int>(main));
      const double off = w.c.head(w.size).dot((found - wanted_).segment(w.offset, w.size));
      return std::abs(off) <= kKept * std::max(largest(found, turns), largest(wanted_, turns));
    });
  }
  // Given values that the constraints do not allow together are changed as little as can be, whatever that asks of all others: close to a place
  // where these say little, of one part thousands of turns a second. Then all change alike.
  Eigen::VectorXd calmer(const Eigen::VectorXd& found, const Eigen::VectorXd& right) {
    constexpr double kAbsurd = 100;
    solve::LeastChange alike(a_.layout_.size(), {}, &a_.layout_);
    if (!alike.factor(a_.rows_.gradient(), a_.result_.active)) return found;
    const Eigen::VectorXd other = alike.solve(wanted_, right);
    const bool absurd = largest(found, true) > kAbsurd * largest(other, true) ||
                        largest(found, false) > kAbsurd * largest(other, false);
    return absurd ? other : found;
  }
  void take_rates() {
    const State& state = a_.result_.state;
    a_.evaluate(state, false);
    rate_ = a_.rows_.phi_t();
    Gv_ = Eigen::VectorXd::Zero(a_.layout_.row_count());
    a_.rows_.gradient().multiply_add(state.v, Gv_);
    for (const int r : a_.positions_) rate_[r] += Gv_[r];
    for (const int r : a_.system_.start_positions_only()) rate_[r] = 0;
    for (const int r : a_.velocities_) rate_[r] = a_.rows_.phi()[r];
  }
  void contradiction(double verror) {
    std::vector<core::Words>& messages = a_.result_.messages;
    messages = {"the initial velocities contradict each other:"};
    for (const RowId id : worst_rows(a_.system_, rate_, verror)) {
      const assembly::Row& row = a_.layout_.row(id);
      messages.push_back(core::words("  {} ({}): its velocity is off by {:.3g} [{}/time]", row.owner,
                                     equation_words(a_.system_, id), std::abs(rate_[id.index]),
                                     row.residual.unit));
    }
    for (const RedundantRow& row : a_.result_.redundant) {
      if (std::abs(rate_[row.row]) > verror) messages.push_back("  " + describe(a_.system_, row));
    }
  }

  Assembler& a_;
  solve::LeastChange problem_;
  const Eigen::VectorXd wanted_;
  std::vector<int> all_;
  Eigen::VectorXd rate_, Gv_;
};

bool Assembler::speeds() {
  if (settings_.struck) strike();
  return solve::newton(Speeds(*this), settings_.maxit) == Verdict::done;
}

}  // namespace

AssemblyResult initial_conditions(const System& system, const State& start, const AssemblySettings& settings,
                                  Upto upto) {
  return Assembler(system, start, settings).run(upto);
}

}  // namespace trunnion::analysis
