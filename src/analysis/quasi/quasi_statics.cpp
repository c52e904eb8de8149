#include "analysis/quasi/quasi_statics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "analysis/linear/linear.hpp"
#include "analysis/path_events.hpp"
#include "analysis/quasi/jump.hpp"
#include "analysis/quasi/limit.hpp"
#include "analysis/statics/balance_units.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;

namespace {

class Path {
 public:
  Path(const system::System& system, AssemblyResult& from, const StaticSettings& settings,
       const QuasiStaticHooks& hooks)
      : system_(system),
        layout_(system.layout()),
        from_(from),
        settings_(settings),
        hooks_(hooks),
        events_(system, hooks.events, assembly::AnalysisMode::quasi_statics) {
    settings_.mode = assembly::AnalysisMode::quasi_statics;
    settings_.judge = false;
  }

  QuasiStaticResult run(const math::OutputTimes& times) {
    result_.ok = begin(times);
    for (std::size_t k = 0; k < times.size() && result_.ok && result_.events.empty(); ++k) {
      result_.ok = advance(times[k]) && (!result_.events.empty() || write());
    }
    return std::move(result_);
  }

 private:
  struct Judged {
    bool known = false;
    int growing = 0;
    bool diverges = false;  // along a direction that does not turn back, rather than in growing oscillations
  };

  // The path starts in equilibrium.
  bool begin(const math::OutputTimes& times) {
    span_ = times.empty() ? 1 : times.front() - from_.state.t;
    if (!(span_ > 0)) span_ = 1;
    if (!in_balance() && !equilibrium()) return fail_here(result_.messages.size());
    // Along the path and beyond its limit points the search needs no tuning; METHOD=ORIGINAL is for single equilibria.
    settings_.plain_newton = settings_.dynamic = false;
    start_anew();
    judged_ = judge(here_);
    events_.start(here_.state);
    return true;
  }

  // Where it stands already: a new search might go elsewhere from a place that nothing holds.
  bool in_balance() {
    StaticSearch search(system_, from_, settings_, hooks_.listener);
    StaticResult found;
    if (!search.verify(from_.state, found)) return false;
    search.equations().evaluate(from_.state, true);
    return search.equations().largest_imbalance() <= search.tolerance();
  }

  // At the state in from_: rows may have been chosen anew.
  void start_anew() {
    search_.emplace(system_, from_, settings_, hooks_.listener);
    steps_.emplace(system_, *search_);
    steps_->use_span(span_);
    here_.state = from_.state;
    steps_->measure(here_);
  }

  bool equilibrium() {
    const StaticResult found = statics(system_, from_, settings_, hooks_.listener);
    result_.iterations += found.iterations;
    reasons_ = found.messages;
    return found.ok;
  }

  bool fail_here(std::size_t at) {
    result_.error = at;
    result_.messages.insert(result_.messages.end(), reasons_.begin(), reasons_.end());
    return false;
  }

  void say(core::Words line) { result_.messages.push_back(std::move(line)); }

  // What goes into the results has been computed anew.
  bool write() {
    StaticResult found;
    if (search_->verify(here_.state, found)) return hooks_.output(here_.state);
    reasons_ = found.messages;
    say(core::words("t = {:.6g}: the equilibrium found fails its check: imbalance {:.3g} {}", here_.state.t,
                    found.imbalance, found.imbalance_unit));
    return fail_here(result_.messages.size() - 1);
  }

  bool advance(double end) {
    span_ = end - here_.state.t;
    steps_->use_span(span_);
    double h = std::min(step_ > 0 ? step_ : span_, span_);
    while (here_.state.t < end && result_.events.empty()) {
      if (!search_->goes_on()) return false;
      const bool last = end - here_.state.t - h < 1e-9 * span_;
      const double t = last ? end : here_.state.t + h;
      const int before = search_->iterations();
      const Step taken = step(t, h, end);
      if (search_->iterations() > before) result_.iterations += search_->iterations() - before;
      if (taken == Step::done) {
        constexpr double kMostly = 0.02;  // bend to aim at; it falls with h²
        // A linear mechanism may bend its path as it likes: nothing is missed on the way.
        const double least = steps_->linear() ? 1.0 : 0.6;
        const double factor = std::clamp(std::sqrt(kMostly / std::max(steps_->bend(), 1e-12)), least, 4.0);
        h = factor * h;
        step_ = last && factor >= 1 ? std::max(step_, h) : h;
        continue;
      }
      if (taken == Step::failed) return false;
      if (taken == Step::elsewhere) {
        h = span_ / 16;
        continue;
      }
      h = (t - here_.state.t) / 2;
      if (h > shortest()) continue;
      if (!stuck(end)) return false;
      h = span_ / 16;
    }
    return true;
  }

  enum class Step { done, refused, elsewhere, failed };

  Step step(double t, double h, double end) {
    PathPoint next;
    const bool divisible = h > 2 * shortest();
    if (divisible && !steps_->turns_known(here_, t)) return Step::refused;
    if (steps_->to_time(here_, t, h < kShort * span_, next)) {
      // A motion that begins and ends within the step: what it is geared to may have turned any way.
      constexpr double kLittle = 0.01;  // rad
      if (divisible && steps_->unexplained() && steps_->driven_turn(here_, t) > kLittle) return Step::refused;
      // Rates do not explain the way, but nothing else has changed: forces of time alone may have jumped.
      if (steps_->unexplained()) {
        if (const auto jump = find_force_jump(*search_, here_.state, t, shortest())) say_jump(*jump);
      }
      return arrive(next) ? Step::done : Step::failed;
    }
    if (!steps_->parted().empty()) return Step::refused;
    const PathSteps::Arc start = steps_->start_along(here_);
    const double ds = (t - here_.state.t) * steps_->size(here_.state, here_.rate);
    PathSteps::Arc arc;
    if (!(ds > kLeastArc) || !steps_->along(start, ds, arc)) return Step::refused;
    if (arc.slope < 0) {
      const PathSteps::Arc limit = find_limit(*steps_, start, arc, ds, shortest());
      return snap(limit, ds, end) ? Step::elsewhere : Step::failed;
    }
    if (!(arc.point.state.t > here_.state.t && arc.point.state.t < t)) return Step::refused;
    return arrive(arc.point) ? Step::elsewhere : Step::failed;
  }

  // A step has been taken: whatever happened on the way.
  bool arrive(PathPoint& next) {
    ++result_.steps;
    const PathPoint before = here_;
    here_ = next;
    const auto at = [&](double t, State& state) {
      PathPoint there;
      if (!steps_->to_time(before, t, true, there)) return false;
      state = there.state;
      return true;
    };
    result_.events = events_.happened(here_.state, before.state.t, at);
    if (!result_.events.empty()) steps_->measure(here_);
    from_.state = here_.state;
    watch_stability(before);
    return true;
  }

  Judged judge(const PathPoint& point) {
    AssemblyResult at = from_;
    at.state = point.state;
    const StabilityResult found = judge_stability(system_, at, search_->known_force());
    return {found.stability != Stability::unknown, found.growing, found.away.size() > 0};
  }

  void watch_stability(const PathPoint& before) {
    const Judged now = judge(here_);
    const Judged was = std::exchange(judged_, now);
    if (now.known && was.known && now.growing != was.growing) {
      say_change(change_between(before, was.growing), was, now);
      leaving_ = settings_.leave_unstable && now.growing > was.growing;
    }
    if (leaving_ && now.growing > 0) leave();
  }

  double change_between(PathPoint low, int growing) {
    double high = here_.state.t;
    PathPoint middle;
    while (high - low.state.t > shortest()) {
      const double t = 0.5 * (low.state.t + high);
      // A path in balance to the last digit takes no iteration that would ask whether to stop.
      if (!(t > low.state.t && t < high) || !search_->goes_on()) break;
      if (!steps_->to_time(low, t, true, middle)) break;
      if (judge(middle).growing == growing) low = middle;
      else high = t;
    }
    return 0.5 * (low.state.t + high);
  }

  void say_change(double t, const Judged& was, const Judged& now) {
    const char* then = settings_.leave_unstable
                           ? "EQUILIBRIUM/LEAVE_UNSTABLE looks for the stable branch"
                           : "it is followed on; EQUILIBRIUM/LEAVE_UNSTABLE moves to the stable branch";
    if (now.growing < was.growing) {
      say(core::words("t = {:.9g}: {}", t,
                      now.growing == 0 ? "the path becomes stable here" : "fewer motions grow from here on"));
    } else if (now.diverges) {
      say(core::words("t = {:.9g}: the path loses stability here (bifurcation); {}", t, then));
    } else {
      say(core::words(
          "t = {:.9g}: the path loses stability here (flutter: oscillations grow); it is followed on", t));
    }
  }

  // LEAVE_UNSTABLE: off along the growing direction. Close to a bifurcation the branches are together still; then a step later.
  void leave() {
    const State last = here_.state;
    StaticSettings judging = settings_;
    judging.judge = true;
    from_.state = last;
    const StaticResult found = statics(system_, from_, judging, hooks_.listener);
    result_.iterations += found.iterations;
    constexpr double kMoved = 1e-3;
    if (!found.ok || search_->distance(last, from_.state) < kMoved) {
      from_.state = last;
      return;
    }
    leaving_ = false;
    say(core::words("  t = {:.6g}: {}", last.t, move_from(last)));
    start_anew();
    judged_ = judge(here_);
  }

  core::Words move_from(const State& last) {
    return describe_move(layout_, search_->equations().length_scale(), last, from_.state, hooks_.length_unit);
  }

  // No step, however short, leads on, and the path does not turn back smoothly.
  bool stuck(double end) {
    if (!steps_->parted().empty()) return conflict();
    const double later = std::min(end, here_.state.t + kPast * shortest());
    if (const auto jump = find_force_jump(*search_, here_.state, later, shortest()))
      return go_with(*jump, later);
    // An output time may be that of the limit point: then the way to it is shorter than any step, and past it the path turns back.
    const PathSteps::Arc start = steps_->start_along(here_);
    PathSteps::Arc past;
    for (double ds = kNearest; ds < kLongestTurn; ds *= 4) {
      if (!steps_->along(start, ds, past, true) || past.slope > 0) continue;
      return snap(find_limit(*steps_, start, past, ds, shortest(), true), ds, end);
    }
    return snap(start, 0, end);
  }

  void say_jump(const ForceJump& jump) {
    const bool force = jump.equation < layout_.size();
    say(core::words("t = {:.9g}: {}: {} by {}", jump.t, force ? "forces jump" : "a motion jumps",
                    describe(*search_, layout_, jump),
                    force ? balance_text(system_, jump.equation, jump.by) : row_text(jump)));
  }

  core::Words row_text(const ForceJump& jump) {
    const int row = search_->equations().stage().row_of_active(jump.equation - layout_.size());
    return core::words("{:.4g} [{}]", jump.by, layout_.row(RowId{row}).residual.unit);
  }

  bool go_with(const ForceJump& jump, double later) {
    const State last = here_.state;
    say_jump(jump);
    from_.state.t = later;
    if (!equilibrium()) {
      from_.state = last;
      say(core::words("t = {:.9g}: no equilibrium with the forces after it was found", last.t));
      return fail_here(result_.messages.size() - 1);
    }
    say("  " + move_from(last));
    return arrive_elsewhere(last);
  }

  bool arrive_elsewhere(const State& last) {
    ++result_.steps;
    start_anew();
    judged_ = judge(here_);
    // The way there is no path: what a sensor sees it sees after it.
    const auto nowhere = [](double, State&) { return false; };
    result_.events = events_.happened(here_.state, last.t, nowhere);
    return true;
  }

  // The path has turned back in time: the forces take the mechanism on in the direction it was going, to another equilibrium. Close
  // to the limit point they are too small to tell it from one, so each start is farther from it, and later, than the one before.
  bool snap(const PathSteps::Arc& limit, double ds, double end) {
    const State last = limit.point.state;
    constexpr double kOfStep = 1e-2, kFarthest = 1, kAside = 4, kLater = 8;
    double after = kPast * shortest();
    Try tried = Try::nothing;
    bool spent = false;
    for (double aside = std::max(kOfStep * ds, kNearest);
         aside < kFarthest && (tried == Try::nothing || tried == Try::spent);
         aside *= kAside, after *= kLater) {
      tried = go_on_from(limit, aside, std::min(end, last.t + after));
      spent = spent || tried == Try::spent;
    }
    const bool turned = ds > 0;
    if (tried != Try::found)
      return no_way_on(last, end, turned, spent ? Search::spent : Search::not_converged);
    say(core::words("t = {:.9g}: {}the equilibrium that was followed ends here{}", last.t,
                    turned ? "limit point: " : "", turned ? " (snap-through)" : ""));
    say("  " + move_from(last));
    return arrive_elsewhere(last);
  }

  enum class Try { found, nothing, runs_away, spent };

  // What is found must be several times as far from the limit point as the start.
  Try go_on_from(const PathSteps::Arc& limit, double aside, double t) {
    constexpr double kElsewhere = 3;
    const State& last = limit.point.state;
    from_.state = last;
    from_.state.t = t;
    search_->equations().add(limit.direction, aside, from_.state);
    const double away = std::max(search_->distance(last, from_.state), kNearest);
    search_->count_anew();
    const Search ended = search_->descend(from_.state, StaticSearch::Merit::work);
    if (ended == Search::runs_away) return Try::runs_away;
    if (ended == Search::spent) return Try::spent;
    StaticResult checked;
    if (ended != Search::converged || !search_->verify(from_.state, checked)) return Try::nothing;
    return search_->distance(last, from_.state) > kElsewhere * away ? Try::found : Try::nothing;
  }

  bool no_way_on(State last, double end, bool turned, Search ended) {
    from_.state = here_.state;
    say(core::words("t = {:.9g}: {}; no equilibrium beyond it was found", last.t,
                    turned ? "limit point" : "the path of equilibria ends"));
    last.t = end;
    reasons_.clear();
    reasons_.push_back(core::words("  with the forces of t = {:.6g} at this place:", end));
    for (const core::Words& line : search_->explain(last, ended)) reasons_.push_back("    " + line);
    return fail_here(result_.messages.size() - 1);
  }

  bool conflict() {
    say(core::words("t = {:.6g}: the path cannot go on: supports that agreed so far contradict each other",
                    here_.state.t));
    result_.error = result_.messages.size() - 1;
    for (const RedundantRow& row : steps_->parted())
      say(core::words("  {}, and is off by {:.3g} [{}] at t = {:.6g}", describe(system_, row),
                      std::abs(steps_->parted_phi()[row.row]), layout_.row(RowId{row.row}).residual.unit,
                      steps_->parted_at()));
    say("  try: leave out one of them, or make their functions agree");
    return false;
  }

  // Late in a long run the clock itself is coarser than a part of a short output step.
  double shortest() const {
    constexpr double kOfClock = 4 * 2.2e-16;
    return std::max(kShortest * span_, kOfClock * std::abs(here_.state.t));
  }

  static constexpr double kShortest = 1e-9, kShort = 1e-4;  // steps, of an output step
  static constexpr double kPast = 4;                        // shortest steps beyond a jump or a limit point
  static constexpr double kNearest = 1e-6;  // radians or lengths: what another place is away at least
  static constexpr double kLongestTurn = 1e-2;
  static constexpr double kLeastArc = 1e-8;  // radians or lengths

  const system::System& system_;
  const assembly::Layout& layout_;
  AssemblyResult& from_;
  StaticSettings settings_;
  const QuasiStaticHooks& hooks_;
  PathEvents events_;
  std::optional<StaticSearch> search_;
  std::optional<PathSteps> steps_;
  PathPoint here_;
  Judged judged_;
  bool leaving_ = false;  // since stability was lost
  double span_ = 1, step_ = 0;
  std::vector<core::Words> reasons_;  // of the last search that failed
  QuasiStaticResult result_;
};

}  // namespace

QuasiStaticResult quasi_statics(const system::System& system, AssemblyResult& from,
                                const math::OutputTimes& times, const StaticSettings& settings,
                                const QuasiStaticHooks& hooks) {
  from.state.v.setZero();
  from.state.a.setZero();
  return Path(system, from, settings, hooks).run(times);
}

}  // namespace trunnion::analysis
