// Formulas over independent coordinates: their orders on mechanisms with loops, fast rotation and states; constraints satisfied at all three
// levels at every accepted step; a choice of coordinates that turns singular; what is said of stiff motion.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"
#include "system/levels.hpp"

namespace trunnion {
namespace {

using assembly::State;
using test::every;
using test::Mechanism;
using test::Motion;
using test::simulate;
using testing::HasSubstr;

constexpr const char* kUnits = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";

// A four-bar in a plane with a controller of one state and a variable on its crank.
std::string controlled_four_bar(const std::string& integrator) {
  return fmt::format(R"(four-bar with a controller
{}PART/1, GROUND
MARKER/1, PART=1
MARKER/2, PART=1, QP=1,0,0
PART/11, MASS=1, CM=110, IP=0.01,0.03,0.03, QG=0,0.2,0, REULER=90D,0,0
MARKER/110, PART=11
MARKER/111, PART=11, QP=-0.2,0,0
MARKER/112, PART=11, QP=0.2,0,0
PART/12, MASS=2, CM=120, IP=0.01,0.2,0.2, QG=0.5,0.6,0, REULER=21.801409486351812D,0,0
MARKER/120, PART=12
MARKER/121, PART=12, QP=-0.5385164807134505,0,0
MARKER/122, PART=12, QP=0.5385164807134505,0,0
PART/13, MASS=1.5, CM=130, IP=0.01,0.1,0.1, QG=1,0.4,0, REULER=90D,0,0
MARKER/130, PART=13
MARKER/131, PART=13, QP=-0.4,0,0
MARKER/132, PART=13, QP=0.4,0,0
JOINT/1, REVOLUTE, I=111, J=1
JOINT/2, REVOLUTE, I=121, J=112
JOINT/3, REVOLUTE, I=122, J=132
JOINT/4, REVOLUTE, I=131, J=2
DIFF/1, IC=0.3, FUNCTION=5*(WZ(111,1)-DIF(1))
VARIABLE/1, FUNCTION=-0.8*DIF(1)+2*SIN(3*TIME)
SFORCE/1, ROTATIONAL, ACTIONONLY, I=111, J=1, FUNCTION=VARVAL(1)+4
ACCGRAV/JGRAV=-9.81
INTEGRATOR/{}
END
)",
                     kUnits, integrator);
}

struct End {
  Eigen::VectorXd q, v, lambda;
};

End end_of(const std::string& text, double end) {
  Mechanism m(text);
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, {end});
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  const State& s = m.assembled.state;
  return {s.q, s.v, s.lambda};
}

struct Case {
  const char* name;
  std::string (*text)(const std::string&);
  double end;
  // Where the errors of formulas up to order 6, and of order 8, are far above rounding and their leading terms rule.
  int steps, few;
};

const Case kCases[] = {{"Andrews", test::andrews, 0.01, 120, 20},
                       {"heavy top", test::heavy_top, 0.1, 100, 20},
                       {"four-bar with a state", controlled_four_bar, 0.3, 60, 6}};

// TLISMNI's outer loop is repeated until it has converged: what it leaves has no order.
struct Order {
  const char* integrator;
  double order;
};
class Orders : public testing::TestWithParam<Order> {};

TEST_P(Orders, AreSeenInPositionsVelocitiesAndReactions) {
  const Order& formula = GetParam();
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto run = [&](const char* integrator, double steps) {
      return end_of(c.text(fmt::format("{}, H={:.17g}", integrator, c.end / steps)), c.end);
    };
    const End truth = run("DOP853", 3 * c.steps);
    const double steps = formula.order > 6 ? c.few : c.steps;
    const End a = run(formula.integrator, steps), b = run(formula.integrator, 2 * steps);
    // Neighbouring orders stay apart. Order 8 comes to rounding on the squeezer before its leading term rules.
    const double left = formula.order > 6 && c.text == test::andrews ? 1.5 : 0.5;
    const auto seen = [&](auto what) {
      return std::log2((a.*what - truth.*what).norm() / (b.*what - truth.*what).norm());
    };
    EXPECT_GT(seen(&End::q), formula.order - left) << (b.q - truth.q).norm();
    EXPECT_GT(seen(&End::v), formula.order - left) << (b.v - truth.v).norm();
    EXPECT_GT(seen(&End::lambda), formula.order - left) << (b.lambda - truth.lambda).norm();
  }
}

INSTANTIATE_TEST_SUITE_P(Independent, Orders,
                         testing::Values(Order{"RKF45", 5}, Order{"DOP853", 8}, Order{"ABAM, KMAX=3", 4},
                                         Order{"ABAM, KMAX=5", 6},
                                         Order{"TLISMNI, ORDER=4, ERROR=1E-12, MAXIT=20", 4},
                                         Order{"TLISMNI, ORDER=3, ERROR=1E-12, MAXIT=20", 3},
                                         Order{"TLISMNI, ORDER=TRAPEZOIDAL, ERROR=1E-12, MAXIT=20", 2}),
                         [](const auto& which) {
                           std::string name;
                           for (const char c : std::string(which.param.integrator)) {
                             if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                           }
                           return name;
                         });

// Lengths are of the size of 1, rates of up to 1e3: over max(1, their size).
TEST(Independent, ConstraintsHoldAtAllLevelsAtEveryAcceptedStep) {
  for (const Case& c : kCases) {
    for (const char* integrator :
         {"RKF45, ERROR=1E-6", "DOP853, ERROR=1E-6", "ABAM, ERROR=1E-6", "TLISMNI, ERROR=1E-6"}) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, integrator));
      Mechanism m(c.text(integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      system::Levels levels(m.system->layout());
      system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
      double position = 0, velocity = 0, acceleration = 0;
      analysis::DynamicHooks hooks;
      hooks.accepted = [&](const integrate::StepAttempt&, const State& s) {
        levels.evaluate_rows(*m.system, s, work, true);
        const double fast = std::max(1.0, s.v.lpNorm<Eigen::Infinity>());
        const double hard = std::max(1.0, s.a.lpNorm<Eigen::Infinity>());
        for (const int r : m.assembled.active) {
          position = std::max(position, std::abs(levels.phi()[r]));
          velocity = std::max(velocity, std::abs(levels.rate()[r]) / fast);
          acceleration = std::max(acceleration, std::abs(levels.along(r, s.a) - levels.gamma()[r]) / hard);
        }
      };
      const analysis::DynamicResult result = analysis::dynamics(
          *m.system, m.assembled, c.end, {}, analysis::dynamic_settings(m.read.model), hooks);
      EXPECT_TRUE(result.ok);
      EXPECT_GT(result.loop.counts.steps, 3);
      EXPECT_LT(position, 1e-12);
      EXPECT_LT(velocity, 1e-12);
      EXPECT_LT(acceleration, 1e-12);
    }
  }
}

// A point on a circle has two coordinates, and each of them is the wrong one at two of four places.
std::string point_on_circle(const std::string& integrator) {
  return fmt::format(
      "circle\n{}PART/1, GROUND\nMARKER/1, PART=1\nPOINT_MASS/2, MASS=1, CM=20, QG=1,0,0, VY=3\n"
      "MARKER/20, POINT_MASS=2\nJPRIM/1, INPLANE, I=20, J=1\n"
      "GCON/1, FUNCTION=0.5*(DX(20)**2+DY(20)**2-1)\nINTEGRATOR/{}\nEND\n",
      kUnits, integrator);
}

// Coordinates of bodies are chosen anew on the way; the recursion closes its loops by the least change and chooses none.
TEST(Independent, ACrankThroughItsDeadPointsKeepsItsOrder) {
  for (const bool recursion : {false, true}) {
    const auto off = [=](const char* integrator, int steps) {
      Mechanism m(point_on_circle(fmt::format("{}, H={:.17g}", integrator, 4.0 / steps)));
      EXPECT_TRUE(m.assembled.ok) << m.messages();
      analysis::DynamicSettings settings = analysis::dynamic_settings(m.read.model);
      settings.corrector.recursion = recursion;
      int told = 0;
      analysis::DynamicHooks hooks;
      hooks.note = [&](const std::string& note) {
        told += note.find("other independent coordinates") != std::string::npos;
      };
      const auto result = analysis::dynamics(*m.system, m.assembled, 4, {}, settings, hooks);
      EXPECT_TRUE(result.ok);
      EXPECT_THAT(result.corrector.evaluation, HasSubstr(recursion ? "recursion over 3" : "as asked for"));
      EXPECT_EQ(told >= 4, !recursion) << "two turns: " << told;
      const auto row = m.sample(m.assembled.state);
      return std::hypot(row.at("POINT_MASS/2.X") - std::cos(12.0), row.at("POINT_MASS/2.Y") - std::sin(12.0));
    };
    EXPECT_GT(std::log2(off("RKF45", 80) / off("RKF45", 160)), 4.5);
    EXPECT_GT(std::log2(off("DOP853", 40) / off("DOP853", 80)), 7.5);
    EXPECT_GT(std::log2(off("ABAM, KMAX=3", 200) / off("ABAM, KMAX=3", 400)), 3.5);
    EXPECT_GT(
        std::log2(off("TLISMNI, ERROR=1E-12, MAXIT=20", 200) / off("TLISMNI, ERROR=1E-12, MAXIT=20", 400)),
        3.5);
  }
}

// What ERROR asks for, they give, at the times between steps too.
TEST(Independent, ErrorIsKept) {
  for (const char* integrator : {"RKF45", "DOP853", "ABAM", "TLISMNI"}) {
    for (const double error : {1e-5, 1e-8}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, error));
      Mechanism m(test::andrews(fmt::format("{}, ERROR={}", integrator, error)));
      const Motion motion = simulate(m, every(0.0005, 0.03));
      ASSERT_TRUE(motion.result.ok) << motion.messages();
      EXPECT_NEAR(motion.at(0.03, "REQUEST/1.F2"), 15.8107711951537071, 1e3 * error);
    }
  }
}

// Three masses, each on its own spring to ground (the paper behind TLISMNI, §6.1), in centimetres: x = cos 1000 t. docs/studies/two-loops.md
// has the tables; this is what of their trends holds.
TEST(Independent, TwoLoopsOnMassesWithSpringsOfTheirOwn) {
  struct Work {
    double evaluations, amplitude;
  };
  const auto run = [](const char* integrator) {
    std::string text =
        "masses\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=CENTIMETER, TIME=SECOND\nPART/1, GROUND\n";
    for (int i = 1; i <= 3; ++i)
      text += fmt::format(
          "MARKER/{0}, PART=1, QP={1},0,0\nPART/1{0}, MASS=1, CM=1{0}0, IP=1,1,1, QG={1},0,11\n"
          "MARKER/1{0}0, PART=1{0}\nJOINT/{0}, TRANSLATIONAL, I=1{0}0, J={0}\n"
          "SPRINGDAMPER/{0}, TRANSLATION, I=1{0}0, J={0}, K=1E4, LENGTH=10\n",
          i, 20 * i);
    Mechanism m(text + fmt::format("INTEGRATOR/{}, HINIT=1E-4\nEND\n", integrator));
    const Motion motion = simulate(m, {0.05});
    EXPECT_TRUE(motion.result.ok) << motion.messages();
    const double x = motion.at(0.05, "PART/13.Z") - 10, v = motion.at(0.05, "PART/13.VZ");
    return Work{static_cast<double>(motion.result.corrector.evaluations), std::hypot(x, v / 1e3)};
  };
  const Work explicit_adams = run("ABAM, ERROR=1E-6"), fourth = run("TLISMNI, ORDER=4, ERROR=1E-6"),
             third = run("TLISMNI, ORDER=3, ERROR=1E-6"),
             second = run("TLISMNI, ORDER=TRAPEZOIDAL, ERROR=1E-6");
  EXPECT_LT(explicit_adams.evaluations, fourth.evaluations);
  EXPECT_LT(fourth.evaluations, third.evaluations);
  EXPECT_LT(third.evaluations, second.evaluations);
  // More than three outer iterations gain nothing; one is dear.
  EXPECT_NEAR(run("TLISMNI, ORDER=3, ERROR=1E-6, MAXIT=6").evaluations / third.evaluations, 1, 0.01);
  EXPECT_GT(run("TLISMNI, ORDER=3, ERROR=1E-6, MAXIT=1").evaluations, third.evaluations);
  // Converged, Moulton's formula of order 3 feeds an undamped vibration; the trapezoidal rule keeps it; one iteration damps.
  EXPECT_GT(run("TLISMNI, ORDER=3, ERROR=1E-4").amplitude, 1.01);
  EXPECT_NEAR(second.amplitude, 1, 1e-4);
  EXPECT_LT(run("TLISMNI, ORDER=3, ERROR=1E-4, MAXIT=1").amplitude, 1);
}

TEST(Independent, StiffMotionIsSaidByName) {
  const auto text = [](const char* integrator) {
    return fmt::format(
        "stiff\n{}PART/1, GROUND\nMARKER/1, PART=1\nPART/3, MASS=1, CM=30, IP=1,1,1, QG=0,0,1\n"
        "MARKER/30, PART=3\nJOINT/1, TRANSLATIONAL, I=30, J=1\n"
        "SPRINGDAMPER/7, TRANSLATION, I=30, J=1, K=1E8, C=1E4, LENGTH=1\n"
        "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=30, J=1, FUNCTION=10*SIN(3*TIME)\nINTEGRATOR/{}\nEND\n",
        kUnits, integrator);
  };
  for (const char* integrator :
       {"RKF45", "DOP853", "ABAM", "TLISMNI", "TLISMNI, ORDER=3", "TLISMNI, ORDER=TRAPEZOIDAL"}) {
    SCOPED_TRACE(integrator);
    Mechanism m(text(integrator));
    const Motion motion = simulate(m, every(0.02, 0.2));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    const std::string all = fmt::format("{}", fmt::join(motion.notes, "\n"));
    EXPECT_THAT(all, HasSubstr("this motion is stiff: PART/3"));
    EXPECT_THAT(all, HasSubstr("SPRINGDAMPER/7"));
    EXPECT_THAT(all, HasSubstr("try HHT or GSTIFF"));
  }
  for (const char* integrator :
       {"DOP853", "TLISMNI, ORDER=4", "TLISMNI, ORDER=3", "TLISMNI, ORDER=TRAPEZOIDAL"}) {
    Mechanism m(test::andrews(integrator));
    const Motion calm = simulate(m, {0.01});
    for (const std::string& note : calm.notes)
      EXPECT_THAT(note, testing::Not(HasSubstr("stiff"))) << integrator;
  }
}

// Steps of 1 ms are too long for a high order on a whip of 60 links, as cutting them would show: the order gives way instead.
TEST(Independent, AFixedStepTakesTheOrderThatServes) {
  constexpr int kLinks = 60, kGiven = 4;
  std::string text = std::string("whip\n") + kUnits + "PART/1, GROUND\nMARKER/1, PART=1, REULER=0D,90D,0D\n";
  for (int k = 2; k < kLinks + 2; ++k) {
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1E-4,1E-3,1E-3, QG={1},0,0\nMARKER/{0}0, PART={0}\n",
                        k, 0.1 * (k - 2) + 0.05);
    text += fmt::format("MARKER/{0}1, PART={0}, QP=-0.05,0,0, REULER=0,90D,0\n", k);
    text += fmt::format("MARKER/{0}2, PART={0}, QP=0.05,0,0, REULER=0,90D,0\n", k);
    text += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={1}\n", k, k == 2 ? "1" : fmt::format("{}2", k - 1));
  }
  for (const bool given : {false, true}) {
    Mechanism m(text + "ACCGRAV/KGRAV=-9.81\nINTEGRATOR/ABAM, H=1E-3" +
                (given ? fmt::format(", KMAX={}", kGiven) : "") + "\nEND\n");
    const Motion motion = simulate(m, {0.3});
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    EXPECT_LT(test::energy_drift(motion), 0.01 * motion.rows.back().at("ENERGY.KINETIC"));  // what is told
    const auto& orders = motion.result.loop.counts.order;
    if (given) EXPECT_EQ(orders[kGiven], motion.result.loop.counts.steps);
    else EXPECT_LT(orders[12], motion.result.loop.counts.steps / 2);
  }
}

// Rows between steps of several radians are as good as those at their ends.
TEST(Independent, RowsWithinLongStepsAreRight) {
  for (const char* formula : {"DOP853", "RKF45", "ABAM"}) {
    for (const double error : {1e-5, 1e-8}) {
      Mechanism m(fmt::format(
          "shaken\n{}PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
          "MARKER/99, PART=1, FLOATING\nVFORCE/1, I=20, JFLOAT=99, RM=1, FX=100*SIN(200*TIME)\\FY=0\\FZ=0\n"
          "INTEGRATOR/{}, ERROR={}, HMAX=1\nEND\n",
          kUnits, formula, error));
      const Motion motion = simulate(m, every(1e-3, 0.5));
      ASSERT_TRUE(motion.result.ok) << motion.messages();
      const double n = static_cast<double>(motion.result.loop.counts.steps);
      double worst = 0;
      for (std::size_t k = 0; k < motion.t.size(); ++k)
        worst = std::max(worst,
                         std::abs(motion.rows[k].at("PART/2.VX") - 0.5 * (1 - std::cos(200 * motion.t[k]))));
      // Velocities are held to ERROR of one length a second, root mean square of six, each step.
      EXPECT_LT(worst, std::sqrt(6.0) * error * n) << formula << " " << error;
    }
  }
}

}  // namespace
}  // namespace trunnion
