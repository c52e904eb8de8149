// Closed forms of the linear loads: stiffness of bushings, fields and beams, energy.

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elements/beam.hpp"
#include "elements/dense_sink.hpp"
#include "elements/difference.hpp"
#include "elements/example.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();

// Two bodies whose frames are the markers J at the origin and I at (length, 0, 0), axes along ground's.
struct Pair {
  Example e{1};
  BlockId i_body, j_body;
  MarkerId i, j;
  double length;

  explicit Pair(double l) : length(l) {
    j_body = e.body(Owner::rigid);
    i_body = e.body(Owner::rigid);
    j = e.markers.add({j_body, Vec3::Zero(), Mat3::Identity()});
    i = e.markers.add({i_body, Vec3::Zero(), Mat3::Identity()});
  }
  Load& linear(const MatrixXd& K, const MatrixXd& C) {
    Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
    VectorXd free = VectorXd::Zero(6);
    free[0] = length;
    set_linear(load, displacements(i, j, -1, e.layout, e.markers), velocities(i, j, e.layout, e.markers), K,
               C, free, VectorXd::Zero(6), e.layout);
    seal(load);
    e.loads.push_back(std::move(load));
    return e.loads.back();
  }
  State straight() {
    e.finish();
    State s = assembly::make_state(e.layout);
    assembly::set_pose(e.layout, i_body, {Vec3(length, 0, 0), Quat::Identity()}, s.q);
    return s;
  }
  MatrixXd stiffness(const State& s) {
    e.masses.clear();
    DenseSink sink(e.layout, s);
    e.evaluate(s, sink);
    return sink.D[0];
  }
};

// The textbook's 12×12 matrix over (J: u v w a b c, I: u v w a b c), from the differential equation of the Timoshenko beam.
MatrixXd timoshenko(const BeamSection& s) {
  MatrixXd K = MatrixXd::Zero(12, 12);
  const double L = s.length, E = s.emodulus, G = s.gmodulus;
  const auto spring = [&](int a, double k) {
    K(a, a) += k;
    K(a + 6, a + 6) += k;
    K(a, a + 6) -= k;
    K(a + 6, a) -= k;
  };
  spring(0, E * s.area / L);
  spring(3, G * s.ixx / L);
  // Deflection v and slope t (v′ = t for the plane x-y, w′ = −t for x-z): flexibility of a cantilever, then the balance of the ends.
  const auto plane = [&](int v, int t, double EI, double GA, double sign) {
    Eigen::Matrix2d flexibility;
    flexibility << L * L * L / (3 * EI) + (GA > 0 ? L / GA : 0.0), sign * L * L / (2 * EI),
        sign * L * L / (2 * EI), L / EI;
    const Eigen::Matrix2d k = flexibility.inverse();
    Eigen::Matrix<double, 2, 4> T;  // (v, t) of I less the rigid motion of J
    T << -1, -sign * L, 1, 0, 0, -1, 0, 1;
    const Eigen::Matrix4d full = T.transpose() * k * T;
    const int at[4] = {v, t, v + 6, t + 6};
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) K(at[r], at[c]) += full(r, c);
    }
  };
  plane(1, 5, E * s.izz, s.asy > 0 ? G * s.area / s.asy : 0.0, 1.0);
  plane(2, 4, E * s.iyy, s.asz > 0 ? G * s.area / s.asz : 0.0, -1.0);
  return K;
}

TEST(BeamLaw, IsTheTimoshenkoMatrixOfBothEnds) {
  for (const double shear : {0.0, 1.2}) {
    const BeamSection section{1.7, 0.02, 3e-5, 4e-5, 5e-5, shear, 0.9 * shear, 2.1e6, 0.8e6};
    Pair pair(section.length);
    pair.linear(beam_stiffness(section), MatrixXd::Zero(6, 6));
    const MatrixXd K = pair.stiffness(pair.straight()), exact = timoshenko(section);
    EXPECT_LE((K - exact).cwiseAbs().maxCoeff(), 1e3 * kEps * exact.cwiseAbs().maxCoeff()) << shear;
  }
}

// Under an axial strain e the tangent is the linear one and N K_G, N = E A e.
TEST(BeamLaw, AStringIsStiffenedByItsTension) {
  const BeamSection section{1.7, 0.02, 3e-5, 4e-5, 5e-5, 0, 0, 2.1e6, 0.8e6};
  const double L = section.length, strain = 1e-3, N = section.emodulus * section.area * strain;
  const StringBeam law(section);
  VectorXd s = VectorXd::Zero(6), c = VectorXd::Zero(6);
  MatrixXd D = MatrixXd::Zero(6, 6);
  s[0] = L * (1 + strain);
  law.add(VecMap(s.data(), 6), VecMap(c.data(), 6), MatMap(D.data(), 6, 6));
  EXPECT_NEAR(c[0], -N, 1e-9 * N);
  MatrixXd exact = beam_stiffness(section);
  exact(1, 1) += N * 6 / (5 * L);
  exact(2, 2) += N * 6 / (5 * L);
  exact(4, 4) += N * 2 * L / 15;
  exact(5, 5) += N * 2 * L / 15;
  exact(1, 5) -= N / 10;
  exact(5, 1) -= N / 10;
  exact(2, 4) += N / 10;
  exact(4, 2) += N / 10;
  EXPECT_LE((D + exact).cwiseAbs().maxCoeff(), 1e-12 * exact.cwiseAbs().maxCoeff());
  // Where a clamped-free column of one such element gives way: 0.75 % above Euler's load.
  const double euler = M_PI * M_PI * section.emodulus * section.iyy / (4 * L * L);
  const auto determinant = [&](double load) {
    const double k = section.emodulus * section.iyy;
    Eigen::Matrix2d m;
    m << 12 * k / (L * L * L) - load * 6 / (5 * L), 6 * k / (L * L) - load / 10, 6 * k / (L * L) - load / 10,
        4 * k / L - load * 2 * L / 15;
    return m.determinant();
  };
  EXPECT_GT(determinant(1.0 * euler), 0.0);
  EXPECT_LT(determinant(1.01 * euler), 0.0);
}

TEST(FieldLaw, IsItsMatrixAtTheFreePosition) {
  Pair pair(0.0);
  const MatrixXd K = MatrixXd::NullaryExpr(6, 6, [&] { return pair.e.uniform(); });
  const MatrixXd C = MatrixXd::NullaryExpr(6, 6, [&] { return pair.e.uniform(); });
  pair.linear(K, C);
  const State s = pair.straight();
  pair.e.masses.clear();
  DenseSink sink(pair.e.layout, s);
  pair.e.evaluate(s, sink);
  MatrixXd both(12, 12), damping(12, 12);
  both << K, -K, -K, K;  // the markers coincide: no arm
  damping << C, -C, -C, C;
  EXPECT_LE((sink.D[0] - both).cwiseAbs().maxCoeff(), 64 * kEps);
  EXPECT_LE((sink.D[1] - damping).cwiseAbs().maxCoeff(), 64 * kEps);
}

// Forces of the springs are minus the gradient of their energy: a line spring at any pose, a bushing's translations at any pose.
TEST(Energy, ForcesAreMinusItsGradient) {
  for (const bool line : {true, false}) {
    Example e{4};
    const MarkerId i = e.marker(e.body(Owner::rigid)), j = e.marker(e.body(Owner::rigid));
    Load load =
        line ? make_line_load(i, j, e.layout, e.markers) : make_load(i, j, j, {0, 1, 2}, e.layout, e.markers);
    std::vector<Signal> x = displacements(i, j, -1, e.layout, e.markers);
    x.resize(3);
    if (line) x = {Signal::of(make_measure(MeasureKind::dm, 0, {i, j}, e.layout, e.markers))};
    const auto n = static_cast<Eigen::Index>(x.size());
    const VectorXd free = VectorXd::Constant(n, 0.3), preload = VectorXd::Constant(n, 0.7);
    MatrixXd K = MatrixXd::NullaryExpr(n, n, [&] { return e.uniform(1.0, 2.0); });
    K = (K + K.transpose()).eval();
    set_linear(load, x, {}, K, MatrixXd(n, 0), free, preload, e.layout);
    seal(load);
    e.loads.push_back(load);
    e.finish();
    e.masses.clear();
    const State s = e.random_state();
    DenseSink sink(e.layout, s);
    e.evaluate(s, sink);
    for (int k = 0; k < e.layout.size(); ++k) {
      const Difference d = differentiate([&](double h) {
        State p = s;
        assembly::retract(e.layout, s.q, h * VectorXd::Unit(e.layout.size(), k), p.q);
        assembly::Kinematics kin(e.layout, e.markers);
        kin.update(p);
        assembly::Scratch scratch;
        return VectorXd::Constant(
            1, potential_energy(e.loads[0], {p, kin, scratch, assembly::AnalysisMode::dynamics}));
      });
      EXPECT_EQ(compare(d, sink.force.segment(k, 1)), "") << e.layout.column_name(k);
    }
  }
}

// A line of no length has no direction: no force, no partials, no trouble.
TEST(LineLoad, IsSilentWhereTheMarkersCoincide) {
  Pair pair(0.0);
  Load load = make_line_load(pair.i, pair.j, pair.e.layout, pair.e.markers);
  load.response.constant[0] = 3.0;
  seal(load);
  pair.e.loads.push_back(load);
  const State s = pair.straight();
  pair.e.masses.clear();
  DenseSink sink(pair.e.layout, s);
  pair.e.evaluate(s, sink);
  EXPECT_EQ(sink.force.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(sink.D[0].cwiseAbs().maxCoeff(), 0.0);
}

TEST(ControllableForm, HasTheTransferFunction) {
  const std::vector<double> b{1.0, 2.0, 0.5}, a{3.0, 4.0, 5.0};
  const StateSpace s = controllable_form(b, a);
  for (const double x : {0.3, 1.0, 2.5}) {  // along the real axis of s
    const MatrixXd resolvent = (x * MatrixXd::Identity(2, 2) - s.A).inverse();
    const double y = (s.C * resolvent * s.B + s.D)(0, 0);
    const double exact = (b[0] + b[1] * x + b[2] * x * x) / (a[0] + a[1] * x + a[2] * x * x);
    EXPECT_NEAR(y, exact, 16 * kEps);
  }
}

}  // namespace
}  // namespace trunnion::elements::test
