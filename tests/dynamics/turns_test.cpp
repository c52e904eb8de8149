// Bodies that turn any number of times in a step, between two rows, between two points of a formula's past. The exact angle is a
// formula of time; the allowance is what ERROR means: a local error each, so at most ERROR times the number of steps.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

double wrapped(double angle) { return std::remainder(angle, 2 * pi); }

// A disc on a pin, with what turns it. AZ is counted over full turns, PSI is not.
std::string disc(const std::string& start, const std::string& more, const std::string& integrator) {
  return fmt::format(
      "disc\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.1,0.1,0.2{}\nMARKER/20, PART=2\n"
      "JOINT/1, REVOLUTE, I=20, J=1\n{}REQUEST/1, F2=AZ(20,1), F3=PSI(20,1), F4=PHI(20,1)\n{}END\n",
      start, more, integrator);
}

const char* const kFormulas[] = {"GSTIFF", "GSTIFF, SI2", "WSTIFF", "WSTIFF, SI2", "CONSTANT_BDF, HINIT=0.05",
                                 "HHT",    "NEWMARK"};

void expect_angles(const std::string& text, const std::vector<double>& times,
                   const std::function<double(double)>& exact, double error) {
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, times);
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double allowed = 1e-9 + error * static_cast<double>(motion.result.loop.counts.steps);
  for (const double t : times) {
    ASSERT_NEAR(motion.at(t, "REQUEST/1.F2"), exact(t), allowed) << "t = " << t;
    ASSERT_NEAR(wrapped(motion.at(t, "PART/2.PSI") - exact(t)), 0, allowed) << "t = " << t;
    ASSERT_NEAR(wrapped(motion.at(t, "REQUEST/1.F3") - exact(t)), 0, allowed) << "t = " << t;
    ASSERT_EQ(motion.at(t, "REQUEST/1.F4"), 0) << "t = " << t;
  }
}

TEST(Turns, SteadySpinAtAnySpeedAndAnyOutputStep) {
  for (const char* formula : kFormulas) {
    for (const double speed : {2.0, 40.0, 1000.0, -1e5}) {
      for (const double dtout : {1.0, 0.31}) {
        SCOPED_TRACE(fmt::format("{} at {} rad/s, a row each {} s", formula, speed, dtout));
        // Rounding alone: each step's in ω, a few times over by the weights of the formula, goes on for 10 s.
        expect_angles(
            disc(fmt::format(", WZ={}", speed), "", fmt::format("INTEGRATOR/{}\n", formula)),
            every(dtout, 10.0), [&](double t) { return speed * t; }, 1e-13 * std::abs(speed));
      }
    }
  }
}

TEST(Turns, ConstantTorque) {
  for (const char* formula : kFormulas) {
    for (const double dtout : {0.01, 0.5, 2.0}) {
      SCOPED_TRACE(fmt::format("{}, a row each {} s", formula, dtout));
      // 100 rad/s² from rest: a parabola, which every formula of order 2 holds.
      expect_angles(
          disc("", "SFORCE/1, ROTATIONAL, I=20, J=1, ACTIONONLY, FUNCTION=20\n",
               fmt::format("INTEGRATOR/{}, ERROR=1E-6\n", formula)),
          every(dtout, 2.0), [](double t) { return 50 * t * t; }, 1e-6);
    }
  }
}

TEST(Turns, MotionOfManyTurns) {
  for (const char* analysis : {"GSTIFF", "HHT"}) {
    SCOPED_TRACE(analysis);
    const std::string law = "MOTION/1, JOINT=1, ROTATIONAL, FUNCTION=200*SIN(3*TIME)\n";
    expect_angles(
        disc("", law, fmt::format("INTEGRATOR/{}\n", analysis)), every(0.5, 4.0),
        [](double t) { return 200 * std::sin(3 * t); }, 1e-3);
  }
}

// A torsion spring wound 20 turns and let go: θ = θ₀ cos ωt. Its torque counts every turn.
TEST(Turns, WoundSpring) {
  const double wound = 40 * pi, omega = 5;  // k = 0.2 ω²
  for (const char* formula : {"GSTIFF", "GSTIFF, SI2", "WSTIFF", "HHT"}) {
    SCOPED_TRACE(formula);
    Mechanism m(disc(fmt::format(", WZ={:.17g}", wound * omega),
                     "SPRINGDAMPER/1, ROTATIONAL, I=20, J=1, KT=5\n",
                     fmt::format("INTEGRATOR/{}, ERROR=1E-6\n", formula)));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, 3.0));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    // Local errors add up in a conservative motion, with the arm ω t of a phase: far below a turn in any case.
    for (const double t : every(0.1, 3.0)) {
      EXPECT_NEAR(motion.at(t, "REQUEST/1.F2"), wound * std::sin(omega * t), 0.05) << t;
      EXPECT_NEAR(motion.at(t, "PART/2.WZ"), wound * omega * std::cos(omega * t), 0.05 * omega) << t;
    }
  }
}

// A thin disc nutates: ω in body axes goes round at (C − A)/A times its spin, exactly. The third derivative of its turn against steady
// spin is zero for C = 2A, so that order 2 sees no error where it makes one.
TEST(Turns, AThinDiscNutates) {
  for (const char* formula : {"GSTIFF", "GSTIFF, SI2", "WSTIFF", "HHT"}) {
    double before = 1;
    for (const double error : {1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE(fmt::format("{}, ERROR = {}", formula, error));
      Mechanism m(fmt::format(
          "disc\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.5,0.5,1, WZ=100, WX=1\n"
          "MARKER/20, PART=2\nREQUEST/1, F2=WX(20,1,20), F3=WY(20,1,20)\n"
          "INTEGRATOR/{}, ERROR={:.0E}, HMAX=0.01\nEND\n",
          formula, error));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(0.1, 1.0));
      ASSERT_TRUE(motion.result.ok) << motion.messages();
      const double off = std::hypot(motion.at(1.0, "REQUEST/1.F2") - std::cos(100.0),
                                    motion.at(1.0, "REQUEST/1.F3") - std::sin(100.0));
      // √ERROR (trust.md) for each ten radians of 100 that the phase goes on, and a tighter one is better.
      EXPECT_LT(off, 10 * std::sqrt(error));
      EXPECT_LT(off, before);
      before = off;
    }
  }
}

}  // namespace
}  // namespace trunnion::test
