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
    if (!floating_ && chance(0.7)) gravity();
    forces();
    if (!conservative_) {
      states();
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

  void add_body() {
    Body body;
    body.id = static_cast<int>(bodies_.size()) + 1;
    const std::size_t parent = floating_ && bodies_.size() == 1 ? 0 : pick_parent();
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
    const bool rotor = !floating_ && chance(0.25);
    // A rotor's pin goes through its mass centre, or a little beside it.
    const Vec3 pin = rotor ? Vec3(body.cm + (chance(0.5) ? Vec3(Vec3::Zero()) : Vec3(0.02 * point(1))))
                           : place_of_pin(body, parent);
    const int cm = marker(body, body.cm, planar_ ? Mat3(Mat3::Identity()) : turn());
    auto table = model_.all<model::Part>();
    table[table.size() - 1].cm = cm;
    if (floating_ && parent == 0) {
      body.v = point(0.5);
      body.w = spin(3);
    } else {
      join(body, parent, pin, rotor ? Joint::Type::revolute : any_joint(), rotor ? in(15, 60) : in(-4, 4));
    }
    bodies_.push_back(body);
    fastest_ = std::max(fastest_, body.w.norm());
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

  void join(Body& body, std::size_t parent, const Vec3& pin, Joint::Type type, double rate) {
    using T = Joint::Type;
    // z of both markers: the axis. In a planar mechanism sliding is in the plane.
    Mat3 R = planar_ ? Mat3(Mat3::Identity()) : turn();
    if (planar_ && type == T::translational)
      R = math::so3_exp(Vec3(0, 0, in(-M_PI, M_PI))) * math::so3_exp(Vec3(M_PI / 2, 0, 0));
    Mat3 R_I = R;
    const double apart = chance(0.5) ? in(-2, 2) : 0.0;  // I starts turned by this
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
    looped_ = true;
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
  int markers_ = 0, joint_ids_ = 0, springs_ = 0, sforces_ = 0, vforces_ = 0, bushings_ = 0, diffs_ = 0,
      variables_ = 0, motions_ = 0, requests_ = 0;
};

}  // namespace

Case random_mechanism(std::uint64_t seed) { return Builder(seed, false).build(fmt::format("seed {}", seed)); }

Case random_conservative(std::uint64_t seed) {
  return Builder(seed ^ 0x9e3779b97f4a7c15ull, true).build(fmt::format("conservative seed {}", seed));
}

}  // namespace trunnion::metamorphic
