#pragma once
// What to say of steps that fail: why the run ends, or why it goes on so slowly, and what to try.

#include <vector>

#include "integrate/rank_watch.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion::integrate {

enum class StepFailure { error, corrector, rounding };  // rounding: the time does not move on by it

// A step of length h that was not accepted.
struct FailedStep {
  const assembly::State& from;
  assembly::State& trial;  // where it led; lost to a new prediction
  double h = 0, hmin = 0;
  StepFailure why = StepFailure::error;
  solve::Outcome outcome = solve::Outcome::converged;
  int cuts = 0;        // in a row
  bool fixed = false;  // H is given: it was the only length tried
};

class StepTrouble {
 public:
  StepTrouble(const system::System& system, Formula& formula, const solve::StageSolver& solver,
              const RankWatch& rank, system::System::Workspace& work)
      : system_(system), formula_(formula), solver_(solver), rank_(rank), work_(work) {}

  void begin(double t) { window_.begin = t; }
  // An equation gave no number. Steps that led there get shorter until something else fails; what matters is the first.
  void no_number(const assembly::State& trial);
  void accepted() { not_finite_.clear(); }
  core::Words failure(solve::Outcome outcome) const;

  // Steps far below HMAX, many of them rejected: something jumps to and fro. The run goes on, but not without a word.
  void watch(double t, bool rejected, double hmax);
  // That word, once it is due and its cause was found or looked for long enough; empty: nothing to say.
  core::Words slow(const FailedStep& step);
  // The run ends with this step.
  LoopEnd last(const FailedStep& step, std::vector<core::Words>& lines);

 private:
  core::Words vibrates() const;
  bool follows_reactions();
  void look_ahead(const assembly::State& from, double h, LoopEnd& end);
  core::Words for_equal_steps(solve::Outcome outcome) const;
  void explain(const FailedStep& step, LoopEnd end, std::vector<core::Words>& lines);
  void name_culprits(const FailedStep& step, const core::Words& where, std::vector<core::Words>& lines) const;

  const system::System& system_;
  Formula& formula_;
  const solve::StageSolver& solver_;
  const RankWatch& rank_;
  system::System::Workspace& work_;
  struct Window {
    long tries = 0, rejected = 0;
    double begin = 0;
  };
  Window window_;
  long slow_windows_ = 0, tell_at_ = 1;
  int looks_left_ = 0;               // for the jump that makes steps short
  core::Words slow_;                 // what to say of it
  core::Words not_finite_;           // the equation that first gave no number since the last accepted step
  std::vector<core::Words> causes_;  // the expressions behind it
  std::vector<char> readers_;        // of reactions, once it was asked for them
};

}  // namespace trunnion::integrate
