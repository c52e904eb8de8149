// What Newmark's family says of its local error, Eqs. 26 and 34 of the HHT paper and the third derivative of first-order states, against
// the error that a step makes.

#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "integrate/listed.hpp"

namespace trunnion {
namespace {

using formulas::NewmarkTable;
using test::Driver;
using test::Listed;
using test::Mechanism;

struct Case {
  const char* name;
  NewmarkTable table;
  double alpha = -0.3, rho = 0;
  double beta = 0.25, gamma = 0.5;
};
const Case kCases[] = {
    {"HHT", formulas::hht_table(-0.3), -0.3},
    {"HHT", formulas::hht_table(-0.1), -0.1},
    {"HHT", formulas::hht_table(0), 0},
    {"NEWMARK", formulas::newmark_table(0.25, 0.5)},
    {"NEWMARK", formulas::newmark_table(0.36, 0.5), 0, 0, 0.36, 0.5},
    {"GALPHA", formulas::generalized_alpha_table(0), 0, 0},
    {"GALPHA", formulas::generalized_alpha_table(0.8), 0, 0.8},
    {"WBZ", formulas::wbz_table(0.6), 0, 0.6},
};

constexpr double kStep = 4e-3;
constexpr int kSteps = 30;

Driver driver_of(const Case& c, const Mechanism& m, std::optional<double> rho_states = {}) {
  const Listed listed{formulas::index_of(c.name), false, c.rho};
  integrate::FormulaSettings s = listed.settings();
  s.parameters.alpha = c.alpha;
  s.parameters.beta = c.beta;
  s.parameters.gamma = c.gamma;
  s.parameters.rho_states = rho_states;
  s.error = 1e-9;
  return Driver(m, listed, s);
}

// The largest of the errors told and of those made: they are of one phase, a step apart at most.
struct Errors {
  double told = 0, made = 0;
};

// A mass that is pushed by sin(2t + 0.3): from any state the exact step is known.
Errors of_positions(const Case& c) {
  const Mechanism m(
      "pushed\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nSFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1, "
      "FUNCTION=SIN(2*TIME+0.3)\nEND\n");
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Driver driver = driver_of(c, m);
  Errors errors;
  constexpr int kZ = 2, kCoordinates = 6;
  const auto twice = [](double t) { return -std::sin(2 * t + 0.3) / 4; };
  const auto once = [](double t) { return -std::cos(2 * t + 0.3) / 2; };
  for (int k = 0; k < kSteps; ++k) {
    const double t = driver.now.t, q = driver.now.q[kZ], v = driver.now.v[kZ];
    EXPECT_EQ(driver.try_step(kStep), solve::Outcome::converged);
    const double exact = q + v * kStep + twice(t + kStep) - twice(t) - kStep * once(t);
    errors.made = std::max(errors.made, std::abs(driver.trial.q[kZ] - exact));
    // Root mean square over the six coordinates, of which one moves.
    errors.told = std::max(errors.told, 1e-9 * std::sqrt(kCoordinates) * driver.formula->error(driver.trial));
    driver.accept();
  }
  return errors;
}

// Eq. 26 is the error of a step from a state whose formula's acceleration is the true one: (β κ − 1/6) h³ q⃛ told over aₙ₊₁ − aₙ = κ h q⃛. Here
// that acceleration is of the time (αm − αf) h later, aₙ₊₁ − aₙ = h q⃛, and a step errs by β + (αm − αf)/2 − 1/6: never more than is told, and
// as much where there is no filter.
TEST(LocalError, OfPositionsIsEq26) {
  constexpr double kDerivative = 2;  // of the force, at most
  for (const Case& c : kCases) {
    const NewmarkTable& t = c.table;
    const double kappa = (1 - t.alpha_f) / (1 - t.alpha_m), cubed = kStep * kStep * kStep * kDerivative;
    const double told = t.beta - 1 / (6 * kappa), made = t.beta + (t.alpha_m - t.alpha_f) / 2 - 1.0 / 6;
    const Errors errors = of_positions(c);
    EXPECT_NEAR(errors.told / cubed, told, 0.06 * told) << c.name << " " << c.alpha << " " << c.rho;
    EXPECT_NEAR(errors.made / cubed, made, 0.06 * made) << c.name << " " << c.alpha << " " << c.rho;
    EXPECT_GT(errors.told, 0.98 * errors.made) << c.name << " " << c.alpha << " " << c.rho;
  }
}

// ż = cos(3t + 1): what a step adds to z does not depend on z.
Errors of_states(const Case& c, std::optional<double> rho_states) {
  const Mechanism m("state\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=COS(3*TIME+1)\nEND\n");
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Driver driver = driver_of(c, m, rho_states);
  Errors errors;
  const auto integral = [](double t) { return std::sin(3 * t + 1) / 3; };
  for (int k = 0; k < kSteps; ++k) {
    const double t = driver.now.t, z = driver.now.q[0];
    EXPECT_EQ(driver.try_step(kStep), solve::Outcome::converged);
    const double told = 1e-9 * driver.formula->error(driver.trial);
    const double made = std::abs(driver.trial.q[0] - z - integral(t + kStep) + integral(t));
    driver.accept();
    constexpr int kSettled = 5;  // the third derivative is known, and the start is forgotten
    if (k < kSettled) continue;
    errors.told = std::max(errors.told, told);
    errors.made = std::max(errors.made, made);
  }
  return errors;
}

TEST(LocalError, OfStatesIsTheirThirdDerivatives) {
  for (const Case& c : kCases) {
    const Errors errors = of_states(c, {});
    EXPECT_GT(errors.made, 1e-9) << c.name;
    EXPECT_NEAR(errors.told, errors.made, 0.05 * errors.made) << c.name << " " << c.alpha << " " << c.rho;
  }
}

TEST(LocalError, OfStatesByThePapersFormulaIsEq34) {
  for (const double rho : {0.5, 0.6, 0.8, 1.0}) {
    const Errors errors = of_states(kCases[0], rho);
    EXPECT_NEAR(errors.told, errors.made, 0.05 * errors.made) << rho;
    // (ρ − ½) h² z̈, z̈ up to 3.
    const double expected = (rho - 0.5) * kStep * kStep * 3;
    if (rho > 0.5) {
      EXPECT_NEAR(errors.made, expected, 0.1 * expected) << rho;
    }
  }
}

// Eq. 39: the step of states of order 1 follows the square root of their error, that of positions the cube root of theirs; the shorter holds.
TEST(LocalError, StatesOfOrderOneHoldTheStepByEq39) {
  const Mechanism m("state\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=COS(3*TIME+1)\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Listed listed{formulas::index_of("HHT"), false, 0};
  integrate::FormulaSettings s = listed.settings();
  s.parameters.rho_states = 1;
  s.error = 2e-5;
  Driver driver(m, listed, s);
  ASSERT_EQ(driver.try_step(kStep), solve::Outcome::converged);
  const double error = driver.formula->error(driver.trial);
  ASSERT_GT(error, 1);
  EXPECT_NEAR(driver.formula->smaller_step(error, integrate::Rejection::error),
              0.9 * kStep / std::sqrt(error), 1e-12);
  EXPECT_EQ(driver.formula->order(), 1);
}

TEST(RhoStates, IsTakenByNewmarksFamilyAndToldElsewhere) {
  const auto settings = [](const std::string& integrator) {
    const Mechanism m(
        "state\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=COS(3*TIME+1)\nINTEGRATOR/" +
        integrator + "\nEND\n");
    return analysis::dynamic_settings(m.read.model);
  };
  const analysis::DynamicSettings hht = settings("HHT, RHO_STATES=0.8");
  EXPECT_EQ(hht.parameters.rho_states, 0.8);
  EXPECT_TRUE(hht.notes.empty());
  EXPECT_FALSE(settings("HHT").parameters.rho_states);
  const analysis::DynamicSettings gstiff = settings("GSTIFF, RHO_STATES=0.8");
  ASSERT_EQ(gstiff.notes.size(), 1u);
  EXPECT_EQ(std::string(gstiff.notes[0]), "INTEGRATOR: GSTIFF takes no RHO_STATES: it is not used");
}

TEST(IntegratorSettings, ThatAFormulaDoesNotReadAreTold) {
  const auto settings = [](const std::string& integrator) {
    const Mechanism m(
        "state\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=COS(TIME)\nINTEGRATOR/" +
        integrator + "\nEND\n");
    return analysis::dynamic_settings(m.read.model);
  };
  const auto told = [&](const std::string& integrator, const std::string& word) {
    const analysis::DynamicSettings s = settings(integrator);
    return s.notes.size() == 1 &&
           std::string(s.notes[0]).find(" takes no " + word + ": ") != std::string::npos;
  };
  EXPECT_TRUE(told("BATHE, ALPHA=-0.2", "ALPHA"));
  EXPECT_TRUE(told("HHT, BETA=0.3", "BETA"));
  EXPECT_TRUE(told("HHT, GAMMA=0.6", "GAMMA"));
  EXPECT_TRUE(told("RADAU5, KMAX=3", "KMAX"));
  EXPECT_TRUE(told("HHT, PREDICTOR=CUBIC", "such PREDICTOR"));
  EXPECT_TRUE(told("SS3, PREDICTOR=CUBIC", "such PREDICTOR"));  // knows one point
  EXPECT_TRUE(told("RADAU5, PREDICTOR=QUINTIC", "such PREDICTOR"));
  for (const char* taken : {"HHT, ALPHA=-0.2", "NEWMARK, BETA=0.3, GAMMA=0.6", "GSTIFF, KMAX=3",
                            "ABAM, KMAX=5", "LMS3, PREDICTOR=QUINTIC", "BATHE, PREDICTOR=CUBIC",
                            "SS3, PREDICTOR=CONSTANT", "RADAU5, PREDICTOR=CONSTANT", "HHT, PREDICTOR=USUAL"})
    EXPECT_TRUE(settings(taken).notes.empty()) << taken;
}

// At 1 the auxiliary rates of the single-step forms swing for ever, as the multistep formulas do.
TEST(IntegratorSettings, SingleStepFormsNeedARhoBelowOneToo) {
  for (const char* keyword : {"LMS2", "LMS4", "SS2", "SS3", "SS4"}) {
    const Mechanism m(
        fmt::format("state\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=COS(TIME)\n"
                    "INTEGRATOR/{}, RHO=1\nEND\n",
                    keyword));
    const analysis::DynamicSettings s = analysis::dynamic_settings(m.read.model);
    EXPECT_TRUE(s.failed.empty()) << keyword;
    ASSERT_EQ(s.notes.size(), 1u) << keyword;
    EXPECT_EQ(std::string(s.notes[0]),
              fmt::format("INTEGRATOR: {} needs RHO below 1; 0.999 is used", keyword));
  }
}

}  // namespace
}  // namespace trunnion
