#include "integrate/step_loop.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "assembly/chart.hpp"
#include "integrate/event_finder.hpp"
#include "integrate/place_watch.hpp"
#include "integrate/rank_watch.hpp"
#include "integrate/row_watch.hpp"
#include "integrate/step_trouble.hpp"
#include "integrate/touch_watch.hpp"

namespace trunnion::integrate {

using assembly::RowId;
using assembly::State;
using solve::Outcome;
using system::System;

namespace {

class Loop {
 public:
  Loop(const System& system, Formula& formula, solve::StageSolver& solver, const LoopSettings& settings,
       const LoopHooks& hooks)
      : system_(system),
        formula_(formula),
        solver_(solver),
        settings_(settings),
        hooks_(hooks),
        work_(system, settings.mode),
        rank_(system, solver),
        touches_(system, work_),
        places_(system, work_),
        rows_(system, solver),
        events_(system, formula, hooks.events, work_),
        trouble_(system, formula, solver, rank_, work_),
        error_offenders_(static_cast<std::size_t>(system.layout().size()), 0),
        corrector_offenders_(static_cast<std::size_t>(solver.equations().size()), 0) {
    for (const system::Constraint& c : system.constraints())
      constraints_work_ = constraints_work_ || c.kind == model::kind_of<model::Motion>() ||
                          c.element == system::Constraint::Element::gcon;
  }

  LoopResult run(State& state, double end, const math::OutputTimes& output_times) {
    std::vector<State> past{state};
    past.insert(past.end(), settings_.earlier.begin(), settings_.earlier.end());
    formula_.start(past);
    if (hooks_.started) hooks_.started(state);
    solver_.renew(solve::NewMatrix::first);
    trial_ = state;
    times_ = output_times;
    next_ = times_.count_upto(state.t);
    events_.begin(state);
    touches_.begin(state);
    if (!settings_.fixed) places_.begin(state);
    if (!touches_.idle()) tell(touches_.at_start(), state.t, true);
    base_c_ = solver_.settings().c;
    end_ = end;
    trouble_.begin(state.t);
    double h = std::min(settings_.hinit, settings_.hmax);
    const double scale = std::max(std::abs(state.t), std::abs(end));
    while (end - state.t > 1e-13 * scale) {
      if (hooks_.interrupted && hooks_.interrupted()) {
        result_.end = LoopEnd::interrupted;
        break;
      }
      h = fitted(h, end - state.t);
      if (!settings_.fixed) h = before_two_knots(state.t, h);
      if (!attempt(state, h)) {
        if (result_.end != LoopEnd::done) break;
        continue;
      }
      if (!commit(state)) break;
      constexpr double kRegain = 1.25;
      ceiling_ *= kRegain;
      h = std::max(formula_.next_step(error_, std::min(settings_.hmax, ceiling_)), settings_.hmin);
      if (settings_.fixed) h = settings_.hinit;
    }
    if (result_.end == LoopEnd::done && !solver_.reconcile(state, work_)) {
      result_.end = LoopEnd::inconsistent;
      result_.messages.push_back(solver_.message());
    }
    name_offenders();
    rows_.name_worst(result_.counts);
    return std::move(result_);
  }

 private:
  // Counted by place while stepping, by name at the end.
  void name_offenders() {
    for (std::size_t k = 0; k < error_offenders_.size(); ++k) {
      if (error_offenders_[k] > 0)
        result_.counts.offenders[system_.layout().column_name(static_cast<int>(k))] += error_offenders_[k];
    }
    for (std::size_t k = 0; k < corrector_offenders_.size(); ++k) {
      if (corrector_offenders_[k] > 0)
        result_.counts.offenders[solver_.equations().equation_name(static_cast<int>(k))] +=
            corrector_offenders_[k];
    }
  }

  // Meets the end without a last step that is much shorter than the others.
  double fitted(double h, double remaining) const {
    constexpr double kRounding = 1e-8;  // of many equal steps
    if (h >= remaining * (1 - kRounding)) return remaining;
    if (settings_.fixed) return h;
    return 2 * h > remaining ? std::max(remaining / 2, std::min(settings_.hmin, remaining)) : h;
  }

  // Ends between two knots rather than beyond both, where what happens between them would be passed over; the error test then sees it.
  double before_two_knots(double t, double h) {
    const std::vector<double>& knots = settings_.knots;
    while (knot_ < knots.size() && knots[knot_] <= t) ++knot_;
    if (knot_ + 1 >= knots.size() || knots[knot_ + 1] >= t + h) return h;
    return std::min(h, std::max(0.5 * (knots[knot_] + knots[knot_ + 1]) - t, settings_.hmin));
  }

  StepAttempt about(long step, double t, double h) const {
    return {step, formula_.order(), t, h, solver_.counts().iterations};
  }

  // One try. False: repeat with another h, unless the result's end says otherwise.
  bool attempt(State& state, double& h) {
    if (state.t + h == state.t) return too_small(state, h, StepFailure::rounding);
    if (cuts_ == 0) full_h_ = h;
    if (hooks_.attempt) hooks_.attempt(about(result_.counts.steps + 1, state.t, h));
    // What the corrector leaves must be small beside what the formula leaves, also where the step is held below what ERROR
    // would allow. A floor keeps it above rounding.
    constexpr double kFloor = 1e-5;
    solver_.settings().c = base_c_ * std::clamp(error_, kFloor, 1.0) + settings_.adaptivity / h;
    outcome_ = formula_.step(h, solver_, work_, trial_);
    if (outcome_ == Outcome::not_finite) trouble_.no_number(trial_);
    if (outcome_ != Outcome::converged) return after_failure(state, h);
    error_ = formula_.error(trial_);
    if (settings_.fixed && settings_.max_error > 0 && error_ > settings_.max_error)
      return above_maxerr(state, h);
    constexpr double kHolds = 0.3;  // an error by which the next step is about as long
    if (error_ > 1 && is_rounding()) error_ = kHolds;
    const double limit = leaps_ > 1 ? std::max(1.0, settings_.leap_error) : 1.0;  // rank was found lost
    if (!(error_ <= limit) && !(settings_.fixed && std::isfinite(error_))) {
      ++result_.counts.rejected_by_error;
      const int who = formula_.worst_entry();
      ++error_offenders_[static_cast<std::size_t>(who)];
      if (hooks_.rejected)
        hooks_.rejected(core::words("the error is {:.3g} times ERROR, most of it in {}", error_,
                                    system_.layout().column_name(who)));
      const double shorter = formula_.smaller_step(error_, Rejection::error);
      if (may_read_reactions(who) && ++cut_by_states_ >= kCutsBeforeFresh && !settings_.fixed)
        begin_afresh(state);
      return shorten(state, h, shorter, StepFailure::error);
    }
    return settings_.fixed || !(begins_too_deep(state, h) || passes_unseen(state, h));
  }

  // Kept rows hide where.
  bool may_lose_rank() const { return solver_.settings().keep_redundant || !rank_.here().empty(); }

  // Whether the error is no larger than what rounding of places makes of it where constraints are close to losing rank: a shorter step
  // would make it larger.
  bool is_rounding() {
    if (settings_.fixed || (near_ == 0 && !may_lose_rank())) return false;
    formula_.note_rounding(solver_, trial_);
    if (!(formula_.error_beyond_rounding() <= 1)) return false;
    if (hooks_.note && !std::exchange(rounding_told_, true))
      hooks_.note(core::words(
          "t = {:.6g}: constraints are close to losing rank: rounding of places makes an error of "
          "{:.2g} times ERROR, which no shorter step would mend; such steps are accepted",
          trial_.t, error_));
    return true;
  }

  // A formula that holds places alone leaves velocities across the constraints. A much shorter step answers those with reactions
  // as much larger, so that a state that reads reactions errs alike whatever the step: velocities, accelerations and reactions are made
  // consistent, and the formula forgets its past.
  bool may_read_reactions(int entry) const {
    const assembly::Segment& z = system_.layout().states();
    return !solver_.equations().levels().readings().empty() && entry >= z.offset && entry < z.offset + z.size;
  }
  void begin_afresh(State& state) {
    cut_by_states_ = 0;
    State fresh = state;
    if (!solver_.reconcile(fresh, work_)) return;
    state = std::move(fresh);
    ++result_.counts.begun_afresh;
    if (hooks_.rejected)
      hooks_.rejected("velocities and reactions are made consistent; the formula begins afresh");
    formula_.start(std::span<const State>(&state, 1));
  }

  bool begins_too_deep(const State& state, double& h) {
    return ends_sooner(state, h, touches_.part(state, trial_));
  }
  bool passes_unseen(const State& state, double& h) {
    return ends_sooner(state, h, places_.part(state, trial_));
  }
  bool ends_sooner(const State& state, double& h, double part) const {
    const double shorter = part * h;
    if (shorter >= h || shorter < settings_.hmin || state.t + shorter == state.t) return false;
    h = shorter;
    return true;
  }
  void tell_touches(double h) {
    if (touches_.idle() || settings_.fixed) return;
    const TouchWatch::Changes& changes = touches_.accepted(h);
    ceiling_ = std::min(ceiling_, changes.longest);
    tell(changes, trial_.t, false);
  }
  void tell(const TouchWatch::Changes& changes, double t, bool at_start) {
    if (!hooks_.incident) return;
    for (const TouchWatch::Change& c : changes.all) hooks_.incident({t, *c.contact, c.begins, at_start});
  }

  // The corrector failed: the same step with a new matrix, a leap, or a shorter step.
  bool after_failure(const State& state, double& h) {
    if (!solver_.matrix_is_current() && outcome_ != Outcome::not_finite && !std::exchange(renewed_, true)) {
      solver_.renew(solve::NewMatrix::failed);
      if (hooks_.rejected) hooks_.rejected("the corrector fails with an old Jacobian; again with a new one");
      return false;
    }
    if (solver_.couples_stages() && !solver_.settings().by_past && may_lose_rank()) {
      solver_.settings().by_past = true;
      solver_.renew(solve::NewMatrix::failed);
      if (hooks_.rejected)
        hooks_.rejected("the corrector fails where constraints lose rank; again by its past corrections");
      return false;
    }
    ++result_.counts.rejected_by_corrector;
    solver_.renew(solve::NewMatrix::failed);
    const int who = solver_.worst_equation();
    if (formula_.trouble().empty()) ++corrector_offenders_[static_cast<std::size_t>(who)];
    if (hooks_.rejected) {
      const core::Words trouble = formula_.trouble();
      hooks_.rejected(trouble.empty() ? core::words("{}; largest residual: {}", trouble_.failure(outcome_),
                                                    solver_.equations().equation_name(who))
                                      : trouble);
    }
    const double shorter = formula_.smaller_step(0, Rejection::corrector);
    const bool rank_lost = leaps_ < kLeaps && !rank_.here().empty();
    if (rank_lost || (cuts_ + 1 == kCutsBeforeLeap && leaps_ == 0)) {
      // Where constraints lose rank a shorter step ends closer to that place, not further from it: leap across, HMAX or not. Steps
      // of a tight ERROR are short, so that one leap may not be enough.
      ++cuts_;
      h = std::min(kLeap * std::pow(kFarther, leaps_++) * full_h_, settings_.hmax * kLeap);
      return false;
    }
    ceiling_ = h / 2;  // the error knows nothing of what the corrector can do: grow back slowly
    return shorten(state, h, shorter, StepFailure::corrector);
  }

  // HMIN itself is tried before it is given up.
  bool shorten(const State& state, double& h, double shorter, StepFailure why) {
    ++cuts_;
    renewed_ = false;
    constexpr double kRounding = 1e-9;
    if (shorter < settings_.hmin && h <= settings_.hmin * (1 + kRounding)) return too_small(state, h, why);
    trouble_.watch(state.t, true, settings_.hmax);
    if (hooks_.note) {
      if (const core::Words word = trouble_.slow(failed(state, h, why)); !word.empty()) hooks_.note(word);
    }
    h = std::max(shorter, settings_.hmin);
    return false;
  }

  bool above_maxerr(const State& state, double h) {
    result_.end = LoopEnd::error_too_large;
    result_.messages.push_back(core::words(
        "t = {:.6g}, h = {:.2g}: the local error is {:.2g} times ERROR, above MAXERR; most of it in {}",
        state.t, h, error_, system_.layout().column_name(formula_.worst_entry())));
    result_.messages.push_back("  try: a shorter output step or HMAX, a larger HRATIO, or a larger MAXERR");
    return false;
  }

  FailedStep failed(const State& from, double h, StepFailure why) {
    return {from, trial_, h, settings_.hmin, why, outcome_, cuts_, settings_.fixed};
  }
  bool too_small(const State& state, double h, StepFailure why) {
    result_.end = trouble_.last(failed(state, h, why), result_.messages);
    if (solver_.settings().redundant_kept)
      result_.messages.push_back(
          "  AUGMENTED=ON: redundant equations take part; where they contradict each other as the mechanism "
          "moves it locks. Without it they are left out and watched");
    return false;
  }

  bool commit(State& state) {
    watch_rows();
    if (error_ > 1 && !settings_.fixed && hooks_.note)
      hooks_.note(
          core::words("t = {:.6g}: stepped across a place where constraints lose rank with {:.2g} times the "
                      "allowed error",
                      trial_.t, error_));
    if (const auto line = rank_.passed(trial_.t)) {
      constexpr long kSaid = 50;
      if (++result_.counts.rank_dips <= kSaid && !line->empty() && hooks_.note) hooks_.note(*line);
    }
    if (result_.end != LoopEnd::done) return false;
    if (rank_.close()) formula_.note_rounding(solver_, trial_);
    near_ = rank_.close() ? kRemembers : std::max(0, near_ - 1);
    memory_ = trial_.memory;
    system_.accept(trial_, work_);
    const double h = trial_.t - state.t;
    LoopCounts& c = result_.counts;
    ++c.steps;
    c.smallest_h = c.smallest_h > 0 ? std::min(c.smallest_h, h) : h;
    c.largest_h = std::max(c.largest_h, h);
    ++c.order[static_cast<std::size_t>(std::clamp(formula_.order(), 0, 15))];
    ++c.h_decade[static_cast<std::size_t>(
        std::clamp(static_cast<int>(std::floor(std::log10(h))) + 30, 0, 39))];
    cuts_ = 0;
    leaps_ = 0;
    renewed_ = false;
    solver_.settings().by_past = false;
    constexpr double kForgotten = 0.5;  // a step that goes well after each that is cut is still a row of cuts
    cut_by_states_ = std::max(0.0, cut_by_states_ - kForgotten);
    trouble_.accepted();
    formula_.accept(trial_);
    state = trial_;
    if (hooks_.note) {
      if (const std::string remark = formula_.remark(); !remark.empty())
        hooks_.note(fmt::format("t = {:.6g}: {}", state.t, remark));
    }
    trouble_.watch(state.t, false, settings_.hmax);
    if (!settings_.fixed) places_.accepted();
    tell_touches(h);
    tell_accepted(about(c.steps, state.t, h), state);
    if (!events_.idle() && happened(state, h)) return false;
    return write_outputs(state);
  }

  // Forces do work by themselves, and those that read VARIABLEs with what these are there: what lies between their values at the ends of
  // the step may be anything. What motions and GCONs do is told by their reactions.
  bool has_powers(State& state) {
    if (formula_.reactions_hold() || constraints_work_) return solver_.reconcile(state, work_);
    return system_.layout().variables().size == 0 || solver_.accelerations(state, work_);
  }
  // Steps of a high order are longer than what powers at their ends tell of the work between.
  void balance(double from, const State& end, int halvings) {
    // Between the ends of its steps a formula of low order knows less than a sum of powers at the ends does.
    constexpr int kHigh = 6, kKnows = 5, kMost = 6;
    const bool rough = formula_.order() >= kKnows && halvings < kMost && hooks_.rough && hooks_.rough(end);
    if (rough || (halvings == 0 && formula_.order() > kHigh)) {
      State middle;
      within((from + end.t) / 2, middle);
      if (middle.t > from && middle.t < end.t && has_powers(middle)) {
        balance(from, middle, halvings + 1);
        balance(middle.t, end, halvings + 1);
        return;
      }
    }
    hooks_.balanced(end);
  }
  void tell_accepted(const StepAttempt& step, const State& state) {
    if (hooks_.balanced) {
      there_ = state;
      if (!formula_.reactions_hold() && constraints_work_) solver_.accelerations(there_, work_);
      balance(step.t - step.h, there_, 0);
    }
    if (hooks_.accepted) hooks_.accepted(step, state);
  }

  // A state within the step just accepted. It remembers what the step began with, as the forces did that made the step: what they
  // remember at its end has crept and slipped further.
  void within(double t, State& state) {
    formula_.interpolate(t, state);
    state.memory = memory_;
  }

  // Looks for the first event within the step just accepted; where there is one the state goes back to its time.
  bool happened(State& state, double h) {
    const std::optional<EventFinder::Found> found = events_.within(state, h);
    if (!found) return false;
    State there;
    within(found->t, there);
    there.t = as_output_time(found->t);
    if (!write_outputs(there)) return true;
    if (!solver_.reconcile(there, work_)) {
      result_.end = LoopEnd::inconsistent;
      result_.messages.push_back(core::words("t = {:.6g}: {}", found->t, solver_.message()));
      return true;
    }
    system_.accept(there, work_);
    state = there;
    result_.end = LoopEnd::event;
    result_.events = found->which;
    return true;
  }

  // Redundant rows must go on holding.
  void watch_rows() {
    for (const RowWatch::Broken& broken : rows_.look(trial_, work_, result_.counts)) {
      result_.end = LoopEnd::redundancy;
      result_.messages.push_back(core::words(
          "t = {:.6g}: {} {} a constraint violation of {:.3g}: the constraints contradict each other "
          "from here",
          trial_.t, system_.layout().row_name(RowId{broken.row}),
          solver_.settings().redundant_kept ? "has" : "was redundant and now has", broken.phi));
    }
  }

  double output_slack(double t) const { return 1e-12 * std::max(std::abs(t), std::abs(end_)); }

  // An event a rounding beside an output time is at that time: rows stay in order, and none comes twice.
  double as_output_time(double t) const {
    for (std::size_t k = next_; k < times_.size() && times_[k] <= t + output_slack(t); ++k) {
      if (times_[k] >= t - output_slack(t)) return times_[k];
    }
    return t;
  }

  bool write_outputs(const State& state) {
    if (next_ >= times_.size()) return true;
    return timed(result_.counts.seconds_output, [&] { return write_due(state); });
  }

  template <class Act> static bool timed(double& seconds, Act act) {
    const auto began = std::chrono::steady_clock::now();
    const bool good = act();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return good;
  }

  bool write_due(const State& state) {
    const double slack = output_slack(state.t);
    while (next_ < times_.size() && times_[next_] <= state.t + slack) {
      if (times_[next_] < state.t - slack) within(times_[next_], output_);
      else formula_.interpolate(state.t, output_);
      output_.t = times_[next_];
      if (!timed(result_.counts.seconds_reconciling,
                 [&] { return solver_.reconcile(output_, work_, kRatesLeft); })) {
        result_.messages.push_back(core::words("t = {:.6g}: {}", output_.t, solver_.message()));
        result_.end = LoopEnd::inconsistent;
        return false;
      }
      if (hooks_.output && !hooks_.output(output_)) {
        result_.end = LoopEnd::not_written;
        return false;
      }
      ++next_;
    }
    return true;
  }

  const System& system_;
  Formula& formula_;
  solve::StageSolver& solver_;
  LoopSettings settings_;
  const LoopHooks& hooks_;
  System::Workspace work_;
  State trial_, output_;
  std::vector<double> memory_;  // at the start of the step just accepted
  math::OutputTimes times_;
  std::size_t next_ = 0, knot_ = 0;
  double end_ = 0, error_ = 1, base_c_ = 1e-3;
  RankWatch rank_;
  TouchWatch touches_;
  PlaceWatch places_;
  RowWatch rows_;
  EventFinder events_;
  StepTrouble trouble_;
  std::vector<long> error_offenders_, corrector_offenders_;   // rejections by coordinate, by equation
  State there_;                                               // within a step
  double ceiling_ = std::numeric_limits<double>::infinity();  // of the step, after the corrector failed
  double cut_by_states_ = 0;                                  // steps in excess of those that went well
  static constexpr int kCutsBeforeLeap = 3, kCutsBeforeFresh = 4;
  static constexpr double kLeap = 1.6, kFarther = 4;
  // Of what a row's velocities are off: that is of the size of what ERROR allows, and the corrector leaves as much of it.
  static constexpr double kRatesLeft = 1e-3;
  static constexpr int kLeaps = 6;
  static constexpr int kRemembers = 8;  // steps that the past of a formula goes back
  int near_ = 0;                        // so many of them may still know a place where constraints lose rank
  bool rounding_told_ = false;
  int cuts_ = 0;
  int leaps_ = 0;         // how often the step after the last accepted one was tried longer
  double full_h_ = 0;     // its length when it was first tried
  bool renewed_ = false;  // this step has been tried again with a new matrix
  Outcome outcome_ = Outcome::converged;
  bool constraints_work_ = false;  // some may put energy in
  LoopResult result_;
};

}  // namespace

LoopResult integrate(const System& system, Formula& formula, solve::StageSolver& solver, State& state,
                     double end, const math::OutputTimes& output_times, const LoopSettings& settings,
                     const LoopHooks& hooks) {
  return Loop(system, formula, solver, settings, hooks).run(state, end, output_times);
}

}  // namespace trunnion::integrate
