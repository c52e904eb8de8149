// The work of motions needs reactions, which inner stages have with less than their order: whatever the formula, energy must balance.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/session/session.hpp"
#include "formulas/catalogue.hpp"
#include "lang/reader.hpp"

namespace trunnion {
namespace {

// An unbalanced crank that speeds up, with a rod that swings from its end.
std::string driven(std::string_view formula) {
  return fmt::format(
      "driven\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=2, CM=20, IP=1E-2,1E-2,2E-2, QG=0.1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-0.1,0,0\n"
      "MARKER/22, PART=2, QP=0.1,0,0\nPART/3, MASS=1, CM=30, IP=1E-3,1E-2,1E-2, QG=0.4,0,0\nMARKER/30, "
      "PART=3\n"
      "MARKER/31, PART=3, QP=-0.2,0,0\nJOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=2*TIME**2+0.3*SIN(5*TIME)\nACCGRAV/JGRAV=-9.81\n"
      "INTEGRATOR/{}, ERROR=1E-6\nEND\n",
      formula);
}

TEST(MotionWork, BalancesWithEveryFormula) {
  for (const formulas::Entry& entry : formulas::catalogue()) {
    if (formulas::is<formulas::NotYet>(entry) || entry.step != formulas::Steps::controlled) continue;
    SCOPED_TRACE(entry.keyword);
    core::SourceSet sources;
    core::Diagnostics diagnostics;
    api::Session session(
        lang::read_model(sources, sources.add("driven", driven(entry.keyword)), diagnostics));
    session.record("ENERGY.*");
    ASSERT_TRUE(session.assemble());
    ASSERT_TRUE(session.simulate(1.5, math::OutputTimes::parts(50, 0, 1.5)).ok);
    const auto balance = session.recordings().front().column("ENERGY.BALANCE"),
               kinetic = session.recordings().front().column("ENERGY.KINETIC");
    ASSERT_TRUE(balance && kinetic);
    double worst = 0;
    for (const double b : *balance) worst = std::max(worst, std::abs(b - balance->front()));
    // NEWMARK is of order 1 by its defaults; the others err by some 1e-4 of the amplitude at most in so short a motion.
    const double allowed = entry.damping == formulas::Damping::gamma ? 2e-2 : 1e-3;
    EXPECT_LT(worst, allowed * *std::max_element(kinetic->begin(), kinetic->end()));
  }
}

}  // namespace
}  // namespace trunnion
