#include "api/spectra/oscillator.hpp"

#include "lang/reader.hpp"
#include "solve/stage_solver.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {

namespace {

// Linear in Z, exactly: no length is subtracted that would leave rounding behind when the motion has died away.
constexpr const char* kModel = R"(oscillator
PART/1, GROUND
MARKER/1, PART=1
POINT_MASS/2, MASS=1, CM=20
MARKER/20, POINT_MASS=2
SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, FUNCTION=-DZ(20,1)
END
)";
constexpr int kZ = 2;  // the place of Z among the mass' coordinates

}  // namespace

Oscillator::Oscillator() {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto file = sources.add("oscillator", kModel);
  const model::Model model = lang::read_model(sources, file, diagnostics);
  system_ = system::compile(model, {}, diagnostics);
}

formulas::Motion Oscillator::drive(integrate::Formula& formula, bool stabilised, double omega_h) const {
  formulas::Motion motion(formulas::kStepsForRoots + 1);
  assembly::State out = system_->start(), moving = out;
  out.q[kZ] = 1;
  out.a[kZ] = -1;
  moving.v[kZ] = 1;
  if (!from(out, formula, stabilised, omega_h, 0, motion)) return {};
  if (!from(moving, formula, stabilised, omega_h, 1, motion)) return {};
  return motion;
}

bool Oscillator::from(const assembly::State& start, integrate::Formula& formula, bool stabilised, double h,
                      int column, formulas::Motion& motion) const {
  solve::CorrectorSettings settings;
  settings.exactly = 2;    // one solves a linear equation, the other removes its rounding
  settings.pattern = {1};  // of each stage its own
  solve::StageSolver solver(*system_, {}, stabilised, settings);
  system::System::Workspace work(*system_, assembly::AnalysisMode::dynamics);
  formula.start({&start, 1});
  assembly::State now = start;
  for (std::size_t k = 0; k < motion.size(); ++k) {
    motion[k].col(column) << now.q[kZ], now.v[kZ];  // at 1 rad/s
    if (k + 1 == motion.size()) break;
    assembly::State trial = now;
    if (formula.step(h, solver, work, trial) != solve::Outcome::converged) return false;
    formula.error(trial);  // as the step loop does, which formulas may rely on
    formula.accept(trial);
    now = trial;
  }
  return true;
}

}  // namespace trunnion::api
