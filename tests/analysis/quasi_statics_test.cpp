// Paths of equilibria against closed forms, and what is said where they end, fork or jump.

#include "analysis/quasi/quasi_statics.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using std::numbers::sqrt2;
using ::testing::HasSubstr;
using ::testing::Not;

struct Followed {
  analysis::QuasiStaticResult result;
  std::vector<std::map<std::string, double>> rows;
  std::string said;

  int count(const std::string& word) const {
    int found = 0;
    for (std::size_t at = said.find(word); at != std::string::npos; at = said.find(word, at + 1)) ++found;
    return found;
  }
  // The number after the first "t = " of the first line with the word.
  double time_of(const std::string& word) const {
    for (const std::string& line : result.messages) {
      if (line.find(word) != std::string::npos) return std::stod(line.substr(line.find("t = ") + 4));
    }
    return NAN;
  }
};

Followed follow(Mechanism& m, double end, int steps, analysis::QuasiStaticHooks hooks = {}) {
  Followed out;
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  std::vector<double> times;
  for (int k = 1; k <= steps; ++k) times.push_back(end * k / steps);
  hooks.output = [&](const assembly::State& s) {
    out.rows.push_back(m.sample(s));
    out.rows.back()["TIME"] = s.t;
    return true;
  };
  hooks.length_unit = "meter";
  out.result =
      analysis::quasi_statics(*m.system, m.assembled, times, analysis::static_settings(m.read.model), hooks);
  for (const std::string& line : out.result.messages) out.said += line + "\n";
  return out;
}

// Two bars of stiffness k from (±1, 0) to a ring on a vertical guide at height `rise`, pushed down by P = 2 k y (ℓ₀/ℓ − 1). Its limit
// follows from dP/dy = 0: ℓ³ = ℓ₀.
struct Truss {
  double rise, k = 1000, l0 = std::hypot(1, rise);
  double load(double y) const { return 2 * k * y * (l0 / std::hypot(1, y) - 1); }
  double top() const { return std::sqrt(std::pow(l0, 2.0 / 3) - 1); }
  double limit() const { return load(top()); }
  // Where P is carried: above the limit point, or on the other side.
  double height(double P, bool snapped) const {
    double a = snapped ? -rise : rise, b = snapped ? -3 * rise : top();
    for (int i = 0; i < 200; ++i) {
      const double y = 0.5 * (a + b);
      (load(y) < P ? a : b) = y;
    }
    return 0.5 * (a + b);
  }
  // Reaches `times` its limit load at t = 1. Several stand side by side.
  std::string model(double times, int copies = 1) const {
    Planar text;
    for (int c = 0; c < copies; ++c) {
      const int g = 1000 * c, part = 2 + c;
      const double at = 4 * c;
      text.marker(g + 1, 1, at - 1, 0).marker(g + 2, 1, at + 1, 0).marker(g + 3, 1, at, 0, kZtoY);
      text.part(part, 1, 1, at, rise).marker(g + 21, part, 0, 0).marker(g + 22, part, 0, 0, kZtoY);
      text.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J={}", 1 + c, g + 22, g + 3));
      for (const int s : {1, 2})
        text.line(fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K={}, C=1, LENGTH={:.17g}",
                              2 * c + s, g + 21, g + s, k, l0));
      text.line(fmt::format("VFORCE/{}, I={}, JFLOAT={}, RM={}, FX=0\\FY=0\\FZ={:.17g}*TIME", 1 + c, g + 21,
                            g + 99, g + 3, -times * limit()));
      text.line(fmt::format("MARKER/{}, PART=1, FLOATING", g + 99));
    }
    return text.end();
  }
};

TEST(QuasiStatics, TrussSnapsAtItsLimitLoadWhateverTheSteps) {
  for (const double rise : {0.02, 0.05, 0.1, 0.3}) {
    const Truss truss{rise};
    for (const double times : {2.0, 30.0}) {
      for (const int steps : {1, 2, 7, 10, 33}) {
        SCOPED_TRACE(fmt::format("rise {}, load {}, {} steps", rise, times, steps));
        Mechanism m(truss.model(times));
        const Followed path = follow(m, 1, steps);
        ASSERT_TRUE(path.result.ok) << path.said;
        ASSERT_EQ(path.count("limit point"), 1) << path.said;
        EXPECT_NEAR(path.time_of("limit point") * times, 1, 1e-6);  // the limit load
        EXPECT_THAT(path.said, HasSubstr("PART/2 moves from (0, "));
        for (const auto& row : path.rows) {
          const double P = row.at("TIME") * times * truss.limit();
          if (std::abs(row.at("TIME") * times - 1) < 1e-3)
            continue;  // heights there go with the root of the load
          // Forces balance to 1e-6 of themselves, and over the stiffness that is left so do heights, a thousandth from the limit.
          EXPECT_NEAR(row.at("PART/2.Y"), truss.height(P, P > truss.limit()), 1e-4 * rise) << row.at("TIME");
        }
      }
    }
  }
}

// Two limit points in one place: the determinant keeps its sign.
TEST(QuasiStatics, TwinsSnapTogether) {
  const Truss truss{0.3};
  for (const int steps : {1, 7, 10}) {
    Mechanism m(truss.model(2, 2));
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_EQ(path.count("limit point"), 1) << path.said;
    EXPECT_NEAR(path.time_of("limit point"), 0.5, 1e-6);
    for (const char* ring : {"PART/2.Y", "PART/3.Y"})
      EXPECT_NEAR(path.rows.back().at(ring), truss.height(2 * truss.limit(), true), 1e-6);
  }
}

TEST(QuasiStatics, TheMoveIsToldWithItsLength) {
  const Truss truss{0.3};
  Mechanism m(truss.model(2));
  const Followed path = follow(m, 1, 10);
  const double far = truss.top() - truss.height(truss.limit(), true);
  EXPECT_THAT(path.said, HasSubstr(fmt::format(", {:.4g} meter", far)));
}

// The height y = 0.3 of the truss is led, not loaded: it passes the limit point without one.
TEST(QuasiStatics, ALedTrussHasNoLimitPoint) {
  std::string text = Truss{0.3}.model(0);
  text.insert(text.find("END\n"), "MOTION/1, JOINT=1, FUNCTION=0.3-0.6*TIME\n");
  Mechanism m(text);
  const Followed path = follow(m, 1, 4);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_EQ(path.said, "");
  EXPECT_NEAR(path.rows.back().at("PART/2.Y"), -0.3, 1e-9);
}

// An arch of rods on hinges with springs, from a pin to a stiff bushing, loaded at its crown and a little to one side. The symmetric way
// down is close by and has no stiffness against leaning over: long steps must not end there.
std::string leaning_arch(int rods) {
  Planar text;
  const auto x = [&](int k) { return 2.0 * k / rods - 1; };
  const auto y = [&](int k) { return 0.15 * (1 - x(k) * x(k)); };
  const auto slope = [&](int k) { return std::atan2(y(k + 1) - y(k), x(k + 1) - x(k)); };
  text.marker(1, 1, -1, 0).marker(2, 1, 1, 0).marker(8, 1, 0, 0).line("MARKER/9, PART=1, FLOATING");
  for (int k = 0; k < rods; ++k) {
    const int id = k + 2, foot = k == 0 ? 1 : 10 * id - 8;
    const double half = std::hypot(y(k + 1) - y(k), x(k + 1) - x(k)) / 2;
    text.part(id, 1, 0.01, (x(k) + x(k + 1)) / 2, (y(k) + y(k + 1)) / 2, slope(k));
    text.marker(10 * id + 1, id, -half, 0).marker(10 * id + 2, id, half, 0).revolute(id, 10 * id + 1, foot);
    if (k > 0)
      text.line(fmt::format("SPRINGDAMPER/{0}, ROTATION, I={1}, J={2}, KT=20, CT=0.1, ANGLE={3:.17g}", id,
                            10 * id + 1, foot, slope(k) - slope(k - 1)));
  }
  text.line(fmt::format("BUSHING/1, I={}, J=2, K=2E4,2E4,2E4, KT=0,0,0, C=1,1,1, CT=0,0,0", 10 * rods + 12));
  text.line(
      fmt::format("VFORCE/1, I={}, JFLOAT=9, RM=8, FX=2*TIME\\FY=-200*TIME\\FZ=0", 10 * (rods / 2 + 1) + 2));
  return text.end();
}

TEST(QuasiStatics, ALeaningArchHasOneLimitLoadWhateverTheSteps) {
  for (const int rods : {8, 20}) {
    double fine = 0;
    for (const auto& [end, steps] : {std::pair{0.1, 100}, {0.1, 7}, {1.0, 10}, {1.0, 1}}) {
      Mechanism m(leaning_arch(rods));
      const Followed path = follow(m, end, steps);
      ASSERT_TRUE(path.result.ok) << path.said;
      ASSERT_EQ(path.count("limit point"), 1) << path.said;
      ASSERT_EQ(path.count("bifurcation"), 0) << path.said;
      if (steps == 100) fine = path.time_of("limit point");
      EXPECT_NEAR(path.time_of("limit point"), fine, 1e-6 * fine) << rods << " rods, " << steps << " steps";
    }
  }
}

// A rod hinged at its foot with a spring KT = 10, pressed down by 20 t at its head: upright until P L = KT, then θ/sin θ = P L/KT.
std::string column(const std::string& more = "") {
  Planar text;
  text.marker(1, 1, 0, 0).part(2, 1, 0.1, 0, 0.5).marker(21, 2, 0, -0.5).marker(22, 2, 0, 0.5);
  text.revolute(1, 21, 1).line("SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=10, CT=0.1, ANGLE=0");
  text.line("VFORCE/1, I=22, JFLOAT=9, RM=1, FX=0\\FY=-20*TIME\\FZ=0").line("MARKER/9, PART=1, FLOATING");
  if (!more.empty()) text.line(more);
  return text.line("REQUEST/1, F2=AZ(21,1)").end();
}

double buckled(double ratio) {
  double a = 1e-6, b = pi;
  for (int i = 0; i < 100; ++i) {
    const double c = 0.5 * (a + b);
    (c / std::sin(c) < ratio ? a : b) = c;
  }
  return a;
}

TEST(QuasiStatics, ColumnForksAndIsFollowedUpright) {
  for (const int steps : {1, 3, 10}) {
    Mechanism m(column());
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_EQ(path.count("(bifurcation); it is followed on"), 1) << path.said;
    EXPECT_NEAR(path.time_of("bifurcation"), 0.5, 1e-6);
    EXPECT_THAT(path.said, Not(HasSubstr("limit point")));
    EXPECT_NEAR(path.rows.back().at("REQUEST/1.F2"), 0, 1e-9);
  }
}

// At t = 10⁵ a billionth of the output step is less than the last digit of the time.
TEST(QuasiStatics, AForkLateInARunIsFoundToTheLastDigitOfTheTime) {
  const double start = 1e5;
  std::string text = column();
  text.replace(text.find("-20*TIME"), 8, "-20*MAX(0,(TIME-1E5)*1000)");
  Mechanism m(text);
  m.assembled.state.t = start;
  std::vector<double> times;
  for (int k = 1; k <= 10; ++k) times.push_back(start + 1e-4 * k);
  analysis::QuasiStaticHooks hooks;
  hooks.output = [](const assembly::State&) { return true; };
  const auto result =
      analysis::quasi_statics(*m.system, m.assembled, times, analysis::static_settings(m.read.model), hooks);
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.messages.size(), 1u);
  EXPECT_THAT(result.messages.front(), HasSubstr("the path loses stability here"));
}

// A path that is in balance to the last digit takes no iterations, and stops all the same.
TEST(QuasiStatics, APathWithoutIterationsIsInterrupted) {
  Mechanism m(column());
  int asked = 0;
  analysis::QuasiStaticHooks hooks;
  hooks.listener.go_on = [&] { return ++asked < 3; };
  const Followed path = follow(m, 1, 10, hooks);
  EXPECT_FALSE(path.result.ok);
  EXPECT_LT(path.rows.size(), 3u);
  EXPECT_EQ(path.said, "");
}

TEST(QuasiStatics, LeaveUnstableTakesTheBuckledBranch) {
  for (const int steps : {1, 4, 10}) {
    Mechanism m(column("EQUILIBRIUM/LEAVE_UNSTABLE"));
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_NEAR(path.time_of("bifurcation"), 0.5, 1e-6);
    for (const auto& row : path.rows) {
      const double ratio = 2 * row.at("TIME");
      // Torques balance to 1e-5 (a millionth of KT); the stiffness KT (1 − θ cot θ) at P = 1.2 KT/L is 0.37 KT.
      if (ratio > 1.1) {
        EXPECT_NEAR(std::abs(row.at("REQUEST/1.F2")), buckled(ratio), 1e-5) << ratio;
      } else if (ratio < 1) {
        EXPECT_NEAR(row.at("REQUEST/1.F2"), 0, 1e-9) << ratio;
      }
    }
  }
}

// Parts on bushings beside it make the model large, and the row more or less of a free one on a rail turns the determinant's sign.
TEST(QuasiStatics, LeaveUnstableDoesNotDependOnTheNumberOfRows) {
  for (const bool rail : {false, true}) {
    std::string more = "EQUILIBRIUM/LEAVE_UNSTABLE\n";
    for (int part = 100; part < 111; ++part) {
      more += fmt::format(
          "PART/{0}, MASS=1, CM={0}0, IP=1,1,1, QG=5,0,0\nMARKER/{0}0, PART={0}\n"
          "MARKER/{0}1, PART=1, QP=5,0,0\nBUSHING/{0}, I={0}0, J={0}1, K={1},1000,1000, "
          "KT=1000,1000,1000, C=0,0,0, CT=0,0,0\n",
          part, 900 + part);
    }
    if (rail) more += "JPRIM/1, INPLANE, I=1000, J=1001\n";
    Mechanism m(column(more));
    EXPECT_GT(m.assembled.freedoms, 60);
    const Followed path = follow(m, 1, 4);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_NEAR(path.time_of("(bifurcation); EQUILIBRIUM/LEAVE_UNSTABLE looks"), 0.5, 1e-6) << path.said;
    EXPECT_THAT(path.said, Not(HasSubstr("followed on")));
    EXPECT_NEAR(std::abs(path.rows.back().at("REQUEST/1.F2")), buckled(2), 1e-5) << path.said;
  }
}

// In space two eigenvalues pass zero together, and the determinant keeps its sign.
TEST(QuasiStatics, ColumnInSpaceLosesTwoAtOnce) {
  const auto text = [](const char* more) {
    return std::string(
               "column\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/9, PART=1, FLOATING\n"
               "PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,0,0.5\nMARKER/20, PART=2\n"
               "MARKER/21, PART=2, QP=0,0,-0.5\nMARKER/22, PART=2, QP=0,0,0.5\nJOINT/1, SPHERICAL, I=21, "
               "J=1\n"
               "BUSHING/1, I=21, J=1, K=0,0,0, KT=10,10,10, C=0,0,0, CT=0.1,0.1,0.1\n"
               "VFORCE/1, I=22, JFLOAT=9, RM=1, FX=0\\FY=0\\FZ=-20*TIME\n") +
           more + "END\n";
  };
  Mechanism still(text(""));
  const Followed upright = follow(still, 1, 10);
  EXPECT_EQ(upright.count("(bifurcation); it is followed on"), 1) << upright.said;
  EXPECT_NEAR(upright.time_of("bifurcation"), 0.5, 1e-6);
  EXPECT_NEAR(upright.rows.back().at("PART/2.Z"), 0.5, 1e-9);

  Mechanism leaves(text("EQUILIBRIUM/LEAVE_UNSTABLE\n"));
  const Followed path = follow(leaves, 0.7, 7);
  ASSERT_TRUE(path.result.ok) << path.said;
  // It turns about x or y, where the bushing is a spring KT below a right angle.
  EXPECT_NEAR(path.rows.back().at("PART/2.Z"), 0.5 * std::cos(buckled(1.4)), 1e-5) << path.said;
}

// Ziegler's column: two rods of length 1 with masses 2 m and m, springs k, a following force P: flutter from P = (7/2 − √2) k on.
TEST(QuasiStatics, FollowingForceBringsFlutter) {
  Planar text;
  text.marker(1, 1, 0, 0)
      .part(2, 2, 1e-6, 1, 0)
      .marker(21, 2, -1, 0)
      .part(3, 1, 1e-6, 2, 0)
      .marker(31, 3, -1, 0);
  text.revolute(1, 21, 1).revolute(2, 31, 20).line("MARKER/9, PART=1, FLOATING");
  text.line("SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=1, CT=0, ANGLE=0");
  text.line("SPRINGDAMPER/2, ROTATION, I=31, J=20, KT=1, CT=0, ANGLE=0");
  text.line("VFORCE/1, I=30, JFLOAT=9, RM=30, FX=-4*TIME\\FY=0\\FZ=0");
  Mechanism m(text.end());
  const Followed path = follow(m, 1, 10);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_EQ(path.count("(flutter"), 1) << path.said;
  EXPECT_NEAR(path.time_of("flutter") * 4, 3.5 - sqrt2,
              1e-5);  // inertias of 1e-6 beside m L² count some times
}

// A mass on a spring of 100 along x.
Planar slider(const std::string& force) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).marker(2, 1, -1, 0).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
  text.line("SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=100, C=1, LENGTH=1");
  return text.line("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=" + force);
}

TEST(QuasiStatics, AJumpOfForcesIsCalledSo) {
  for (const int steps : {1, 10}) {
    Mechanism m(slider("IF(TIME-0.55:0,0,50)").end());
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_NEAR(path.time_of("forces jump: "), 0.55, 1e-8) << path.said;
    EXPECT_THAT(path.said, HasSubstr(" by 50"));
    EXPECT_EQ(path.result.messages.size(), 1u) << path.said;
    EXPECT_NEAR(path.rows.back().at("PART/2.X"), 0.5, 1e-9);
  }
}

// A motion may wind a spring by many turns from row to row, also where it rests at both rows.
TEST(QuasiStatics, ADrivenTurnIsCountedWholeBetweenRows) {
  const auto step = [](double t) { return t * t * (3 - 2 * t); };
  const std::pair<const char*, std::function<double(double)>> motions[] = {
      {"20*TIME", [](double t) { return 20 * t; }},
      {"20*STEP(TIME,0,0,1,1)", [&](double t) { return 20 * step(t); }}};
  for (const auto& [function, angle] : motions) {
    for (const int steps : {1, 3}) {
      Mechanism m(std::string("winds\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
                              "MARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=1\n"
                              "SPRINGDAMPER/1, ROTATION, I=20, J=1, KT=3\n"
                              "MOTION/1, JOINT=1, ROTATION, FUNCTION=") +
                  function + "\nEND\n");
      const Followed path = follow(m, 1, steps);
      ASSERT_EQ(path.rows.size(), static_cast<std::size_t>(steps)) << path.said;
      for (const auto& row : path.rows)
        EXPECT_NEAR(row.at("SPRINGDAMPER/1.TZ"), -3 * angle(row.at("TIME")), 1e-8)
            << function << " " << steps;
    }
  }
}

// The part at the fast end of a coupler goes to where its counted turns take it, not to where the nearest turn would.
TEST(QuasiStatics, WhatIsGearedToAMotionTurnsWholeBetweenRows) {
  for (const std::string function : {"100*TIME", "1.4*STEP(TIME,0,0,1,1)"}) {
    Mechanism m(
        "geared\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=1,0,0\n"
        "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
        "PART/3, MASS=1, CM=30, IP=1,1,1, QG=1,0,0\nMARKER/30, PART=3\n"
        "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=30, J=2\n"
        "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,-10\n"
        "SPRINGDAMPER/1, ROTATION, I=20, J=1, KT=3\n"
        "MOTION/1, JOINT=2, ROTATION, FUNCTION=" +
        function + "\nEND\n");
    const Followed path = follow(m, 1, 1);
    ASSERT_EQ(path.rows.size(), 1U) << path.said;
    const double driven = function == "100*TIME" ? 100 : 1.4;
    EXPECT_NEAR(path.rows[0].at("SPRINGDAMPER/1.TZ"), -3 * 10 * driven, 1e-6) << function << "\n"
                                                                              << path.said;
  }
}

// Inside, forces in kg mm/s² are thousandths of a newton; a motion has the unit of its row.
TEST(QuasiStatics, JumpsAreToldInTheUsersUnits) {
  const std::string units = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND";
  Mechanism loaded(slider("IF(TIME-0.55:0,0,50)").line(units).end());
  const Followed force = follow(loaded, 1, 10);
  EXPECT_THAT(force.said, HasSubstr("forces jump: PART/2 force along x by 50 newton"));

  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).part(2, 1, 1, 0, 0).marker(21, 2, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line(units);
  text.line("MOTION/1, JOINT=1, TRANSLATION, FUNCTION=IF(TIME-0.55:0,0,50)");
  text.part(3, 1, 1, 0, 0).line("BUSHING/1, I=30, J=20, K=10,10,10, KT=1,1,1, C=1,1,1, CT=1,1,1");
  Mechanism led(text.end());
  const Followed motion = follow(led, 1, 10);
  EXPECT_THAT(motion.said, HasSubstr("a motion jumps: MOTION/1"));
  EXPECT_THAT(motion.said, HasSubstr(" by 50 ["));
  EXPECT_THAT(motion.said, Not(HasSubstr("forces jump")));
}

// … also where it takes the mechanism far, past a bend of its stiffness: 100 x + 400 x³ = 50.
TEST(QuasiStatics, AJumpIntoAStifferPlace) {
  Mechanism m(slider("IF(TIME-0.55:0,0,5000)-40000*DX(20,2)*(DX(20,2)-1)**3").end());
  const Followed path = follow(m, 1, 10);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_NEAR(path.time_of("forces jump: "), 0.55, 1e-8) << path.said;
  EXPECT_THAT(path.said, Not(HasSubstr("limit point")));
  const double x = path.rows.back().at("PART/2.X");
  EXPECT_NEAR(100 * x + 40000 * (1 + x) * x * x * x, 5000, 1e-4);
}

// A stop of 10⁴ from x = 0.2 on: the rates jump there, and it is no limit point.
TEST(QuasiStatics, AStopIsAKinkAndNothingIsSaid) {
  for (const int steps : {1, 3, 10}) {
    Mechanism m(slider("40*TIME-IF(DX(20,1)-0.2:0,0,1E4*(DX(20,1)-0.2))").end());
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_EQ(path.said, "");
    EXPECT_NEAR(path.rows.back().at("PART/2.X"), (40 + 2000) / 10100.0, 1e-9);
  }
}

// A whole cycle of a torque in one step: the pendulum, held by a spring too, snaps where m g l cos θ + KT = 0, four times in each half.
TEST(QuasiStatics, ACycleOfLoadsIsNotSteppedOver) {
  const double weight = 9.81, spring = 3, most = 40, at = std::acos(-spring / weight);
  for (const int steps : {1, 2, 10}) {
    Planar text;
    text.marker(1, 1, 0, 0).part(2, 1, 0.1, 0, -1).marker(21, 2, 0, 1).revolute(1, 21, 1);
    text.line("ACCGRAV/JGRAV=-9.81").line("SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=3, CT=0.1, ANGLE=0");
    text.line("SFORCE/1, ROTATION, I=21, J=1, FUNCTION=40*SIN(2*PI*TIME)");
    Mechanism m(text.end());
    const Followed path = follow(m, 1, steps);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_EQ(path.count("limit point"), 8) << steps << path.said;
    const double first = std::asin((weight * std::sin(at) + spring * at) / most) / (2 * pi);
    EXPECT_NEAR(path.time_of("limit point"), first, 1e-6 * first) << steps;
  }
}

// −100 x³ holds it at x = 0 with no stiffness at all, and nothing changes with time.
TEST(QuasiStatics, APlaceWithoutStiffnessIsKept) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).part(2, 1, 1, 0.5, 0).marker(21, 2, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
  text.line("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=-100*DZ(21,1)**3");
  Mechanism m(text.end());
  const Followed path = follow(m, 1, 10);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_EQ(path.said, "");
  EXPECT_EQ(path.result.steps, 10);
}

// 4 m of travel in mm with all markers in one place: one step an output.
TEST(QuasiStatics, ALinearMechanismTakesAStepAnOutput) {
  Mechanism m(
      "mount\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/1, PART=1\nPART/2, MASS=200, CM=20, IP=1E6,1E6,1E6\nMARKER/20, PART=2\n"
      "BUSHING/1, I=20, J=1, K=50,50,50, KT=1E6,1E6,1E6, C=1,1,1, CT=1E3,1E3,1E3\n"
      "VFORCE/1, I=20, JFLOAT=9, RM=1, FX=0\\FY=0\\FZ=-200000*TIME\nMARKER/9, PART=1, FLOATING\nEND\n");
  const Followed path = follow(m, 1, 10);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_EQ(path.result.steps, 10);
  EXPECT_NEAR(path.rows.back().at("PART/2.Z"), -4000, 1e-6);
}

// … also where the load, and so the path, is bent.
TEST(QuasiStatics, ALinearMechanismTakesAStepAnOutputUnderAnyLoad) {
  for (const char* load : {"50*SIN(7*TIME)", "50*SIN(40*TIME)"}) {
    Mechanism m(slider(load).end());
    const Followed path = follow(m, 1, 20);
    ASSERT_TRUE(path.result.ok) << path.said;
    EXPECT_EQ(path.result.steps, 20) << load;
  }
}

TEST(QuasiStatics, SupportsThatPartAreNamed) {
  Mechanism m(
      "wheel\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, FUNCTION=TIME\n"
      "MOTION/2, JOINT=1, FUNCTION=TIME+STEP(TIME,0.5,0,0.7,0.1)\nEND\n");
  const Followed path = follow(m, 1, 10);
  EXPECT_FALSE(path.result.ok);
  EXPECT_THAT(path.said, HasSubstr("contradict each other"));
  EXPECT_THAT(path.said, HasSubstr("MOTION/2: AZ = f(t) is redundant with MOTION/1, and is off by"));
  EXPECT_EQ(path.rows.size(), 5u);
  EXPECT_NEAR(m.assembled.state.t, 0.5, 1e-3);
}

// A pendulum of weight 9.81 turned by a torque of 10 t: beyond t = 0.981 nothing holds it.
TEST(QuasiStatics, NoEquilibriumBeyondTheLimitPoint) {
  Planar text;
  text.marker(1, 1, 0, 0).part(2, 1, 0.1, 0, -1).marker(21, 2, 0, 1).revolute(1, 21, 1);
  text.line("ACCGRAV/JGRAV=-9.81").line("SFORCE/1, ROTATION, I=21, J=1, FUNCTION=10*TIME");
  Mechanism m(text.end());
  const Followed path = follow(m, 1, 10);
  EXPECT_FALSE(path.result.ok);
  EXPECT_EQ(path.rows.size(), 9u);
  ASSERT_LT(path.result.error, path.result.messages.size());
  EXPECT_THAT(path.result.messages[path.result.error],
              HasSubstr("limit point; no equilibrium beyond it was found"));
  EXPECT_NEAR(path.time_of("limit point"), 0.981, 1e-6);
  EXPECT_THAT(path.said, HasSubstr("largest imbalance: PART/2"));
  EXPECT_NEAR(m.sample().at("PART/2.X"), 0.9, 0.1);  // the last place on the path
}

// MAXIT is for each equilibrium, not for the path; where it is too small for the one beyond the limit point, it is the reason.
TEST(QuasiStatics, MaxitIsForEachEquilibrium) {
  const auto with = [](int maxit) {
    std::string text = Truss{0.1}.model(2);
    return text.insert(text.find("END\n"), fmt::format("EQUILIBRIUM/MAXIT={}\n", maxit));
  };
  Mechanism enough(with(50));
  const Followed path = follow(enough, 1, 100);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_NEAR(path.time_of("limit point"), 0.5, 1e-6);
  EXPECT_GT(path.result.iterations, 50);

  Mechanism few(with(3));
  const Followed ends = follow(few, 1, 10);
  EXPECT_FALSE(ends.result.ok);
  EXPECT_THAT(ends.said, HasSubstr("not converged in MAXIT = 3 iterations")) << ends.said;
}

TEST(QuasiStatics, MethodOriginalFollowsThePathToo) {
  std::string text = Truss{0.1}.model(2);
  text.insert(text.find("END\n"), "EQUILIBRIUM/METHOD=ORIGINAL\n");
  Mechanism m(text);
  const Followed path = follow(m, 1, 10);
  ASSERT_TRUE(path.result.ok) << path.said;
  EXPECT_NEAR(path.time_of("limit point"), 0.5, 1e-6);
}

// The path stops where x = 0.3, to the event's tolerance.
TEST(QuasiStatics, EventsAreLocated) {
  Mechanism m(slider("50*TIME*TIME").end());
  analysis::QuasiStaticHooks hooks;
  integrate::Event event;
  event.tolerance = 1e-9;
  event.value = [&](const assembly::State& state, system::System::Workspace&) {
    return m.sample(state).at("PART/2.X") - 0.3;
  };
  hooks.events.push_back(event);
  const Followed path = follow(m, 1, 4, hooks);
  EXPECT_TRUE(path.result.ok) << path.said;
  EXPECT_EQ(path.result.events, std::vector<int>{0});
  EXPECT_NEAR(m.assembled.state.t, std::sqrt(0.6), 1e-8);
  EXPECT_EQ(path.rows.size(), 3u);
}

}  // namespace
}  // namespace trunnion::test
