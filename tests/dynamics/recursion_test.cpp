// Motions by recursion over joint coordinates: redundant loops, events, a motion that is the same bit for bit twice, and what the general
// evaluation and implicit formulas make of the same mechanisms.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/mechanism.hpp"

namespace trunnion::test {
namespace {

using assembly::State;
using testing::HasSubstr;

struct Went {
  State state;
  analysis::DynamicResult result;
};

Went go(const std::string& text, double end, bool recursion = true,
        std::vector<integrate::Event> events = {}) {
  Mechanism m(text);
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  analysis::DynamicSettings settings = analysis::dynamic_settings(m.read.model);
  settings.corrector.recursion = recursion;
  analysis::DynamicHooks hooks;
  hooks.events = std::move(events);
  Went went;
  went.result = analysis::dynamics(*m.system, m.assembled, end, {}, settings, hooks);
  went.state = m.assembled.state;
  return went;
}

// A ground bar, three bars of 1 m that stay parallel and a bar of 2 m across: revolutes in space, so that many rows are redundant.
std::string three_parallel_bars(const std::string& integrator) {
  std::string text =
      "bars\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, "
      "GROUND\nACCGRAV/JGRAV=-9.81\n";
  const double c = 0.5 * std::cos(1.0), s = 0.5 * std::sin(1.0), degrees = 180 / M_PI;
  text += fmt::format("PART/20, MASS=2, CM=200, IP=0.01,0.7,0.7, QG={:.17g},{:.17g},0\nMARKER/200, PART=20\n",
                      2 * c + 1, 2 * s);
  for (int k = 0; k < 3; ++k) {
    text += fmt::format(
        "MARKER/{0}, PART=1, QP={1},0,0\nMARKER/20{0}, PART=20, QP={2},0,0\n"
        "PART/1{0}, MASS=1, CM=1{0}0, IP=0.01,0.1,0.1, QG={3:.17g},{4:.17g},0, REULER={5:.17g}D,0,0\n"
        "MARKER/1{0}0, PART=1{0}\nMARKER/1{0}1, PART=1{0}, QP=-0.5,0,0\nMARKER/1{0}2, PART=1{0}, QP=0.5,0,0\n"
        "JOINT/{6}, REVOLUTE, I=1{0}1, J={0}\nJOINT/{7}, REVOLUTE, I=1{0}2, J=20{0}\n",
        k + 1, k, k - 1, k + c, s, degrees, 2 * k + 1, 2 * k + 2);
  }
  return text + fmt::format("INTEGRATOR/{}\nEND\n", integrator);
}

TEST(RecursionInMotion, RedundantLoopsAreHarmless) {
  const Went exact = go(three_parallel_bars("GSTIFF, SI2, ERROR=1E-9, INTERPOLATE=ON"), 1);
  ASSERT_TRUE(exact.result.ok);
  for (const char* formula : {"DOP853", "ABAM", "RKF45", "TLISMNI"}) {
    SCOPED_TRACE(formula);
    const Went by_tree = go(three_parallel_bars(fmt::format("{}, ERROR=1E-8", formula)), 1),
               by_all = go(three_parallel_bars(fmt::format("{}, ERROR=1E-8", formula)), 1, false);
    ASSERT_TRUE(by_tree.result.ok);
    EXPECT_THAT(by_tree.result.corrector.evaluation, HasSubstr("recursion over"));
    EXPECT_LE((by_tree.state.q - exact.state.q).lpNorm<Eigen::Infinity>(), 1e-6);
    EXPECT_LE((by_tree.state.q - by_all.state.q).lpNorm<Eigen::Infinity>(), 1e-6);
    // Reactions of the rows that act, which are those of the general solution at the end.
    EXPECT_LE((by_tree.state.lambda - by_all.state.lambda).lpNorm<Eigen::Infinity>(), 1e-4);
    EXPECT_LE(by_tree.result.loop.counts.worst_violation, 1e-12);
  }
}

// A driven slider-crank in space, out of its dead centre and from 30 degrees on. Of its revolute joints three equations hold by the tree
// alone; what rounding leaves in their rows as the mechanism moves must not be taken for equations.
TEST(RecursionInMotion, RowsOfRoundingAreNone) {
  constexpr double kCrank = 100, kRod = 300;
  for (const double from : {0.0, M_PI / 6}) {
    const double y = kCrank * std::sin(from), pin = kCrank * std::cos(from), down = std::asin(y / kRod),
                 end = pin + kRod * std::cos(down);
    const std::string text = fmt::format(
        "slider-crank\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/11, PART=1\nMARKER/12, PART=1, QP=400,0,0, REULER=90D,90D,0\n"
        "PART/2, MASS=0.8, CM=20, IP=100,700,700, REULER={0:.17g},0,0\nMARKER/20, PART=2, QP=50,0,0\n"
        "MARKER/21, PART=2\nMARKER/22, PART=2, QP=100,0,0\n"
        "PART/3, MASS=1.2, CM=30, IP=150,9000,9000, QG={1:.17g},{2:.17g},0, REULER={3:.17g},0,0\n"
        "MARKER/30, PART=3, QP=150,0,0\nMARKER/31, PART=3\nMARKER/32, PART=3, QP=300,0,0\n"
        "PART/4, MASS=0.5, CM=40, IP=200,200,200, QG={4:.17g},0,0\nMARKER/40, PART=4\nMARKER/41, PART=4\n"
        "MARKER/42, PART=4, REULER=90D,90D,0\nJOINT/1, REVOLUTE, I=21, J=11\nJOINT/2, REVOLUTE, I=31, J=22\n"
        "JOINT/3, REVOLUTE, I=32, J=41\nJOINT/4, TRANSLATIONAL, I=42, J=12\n"
        "MOTION/1, JOINT=1, ROTATIONAL, FUNCTION={0:.17g}+360D*TIME\nACCGRAV/JGRAV=-9806.65\n",
        from, pin, y, -down, end);
    for (const char* formula : {"ABAM", "DOP853", "RKF45", "TLISMNI"}) {
      SCOPED_TRACE(fmt::format("{} from {}", formula, from));
      const Went went = go(text + "INTEGRATOR/" + formula + "\nEND\n", 0.7, true);
      ASSERT_TRUE(went.result.ok);
      const double angle = from + 2 * M_PI * 0.7, up = kCrank * std::sin(angle);
      const double x = kCrank * std::cos(angle) + std::sqrt(kRod * kRod - up * up);
      EXPECT_NEAR(went.state.q[14], x, 1e-9 * x);
    }
  }
}

// Two links that turn all ways, a spring to ground, a filter: spherical and revolute.
std::string two_links(const std::string& integrator) {
  return fmt::format(
      "links\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=0.01,0.1,0.1, QG=0.5,0,0, WX=2\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-0.5,0,0\n"
      "MARKER/22, PART=2, QP=0.5,0,0, REULER=30D,40D,0D\nPART/3, MASS=2, CM=30, IP=0.1,0.2,0.2, QG=1,-0.5,0\n"
      "MARKER/30, PART=3\nMARKER/31, PART=3, QP=0,0.5,0, REULER=30D,40D,0D\n"
      "JOINT/1, SPHERICAL, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nACCGRAV/KGRAV=-9.81\n"
      "SPRINGDAMPER/1, TRANSLATION, I=30, J=1, K=30, C=0.2, LENGTH=1\n"
      "DIFF/1, IC=0, FUNCTION=3*(AZ(31,22)-DIF(1))\n"
      "SFORCE/1, ROTATIONAL, I=31, J=22, FUNCTION=-2*DIF(1)\nINTEGRATOR/{}\nEND\n",
      integrator);
}

// What a run is off by: no more than ERROR a step, from the general evaluation at an ERROR that leaves 3e-10.
TEST(RecursionInMotion, IsTheSameTwiceAndRightWithinError) {
  const Went exact = go(two_links("DOP853, ERROR=1E-12, HMIN=1E-12"), 2, false);
  ASSERT_TRUE(exact.result.ok);
  for (const char* formula : {"DOP853", "ABAM", "RKF45", "TLISMNI"}) {
    SCOPED_TRACE(formula);
    const std::string text = two_links(fmt::format("{}, ERROR=1E-8", formula));
    const Went once = go(text, 2), twice = go(text, 2);
    ASSERT_TRUE(once.result.ok);
    EXPECT_THAT(once.result.corrector.evaluation, HasSubstr("recursion over 4 joint coordinates"));
    EXPECT_TRUE(once.state.q == twice.state.q && once.state.v == twice.state.v &&
                once.state.a == twice.state.a);
    const double allowed = 1e-8 * static_cast<double>(once.result.loop.counts.steps);
    EXPECT_LE((once.state.q - exact.state.q).lpNorm<Eigen::Infinity>(), allowed);
    EXPECT_LE((once.state.v - exact.state.v).lpNorm<Eigen::Infinity>(),
              allowed * std::max(1.0, exact.state.v.lpNorm<Eigen::Infinity>()));
  }
}

// The general evaluation, with every explicit formula, within what ERROR means.
TEST(GeneralMotion, IsRightWithinError) {
  const Went exact = go(two_links("DOP853, ERROR=1E-12, HMIN=1E-12"), 2, true);
  for (const char* formula : {"DOP853", "ABAM", "RKF45", "TLISMNI"}) {
    SCOPED_TRACE(formula);
    const Went went = go(two_links(fmt::format("{}, ERROR=1E-8", formula)), 2, false);
    ASSERT_TRUE(went.result.ok);
    const double allowed = 1e-8 * static_cast<double>(went.result.loop.counts.steps);
    EXPECT_LE((went.state.q - exact.state.q).lpNorm<Eigen::Infinity>(), allowed);
  }
}

TEST(RecursionInMotion, FindsEventsWithinSteps) {
  const auto height = [](const State& s, system::System::Workspace& work) {
    return -0.3 - work.kinematics.body(assembly::BlockId{1}).x.z() + 0 * s.t;
  };
  const auto when = [&](const std::string& integrator, bool recursion) {
    const Went went = go(two_links(integrator), 3, recursion, {{.value = height, .tolerance = 1e-10}});
    EXPECT_EQ(went.result.loop.end, integrate::LoopEnd::event);
    return went.state.t;
  };
  const double exact = when("DOP853, ERROR=1E-11", false);
  EXPECT_GT(exact, 0.1);
  EXPECT_NEAR(when("DOP853, ERROR=1E-8", true), exact, 1e-7);
  EXPECT_NEAR(when("ABAM, ERROR=1E-8", true), exact, 1e-6);
  EXPECT_NEAR(when("GSTIFF, SI2, ERROR=1E-8", true), exact, 1e-4);
}

}  // namespace
}  // namespace trunnion::test
