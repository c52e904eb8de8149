#include "metamorphic/generator.hpp"

#include <cmath>

#include <fmt/format.h>

#include "metamorphic/transform.hpp"

namespace trunnion::metamorphic {

using math::Mat3;
using math::Vec3;
using model::Joint;
using system::Frame;

namespace {

struct Body {
  int id = 1;
  Frame X;                                  // X_GB
  Vec3 cm = Vec3::Zero();                   // in ground axes
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // of the mass centre, ground axes
  Vec3 velocity(const Vec3& p) const { return v + w.cross(p - cm); }
};

// A joint as built: markers and what may be driven or sprung.
struct Built {
  int id = 0, i = 0, j = 0;
  std::size_t body = 0, parent = 0;
  bool turns = false, slides = false, free = true;  // free: nothing drives it yet
};

class Builder {
 public:
  Builder(std::uint64_t seed, bool conservative) : random_(seed), conservative_(conservative) {
    planar_ = chance(0.35);
    floating_ = conservative && chance(0.5);
  }

  Case build(std::string name) {
    Case c;
    c.name = std::move(name);
    model_.title = fmt::format("random mechanism, {}", c.name);
    units();
    ground();
    const int count = whole(random_, 1, 5);
    for (int k = 0; k < count; ++k) add_body();
    const int loops = bodies_.size() > 2 ? whole(random_, 0, 1) : 0;
    for (int k = 0; k < loops; ++k) close_loop();
    if (!floating_ && chance(0.2)) train();
    if (!conservative_ && chance(0.15)) elastic_body();
    if (chance(0.2)) point_mass();
    if (!floating_ && chance(0.7)) gravity();
    forces();
    if (!conservative_) {
      friction();
      states();
      control();
      motions();
    }
    watch();
    for (const Body& body : bodies_) write_velocities(body);
    make_velocities_consistent();
    c.model = std::move(model_);
    // A rotor turns a few times, a slow mechanism swings once or so.
    c.duration = std::min(0.8, 25 / std::max(fastest_, 1.0));
    return c;
  }

 private:
  double in(double low, double high) { return uniform(random_, low, high); }
  bool chance(double p) { return in(0, 1) < p; }
  Vec3 point(double size) { return {in(-size, size), in(-size, size), planar_ ? 0.0 : in(-size, size)}; }
  // In a planar mechanism about z only, and often exactly along the global axes.
  Mat3 turn() {
    if (!planar_) return any_rotation(random_);
    const double angle = chance(0.4) ? 0.0 : in(-M_PI, M_PI);
    return math::so3_exp(Vec3(0, 0, angle));
  }

  void units() {
    model::Units u;
    u.force = model::Units::Force::newton;
    u.mass = model::Units::Mass::kilogram;
    u.length = model::Units::Length::meter;
    u.time = model::Units::Time::second;
    model_.add(u);
  }

  void ground() {
    model::Part part;
    part.id = 1;
    part.ground = true;
    model_.add(part);
    bodies_.push_back({});
  }

  void gravity() {
    model::Accgrav g;
    const Vec3 a = planar_ ? Vec3(0, -9.81, 0) : Vec3(any_rotation(random_) * Vec3(0, 0, 9.81));
    g.igrav = a.x();
    g.jgrav = a.y();
    g.kgrav = a.z();
    model_.add(g);
  }

  int marker(const Body& body, const Vec3& p, const Mat3& R = Mat3::Identity()) {
    const Frame local = body.X.inverse() * Frame{p, R};
    model::Marker m;
    m.id = ++markers_;
    m.part = body.id;
    m.qp = {local.p.x(), local.p.y(), local.p.z()};
    const math::EulerAngles a = math::euler_313(local.R);
    m.reuler = {a.first, a.second, a.third};
    model_.add(m);
    return m.id;
  }

  int floating_marker(const Body& body) {
    model::Marker m;
    m.id = ++markers_;
    m.part = body.id;
    m.floating = true;
    model_.add(m);
    return m.id;
  }

  // A part somewhere near its parent; its mass centre's marker comes with the joint.
  Body new_part(std::size_t parent) {
    Body body;
    body.id = static_cast<int>(bodies_.size()) + 1;
    body.X = {Vec3(bodies_[parent].cm + point(0.5)), turn()};
    body.cm = body.X.p + point(0.15);
    model::Part part;
    part.id = body.id;
    part.mass = in(0.5, 4);
    const double a = in(0.01, 0.08), b = in(0.01, 0.08), c = in(0.01, 0.08);
    part.ip = {b + c, a + c, a + b};
    part.qg = {body.X.p.x(), body.X.p.y(), body.X.p.z()};
    const math::EulerAngles angles = math::euler_313(body.X.R);
    part.reuler = {angles.first, angles.second, angles.third};
    model_.add(part);
    return body;
  }
  void set_mass_centre(const Body& body) {
    const int cm = marker(body, body.cm, planar_ ? Mat3(Mat3::Identity()) : turn());
    auto table = model_.all<model::Part>();
    table[table.size() - 1].cm = cm;
  }
  void keep(const Body& body) {
    bodies_.push_back(body);
    fastest_ = std::max(fastest_, body.w.norm());
  }

  void add_body() {
    const std::size_t parent = floating_ && bodies_.size() == 1 ? 0 : pick_parent();
    Body body = new_part(parent);
    const bool rotor = !floating_ && chance(0.25);
    // A rotor's pin goes through its mass centre, or a little beside it.
    const Vec3 pin = rotor ? Vec3(body.cm + (chance(0.5) ? Vec3(Vec3::Zero()) : Vec3(0.02 * point(1))))
                           : place_of_pin(body, parent);
    set_mass_centre(body);
    if (floating_ && parent == 0) {
      body.v = point(0.5);
      body.w = spin(3);
    } else {
      join(body, parent, pin, rotor ? Joint::Type::revolute : any_joint(), rotor ? in(15, 60) : in(-4, 4));
    }
    keep(body);
  }

  // A floating mechanism hangs on its first body.
  std::size_t pick_parent() {
    const int last = static_cast<int>(bodies_.size()) - 1;
    return static_cast<std::size_t>(floating_ ? whole(random_, 1, last) : whole(random_, 0, last));
  }
  Vec3 place_of_pin(const Body& body, std::size_t parent) {
    return 0.5 * (body.cm + bodies_[parent].cm) + point(0.1);
  }
  Vec3 spin(double size) { return planar_ ? Vec3(0, 0, in(-size, size)) : point(size); }

  Joint::Type any_joint() {
    using T = Joint::Type;
    if (planar_) return chance(0.75) ? T::revolute : chance(0.6) ? T::translational : T::planar;
    constexpr T all[] = {T::revolute,  T::revolute,  T::translational, T::cylindrical,
                         T::spherical, T::spherical, T::universal,     T::hooke,
                         T::planar,    T::convel,    T::fixed,         T::screw};
    return all[whole(random_, 0, 11)];
  }

  // z of both markers: the axis. In a planar mechanism sliding is in the plane.
  Mat3 axes_for(Joint::Type type) {
    if (!planar_) return turn();
    if (type != Joint::Type::translational) return Mat3::Identity();
    return math::so3_exp(Vec3(0, 0, in(-M_PI, M_PI))) * math::so3_exp(Vec3(M_PI / 2, 0, 0));
  }
  void join(Body& body, std::size_t parent, const Vec3& pin, Joint::Type type, double rate) {
    const Mat3 R = axes_for(type);
    join(body, parent, pin, type, rate, R, chance(0.5) ? in(-2, 2) : 0.0);
  }
  // `apart`: I starts turned by this.
  void join(Body& body, std::size_t parent, const Vec3& pin, Joint::Type type, double rate, const Mat3& R,
            double apart) {
    using T = Joint::Type;
    Mat3 R_I = R;
    if (type == T::revolute || type == T::cylindrical || type == T::planar)
      R_I = R * math::so3_exp(Vec3(0, 0, apart));
    if (type == T::universal) R_I = R * math::so3_exp(Vec3(M_PI / 2, 0, 0));
    if (type == T::convel) R_I = R * math::so3_exp(Vec3(M_PI, 0, 0));  // z axes point away from the joint
    if (type == T::spherical) R_I = turn();
    const Body& on = bodies_[parent];
    const int i = marker(body, pin, R_I), j = marker(on, pin, R);
    const Vec3 z = R.col(2);
    Vec3 w = on.w, v = on.velocity(pin);
    switch (type) {
      case T::revolute: w += rate * z; break;
      case T::translational: v += 0.3 * rate * z; break;
      case T::cylindrical:
        w += rate * z;
        v += 0.2 * rate * z;
        break;
      case T::spherical: w += spin(2); break;
      case T::universal: w += rate * z; break;
      case T::hooke: w += rate * R.col(1); break;
      case T::planar: v += 0.2 * rate * R.col(0); break;
      case T::screw: w += rate * z, v += rate * kPitch / (2 * M_PI) * z; break;
      default: break;
    }
    body.w = w;
    body.v = v + w.cross(body.cm - pin);
    if (type == T::screw) add_joint(T::cylindrical, i, j);
    const int id = add_joint(type, i, j);
    const bool turns = type == T::revolute, slides = type == T::translational;
    joints_.push_back({id, i, j, bodies_.size(), parent, turns, slides, apart == 0});
  }

  static constexpr double kPitch = 0.1;

  int add_joint(Joint::Type type, int i, int j) {
    Joint joint;
    joint.id = ++joint_ids_;
    joint.type = type;
    joint.i = i;
    joint.j = j;
    if (type == Joint::Type::screw) joint.pitch = kPitch;
    model_.add(joint);
    return joint.id;
  }

  // One to three equations between two bodies that no joint connects directly.
  void close_loop() {
    const int last = static_cast<int>(bodies_.size()) - 1;
    const auto a = static_cast<std::size_t>(last), b = static_cast<std::size_t>(whole(random_, 0, last - 1));
    if (joints_.back().parent == b || (floating_ && b == 0)) return;
    const Vec3 p = 0.5 * (bodies_[a].cm + bodies_[b].cm) + point(0.2);
    looped_ = true;
    if (chance(0.3))
      return planar_ ? curve_on_curve(bodies_[a], bodies_[b], p) : point_on_curve(bodies_[a], bodies_[b], p);
    const Mat3 R =
        planar_ ? Mat3(math::so3_exp(Vec3(0, 0, in(-M_PI, M_PI))) * math::so3_exp(Vec3(M_PI / 2, 0, 0)))
                : turn();
    using T = model::Jprim::Type;
    constexpr T kinds[] = {T::inplane, T::inplane, T::inline_, T::perpendicular, T::atpoint};
    const T type = planar_ ? T::inplane : kinds[whole(random_, 0, 4)];
    model::Jprim loop;
    loop.id = 1;
    loop.type = type;
    loop.i =
        marker(bodies_[a], p, type == T::perpendicular ? Mat3(R * math::so3_exp(Vec3(M_PI / 2, 0, 0))) : R);
    loop.j = marker(bodies_[b], p, R);
    model_.add(loop);
  }

  int matrix(std::vector<double> values, int rows, int columns) {
    model::Matrix m;
    m.id = ++matrices_;
    m.full = model::Matrix::Order::rows;
    m.rows = rows;
    m.columns = columns;
    m.values = std::move(values);
    model_.add(m);
    return m.id;
  }
  int curve(std::vector<double> points, model::Curve::Ends ends) {
    model::Curve c;
    c.id = ++curves_;
    c.ends = ends;
    const int rows = static_cast<int>(points.size()) / 3;
    c.matrix = matrix(std::move(points), rows, 3);
    c.points = model::Curve::Points::curve_points;
    model_.add(c);
    return c.id;
  }

  // A slot along a gentle bend, long enough for every motion drawn.
  void point_on_curve(const Body& a, const Body& b, const Vec3& p) {
    constexpr int kHalf = 6;
    const double bend = in(0.1, 0.4), twist = in(-0.1, 0.1);
    std::vector<double> points;
    for (int k = -kHalf; k <= kHalf; ++k) {
      const double x = 0.6 * k;
      points.insert(points.end(), {x, bend * x * x / (1 + x * x), twist * x * x * x / (1 + x * x)});
    }
    model::Ptcv slot;
    slot.id = 1;
    slot.i = marker(a, p);
    slot.rm = marker(b, p, turn());
    slot.jfloat = floating_marker(b);
    slot.curve = curve(std::move(points), model::Curve::Ends::open);
    slot.disp = {0, 0, 0};
    slot.icm = slot.rm;
    model_.add(slot);
  }

  // Two cams of round points, which touch where each has one: there their tangents are exact by symmetry.
  void curve_on_curve(const Body& a, const Body& b, const Vec3& p) {
    constexpr int kPoints = 16;
    const double angle = in(-M_PI, M_PI);
    const auto cam = [&](const Body& body, double radius, double to_contact, int& frame) {
      const Mat3 R = math::so3_exp(Vec3(0, 0, to_contact));
      frame = marker(body, p - radius * R.col(0), R);
      std::vector<double> points;
      for (int k = 0; k <= kPoints; ++k) {
        const double at = 2 * M_PI * (k % kPoints) / kPoints;
        points.insert(points.end(), {radius * std::cos(at), radius * std::sin(at), 0});
      }
      return curve(std::move(points), model::Curve::Ends::closed);
    };
    model::Cvcv contact;
    contact.id = 1;
    const double r = in(0.1, 0.3), s = in(0.1, 0.3);
    int irm = 0, jrm = 0;
    contact.icurve = cam(a, r, angle, irm);
    contact.jcurve = cam(b, s, angle + M_PI, jrm);
    contact.irm = contact.iicm = irm;
    contact.jrm = contact.jicm = jrm;
    contact.ifloat = floating_marker(a);
    contact.jfloat = floating_marker(b);
    contact.idisp = {r, 0, 0};
    contact.jdisp = {s, 0, 0};
    model_.add(contact);
  }

  // A wheel on a carrier, and a second wheel or a rack that it drives.
  void train() {
    const std::size_t carrier = pick_parent();
    if (bodies_[carrier].w.norm() > kSlow) return;
    const Mat3 R = planar_ ? Mat3(Mat3::Identity()) : turn();
    Body wheel = new_part(carrier);
    const Vec3 pin = wheel.cm;
    set_mass_centre(wheel);
    join(wheel, carrier, pin, Joint::Type::revolute, in(-4, 4), R, 0);
    const Built first = joints_.back();
    keep(wheel);
    const int kind = whole(random_, 0, 3);
    const bool rack = kind >= 2;
    const Mat3 along = R * math::so3_exp(Vec3(0, M_PI / 2, 0));  // z: the wheel's x
    Body driven = new_part(carrier);
    set_mass_centre(driven);
    const Vec3 next = pin + in(0.15, 0.4) * R.col(1);
    if (rack) join(driven, carrier, next, Joint::Type::translational, 0, along, 0);
    else join(driven, carrier, next, Joint::Type::revolute, 0, R, 0);
    const Built second = joints_.back();
    keep(driven);
    looped_ = true;  // no motion: velocities are given by the train
    if (kind == 0) {
      model::Gear gear;
      gear.id = 1;
      gear.joints.ids = {first.id, second.id};
      gear.cv = marker(bodies_[carrier], pin + in(0.3, 0.7) * (next - pin), along);
      model_.add(gear);
    } else if (kind == 2) {
      const double diameter = 2 * (next - pin).norm();
      const int pinion = marker(bodies_[bodies_.size() - 2], pin, R);
      const int teeth = marker(bodies_.back(), next, along);
      model::Joint joint;
      joint.id = ++joint_ids_;
      joint.type = Joint::Type::rackpin;
      joint.i = pinion;
      joint.j = teeth;
      joint.pd = chance(0.5) ? diameter : -diameter;
      model_.add(joint);
    } else {
      model::Coupler coupler;
      coupler.id = 1;
      coupler.joints.ids = {first.id, second.id};
      coupler.scales = {1, rack ? in(2, 6) : in(-2, 2)};
      model_.add(coupler);
    }
  }

  // Held by a BEAM or a FIELD alone.
  void elastic_body() {
    const std::size_t parent = pick_parent();
    if (bodies_[parent].w.norm() > kSlow) return;
    Body body = new_part(parent);
    set_mass_centre(body);
    body.w = bodies_[parent].w;
    body.v = bodies_[parent].velocity(body.cm);
    const Mat3 R = planar_ ? math::so3_exp(Vec3(0, 0, in(-M_PI, M_PI))) : turn();
    const double length = in(0.2, 0.4);
    if (chance(0.5)) {
      model::Beam beam;
      beam.id = 1;
      beam.i = marker(body, body.cm, R);
      beam.j = marker(bodies_[parent], body.cm - length * R.col(0), R);
      beam.length = length;
      beam.area = in(4e-4, 1e-3);
      beam.ixx = in(2e-5, 4e-5);
      beam.iyy = in(1e-5, 2e-5);
      beam.izz = in(1e-5, 2e-5);
      beam.emodulus = 1e6;
      beam.gmodulus = 4e5;
      beam.cratio = in(0.001, 0.01);
      model_.add(beam);
    } else {
      model::Field field;
      field.id = 1;
      field.i = marker(body, body.cm, R);
      field.j = marker(bodies_[parent], body.cm, R);
      field.kmatrix.assign(36, 0.0);
      for (std::size_t k = 0; k < 6; ++k) field.kmatrix[7 * k] = k < 3 ? in(300, 1000) : in(20, 80);
      field.cratio = in(0.005, 0.02);
      model_.add(field);
    }
    keep(body);
  }

  // Hangs on springs.
  void point_mass() {
    const Body& near = any_body();
    const Vec3 p = near.cm + point(0.4) + Vec3(0.3, 0.2, 0);
    model::PointMass mass;
    mass.id = 1;
    mass.mass = in(0.3, 2);
    mass.qg = {p.x(), p.y(), p.z()};
    const Vec3 v = point(0.5);
    mass.vx = v.x();
    mass.vy = v.y();
    mass.vz = v.z();
    const int cm = ++markers_;
    mass.cm = cm;
    model_.add(mass);
    model::Marker m;
    m.id = cm;
    m.point_mass = mass.id;
    model_.add(m);
    for (int k = 0; k < 3; ++k) {
      const Body& body = k == 0 ? near : any_body();
      const Vec3 q =
          p + Mat3(math::so3_exp(Vec3(0, 0, 2.1 * k))) * Vec3(in(0.3, 0.6), 0, planar_ ? 0.0 : in(-0.3, 0.3));
      model::SpringDamper s;
      s.id = ++springs_;
      s.type = model::Freedom::translation;
      s.i = cm;
      s.j = marker(body, q);
      s.k = in(50, 300);
      s.length = (p - q).norm() * in(0.7, 1.0);
      model_.add(s);
    }
  }

  // With a wide stiction: a motion that sticks and slips within a hair is not followed for long by any ERROR. Not in a loop, whose
  // redundant reactions are not unique: nor is what rubs by them.
  void friction() {
    if (looped_ || !chance(0.3)) return;
    for (const Built& joint : joints_) {
      if (!joint.turns && !joint.slides) continue;
      model::Friction f;
      f.id = 1;
      f.joint = joint.id;
      f.mu_static = in(0.1, 0.3);
      f.mu_dynamic = *f.mu_static * in(0.6, 1);
      f.stiction_transition_velocity = 0.3;
      f.max_stiction_deformation = 0.02;
      if (joint.turns) {
        f.pin_radius = in(0.02, 0.05);
        f.friction_arm = in(0.02, 0.05);
        f.bending_reaction_arm = in(0.1, 0.3);
      } else {
        f.reaction_arm = in(0.05, 0.2);
        f.initial_overlap = in(0.3, 0.5);
      }
      model_.add(f);
      return;
    }
  }

  // A controller that pulls by what it made of a distance: TFSISO or LSE.
  void control() {
    if (!chance(0.2)) return;
    const Body &a = any_body(), &b = other_body(a);
    if (a.id == b.id) return;
    const int i = marker(a, a.cm + point(0.2)), j = marker(b, b.cm + point(0.3) + Vec3(-0.3, -0.4, 0));
    model::Variable input;
    input.id = ++variables_;
    input.function = fmt::format("DM({},{})", i, j);
    model_.add(input);
    const auto array = [&](model::Array::Type type, int size) {
      model::Array a_;
      a_.id = ++arrays_;
      a_.type = type;
      a_.size = size;
      if (type == model::Array::Type::u) a_.variables.ids = {input.id};
      model_.add(a_);
      return a_.id;
    };
    using A = model::Array::Type;
    const int x = array(A::x, 2), u = array(A::u, 1), y = array(A::y, 1);
    const double slow = in(5, 15), fast = in(15, 40);
    if (chance(0.5)) {
      model::Tfsiso t;
      t.id = 1;
      t.x = x;
      t.u = u;
      t.y = y;
      t.numerator = {slow * fast, in(1, 20)};
      t.denominator = {slow * fast, slow + fast, 1};
      model_.add(t);
    } else {
      model::Lse l;
      l.id = 1;
      l.x = x;
      l.u = u;
      l.y = y;
      l.a = matrix({-slow, in(-5, 5), 0, -fast}, 2, 2);
      l.b = matrix({slow, fast}, 2, 1);
      l.c = matrix({1, in(-1, 1)}, 1, 2);
      model_.add(l);
    }
    model::Sforce f;
    f.id = ++sforces_;
    f.type = model::Freedom::translation;
    f.i = i;
    f.j = j;
    f.function = fmt::format("-{:.4f}*ARYVAL({},1)", in(2, 10), y);
    model_.add(f);
  }

  // --- forces
  const Body& any_body() {
    return bodies_[static_cast<std::size_t>(whole(random_, 1, static_cast<int>(bodies_.size()) - 1))];
  }
  const Body& other_body(const Body& than) {
    for (int tries = 0; tries < 20; ++tries) {
      const Body& b = bodies_[static_cast<std::size_t>(
          whole(random_, floating_ ? 1 : 0, static_cast<int>(bodies_.size()) - 1))];
      if (b.id != than.id) return b;
    }
    return than;
  }

  void forces() {
    const int count = whole(random_, 0, 3);
    for (int k = 0; k < count; ++k) {
      const Body &a = any_body(), &b = other_body(a);
      if (a.id == b.id) continue;
      const int kind = conservative_ ? 0 : whole(random_, 0, 4);
      if (kind <= 1) spring(a, b);
      else if (kind == 2) push(a, b);
      else if (kind == 3) vector_force(a, b);
      else bushing(a, b);
    }
    for (const Built& joint : joints_) {
      if (joint.turns && chance(0.4)) torsion(joint);
      else if (joint.turns && !conservative_ && chance(0.3)) motor(joint);
    }
  }

  void spring(const Body& a, const Body& b) {
    model::SpringDamper s;
    s.id = ++springs_;
    s.type = model::Freedom::translation;
    const Vec3 p = a.cm + point(0.2), q = b.cm + point(0.2) + Vec3(0.4, 0.3, 0);
    s.i = marker(a, p);
    s.j = marker(b, q);
    s.k = in(20, 300);
    s.length = (p - q).norm() * in(0.7, 1.2);
    if (!conservative_ && chance(0.5)) s.c = in(0.5, 5);
    model_.add(s);
  }

  // Free angle anywhere: a rotor winds it up over several turns.
  void torsion(const Built& joint) {
    model::SpringDamper s;
    s.id = ++springs_;
    s.type = model::Freedom::rotation;
    s.i = joint.i;
    s.j = joint.j;
    s.kt = chance(0.5) ? in(0.005, 0.05) : in(0.5, 5);
    s.angle = in(-1, 1);
    if (!conservative_ && chance(0.3)) s.ct = in(0.001, 0.05);
    model_.add(s);
  }

  void motor(const Built& joint) {
    model::Sforce f;
    f.id = ++sforces_;
    f.type = model::Freedom::rotation;
    f.actiononly = chance(0.3);
    f.i = joint.i;
    f.j = joint.j;
    f.function = fmt::format("{:.4f}*SIN({:.4f}*TIME)-{:.4f}*WZ({},{},{})", in(0.05, 0.5), in(2, 12),
                             in(0.001, 0.02), joint.i, joint.j, joint.j);
    model_.add(f);
  }

  void push(const Body& a, const Body& b) {
    model::Sforce f;
    f.id = ++sforces_;
    f.type = model::Freedom::translation;
    const Vec3 p = a.cm + point(0.2), q = b.cm + point(0.2) + Vec3(-0.4, 0.4, 0);
    f.i = marker(a, p);
    f.j = marker(b, q);
    const std::string ij = fmt::format("({},{})", f.i.id, f.j.id);
    f.function = fmt::format("-{:.4f}*(DM{}-{:.4f})**3-{:.4f}*VR{}+{:.4f}*STEP(TIME,0.05,0,0.3,1)",
                             in(50, 300), ij, (p - q).norm(), in(0.2, 3), ij, in(-4, 4));
    model_.add(f);
  }

  void vector_force(const Body& a, const Body& b) {
    const int i = marker(a, a.cm + point(0.2)), rm = marker(b, b.cm + point(0.2));
    const int floating = floating_marker(b);
    const std::string k = fmt::format("-{:.4f}*", in(5, 60)), c = fmt::format("-{:.4f}*", in(0.1, 2));
    const auto component = [&](const char* axis) {
      return fmt::format("{0}D{1}({2},{3},{3}){4}V{1}({2},{3},{3},{3})", k, axis, i, rm, c);
    };
    if (chance(0.5)) {
      model::Vforce f;
      f.id = ++vforces_;
      f.i = i;
      f.jfloat = floating;
      f.rm = rm;
      f.fx = component("X");
      f.fy = component("Y");
      if (!planar_) f.fz = component("Z");
      model_.add(f);
    } else {
      model::Gforce f;
      f.id = ++vforces_;
      f.i = i;
      f.jfloat = floating;
      f.rm = rm;
      f.fx = component("X");
      f.fy = component("Y");
      f.tz = fmt::format("-{:.4f}*WZ({},{},{})", in(0.01, 0.1), i, rm, rm);
      model_.add(f);
    }
  }

  // Without stiffness about its axes: its angles are for small ones only.
  void bushing(const Body& a, const Body& b) {
    model::Bushing f;
    f.id = ++bushings_;
    const Vec3 p = 0.5 * (a.cm + b.cm);
    const Mat3 R = turn();
    f.i = marker(a, p, R);
    f.j = marker(b, p, R);
    f.k = {in(50, 400), in(50, 400), in(50, 400)};
    f.c = {in(0.5, 4), in(0.5, 4), in(0.5, 4)};
    f.ct = {in(0.01, 0.1), in(0.01, 0.1), in(0.01, 0.1)};
    model_.add(f);
  }

  // --- a filter that follows a coordinate, an algebraic variable, and a force that reads both
  void states() {
    if (!chance(0.4)) return;
    const Body &a = any_body(), &b = other_body(a);
    if (a.id == b.id) return;
    const int i = marker(a, a.cm + point(0.2)), j = marker(b, b.cm + point(0.3) + Vec3(0.3, -0.4, 0));
    model::Diff filter;
    filter.id = ++diffs_;
    filter.function = fmt::format("(DX({0},{1},{1})-DIF({2}))/{3:.4f}", i, j, filter.id, in(0.05, 0.3));
    model_.add(filter);
    model::Variable mean;
    mean.id = ++variables_;
    mean.function =
        fmt::format("0.5*(DY({0},{1},{1})+DIF({2}))-0.1*SIN(VARVAL({3}))", i, j, filter.id, mean.id);
    model_.add(mean);
    model::Sforce f;
    f.id = ++sforces_;
    f.type = model::Freedom::translation;
    f.i = i;
    f.j = j;
    f.function = fmt::format("-{:.4f}*VARVAL({})-{:.4f}*DIF({})", in(2, 15), mean.id, in(2, 15), filter.id);
    model_.add(f);
  }

  void motions() {
    if (looped_) return;
    for (Built& joint : joints_) {
      if (!(joint.turns || joint.slides) || !joint.free || !chance(0.2)) continue;
      model::Motion m;
      m.id = ++motions_;
      m.joint = joint.id;
      m.freedom = joint.turns ? model::Freedom::rotation : model::Freedom::translation;
      const double size = joint.turns ? 1.0 : 0.2;
      if (joint.turns && chance(0.4)) {
        m.level = model::Motion::Level::velocity;
        m.function = fmt::format("{:.4f}+{:.4f}*SIN({:.4f}*TIME)", in(2, 20), in(0, 2), in(3, 10));
        fastest_ = std::max(fastest_, 22.0);
      } else {
        m.function = fmt::format("{:.4f}*SIN({:.4f}*TIME)", size * in(0.3, 1), in(3, 10));
      }
      joint.free = false;
      model_.add(m);
      return;
    }
  }

  // Turns counted by AZ, in the equations and in the results, beside the integral of the speed.
  void watch() {
    for (const Built& joint : joints_) {
      if (!joint.turns) continue;
      const std::string ij = fmt::format("({},{})", joint.i, joint.j);
      model::Variable angle;
      angle.id = ++variables_;
      angle.function = "AZ" + ij;
      model_.add(angle);
      model::Request request;
      request.id = ++requests_;
      request.f2 = "AZ" + ij;
      model_.add(request);
    }
  }

  void write_velocities(const Body& body) {
    for (model::Part& part : model_.all<model::Part>()) {
      if (part.id != body.id || part.ground) continue;
      // All six: assembly keeps what is given by weights, and loses digits where only some are.
      part.vx = body.v.x();
      part.vy = body.v.y();
      part.vz = body.v.z();
      part.wx = body.w.x();
      part.wy = body.w.y();
      part.wz = body.w.z();
    }
  }

  // A loop or a motion takes velocities away. What assembly leaves of them depends on units, so it is written down as the start.
  void make_velocities_consistent() {
    const History history = start(model_);
    if (!history.ok) return;
    for (const Quantity& q : history.quantities) {
      const double* x = history.value(0, q);
      for (model::Part& part : model_.all<model::Part>()) {
        if (q.name == fmt::format("PART/{}.VX", part.id)) {
          part.vx = x[0];
          part.vy = x[1];
          part.vz = x[2];
        } else if (q.name == fmt::format("PART/{}.WX", part.id)) {
          part.wx = x[0];
          part.wy = x[1];
          part.wz = x[2];
        }
      }
    }
  }

  Random random_;
  bool conservative_, planar_ = false, floating_ = false, looped_ = false;
  model::Model model_;
  std::vector<Body> bodies_;  // the ground first
  std::vector<Built> joints_;
  double fastest_ = 0;
  static constexpr double kSlow = 8;  // what carries others turns no faster
  int matrices_ = 0, curves_ = 0, arrays_ = 0, markers_ = 0, joint_ids_ = 0, springs_ = 0, sforces_ = 0,
      vforces_ = 0, bushings_ = 0, diffs_ = 0, variables_ = 0, motions_ = 0, requests_ = 0;
};

}  // namespace

Case random_mechanism(std::uint64_t seed) { return Builder(seed, false).build(fmt::format("seed {}", seed)); }

Case random_conservative(std::uint64_t seed) {
  return Builder(seed ^ 0x9e3779b97f4a7c15ull, true).build(fmt::format("conservative seed {}", seed));
}

}  // namespace trunnion::metamorphic
