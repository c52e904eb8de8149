#include "integrate/step_loop.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "assembly/chart.hpp"
#include "assembly/row_sink.hpp"
#include "integrate/jump.hpp"
#include "integrate/rank_watch.hpp"
#include "integrate/touch_watch.hpp"

namespace trunnion::integrate {

using assembly::RowId;
using assembly::State;
using solve::Outcome;
using system::System;

namespace {

// φ of every row; velocity rows have none.
class PhiSink final : public assembly::RowSink {
 public:
  explicit PhiSink(int rows) : RowSink(false), phi(Eigen::VectorXd::Zero(rows)) {}
  void constraint(RowId row, const assembly::ConstraintRow& value) override { phi[row.index] = value.phi; }
  void velocity_constraint(RowId, const assembly::VelocityRow&) override {}
  Eigen::VectorXd phi;
};

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
        rows_(system.layout().row_count()),
        error_offenders_(static_cast<std::size_t>(system.layout().size()), 0),
        corrector_offenders_(static_cast<std::size_t>(solver.equations().size()), 0) {
    std::vector<char> active(static_cast<std::size_t>(system.layout().row_count()), 0);
    for (const int r : solver.active()) active[static_cast<std::size_t>(r)] = 1;
    for (int r = 0; r < system.layout().row_count(); ++r) {
      const bool start_only =
          std::find(system.start_rows().begin(), system.start_rows().end(), r) != system.start_rows().end();
      if (!active[static_cast<std::size_t>(r)] && !start_only) watched_.push_back(r);
    }
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
    sense(state, before_);
    touches_.begin(state);
    base_c_ = solver_.settings().c;
    end_ = end;
    window_.begin = state.t;
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
    if (open_row_ >= 0) result_.counts.open.row = system_.layout().row_name(RowId{open_row_});
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
  bool attempt(const State& state, double& h) {
    if (state.t + h == state.t) return too_small(state, h, "rounding");
    if (hooks_.attempt) hooks_.attempt(about(result_.counts.steps + 1, state.t, h));
    // What the corrector leaves must be small beside what the formula leaves, also where the step is held below what ERROR
    // would allow. A floor keeps it above rounding.
    constexpr double kFloor = 1e-5;
    solver_.settings().c = base_c_ * std::clamp(error_, kFloor, 1.0) + settings_.adaptivity / h;
    outcome_ = formula_.step(h, solver_, work_, trial_);
    if (outcome_ == Outcome::not_finite && not_finite_.empty()) {
      not_finite_ = first_not_finite();
      causes_ = system_.not_finite(trial_, work_);
    }
    if (outcome_ != Outcome::converged) return after_failure(state, h);
    error_ = formula_.error(trial_);
    if (settings_.fixed && settings_.max_error > 0 && error_ > settings_.max_error)
      return above_maxerr(state, h);
    const double limit = leaps_ > 1 ? std::max(1.0, settings_.leap_error) : 1.0;  // rank was found lost
    if (!(error_ <= limit) && !(settings_.fixed && std::isfinite(error_))) {
      ++result_.counts.rejected_by_error;
      const int who = formula_.worst_entry();
      ++error_offenders_[static_cast<std::size_t>(who)];
      if (hooks_.rejected)
        hooks_.rejected(core::words("the error is {:.3g} times ERROR, most of it in {}", error_,
                                    system_.layout().column_name(who)));
      return shorten(state, h, formula_.smaller_step(error_, Rejection::error), "error");
    }
    return settings_.fixed || !begins_too_deep(state, h);
  }

  bool begins_too_deep(const State& state, double& h) {
    const double shorter = touches_.part(trial_) * h;
    if (shorter >= h || shorter < settings_.hmin || state.t + shorter == state.t) return false;
    h = shorter;
    return true;
  }
  void tell_touches(double h) {
    if (touches_.idle() || settings_.fixed) return;
    const TouchWatch::Begun begun = touches_.accepted(h);
    ceiling_ = std::min(ceiling_, begun.longest);
    constexpr int kSaid = 20;
    for (const core::Words& who : begun.first) {
      if (++touches_said_ <= kSaid && hooks_.note)
        hooks_.note(core::words("t = {:.9g}: {} touches", trial_.t, who));
    }
  }

  // The corrector failed: the same step with a new matrix, a leap, or a shorter step.
  bool after_failure(const State& state, double& h) {
    if (!solver_.matrix_is_current() && outcome_ != Outcome::not_finite) {
      solver_.renew(solve::NewMatrix::failed);
      if (hooks_.rejected) hooks_.rejected("the corrector fails with an old Jacobian; again with a new one");
      return false;
    }
    ++result_.counts.rejected_by_corrector;
    solver_.renew(solve::NewMatrix::failed);
    const int who = solver_.worst_equation();
    if (formula_.trouble().empty()) ++corrector_offenders_[static_cast<std::size_t>(who)];
    if (hooks_.rejected) {
      const core::Words trouble = formula_.trouble();
      hooks_.rejected(trouble.empty() ? core::words("{}; largest residual: {}", failure(),
                                                    solver_.equations().equation_name(who))
                                      : trouble);
    }
    if (cuts_ == 0) full_h_ = h;
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
    return shorten(state, h, shorter, "corrector");
  }

  // HMIN itself is tried before it is given up.
  bool shorten(const State& state, double& h, double shorter, std::string_view why) {
    ++cuts_;
    constexpr double kRounding = 1e-9;
    if (shorter < settings_.hmin && h <= settings_.hmin * (1 + kRounding)) return too_small(state, h, why);
    watch_progress(state, true);
    tell_slow(state, h, why);
    h = std::max(shorter, settings_.hmin);
    return false;
  }

  core::Words failure() const {
    switch (outcome_) {
      case Outcome::diverged:
        return core::words("corrector diverges after {} iterations", solver_.last_iterations());
      case Outcome::singular: return "the system matrix is singular";
      case Outcome::not_finite: return "the equations give a value that is not a number";
      default: return core::words("corrector did not converge in {} iterations", solver_.last_iterations());
    }
  }

  bool above_maxerr(const State& state, double h) {
    result_.end = LoopEnd::error_too_large;
    result_.messages.push_back(core::words(
        "t = {:.6g}, h = {:.2g}: the local error is {:.2g} times ERROR, above MAXERR; most of it in {}",
        state.t, h, error_, system_.layout().column_name(formula_.worst_entry())));
    result_.messages.push_back("  try: a shorter output step or HMAX, a larger HRATIO, or a larger MAXERR");
    return false;
  }

  // Steps far below HMAX, many of them rejected: something jumps to and fro. The run goes on, but not without a word.
  void watch_progress(const State& state, bool rejected) {
    constexpr long kWindow = 400;
    constexpr double kShort = 1e-3, kRejected = 0.05;
    ++window_.tries;
    window_.rejected += rejected ? 1 : 0;
    if (window_.tries < kWindow) return;
    const Window last = std::exchange(window_, {0, 0, state.t});
    const double advanced = state.t - last.begin;
    if (advanced > kWindow * kShort * settings_.hmax || last.rejected < kRejected * kWindow) return;
    if (++slow_windows_ < tell_at_) return;
    tell_at_ *= 10;
    slow_ = core::words("t = {:.9g}: the last {} steps advanced by {:.2g} only, {} were rejected", state.t,
                        kWindow, advanced, last.rejected);
    looks_left_ = kLooks;
  }

  // Which expression it is shows in a step that fails across its jump; not every one does.
  void tell_slow(const State& state, double h, std::string_view why) {
    if (looks_left_ == 0 || !hooks_.note) return;
    const double tried = formula_.h();
    const core::Words about = why == "error" ? vibrates() : "";  // a prediction forgets it
    const auto jump = find_jump(system_, state, State(trial_), formula_, h, work_);
    formula_.predict(tried, trial_);
    if (!jump && --looks_left_ > 0) return;
    looks_left_ = 0;
    if (jump) hooks_.note(slow_ + "; " + describe(*jump) + "; try STEP over a finite width instead of IF");
    else hooks_.note(slow_ + about);
  }
  // Formulas of order 1 and 2 damp a vibration that ERROR makes them follow, higher ones do not.
  core::Words vibrates() const {
    constexpr int kDamping = 2;
    return "; most of the error is in " + system_.layout().column_name(formula_.worst_entry()) +
           (formula_.order() > kDamping
                ? "; where this is a fast vibration with little damping, try KMAX = 2, HHT or a larger ERROR"
                : "");
  }

  bool too_small(const State& state, double h, std::string_view why) {
    // Steps that led to a place without numbers get shorter until something else fails; what matters is the first.
    const bool not_finite = !not_finite_.empty() && why != "error";
    result_.end = not_finite ? LoopEnd::not_finite : LoopEnd::step_too_small;
    auto& lines = result_.messages;
    const auto& sink = solver_.equations();
    const core::Words where = core::words("t = {:.6g}, h = {:.2g}: ", state.t, h);
    if (why == "error") {
      lines.push_back(
          where + core::words("the error test fails {}; ERROR cannot be met with a step of HMIN = {:.2g}",
                              cuts_ == 1 ? "once" : core::words("{} times in a row", cuts_), settings_.hmin));
      lines.push_back("  largest error      " + system_.layout().column_name(formula_.worst_entry()));
      look_ahead(state, h);
      for (const core::Words& cause : causes_) lines.push_back("  " + cause);
    } else if (not_finite) {
      lines.push_back(where + "the equations gave a value that is not a number");
      lines.push_back("  first such equation   " + not_finite_);
      for (const core::Words& cause : causes_) lines.push_back("  " + cause);
    } else if (const core::Words trouble = formula_.trouble(); !trouble.empty()) {
      lines.push_back(where + trouble + core::words(" ({} step cuts)", cuts_));
    } else if (outcome_ == Outcome::singular) {
      lines.push_back(where + "the system matrix is numerically singular with every pivot order");
      if (const auto at = solver_.lu().singular(); at && at->row >= 0 && at->col >= 0) {
        lines.push_back("  equation of the singular row      " + sink.equation_name(at->row));
        lines.push_back("  variable of the singular column   " + sink.column_name(at->col));
      }
    } else {
      lines.push_back(where + core::words("{} ({} step cuts)", failure(), cuts_));
      lines.push_back(core::words("  largest residual   {}   |r| = {:.2g}",
                                  sink.equation_name(solver_.worst_equation()),
                                  std::abs(solver_.worst_residual())));
      lines.push_back("  slowest variable   " + sink.column_name(solver_.worst_variable()));
    }
    explain(state, h);
    return false;
  }

  // A function of time that ends, as a root does, has a rate without bound just before: ERROR fails first.
  void look_ahead(const State& state, double h) {
    causes_.clear();
    State ahead = state;
    for (const double steps : {1.0, 10.0, 100.0}) {
      ahead.t = state.t + steps * h;
      causes_ = system_.not_finite(ahead, work_, system::System::Asked::values);
      if (!causes_.empty()) break;
    }
    if (!causes_.empty()) result_.end = LoopEnd::not_finite;
  }

  // The likely why, and what to try.
  void explain(const State& state, double h) {
    auto& lines = result_.messages;
    const core::Words rows = rank_.here();
    const bool undefined = result_.end == LoopEnd::not_finite && !causes_.empty();
    const auto jump = undefined ? std::nullopt : find_jump(system_, state, State(trial_), formula_, h, work_);
    if (jump) lines.push_back("  " + describe(*jump));
    if (!rows.empty())
      lines.push_back("  constraints are close to losing rank here: " + rows +
                      "; the mechanism may lock, or a MOTION ask for what it cannot reach");
    core::Words hint = "  try: ";
    if (undefined) hint += "MAX, MIN or IF that keep the argument where the function is defined; ";
    if (jump) hint += "STEP over a finite width instead of IF; ";
    if (!rows.empty()) hint += "a MOTION within reach, other lengths or starting positions; ";
    if (!jump && rows.empty() && !undefined)
      hint += "a larger ERROR, a smaller HMIN, a smaller HMAX before this time; ";
    lines.push_back(hint + "DEBUG/EPRINT shows each iteration");
  }

  core::Words first_not_finite() const {
    const core::Words bad = solver_.equations().not_finite();
    return bad.empty() ? "a correction" : bad;
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
      if (++result_.counts.rank_dips <= kSaid && hooks_.note) hooks_.note(*line);
    }
    if (result_.end != LoopEnd::done) return false;
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
    not_finite_.clear();
    formula_.accept(trial_);
    state = trial_;
    if (hooks_.note) {
      if (const std::string remark = formula_.remark(); !remark.empty())
        hooks_.note(fmt::format("t = {:.6g}: {}", state.t, remark));
    }
    watch_progress(state, false);
    tell_touches(h);
    tell_accepted(about(c.steps, state.t, h), state);
    if (!hooks_.events.empty() && happened(state, h)) return false;
    return write_outputs(state);
  }

  // Steps of a high order are longer than what powers at their ends tell of the work between.
  void tell_middle(double h, double end) {
    constexpr int kHigh = 6;
    if (formula_.order() <= kHigh) return;
    formula_.interpolate(end - h / 2, there_);
    if (solver_.reconcile(there_, work_)) hooks_.balanced(there_);
  }
  void tell_accepted(const StepAttempt& step, const State& state) {
    if (hooks_.balanced) {
      tell_middle(step.h, state.t);
      there_ = state;
      if (!formula_.reactions_hold() && !solver_.active().empty()) solver_.accelerations(there_, work_);
      hooks_.balanced(there_);
    }
    if (hooks_.accepted) hooks_.accepted(step, state);
  }

  void sense(const State& state, std::vector<double>& values) {
    values.resize(hooks_.events.size());
    if (values.empty()) return;
    system_.update(state, work_);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = hooks_.events[k].value(state, work_);
  }
  static bool crossed(const Event& event, double from, double to) {
    if (event.period > 0 && std::abs(to - from) > event.period / 2) return false;  // around, not through
    if (from < -event.tolerance && to >= -event.tolerance) return true;
    return event.both_ways && from > event.tolerance && to <= event.tolerance;
  }

  // The values at the ends of a step do not see what comes and goes between them: those within are looked at too.
  void sense_within(const State& state, double h) {
    for (std::size_t k = 0; k <= kParts; ++k) {
      Sample& s = samples_[k];
      s.t = k == kParts ? state.t : state.t - h + h * static_cast<double>(k) / kParts;
      if (k == 0) {
        s.values = before_;
      } else if (k == kParts) {
        sense(state, s.values);
      } else {
        formula_.interpolate(s.t, there_);
        sense(there_, s.values);
      }
    }
  }

  // When event k first happens within the step.
  std::optional<double> first_crossing(std::size_t k) {
    const Event& event = hooks_.events[k];
    for (std::size_t i = 1; i <= kParts; ++i) {
      const double t0 = samples_[i - 1].t, e0 = samples_[i - 1].values[k], t1 = samples_[i].t,
                   e1 = samples_[i].values[k];
      if (crossed(event, e0, e1)) return locate(event, t0, e0, t1, e1);
      if (i == kParts) break;
      // The top of the parabola through three values that come close and go again.
      const double e2 = samples_[i + 1].values[k], bend = e0 - 2 * e1 + e2;
      if (!(e1 * bend > 0)) continue;
      const double t = t1 + (t1 - t0) * (e0 - e2) / (2 * bend);
      if (!(t > t0 && t < samples_[i + 1].t)) continue;
      formula_.interpolate(t, there_);
      system_.update(there_, work_);
      const double e = event.value(there_, work_);
      if (crossed(event, e0, e)) return locate(event, t0, e0, t, e);
    }
    return {};
  }

  // Looks for the first event within the step just accepted; where there is one the state goes back to its time.
  bool happened(State& state, double h) {
    sense_within(state, h);
    double first = state.t;
    int which = -1;
    for (std::size_t k = 0; k < hooks_.events.size(); ++k) {
      const std::optional<double> t = first_crossing(k);
      if (!t || (which >= 0 && *t >= first)) continue;
      first = *t;
      which = static_cast<int>(k);
    }
    before_ = samples_.back().values;
    if (which < 0) return false;
    State there;
    formula_.interpolate(first, there);
    if (!write_outputs(there)) return true;
    if (!solver_.reconcile(there, work_)) {
      result_.end = LoopEnd::inconsistent;
      result_.messages.push_back(core::words("t = {:.6g}: {}", first, solver_.message()));
      return true;
    }
    system_.accept(there, work_);
    state = there;
    result_.end = LoopEnd::event;
    result_.event = which;
    return true;
  }

  // Bisection with a secant guess, on the interpolant: a time at or just after the crossing.
  double locate(const Event& event, double t0, double e0, double t1, double e1) {
    const double sign = e0 < 0 ? 1 : -1;
    e0 *= sign;
    e1 *= sign;
    constexpr int kHalvings = 100;
    State there;
    for (int k = 0; k < kHalvings; ++k) {
      if (e1 >= 0 && e1 <= event.tolerance) break;
      if (t1 - t0 <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1))) break;
      double x = k % 3 == 2 || e1 <= e0 ? 0.5 : -e0 / (e1 - e0);
      x = std::clamp(x, 0.05, 0.95);
      const double t = t0 + x * (t1 - t0);
      formula_.interpolate(t, there);
      system_.update(there, work_);
      const double e = sign * event.value(there, work_);
      (e >= 0 ? t1 : t0) = t;
      (e >= 0 ? e1 : e0) = e;
    }
    return t1;
  }

  double model_size() const { return std::max(1.0, assembly::farthest_place(system_.layout(), trial_.q)); }

  // Redundant rows must go on holding. The corrector knows φ from before its last correction only: what looks bad there is
  // looked at again, and one state in eight anyhow, for the report.
  void watch_rows() {
    constexpr double kApart = 1e-4;  // of the size of the model; radians
    const double length = model_size();
    constexpr long kOften = 8;
    const auto apart = [&](const Eigen::VectorXd& phi, int r) {
      return std::abs(phi[r]) >
             kApart * (system_.layout().row(RowId{r}).residual.quantity == assembly::Quantity::length ? length
                                                                                                      : 1.0);
    };
    const bool suspicious = std::any_of(watched_.begin(), watched_.end(),
                                        [&](int r) { return apart(solver_.equations().phi(), r); });
    if (!suspicious && result_.counts.steps % kOften != 0) return;
    system_.evaluate(trial_, work_, rows_);
    const auto judge = [&](int r) {
      LoopCounts& c = result_.counts;
      const double phi = std::abs(rows_.phi[r]);
      c.worst_violation = std::max(c.worst_violation, phi);
      const double part =
          phi /
          (system_.layout().row(RowId{r}).residual.quantity == assembly::Quantity::length ? length : 1.0);
      if (!(part > c.open.part)) return;
      c.open = {part, phi, trial_.t, {}};
      open_row_ = r;
    };
    for (const int r : solver_.active()) judge(r);
    for (const int r : watched_) {
      judge(r);
      if (!apart(rows_.phi, r)) continue;
      result_.end = LoopEnd::redundancy;
      result_.messages.push_back(
          core::words("t = {:.6g}: {} was redundant and now has a constraint violation of {:.3g}: the "
                      "constraints contradict "
                      "each other from here",
                      trial_.t, system_.layout().row_name(RowId{r}), rows_.phi[r]));
    }
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
    const double slack = 1e-12 * std::max(std::abs(state.t), std::abs(end_));
    while (next_ < times_.size() && times_[next_] <= state.t + slack) {
      formula_.interpolate(std::min(times_[next_], state.t), output_);
      output_.t = times_[next_];
      if (!timed(result_.counts.seconds_reconciling, [&] { return solver_.reconcile(output_, work_); })) {
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
  std::vector<int> watched_;  // redundant rows
  State trial_, output_;
  math::OutputTimes times_;
  std::size_t next_ = 0, knot_ = 0;
  double end_ = 0, error_ = 1, base_c_ = 1e-3;
  RankWatch rank_;
  TouchWatch touches_;
  int touches_said_ = 0;
  PhiSink rows_;
  int open_row_ = -1;                                        // of the worst constraint
  std::vector<long> error_offenders_, corrector_offenders_;  // rejections by coordinate, by equation
  struct Window {
    long tries = 0, rejected = 0;
    double begin = 0;
  };
  Window window_;
  long slow_windows_ = 0, tell_at_ = 1;
  static constexpr int kLooks = 20;
  int looks_left_ = 0;                      // for the jump that makes steps short
  core::Words slow_;                        // what to say of it
  std::vector<double> before_;              // of the events
  static constexpr std::size_t kParts = 4;  // of a step, for events
  struct Sample {
    double t = 0;
    std::vector<double> values;
  };
  std::array<Sample, kParts + 1> samples_;
  State there_;                                               // within a step
  double ceiling_ = std::numeric_limits<double>::infinity();  // of the step, after the corrector failed
  static constexpr int kCutsBeforeLeap = 3;
  static constexpr double kLeap = 1.6, kFarther = 4;
  static constexpr int kLeaps = 6;
  int cuts_ = 0;
  int leaps_ = 0;                    // how often the step after the last accepted one was tried longer
  double full_h_ = 0;                // its length when it first failed
  core::Words not_finite_;           // the equation that first gave no number since the last accepted step
  std::vector<core::Words> causes_;  // the expressions behind it
  Outcome outcome_ = Outcome::converged;
  LoopResult result_;
};

}  // namespace

LoopResult integrate(const System& system, Formula& formula, solve::StageSolver& solver, State& state,
                     double end, const math::OutputTimes& output_times, const LoopSettings& settings,
                     const LoopHooks& hooks) {
  return Loop(system, formula, solver, settings, hooks).run(state, end, output_times);
}

}  // namespace trunnion::integrate
