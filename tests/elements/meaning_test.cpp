// What the rows mean: allowed motions leave them at zero, forbidden ones do not; signs, reactions and inertia against closed forms
// and the commercial solver's tables.

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elements/dense_sink.hpp"
#include "elements/example.hpp"
#include "elements/gear.hpp"
#include "sparse/rank.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();
constexpr double kRounding = 256 * kEps;

// One body whose marker I lies on its frame; marker J on ground at a random frame. Pose of I in J as asked for.
struct OnGround {
  Example e{1};
  BlockId body;
  MarkerId i, j;
  Mat3 R_GJ;
  Vec3 p_J;

  OnGround() {
    body = e.body(Owner::rigid);
    i = e.markers.add({body, Vec3::Zero(), Mat3::Identity()});
    R_GJ = e.rotation().toRotationMatrix();
    p_J = e.vector();
    j = e.markers.add({assembly::kGround, p_J, R_GJ});
  }
  VectorXd phi(const Vec3& p_JI, const Mat3& R_JI) {
    if (e.state.q.size() == 0) e.finish();
    assembly::set_pose(e.layout, body, {p_J + R_GJ * p_JI, Quat(Mat3(R_GJ * R_JI))}, e.state.q);
    DenseSink k(e.layout, e.state);
    e.evaluate(e.state, k);
    return k.phi;
  }
};

Mat3 turn(int axis, double angle) { return math::so3_exp(angle * Vec3::Unit(axis)); }

struct Allowed {
  JointType type;
  int rows;
  bool moves[3];  // of I along x, y, z of J
  bool turns[3];  // of I about x, y, z of J from the aligned position
};

// The freedoms of joints whose axes start aligned.
TEST(JointMeaning, FreedomsOfAlignedJoints) {
  const Allowed table[] = {
      {JointType::revolute, 5, {false, false, false}, {false, false, true}},
      {JointType::translational, 5, {false, false, true}, {false, false, false}},
      {JointType::cylindrical, 4, {false, false, true}, {false, false, true}},
      {JointType::spherical, 3, {false, false, false}, {true, true, true}},
      {JointType::atpoint, 3, {false, false, false}, {true, true, true}},
      {JointType::hooke, 4, {false, false, false}, {true, true, false}},
      {JointType::fixed, 6, {false, false, false}, {false, false, false}},
      {JointType::planar, 3, {true, true, false}, {false, false, true}},
      {JointType::inline_, 2, {false, false, true}, {true, true, true}},
      {JointType::inplane, 1, {true, true, false}, {true, true, true}},
      {JointType::orientation, 3, {true, true, true}, {false, false, false}},
      {JointType::parallel_axes, 2, {true, true, true}, {false, false, true}},
  };
  for (const Allowed& a : table) {
    OnGround g;
    g.e.joints.push_back(make_joint(a.type, g.i, g.j, "JOINT/1", g.e.layout, g.e.markers));
    EXPECT_EQ(g.e.layout.row_count(), a.rows);
    EXPECT_LT(g.phi(Vec3::Zero(), Mat3::Identity()).norm(), kRounding);
    for (int k = 0; k < 3; ++k) {
      const double moved = g.phi(0.3 * Vec3::Unit(k), Mat3::Identity()).norm();
      const double turned = g.phi(Vec3::Zero(), turn(k, 0.4)).norm();
      EXPECT_EQ(moved < kRounding, a.moves[k]) << static_cast<int>(a.type) << " along " << k;
      EXPECT_EQ(turned < kRounding, a.turns[k]) << static_cast<int>(a.type) << " about " << k;
    }
    // Independent rows.
    DenseSink s(g.e.layout, g.e.state);
    g.phi(Vec3::Zero(), Mat3::Identity());
    g.e.evaluate(g.e.state, s);
    EXPECT_EQ(s.G.fullPivLu().rank(), a.rows);
  }
}

TEST(JointMeaning, UniversalKeepsTheArmsOfTheCrossPerpendicular) {
  OnGround g;
  g.e.joints.push_back(make_joint(JointType::universal, g.i, g.j, "JOINT/1", g.e.layout, g.e.markers));
  // z_I ⊥ z_J: I turned by a quarter about x, then freely about its own z and about z_J.
  EXPECT_LT(g.phi(Vec3::Zero(), turn(2, 0.4) * turn(0, M_PI / 2) * turn(2, -0.9)).norm(), kRounding);
  EXPECT_GT(g.phi(Vec3::Zero(), turn(0, M_PI / 2 - 0.1)).norm(), 0.09);
}

TEST(JointMeaning, HookeKeepsXOfIPerpendicularToYOfJ) {
  OnGround g;
  g.e.joints.push_back(make_joint(JointType::hooke, g.i, g.j, "JOINT/1", g.e.layout, g.e.markers));
  // The cross turns about y_J, then I about its own x.
  EXPECT_LT(g.phi(Vec3::Zero(), turn(1, 0.6) * turn(0, -0.8)).norm(), kRounding);
  EXPECT_GT(g.phi(Vec3::Zero(), turn(0, -0.8) * turn(1, 0.6)).norm(), 0.1);
}

// Shafts at a fixed angle, z axes away from the joint: turning one by ψ turns the other by −ψ about its own z.
TEST(JointMeaning, ConvelSpinsAreEqualAndOpposite) {
  OnGround g;
  g.e.joints.push_back(make_joint(JointType::convel, g.i, g.j, "JOINT/1", g.e.layout, g.e.markers));
  const Mat3 bend = turn(1, 0.5) * turn(0, M_PI);  // y_I ∥ −y_J in the bent start position
  for (const double psi : {0.0, 0.3, 1.2, 2.9}) {
    // J is fixed here, so its spin ψ appears as −ψ of everything else about z_J.
    EXPECT_LT(g.phi(Vec3::Zero(), turn(2, -psi) * bend * turn(2, -psi)).norm(), kRounding) << psi;
  }
  EXPECT_GT(g.phi(Vec3::Zero(), turn(2, -0.3) * bend * turn(2, 0.3)).norm(), 0.1);
}

TEST(JointMeaning, ScrewIsRightHandedAndCountsTurns) {
  OnGround g;
  const double pitch = 0.02;
  Measure az = make_measure(MeasureKind::az, 0, {g.i, g.j}, g.e.layout, g.e.markers);
  az.memory = 0;
  g.e.rows.push_back(
      make_measure_row({{1.0, make_measure(MeasureKind::dz, 0, {g.i, g.j, g.j}, g.e.layout, g.e.markers)},
                        {-pitch / (2 * M_PI), az}},
                       0.0, -1, "JOINT/1", "screw", assembly::kLength, g.e.layout));
  g.e.finish();
  g.e.state.memory[0] = 6.0 * M_PI;
  EXPECT_NEAR(g.phi(Vec3(0, 0, 3.1 * pitch), turn(2, 0.1 * 2 * M_PI))[0], 0.0, kRounding);
}

// Pinion I above the rack's line (the x axis of ground): rolling along +x turns it clockwise, as a wheel on the road.
TEST(JointMeaning, PinionRollsAsAWheel) {
  Example e(2);
  const BlockId wheel = e.body(Owner::rigid);
  const double radius = 0.25;
  Mat3 along_x;  // z_J = x, x_J = y, y_J = z
  along_x << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const MarkerId i =
      e.markers.add({wheel, Vec3::Zero(), Mat3::Identity()});  // x_I ∥ z_J, turns about z of ground
  const MarkerId j = e.markers.add({assembly::kGround, Vec3::Zero(), along_x});
  const double rho = rack_radius(2 * radius, Vec3(0, radius, 0), Vec3::UnitZ(), Vec3::Zero(), Vec3::UnitX());
  EXPECT_EQ(rho, radius);
  e.rows.push_back(make_measure_row({{1.0, make_measure(MeasureKind::dz, 0, {i, j, j}, e.layout, e.markers)},
                                     {rho, make_measure(MeasureKind::rack, 0, {i, j}, e.layout, e.markers)}},
                                    0.0, -1, "JOINT/1", "rack", assembly::kLength, e.layout));
  e.finish();
  const double travel = 0.1;
  assembly::set_pose(e.layout, wheel,
                     {Vec3(travel, radius, 0), math::so3_exp_quat(Vec3(0, 0, -travel / radius))}, e.state.q);
  DenseSink k(e.layout, e.state);
  e.evaluate(e.state, k);
  EXPECT_NEAR(k.phi[0], 0.0, kRounding);
  // Below the line it turns the other way; on the line the turn goes with the travel.
  EXPECT_EQ(rack_radius(0.5, Vec3(0, -0.25, 0), Vec3::UnitZ(), Vec3::Zero(), Vec3::UnitX()), -0.25);
  EXPECT_EQ(rack_radius(0.5, Vec3::Zero(), Vec3::UnitZ(), Vec3::Zero(), Vec3::UnitX()), -0.25);
}

// Two spur gears of radii 0.2 and 0.3 on parallel axes: r₁ω₁ = −r₂ω₂.
TEST(GearMeaning, PitchPointVelocitiesAgree) {
  const Vec3 cv(0.2, 0, 0), z_cv = Vec3::UnitY();
  GearSide side;
  side.r = cv;
  side.z = z_cv;
  EXPECT_NEAR(gear_turn_ratio(side), 0.2, kEps);
  side.r = cv - Vec3(0.5, 0, 0);
  EXPECT_NEAR(gear_turn_ratio(side), -0.3, kEps);
  EXPECT_EQ(gear_travel_ratio(side), 0.0);
  side.travels = true;
  side.z = Vec3::UnitZ();
  EXPECT_EQ(gear_travel_ratio(side), 1.0);
}

// corpus/adams-reference/Universal_Case01: HOOKE between ground (I) and a pendulum (J) at rest along y, gravity along −z.
// First rows of the commercial solver's tables.
TEST(Reference, HookePendulumStart) {
  Example e(3);
  const BlockId pendulum = e.layout.add_rigid("PART/2");
  Body b;
  b.block = pendulum;
  b.mass = 1.0;
  b.gravity = Vec3(0, 0, -9.80665);
  const Mat3 quarter = turn(0, M_PI / 2);  // REULER = 0D, 90D, 0D
  const double ip[6] = {0.1, 0.1, 0.04, 0, 0, 0};
  b.J = inertia_about_mass_centre(ip, 1.0, quarter, Vec3::Zero());
  e.masses.push_back(b);
  const MarkerId i = e.markers.add({assembly::kGround, Vec3::Zero(), quarter});
  const MarkerId j = e.markers.add({pendulum, Vec3(0, -2, 0), quarter});
  e.joints.push_back(make_joint(JointType::hooke, i, j, "JOINT/1", e.layout, e.markers));
  State s = assembly::make_state(e.layout);
  assembly::set_pose(e.layout, pendulum, {Vec3(0, 2, 0), Quat::Identity()}, s.q);
  DenseSink k(e.layout, s);
  e.evaluate(s, k);
  EXPECT_LT(k.phi.norm(), kRounding);
  MatrixXd A = MatrixXd::Zero(10, 10);
  A.topLeftCorner(6, 6) = k.D[2];
  A.topRightCorner(6, 4) = k.G.transpose();
  A.bottomLeftCorner(4, 6) = k.G;
  VectorXd r(10);
  r << -k.force, VectorXd::Zero(4);
  const VectorXd x = A.fullPivLu().solve(r);
  s.lambda = x.tail(4);
  // Printed with seven digits.
  EXPECT_NEAR(x[2], -9.567460, 5e-6);
  EXPECT_NEAR(x[3], -4.783730, 5e-6);
  assembly::Kinematics kin(e.layout, e.markers);
  kin.update(s);
  assembly::Scratch scratch;
  const Wrench w = reaction(e.joints[0], {s, kin, scratch, assembly::AnalysisMode::dynamics}, i);
  EXPECT_NEAR(component(w, Mat3::Identity(), 4), -0.2391870, 5e-7);
  EXPECT_NEAR(component(w, Mat3::Identity(), 1), 0.2391870, 5e-7);
  EXPECT_NEAR(component(w, Mat3::Identity(), 2), 0.0, 1e-12);
  EXPECT_NEAR(component(w, Mat3::Identity(), 5), 0.0, 1e-12);
}

// The same force resolved in a turned marker.
TEST(Reference, ComponentsInAMarkersAxes) {
  Wrench w;
  w.force = Vec3(1, 2, 3);
  w.torque = Vec3(-4, 5, -6);
  const Mat3 R = turn(2, M_PI / 2);
  EXPECT_NEAR(component(w, R, 2), 2.0, kRounding);
  EXPECT_NEAR(component(w, R, 3), -1.0, kRounding);
  EXPECT_NEAR(component(w, R, 4), 3.0, kRounding);
  EXPECT_NEAR(component(w, R, 5), std::sqrt(77.0), kRounding);
  EXPECT_NEAR(component(w, R, 6), 5.0, kRounding);
  EXPECT_NEAR(component(w, R, 8), -6.0, kRounding);
}

// Four point masses: the tensor about their centre from one about another frame, and the sign of the products.
TEST(BodyMeaning, InertiaFromAnyFrame) {
  Example e(4);
  const Mat3 R = e.rotation().toRotationMatrix();
  const Vec3 o = e.vector();
  double ip[6] = {};
  Mat3 about_centre = Mat3::Zero();
  Vec3 centre = Vec3::Zero();
  std::vector<Vec3> points;
  for (int n = 0; n < 4; ++n) points.push_back(e.vector());
  for (const Vec3& p : points) centre += p / 4.0;
  for (const Vec3& p : points) {
    const Vec3 q = R.transpose() * (p - o);
    ip[0] += q.y() * q.y() + q.z() * q.z();
    ip[1] += q.x() * q.x() + q.z() * q.z();
    ip[2] += q.x() * q.x() + q.y() * q.y();
    ip[3] += q.x() * q.y();
    ip[4] += q.x() * q.z();
    ip[5] += q.y() * q.z();
    const Mat3 c = math::hat(p - centre);
    about_centre -= c * c;
  }
  EXPECT_LT((inertia_about_mass_centre(ip, 4.0, R, centre - o) - about_centre).norm(), kRounding);
}

// Without forces the power of the inertia terms is the rate of the kinetic energy, and gravity is −∂V/∂q.
TEST(BodyMeaning, EnergyAudit) {
  for (const Owner owner : {Owner::rigid, Owner::planar, Owner::point}) {
    Example e(5);
    e.body(owner);
    e.finish();
    const auto energies = [&](const State& s) {
      assembly::Kinematics kin(e.layout, e.markers);
      kin.update(s);
      assembly::Scratch scratch;
      const assembly::Evaluation at{s, kin, scratch, assembly::AnalysisMode::dynamics};
      return Eigen::Vector2d(kinetic_energy(e.masses[0], at), potential_energy(e.masses[0], at));
    };
    DenseSink k(e.layout, e.state);
    e.evaluate(e.state, k);
    const double h = std::cbrt(kEps);
    const auto at = [&](double t) {
      State s = e.state;
      assembly::retract(e.layout, e.state.q, t * e.state.v, s.q);
      s.v += t * e.state.a;
      return energies(s);
    };
    const double rate = ((at(h) - at(-h)) / (2 * h)).sum();
    EXPECT_NEAR(k.force.dot(e.state.v), rate, 1e-8);  // central difference, energies up to 30
  }
}

// The rows and the unknown a PTCV adds, and its start value on a curve.
TEST(CurveMeaning, PointOnCircleAndNearestParameter) {
  std::vector<math::Point> points;
  for (int k = 0; k <= 64; ++k)
    points.push_back({std::cos(2 * M_PI * k / 64), std::sin(2 * M_PI * k / 64), 0.0});
  std::string error;
  const auto circle = math::Curve::through_points(points, 4, true, error);
  ASSERT_TRUE(circle) << error;
  Example e(6);
  const BlockId body = e.body(Owner::rigid);
  const MarkerId i = e.marker(body);
  const MarkerId rm = e.markers.add({assembly::kGround, Vec3(1, 0, 0), Mat3::Identity()});
  const Ptcv ptcv = make_ptcv(i, *circle, rm, "PTCV/1", e.layout, e.markers);
  EXPECT_EQ(e.layout.row_count(), 3);
  EXPECT_EQ(e.layout.column_name(6), "PTCV/1 curve parameter");
  const double angle = 2.0;
  const double alpha = nearest_parameter(*circle, 1.3 * Vec3(std::cos(angle), std::sin(angle), 0.0));
  // The interpolated cubic leaves the circle by 4·(2π/64)⁴/384 ~ 1e-6 at most, its direction by less than 1e-4.
  EXPECT_NEAR(circle->derivatives(alpha, 0)[0], std::cos(angle), 1e-4);
  EXPECT_NEAR(circle->derivatives(alpha, 1)[0], std::sin(angle), 1e-4);
}

}  // namespace
}  // namespace trunnion::elements::test
