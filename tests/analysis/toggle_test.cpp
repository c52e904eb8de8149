// Singular configurations on the way, redundant rows that change their mind, the settings of KINEMATICS, and what a step costs.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "support/count_allocations.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Moved {
  analysis::KinematicResult result;
  std::vector<double> times;
  std::string text() const {
    std::string out;
    for (const std::string& line : result.messages) out += line + "\n";
    return out;
  }
};

Moved move(Mechanism& m, const std::vector<double>& times,
           const std::function<void(const assembly::State&)>& at = {}) {
  Moved moved;
  moved.result =
      analysis::kinematics(*m.system, m.assembled, times, analysis::kinematic_settings(m.read.model),
                           [&](const assembly::State& s) {
                             moved.times.push_back(s.t);
                             if (at) at(s);
                           });
  return moved;
}

std::vector<double> even(double end, int steps) {
  std::vector<double> times;
  for (int k = 1; k <= steps; ++k) times.push_back(end * k / steps);
  return times;
}

// N + 1 rods of length 1 on ground pins one apart, N couplers of length 1 on top: upright at the start, driven by the first.
std::string n_four_bar(int n, const std::string& more) {
  Planar text;
  for (int k = 0; k <= n; ++k) text.marker(10000 + k, 1, k, 0);
  const auto rod = [](int k) { return 2 + k; };
  const auto coupler = [n](int k) { return 3 + n + k; };
  for (int k = 0; k <= n; ++k) {
    text.part(rod(k), 1, 0.1, k, 0.5)
        .marker(10 * rod(k) + 1, rod(k), 0, -0.5)
        .marker(10 * rod(k) + 2, rod(k), 0, 0.5);
  }
  for (int k = 0; k < n; ++k) {
    const int c = coupler(k);
    text.part(c, 1, 0.1, k + 0.5, 1).marker(10 * c + 1, c, -0.5, 0).marker(10 * c + 2, c, 0.5, 0);
  }
  for (int k = 0; k <= n; ++k) text.revolute(k + 1, 10 * rod(k) + 1, 10000 + k);
  for (int k = 0; k < n; ++k) {
    text.revolute(100 + 2 * k, 10 * coupler(k) + 1, 10 * rod(k) + 2);
    text.revolute(101 + 2 * k, 10 * coupler(k) + 2, 10 * rod(k + 1) + 2);
  }
  return text.line(more).end();
}

TEST(Redundancy, FortyFourBarsHaveThreeEach) {
  Mechanism m(n_four_bar(40, "ACCGRAV/JGRAV=-9.81"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
  ASSERT_EQ(m.assembled.redundant.size(), 120u);
  // Earlier joints win: it is always the second joint of a coupler that is left out, out of the plane.
  const std::string first = analysis::describe(*m.system, m.assembled.redundant[0]);
  EXPECT_EQ(first, "JOINT/101: translation along z is redundant with JOINT/1, JOINT/2, JOINT/100");
  EXPECT_EQ(analysis::describe(*m.system, m.assembled.redundant[1]),
            "JOINT/101: rotation about y is redundant with JOINT/1, JOINT/2, JOINT/100");
  EXPECT_EQ(analysis::describe(*m.system, m.assembled.redundant[2]),
            "JOINT/101: rotation about x is redundant with JOINT/1, JOINT/2, JOINT/100");
}

// Flat at a quarter turn: every loop loses a row there, an even number of them.
TEST(Toggle, RankLossOfTheFlatNFourBarIsNoticed) {
  for (const int n : {1, 2, 5, 40}) {
    Mechanism m(n_four_bar(n, "MOTION/1, JOINT=1, FUNCTION=TIME"));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    ASSERT_EQ(m.assembled.freedoms, 0);
    const Moved moved = move(m, even(2.0, 37));
    EXPECT_TRUE(moved.result.ok) << moved.text();
    EXPECT_THAT(moved.result.messages, Contains(HasSubstr("t = 1.5708: toggle point"))) << n << "\n"
                                                                                        << moved.text();
    EXPECT_THAT(moved.result.messages, Contains(HasSubstr(fmt::format("rank lost there: {}", n))))
        << moved.text();
    EXPECT_THAT(moved.text(), HasSubstr("rows involved: JOINT/"));
    // It stays a row of parallelograms.
    const auto at = m.sample();
    EXPECT_NEAR(at.at(fmt::format("PART/{}.WZ", 2 + n)), 1, 1e-9);
    EXPECT_NEAR(at.at("PART/2.WZ"), 1, 1e-12);
  }
}

TEST(Toggle, CoarseStepsSeeItToo) {
  for (const int n : {1, 2, 6}) {
    for (const int steps : {6, 7, 8, 9, 11}) {
      Mechanism m(n_four_bar(n, "MOTION/1, JOINT=1, FUNCTION=TIME"));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Moved moved = move(m, even(2.2, steps));
      EXPECT_TRUE(moved.result.ok) << moved.text();
      EXPECT_THAT(moved.result.messages, Contains(HasSubstr("t = 1.5708: toggle point")))
          << n << " loops, " << steps << " steps\n"
          << moved.text();
    }
  }
}

// An output time right on the flat place: it is stepped across, and the row in the results is there.
TEST(Toggle, OutputAtTheSingularPlaceIsGiven) {
  Mechanism m(n_four_bar(2, "MOTION/1, JOINT=1, FUNCTION=TIME"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  double x = 0, w = 0;
  const Moved moved = move(m, {0.5, 1.0, pi / 2, 1.8, 2.2}, [&](const assembly::State& state) {
    if (state.t != pi / 2) return;
    x = m.sample(state).at("PART/4.X");
    w = m.sample(state).at("PART/4.WZ");
  });
  EXPECT_TRUE(moved.result.ok) << moved.text();
  EXPECT_THAT(moved.times, ::testing::ElementsAre(0.5, 1.0, pi / 2, 1.8, 2.2));
  EXPECT_NEAR(x, 2 - 0.5, 1e-6);
  EXPECT_NEAR(w, 1, 1e-4);
  EXPECT_THAT(moved.text(), HasSubstr("t = 1.5708: toggle point"));
}

// Crank 1 and rod 1 on the crank's own line: at a quarter turn the slider is over the pin and the rod may turn freely.
TEST(Toggle, LockUpNamesTheRows) {
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, 3, 0, kZtoX);
  text.part(2, 1, 1, 0, 0).marker(22, 2, 2, 0);
  text.part(3, 1, 1, 2, 0).marker(32, 3, 1, 0).part(4, 1, 1, 3, 0).marker(42, 4, 0, 0, kZtoX);
  text.revolute(1, 20, 1).revolute(2, 30, 22).revolute(3, 32, 40).line("JOINT/4, TRANSLATIONAL, I=42, J=2");
  text.line("MOTION/1, JOINT=1, FUNCTION=TIME");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Moved moved = move(m, even(1.0, 10));
  EXPECT_FALSE(moved.result.ok);
  // The rod stands across the slide at sin φ = 1/2; the step that could not be made is 1e-7 of an output step.
  EXPECT_NEAR(m.assembled.state.t, pi / 6, 1e-6);
  EXPECT_THAT(moved.text(), HasSubstr("t = 0.523599"));
  EXPECT_THAT(moved.text(), HasSubstr("locks up"));
  EXPECT_THAT(moved.text(), HasSubstr("rows involved: "));
  EXPECT_THAT(moved.text(), HasSubstr("MOTION/1"));
  EXPECT_THAT(moved.text(), HasSubstr("JOINT/4: translation along"));
}

TEST(Toggle, NoneIsReportedWhereThereIsNone) {
  Mechanism m(n_four_bar(3, "MOTION/1, JOINT=1, FUNCTION=0.8*SIN(5*TIME)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Moved moved = move(m, even(3.0, 90));
  EXPECT_TRUE(moved.result.ok);
  EXPECT_TRUE(moved.result.messages.empty()) << moved.text();
}

std::string wheel(const std::string& more) {
  return Planar().marker(1, 1, 0, 0).part(2, 1, 1, 0, 0).revolute(1, 20, 1).line(more).end();
}

TEST(Conflict, RedundantDriveThatStopsAgreeingIsNamed) {
  Mechanism m(
      wheel("MOTION/1, JOINT=1, FUNCTION=TIME\nMOTION/2, JOINT=1, FUNCTION=TIME+STEP(TIME,1,0,2,0.1)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.redundant.size(), 1u);
  const Moved moved = move(m, even(3.0, 30));
  EXPECT_FALSE(moved.result.ok);
  EXPECT_THAT(moved.text(), HasSubstr("contradict each other"));
  EXPECT_THAT(moved.text(), HasSubstr("MOTION/2: AZ = f(t) is redundant with MOTION/1, and is off by"));
  EXPECT_NEAR(m.assembled.state.t, 1, 0.01);
}

// sin θ = sin t holds the wheel but at a quarter turn, cos θ = cos t but at half turns: each takes over where the other fails.
TEST(Conflict, RedundantRowTakesOverWhereTheOneInUseFails) {
  for (const bool land_on_it : {false, true}) {
    Mechanism m(
        wheel("GCON/1, FUNCTION=SIN(AZ(20,1))-SIN(TIME+0.3)\n"
              "GCON/2, FUNCTION=COS(AZ(20,1))-COS(TIME+0.3)\nREQUEST/1, F2=AZ(20,1)"));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    ASSERT_EQ(m.assembled.redundant.size(), 1u);
    std::vector<double> times = even(2.5, 25);
    if (land_on_it) times = {0.5, 1.0, pi / 2 - 0.3, 1.5, 2.0, 2.5};
    const Moved moved = move(m, times, [&](const assembly::State& state) {
      EXPECT_NEAR(m.sample(state).at("REQUEST/1.F2"), state.t + 0.3, 1e-9);
      EXPECT_NEAR(m.sample(state).at("PART/2.WZ"), 1, 1e-7);  // gaps of 1e-10 over cos²
    });
    EXPECT_TRUE(moved.result.ok) << moved.text();
    EXPECT_THAT(moved.text(), Not(HasSubstr("toggle")));
    EXPECT_THAT(moved.text(),
                HasSubstr("GCON/2: COS(AZ(20,1))-COS(TIME+0.3) = 0 is no longer redundant and takes part"));
    EXPECT_THAT(moved.text(),
                HasSubstr("GCON/1: SIN(AZ(20,1))-SIN(TIME+0.3) = 0 has become redundant and is left out"));
  }
}

TEST(Settings, KinematicsStatementIsRead) {
  Mechanism m(
      wheel("MOTION/1, JOINT=1, FUNCTION=TIME\n"
            "KINEMATICS/ERROR=1E-6, MAXIT=7, ALIMIT=10D, TLIMIT=3, HMAX=0.01, PATTERN=T:F:F"));
  const analysis::KinematicSettings s = analysis::kinematic_settings(m.read.model);
  EXPECT_EQ(s.error, 1e-6);
  EXPECT_EQ(s.maxit, 7);
  EXPECT_NEAR(s.alimit, pi / 18, 1e-15);
  EXPECT_EQ(s.tlimit, 3);
  EXPECT_EQ(s.pattern, (std::vector<bool>{true, false, false}));
  const Moved moved = move(m, {0.5, 1.0});
  EXPECT_TRUE(moved.result.ok);
  EXPECT_EQ(moved.result.steps, 100);
  EXPECT_EQ(moved.times.size(), 2u);
}

TEST(Settings, JacobianThatIsKeptStillConverges) {
  // The primer's pendulum: its angle follows from x.
  const auto pendulum = [](const std::string& more) {
    return Planar()
        .marker(1, 1, 0, 0)
        .part(2, 1, 1, 0, -1)
        .marker(21, 2, 0, 1)
        .revolute(1, 21, 1)
        .line("MOTION/1, X, I=20, J=1, FUNCTION=0.8*SIN(TIME)\n" + more)
        .end();
  };
  Mechanism each(pendulum("")), never(pendulum("KINEMATICS/PATTERN=F"));
  const Moved a = move(each, even(1.0, 4)), b = move(never, even(1.0, 4));
  EXPECT_TRUE(b.result.ok) << b.text();
  EXPECT_GT(b.result.iterations, a.result.iterations);
  EXPECT_NEAR(never.sample().at("PART/2.Y"), each.sample().at("PART/2.Y"), 1e-9);
}

TEST(Kinematics, VelocityConstraintIsRefusedByName) {
  Mechanism m(wheel("GCON/1, FUNCTION=WZ(20,1)-3"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Moved moved = move(m, {1.0});
  EXPECT_FALSE(moved.result.ok);
  EXPECT_THAT(moved.text(), HasSubstr("GCON/1"));
  EXPECT_THAT(moved.text(), HasSubstr("holds a velocity"));
}

TEST(Kinematics, StepsAllocateNothingAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  Mechanism m(n_four_bar(4, "MOTION/1, JOINT=1, FUNCTION=0.5*SIN(TIME)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  // Between the outputs nothing but steps happens; the first few make room.
  std::vector<long> counts;
  const auto moved =
      analysis::kinematics(*m.system, m.assembled, even(2.0, 20), {}, [&](const assembly::State&) {
        const long count = stop_counting_allocations();
        counts.push_back(count);
        start_counting_allocations();
      });
  stop_counting_allocations();
  ASSERT_TRUE(moved.ok);
  for (std::size_t k = 3; k < counts.size(); ++k)
    EXPECT_LE(counts[k], 1) << "step " << k;  // counts' own growth
}

}  // namespace
}  // namespace trunnion::test
