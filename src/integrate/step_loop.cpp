#include "integrate/step_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace trunnion::integrate {

using assembly::RowId;
using assembly::State;
using solve::Outcome;
using system::System;

namespace {

class Loop {
 public:
  Loop(const System& system, Method& method, solve::Corrector& corrector, solve::Consistent& consistent,
       const LoopSettings& settings, const LoopHooks& hooks)
      : system_(system),
        method_(method),
        corrector_(corrector),
        consistent_(consistent),
        settings_(settings),
        hooks_(hooks),
        work_(system) {
    constexpr double kDynamics = 4;  // what MODE reads
    work_.mode = kDynamics;
    std::vector<char> active(static_cast<std::size_t>(system.layout().row_count()), 0);
    for (const int r : consistent.active()) active[static_cast<std::size_t>(r)] = 1;
    for (int r = 0; r < system.layout().row_count(); ++r) {
      const bool start_only =
          std::find(system.start_rows().begin(), system.start_rows().end(), r) != system.start_rows().end();
      if (!active[static_cast<std::size_t>(r)] && !start_only) watched_.push_back(r);
    }
  }

  LoopResult run(State& state, double end, std::span<const double> output_times) {
    method_.start(state);
    if (hooks_.started) hooks_.started(state);
    corrector_.renew(solve::NewMatrix::first);
    trial_ = state;
    times_ = output_times;
    while (next_ < times_.size() && times_[next_] <= state.t) ++next_;
    sense(state, before_);
    base_c_ = corrector_.settings().c;
    end_ = end;
    double h = std::min(settings_.hinit, settings_.hmax);
    const double scale = std::max(std::abs(state.t), std::abs(end));
    while (end - state.t > 1e-13 * scale) {
      if (hooks_.interrupted && hooks_.interrupted()) {
        result_.end = LoopEnd::interrupted;
        break;
      }
      h = fitted(h, end - state.t);
      if (!attempt(state, h)) {
        if (result_.end != LoopEnd::done) break;
        continue;
      }
      if (!commit(state)) break;
      constexpr double kRegain = 1.25;
      ceiling_ *= kRegain;
      h = method_.next_step(error_, std::min(settings_.hmax, ceiling_));
      if (settings_.fixed) h = settings_.hinit;
    }
    if (result_.end != LoopEnd::done) return std::move(result_);
    if (!consistent_.reconcile(state, work_)) {
      result_.end = LoopEnd::inconsistent;
      result_.messages.push_back(consistent_.message());
    }
    return std::move(result_);
  }

 private:
  // Meets the end without a last step that is much shorter than the others.
  static double fitted(double h, double remaining) {
    constexpr double kRounding = 1e-8;  // of many equal steps
    if (h >= remaining * (1 - kRounding)) return remaining;
    return 2 * h > remaining ? remaining / 2 : h;
  }

  StepAttempt describe(double t, double h) const {
    return {result_.counts.steps + 1, method_.order(), t, h, corrector_.counts().iterations};
  }

  // One try. False: repeat with another h, unless the result's end says otherwise.
  bool attempt(const State& state, double& h) {
    method_.predict(h, trial_);
    if (trial_.t == state.t) return too_small(state, h, "rounding");
    if (hooks_.attempt) hooks_.attempt(describe(state.t, h));
    // What the corrector leaves must be small beside what the formula leaves, also where the step is held below what ERROR
    // would allow. A floor keeps it above rounding.
    constexpr double kFloor = 1e-5;
    corrector_.settings().c = base_c_ * std::clamp(error_, kFloor, 1.0) + settings_.adaptivity / h;
    outcome_ = corrector_.solve(method_, trial_, work_);
    if (outcome_ == Outcome::not_finite && not_finite_.empty()) not_finite_ = first_not_finite();
    if (outcome_ != Outcome::converged) {
      if (!corrector_.matrix_is_current() && outcome_ != Outcome::not_finite) {
        corrector_.renew(solve::NewMatrix::failed);  // the same step with a new matrix
        return false;
      }
      ++result_.counts.rejected_by_corrector;
      ++cuts_;
      corrector_.renew(solve::NewMatrix::failed);
      if (cuts_ == 1) full_h_ = h;
      const double shorter = method_.smaller_step(0, Rejection::corrector);
      if (cuts_ == kCutsBeforeLeap && !leapt_) {
        // Where constraints lose rank a shorter step ends closer to that place, not further from it: leap across.
        leapt_ = true;
        h = std::min(kLeap * full_h_, settings_.hmax * kLeap);
        return false;
      }
      if (shorter < settings_.hmin) return too_small(state, h, "corrector");
      ceiling_ = h / 2;  // the error knows nothing of what the corrector can do: grow back slowly
      h = shorter;
      return false;
    }
    error_ = method_.error(trial_);
    if (settings_.fixed && settings_.max_error > 0 && error_ > settings_.max_error)
      return too_small(state, h, "maxerr");
    if (!(error_ <= 1) && !(settings_.fixed && std::isfinite(error_))) {
      ++result_.counts.rejected_by_error;
      ++cuts_;
      const double shorter = method_.smaller_step(error_, Rejection::error);
      if (shorter < settings_.hmin) return too_small(state, h, "error");
      h = shorter;
      return false;
    }
    return true;
  }

  bool too_small(const State& state, double h, std::string_view why) {
    // Steps that led to a place without numbers get shorter until something else fails; what matters is the first.
    const bool not_finite = !not_finite_.empty() && why != "error" && why != "maxerr";
    result_.end = not_finite ? LoopEnd::not_finite : LoopEnd::step_too_small;
    auto& lines = result_.messages;
    const auto& sink = corrector_.sink();
    if (why == "maxerr") {
      lines.push_back(fmt::format(
          "t = {:.6g}, h = {:.2g}: the local error is {:.2g} times ERROR, above MAXERR", state.t, h, error_));
    } else if (why == "error") {
      lines.push_back(
          fmt::format("t = {:.6g}, h = {:.2g}: the error test fails {} times in a row; ERROR cannot be met "
                      "with a step above HMIN = {:.2g}",
                      state.t, h, cuts_, settings_.hmin));
    } else if (not_finite) {
      lines.push_back(
          fmt::format("t = {:.6g}, h = {:.2g}: the equations gave a value that is not a number", state.t, h));
      lines.push_back("  first such equation   " + not_finite_);
    } else if (outcome_ == Outcome::singular) {
      lines.push_back(fmt::format(
          "t = {:.6g}, h = {:.2g}: the system matrix is numerically singular with every pivot order", state.t,
          h));
      if (const auto at = corrector_.lu().singular(); at && at->row >= 0 && at->col >= 0) {
        lines.push_back("  equation of the singular row      " + sink.equation_name(at->row));
        lines.push_back("  variable of the singular column   " + sink.column_name(at->col));
      }
    } else {
      lines.push_back(
          fmt::format("t = {:.6g}, h = {:.2g}: corrector did not converge in {} iterations ({} step cuts)",
                      state.t, h, corrector_.last_iterations(), cuts_));
    }
    if (why != "error" && why != "maxerr" && outcome_ != Outcome::singular && !not_finite) {
      lines.push_back(fmt::format("  largest residual   {}   |r| = {:.2g}",
                                  sink.equation_name(corrector_.worst_equation()),
                                  std::abs(corrector_.worst_residual())));
      lines.push_back("  slowest variable   " + sink.column_name(corrector_.worst_variable()));
    }
    name_jump(state, h);
    lines.push_back(
        "  try: a smoother function where one jumps (STEP instead of IF), a larger ERROR, a smaller HMAX "
        "before this time; "
        "DEBUG/EPRINT shows each iteration");
    return false;
  }

  std::string first_not_finite() const {
    const std::string bad = corrector_.sink().not_finite();
    return bad.empty() ? "a correction" : bad;
  }

  // The force that differs most between the last good state and places that the failing step led to, which are next to it.
  void name_jump(const State& state, double h) {
    const auto sizes = [&](const State& at) {
      std::vector<double> all;
      system_.update(at, work_);
      for (const system::Force& force : system_.forces()) {
        const elements::Wrench w = system_.wrench(force, at, work_, false);
        all.push_back(w.force.norm() + w.torque.norm());
      }
      return all;
    };
    const std::vector<double> before = sizes(state);
    std::size_t worst = 0;
    double largest = 0, to = 0, when = 0;
    const auto compare = [&](const State& at) {
      const std::vector<double> after = sizes(at);
      for (std::size_t k = 0; k < after.size(); ++k) {
        if (std::abs(after[k] - before[k]) <= largest) continue;
        worst = k;
        largest = std::abs(after[k] - before[k]);
        to = after[k];
        when = at.t;
      }
    };
    compare(trial_);
    // The corrector may have gone astray: also where the motion so far leads.
    for (const double longer : {1.0, 4.0, 16.0}) {
      method_.predict(longer * h, trial_);
      compare(trial_);
    }
    constexpr double kJump = 0.1;
    if (before.empty() || largest <= kJump * before[worst]) return;
    result_.messages.push_back(fmt::format("  {} jumped from {:.3g} to {:.3g} between t = {:.9g} and {:.9g}",
                                           system_.forces()[worst].label, before[worst], to, state.t, when));
  }

  bool commit(State& state) {
    watch();
    watch_rank();
    if (result_.end != LoopEnd::done) return false;
    system_.accept(trial_, work_);
    const double h = trial_.t - state.t;
    LoopCounts& c = result_.counts;
    ++c.steps;
    c.smallest_h = c.smallest_h > 0 ? std::min(c.smallest_h, h) : h;
    c.largest_h = std::max(c.largest_h, h);
    ++c.order[static_cast<std::size_t>(std::clamp(method_.order(), 0, 15))];
    ++c.h_decade[static_cast<std::size_t>(
        std::clamp(static_cast<int>(std::floor(std::log10(h))) + 30, 0, 39))];
    cuts_ = 0;
    leapt_ = false;
    not_finite_.clear();
    method_.accept(trial_);
    state = trial_;
    if (hooks_.accepted) hooks_.accepted(describe(state.t, h), state);
    if (!hooks_.events.empty() && happened(state, h)) return false;
    return write_outputs(state);
  }

  void sense(const State& state, std::vector<double>& values) {
    values.resize(hooks_.events.size());
    if (values.empty()) return;
    system_.update(state, work_);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = hooks_.events[k].value(state, work_);
  }
  static bool crossed(const Event& event, double from, double to) {
    if (from < -event.tolerance && to >= -event.tolerance) return true;
    return event.both_ways && from > event.tolerance && to <= event.tolerance;
  }

  // Looks for the first event within the step just accepted; where there is one the state goes back to its time.
  bool happened(State& state, double h) {
    sense(state, after_);
    double first = state.t;
    int which = -1;
    for (std::size_t k = 0; k < after_.size(); ++k) {
      if (!crossed(hooks_.events[k], before_[k], after_[k])) continue;
      const double t = locate(hooks_.events[k], state.t - h, before_[k], state.t, after_[k]);
      if (which < 0 || t < first) {
        first = t;
        which = static_cast<int>(k);
      }
    }
    std::swap(before_, after_);
    if (which < 0) return false;
    State there;
    method_.interpolate(first, there);
    if (!write_outputs(there)) return true;
    if (!consistent_.reconcile(there, work_)) {
      result_.end = LoopEnd::inconsistent;
      result_.messages.push_back(fmt::format("t = {:.6g}: {}", first, consistent_.message()));
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
      method_.interpolate(t, there);
      system_.update(there, work_);
      const double e = sign * event.value(there, work_);
      (e >= 0 ? t1 : t0) = t;
      (e >= 0 ? e1 : e0) = e;
    }
    return t1;
  }

  // Redundant rows must go on holding.
  void watch() {
    const Eigen::VectorXd& phi = corrector_.sink().phi();
    for (Eigen::Index r = 0; r < phi.size(); ++r)
      result_.counts.worst_violation = std::max(result_.counts.worst_violation, std::abs(phi[r]));
    constexpr double kApart = 1e-4;
    for (const int r : watched_) {
      if (std::abs(phi[r]) <= kApart) continue;
      result_.end = LoopEnd::redundancy;
      result_.messages.push_back(
          fmt::format("t = {:.6g}: {} was implied by other constraints and is now off by {:.3g}: the "
                      "constraints contradict "
                      "each other from here",
                      trial_.t, system_.layout().row_name(RowId{r}), phi[r]));
    }
  }

  // A mechanism that passes a place where its constraints lose rank: the matrix is close to singular there for a few steps.
  // A small pivot makes suspicious, an estimate of the condition number decides.
  void watch_rank() {
    constexpr double kSuspicious = 1e-2, kClose = 100;
    const long matrices = corrector_.counts().factorisations + corrector_.counts().refactorisations;
    if (matrices == matrices_seen_ || corrector_.lu().rcond() == 0) return;
    matrices_seen_ = matrices;
    const double pivots = corrector_.lu().rcond();
    best_pivots_ = std::max(best_pivots_, pivots);
    double condition = 0;
    if (usual_condition_ == 0) usual_condition_ = corrector_.lu().condition(corrector_.sink().matrix());
    else if (pivots < kSuspicious * best_pivots_)
      condition = corrector_.lu().condition(corrector_.sink().matrix());
    const bool close = condition > kClose * usual_condition_;
    if (close && condition > dip_condition_) {
      dip_condition_ = condition;
      dip_time_ = trial_.t;
      dip_rows_ = singular_rows();
    }
    if (!close && dip_condition_ > 0) announce_dip();
  }

  // The owners of the reactions that a vanishing row would leave undetermined: inverse iteration on the factors.
  std::string singular_rows() const {
    const auto& sink = corrector_.sink();
    Eigen::VectorXd x = Eigen::VectorXd::Ones(sink.size());
    for (int k = 0; k < 2; ++k) {
      corrector_.lu().solve(x);
      x /= std::max(x.lpNorm<Eigen::Infinity>(), 1e-300);
    }
    std::vector<std::string> owners;
    constexpr double kPart = 0.3;
    constexpr std::size_t kShown = 4;
    std::string list;
    for (int k = 0; k < sink.active_count(); ++k) {
      if (std::abs(x[sink.lambda_offset() + k]) < kPart) continue;
      const std::string& owner = system_.layout().row(RowId{sink.row_of_active(k)}).owner;
      if (std::find(owners.begin(), owners.end(), owner) != owners.end()) continue;
      if (owners.size() < kShown) list += (owners.empty() ? "" : ", ") + owner;
      owners.push_back(owner);
    }
    if (owners.size() > kShown) list += fmt::format(" and {} more", owners.size() - kShown);
    return list;
  }

  void announce_dip() {
    ++result_.counts.rank_dips;
    constexpr long kSaid = 50;
    if (hooks_.note && result_.counts.rank_dips <= kSaid)
      hooks_.note(
          fmt::format("t = {:.6g}: the constraints come close to losing rank (condition number {:.1e} times "
                      "the usual): {}",
                      dip_time_, dip_condition_ / usual_condition_, dip_rows_));
    dip_condition_ = 0;
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
      method_.interpolate(std::min(times_[next_], state.t), output_);
      output_.t = times_[next_];
      if (!timed(result_.counts.seconds_reconciling, [&] { return consistent_.reconcile(output_, work_); })) {
        result_.messages.push_back(fmt::format("t = {:.6g}: {}", output_.t, consistent_.message()));
        result_.end = LoopEnd::inconsistent;
        return false;
      }
      if (hooks_.output && !hooks_.output(output_)) {
        result_.end = LoopEnd::interrupted;
        return false;
      }
      ++next_;
    }
    return true;
  }

  const System& system_;
  Method& method_;
  solve::Corrector& corrector_;
  solve::Consistent& consistent_;
  LoopSettings settings_;
  const LoopHooks& hooks_;
  System::Workspace work_;
  std::vector<int> watched_;  // redundant rows
  State trial_, output_;
  std::span<const double> times_;
  std::size_t next_ = 0;
  double end_ = 0, error_ = 1, base_c_ = 1e-3;
  long matrices_seen_ = 0;
  double best_pivots_ = 0, usual_condition_ = 0, dip_condition_ = 0, dip_time_ = 0;
  std::string dip_rows_;
  std::vector<double> before_, after_;                        // of the events
  double ceiling_ = std::numeric_limits<double>::infinity();  // of the step, after the corrector failed
  static constexpr int kCutsBeforeLeap = 3;
  static constexpr double kLeap = 1.6;
  int cuts_ = 0;
  bool leapt_ = false;      // the step after the last accepted one was tried longer, too
  double full_h_ = 0;       // its length when it first failed
  std::string not_finite_;  // the equation that first gave no number since the last accepted step
  Outcome outcome_ = Outcome::converged;
  LoopResult result_;
};

}  // namespace

LoopResult integrate(const System& system, Method& method, solve::Corrector& corrector,
                     solve::Consistent& consistent, State& state, double end,
                     std::span<const double> output_times, const LoopSettings& settings,
                     const LoopHooks& hooks) {
  return Loop(system, method, corrector, consistent, settings, hooks).run(state, end, output_times);
}

}  // namespace trunnion::integrate
