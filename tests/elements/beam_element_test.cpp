#include "elements/beam_element.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "elements/dense_sink.hpp"
#include "elements/difference.hpp"
#include "elements/example.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double kEps = Eigen::NumTraits<double>::epsilon();

const Listed& entry(const std::string& name) {
  for (const Listed& listed : registry()) {
    if (listed.name == name) return listed;
  }
  throw std::runtime_error("no entry " + name);
}

template <class F> auto at_state(const Example& e, const State& s, const F& f) {
  assembly::Kinematics kin(e.layout, e.markers);
  kin.update(s);
  assembly::Scratch scratch;
  return f(assembly::Evaluation{s, kin, scratch, assembly::AnalysisMode::dynamics});
}

struct Emitted {
  VectorXd inertia, applied;
};
class ByTerm : public DenseSink {
 public:
  ByTerm(const Layout& layout, const State& state)
      : DenseSink(layout, state), inertia(VectorXd::Zero(layout.size())), applied(inertia), of_(layout) {}
  void residual(BlockId row, assembly::Term term, assembly::VecRef value) override {
    DenseSink::residual(row, term, value);
    VectorXd& to = term == assembly::Term::inertia ? inertia : applied;
    to.segment(of_.block(row).offset, value.size()) += value;
  }
  VectorXd inertia, applied;

 private:
  const Layout& of_;
};

Emitted emitted(const Example& e, const State& s) {
  ByTerm sink(e.layout, s);
  at_state(e, s, [&](const assembly::Evaluation& at) {
    for (const BeamElement& beam : e.beams) evaluate(beam, at, sink);
  });
  return {sink.inertia, sink.applied};
}

// dT/dt = v·(inertia forces) along any motion: what the gyroscopic terms must add up to.
TEST(BeamElement, InertiaForcesTakeTheKineticEnergy) {
  for (const char* name :
       {"beam_element", "beam_element_planar", "beam_elements_in_a_row", "beam_element_of_three",
        "beam_element_of_three_planar", "beam_elements_of_three_in_a_row"}) {
    const auto e = make(entry(name), 3);
    const State s = e->random_state();
    const auto moved = [&](double h) {
      State p = s;
      assembly::retract(e->layout, s.q, h * s.v + 0.5 * h * h * s.a, p.q);
      p.v += h * s.a;
      double T = 0;
      at_state(*e, p, [&](const assembly::Evaluation& at) {
        for (const BeamElement& beam : e->beams) T += kinetic_energy(beam, at);
      });
      return VectorXd::Constant(1, T);
    };
    const Difference d = differentiate(moved);
    EXPECT_EQ(compare(d, VectorXd::Constant(1, s.v.dot(emitted(*e, s).inertia))), "") << name;
  }
}

// Elastic and damping forces, summed, push and turn the element nowhere.
TEST(BeamElement, ElasticForcesHaveNoResultant) {
  for (const char* name : {"beam_elements_in_a_row", "beam_elements_of_three_in_a_row"}) {
    auto e = make(entry(name), 5);
    for (BeamElement& beam : e->beams) {
      beam.gravity.setZero();
      beam.mass_damping = 0;
    }
    const State s = e->random_state();
    const VectorXd f = emitted(*e, s).applied;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (const BlockId b : e->bodies) {
      const int o = e->layout.block(b).offset;
      const assembly::Pose p = assembly::pose(e->layout, b, s.q);
      force += f.segment<3>(o);
      moment += p.x.cross(Vec3(f.segment<3>(o))) + p.R * Vec3(f.segment<3>(o + 3));
    }
    EXPECT_LT(force.norm(), 1e3 * kEps * f.norm()) << name;
    EXPECT_LT(moment.norm(), 1e3 * kEps * f.norm()) << name;
  }
}

// ½ vᵀ M v of the partials by acceleration is the kinetic energy, and M is symmetric and positive definite.
TEST(BeamElement, MassMatrixIsThatOfTheKineticEnergy) {
  for (const char* name : {"beam_element", "beam_element_of_three"}) {
    const auto e = make(entry(name), 7);
    const State s = e->random_state();
    DenseSink sink(e->layout, s);
    double T = 0;
    at_state(*e, s, [&](const assembly::Evaluation& at) {
      for (const BeamElement& beam : e->beams) {
        evaluate(beam, at, sink);
        T += kinetic_energy(beam, at);
      }
    });
    const MatrixXd& M = sink.D[2];
    EXPECT_LT((M - M.transpose()).norm(), 1e2 * kEps * M.norm()) << name;
    EXPECT_NEAR(0.5 * s.v.dot(M * s.v), T, 1e2 * kEps * T) << name;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues().minCoeff(), 0.0) << name;
  }
}

BeamCrossSection square(double ea, double ga, double gj, double ei_y, double ei_z, double mass) {
  BeamCrossSection s;
  Eigen::Matrix<double, 6, 1> K;
  K << ea, ga, ga, gj, ei_y, ei_z;
  s.K = K.asDiagonal();
  s.mass = mass;
  s.second.diagonal() << 0, 1e-3 * mass, 2e-3 * mass;
  return s;
}

// 1/GA → 1/GA + L²/12EI.
TEST(BeamElement, ResidualBendingFlexibility) {
  const BeamCrossSection s = square(5, 3, 0.4, 0.7, 0.2, 1);
  const BeamElement beam = make_beam_element({}, {Vec3(0.8, 0, 0), Quat::Identity()}, s, s);
  EXPECT_DOUBLE_EQ(beam.length, 0.8);
  const double L2 = 0.64;
  const math::Mat6& K = beam.points[0].K;
  EXPECT_NEAR(K(0, 0), 5, 1e-14);
  EXPECT_NEAR(1 / K(1, 1), 1.0 / 3 + L2 / (12 * 0.2), 1e-14);
  EXPECT_NEAR(1 / K(2, 2), 1.0 / 3 + L2 / (12 * 0.7), 1e-14);
  EXPECT_NEAR(K(3, 3), 0.4, 1e-15);
  EXPECT_NEAR(K(4, 4), 0.7, 1e-15);
  const math::Mat6 diagonal = K.diagonal().asDiagonal();
  EXPECT_NEAR((K - diagonal).norm(), 0, 1e-14);
}

// A rigid straight element has the mass, the mass centre and the inertia of its bar.
TEST(BeamElement, MassOfAStraightBar) {
  const BeamCrossSection s = square(5, 3, 0.4, 0.7, 0.2, 2);
  const double L = 0.8, m = 2 * L;
  const BeamElement beam = make_beam_element({}, {Vec3(L, 0, 0), Quat::Identity()}, s, s);
  EXPECT_NEAR(beam.mass(), m, 1e-15);
  // T of a turn at unit rate about each axis through node a.
  const auto energy = [&](const Vec3& w) {
    Eigen::Matrix<double, 8, 3> y;
    const Vec3 e[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    y.row(0).setZero();
    y.row(4) = w.cross(Vec3(L, 0, 0)).transpose();
    for (int i = 0; i < 3; ++i) y.row(1 + i) = y.row(5 + i) = w.cross(e[i]).transpose();
    return 0.5 * (y.transpose() * beam.M * y).trace();
  };
  const double rotary_y = 2e-3 * m, rotary_z = 1e-3 * m;  // ∫ρ z², ∫ρ y²
  EXPECT_NEAR(energy(Vec3::UnitX()), 0.5 * (rotary_y + rotary_z), 1e-15);
  EXPECT_NEAR(energy(Vec3::UnitY()), 0.5 * (m * L * L / 3 + rotary_y), 1e-15);
  EXPECT_NEAR(energy(Vec3::UnitZ()), 0.5 * (m * L * L / 3 + rotary_z), 1e-15);
}

TEST(BeamElement, MassOfAStraightBarOfThreeNodes) {
  const BeamCrossSection s = square(5, 3, 0.4, 0.7, 0.2, 2);
  const double L = 0.8, m = 2 * L;
  const BeamElement beam =
      make_beam_element({}, {Vec3(L / 2, 0, 0), Quat::Identity()}, {Vec3(L, 0, 0), Quat::Identity()}, s, s);
  EXPECT_NEAR(beam.length, L, 1e-15);
  EXPECT_NEAR(beam.mass(), m, 1e-15);
  const auto energy = [&](const Vec3& w) {
    Eigen::Matrix<double, 12, 3> y;
    for (int n = 0; n < 3; ++n) {
      y.row(4 * n) = w.cross(Vec3(n * L / 2, 0, 0)).transpose();
      for (int i = 0; i < 3; ++i) y.row(4 * n + 1 + i) = w.cross(Vec3(Vec3::Unit(i))).transpose();
    }
    return 0.5 * (y.transpose() * beam.M * y).trace();
  };
  const double rotary_y = 2e-3 * m, rotary_z = 1e-3 * m;
  EXPECT_NEAR(energy(Vec3::UnitX()), 0.5 * (rotary_y + rotary_z), 1e-15);
  EXPECT_NEAR(energy(Vec3::UnitY()), 0.5 * (m * L * L / 3 + rotary_y), 1e-15);
  EXPECT_NEAR(energy(Vec3::UnitZ()), 0.5 * (m * L * L / 3 + rotary_z), 1e-15);
}

// An axis whose strain varies linearly, integrated finely: three nodes read e(±l/√3) from its ends and middle with an error of l⁴.
TEST(BeamElement, ThreeNodesReadALinearStrain) {
  math::Vec6 mean, slope;
  mean << 1.1, 0.2, -0.1, 0.5, -0.9, 0.7;
  slope << 0.3, -0.4, 0.2, 0.8, 0.6, -1.1;
  const BeamCrossSection section = square(5, 3, 0.4, 0.7, 0.2, 1);
  const auto error = [&](double l) {
    assembly::Pose nodes[3];
    assembly::Pose at;
    constexpr int kSteps = 400;  // of a half: h² of the midpoint rule is far below l⁴
    nodes[0] = at;
    for (int k = 0; k < 2 * kSteps; ++k) {
      const double h = l / kSteps, s = (k + 0.5) * h - l;
      const math::RigidMotion step = math::se3_exp(h * (mean + s * slope));
      at = {at.x + at.R * step.p, (at.R * step.R).normalized()};
      if (k + 1 == kSteps) nodes[1] = at;
    }
    nodes[2] = at;
    BeamElement beam = make_beam_element(nodes[0], nodes[1], nodes[2], section, section);
    double worst = 0;
    for (const int side : {-1, 1}) {
      // The length is that of the chords' motions; strains are over it.
      const math::Vec6 exact = mean + side * l / std::sqrt(3.0) * slope;
      worst = std::max(worst, (beam.points[side > 0].reference * beam.length / (2 * l) - exact).norm());
    }
    return worst;
  };
  EXPECT_LT(error(0.1), 1e-3 * mean.norm());
  EXPECT_GT(std::log2(error(0.2) / error(0.1)), 3.5);
}

}  // namespace
}  // namespace trunnion::elements::test
