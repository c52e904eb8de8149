// FLEX_BODY against the mass points its invariants are sums over, and against what its energies say.

#include <gtest/gtest.h>

#include "assembly/carriers/modal.hpp"
#include "elements/dense_sink.hpp"
#include "elements/difference.hpp"
#include "elements/example.hpp"
#include "elements/mode_points.hpp"
#include "system/diagonal_place.hpp"
#include "system/levels.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();
constexpr int kModes = 4;

// A flexible body of seven points, with a marker on each of them.
struct PointBody {
  Example e{1};
  std::vector<ModePoint> points;
  std::vector<MarkerId> markers;
  ModalInvariants invariants;
  ModalBody body;

  explicit PointBody(unsigned seed) : e(seed) {
    const BlockId frame = e.body(Owner::rigid);
    e.masses.clear();
    std::vector<Layout::Variable> names;
    for (int k = 1; k <= kModes; ++k) names.push_back({"mode " + std::to_string(k), "1"});
    body.frame = frame;
    body.modes = e.layout.add_scalars(Dynamics::second_order, "FLEX_BODY/1 modes", names);
    for (int k = 0; k < 7; ++k) {
      const Eigen::Matrix3Xd shape = drawn(3);
      points.push_back({e.uniform(0.5, 2.0), e.vector(), shape});
      assembly::NodeShape node;
      node.s = points.back().s;
      node.modes.setZero(6, kModes);
      node.modes.topRows<3>() = shape;
      markers.push_back(
          e.markers.add({frame, node.s, Mat3::Identity(), assembly::modal_carrier(frame, body.modes, node)}));
    }
    invariants = invariants_of(points);
    body.gravity = Vec3(0.3, -0.2, -9.81);
    e.finish();
  }
  MatrixXd drawn(int rows) {
    return MatrixXd::NullaryExpr(rows, kModes, [&] { return e.uniform(); });
  }
  void close() { body.data = std::make_shared<const ModalData>(make_modal_data(invariants)); }

  VectorXd force(const State& s) const {
    assembly::Kinematics kin(e.layout, e.markers);
    kin.update(s);
    assembly::Scratch scratch;
    DenseSink sink(e.layout, s);
    evaluate(body, {s, kin, scratch, assembly::AnalysisMode::dynamics}, sink);
    return sink.force;
  }
  double energy(const State& s, bool kinetic) const {
    assembly::Kinematics kin(e.layout, e.markers);
    kin.update(s);
    assembly::Scratch scratch;
    const assembly::Evaluation at{s, kin, scratch, assembly::AnalysisMode::dynamics};
    return kinetic ? kinetic_energy(body, at) : potential_energy(body, at);
  }
};

// Σ J_pᵀ m_p (a_p − g) over the points: what no invariant is needed for. The accelerations are the carrier's, which the registry holds
// against differences.
TEST(ModalBody, IsTheSumOverItsPoints) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    PointBody one(seed);
    one.close();
    const State s = one.e.random_state();
    assembly::Kinematics kin(one.e.layout, one.e.markers);
    kin.update(s);
    VectorXd expected = VectorXd::Zero(one.e.layout.size());
    const int columns[2] = {one.e.layout.block(one.body.frame).offset,
                            one.e.layout.block(one.body.modes).offset};
    double energy = 0;
    for (std::size_t p = 0; p < one.points.size(); ++p) {
      const assembly::Seat& seat = kin.seat(one.markers[p]);
      const assembly::MarkerMotion& m = kin.marker(one.markers[p]);
      seat.carrier->pull(seat, one.points[p].m * (m.a - one.body.gravity), Vec3::Zero(), expected.data(),
                         columns);
      energy += 0.5 * one.points[p].m * m.v.squaredNorm();
    }
    // Sums of some dozens of products.
    EXPECT_LE((one.force(s) - expected).norm(), 100 * kEps * (1.0 + expected.norm()));
    EXPECT_NEAR(one.energy(s, true), energy, 100 * kEps * energy);
  }
}

// d/dt T = v·(M a + h) and d/dt V = v·∂V/∂q along any motion, stiffening and all: no term does work that the energy does not know.
TEST(ModalBody, EnergyKnowsAllForces) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    PointBody one(seed);
    const MatrixXd A = one.drawn(kModes);
    one.invariants.K = A * A.transpose();
    one.invariants.geometric = one.drawn(12 * kModes);
    one.close();
    const State s = one.e.random_state();
    const auto along = [&](double h) {
      State moved = s;
      // q̇ = v + h a on the manifold: R exp(h ω + ½ h² α) has that rate to first order
      assembly::retract(one.e.layout, s.q, h * s.v + 0.5 * h * h * s.a, moved.q);
      moved.v = s.v + h * s.a;
      return VectorXd::Constant(1, one.energy(moved, true) + one.energy(moved, false));
    };
    const VectorXd power = VectorXd::Constant(1, one.force(s).dot(s.v));
    EXPECT_EQ(compare(differentiate(along), power), "");
  }
}

// Switched-off invariants: still what an energy says.
TEST(ModalBody, AnyPatternOfInvariantsKeepsEnergy) {
  for (int off = 2; off <= 9; ++off) {
    PointBody one(7);
    ModalInvariants& I = one.invariants;
    if (off == 2) I.I2.setZero();
    if (off == 3) I.I3.setZero();
    if (off == 4) I.I4.setZero();
    if (off == 5) I.I5.resize(0, 0);
    if (off == 6) I.I6.setZero();
    if (off == 7) I.I7.setZero();
    if (off == 8) I.I8.resize(0, 0);
    if (off == 9) I.I9.resize(0, 0);
    one.close();
    const State s = one.e.random_state();
    const auto along = [&](double h) {
      State moved = s;
      assembly::retract(one.e.layout, s.q, h * s.v + 0.5 * h * h * s.a, moved.q);
      moved.v = s.v + h * s.a;
      return VectorXd::Constant(1, one.energy(moved, true) + one.energy(moved, false));
    };
    EXPECT_EQ(compare(differentiate(along), VectorXd::Constant(1, one.force(s).dot(s.v))), "") << off;
  }
}

// Without modes it is a PART whose frame is not at its mass centre.
TEST(ModalBody, WithoutModesIsRigid) {
  Example e(3);
  const BlockId frame = e.body(Owner::rigid);
  const Body part = e.masses.front();
  const Vec3 c(0.3, -0.5, 0.2);  // mass centre from B
  ModalInvariants I;
  I.I1 = part.mass;
  I.I2 = part.mass * c;
  I.I3.setZero(3, 0);
  I.I4.setZero(3, 0);
  I.I7 = part.J - part.mass * math::hat(c) * math::hat(c);
  ModalBody body;
  body.frame = frame;
  body.gravity = part.gravity;
  body.data = std::make_shared<const ModalData>(make_modal_data(I));
  e.finish();
  const State at_centre = e.random_state();
  // The same motion told by the frame B, whose origin is at −c from the mass centre.
  State at_B = at_centre;
  const Mat3 R = Quat(at_centre.q[3], at_centre.q[4], at_centre.q[5], at_centre.q[6]).toRotationMatrix();
  const Vec3 w = at_centre.v.segment<3>(3), alpha = at_centre.a.segment<3>(3);
  at_B.q.head<3>() -= R * c;
  at_B.v.head<3>() -= R * w.cross(c);
  at_B.a.head<3>() -= R * (alpha.cross(c) + w.cross(w.cross(c)));
  const auto force = [&](const auto& element, const State& s) {
    assembly::Kinematics kin(e.layout, e.markers);
    kin.update(s);
    assembly::Scratch scratch;
    DenseSink sink(e.layout, s);
    evaluate(element, {s, kin, scratch, assembly::AnalysisMode::dynamics}, sink);
    return VectorXd(sink.force);
  };
  VectorXd expected = force(part, at_centre);
  expected.tail<3>() += c.cross(R.transpose() * expected.head<3>());  // about B
  EXPECT_LE((force(body, at_B) - expected).norm(), 100 * kEps * expected.norm());
}

// Orthonormal modes: K, C and M come to the levels as diagonals, and are what they are as full matrices; a full one that comes later,
// as a spring on a node brings it, is added.
TEST(ModalBody, LevelsKeepDiagonals) {
  using assembly::Level;
  PointBody one(3);
  const VectorXd diagonal = VectorXd::LinSpaced(kModes, 1, 2);
  one.invariants.I6 = one.invariants.K = one.invariants.D = diagonal.asDiagonal();
  one.invariants.I5.resize(0, 0);
  one.invariants.I9.resize(0, 0);
  one.close();
  const State s = one.e.random_state();
  assembly::Kinematics kin(one.e.layout, one.e.markers);
  kin.update(s);
  assembly::Scratch scratch;
  const assembly::Evaluation at{s, kin, scratch, assembly::AnalysisMode::dynamics};
  const MatrixXd spring = MatrixXd::Constant(kModes, kModes, 0.25);
  for (const bool sprung : {false, true}) {
    DenseSink dense(one.e.layout, s);
    system::Levels levels(one.e.layout);
    const auto emit = [&](assembly::Sink& sink) {
      evaluate(one.body, at, sink);
      if (sprung) sink.partial(one.body.modes, one.body.modes, Level::q, spring);
    };
    emit(dense);
    for (int again = 0; again < 3; ++again) {
      levels.start(s, {});
      emit(levels);
      levels.finish();
      for (const Level level : {Level::q, Level::v, Level::a})
        EXPECT_LE((MatrixXd(levels.level(level)) - dense.D[static_cast<int>(level)]).norm(),
                  8 * kEps * (1 + dense.D[0].norm()));
    }
    for (const system::Levels::Pair& pair : levels.pairs()) {
      if (pair.row != one.body.modes || pair.col != one.body.modes) continue;
      EXPECT_EQ(system::diagonal_place(pair.at[0]) >= 0, !sprung);
      EXPECT_GE(system::diagonal_place(pair.at[2]), 0);
    }
  }
}

}  // namespace
}  // namespace trunnion::elements::test
