#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "assembly/columns.hpp"
#include "assembly/kinematics.hpp"
#include "assembly/layout.hpp"
#include "assembly/pullback.hpp"
#include "assembly/scratch.hpp"
#include "assembly/state.hpp"

namespace trunnion::assembly {
namespace {

using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();

struct Mixed {
  Layout layout;
  BlockId rigid, point, planar, states;
  Mixed() {
    rigid = layout.add_rigid("PART/2 'arm'");
    point = layout.add_point("POINT_MASS/3");
    planar = layout.add_planar(
        "PART/4 'slider'",
        make_plane(Vec3(1, 2, 3), math::so3_exp_quat(Vec3(0.3, -0.8, 0.2)), Vec3(1, -1, 2)));
    states = layout.add_scalars(Dynamics::first_order, "LSE/5", {{"state 1", "1"}, {"state 2", "length"}});
  }
  State random(unsigned seed) const {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    State s = make_state(layout);
    const auto draw = [&](auto&&) { return u(rng); };
    VectorXd d = VectorXd(layout.size()).unaryExpr(draw);
    retract(layout, s.q, d, s.q);
    s.v = s.v.unaryExpr(draw);
    s.a = s.a.unaryExpr(draw);
    return s;
  }
};

TEST(Layout, NamesEveryColumnAndRow) {
  Mixed m;
  const RowId row = m.layout.add_row("JOINT/12 'crank_pin'", "z_I·y_J = 0", assembly::kNumber);
  EXPECT_EQ(m.layout.size(), 6 + 3 + 3 + 2);
  EXPECT_EQ(m.layout.pose_size(), 7 + 3 + 3 + 2);
  EXPECT_EQ(m.layout.column_name(3), "PART/2 'arm' rotation about body x");
  EXPECT_EQ(m.layout.column_unit(3), "angle");
  EXPECT_EQ(m.layout.balance_name(5), "PART/2 'arm' torque about body z");
  EXPECT_EQ(m.layout.balance_unit(0), "force");
  EXPECT_EQ(m.layout.column_name(7), "POINT_MASS/3 translation along y");
  EXPECT_EQ(m.layout.column_name(11), "PART/4 'slider' rotation about plane normal");
  EXPECT_EQ(m.layout.balance_unit(11), "torque");
  EXPECT_EQ(m.layout.column_name(13), "LSE/5 state 2");
  EXPECT_EQ(m.layout.column_unit(13), "length");
  EXPECT_EQ(m.layout.balance_name(12), "equation of LSE/5 state 1");
  EXPECT_EQ(m.layout.row_name(row), "JOINT/12 'crank_pin' z_I·y_J = 0");
  for (int e = 0; e < m.layout.size(); ++e) {
    const Block& b = m.layout.block(m.layout.block_of(e));
    EXPECT_TRUE(e >= b.offset && e < b.offset + b.size);
  }
}

TEST(Layout, BlocksWithoutEntriesAreSkipped) {
  Layout layout;
  layout.add_rigid("PART/2");
  layout.add_scalars(Dynamics::first_order, "LSE/1", {});
  layout.add_point("POINT_MASS/3");
  EXPECT_EQ(layout.block_of(5).index, 0);
  EXPECT_EQ(layout.block_of(6).index, 2);
}

TEST(State, RetractAndDifferenceUndoEachOther) {
  const Mixed m;
  const State a = m.random(1), b = m.random(2);
  VectorXd d(m.layout.size()), q(m.layout.pose_size());
  difference(m.layout, a.q, b.q, d);
  retract(m.layout, a.q, d, q);
  // The quaternion may come back with the other sign.
  VectorXd rest(m.layout.size());
  difference(m.layout, q, b.q, rest);
  EXPECT_LT(rest.norm(), 64 * kEps);
  retract(m.layout, a.q, VectorXd::Zero(m.layout.size()), q);
  EXPECT_LT((q - a.q).norm(), 4 * kEps);
  VectorXd in_place = a.q;
  retract(m.layout, a.q, d, q);
  retract(m.layout, in_place, d, in_place);
  EXPECT_EQ(q, in_place);
}

TEST(State, PlanarPartStaysInItsPlane) {
  const Mixed m;
  const State s = m.random(3);
  const Vec3 n = Vec3(1, -1, 2).normalized();
  const Pose p = pose(m.layout, m.planar, s.q);
  EXPECT_NEAR(n.dot(p.x - Vec3(1, 2, 3)), 0.0, 16 * kEps);
  const Plane& plane = m.layout.plane(m.layout.block(m.planar));
  EXPECT_LT((p.R * plane.normal_B - n).norm(), 16 * kEps);
  EXPECT_NEAR(plane.axes.col(0).cross(plane.axes.col(1)).dot(n), 1.0, 16 * kEps);
  // Normal along ground x: another start vector.
  const Plane other = make_plane(Vec3::Zero(), Quat::Identity(), Vec3(-3, 0, 0));
  EXPECT_NEAR(other.axes.col(0).cross(other.axes.col(1)).x(), -1.0, 16 * kEps);
}

TEST(State, PosesCanBeSet) {
  const Mixed m;
  State s = make_state(m.layout);
  const Pose p{Vec3(1, 2, 3), math::so3_exp_quat(Vec3(0.1, 0.2, 0.3))};
  set_pose(m.layout, m.rigid, p, s.q);
  set_pose(m.layout, m.point, p, s.q);
  EXPECT_EQ(pose(m.layout, m.rigid, s.q).x, p.x);
  EXPECT_EQ(pose(m.layout, m.rigid, s.q).R.coeffs(), p.R.coeffs());
  EXPECT_EQ(pose(m.layout, m.point, s.q).R.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(pose(m.layout, kGround, s.q).x, Vec3(Vec3::Zero()));
}

// Marker velocities and accelerations are the rates of its places and velocities; central differences, h = ∛ε: 1e-9.
TEST(Kinematics, LevelsAreEachOthersRates) {
  const Mixed m;
  MarkerTable table;
  std::vector<MarkerId> ids;
  const Mat3 R = math::so3_exp(Vec3(0.3, 0.5, -0.2));
  for (const BlockId b : {kGround, m.rigid, m.point, m.planar})
    ids.push_back(table.add({b, Vec3(0.3, -0.2, 0.5), R}));
  const State s = m.random(4);
  Kinematics now(m.layout, table), before(m.layout, table), after(m.layout, table);
  now.update(s);
  const double h = std::cbrt(kEps);
  const auto at = [&](double t) {
    State r = s;
    // To second order in t, which a central difference needs; a rigid body's turn h ω + ½h² α has ω as its rate at 0.
    retract(m.layout, s.q, t * s.v + 0.5 * t * t * s.a, r.q);
    r.v = s.v + t * s.a;
    return r;
  };
  before.update(at(-h));
  after.update(at(h));
  for (const MarkerId id : ids) {
    EXPECT_LT(((after.marker(id).p - before.marker(id).p) / (2 * h) - now.marker(id).v).norm(), 1e-9);
    EXPECT_LT(((after.marker(id).v - before.marker(id).v) / (2 * h) - now.marker(id).a).norm(), 1e-9);
    const Mat3 rate = (after.marker(id).R - before.marker(id).R) / (2 * h);
    EXPECT_LT((rate - math::hat(now.marker(id).w) * now.marker(id).R).norm(), 1e-9);
    EXPECT_LT(((after.marker(id).w - before.marker(id).w) / (2 * h) - now.marker(id).alpha).norm(), 1e-9);
  }
  EXPECT_EQ(now.marker(ids[0]).p, Vec3(0.3, -0.2, 0.5));
}

// The row of a wrench is its power per unit velocity: g·v = f·v_m + τ·ω.
TEST(Pullback, RowIsPower) {
  const Mixed m;
  MarkerTable table;
  Columns columns;
  const State s = m.random(5);
  std::vector<Port> ports;
  for (const BlockId b : {kGround, m.rigid, m.point, m.planar, m.rigid})
    ports.push_back(columns.add(m.layout, table, table.add({b, Vec3(0.1, 0.7, -0.4), Mat3::Identity()})));
  EXPECT_EQ(columns.blocks().size(), 3u);
  EXPECT_EQ(ports[0].column, -1);
  EXPECT_EQ(ports[4].column, ports[1].column);
  Kinematics kin(m.layout, table);
  kin.update(s);
  VectorXd g = VectorXd::Zero(columns.size()), v(columns.size());
  Pullback out(kin, g);
  double power = 0.0;
  for (std::size_t k = 0; k < ports.size(); ++k) {
    const Vec3 f(1.0 + k, -2.0, 0.5), tau(0.3, 0.1 * k, -0.7);
    out.wrench(ports[k], f, tau);
    power += f.dot(kin.marker(ports[k].marker).v) + tau.dot(kin.marker(ports[k].marker).w);
  }
  columns.gather(m.layout, s.v, v);
  EXPECT_NEAR(g.dot(v), power, 256 * kEps);
}

TEST(Scratch, FramesGiveBackAndGrowthKeepsWhatWasTaken) {
  Scratch scratch;
  double* first = nullptr;
  {
    const Scratch::Frame frame(scratch);
    VecMap a = scratch.vector(10);
    a.setOnes();
    first = a.data();
    MatMap big = scratch.matrix(300, 300);  // more than a chunk
    big.setConstant(2.0);
    EXPECT_EQ(a.sum(), 10.0);
    {
      const Scratch::Frame inner(scratch);
      EXPECT_EQ(scratch.vector(5).sum(), 0.0);
    }
  }
  const Scratch::Frame frame(scratch);
  VecMap again = scratch.vector(10);
  EXPECT_EQ(again.data(), first);
  EXPECT_EQ(again.sum(), 0.0);
}

}  // namespace
}  // namespace trunnion::assembly
