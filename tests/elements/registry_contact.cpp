// CONTACT between every two kinds of solid, overlapping at any of the random states: bodies are within 2 of one another.

#include "../../include/trunnion_user.h"
#include "elements/building.hpp"
#include "elements/contact.hpp"
#include "elements/registry_loads.hpp"
#include "math/mesh.hpp"
#include "math/plane_curve.hpp"

namespace trunnion::elements::test {
namespace {

using math::Shape;

Shape shape(Shape::Kind kind, double size, const Vec3& at = Vec3::Zero()) {
  Shape s;
  s.kind = kind;
  s.p = at;
  s.R = math::so3_exp(Vec3(0.3, -0.2, 0.5));
  s.radius = size;
  s.half = size * Vec3(1.0, 0.7, 0.8);
  s.low = 0.8 * size;
  s.high = 0.6 * size;
  s.major = size;
  s.minor = 0.4 * size;
  s.mesh = math::mesh_of(s, 12);
  math::set_bound(s);
  return s;
}

// Inside of it everywhere near by: an egg of 64 points, far larger than the bodies are apart.
Shape oval(double size, const Vec3& at) {
  std::vector<math::Point> points;
  constexpr int kPoints = 64;
  for (int k = 0; k <= kPoints; ++k) {
    const double turn = 2 * M_PI * (k % kPoints) / kPoints;
    points.push_back({size * std::cos(turn), 0.6 * size * std::sin(turn) + 0.1 * size * std::cos(turn), 0});
  }
  std::string error;
  Shape s;
  s.kind = Shape::Kind::curve;
  s.curve = math::PlaneCurve::make(*math::Curve::through_points(points, 4, true, error), Vec3::UnitZ(), false,
                                   error);
  s.R = math::so3_exp(Vec3(0.3, -0.2, 0.5));
  s.p = at + s.R * s.curve->p();
  s.R = s.R * s.curve->R();
  math::set_bound(s);
  return s;
}

void presses(trunnion_context* c, int, double time, const double*, int, int dflag, int, double* result) {
  double x[kNormalValues];
  trunnion_read_array(c, x, kNormalValues, "CONTACT", 1, 1);
  const double z = trunnion_read(c, "DIF", 1, 1);
  result[0] =
      x[12] * x[12] * (1 + 0.1 * x[13]) + 0.1 * (x[0] * x[3] + x[6] * x[10] + x[14]) + z * x[12] + time;
  if (dflag == 0) return;
  const auto by = [&](int k, double value) { trunnion_partial_array(c, 0, k, value, "CONTACT", 1, 1); };
  by(12, 2 * x[12] * (1 + 0.1 * x[13]) + z);
  by(13, 0.1 * x[12] * x[12]);
  by(0, 0.1 * x[3]);
  by(3, 0.1 * x[0]);
  by(6, 0.1 * x[10]);
  by(10, 0.1 * x[6]);
  by(14, 0.1);
  trunnion_partial(c, 0, x[12], "DIF", 1, 1);
}
void rubs(trunnion_context* c, int, double, const double*, int, int dflag, int, double* result) {
  double x[kFrictionValues];
  trunnion_read_array(c, x, kFrictionValues, "CONTACT", 1, 1);
  const double z = trunnion_read(c, "DIF", 1, 1);
  for (int k = 0; k < 3; ++k) result[k] = -0.1 * x[9] * x[6 + k] + 0.1 * x[k] * x[3 + k] + z * x[6];
  if (dflag == 0) return;
  for (int k = 0; k < 3; ++k) {
    const auto by = [&](int at, double value) { trunnion_partial_array(c, k, at, value, "CONTACT", 1, 1); };
    by(9, -0.1 * x[6 + k]);
    by(6 + k, -0.1 * x[9]);
    by(6, z);
    by(k, 0.1 * x[3 + k]);
    by(3 + k, 0.1 * x[k]);
    trunnion_partial(c, k, x[6], "DIF", 1, 1);
  }
}

std::shared_ptr<const UserTouch> user_touch(UserFunction function, int results, int own, int state,
                                            int time) {
  UserRoutine routine;
  routine.function = function;
  routine.owner = "CONTACT/1";
  routine.results = results;
  std::vector<int> all;
  for (int k = 0; k < own; ++k) all.push_back(k);
  std::vector<DeclaredRead> reads = {{{"CONTACT", {1}}, all}, {{"DIF", {1}}, {own}}};
  return std::make_shared<UserTouch>(std::move(routine), std::move(reads), own, std::vector<int>{state},
                                     time);
}

// Changes sign where a corner of a mesh passes a plane: the curvature of the volume below it has a kink there.
class CornersUnder final : public Law {
 public:
  CornersUnder(const Shape& i, const Shape& j) : i_(i), j_(j) {}
  void add(const VecMap& signals, VecMap c, MatMap) const override {
    const Vec3 p = signals.head<3>();
    const math::Mat3 R = math::Quat(signals[3], signals[4], signals[5], signals[6]).toRotationMatrix();
    const bool mesh_first = i_.kind == Shape::Kind::mesh;
    const Shape &mesh = mesh_first ? i_ : j_, &plane = mesh_first ? j_ : i_;
    double product = 1;
    for (const Vec3& x : mesh.mesh->points()) {
      const Vec3 own = mesh.p + mesh.R * x;
      const Vec3 other = mesh_first ? Vec3(p + R * own) : Vec3(R.transpose() * (own - p));
      product *= plane.R.col(2).dot(other - plane.p);
    }
    c[0] += product;
  }

 private:
  Shape i_, j_;
};

Example::Kink corners_under(const Shape& a, const Shape& b, MarkerId i, MarkerId j, const ContactData& data,
                            const Example& e) {
  Example::Kink kink;
  for (Signal& signal : contact_signals(i, j, data, e.layout, e.markers))
    kink.response.signals.add(std::move(signal), e.layout, kink.columns);
  kink.response.law = std::make_shared<CornersUnder>(a, b);
  return kink;
}

}  // namespace

void add_contacts(const AddLoad& add) {
  enum class Kind { impact, poisson, refined, stiction, stiction_at_rest, user };
  const auto pair = [&](const std::string& name, Example::Potential potential, const Shape& a, const Shape& b,
                        Kind kind = Kind::impact) {
    // The regimes join with kinks in their curvature. Where there are many points one or the other is always near, and a mesh has kinks of
    // its own; an ellipsoid between flexible bodies was drawn on one. Balls, frusta and tori go through all regimes.
    const auto is = [a, b](Shape::Kind one) { return a.kind == one || b.kind == one; };
    const bool many = is(Shape::Kind::box) || is(Shape::Kind::ellipsoid) || is(Shape::Kind::circle) ||
                      is(Shape::Kind::mesh) || kind == Kind::stiction_at_rest;
    add("contact_" + name, [=](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId z) {
      Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
      ContactData data;
      data.stiffness = 2.0;
      data.poisson = kind == Kind::poisson || kind == Kind::refined;
      data.exponent = data.poisson ? 1.0 : 1.5;
      data.restitution = 0.6;
      if (data.poisson) data.rebound_velocity = e.uniform(2.0, 20.0);
      data.damping = 0.05;
      data.dmax = many ? 50.0 : e.uniform(0.5, 20.0);
      data.friction = true;
      data.rubs.mu_static = 0.5;
      data.rubs.mu_dynamic = 0.3;
      data.rubs.stiction_velocity = many ? 50.0 : e.uniform(0.4, 4.0);
      data.rubs.friction_velocity = 2.0 * data.rubs.stiction_velocity;
      data.i = {a};
      data.j = {b};
      if (kind == Kind::stiction || kind == Kind::stiction_at_rest) {
        data.rubs.creep =
            many || kind == Kind::stiction_at_rest ? e.uniform(20.0, 40.0) : e.uniform(0.5, 5.0);
        data.memory = 0;
        const double now = kind == Kind::stiction ? -0.5 : 2.0;  // before or after all times of the states
        e.memory = {now, 1.0, e.uniform(), e.uniform(), e.uniform(), 0.5, -0.5, 0.5, 0.5};
        while (static_cast<int>(e.memory.size()) < data.memory_size())
          e.memory.push_back(e.uniform(-2.0, 2.0));
      }
      if (kind == Kind::refined) {
        data.refining = 2.0;
        data.memory = 0;
        e.memory = {-0.5, 1.0, 0, 0, 0, 1, 0, 0, 0};  // before all times of the states
        while (static_cast<int>(e.memory.size()) < data.memory_size())
          e.memory.push_back(e.uniform(0.01, 0.4));
      }
      for (Signal& signal : contact_signals(i, j, data, e.layout, e.markers))
        load.response.signals.add(std::move(signal), e.layout, load.columns);
      if (is(Shape::Kind::mesh)) e.kinks.push_back(corners_under(a, b, i, j, data, e));
      if (kind == Kind::user) {
        const int state = load.response.signals.add(Signal::of_state(z, 0), e.layout, load.columns),
                  time = load.response.signals.add(Signal{}, e.layout, load.columns);
        data.user_normal = user_touch(&presses, 1, kNormalValues, state, time);
        data.user_friction = user_touch(&rubs, 3, kFrictionValues, state, time);
      }
      load.response.law = std::make_shared<Contact>(std::move(data));
      e.potential = potential;
      seal(load);
      e.loads.push_back(std::move(load));
    });
  };
  const auto both_ways = [&](const std::string& a_name, const Shape& a, const std::string& b_name,
                             const Shape& b, Example::Potential potential) {
    pair(a_name + "_" + b_name, potential, a, b);
    pair(b_name + "_" + a_name, potential, b, a);
  };
  using K = Shape::Kind;
  using P = Example::Potential;
  const Shape ball = shape(K::sphere, 6.0), plane = shape(K::plane, 0.0, {0, 0, 8});
  both_ways("sphere", ball, "plane", plane, P::exact);
  // What POISSON gives back is less than its potential, and creep stores energy of its own.
  pair("poisson", P::none, ball, plane, Kind::poisson);
  pair("refined", P::none, ball, plane, Kind::refined);
  pair("refined_box", P::none, shape(K::box, 1.0), plane, Kind::refined);
  pair("stiction", P::none, ball, shape(K::sphere, 0.5), Kind::stiction);
  pair("stiction_at_rest", P::none, ball, plane, Kind::stiction_at_rest);
  pair("user", P::none, ball, shape(K::ellipsoid, 0.5), Kind::user);
  const Shape egg = oval(9.0, {7, 0, 0}), point = shape(K::point, 0.0);
  const Shape disc = shape(K::circle, 3.0);
  both_ways("point", point, "curve", egg, P::exact);
  both_ways("circle", disc, "curve", egg, P::exact);
  pair("circle_circle", P::exact, disc, shape(K::circle, 2.0));
  pair("sphere_sphere", P::exact, ball, shape(K::sphere, 0.5));
  Shape block = shape(K::box, 30.0, {0, 0, -29});  // below: its edges, where the curvature jumps, are far
  block.R.setIdentity();
  both_ways("sphere", shape(K::sphere, 12.0), "box", block, P::exact);
  both_ways("sphere", ball, "frustum", shape(K::frustum, 0.3), P::exact);
  both_ways("sphere", ball, "torus", shape(K::torus, 0.3), P::exact);
  both_ways("sphere", ball, "ellipsoid", shape(K::ellipsoid, 0.5), P::exact);
  both_ways("ellipsoid", shape(K::ellipsoid, 1.0), "plane", plane, P::exact);
  both_ways("torus", shape(K::torus, 1.0), "plane", plane, P::exact);
  both_ways("frustum", shape(K::frustum, 1.0), "plane", plane, P::exact);
  both_ways("box", shape(K::box, 1.0), "plane", plane, P::exact);
  pair("stiction_of_a_box", P::none, plane, shape(K::box, 1.0), Kind::stiction);
  both_ways("box", shape(K::box, 0.5, {0, 0, 2}), "wide_box", shape(K::box, 30.0, {0, 0, -16}), P::exact);
  // A volume. Two meshes have kinks in the curvature everywhere: tests/math/touch_test.cpp.
  Shape mesh = shape(K::box, 6.0, {0, 0, 2});
  mesh.kind = K::mesh;
  both_ways("mesh", mesh, "plane", shape(K::plane, 0.0), P::exact);
}

}  // namespace trunnion::elements::test
