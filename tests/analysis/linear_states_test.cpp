// Linear equations with constraints that read states and variables, free motions, and coordinates that PSTATE chose.

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "analysis/linear/spectrum.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/ports.hpp"

namespace trunnion::test {
namespace {

using Complex = std::complex<double>;
using ::testing::HasSubstr;

// The polynomial, highest power first, at s; and what its terms amount to.
Complex value(const std::vector<double>& polynomial, Complex s, double& size) {
  Complex sum = 0;
  size = 0;
  for (const double c : polynomial) {
    sum = sum * s + c;
    size = size * std::abs(s) + std::abs(c);
  }
  return sum;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  }
  return out;
}

// Every eigenvalue is a root, and there are as many as there are roots.
void expect_roots(const analysis::ModesResult& found, const std::vector<double>& polynomial) {
  ASSERT_TRUE(found.ok) << first(found.messages);
  std::size_t roots = 0;
  for (const analysis::Mode& mode : found.modes) {
    double size = 0;
    const Complex left = value(polynomial, mode.value, size);
    EXPECT_LE(std::abs(left), 1e-10 * size) << mode.value;
    roots += mode.value.imag() > 0 ? 2 : 1;
  }
  EXPECT_EQ(roots, polynomial.size() - 1);
}

// --- constraints that read states and variables

// Masses 2 (x) and 1 (1 + e) on one guide, a spring and a damper between; a constraint gives x.
constexpr double kSpring = 100, kDamper = 1.5;
std::string driven(const std::string& constraint, double damper = kDamper) {
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX).marker(91, 1, 0, 0);
  t.part(2, 2, 1, 0, 0).marker(21, 2, 0, 0, kZtoX).part(3, 1, 1, 1, 0).marker(31, 3, 0, 0, kZtoX);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line("JOINT/2, TRANSLATIONAL, I=31, J=1");
  t.line(fmt::format("SPRINGDAMPER/1, TRANSLATION, I=31, J=21, K={}, C={}, LENGTH=1", kSpring, damper));
  return t.line(constraint).end();
}

TEST(LinearStates, ConstraintsThatReadStatesAndVariables) {
  const double k = kSpring, c = kDamper, tau = 0.02, a = 7;
  const std::vector<double> alone = {1, c, k};
  struct Example {
    const char* name;
    std::string constraint;
    std::vector<double> polynomial;
  };
  const std::vector<Example> examples = {
      {"a state that fades", "DIFF/1, FUNCTION=-3*DIF(1)\nGCON/1, FUNCTION=DX(20,91)-DIF(1)",
       product(alone, {1, 3})},
      {"a state that follows e",
       fmt::format("DIFF/1, FUNCTION={}*(DX(30,91)-1-DIF(1))\nGCON/1, FUNCTION=DX(20,91)-DIF(1)", a),
       {1, a + c, k + a * c - a * c, a * k - a * k}},
      {"a share of e",
       "VARIABLE/1, FUNCTION=0.1*(DX(30,91)-1)\nGCON/1, FUNCTION=DX(20,91)-VARVAL(1)",
       {1, 0.9 * c, 0.9 * k}},
      // x = τ ė: the row is one of velocities.
      {"a variable of velocities",
       fmt::format("VARIABLE/1, FUNCTION={}*VX(30,91)\nGCON/1, FUNCTION=DX(20,91)-VARVAL(1)", tau),
       {1 - c * tau, c - k * tau, k}},
      // ẋ = z, ż = −z − 2 x: a row of velocities that reads a state.
      {"a velocity that is a state",
       "DIFF/1, FUNCTION=-DIF(1)-2*DX(20,91)\nGCON/1, FUNCTION=VX(20,91)-DIF(1)", product(alone, {1, 1, 2})},
      // x̂ = x + 3 w with w = x − e: through a variable that the row itself governs.
      {"a loop of variable and constraint",
       "VARIABLE/1, FUNCTION=DX(20,91)-(DX(30,91)-1)\nGCON/1, FUNCTION=DX(20,91)+3*VARVAL(1)",
       {1, 0.25 * c, 0.25 * k}},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.name);
    Mechanism m(driven(example.constraint));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    expect_roots(analysis::modes(*m.system, m.assembled, {}), example.polynomial);
    // Rounding where zeros were, as an analysis before leaves it, is no stiffness.
    for (double& q : m.assembled.state.q) q += q == 0 ? 1e-17 : 0.0;
    expect_roots(analysis::modes(*m.system, m.assembled, {}), example.polynomial);
  }
}

TEST(LinearStates, SuchConstraintsInALargeModel) {
  Mechanism m(driven("VARIABLE/1, FUNCTION=0.1*(DX(30,91)-1)\nGCON/1, FUNCTION=DX(20,91)-VARVAL(1)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  analysis::ModesOptions options;
  options.dense_up_to = 0;
  options.count = 1;
  const auto found = analysis::modes(*m.system, m.assembled, options);
  expect_roots(found, {1, 0.9 * kDamper, 0.9 * kSpring});
}

// The mode shape holds what follows through the variable: x = 0.1 e.
TEST(LinearStates, ShapesFollowThroughVariables) {
  Mechanism m(driven("VARIABLE/1, FUNCTION=0.1*(DX(30,91)-1)\nGCON/1, FUNCTION=DX(20,91)-VARVAL(1)"));
  const auto found = analysis::modes(*m.system, m.assembled, {});
  ASSERT_TRUE(found.ok && found.modes.size() == 1);
  const auto x = [&](std::size_t body) {
    return found.modes[0].shape[m.system->layout().block(m.system->bodies()[body].block).offset];
  };
  EXPECT_LT(std::abs(x(0) - 0.1 * x(1)), 1e-12);
}

// ë = −k (e − i): the input's value is enough without a damper, and is not with one.
TEST(LinearStates, AnInputThatMovesAConstraint) {
  for (const double damper : {0.0, kDamper}) {
    Mechanism m(
        driven("VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=DX(20,91)+DX(30,91)\n"
               "GCON/1, FUNCTION=DX(20,91)-VARVAL(1)",
               damper));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    analysis::LinearOptions options;
    options.inputs = {variable(m, 1)};
    options.outputs = {variable(m, 2)};
    const auto linear = analysis::linearise(*m.system, m.assembled, options);
    if (damper > 0) {
      EXPECT_FALSE(linear.ok);
      EXPECT_THAT(first(linear.messages), HasSubstr("VARIABLE/1 value is an input that moves a constraint"));
      continue;
    }
    ASSERT_TRUE(linear.ok) << first(linear.messages);
    ASSERT_EQ(linear.A.rows(), 2);
    EXPECT_TRUE(linear.A.isApprox((Eigen::Matrix2d() << 0, 1, -kSpring, 0).finished(), 1e-12)) << linear.A;
    EXPECT_TRUE(linear.B.isApprox(Eigen::Vector2d(0, kSpring), 1e-12)) << linear.B;
    EXPECT_TRUE(linear.C.isApprox(Eigen::RowVector2d(1, 0), 1e-12)) << linear.C;
    EXPECT_NEAR(linear.D(0, 0), 1, 1e-12);
  }
}

TEST(LinearStates, SuchAConstraintInMotionIsRefused) {
  Mechanism m(driven("DIFF/1, IC=0.1, FUNCTION=-3*DIF(1)\nGCON/1, FUNCTION=DX(20,91)-DIF(1)"));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto found = analysis::modes(*m.system, m.assembled, {});
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(first(found.messages), HasSubstr("depends on DIFF/1 state"));
  EXPECT_THAT(first(found.messages), HasSubstr("at rest only; try SIMULATE/STATICS before"));
}

// --- zeros

// A stiff spring (10⁵ rad/s), a slow one (0.01 rad/s), both hung on a carriage that is free: the free motion is a double zero, the slow
// mode is none, however fast the other.
TEST(LinearStates, SlowModesBesideFastOnesAndZeros) {
  const double fast = 1e5, slow = 0.01;
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX);
  for (const int id : {2, 3, 4}) {
    t.part(id, 1, 1, id, 0).marker(10 * id + 1, id, 0, 0, kZtoX);
    t.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J=1", id, 10 * id + 1));
  }
  t.line(fmt::format("SPRINGDAMPER/1, TRANSLATION, I=31, J=21, K={}, C=0, LENGTH=1", fast * fast));
  t.line(fmt::format("SPRINGDAMPER/2, TRANSLATION, I=41, J=31, K={}, C=0, LENGTH=1", slow * slow));
  Mechanism m(t.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto found = analysis::modes(*m.system, m.assembled, {});
  ASSERT_TRUE(found.ok);
  ASSERT_EQ(found.modes.size(), 4u);
  EXPECT_EQ(found.modes[0].value, Complex(0));
  EXPECT_EQ(found.modes[1].value, Complex(0));
  // One against the other two as one, and these against each other. The sum 10¹⁰ + 10⁻⁴ of stiffnesses knows the second to 2%.
  EXPECT_NEAR(found.modes[3].value.imag(), fast * std::sqrt(2.0), 1e-6 * fast);
  EXPECT_NEAR(found.modes[2].value.imag(), slow * std::sqrt(1.5), 0.03 * slow);
  EXPECT_THAT(found.messages,
              ::testing::Contains(HasSubstr("2 eigenvalues are zero within rounding: free motion")));
}

// The sparse method tells the same zeros: a free string of masses, ω_j = 2 √(k/m) sin(j π / 2n).
TEST(LinearStates, FreeStringBySparseMethod) {
  constexpr int n = 60;
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX);
  for (int i = 0; i < n; ++i) {
    const int id = i + 2;
    t.part(id, 0.5, 1, i, 0).marker(10 * id + 1, id, 0, 0, kZtoX);
    t.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J=1", id, 10 * id + 1));
    if (i > 0)
      t.line(fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K=800, C=0, LENGTH=1", id, 10 * id + 1,
                         10 * id - 9));
  }
  Mechanism m(t.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  analysis::ModesOptions options;
  options.dense_up_to = 0;
  options.count = 6;
  const auto found = analysis::modes(*m.system, m.assembled, options);
  ASSERT_TRUE(found.ok);
  ASSERT_EQ(found.modes.size(), 6u);
  EXPECT_EQ(found.modes[0].value, Complex(0));
  EXPECT_EQ(found.modes[1].value, Complex(0));
  for (int j = 1; j < 5; ++j) {
    const double omega = 80 * std::sin(j * 3.141592653589793 / (2 * n));
    EXPECT_NEAR(found.modes[static_cast<std::size_t>(j + 1)].value.imag(), omega, 1e-8 * omega) << j;
  }
  EXPECT_THAT(found.messages,
              ::testing::Contains(HasSubstr("2 eigenvalues are zero within rounding: free motion")));
}

// --- PSTATE

TEST(Pstate, RelativeCoordinatesAtRest) {
  // Masses m₁ at x₁, m₂ at x₂, springs to ground and between; p₁ = x₂ − x₁ (by way of two variables), p₂ = x₁ + x₂, one too many.
  const double m1 = 2, m2 = 0.5, k1 = 300, k2 = 70, c2 = 4;
  Planar t;
  t.marker(1, 1, 0, 0, kZtoX).marker(91, 1, 0, 0);
  t.part(2, m1, 1, 1, 0).marker(21, 2, 0, 0, kZtoX).part(3, m2, 1, 2, 0).marker(31, 3, 0, 0, kZtoX);
  t.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line("JOINT/2, TRANSLATIONAL, I=31, J=1");
  t.line(fmt::format("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K={}, C=0, LENGTH=1", k1));
  t.line(fmt::format("SPRINGDAMPER/2, TRANSLATION, I=31, J=21, K={}, C={}, LENGTH=1", k2, c2));
  t.line("VARIABLE/1, FUNCTION=VARVAL(4)-DX(20,91)").line("VARIABLE/4, FUNCTION=DX(30,91)");
  t.line("VARIABLE/2, FUNCTION=3*(DX(30,91)-DX(20,91))").line("VARIABLE/3, FUNCTION=DX(20,91)+DX(30,91)");
  t.line("VARIABLE/5, FUNCTION=0").line("VARIABLE/6, FUNCTION=VX(30,91)");
  t.line("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=VARVAL(5)");
  Mechanism m(t.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  Eigen::Matrix2d M, K, B, T;
  M << m1, 0, 0, m2;
  K << k1 + k2, -k2, -k2, k2;
  B << c2, -c2, -c2, c2;
  T << -1, 1, 1, 1;  // p = T x
  const Eigen::Matrix2d X = T.inverse();
  const std::vector<assembly::BlockId> chosen = {variable(m, 1), variable(m, 2), variable(m, 3)};

  const auto mkb = analysis::structural_matrices(*m.system, m.assembled, {}, chosen);
  ASSERT_TRUE(mkb.ok) << first(mkb.messages);
  EXPECT_TRUE(mkb.M.isApprox(X.transpose() * M * X, 1e-12)) << mkb.M;
  EXPECT_TRUE(mkb.K.isApprox(X.transpose() * K * X, 1e-12)) << mkb.K;
  EXPECT_TRUE(mkb.B.isApprox(X.transpose() * B * X, 1e-12)) << mkb.B;
  EXPECT_THAT(mkb.names, ::testing::ElementsAre("VARIABLE/1", "VARIABLE/3"));
  EXPECT_EQ(first(mkb.messages),
            "PSTATE: VARIABLE/2 is left out: here constraints hold it, or it follows from the coordinates "
            "before it");

  analysis::LinearOptions options;
  options.coordinates = chosen;
  options.inputs = {variable(m, 5)};
  options.outputs = {variable(m, 6)};
  const auto linear = analysis::linearise(*m.system, m.assembled, options);
  ASSERT_TRUE(linear.ok) << first(linear.messages);
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() = -T * M.inverse() * K * X;
  A.bottomRightCorner<2, 2>() = -T * M.inverse() * B * X;
  EXPECT_TRUE(linear.A.isApprox(A, 1e-11)) << linear.A;
  Eigen::Vector4d in = Eigen::Vector4d::Zero();
  in.tail<2>() = T * M.inverse() * Eigen::Vector2d(1, 0);
  EXPECT_TRUE(linear.B.isApprox(in, 1e-12)) << linear.B;
  Eigen::RowVector4d out = Eigen::RowVector4d::Zero();
  out.tail<2>() = X.row(1);
  EXPECT_TRUE(linear.C.isApprox(out, 1e-12)) << linear.C;
  EXPECT_THAT(linear.names,
              ::testing::ElementsAre("VARIABLE/1", "VARIABLE/3", "rate of VARIABLE/1", "rate of VARIABLE/3"));

  // One coordinate given: the other is filled in, and the eigenvalues are what they were.
  options.coordinates = {variable(m, 3)};
  const auto filled = analysis::linearise(*m.system, m.assembled, options);
  ASSERT_TRUE(filled.ok) << first(filled.messages);
  EXPECT_EQ(filled.names[0], "VARIABLE/3");
  EXPECT_THAT(filled.names[1], HasSubstr("PART/"));
  const Eigen::VectorXcd got = analysis::spectrum(filled.A).values, wanted = analysis::spectrum(A).values;
  for (const Complex w : wanted) EXPECT_LT((got.array() - w).abs().minCoeff(), 1e-10 * std::abs(w));
}

// A bead on a guide that turns with Ω, spring to the axis: r̈ = −(k/m − Ω²)(r − r₀) in its distance, whatever the angle. The distance
// is curved in the ground's axes: Ṗ and P̈ count.
TEST(Pstate, DistanceOnATurningGuide) {
  const double mass = 0.7, k = 50, length = 1, speed = 3, turn = 0.6;
  const double r = k * length / (k - mass * speed * speed);
  const double c = std::cos(turn), s = std::sin(turn);
  Planar t;
  t.marker(1, 1, 0, 0).part(2, 5, 1, 0, 0, turn).marker(21, 2, 0, 0, kZtoX);
  t.line(
      fmt::format("PART/3, MASS={}, CM=30, IP=0.01,0.01,0.01, QG={:.17g},{:.17g},0, REULER={:.17g},0,0, "
                  "VX={:.17g}, VY={:.17g}, WZ={}",
                  mass, r * c, r * s, turn, -speed * r * s, speed * r * c, speed));
  t.marker(30, 3, 0, 0).marker(31, 3, 0, 0, kZtoX);
  t.revolute(1, 20, 1).line("JOINT/2, TRANSLATIONAL, I=31, J=21");
  t.line(fmt::format("MOTION/1, JOINT=1, ROTATION, FUNCTION={:.17g}+{:.17g}*TIME", turn, speed));
  t.line(fmt::format("SPRINGDAMPER/1, TRANSLATION, I=31, J=1, K={}, C=0, LENGTH={}", k, length));
  t.line("VARIABLE/1, FUNCTION=DM(30,1)").line("VARIABLE/2, FUNCTION=DM(30,1)**2");
  Mechanism m(t.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const double square = k / mass - speed * speed;
  for (const int id : {1, 2}) {  // p = r² is as good at a steady place
    analysis::LinearOptions options;
    options.coordinates = {variable(m, id)};
    const auto linear = analysis::linearise(*m.system, m.assembled, options);
    ASSERT_TRUE(linear.ok) << first(linear.messages);
    ASSERT_EQ(linear.A.rows(), 2);
    EXPECT_NEAR(linear.A(0, 0), 0, 1e-9);
    EXPECT_NEAR(linear.A(0, 1), 1, 1e-12);
    EXPECT_NEAR(linear.A(1, 0), -square, 1e-9 * square);
    EXPECT_NEAR(linear.A(1, 1), 0, 1e-9 * std::sqrt(square));
    const auto mkb = analysis::structural_matrices(*m.system, m.assembled, {}, options.coordinates);
    ASSERT_TRUE(mkb.ok) << first(mkb.messages);
    const double slope = id == 1 ? 1 : 2 * r;
    EXPECT_NEAR(mkb.M(0, 0), mass / (slope * slope), 1e-12);
    EXPECT_NEAR(mkb.K(0, 0), mass * square / (slope * slope), 1e-8);
    EXPECT_NEAR(mkb.B(0, 0), 0, 1e-9);
  }
}

TEST(Pstate, OnlyDisplacements) {
  for (const auto& [function, what] : std::vector<std::pair<const char*, const char*>>{
           {"VX(30,91)", "reads velocities"},
           {"ACCX(30,91)+DX(30,91)", "reads accelerations"},
           {"DIF(1)", "reads a state"},
           {"SIN(TIME)", "does not change with any displacement"}}) {
    Mechanism m(driven(fmt::format("DIFF/1, FUNCTION=-DIF(1)\nVARIABLE/1, FUNCTION={}", function)));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    analysis::LinearOptions options;
    options.coordinates = {variable(m, 1)};
    const auto linear = analysis::linearise(*m.system, m.assembled, options);
    EXPECT_FALSE(linear.ok);
    EXPECT_THAT(first(linear.messages), HasSubstr(std::string("VARIABLE/1 ") + what));
  }
}

}  // namespace
}  // namespace trunnion::test
