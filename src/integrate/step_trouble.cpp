#include "integrate/step_trouble.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "integrate/jump.hpp"
#include "system/reaction_readers.hpp"

namespace trunnion::integrate {

using assembly::State;
using solve::Outcome;

namespace {

constexpr const char* kReaction =
    ", as of a state that follows a reaction: they are known badly where steps are short; try SI2, RADAU5 or "
    "a larger ERROR";

core::Words cut(const FailedStep& step) {
  if (step.fixed) return "; steps are of equal length, none was cut";
  return core::words(" ({} step cuts)", step.cuts);
}

}  // namespace

void StepTrouble::no_number(const State& trial) {
  if (!not_finite_.empty()) return;
  const core::Words bad = solver_.equations().not_finite();
  not_finite_ = bad.empty() ? "a correction" : bad;
  causes_ = system_.not_finite(trial, work_);
}

core::Words StepTrouble::failure(Outcome outcome) const {
  switch (outcome) {
    case Outcome::diverged:
      return core::words("corrector diverges after {} iterations", solver_.last_iterations());
    case Outcome::singular: return "the system matrix is singular";
    case Outcome::not_finite: return "the equations give a value that is not a number";
    default:
      if (solver_.last_iterations() >= solver_.settings().maxit)
        return core::words("corrector did not converge in {} iterations", solver_.last_iterations());
      return core::words("corrector converges too slowly: given up after {} of MAXIT = {} iterations",
                         solver_.last_iterations(), solver_.settings().maxit);
  }
}

void StepTrouble::watch(double t, bool rejected, double hmax) {
  constexpr long kWindow = 400;
  constexpr double kShort = 1e-3, kRejected = 0.05;
  constexpr int kLooks = 20;
  ++window_.tries;
  window_.rejected += rejected ? 1 : 0;
  if (window_.tries < kWindow) return;
  const Window last = std::exchange(window_, {0, 0, t});
  const double advanced = t - last.begin;
  if (advanced > kWindow * kShort * hmax || static_cast<double>(last.rejected) < kRejected * kWindow) return;
  if (++slow_windows_ < tell_at_) return;
  tell_at_ *= 10;
  slow_ = core::words("t = {:.9g}: the last {} steps advanced by {:.2g} only, {} were rejected", t, kWindow,
                      advanced, last.rejected);
  looks_left_ = kLooks;
}

// The error is that of a state which reads reactions, and index 3 is solved, which does not hold them by themselves: every change of the step
// spoils them, a shorter one more.
bool StepTrouble::follows_reactions() {
  const assembly::Segment& z = system_.layout().states();
  const int entry = formula_.worst_entry();
  if (solver_.equations().stabilised() || solver_.equations().levels().readings().empty()) return false;
  if (entry < z.offset || entry >= z.offset + z.size) return false;
  if (readers_.empty()) readers_ = system::reaction_readers(system_);
  return readers_[static_cast<std::size_t>(system_.layout().block_of(entry).index)] != 0;
}

// Which expression it is shows in a step that fails across its jump; not every one does.
core::Words StepTrouble::slow(const FailedStep& step) {
  if (looks_left_ == 0) return {};
  if (step.why == StepFailure::error && follows_reactions()) {
    looks_left_ = 0;
    return slow_ + "; most of the error is in " + system_.layout().column_name(formula_.worst_entry()) +
           kReaction;
  }
  const double tried = formula_.h();
  const core::Words about = step.why == StepFailure::error ? vibrates() : "";  // a prediction forgets it
  const auto jump = find_jump(system_, step.from, State(step.trial), formula_, step.h, !step.fixed, work_);
  formula_.predict(tried, step.trial);
  if (!jump && --looks_left_ > 0) return {};
  looks_left_ = 0;
  if (jump) return slow_ + "; " + describe(*jump) + "; try STEP over a finite width instead of IF";
  return slow_ + about;
}

// Formulas of order 1 and 2 damp a vibration that ERROR makes them follow, higher ones do not.
core::Words StepTrouble::vibrates() const {
  constexpr int kDamping = 2;
  return "; most of the error is in " + system_.layout().column_name(formula_.worst_entry()) +
         (formula_.order() > kDamping
              ? "; where this is a fast vibration with little damping, try KMAX = 2, HHT or a larger ERROR"
              : "");
}

LoopEnd StepTrouble::last(const FailedStep& step, std::vector<core::Words>& lines) {
  const bool not_finite = !not_finite_.empty() && step.why != StepFailure::error;
  LoopEnd end = not_finite ? LoopEnd::not_finite : LoopEnd::step_too_small;
  const core::Words where = core::words("t = {:.6g}, h = {:.2g}: ", step.from.t, step.h);
  if (step.why == StepFailure::error && step.fixed) {
    lines.push_back(where +
                    "the local error is not a finite number: with steps of this length the motion runs away");
    lines.push_back("  largest error      " + system_.layout().column_name(formula_.worst_entry()));
  } else if (step.why == StepFailure::error) {
    lines.push_back(where +
                    core::words("the error test fails {}; ERROR cannot be met with a step of HMIN = {:.2g}",
                                step.cuts == 1 ? "once" : core::words("{} times in a row", step.cuts),
                                step.hmin));
    lines.push_back("  largest error      " + system_.layout().column_name(formula_.worst_entry()));
    look_ahead(step.from, step.h, end);
    for (const core::Words& cause : causes_) lines.push_back("  " + cause);
  } else if (not_finite) {
    lines.push_back(where + "the equations gave a value that is not a number");
    lines.push_back("  first such equation   " + not_finite_);
    for (const core::Words& cause : causes_) lines.push_back("  " + cause);
  } else if (const core::Words trouble = formula_.trouble(); !trouble.empty()) {
    lines.push_back(where + trouble + cut(step));
  } else {
    name_culprits(step, where, lines);
  }
  explain(step, end, lines);
  return end;
}

void StepTrouble::name_culprits(const FailedStep& step, const core::Words& where,
                                std::vector<core::Words>& lines) const {
  const auto& sink = solver_.equations();
  if (step.outcome == Outcome::singular) {
    lines.push_back(where + "the system matrix is numerically singular with every pivot order");
    const auto at = solver_.lu().singular();
    if (!at || at->row < 0 || at->col < 0) return;
    lines.push_back("  equation of the singular row      " + sink.equation_name(at->row));
    lines.push_back("  variable of the singular column   " + sink.column_name(at->col));
    return;
  }
  lines.push_back(where + failure(step.outcome) + cut(step));
  lines.push_back(core::words("  largest residual   {}   |r| = {:.2g}",
                              sink.equation_name(solver_.worst_equation()),
                              std::abs(solver_.worst_residual())));
  lines.push_back("  slowest variable   " + sink.column_name(solver_.worst_variable()));
}

// A function of time that ends, as a root does, has a rate without bound just before: ERROR fails first.
void StepTrouble::look_ahead(const State& from, double h, LoopEnd& end) {
  causes_.clear();
  State ahead = from;
  for (const double steps : {1.0, 10.0, 100.0}) {
    ahead.t = from.t + steps * h;
    causes_ = system_.not_finite(ahead, work_, system::System::Asked::values);
    if (!causes_.empty()) break;
  }
  if (!causes_.empty()) end = LoopEnd::not_finite;
}

// More iterations help where they were too few, not where they lead away or were given up before; with FIXIT they are counted out.
core::Words StepTrouble::for_equal_steps(Outcome outcome) const {
  const core::Words shorter =
      "a smaller H (CONSTANT_BDF: a smaller HMAX or a larger HRATIO); INTEGRATOR without H, which cuts steps "
      "where it must; ";
  const solve::CorrectorSettings& settings = solver_.settings();
  if (outcome != Outcome::slow || !formula_.trouble().empty() || settings.exactly > 0) return shorter;
  if (solver_.last_iterations() >= settings.maxit)
    return shorter + core::words("a MAXIT above {}; ", solver_.last_iterations());
  return shorter + "PATTERN=T, a new Jacobian for every iteration; ";
}

// The likely why, and what to try.
void StepTrouble::explain(const FailedStep& step, LoopEnd end, std::vector<core::Words>& lines) {
  const core::Words rows = rank_.here();
  const bool undefined = end == LoopEnd::not_finite && !causes_.empty();
  const bool ran_away = step.why == StepFailure::error && step.fixed;  // then everything jumps
  const bool reaction = step.why == StepFailure::error && !step.fixed && follows_reactions();
  if (reaction) lines.push_back(std::string("  the error is that of a state") + kReaction);
  const auto jump = undefined || ran_away || reaction ? std::nullopt
                                                      : find_jump(system_, step.from, State(step.trial),
                                                                  formula_, step.h, !step.fixed, work_);
  if (jump) lines.push_back("  " + describe(*jump));
  if (!rows.empty())
    lines.push_back("  constraints are close to losing rank here: " + rows +
                    "; the mechanism may lock, or a MOTION ask for what it cannot reach");
  core::Words hint = "  try: ";
  if (undefined) hint += "MAX, MIN or IF that keep the argument where the function is defined; ";
  if (jump) hint += "STEP over a finite width instead of IF; ";
  if ((jump || undefined) && step.fixed) hint += "a smaller H; ";
  if (!rows.empty()) hint += "a MOTION within reach, other lengths or starting positions; ";
  if (!jump && rows.empty() && !undefined)
    hint += ran_away     ? "a smaller H; explicit formulas need a very small one where forces are stiff; "
            : step.fixed ? for_equal_steps(step.outcome)
                         : "a larger ERROR, a smaller HMIN, a smaller HMAX before this time; ";
  lines.push_back(hint + "DEBUG/EPRINT shows each iteration");
}

}  // namespace trunnion::integrate
