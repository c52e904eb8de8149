// Eigenvalues and state matrices against closed forms and against the nonlinear equations.

#include "analysis/linear/linear.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"
#include "support/static_models.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

std::vector<Complex> eigenvalues(Mechanism& m, bool damping = true) {
  analysis::ModesOptions options;
  options.damping = damping;
  const auto found = analysis::modes(*m.system, m.assembled, options);
  EXPECT_TRUE(found.ok) << (found.messages.empty() ? "" : found.messages.front());
  std::vector<Complex> values;
  for (const analysis::Mode& mode : found.modes) values.push_back(mode.value);
  return values;
}

// n equal masses on a guide between walls, n + 1 equal springs, dampers c: ω_j = 2 √(k/m) sin(j π / (2 (n + 1))).
std::string masses(int n, double k, double m, double c) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).marker(2, 1, n + 1, 0, kZtoX);
  for (int i = 0; i < n; ++i) {
    const int id = i + 2;
    text.part(id, m, 1, i + 1, 0).marker(10 * id + 1, id, 0, 0, kZtoX);
    text.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J=1", id, 10 * id + 1));
  }
  const auto marker = [&](int i) { return i == 0 ? 1 : i == n + 1 ? 2 : 10 * (i + 1) + 1; };
  for (int i = 0; i <= n; ++i)
    text.line(fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K={}, C={}, LENGTH=1", i + 1,
                          marker(i + 1), marker(i), k, c));
  return text.end();
}

TEST(Linear, StringOfMasses) {
  constexpr int n = 12;
  const double k = 700, m = 0.3, c = 2;
  Mechanism mech(masses(n, k, m, c));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto undamped = eigenvalues(mech, false);
  const auto damped = eigenvalues(mech);
  ASSERT_EQ(undamped.size(), static_cast<std::size_t>(n));
  ASSERT_EQ(damped.size(), static_cast<std::size_t>(n));
  for (int j = 1; j <= n; ++j) {
    const double omega = 2 * std::sqrt(k / m) * std::sin(j * pi / (2 * (n + 1)));
    EXPECT_NEAR(undamped[j - 1].imag(), omega, 1e-11 * omega);
    EXPECT_NEAR(undamped[j - 1].real(), 0, 1e-11 * omega);
    // s² + (c/k) ω² s + ω² = 0
    const double half = c / k * omega * omega / 2;
    EXPECT_NEAR(damped[j - 1].real(), -half, 1e-10 * omega);
    EXPECT_NEAR(damped[j - 1].imag(), std::sqrt(omega * omega - half * half), 1e-10 * omega);
  }
}

TEST(Linear, ModeShapesAreSines) {
  constexpr int n = 5;
  Mechanism mech(masses(n, 100, 1, 0));
  const auto found = analysis::modes(*mech.system, mech.assembled, {});
  ASSERT_TRUE(found.ok);
  for (int j = 1; j <= n; ++j) {
    double largest = 0;
    for (int i = 1; i <= n; ++i) largest = std::max(largest, std::abs(std::sin(i * j * pi / (n + 1))));
    for (int i = 1; i <= n; ++i) {
      const auto& block =
          mech.system->layout().block(mech.system->bodies()[static_cast<std::size_t>(i - 1)].block);
      EXPECT_NEAR(std::abs(found.modes[j - 1].shape[block.offset]),
                  std::abs(std::sin(i * j * pi / (n + 1))) / largest, 1e-9);
    }
    const auto shares = analysis::kinetic_shares(*mech.system, mech.assembled.state, found.modes[j - 1]);
    double sum = 0, wanted = 0;
    for (const double share : shares) sum += share;
    EXPECT_NEAR(sum, 1, 1e-12);
    for (int i = 1; i <= n; ++i) wanted += std::pow(std::sin(i * j * pi / (n + 1)), 2);
    EXPECT_NEAR(shares[0], std::pow(std::sin(j * pi / (n + 1)), 2) / wanted, 1e-9);
  }
}

// Cart M on a rail, rod m of half length l and inertia J on it, upright: (M + m) ẍ + m l θ̈ = F, (J + m l²) θ̈ + m l ẍ = m g l θ.
// θ here leans towards +x for a negative turn about z.
struct Cart {
  double M = 2, m = 0.5, l = 0.6, J = 0.07, g = 9.81;

  std::string text(const std::string& more) const {
    Planar t;
    t.marker(1, 1, 0, 0, kZtoX).part(2, M, 1, 0, 0).marker(21, 2, 0, 0, kZtoX).marker(22, 2, 0, 0);
    t.part(3, m, J, 0, l).marker(31, 3, 0, -l);
    t.line("JOINT/1, TRANSLATIONAL, I=21, J=1").revolute(2, 31, 22).line("ACCGRAV/JGRAV=-9.81");
    t.line("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=VARVAL(1)");
    if (!more.empty()) t.line(more);
    return t.end();
  }
};

TEST(Linear, InvertedPendulumOnACart) {
  const Cart c;
  Mechanism mech(c.text("VARIABLE/1, FUNCTION=0"));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto values = eigenvalues(mech);
  // λ² = m g l (M + m) / ((M + m)(J + m l²) − m² l²), and twice zero for the cart.
  const double det = (c.M + c.m) * (c.J + c.m * c.l * c.l) - c.m * c.m * c.l * c.l;
  const double lambda = std::sqrt(c.m * c.g * c.l * (c.M + c.m) / det);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_NEAR(std::abs(values[0]), 0, 1e-7);
  EXPECT_NEAR(std::abs(values[1]), 0, 1e-7);
  const double larger = std::max(values[2].real(), values[3].real()),
               smaller = std::min(values[2].real(), values[3].real());
  EXPECT_NEAR(larger, lambda, 1e-9);
  EXPECT_NEAR(smaller, -lambda, 1e-9);
}

// Feedback of all states through a filter: VARIABLEs of measures and a DIFF.
TEST(Linear, FeedbackWithAFilterAgainstThePolynomial) {
  const Cart c;
  // F = z with ż = a (u − z), u = k₁ x + k₂ φ + k₃ ẋ + k₄ φ̇, φ the turn of the rod about z.
  const double a = 50, k1 = 5, k2 = -60, k3 = 8, k4 = -14;
  Mechanism mech(
      c.text(fmt::format("VARIABLE/1, FUNCTION=DIF(1)\nVARIABLE/2, "
                         "FUNCTION={}*DX(22,91)+{}*AZ(30,91)+{}*VX(22,91)+{}*WZ(30,91,91)\n"
                         "MARKER/91, PART=1\nDIFF/1, FUNCTION={}*(VARVAL(2)-DIF(1))",
                         k1, k2, k3, k4, a)));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto values = eigenvalues(mech);
  // With φ = −θ: (M + m) s² x − m l s² φ = z,  (J + m l²) s² φ − m l s² x = m g l φ,  (s + a) z = a (k₁ + k₃ s) x + a (k₂ + k₄ s) φ
  for (const Complex s : values) {
    Eigen::Matrix3cd P;
    P << (c.M + c.m) * s * s, -c.m * c.l * s * s, -1.0,                              //
        -c.m * c.l * s * s, (c.J + c.m * c.l * c.l) * s * s - c.m * c.g * c.l, 0.0,  //
        -a * (k1 + k3 * s), -a * (k2 + k4 * s), s + a;
    EXPECT_LT(std::abs(P.determinant()), 1e-9 * P.norm() * P.norm() * P.norm()) << s;
  }
}

// The same through an LSE: the closed loop written out by hand. Without feedback it falls, with it it stands.
TEST(Linear, FeedbackByAnLse) {
  const Cart c;
  const double a = 50;
  for (const bool feedback : {false, true}) {
    const Eigen::RowVector4d k = feedback ? Eigen::RowVector4d(5, -60, 8, -14) : Eigen::RowVector4d::Zero();
    Mechanism mech(c.text(fmt::format(
        "VARIABLE/1, FUNCTION=ARYVAL(3,1)\nVARIABLE/2, FUNCTION=DX(22,91)\nVARIABLE/3, FUNCTION=AZ(30,91)\n"
        "VARIABLE/4, FUNCTION=VX(22,91)\nVARIABLE/5, FUNCTION=WZ(30,91,91)\nMARKER/91, PART=1\n"
        "MATRIX/1, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES={}\n"
        "MATRIX/2, FULL=RORDER, ROWS=1, COLUMNS=4, VALUES={},{},{},{}\n"
        "MATRIX/3, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES=1\n"
        "ARRAY/1, X, SIZE=1\nARRAY/2, U, SIZE=4, VARIABLES=2,3,4,5\nARRAY/3, Y, SIZE=1\n"
        "LSE/1, X=1, U=2, Y=3, A=1, B=2, C=3",
        -a, a * k[0], a * k[1], a * k[2], a * k[3])));
    ASSERT_TRUE(mech.assembled.ok) << mech.messages();
    // (x, φ, ẋ, φ̇, z), φ the turn about z: M (ẍ, φ̈) = (z, m g l φ).
    Eigen::Matrix2d mass;
    mass << c.M + c.m, -c.m * c.l, -c.m * c.l, c.J + c.m * c.l * c.l;
    Eigen::MatrixXd loop = Eigen::MatrixXd::Zero(5, 5);
    loop(0, 2) = loop(1, 3) = 1;
    loop.block(2, 1, 2, 1) = mass.inverse() * Eigen::Vector2d(0, c.m * c.g * c.l);
    loop.block(2, 4, 2, 1) = mass.inverse() * Eigen::Vector2d(1, 0);
    loop.block(4, 0, 1, 4) = a * k;
    loop(4, 4) = -a;
    const Eigen::VectorXcd wanted = loop.eigenvalues();
    const auto values = eigenvalues(mech);
    double growth = -HUGE_VAL;
    for (const Complex s : wanted) {
      growth = std::max(growth, s.real());
      if (s.imag() < 0) continue;
      double nearest = HUGE_VAL;
      for (const Complex v : values) nearest = std::min(nearest, std::abs(v - s));
      EXPECT_LT(nearest, 1e-6) << s;  // the double root of the free cart: root of rounding
    }
    EXPECT_EQ(growth < 0, feedback) << growth;
  }
}

TEST(Linear, StateMatricesAgainstDifferences) {
  const Cart c;
  Mechanism mech(
      c.text("VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=AZ(30,91)+0.3*VX(22,91)+0.1*VARVAL(1)\n"
             "VARIABLE/3, FUNCTION=ACCX(22,91)\nMARKER/91, PART=1\n"
             "DIFF/1, FUNCTION=-3*DIF(1)+SIN(AZ(30,91))+VARVAL(1)\n"
             "SFORCE/2, ROTATION, ACTIONONLY, I=30, J=91, FUNCTION=-2*WZ(30,91,91)-4*AZ(30,91)+DIF(1)"));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto block = [&](int id) {
    return mech.system->find_states(model::kind_of<model::Variable>(), id)->states;
  };
  analysis::LinearOptions options;
  options.inputs = {block(1)};
  options.outputs = {block(2), block(3)};
  const auto linear = analysis::linearise(*mech.system, mech.assembled, options);
  ASSERT_TRUE(linear.ok);
  ASSERT_EQ(linear.A.rows(), 5);
  // The nonlinear ODE at displaced states: positions along the constraints (exact for these joints to second order).
  const assembly::Layout& layout = mech.system->layout();
  const auto derivative = [&](const Eigen::VectorXd& s) {
    assembly::State state = mech.assembled.state;
    assembly::retract(layout, state.q, linear.shape.leftCols(2) * s.head(2), state.q);
    state.v.setZero();
    state.v += linear.speeds.middleCols(2, 2) * s.segment(2, 2);
    const auto& z = layout.block(mech.system->find_states(model::kind_of<model::Diff>(), 1)->states);
    state.q[z.pose_offset] += s[4];
    system::System::Workspace work(*mech.system, assembly::AnalysisMode::linear);
    core::Words message;
    EXPECT_TRUE(analysis::solve_accelerations(*mech.system, mech.assembled.active, state, work, message))
        << message;
    Eigen::VectorXd out(7);
    for (int k = 0; k < 2; ++k) {
      out[k] = state.v[linear.free_positions[static_cast<std::size_t>(k)]];
      out[2 + k] = state.a[linear.free_positions[static_cast<std::size_t>(k)]];
    }
    out[4] = state.v[z.offset];
    out[5] = state.q[layout.block(block(2)).pose_offset];
    out[6] = state.q[layout.block(block(3)).pose_offset];
    return out;
  };
  const double h = 1e-5;
  for (int j = 0; j < 5; ++j) {
    const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(5, j);
    const Eigen::VectorXd difference = (derivative(e) - derivative(-e)) / (2 * h);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(linear.A(i, j), difference[i], 1e-8 * (1 + std::abs(difference[i])));
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(linear.C(i, j), difference[5 + i], 1e-8 * (1 + std::abs(difference[5 + i])));
  }
  // Inputs, closed form: force 1 on the cart, rod free to turn.
  Eigen::Matrix2d mass;
  mass << c.M + c.m, -c.m * c.l, -c.m * c.l, c.J + c.m * c.l * c.l;
  const Eigen::Vector2d response = mass.inverse() * Eigen::Vector2d(1, 0);
  EXPECT_NEAR(linear.D(0, 0), 0.1, 1e-12);
  EXPECT_NEAR(linear.D(1, 0), response[0], 1e-12);
  EXPECT_NEAR(linear.B(4, 0), 1, 1e-12);
}

// A cantilever of BEAM elements: tip deflection under a tip load, and frequencies, against Euler-Bernoulli.
std::string cantilever(int n, double load) {
  const double length = 2, E = 2e11, G = 8e10, b = 0.02, area = b * b, I = b * b * b * b / 12, rho = 7800;
  Planar text;
  text.marker(1, 1, 0, 0);
  const double l = length / n;
  for (int i = 1; i <= n; ++i) {
    const int id = i + 1;
    // Half a mass at the tip: the lumped mass of what is left and right of each node.
    const double mass = rho * area * l * (i == n ? 0.5 : 1.0);
    text.part(id, mass, mass * b * b / 12, i * l, 0).marker(10 * id + 1, id, 0, 0);
    text.line(fmt::format(
        "BEAM/{}, I={}, J={}, LENGTH={:.17g}, IXX={:.17g}, IYY={:.17g}, IZZ={:.17g}, AREA={:.17g}, "
        "ASY=0, ASZ=0, EMODULUS={}, GMODULUS={}, CRATIO=0",
        id, 10 * id + 1, i == 1 ? 1 : 10 * i + 1, l, 2 * I, I, I, area, E, G));
  }
  if (load != 0) {
    text.line("MARKER/99, PART=1, FLOATING").marker(2, 1, 0, 0);
    text.line(
        fmt::format("VFORCE/1, I={}, JFLOAT=99, RM=2, FX=0\\FY={:.17g}\\FZ=0", 10 * (n + 1) + 1, -load));
  }
  return text.end();
}

TEST(Linear, CantileverFrequenciesApproachEulerBernoulli) {
  const double E = 2e11, b = 0.02, I = b * b * b * b / 12, area = b * b, rho = 7800, length = 2;
  const double beta[3] = {1.8751040687119611, 4.6940911329741745, 7.8547574382376126};
  double error[2][3];
  const int sizes[2] = {10, 20};
  for (int k = 0; k < 2; ++k) {
    Mechanism mech(cantilever(sizes[k], 0));
    ASSERT_TRUE(mech.assembled.ok) << mech.messages();
    const auto values = eigenvalues(mech);
    for (int j = 0; j < 3; ++j) {
      const double omega = beta[j] * beta[j] / (length * length) * std::sqrt(E * I / (rho * area));
      // Square section: each bending mode twice.
      error[k][j] = std::abs(values[static_cast<std::size_t>(2 * j)].imag() / omega - 1);
    }
  }
  // Lumped masses: second order in the element's length; rotary inertia keeps 1e-4 of it.
  for (int j = 0; j < 3; ++j) {
    EXPECT_LT(error[1][j], 0.01) << j;
    EXPECT_LT(error[1][j], 0.35 * error[0][j] + 2e-4) << j;
  }
}

// A part without mass between two springs: ω² = k₁ k₂ / (k₁ + k₂) / m, and nothing else.
// I and J in one place and no free length: √(k/m) = 20 whichever way the mass moves.
TEST(Linear, ASpringOfNoLengthIsStiffInAllDirections) {
  Mechanism m(
      "point on a spring\nPART/1, GROUND\nMARKER/1, PART=1, QP=3,0,1\nPOINT_MASS/2, MASS=2, CM=20, QG=3,0,1\n"
      "MARKER/20, POINT_MASS=2\nSPRINGDAMPER/1, TRANSLATION, I=20, J=1, K=800, LENGTH=0\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto values = eigenvalues(m);
  ASSERT_EQ(values.size(), 3u);
  for (const Complex& value : values) EXPECT_NEAR(std::abs(value - Complex(0, 20)), 0, 1e-11 * 20);
}

TEST(Linear, MasslessPartBetweenSprings) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).line("PART/2, QG=1,0,0").marker(21, 2, 0, 0, kZtoX);
  text.part(3, 2, 1, 2, 0).marker(31, 3, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1").line("JOINT/2, TRANSLATIONAL, I=31, J=1");
  text.line("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K=300, C=0, LENGTH=1");
  text.line("SPRINGDAMPER/2, TRANSLATION, I=31, J=21, K=700, C=0, LENGTH=1");
  Mechanism mech(text.end(), analysis::Upto::velocities);
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto values = eigenvalues(mech);
  ASSERT_EQ(values.size(), 1u);
  const double omega = std::sqrt(300.0 * 700 / 1000 / 2);
  EXPECT_NEAR(values[0].imag(), omega, 1e-8 * omega);
  EXPECT_NEAR(values[0].real(), 0, 1e-8 * omega);
}

// M, K, B of a mass on a guide, its spring and damper written as a force of VARIABLEs.
TEST(Linear, StructuralMatricesSeeThroughVariables) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).marker(3, 1, 0, 0).part(2, 4, 1, 1, 0).marker(21, 2, 0, 0, kZtoX);
  text.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
  text.line("VARIABLE/1, FUNCTION=1-DX(20,3)").line("VARIABLE/2, FUNCTION=300*VARVAL(1)-7*VX(20,3)");
  text.line("SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=VARVAL(2)");
  Mechanism mech(text.end());
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto found = analysis::structural_matrices(*mech.system, mech.assembled);
  ASSERT_TRUE(found.ok);
  EXPECT_TRUE(found.messages.empty());
  ASSERT_EQ(found.M.rows(), 1);
  EXPECT_NEAR(found.M(0, 0), 4, 1e-12);
  EXPECT_NEAR(found.K(0, 0), 300, 1e-9);
  EXPECT_NEAR(found.B(0, 0), 7, 1e-12);
}

TEST(Linear, SparseFindsTheSameModesAsDense) {
  constexpr int n = 60;
  Mechanism mech(plumb_chain(n, 2.0 / n));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto dense = analysis::modes(*mech.system, mech.assembled, {});
  analysis::ModesOptions options;
  options.dense_up_to = 0;
  options.count = 8;
  const auto sparse = analysis::modes(*mech.system, mech.assembled, options);
  ASSERT_TRUE(dense.ok);
  ASSERT_TRUE(sparse.ok);
  ASSERT_EQ(sparse.modes.size(), 8u);
  const double j0[3] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  for (std::size_t k = 0; k < sparse.modes.size(); ++k) {
    const double omega = dense.modes[k].value.imag();
    EXPECT_NEAR(sparse.modes[k].value.imag(), omega, 1e-8 * omega);
    EXPECT_NEAR(sparse.modes[k].value.real(), 0, 1e-8 * omega);
    // One shape is the other times a number.
    const double cosine = std::abs(sparse.modes[k].shape.dot(dense.modes[k].shape)) /
                          (sparse.modes[k].shape.norm() * dense.modes[k].shape.norm());
    EXPECT_NEAR(cosine, 1, 1e-9);
    // The continuous chain: hinged rods come near it with the square of their number.
    if (k < 3) {
      EXPECT_NEAR(omega / (j0[k] / 2 * std::sqrt(9.81 / 2)), 1, 2.0 / n);
    }
  }
}

// What twenty modes take of a chain four times as long: as many solutions with a matrix without fill.
TEST(Linear, ModesOfALongChainTakeNoMoreSolutions) {
  const auto found = [](int links) {
    Mechanism mech(plumb_chain(links, 0.1));
    EXPECT_TRUE(mech.assembled.ok) << mech.messages();
    analysis::ModesOptions options;
    options.count = 20;
    options.vectors = false;
    auto modes = analysis::modes(*mech.system, mech.assembled, options);
    EXPECT_TRUE(modes.ok && !modes.all && modes.modes.size() == 20);
    return modes;
  };
  const auto some = found(650), many = found(2600);
  // The shift goes down to slower modes, by powers of ten.
  EXPECT_LE(many.factorisations, some.factorisations + 2);
  EXPECT_LE(many.solutions, 1.1 * some.solutions);
}

TEST(Statics, CantileverUnderATipLoad) {
  // Small against the length: w = P L³ / (3 E I), turned by P L² / (2 E I).
  const double E = 2e11, b = 0.02, I = b * b * b * b / 12, length = 2, load = 1;
  Mechanism mech(cantilever(8, load));
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto result =
      analysis::statics(*mech.system, mech.assembled, analysis::static_settings(mech.read.model));
  ASSERT_TRUE(result.ok);
  const double w = load * std::pow(length, 3) / (3 * E * I);
  EXPECT_NEAR(mech.sample().at("PART/9.Y"), -w, 1e-5 * w);  // nonlinear terms are of order (w/L)² = 1e-6
  EXPECT_EQ(result.stability, analysis::Stability::stable);
}

}  // namespace
}  // namespace trunnion::test
