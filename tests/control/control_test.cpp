// Control elements against closed forms: LSE, TFSISO, GSE with sampled states, algebraic DIFF; MATRIX files.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHeader =
    "control\nPART/1, GROUND\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/10, PART=1\n";
const std::string kRun = "INTEGRATOR/GSTIFF, ERROR=1E-8\nSIMULATE/DYNAMICS, END=2, DTOUT=0.25\nSTOP\n";
// ERROR bounds what one step adds; a few hundred of them, here damped, stay below this.
constexpr double kClose = 1e-5;

Session ran(const std::string& name, const std::string& statements, const SessionOptions& options = {},
            const std::string& commands = kRun) {
  return run_text(name, kHeader + statements + "END\n", commands, options);
}

// ẍ + 2ζω ẋ + ω² x = u with u = 1 from rest; y = (x, ẋ + 0.5 u).
const std::string kOscillator =
    "VARIABLE/1, FUNCTION=1\nARRAY/1, U, VARIABLES=1\nARRAY/2, X\nARRAY/3, Y\n"
    "LSE/1, X=2, U=1, Y=3, A=1, B=2, C=3, D=4\n"
    "MATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=1, VALUES=0,1\n"
    "MATRIX/3, SPARSE, ROWS=2, COLUMNS=2, I=1,2, J=1,2, VALUES=1,1\n"
    "MATRIX/4, FULL=CORDER, ROWS=2, COLUMNS=1, VALUES=0,0.5\n";

void expect_oscillator(const Session& s) {
  const double omega = 3, zeta = 0.2, damped = omega * std::sqrt(1 - zeta * zeta);
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  for (double t = 0.25; t <= 2; t += 0.25) {
    const double decay = std::exp(-zeta * omega * t);
    const double x =
        (1 - decay * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t))) / (omega * omega);
    const double v = decay * std::sin(damped * t) / damped;
    EXPECT_NEAR(s.at(t, "LSE/1.Y1"), x, kClose) << t;
    EXPECT_NEAR(s.at(t, "LSE/1.Y2"), v + 0.5, kClose) << t;
  }
}

TEST(Lse, StepResponse) {
  expect_oscillator(
      ran("lse", kOscillator + "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=0,1,-9,-1.2\n"));
}

TEST(MatrixFile, AllForms) {
  put("matrices.dat",
      "ADAMSMAT three ways\n  4\nBYROW BYCOL SPA FREE\n"
      "BYROW FULL RORDER 2 2 4 ( 4F6.2 )\n  0.00  1.00 -9.00 -1.20\n"
      "BYCOL FULL CORDER 2 2 4 (2F5.2)\n 0.00-9.00\n 1.00-1.20\n"  // fields that touch
      "SPA SPARSE 2 2 3 (2I3,E10.3)\n  1  2 1.000D+00\n  2  1-9.000E+00\n  2  2-1.200E+00\n"
      "FREE FULL RORDER 2 2 4\n0, 1\n-9 -1.2\n");
  for (const char* name : {"", ", NAME=BYROW", ", NAME=bycol", ", NAME=SPA", ", NAME=FREE"}) {
    SCOPED_TRACE(name);
    expect_oscillator(ran("lse_file", kOscillator + "MATRIX/1, FILE=matrices.dat" + name + "\n"));
  }
}

TEST(MatrixFile, TroubleNamesTheFileAndTheLine) {
  const auto said = [](const std::string& text, const std::string& more = "") {
    put("bad.dat", text);
    return ran("lse_bad", kOscillator + "MATRIX/1, FILE=bad.dat" + more + "\n").said;
  };
  EXPECT_THAT(said("MATRIXx\n"), HasSubstr("are not read; write it as ADAMSMAT"));
  EXPECT_THAT(said("2 2\n"), HasSubstr("bad.dat:1: its first line must begin with ADAMSMAT"));
  const std::string good = "ADAMSMAT\n1\nA\nA FULL RORDER 2 2 4\n0 1 -9 -1.2\n";
  EXPECT_THAT(said(good, ", NAME=B"), HasSubstr("it has no matrix B; it has A"));
  EXPECT_THAT(said("ADAMSMAT\n1\nA\nA FULL RORDER 2 2 4\n0 1 x\n"),
              HasSubstr("bad.dat:5: 'x' is not a number"));
  EXPECT_THAT(said("ADAMSMAT\n1\nA\nA FULL RORDER 2 2 4\n0 1 2\n"), HasSubstr("ends after 3 of the 4"));
  EXPECT_THAT(said("ADAMSMAT\n1\nA\nA FULL RORDER 2 2 5\n"), HasSubstr("5 numbers for 2 by 2"));
  EXPECT_THAT(said("ADAMSMAT\n1\nA\nA FULL RORDER 2 2 4 (A4)\n"), HasSubstr("is not understood"));
  EXPECT_THAT(ran("lse_none", kOscillator + "MATRIX/1, FILE=nowhere.dat\n").said,
              HasSubstr("LSE/1: MATRIX/1: nowhere.dat"));
}

// Step responses of every order up to three, with and without feed-through.
TEST(Tfsiso, StepResponses) {
  struct Case {
    const char* coefficients;
    double (*y)(double);
  };
  const Case cases[] = {
      {"NUM=3, DEN=1,0.5", [](double t) { return 3 * (1 - std::exp(-2 * t)); }},
      {"NUM=1,2, DEN=1,0.5", [](double t) { return 1 + 3 * std::exp(-2 * t); }},
      {"NUM=1, DEN=1,2,1", [](double t) { return 1 - (1 + t) * std::exp(-t); }},
      {"NUM=1,0,3, DEN=1,2,1", [](double t) { return 1 + (2 - 4 * t) * std::exp(-t); }},
      {"NUM=1, DEN=1,6,11,6",
       [](double t) { return 1 - 0.5 * std::exp(-t) + 4 * std::exp(-t / 2) - 4.5 * std::exp(-t / 3); }},
      {"NUM=2, DEN=4", [](double) { return 0.5; }},
  };
  for (const Case& c : cases) {
    const Session s = ran("tf", std::string("VARIABLE/1, FUNCTION=1\nARRAY/1, U, VARIABLES=1\nARRAY/2, X\n"
                                            "ARRAY/3, Y\nTFSISO/1, X=2, U=1, Y=3, ") +
                                    c.coefficients + "\n");
    ASSERT_EQ(s.status, api::RunStatus::done) << c.coefficients << "\n" << s.said;
    for (double t = 0; t <= 2; t += 0.25)
      EXPECT_NEAR(s.at(t, "TFSISO/1.Y1"), c.y(t), kClose) << c.coefficients << " " << t;
  }
  EXPECT_THAT(ran("tf_bad",
                  "VARIABLE/1, FUNCTION=1\nARRAY/1, U, VARIABLES=1\nARRAY/2, X\nARRAY/3, Y\n"
                  "TFSISO/1, X=2, U=1, Y=3, NUM=1,2,3, DEN=1,1\n")
                  .said,
              HasSubstr("the order of NUMERATOR exceeds that of DENOMINATOR"));
  const Session sized = ran("tf_sized",
                            "VARIABLE/1, FUNCTION=1\nARRAY/1, U, SIZE=1, VARIABLES=1\nARRAY/2, X, SIZE=5\n"
                            "ARRAY/3, Y, SIZE=1\nTFSISO/1, X=2, U=1, Y=3, NUM=1, DEN=1,2,1\n");
  EXPECT_EQ(sized.status, api::RunStatus::done) << sized.said;
  EXPECT_THAT(sized.said, HasSubstr("SIZE = 5, but it holds 2 values, those of TFSISO/1; SIZE is not used"));
}

// xₙ₊₁ = xₙ/2 + t at tₙ = 0.1 + 0.2 n, ẋ = −x + xₙ, y = (xₙ, x + t): by one routine and by one each.
TEST(Gse, SampledStates) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string read =
      "double x = trunnion_read(c, \"ARYVAL\", 2, 2, 1), xd = trunnion_read(c, \"ARYVAL\", 2, 4, 1);\n"
      "(void)x, (void)xd;\n";
  const std::string library = build_text(
      "sampled", kHead +
                     routine("gsesub", read + "result[0] = -x + xd; result[1] = xd; result[2] = x + time;\n"
                                              "result[3] = 0.5 * xd + time;") +
                     routine("rates", read + "result[0] = -x + xd;") +
                     routine("outputs", read + "result[0] = xd; result[1] = x + time;") +
                     routine("gse_update", read + "result[0] = 0.5 * xd + time;") +
                     routine("period", "result[0] = par[0];"));
  const std::string arrays =
      "ARRAY/2, X\nARRAY/3, Y\nARRAY/4, X\nARRAY/5, IC, NUMBERS=1\nARRAY/6, IC, NUMBERS=2\n"
      "GSE/1, NS=1, NO=2, ND=1, X=2, Y=3, XD=4, IC=5, ICD=6, SAMPLE_OFFSET=0.1, ";
  for (const std::string& form :
       {std::string("SAMPLE_PERIOD=0.2, FUNCTION=USER(0)"),
        std::string("SAMPLE_PERIOD=USER(0.2)\\, FUNCTION=USER(0)\\\n, INTERFACE=sampled::rates, "
                    "sampled::outputs, sampled::gse_update, sampled::period")}) {
    const Session s = ran("gse", arrays + form + "\n", {{library}},
                          "INTEGRATOR/GSTIFF, ERROR=1E-8\n"
                          "SIMULATE/DYNAMICS, END=0.6, DTOUT=0.05\nSIMULATE/DYNAMICS, END=2, DTOUT=0.05\n");
    ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
    double x = 1, now = 2, waiting = 2, next = 0.1, t = 0;
    for (int k = 1; k <= 40; ++k) {
      const double until = 0.05 * k;
      // Outputs at a sample time are from before it.
      for (; next < until - 1e-9; next += 0.2) {
        x = now + (x - now) * std::exp(-(next - t));
        t = next;
        now = waiting;
        waiting = 0.5 * now + t;
      }
      x = now + (x - now) * std::exp(-(until - t));
      t = until;
      EXPECT_NEAR(s.at(until, "GSE/1.Y1"), now, 1e-12) << form << until;
      EXPECT_NEAR(s.at(until, "GSE/1.Y2"), x + until, kClose) << form << until;
    }
  }
  EXPECT_THAT(ran("gse_bad", arrays + "SAMPLE_PERIOD=0, FUNCTION=USER(0)\n", {{library}}).said,
              HasSubstr("GSE/1: SAMPLE_PERIOD is 0 at t = 0.1; it must be positive"));
  EXPECT_THAT(ran("gse_none", arrays + "FUNCTION=USER(0)\n", {{library}}).said,
              HasSubstr("need SAMPLE_PERIOD="));
  const Session idle = ran("gse_idle", arrays + "SAMPLE_PERIOD=0.2, FUNCTION=USER(0)\n", {{}, true});
  EXPECT_THAT(idle.said, HasSubstr("left out (no user code): GSE/1"));
}

// z = y² with ẏ = −2y: an equation without DIF1 of its own. Its rate is exact from the start.
TEST(Diff, AlgebraicImplicitHasItsRate) {
  const Session s = ran("implicit",
                        "DIFF/1, IC=1, FUNCTION=-2*DIF(1)\nDIFF/2, IC=0.3, IMPLICIT, "
                        "FUNCTION=DIF(1)**2-DIF(2)\nDIFF/3, IMPLICIT, FUNCTION=DIF(2)+TIME**2-2*DIF(3)\n"
                        "VARIABLE/1, FUNCTION=DIF1(2)\nVARIABLE/2, FUNCTION=DIF1(3)\n"
                        "REQUEST/1, F2=DIF1(2)\n");
  ASSERT_EQ(s.status, api::RunStatus::done) << s.said;
  for (double t = 0; t <= 2; t += 0.25) {
    const double z = std::exp(-4 * t);
    EXPECT_NEAR(s.at(t, "DIFF/2"), z, kClose) << t;
    EXPECT_NEAR(s.at(t, "VARIABLE/1"), -4 * z, kClose) << t;
    EXPECT_NEAR(s.at(t, "REQUEST/1.F2"), -4 * z, kClose) << t;
    EXPECT_NEAR(s.at(t, "VARIABLE/2"), -2 * z + t, kClose) << t;
  }
  const Session lost = ran("implicit_lost",
                           "VARIABLE/1, FUNCTION=TIME\nDIFF/2, IMPLICIT, FUNCTION=VARVAL(1)-DIF(2)\n"
                           "VARIABLE/2, FUNCTION=DIF1(2)\n");
  EXPECT_THAT(lost.said, HasSubstr("VARIABLE/2: DIF1(2) is not known: DIFF/2 is IMPLICIT without DIF1(2)"));
  const Session value =
      ran("implicit_value", "VARIABLE/1, FUNCTION=TIME\nDIFF/2, IMPLICIT, FUNCTION=VARVAL(1)-DIF(2)\n");
  EXPECT_NEAR(value.at(1, "DIFF/2"), 1, 1e-12);
}

// What no equation determines is named, and so is who asks for it.
TEST(AlgebraicLoops, AreSolvedOrNamed) {
  const Session solved =
      ran("loop", "VARIABLE/1, FUNCTION=0.5*VARVAL(2)+1\nVARIABLE/2, FUNCTION=0.5*VARVAL(1)\n");
  EXPECT_NEAR(solved.at(0, "VARIABLE/1"), 4.0 / 3, 1e-12) << solved.said;
  const Session none = ran("loop_none", "VARIABLE/1, FUNCTION=VARVAL(2)+1\nVARIABLE/2, FUNCTION=VARVAL(1)\n");
  EXPECT_EQ(none.status, api::RunStatus::failed);
  EXPECT_THAT(none.said, ::testing::ContainsRegex("VARIABLE/[12] value cannot be found"));
  EXPECT_THAT(none.said, HasSubstr("(an algebraic loop through VARIABLE/1, VARIABLE/2)"));
  // A force that reads the acceleration it causes: m a = F − 0.5 a.
  const Session inertia =
      ran("loop_force", "SFORCE/1, ACTIONONLY, TRANSLATIONAL, I=20, J=10, FUNCTION=3-0.5*ACCZ(20,10,10)\n");
  EXPECT_NEAR(inertia.at(0, "PART/2.ACCZ"), 2, 1e-12) << inertia.said;
  // … and one that cancels its own mass.
  const Session massless =
      ran("loop_mass", "SFORCE/1, ACTIONONLY, TRANSLATIONAL, I=20, J=10, FUNCTION=3+ACCZ(20,10,10)\n");
  EXPECT_EQ(massless.status, api::RunStatus::failed);
  EXPECT_THAT(massless.said, HasSubstr("PART/2"));
}

TEST(Spline, ReadingBeyondItsPointsIsSaidOnce) {
  const auto with = [](const std::string& more, const std::string& function, double end) {
    return ran("spline",
               "SPLINE/5, X=0,1,2,3, Y=0,1,4,9" + more + "\nVARIABLE/1, FUNCTION=" + function + "\n", {},
               "SIMULATE/DYNAMICS, END=" + std::to_string(end) + ", DTOUT=0.5\n");
  };
  const auto count = [](const std::string& text, const std::string& what) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  for (const char* function : {"AKISPL(TIME,0,5)", "CUBSPL(TIME,0,5)"}) {
    EXPECT_THAT(with("", function, 3).said, Not(HasSubstr("SPLINE/5"))) << function;
    const Session out = with("", function, 4);
    EXPECT_EQ(count(out.said, "SPLINE/5 is read at x = "), 1) << out.said;
    EXPECT_THAT(out.said, HasSubstr("outside of its points, 0 to 3; the end piece's cubic goes on"));
    EXPECT_NEAR(out.at(4, "VARIABLE/1"), 16, 1e-9) << function;  // a parabola is a cubic
    const Session line = with(", LINEAR_EXTRAPOLATE", function, 4);
    EXPECT_THAT(line.said, HasSubstr("a straight line goes on"));
    EXPECT_NEAR(line.at(4, "VARIABLE/1"), 15, 1e-9) << function;  // 9 + 6
    const Session left = with("", std::string(function, 7) + "TIME-0.75,0,5)", 0.5);
    EXPECT_THAT(left.said, HasSubstr("t = 0: SPLINE/5 is read at x = -0.75,")) << left.said;
  }
  EXPECT_THAT(ran("spline_file", "SPLINE/5, FILE=road.dat\nVARIABLE/1, FUNCTION=AKISPL(TIME,0,5)\n").said,
              HasSubstr("SPLINE/5: its points are in a file, which is not read"));
  // The second argument of a family, once and apart from the first; a single curve has none.
  const auto family = [](const std::string& function) {
    return ran("family",
               "SPLINE/5, X=0,1,2,3\n, Y=1,0,1,4,9\n, Y=2,0,2,8,18\nVARIABLE/1, FUNCTION=" + function + "\n",
               {}, "SIMULATE/DYNAMICS, END=2, DTOUT=0.5\n");
  };
  for (const std::string name : {"AKISPL", "CUBSPL"}) {
    EXPECT_THAT(family(name + "(TIME,1+TIME/2,5)").said, Not(HasSubstr("SPLINE/5"))) << name;
    const Session above = family(name + "(TIME,1+TIME,5)");
    EXPECT_EQ(count(above.said, "SPLINE/5 is read at"), 1) << above.said;
    EXPECT_THAT(above.said,
                ContainsRegex("t = 1\\.[0-9]+: SPLINE/5 is read at z = 2\\.[0-9]+, outside of its "
                              "curves, 1 to 2; a straight line through the outer two goes on"));
    EXPECT_NEAR(above.at(2, "VARIABLE/1"), 3 * 4, 1e-9) << name;  // z x²
    const Session both = family(name + "(TIME-0.5,TIME,5)");
    EXPECT_THAT(both.said, HasSubstr("t = 0: SPLINE/5 is read at x = -0.5, outside of its points, 0 to 3"));
    EXPECT_THAT(both.said, HasSubstr("t = 0: SPLINE/5 is read at z = 0, outside of its curves, 1 to 2"));
    EXPECT_EQ(count(both.said, "SPLINE/5 is read at"), 2) << both.said;
  }
  // Requests read splines too.
  EXPECT_THAT(
      ran("spline_request", "SPLINE/5, X=0,1,2,3, Y=0,1,4,9\nREQUEST/1, F2=AKISPL(TIME-1,0,5)\n").said,
      HasSubstr("t = 0: SPLINE/5 is read at x = -1,"));
}

}  // namespace
}  // namespace trunnion::test
