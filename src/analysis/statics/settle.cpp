// EQUILIBRIUM/DYNAMIC: a motion that is only to end (primer §6.2). Backward Euler with the real masses and damping,
//   q = q₀ ⊕ h v,   v = v₀ + h (a − c v),   c = GLOBAL_DAMPING
// damps by itself, the more the longer the step. Whenever kinetic energy has passed a maximum the parts are stopped where they
// are: they are then near a place where the forces balance. Accuracy of the motion is of no interest.

#include <cmath>

#include <fmt/format.h>

#include "analysis/statics/search.hpp"
#include "solve/stage_equations.hpp"

namespace trunnion::analysis {

using assembly::State;

namespace {

class Settling {
 public:
  // States that are held at rest are held here.
  Settling(const system::System& system, const std::vector<int>& active, const StaticEquations& at_rest,
           double damping, assembly::AnalysisMode mode)
      : system_(system),
        layout_(system.layout()),
        work_(system, mode),
        stage_(system.layout(), active, solve::StageEquations::Rows::position),
        damping_(damping) {
    for (int i = 0; i < layout_.size(); ++i) choice_.held.push_back(at_rest.is_held(i) ? 1 : 0);
  }

  // One step of length h; the state is left alone where it fails.
  bool step(State& state, double h) {
    constexpr int kIterations = 12;
    constexpr double kSmall = 1e-6;
    solve::LevelMaps maps;
    maps.body = {1, 1 / h, (1 / h + damping_) / h};
    maps.state = {1, 1 / h, 0};
    maps.variable = {1, 0, 0};
    State trial = state;
    Eigen::VectorXd d = Eigen::VectorXd::Zero(layout_.size());
    double before = HUGE_VAL;
    for (int k = 0; k < kIterations; ++k) {
      place(state, d, h, trial);
      if (!solve(trial, maps)) return false;
      const Eigen::VectorXd change = x_.head(layout_.size());
      const double size = change.lpNorm<Eigen::Infinity>();
      if (!change.allFinite() || (k > 3 && size > before)) return false;
      d += change;
      for (int j = 0; j < stage_.active_count(); ++j)
        trial.lambda[stage_.row_of_active(j)] += x_[stage_.lambda_offset() + j];
      if (size <= kSmall * (1 + d.lpNorm<Eigen::Infinity>())) {
        place(state, d, h, trial);
        state = trial;
        system_.accept(state, work_, system::System::Way::search);
        iterations = k + 1;
        return true;
      }
      before = size;
    }
    return false;
  }

  double kinetic_energy(const State& state) {
    system_.update(state, work_);
    return system_.energy(state, work_).kinetic;
  }
  int iterations = 0;

 private:
  void place(const State& from, const Eigen::VectorXd& d, double h, State& to) const {
    assembly::retract(layout_, from.q, d, to.q);
    to.v = d / h;
    to.a = (to.v - from.v) / h + damping_ * to.v;
    for (int i = 0; i < layout_.size(); ++i) {
      if (choice_.held[static_cast<std::size_t>(i)]) to.v[i] = 0;
    }
  }

  bool solve(const State& trial, const solve::LevelMaps& maps) {
    stage_.evaluate(system_, trial, work_, maps, true, nullptr, choice_);
    if (stage_.new_pattern()) analysed_ = false;
    x_ = -stage_.residual();
    const sparse::CscMatrix& A = stage_.matrix();
    if (!analysed_) {
      if (!lu_.analyse(A)) return false;
      analysed_ = true;
      if (lu_.factor(A) == sparse::FactorStatus::singular) return false;
    } else if (lu_.update(A) == sparse::FactorStatus::singular) {
      return false;
    }
    lu_.solve(x_);
    return true;
  }

  const system::System& system_;
  const assembly::Layout& layout_;
  system::System::Workspace work_;
  solve::StageEquations stage_;
  sparse::SparseLu lu_;
  double damping_;
  solve::Choice choice_;  // what is held
  bool analysed_ = false;
  Eigen::VectorXd x_;
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
    if (motion.iterations <= kEasy) h *= kGrow;
  }
  if (!rests)
    settling_note_ = core::words(
        "the damped motion was not yet at rest after {:.4g} units of time ({}); try: a longer SETTLING_TIME, "
        "more GLOBAL_DAMPING",
        elapsed,
        elapsed < settings_.settling_time ? core::words("{} steps", kSteps) : core::Words("SETTLING_TIME"));
  state.v.setZero();
  state.a.setZero();
  return true;
}

}  // namespace trunnion::analysis
