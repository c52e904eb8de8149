// Andrews' squeezer with every formula at the steps of Zhang et al. (2022), 5.1, against numbers of another program: a script by another
// hand, index 3 in the angles of the links, constant prediction (papers digest, 5.6). Its crank starts at −0.0620, and its steps are n times
// Δt for n stages, rounded to end at 0.05 s.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/session/session.hpp"
#include "dynamics/mechanisms.hpp"
#include "formulas/catalogue.hpp"
#include "lang/reader.hpp"

namespace trunnion {
namespace {

struct Case {
  const char* formula;
  double rho;
  double coarse,
      coarse_energy;  // ω of the crank and what energy is missing or too much, at 0.05 s, Δt = 1e-4 a stage; 0: not given
  double fine;    // ω with Δt = 1e-5
  double digits;  // of `coarse`, half a unit of the last
};
constexpr Case kCases[] = {{"LMS2", 0, 1042.79, -2.79e-2, 1140.496, 0.01},
                           {"LMS3", 0, 1121.20, -4.76e-3, 1140.760, 0.01},
                           {"LMS4", 0, 1126.46, -3.47e-3, 1140.797, 0.01},
                           {"BATHE", 0, 1051.91, -2.73e-2, 1140.614, 0.01},
                           {"MSSTC3", 0, 1130.96, -2.2e-3, 1140.823, 0.01},
                           {"MSSTC4", 0, 1099.01, -1.24e-2, 1140.770, 0.01},
                           {"MSSTC5", 0, 1143.42, 1.5e-3, 1140.853, 0.01},
                           {"LMS2", 0.6, 1129.00, -2.97e-3, 1140.833, 0.01},
                           {"LMS3", 0.6, 1131.35, -2.35e-3, 1140.846, 0.01},
                           {"LMS4", 0.6, 1131.58, -2.30e-3, 1140.848, 0.01},
                           {"BATHE", 0.6, 1019.64, -4.14e-2, 1140.435, 0.01},
                           {"MSSTC3", 0.6, 1129.79, -2.8e-3, 1140.840, 0.01},
                           {"MSSTC4", 0.6, 1100.87, -1.2e-2, 1140.653, 0.01},
                           {"MSSTC5", 0.6, 1131.14, -2.4e-3, 1140.847, 0.01},
                           {"MSSTH3", 0, 1346.7, 7.0e-2, 1141.232, 0.1},
                           {"MSSTH4", 0, 1380.5, 1.18e-1, 1141.603, 0.1},
                           {"MSSTH5", 0, 0, 0, 1137.925, 0},
                           {"ESDIRK34", 0, 1355.97, 7.5e-2, 1141.255, 0.01},
                           {"ESDIRK35", 0, 1111.51, -8.1e-3, 1140.823, 0.01},
                           {"ESDIRK46", 0, 1117.47, -1.26e-2, 1141.180, 0.01}};

constexpr double kEnd = 0.05, kBeta = -0.0620, kTorque = 0.033;

struct End {
  bool ok = false;
  double omega = 0, energy = 0;
  std::string message;
};

// As the formula gives it, not as rows of results have it.
End end_of(const Case& c, double dt) {
  const formulas::Entry& entry = formulas::entry(formulas::index_of(c.formula));
  const double h = kEnd / std::round(kEnd / (entry.stages * dt));
  const std::string rho = entry.damping == formulas::Damping::rho ? fmt::format(", RHO={}", c.rho) : "";
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  api::Session session(lang::read_model(
      sources,
      sources.add("andrews",
                  test::andrews_at(kBeta, fmt::format("{}, H={:.17g}, ERROR=1E-9{}", c.formula, h, rho))),
      diagnostics));
  End end;
  if (!session.assemble()) return end;
  const auto system = session.system();
  system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
  const auto block = system->bodies().front().block;
  const int crank = system->layout().block(block).offset + 5;  // its turn about z
  double first = 0;
  const auto energy = [&](const assembly::State& s) {
    system->update(s, work);
    const auto e = system->energy(s, work);
    return e.kinetic + e.potential;
  };
  const auto angle = [&](const assembly::State& s) {
    const auto p = assembly::pose(system->layout(), block, s.q);
    const math::Mat3 R = p.R.toRotationMatrix();
    return std::atan2(R(1, 0), R(0, 0));
  };
  double whole = 0, last_angle = 0;
  analysis::DynamicHooks hooks;
  hooks.started = [&](const assembly::State& s) {
    first = energy(s);
    last_angle = angle(s);
    EXPECT_NEAR(last_angle, kBeta, 1e-12);
  };
  hooks.accepted = [&](const integrate::StepAttempt&, const assembly::State& s) {
    const double now = angle(s);
    whole += std::remainder(now - last_angle, 2 * M_PI);
    last_angle = now;
    end.omega = s.v[crank];
    end.energy = energy(s) - first - kTorque * whole;
  };
  const analysis::DynamicResult result = session.simulate(kEnd, {}, hooks);
  end.ok = result.ok;
  for (const core::Words& message : result.loop.messages) end.message += message + "\n";
  return end;
}

TEST(AndrewsStudy, EveryFormulaEndsWhereAnotherProgramDoes) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(fmt::format("{} {}", c.formula, c.rho));
    if (c.coarse > 0) {
      const End end = end_of(c, 1e-4);
      ASSERT_TRUE(end.ok) << end.message;
      EXPECT_NEAR(end.omega, c.coarse, c.digits);
      EXPECT_NEAR(end.energy, c.coarse_energy, 0.02 * std::abs(c.coarse_energy));
    }
    const End end = end_of(c, 1e-5);
    ASSERT_TRUE(end.ok) << end.message;
    EXPECT_NEAR(end.omega, c.fine, 0.001);
  }
}

}  // namespace
}  // namespace trunnion
