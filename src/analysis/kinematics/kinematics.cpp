#include "analysis/kinematics/kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "analysis/path_events.hpp"
#include "assembly/chart.hpp"
#include "sparse/selection.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;
using system::System;

namespace {

class Mover {
 public:
  Mover(const System& system, AssemblyResult& from, const KinematicSettings& settings,
        const std::vector<integrate::Event>& events)
      : system_(system),
        layout_(system.layout()),
        from_(from),
        settings_(settings),
        place_(system, settings),
        events_(system, events, assembly::AnalysisMode::kinematics),
        before_(from.state),
        trial_(from.state),
        probe_(from.state),
        safe_(from.state) {}

  KinematicResult run(const math::OutputTimes& times, const std::function<void(const State&)>& output,
                      const std::function<bool()>& go_on) {
    if (!begin()) return std::move(result_);
    State& state = from_.state;
    events_.start(state);
    for (std::size_t k = 0; k < times.size() && result_.events.empty();) {
      if (state.t < times[k] && !reach(times[k])) return finish(false);
      for (; k < times.size() && times[k] <= state.t; ++k) {
        if (go_on && !go_on()) return finish(false);
        if (times[k] == state.t) {
          output(state);
        } else {
          output(between(safe_, state, times[k]));
        }
      }
    }
    return finish(true);
  }

 private:
  struct Visit {  // an accepted place, as far as toggle points are concerned
    double regularity = 0;
    int orientation = 0;
  };

  // The state this starts from is consistent; its Jacobian is the measure for those that follow.
  bool begin() {
    if (static_cast<int>(from_.active.size()) != layout_.size()) {
      result_.messages.push_back("a kinematic analysis needs as many independent equations as coordinates");
      return false;
    }
    for (const int r : from_.active) {
      if (layout_.row(RowId{r}).level == assembly::RowLevel::position) continue;
      result_.messages.push_back(core::words(
          "{} holds a velocity and leaves the position open: a kinematic analysis cannot follow it",
          layout_.row_name(RowId{r})));
      result_.messages.push_back("  try: SIMULATE/DYNAMICS, or the same as a relation of positions");
      return false;
    }
    place_.use_rows(from_.active, from_.redundant);
    return look();
  }

  // Takes the measure of the present place.
  bool look() {
    probe_ = from_.state;
    const Placing found = place_.find_positions(probe_, probe_.t);
    place_.keep_best();
    here_ = earlier_ = {place_.regularity(), place_.orientation()};
    before_ = from_.state;
    return found == Placing::done || found == Placing::singular;
  }

  // Moves to `time`, or across it where it is a toggle point.
  bool reach(double time) {
    State& state = from_.state;
    const double whole = time - state.t;
    const double smallest = 1e-7 * whole;
    double h = settings_.hmax > 0 ? std::min(settings_.hmax, whole) : whole;
    safe_ = state;
    safe_regularity_ = here_.regularity;
    bool chosen_anew = false;
    while (state.t < time) {
      // A remainder that is rounding is no step.
      const bool last = state.t + h * (1 + 1e-9) >= time;
      trial_ = state;
      Placing found = place_.find_all(trial_, last ? time : state.t + h);
      if (found == Placing::done && !plainly_followed(state, trial_)) found = Placing::not_converged;
      if (found == Placing::done) {
        if (happened()) return true;
        arrive();
        h = std::min(2 * h, settings_.hmax > 0 ? settings_.hmax : whole);
        continue;
      }
      if (found != Placing::not_converged && !chosen_anew) {
        chosen_anew = true;
        if (choose_rows_anew()) continue;
      }
      h = std::min(h, time - state.t) / 2;
      if (h >= smallest) continue;
      if (found == Placing::conflict) return conflict();
      return leap() || locked(2 * h, time);
    }
    return true;
  }

  // Newton finds a place that satisfies the constraints; that it is the one the motion leads to is plain only where no body
  // turns far: a linkage has more than one way to close.
  bool plainly_followed(const State& from, const State& to) const {
    constexpr double kTurn = 1.0;  // rad
    const double h = to.t - from.t;
    const double spin =
        std::max(assembly::largest_move(layout_, from.v).turn, assembly::largest_move(layout_, to.v).turn);
    if (!(spin * h <= kTurn)) return false;
    return assembly::turns_known(layout_, from, to);
  }

  // Whether SENSORs act on the way to the trial, which is then the new state, at their time.
  bool happened() {
    const State& last = from_.state;
    result_.events = events_.happened(trial_, last.t, [&](double t, State& state) {
      state = last;
      return place_.find_all(state, t) == Placing::done;
    });
    if (result_.events.empty()) return false;
    from_.state = trial_;
    ++result_.steps;
    return true;
  }

  // The trial is the new state.
  void arrive() {
    std::swap(from_.state, trial_);  // trial_ is where the step started
    ++result_.steps;
    const Visit now{place_.regularity(), place_.orientation()};
    place_.keep_best();
    // Far enough from a toggle point to start a leap from.
    if (now.regularity >= KinematicPlace::kSafe * place_.best_regularity()) {
      safe_ = from_.state;
      safe_regularity_ = now.regularity;
    }
    if (now.orientation * here_.orientation < 0 ? cross(trial_, now) : dip(now)) return;
    std::swap(before_, trial_);  // the last but one
    earlier_ = here_;
    here_ = now;
  }

  // A time and the smallest singular value there.
  struct Reading {
    double t = 0, regularity = 0;
  };
  // On both sides of a toggle point the smallest singular value falls towards zero along a line.
  static double zero_between(const Reading& a, const Reading& b) {
    return (a.t * b.regularity + b.t * a.regularity) / (a.regularity + b.regularity);
  }

  // Between two places on either side the determinant vanishes. True where other rows are used from here on.
  bool cross(const State& from, const Visit& now) {
    Reading low{from.t, here_.regularity}, high{from_.state.t, now.regularity};
    constexpr int kHalvings = 30;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low.t + high.t) / 2;
      probe_ = from;
      if (place_.find_positions(probe_, middle) != Placing::done) break;
      (place_.orientation() == here_.orientation ? low : high) = {middle, place_.regularity()};
    }
    return pass_toggle(zero_between(low, high));
  }

  // Several singular values may pass zero at once and leave the sign as it was: the smallest one then has a sharp minimum.
  bool dip(const Visit& now) {
    const double best = place_.best_regularity();
    constexpr double kLow = 0.5, kTouches = KinematicPlace::kSingular;
    const double rim = std::min(earlier_.regularity, now.regularity);
    if (here_.regularity >= rim || here_.regularity > kLow * best || last_toggle_ >= before_.t) return false;
    const auto read = [&](double t) -> Reading {
      probe_ = before_;
      const Placing found = place_.find_positions(probe_, t);
      if (found == Placing::singular) return {t, 0.0};
      return {t, found == Placing::done ? place_.regularity() : std::numeric_limits<double>::infinity()};
    };
    // Golden section.
    constexpr double kGolden = 0.6180339887498949;
    Reading a{before_.t, earlier_.regularity}, b{from_.state.t, now.regularity};
    Reading c = read(b.t - kGolden * (b.t - a.t)), d = read(a.t + kGolden * (b.t - a.t));
    // Towards a zero each section takes a third off; towards a smooth minimum it soon takes nothing.
    constexpr int kSections = 40, kPatience = 10;
    for (int k = 0; k < kSections && std::min(c.regularity, d.regularity) > 0; ++k) {
      if (k == kPatience && std::min(c.regularity, d.regularity) > 0.1 * rim) return false;
      if (c.regularity < d.regularity) {
        b = d;
        d = c;
        c = read(b.t - kGolden * (b.t - a.t));
      } else {
        a = c;
        c = d;
        d = read(a.t + kGolden * (b.t - a.t));
      }
    }
    return std::min(c.regularity, d.regularity) < kTouches * best && pass_toggle(zero_between(a, b));
  }

  // At the place last looked at the rows in use are dependent. Where rows left out as redundant still hold the mechanism, they
  // take over, and it is no toggle point.
  bool pass_toggle(double time) {
    if (choose_rows_anew()) return true;
    report_toggle(time);
    return false;
  }

  void report_toggle(double time) {
    last_toggle_ = time;
    result_.messages.push_back(
        core::words("t = {:.6g}: toggle point: the mechanism passes a singular configuration", time));
    report_rows();
    // How much rank is lost there.
    std::vector<RedundantRow> dependent;
    independent_rows(layout_, place_.constraints().gradient(), place_.active(), dependent, kAtToggle);
    if (dependent.empty()) return;
    result_.messages.push_back(core::words("  rank lost there: {}", dependent.size()));
    constexpr std::size_t kShown = 5;
    for (std::size_t k = 0; k < std::min(kShown, dependent.size()); ++k)
      result_.messages.push_back("    " + describe(system_, dependent[k]));
  }

  void report_rows() {
    core::Words names;
    const std::vector<int> rows = place_.singular_rows();
    constexpr std::size_t kShown = 6;
    for (std::size_t k = 0; k < std::min(kShown, rows.size()); ++k)
      names += (k > 0 ? "; " : "") + layout_.row_words(RowId{rows[k]});
    if (rows.size() > kShown) names += core::words("; and {} more", rows.size() - kShown);
    result_.messages.push_back("  rows involved: " + names);
  }

  // Rows left out as redundant may be needed where the ones kept become dependent, as at the place last evaluated. False where
  // the choice stays.
  bool choose_rows_anew() {
    const State& state = from_.state;
    std::vector<int> all = place_.active();
    for (const RedundantRow& r : place_.redundant()) all.push_back(r.row);
    std::sort(all.begin(), all.end());
    // A row that has shrunk to nothing holds nothing, whatever its direction.
    std::vector<int> rows, gone = place_.vanished_rows(kAtToggle);
    std::set_difference(all.begin(), all.end(), gone.begin(), gone.end(), std::back_inserter(rows));
    std::vector<RedundantRow> redundant;
    std::vector<int> active =
        independent_rows(layout_, place_.constraints().gradient(), rows, redundant, kAtToggle);
    for (const int r : all) {
      if (std::binary_search(gone.begin(), gone.end(), r)) redundant.push_back(RedundantRow{r});
    }
    give_slack(layout_, from_.data, redundant);
    if (active == from_.active || static_cast<int>(active.size()) != layout_.size()) return false;
    const auto tell = [&](const std::vector<int>& a, const std::vector<int>& b, const char* what) {
      std::vector<int> only;
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
      for (const int r : only)
        result_.messages.push_back(
            core::words("t = {:.6g}: {} {}", state.t, layout_.row_words(RowId{r}), what));
    };
    tell(active, from_.active, "is no longer redundant and takes part");
    tell(from_.active, active, "has become redundant and is left out");
    from_.active = std::move(active);
    from_.redundant = std::move(redundant);
    place_.use_rows(from_.active, from_.redundant);
    return look();
  }

  // From a place well before a toggle point to one as far behind it; where the motion goes on, it goes on smoothly.
  bool leap() {
    const double gap = from_.state.t - safe_.t;
    if (!(gap > 0)) return false;
    for (const double times : {1.0, 4.0, 16.0}) {
      trial_ = safe_;
      const double length = (1 + times) * gap;
      if (place_.find_all(trial_, safe_.t + length) != Placing::done) continue;
      const double change = (trial_.v - safe_.v).lpNorm<Eigen::Infinity>();
      const double expected =
          0.1 * safe_.v.lpNorm<Eigen::Infinity>() + 2 * length * safe_.a.lpNorm<Eigen::Infinity>();
      if (!(change <= expected)) continue;
      const State from = safe_;
      const Visit now{place_.regularity(), place_.orientation()};
      from_.state = trial_;
      ++result_.steps;
      const double middle = zero_between({from.t, safe_regularity_}, {trial_.t, now.regularity});
      probe_ = from;
      place_.find_positions(probe_, middle);
      report_toggle(middle);
      safe_ = from;
      here_ = earlier_ = now;
      before_ = from_.state;
      return true;
    }
    return false;
  }

  // Across a toggle point: places by a cubic, since there the equations do not determine the rates.
  State between(const State& a, const State& b, double t) const {
    const double h = b.t - a.t, s = (t - a.t) / h;
    Eigen::VectorXd d(layout_.size());
    assembly::difference(layout_, a.q, b.q, d);
    State out = b;
    out.t = t;
    const Eigen::VectorXd at =
        (s * s * (3 - 2 * s)) * d + (h * s * (1 - s) * (1 - s)) * a.v - (h * s * s * (1 - s)) * b.v;
    assembly::retract(layout_, a.q, at, out.q);
    out.v = (6 * s * (1 - s) / h) * d + ((1 - s) * (1 - 3 * s)) * a.v + (s * (3 * s - 2)) * b.v;
    out.a = (1 - s) * a.a + s * b.a;
    out.lambda = (1 - s) * a.lambda + s * b.lambda;
    return out;
  }

  bool conflict() {
    const State& state = from_.state;
    result_.messages.push_back(core::words(
        "t = {:.6g}: the motion cannot go on: constraints that agreed so far contradict each other",
        state.t));
    for (const RedundantRow& row : place_.conflicts(trial_)) {
      result_.messages.push_back(core::words("  {}, and is off by {:.3g} [{}] at t = {:.6g}",
                                             describe(system_, row),
                                             std::abs(place_.constraints().phi()[row.row]),
                                             layout_.row(RowId{row.row}).residual.unit, trial_.t));
    }
    result_.messages.push_back("  try: leave out one of them, or make their functions agree");
    return false;
  }

  // Where a function has no value: the motion, or a force.
  bool undefined(double h, double next) {
    System::Workspace work(system_, assembly::AnalysisMode::kinematics);
    auto causes = system_.not_finite(trial_, work, System::Asked::values);
    // A root ends with a rate without end: the last step before it fails, also where the end is the next row.
    for (const double t : {next, next + h}) {
      if (!causes.empty()) break;
      probe_ = from_.state;
      probe_.t = t;
      causes = system_.not_finite(probe_, work, System::Asked::values);
    }
    if (causes.empty()) return false;
    result_.messages.push_back(core::words(
        "t = {:.6g}, h = {:.2g}: the motion cannot go on: a value is not a number", from_.state.t, h));
    for (const core::Words& cause : causes) result_.messages.push_back("  " + cause);
    result_.messages.push_back("  try: MAX, MIN or IF that keep the argument where the function is defined");
    return true;
  }

  bool locked(double h, double next) {
    const State& state = from_.state;
    if (undefined(h, next)) return false;
    probe_ = state;
    place_.find_positions(probe_, state.t);
    result_.messages.push_back(
        core::words("t = {:.6g}, h = {:.2g}: the motion cannot go on; the mechanism locks up", state.t, h));
    report_rows();
    probe_ = state;
    probe_.t += h;
    assembly::retract(layout_, probe_.q, h * probe_.v, probe_.q);
    place_.evaluate(probe_);
    for (const core::Words& line :
         describe_gaps(system_, place_.constraints().phi(), place_.tolerance(state)))
      result_.messages.push_back("  " + line);
    result_.messages.push_back("  try: a MOTION that the lengths allow, or a shorter stroke");
    return false;
  }

  KinematicResult finish(bool ok) {
    result_.ok = ok;
    result_.iterations = place_.iterations();
    return std::move(result_);
  }

  // A search for a toggle point ends within kSingular of it.
  static constexpr double kAtToggle = 10 * KinematicPlace::kSingular;

  const System& system_;
  const assembly::Layout& layout_;
  AssemblyResult& from_;
  KinematicSettings settings_;
  KinematicPlace place_;
  PathEvents events_;
  State before_, trial_, probe_;  // the place before the last, and room for trials
  State safe_;                    // the last place well away from a toggle point
  double safe_regularity_ = 0;
  Visit here_, earlier_;
  double last_toggle_ = -std::numeric_limits<double>::infinity();
  KinematicResult result_;
};

}  // namespace

KinematicResult kinematics(const System& system, AssemblyResult& from, const math::OutputTimes& times,
                           const KinematicSettings& settings, const std::function<void(const State&)>& output,
                           const std::function<bool()>& go_on, const std::vector<integrate::Event>& events) {
  return Mover(system, from, settings, events).run(times, output, go_on);
}

std::vector<core::Words> free_coordinates(const System& system, const AssemblyResult& assembled) {
  System::Workspace work(system, assembly::AnalysisMode::kinematics);
  system::Levels rows(system.layout());
  rows.evaluate_rows(system, assembled.state, work, false);
  sparse::RowSelection active;
  active.choose(rows.gradient(), assembled.active);
  std::vector<core::Words> names;
  const assembly::Layout& layout = system.layout();
  for (const int column : sparse::row_rank(active.matrix()).free_columns) {
    if (layout.is_mechanical(column)) names.push_back(layout.column_name(column));
  }
  return names;
}

}  // namespace trunnion::analysis
