// ABAM beside the Adams formulas of SUNDIALS' CVODE on the same right side: an oracle that nobody here wrote. Skipped where the library is not at hand.

#include <gtest/gtest.h>

#ifdef TRUNNION_SUNDIALS

#include <cmath>

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "analysis/mechanism.hpp"
#include "integrate/registry.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::Mechanism;

// Points on springs, with coordinates and velocities of the size of 1: what ERROR allows is then CVODE's absolute tolerance.
std::string points() {
  std::string text = "points\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n";
  text += "MARKER/1, PART=1\n";
  for (int k = 2; k < 6; ++k) {
    text += fmt::format("POINT_MASS/{0}, MASS={1}, CM={0}0, QG={2},{3},{4}, VX={5}, VZ=0.3\n", k, 1 + 0.3 * k,
                        0.2 * k, 0.3 - 0.1 * k, 0.15 * k, 0.5 - 0.2 * k);
    text += fmt::format("MARKER/{0}0, POINT_MASS={0}\n", k);
    text += fmt::format("SPRINGDAMPER/{0}, TRANSLATION, I={0}0, J={1}, K={2}, LENGTH=0.3\n", k,
                        k == 2 ? "1" : fmt::format("{}0", k - 1), 3 + k);
  }
  return text + "END\n";
}

struct Problem {
  Problem()
      : m(points()),
        solver(*m.system, m.assembled.active),
        work(*m.system, assembly::AnalysisMode::dynamics) {}
  Mechanism m;
  solve::StageSolver solver;
  system::System::Workspace work;
  State state = m.assembled.state;
  long calls = 0;
};

int right_side(double t, N_Vector y, N_Vector y_dot, void* data) {
  Problem& p = *static_cast<Problem*>(data);
  const Eigen::Index n = p.state.v.size();
  Eigen::Map<const Eigen::VectorXd> in(N_VGetArrayPointer(y), 2 * n);
  Eigen::Map<Eigen::VectorXd> out(N_VGetArrayPointer(y_dot), 2 * n);
  p.state.t = t;
  p.state.q = in.head(n);
  p.state.v = in.tail(n);
  if (!p.solver.accelerations(p.state, p.work)) return -1;
  out << p.state.v, p.state.a;
  ++p.calls;
  return 0;
}

struct Result {
  Eigen::VectorXd q;
  long evaluations = 0;
};

constexpr double kEnd = 20;

Result by_cvode(double tolerance) {
  Problem p;
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  const Eigen::Index n = p.state.v.size();
  N_Vector y = N_VNew_Serial(2 * n, context);
  Eigen::Map<Eigen::VectorXd> values(N_VGetArrayPointer(y), 2 * n);
  values << p.state.q, p.state.v;
  void* cvode = CVodeCreate(CV_ADAMS, context);
  CVodeInit(cvode, right_side, p.state.t, y);
  CVodeSStolerances(cvode, 0, tolerance);
  CVodeSetUserData(cvode, &p);
  CVodeSetMaxNumSteps(cvode, 1000000);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
  CVodeSetNonlinearSolver(cvode, iteration);
  CVodeSetStopTime(cvode, kEnd);
  double t = 0;
  EXPECT_GE(CVode(cvode, kEnd, y, &t, CV_NORMAL), 0);
  const Result result{values.head(n), p.calls};
  SUNNonlinSolFree(iteration);
  CVodeFree(&cvode);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return result;
}

Result by_abam(double tolerance) {
  Problem p;
  integrate::FormulaSettings settings;
  settings.error = tolerance;
  settings.kmax = 12;
  const auto formula =
      integrate::make_formula(formulas::entry(formulas::index_of("ABAM")), p.m.system->layout(), settings);
  const auto loop =
      integrate::integrate(*p.m.system, *formula, p.solver, p.state, kEnd, {}, {1e-4, kEnd, 1e-12}, {});
  EXPECT_EQ(loop.end, integrate::LoopEnd::done);
  return {p.state.q, p.solver.counts().evaluations};
}

// At equal errors: the work of ABAM, between two of its runs, at the error that CVODE has.
TEST(Cvode, AbamDoesAsMuchWorkForAsMuchAccuracy) {
  const Eigen::VectorXd truth = by_abam(1e-13).q;
  EXPECT_LT((by_cvode(1e-13).q - truth).norm(), 1e-9);
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const Result other = by_cvode(tolerance);
    const double wanted = (other.q - truth).norm();
    double finer = tolerance, work = 0;
    for (Result last = by_abam(finer); work == 0; last = by_abam(finer)) {
      const double error = (last.q - truth).norm();
      if (error <= 1.1 * wanted) work = static_cast<double>(last.evaluations);
      fmt::print("tolerance {:.0e}: CVODE {:.2e} with {} evaluations; ABAM at {:.1e} {:.2e} with {}\n",
                 tolerance, wanted, other.evaluations, finer, error, last.evaluations);
      finer /= 2;
      if (finer < 1e-4 * tolerance) break;
    }
    EXPECT_GT(work, 0);
    EXPECT_LT(work, 1.3 * static_cast<double>(other.evaluations));
  }
}

}  // namespace
}  // namespace trunnion

#else

TEST(Cvode, AbamDoesAsMuchWorkForAsMuchAccuracy) { GTEST_SKIP() << "libsundials-dev is not installed"; }

#endif
