// A, B, C, D of LINEAR/STATEMAT about a motion against the nonlinear equations.

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/linear/linear.hpp"
#include "analysis/nearby.hpp"
#include "analysis/ports.hpp"

namespace trunnion::test {
namespace {

// Two rods on ball and universal joints in motion; two inputs that force a rod and drive a filter, an LSE with feed-through, a
// TFSISO, and outputs of displacements, velocities, accelerations, reactions, states and inputs.
std::string plant(double force, double signal) {
  std::string t = "plant\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=1,2,-1\n";
  t += "PART/2, MASS=2, CM=20, IP=0.3,0.2,0.1, QG=0.5,0.2,0.1, REULER=0.3,0.7,-0.4, WX=1.3, WY=-2, WZ=0.7\n";
  t += "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.4,0.1,-0.2\n";
  t += "MARKER/22, PART=2, QP=0.5,0,0.1, REULER=0.2,1,0\n";
  t += "PART/3, MASS=1, CM=30, IP=0.1,0.15,0.2, QG=1.3,0.1,0.4, REULER=1,0.2,0.5, WX=-1, WY=0.4, WZ=2.2\n";
  t += "MARKER/30, PART=3\nMARKER/31, PART=3, QP=-0.3,0.2,0, REULER=1.2,0.4,0.3\n";
  t += "MARKER/32, PART=3, QP=0.4,0,0\n";
  t += "JOINT/1, SPHERICAL, I=21, J=1\nJOINT/2, UNIVERSAL, I=31, J=22\n";
  t += "SPRINGDAMPER/1, TRANSLATION, I=32, J=2, K=40, C=3, LENGTH=1\nACCGRAV/KGRAV=-9.81\n";
  t += fmt::format("VARIABLE/1, FUNCTION={:.17g}\nVARIABLE/2, FUNCTION={:.17g}\n", force, signal);
  // Inputs act in products and squares, so that their size counts too.
  t += "SFORCE/1, TRANSLATION, I=32, J=2, FUNCTION=VARVAL(1)*(1+0.3*DM(32,2))+ARYVAL(3,1)\n";
  t += "SFORCE/2, ROTATION, ACTIONONLY, I=20, J=1, FUNCTION=-0.4*VARVAL(2)**2+ARYVAL(13,1)\n";
  t += "DIFF/1, IC=0.3, FUNCTION=-4*DIF(1)+VM(30,1)+SIN(VARVAL(2))\n";
  t += "VARIABLE/3, FUNCTION=DIF(1)*DX(30,1)+WZ(20,1,1)\n";
  t += "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=-3,1,0,-5\n";
  t += "MATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,0.5,0,2\n";
  t += "MATRIX/3, FULL=RORDER, ROWS=1, COLUMNS=2, VALUES=2,-1\n";
  t += "MATRIX/4, FULL=RORDER, ROWS=1, COLUMNS=2, VALUES=0.7,0.2\n";
  t += "ARRAY/1, X, SIZE=2\nARRAY/2, U, SIZE=2, VARIABLES=2,3\nARRAY/3, Y, SIZE=1\n";
  t += "LSE/1, X=1, U=2, Y=3, A=1, B=2, C=3, D=4\n";
  t += "ARRAY/11, X, SIZE=1\nARRAY/12, U, SIZE=1, VARIABLES=1\nARRAY/13, Y, SIZE=1\n";
  t += "TFSISO/1, X=11, U=12, Y=13, NUMERATOR=1,2, DENOMINATOR=6,1\n";
  t += "VARIABLE/11, FUNCTION=DX(32,2,20)+0.1*VARVAL(1)*VARVAL(2)\n";
  t += "VARIABLE/12, FUNCTION=VZ(30,1)*ARYVAL(3,1)\n";
  t += "VARIABLE/13, FUNCTION=ACCX(30,1)+WDTY(20,1)\n";
  t += "VARIABLE/14, FUNCTION=JOINT(1,0,3,1)*VARVAL(13)\n";
  t += "VARIABLE/15, FUNCTION=DIF1(1)+ARYVAL(13,1)*DIF(1)\n";
  return t + "END\n";
}

constexpr double kForce = 1.7, kSignal = -0.6;

analysis::LinearOptions ports(const Mechanism& m) {
  analysis::LinearOptions options;
  options.inputs = {variable(m, 1), variable(m, 2)};
  for (int id = 11; id <= 15; ++id) options.outputs.push_back(variable(m, id));
  return options;
}

Eigen::VectorXd readings(const Mechanism& m, const assembly::State& state) {
  Eigen::VectorXd out(5);
  for (int k = 0; k < 5; ++k) out[k] = state.q[m.system->layout().block(variable(m, 11 + k)).pose_offset];
  return out;
}

TEST(StateMatrices, StatesAgainstTheNonlinearEquations) {
  Mechanism m(plant(kForce, kSignal));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const assembly::Layout& layout = m.system->layout();
  const auto linear = analysis::linearise(*m.system, m.assembled, ports(m));
  ASSERT_TRUE(linear.ok) << first(linear.messages);
  EXPECT_EQ(linear.A.rows(), 2 * 5 + 1 + 2 + 1);
  const Departure departure(*m.system, m.assembled.state, {});
  std::mt19937_64 random(11);
  const double h = 1e-5;
  const auto uniform = [&] {
    Eigen::VectorXd x(layout.size());
    for (double& e : x) e = h * (static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1);
    return x;
  };
  for (int trial = 0; trial < 6; ++trial) {
    const Eigen::VectorXd dq = uniform(), dv = uniform();
    const auto plus = nearby(*m.system, m.assembled.state, dq, dv),
               minus = nearby(*m.system, m.assembled.state, -dq, -dv);
    ASSERT_TRUE(plus.ok && minus.ok);
    Eigen::VectorXd s, rate;
    read_states(layout, linear, (departure.of(plus.state) - departure.of(minus.state)) / (2 * h), s, rate);
    const Eigen::VectorXd out = (readings(m, plus.state) - readings(m, minus.state)) / (2 * h);
    // Second order of the differences: h² times third derivatives, which are some 10⁴ here.
    EXPECT_LT((linear.A * s - rate).norm(), 1e-6 * rate.norm()) << trial;
    for (Eigen::Index k = 0; k < out.size(); ++k)
      EXPECT_NEAR(linear.C.row(k).dot(s), out[k], 1e-6 * linear.C.row(k).norm() * s.norm())
          << trial << " " << k;
  }
}

TEST(StateMatrices, InputsAgainstTheNonlinearEquations) {
  Mechanism m(plant(kForce, kSignal));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const assembly::Layout& layout = m.system->layout();
  const auto linear = analysis::linearise(*m.system, m.assembled, ports(m));
  ASSERT_TRUE(linear.ok) << first(linear.messages);
  const Departure departure(*m.system, m.assembled.state, {});
  const double h = 1e-5;
  for (int input = 0; input < 2; ++input) {
    // The same positions, velocities and states with another input.
    Eigen::VectorXd x[2], out[2];
    for (const int side : {0, 1}) {
      const double d = side == 0 ? h : -h;
      Mechanism other(plant(kForce + (input == 0 ? d : 0), kSignal + (input == 1 ? d : 0)));
      assembly::State state = m.assembled.state;
      system::System::Workspace work(*other.system, assembly::AnalysisMode::linear);
      core::Words message;
      ASSERT_TRUE(analysis::solve_accelerations(*other.system, m.assembled.active, state, work, message))
          << message;
      x[side] = departure.of(state);
      out[side] = readings(other, state);
    }
    Eigen::VectorXd s, rate;
    read_states(layout, linear, (x[0] - x[1]) / (2 * h), s, rate);
    const Eigen::VectorXd D = (out[0] - out[1]) / (2 * h);
    EXPECT_EQ(s.norm(), 0);
    // Inputs come in at most squared: rounding of the accelerations over h is what is left.
    const double rounding = 1e-15 / h * 100;
    EXPECT_LT((linear.B.col(input) - rate).norm(), rounding * (1 + rate.norm()))
        << linear.B.col(input).transpose();
    for (Eigen::Index k = 0; k < D.size(); ++k)
      EXPECT_NEAR(linear.D(k, input), D[k], rounding * (1 + std::abs(out[0][k]) + D.norm())) << k;
    EXPECT_GE((D.array().abs() > 1e-3).count(), 4);  // one output knows nothing of the first input
  }
}

// Ground, spring, a part without mass, spring, a mass: the springs act in series.
TEST(StateMatrices, PartWithoutMassFollowsTheOthers) {
  const double k1 = 300, k2 = 700, mass = 2;
  std::string t = "series\nPART/1, GROUND\nMARKER/1, PART=1, REULER=90D,90D,0D\n";
  t += "PART/2, QG=1,0,0\nMARKER/21, PART=2, REULER=90D,90D,0D\n";
  t += fmt::format("PART/3, QG=2,0,0, MASS={}, CM=30, IP=1,1,1\nMARKER/30, PART=3\n", mass);
  t += "MARKER/31, PART=3, REULER=90D,90D,0D\n";
  t += "JOINT/1, TRANSLATIONAL, I=21, J=1\nJOINT/2, TRANSLATIONAL, I=31, J=1\n";
  t += fmt::format("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K={}, LENGTH=1\n", k1);
  t += fmt::format("SPRINGDAMPER/2, TRANSLATION, I=31, J=21, K={}, LENGTH=1\n", k2);
  t += "VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=DX(21,1)\n";
  t += "SFORCE/1, TRANSLATION, ACTIONONLY, I=31, J=1, FUNCTION=VARVAL(1)\nEND\n";
  Mechanism m(t, analysis::Upto::velocities);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  analysis::LinearOptions options;
  options.inputs = {variable(m, 1)};
  options.outputs = {variable(m, 2)};
  const auto linear = analysis::linearise(*m.system, m.assembled, options);
  ASSERT_TRUE(linear.ok) << first(linear.messages);
  ASSERT_EQ(linear.A.rows(), 2);
  const double series = k1 * k2 / (k1 + k2);
  // One coordinate may stand for the other's travel: x₂ = k₂/(k₁ + k₂) x₃.
  EXPECT_NEAR(linear.A(1, 0) * linear.A(0, 1), -series / mass, 1e-9 * series);
  EXPECT_NEAR(linear.A.trace(), 0, 1e-9);
  // At rest under a constant force 1 the mass is at 1/series, the part without mass at 1/k₁.
  const Eigen::VectorXd s = -linear.A.inverse() * linear.B;
  EXPECT_NEAR(std::abs((linear.C * s + linear.D)(0, 0)), 1 / k1, 1e-9 / k1);
}

}  // namespace
}  // namespace trunnion::test
