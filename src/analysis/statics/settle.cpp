// EQUILIBRIUM/DYNAMIC: a motion that is only to end (primer §6.2). Backward Euler with the real masses and damping,
//   q = q₀ ⊕ h v,   v = v₀ + h (a − c v),   c = GLOBAL_DAMPING
// damps by itself, the more the longer the step. Whenever kinetic energy has passed a maximum the parts are stopped where they
// are: they are then near a place where the forces balance. Accuracy of the motion is of no interest.

#include <cmath>

#include <fmt/format.h>

#include "analysis/statics/search.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::analysis {

using assembly::State;

namespace {

// One step of length h, in displacements d from where it began.
class SettlingStep final : public solve::Stage {
 public:
  SettlingStep(const assembly::Layout& layout, const solve::Choice& choice, const State& from, double h,
               double damping)
      : layout_(layout),
        choice_(choice),
        from_(from),
        h_(h),
        damping_(damping),
        d_(Eigen::VectorXd::Zero(layout.size())) {
    maps_.body = {1, 1 / h, (1 / h + damping) / h};
    maps_.state = {1, 1 / h, 0};
    maps_.variable = {1, 0, 0};
  }

  const solve::LevelMaps& maps(bool) override { return maps_; }
  void add(const Eigen::VectorXd& du, State& trial) override {
    d_ += du.head(layout_.size());
    place(trial);
  }
  double size(const Eigen::VectorXd& du) const override {
    if (layout_.size() == 0) return 0;
    const auto change = du.head(layout_.size());
    return change.lpNorm<Eigen::Infinity>() / (1 + (d_ + change).lpNorm<Eigen::Infinity>());
  }
  const solve::Choice& choice() const override { return choice_; }

  void place(State& to) const {
    assembly::retract(layout_, from_.q, d_, to.q);
    to.v = d_ / h_;
    to.a = (to.v - from_.v) / h_ + damping_ * to.v;
    for (int i = 0; i < layout_.size(); ++i) {
      if (choice_.held[static_cast<std::size_t>(i)]) to.v[i] = 0;
    }
  }

 private:
  const assembly::Layout& layout_;
  const solve::Choice& choice_;
  const State& from_;
  double h_, damping_;
  solve::LevelMaps maps_;
  Eigen::VectorXd d_;
};

// A new matrix for each iteration: the motion is long and rough.
solve::CorrectorSettings settling_settings() {
  solve::CorrectorSettings settings;
  settings.maxit = 12;
  settings.c = 1e-6;
  settings.all_variables = false;
  settings.pattern = {1};
  settings.patience = 3;
  return settings;
}

class Settling {
 public:
  // States that are held at rest are held here.
  Settling(const system::System& system, const std::vector<int>& active, const StaticEquations& at_rest,
           double damping, assembly::AnalysisMode mode)
      : system_(system),
        work_(system, mode),
        solver_(system, active, false, settling_settings()),
        damping_(damping) {
    for (int i = 0; i < system.layout().size(); ++i) choice_.held.push_back(at_rest.is_held(i) ? 1 : 0);
  }

  // One step of length h; the state is left alone where it fails.
  bool step(State& state, double h) {
    SettlingStep stage(system_.layout(), choice_, state, h, damping_);
    State trial = state;
    stage.place(trial);
    if (solver_.solve(stage, trial, work_) != solve::Outcome::converged) return false;
    state = trial;
    system_.accept(state, work_, system::System::Way::search);
    return true;
  }

  double kinetic_energy(const State& state) {
    system_.update(state, work_);
    return system_.energy(state, work_).kinetic;
  }
  int iterations() const { return solver_.last_iterations(); }

 private:
  const system::System& system_;
  system::System::Workspace work_;
  solve::StageSolver solver_;
  double damping_;
  solve::Choice choice_;  // what is held
};

}  // namespace

bool StaticSearch::settle(State& state) {
  constexpr int kSteps = 3000, kStops = 200;
  constexpr double kFirstPart = 0.01;  // of a length or radian, by the first step: h²/2 of the acceleration
  constexpr double kStill = 1e-3;      // moved by a step that ends it
  constexpr double kCut = 4, kGrow = 1.3, kShortest = 1e-12;  // of SETTLING_TIME
  constexpr int kEasy = 4;  // iterations of a step that may be followed by a longer one
  Settling motion(system_, from_.active, equations_, settings_.global_damping, settings_.mode);
  state.v.setZero();
  state.a.setZero();
  // What the forces would do in a first step decides its length: a part of the mechanism's length.
  Eigen::VectorXd x;
  if (!equations_.place(state, gap_tolerance(state), x)) return false;
  const double pace = extent(x) / equations_.mass_scale();
  if (pace == 0) return true;
  double h = std::sqrt(2 * kFirstPart / pace), elapsed = 0, energy = 0;
  bool rests = false;
  int stops = 0;
  for (int k = 0; k < kSteps && elapsed < settings_.settling_time; ++k) {
    if (stopped()) return false;
    const State before = state;
    const bool made = motion.step(state, h);
    const double moved = made ? distance(before, state) : 0.0;
    if (!made || moved > kLongestStep) {
      tell_motion(h, moved, 0, false);
      state = before;
      h /= kCut;
      if (h < kShortest * settings_.settling_time) return false;
      continue;
    }
    elapsed += h;
    const double now = motion.kinetic_energy(state);
    tell_motion(h, moved, now, true);
    const double acceleration = state.a.size() > 0 ? state.a.lpNorm<Eigen::Infinity>() : 0.0;
    const bool slow = now <= settings_.kinetic_energy_error && acceleration <= settings_.acceleration_error;
    rests = slow && k > 0 && moved < kStill;
    if (rests) break;
    if (now < energy && settings_.global_damping == 0 && stops < kStops) {
      ++stops;
      state.v.setZero();
      energy = 0;
    } else {
      energy = now;
    }
    if (motion.iterations() <= kEasy) h *= kGrow;
  }
  if (!rests)
    settling_note_ = fmt::format(
        "the damped motion was not yet at rest after {:.4g} units of time ({}); try: a longer SETTLING_TIME, "
        "more GLOBAL_DAMPING",
        elapsed,
        elapsed < settings_.settling_time ? fmt::format("{} steps", kSteps) : std::string("SETTLING_TIME"));
  state.v.setZero();
  state.a.setZero();
  return true;
}

}  // namespace trunnion::analysis
