// Places where constraints lose rank, and redundant rows, with and without INTEGRATOR/AUGMENTED=ON (solve/kept_rows.hpp).

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

Motion run(const std::string& text, const std::vector<double>& times) {
  Mechanism m(text);
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Motion motion = simulate(m, times);
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  return motion;
}

// A door on three hinges in one line, which turns once a second. Ten rows are redundant. Its reactions are the least that hold it: with
// forces F and moments T about y, Σ F² + Σ (T/L)² is least for F = α (z − z̄), T = α L².
constexpr double kMass = 30, kArm = 0.4, kSpin = 2 * pi, kL2 = (12 + 4 + 8) / 3.0 / kMass;
std::string door(const std::string& integrator) {
  std::string text = fmt::format(
      "door\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
      "PART/2, MASS={}, CM=20, IP=12,4,8, WZ={:.17g}, VY={:.17g}\nMARKER/20, PART=2, QP={},0,1\n",
      kMass, kSpin, kSpin * kArm, kArm);
  for (int k = 0; k < 3; ++k)
    text += fmt::format(
        "MARKER/1{0}, PART=1, QP=0,0,{1}\nMARKER/2{0}1, PART=2, QP=0,0,{1}\nJOINT/{2}, REVOLUTE, I=2{0}1, "
        "J=1{0}\n",
        k, 0.2 + 0.8 * k, k + 1);
  return text + "ACCGRAV/KGRAV=-9.81\nINTEGRATOR/" + integrator + "\nEND\n";
}

TEST(KeptRows, ADoorHangsOnAllItsHinges) {
  for (const char* formula :
       {"GSTIFF", "GSTIFF, SI2", "HHT", "TRAPEZOIDAL", "ESDIRK46", "RADAU5", "RADAU5, SI2", "GAUSS4"}) {
    const Motion motion = run(door(std::string(formula) + ", ERROR=1E-7, AUGMENTED=ON"), {0.5, 1});
    const double weight = kMass * 9.81, alpha = weight * kArm / (2 * 0.8 * 0.8 + 3 * kL2);
    const double inward = kMass * kSpin * kSpin * kArm / 3;
    // After a whole turn the angle is off by a few ERROR, and the forces by the weight times that.
    constexpr double kNear = 1e-3;
    for (int k = 0; k < 3; ++k) {
      const std::string joint = fmt::format("JOINT/{}.", k + 1);
      EXPECT_NEAR(motion.at(1, joint + "FZ"), weight / 3, kNear) << formula;
      EXPECT_NEAR(motion.at(1, joint + "FX"), alpha * 0.8 * (1 - k) - inward, kNear) << formula;
      EXPECT_NEAR(motion.at(0.5, joint + "FX"), -alpha * 0.8 * (1 - k) + inward, kNear) << formula;
      EXPECT_NEAR(motion.at(1, joint + "TY"), -alpha * kL2, kNear) << formula;
    }
    EXPECT_LT(motion.result.loop.counts.worst_violation, 1e-9) << formula;
  }
}

TEST(KeptRows, OtherFormulasSayThatTheyDoNotNeedThem) {
  for (const char* formula : {"ABAM", "DOP853", "AUTO"}) {
    Mechanism m(door(std::string(formula) + ", AUGMENTED=ON"));
    const auto settings = analysis::dynamic_settings(m.read.model);
    ASSERT_FALSE(settings.notes.empty());
    EXPECT_THAT(std::string(settings.notes.back()), HasSubstr("AUGMENTED is not used")) << formula;
    EXPECT_FALSE(settings.corrector.keep_redundant);
  }
}

// With the rods of a delta robot level and hanging, four times each in two seconds. Sideways its straight motion is not stable, which it pays
// with the square of that in height.
TEST(KeptRows, ADeltaRobotCrossesItsSingularPlaces) {
  const DeltaRobot robot;
  constexpr std::size_t kRows = 20;
  const std::vector<double> exact = robot.heights(0.1, static_cast<int>(kRows));
  for (const char* formula :
       {"GSTIFF, ERROR=1E-9", "GSTIFF, SI2, ERROR=1E-8", "HHT, ERROR=1E-9", "RADAU5, ERROR=1E-9",
        "RADAU5, SI2, ERROR=1E-7", "RADAU5, SI2, ERROR=1E-8", "RADAU5, SI2, ERROR=1E-9"}) {
    for (const char* kept : {"", ", AUGMENTED=ON"}) {
      const std::string integrator = std::string(formula) + kept;
      const Motion motion = run(delta_robot(robot, integrator), every(0.1, 2));
      ASSERT_EQ(motion.t.size(), kRows + 1) << integrator;
      // Sideways it may be off by a few thousandths.
      for (std::size_t k = 0; k < kRows; ++k)
        EXPECT_NEAR(motion.rows[k + 1].at("PART/2.Z"), exact[k], 1e-5)
            << integrator << ", t = " << motion.t[k + 1];
    }
  }
}

// θ of the standing rods of N windows, all alike: θ'' = k sin θ from θ = 0, θ' = 1, by the classical Runge-Kutta formula.
double rod_angle(int n, double end) {
  const double k = 9.81 * ((n + 1) * 0.5 + n) / ((n + 1) / 3.0 + n);
  constexpr int kSteps = 100000;
  const double h = end / kSteps;
  double p = 0, w = 1;
  for (int i = 0; i < kSteps; ++i) {
    const double a = w, A = k * std::sin(p), b = w + h / 2 * A, B = k * std::sin(p + h / 2 * a),
                 c = w + h / 2 * B, C = k * std::sin(p + h / 2 * b), d = w + h * C,
                 D = k * std::sin(p + h * c);
    p += h / 6 * (a + 2 * b + 2 * c + d);
    w += h / 6 * (A + 2 * B + 2 * C + D);
  }
  return p;
}

// One parallelogram folds flat twice a turn; three of its rows are always redundant.
TEST(KeptRows, AParallelogramFoldsFlat) {
  const double angle = rod_angle(1, 3);
  for (const char* formula :
       {"GSTIFF, ERROR=1E-10", "GSTIFF, SI2, ERROR=1E-10", "HHT, ERROR=1E-10", "RADAU5, ERROR=1E-7",
        "RADAU5, SI2, ERROR=1E-7", "RADAU5, ERROR=1E-9", "RADAU5, SI2, ERROR=1E-9"}) {
    for (const char* kept : {"", ", AUGMENTED=ON"}) {
      const std::string integrator = std::string(formula) + kept;
      // Velocity rows of both supports, kept, stop at some errors (docs/theory/dynamics.md).
      if (integrator == "RADAU5, SI2, ERROR=1E-9, AUGMENTED=ON") continue;
      const Motion motion = run(four_bars(1, integrator), {3});
      EXPECT_NEAR(motion.at(3, "PART/10.X"), 0.5 * std::sin(angle), 2e-5) << integrator;
      EXPECT_LT(energy_drift(motion), 1e-3) << integrator;
    }
  }
}

// Forty in a row, all flat at once: forty rows lose their rank beside 120 that are always redundant. What a step errs there by rounding
// of places, or what stages that one matrix does not suit cannot agree on, is not mended by shorter steps.
TEST(KeptRows, FortyParallelogramsFoldFlatAtTightErrors) {
  constexpr double kEnd = 2;  // two of those places
  const double angle = rod_angle(40, kEnd);
  for (const char* formula :
       {"GSTIFF, ERROR=1E-10", "GSTIFF, SI2, ERROR=1E-10", "RADAU5, ERROR=1E-9", "RADAU5, SI2, ERROR=1E-9"}) {
    const Motion motion = run(four_bars(40, formula), {kEnd});
    EXPECT_NEAR(motion.at(kEnd, "PART/10.X"), 0.5 * std::sin(angle), 1e-6) << formula;
    EXPECT_LT(motion.result.loop.counts.steps, 1000) << formula;
  }
}

TEST(KeptRows, ABricardTurnsAtATightError) {
  for (const char* formula : {"GSTIFF, ERROR=1E-9", "GSTIFF, SI2, ERROR=1E-9", "RADAU5, ERROR=1E-9"}) {
    for (const char* kept : {"", ", AUGMENTED=ON"}) {
      const std::string integrator = std::string(formula) + kept;
      const Motion motion = run(bricard(integrator), every(0.5, 5));
      EXPECT_NEAR(motion.at(0.5, "REQUEST/1.F2"), 0.7747178080, 1e-6) << integrator;
      EXPECT_NEAR(motion.at(2, "REQUEST/1.F2"), -0.7781353730, 1e-6) << integrator;
      EXPECT_NEAR(motion.at(5, "REQUEST/1.F2"), 0.9999327422, 1e-6) << integrator;
    }
  }
}

}  // namespace
}  // namespace trunnion::test
