#include "metamorphic/transform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "metamorphic/expressions.hpp"
#include "model/units.hpp"

namespace trunnion::metamorphic {

using math::Mat3;
using math::Vec3;
using model::Model;
using system::Frame;

// Not the distributions of the standard library: they differ from one to another, and a seed must mean the same mechanism.
double uniform(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
int whole(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
}

Mat3 any_rotation(Random& random) {
  const double u = uniform(random, 0, 1), a = uniform(random, 0, 2 * M_PI), b = uniform(random, 0, 2 * M_PI);
  return math::Quat(std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a),
                    std::sqrt(u) * std::sin(b), std::sqrt(u) * std::cos(b))
      .toRotationMatrix();
}

namespace {

std::vector<double> list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
std::vector<double> angles_of(const Mat3& R) {
  const math::EulerAngles a = math::euler_313(R);
  return {a.first, a.second, a.third};
}
std::string number(double value) { return fmt::format("({:.17g})", value); }

// Every statement with its schema, in the order written.
template <class F> void each(Model& model, const F& visit) {
  for (const Model::Entry& entry : model.order)
    visit(model::schema_of(entry.kind), model.table(entry.kind).rows[entry.index].get());
}

template <class F> void each_expression(Model& model, const F& visit) {
  each(model, [&](const model::Schema& schema, model::Statement& statement) {
    for (const model::Argument& a : schema.arguments) {
      if (a.kind != model::ValueKind::expression) continue;
      auto& e = model::field<model::Expression>(a, statement);
      if (e.given()) visit(schema, a, statement, e);
    }
  });
}

// Every real number with the name of its unit.
template <class F> void each_number(Model& model, const F& visit) {
  each(model, [&](const model::Schema& schema, model::Statement& statement) {
    for (const model::Argument& a : schema.arguments) {
      if (a.kind == model::ValueKind::real) {
        auto& value = model::field<std::optional<double>>(a, statement);
        if (value) visit(schema, statement, a, 0, *value);
      } else if (a.kind == model::ValueKind::reals) {
        auto& values = model::field<std::vector<double>>(a, statement);
        for (std::size_t k = 0; k < values.size(); ++k) visit(schema, statement, a, k, values[k]);
      }
    }
  });
}

int free_id(const Model& model, model::Kind kind) {
  int id = 0;
  for (const model::AnyStatement& s : model.table(kind).rows) id = std::max(id, s.get().id);
  return id + 1;
}

int ground_of(const Model& model) {
  for (const model::Part& part : model.all<model::Part>()) {
    if (part.ground) return part.id;
  }
  return 0;
}

}  // namespace

void set_integrator(Model& model, const model::Integrator& integrator) {
  if (model.all<model::Integrator>().empty()) {
    model.add(integrator);
  } else {
    auto table = model.all<model::Integrator>();
    table[table.size() - 1] = integrator;
  }
}

Model plain(const Model& from) {
  const system::Owners owners(from);
  Model out;
  out.title = from.title;
  for (const Model::Entry& entry : from.order) {
    if (entry.kind == model::kind_of<model::Graphics>()) continue;
    model::AnyStatement copy = from.table(entry.kind).rows[entry.index];
    if (copy.is<model::Marker>()) {
      auto& marker = static_cast<model::Marker&>(copy.get());
      const system::Owner owner = owners.of(marker);
      if (owner.kind == model::kind_of<model::Part>()) marker.part = owner.id;
      if (owner.kind == model::kind_of<model::PointMass>()) marker.point_mass = owner.id;
    }
    out.add(std::move(copy));
  }
  return out;
}

Variant reordered(const Model& from, Random& random) {
  std::vector<Model::Entry> order = from.order;
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(whole(random, 0, static_cast<int>(k) - 1))]);
  Variant v;
  v.model.title = from.title;
  for (const Model::Entry& entry : order) v.model.add(from.table(entry.kind).rows[entry.index]);
  return v;
}

namespace {

// Ground markers and parts as they are at X; a marker on the ground that has the axes of the old ground.
int move_frames(Model& model, const Frame& X) {
  core::Diagnostics none;
  const Model before = model;
  system::Frames frames(before, none);
  const int ground = ground_of(model);
  for (model::Marker& marker : model.all<model::Marker>()) {
    if (marker.floating || marker.curve.given() || marker.surface.given()) continue;
    const bool on_ground = marker.part.id == ground;
    if (!on_ground && !marker.rm.given()) continue;
    const Frame here = on_ground ? X * frames.marker(marker.id) : frames.marker_on_body(marker.id);
    marker.qp = list(here.p);
    marker.reuler = angles_of(here.R);
    marker.zp.clear();
    marker.xp.clear();
    marker.usexp = false;
    marker.rm = {};
  }
  const auto place = [&](auto& body, model::Kind kind) {
    const Frame here = X * frames.body({kind, body.id});
    body.qg = list(here.p);
    body.reuler = angles_of(here.R);
    body.zg.clear();
    body.xg.clear();
  };
  model::Marker anchor;
  anchor.id = free_id(model, model::kind_of<model::Marker>());
  anchor.part = ground;
  anchor.qp = list(X.p);
  anchor.reuler = angles_of(X.R);
  for (model::Part& part : model.all<model::Part>()) {
    if (part.ground) continue;
    place(part, model::kind_of<model::Part>());
    if (!part.vm.given()) part.vm = anchor.id;
    if (!part.wm.given()) part.wm = anchor.id;
  }
  for (model::PointMass& mass : model.all<model::PointMass>()) {
    place(mass, model::kind_of<model::PointMass>());
    if (!mass.vx && !mass.vy && !mass.vz) continue;
    const Vec3 v = X.R * Vec3(mass.vx.value_or(0), mass.vy.value_or(0), mass.vz.value_or(0));
    mass.vx = v.x();
    mass.vy = v.y();
    mass.vz = v.z();
  }
  for (model::Accgrav& g : model.all<model::Accgrav>()) {
    const Vec3 v = X.R * Vec3(g.igrav.value_or(0), g.jgrav.value_or(0), g.kgrav.value_or(0));
    g.igrav = v.x();
    g.jgrav = v.y();
    g.kgrav = v.z();
  }
  for (model::Request& r : model.all<model::Request>()) {
    if (!r.quantity.given()) continue;
    if (!r.j.given() && r.quantity != model::Quantity::force) r.j = anchor.id;
    if (!r.rm.given()) r.rm = anchor.id;
  }
  model.add(anchor);
  return anchor.id;
}

}  // namespace

std::optional<Variant> moved(const Model& from, Random& random) {
  for (const model::Part& part : from.all<model::Part>()) {
    if (part.exact.given()) return std::nullopt;
  }
  for (const model::PointMass& mass : from.all<model::PointMass>()) {
    const int given = mass.vx.has_value() + mass.vy.has_value() + mass.vz.has_value();
    if (mass.exact.given() || (given != 0 && given != 3)) return std::nullopt;
  }
  Variant v{from, {}};
  v.reading.X = {Vec3(uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2)),
                 any_rotation(random)};
  const int anchor = move_frames(v.model, v.reading.X);
  each_expression(v.model, [&](const auto&, const auto&, auto&, model::Expression& e) {
    e.text = rewritten(e.text, {{}, [&](const Call& call) { return text_of(anchored(call, anchor)); }});
  });
  return v;
}

std::optional<Variant> started_later(const Model& from, double by) {
  for (const model::Joint& joint : from.all<model::Joint>()) {
    if (joint.ic.size() > 1 || joint.ictran.size() > 1 || joint.icrot.size() > 1) return std::nullopt;
  }
  Variant v{from, {}};
  v.reading.later = by;
  each_expression(v.model, [&](const auto&, const auto&, auto&, model::Expression& e) {
    e.text = rewritten(e.text, {[&] { return "(TIME-" + number(by) + ")"; }, {}});
  });
  return v;
}

namespace {

// "force*time/length^2" and the like; empty where a word is not a dimension.
std::optional<Dimension> dimension_named(std::string_view text) {
  Dimension d;
  int sign = 1;
  std::string word;
  const auto take = [&]() -> bool {
    int power = 1;
    if (const std::size_t at = word.find_first_of("^*"); at != std::string::npos) {
      const std::string digits = word.substr(word.find_last_of("^*") + 1);
      if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0]))) return false;
      power = std::atoi(digits.c_str());
      word.resize(at);
    }
    power *= sign;
    if (word == "length") d.length += power;
    else if (word == "time") d.time += power;
    else if (word == "force") d.force += power;
    else if (word == "mass") d.mass += power;
    else if (word == "torque") d.force += power, d.length += power;
    else if (word == "inertia") d.mass += power, d.length += 2 * power;
    else if (word != "angle" && word != "1") return false;
    word.clear();
    return true;
  };
  for (std::size_t k = 0; k <= text.size(); ++k) {
    const bool power = k + 1 < text.size() && text[k] == '*' && text[k + 1] == '*';
    if (power) {
      word += "**";
      ++k;
    } else if (k == text.size() || text[k] == '*' || text[k] == '/') {
      if (!take()) return std::nullopt;
      if (k < text.size()) sign = text[k] == '/' ? -1 : 1;
    } else {
      word += text[k];
    }
  }
  return d;
}

// The k-th of "length, length/time", or the one there is.
std::string_view one_of(std::string_view unit, std::size_t k) {
  while (k-- > 0 && unit.find(", ") != std::string_view::npos) unit.remove_prefix(unit.find(", ") + 2);
  return unit.substr(0, unit.find(','));
}

class Conversion {
 public:
  explicit Conversion(const Reading& r) : r_(r) {}
  double factor(const Dimension& d) const {
    return std::pow(r_.length, d.length) * std::pow(r_.time, d.time) * std::pow(r_.force, d.force) *
           std::pow(r_.mass, d.mass);
  }
  // Inputs in the first's units, the value in the other's.
  std::string expression(const std::string& text, const Dimension& value) const {
    const std::string inner =
        rewritten(text, {[&] { return "(TIME*" + number(1 / r_.time) + ")"; },
                         [&](const Call& call) {
                           return "(" + text_of(call) + "*" + number(1 / factor(dimension_of(call))) + ")";
                         }});
    return "(" + inner + ")*" + number(factor(value));
  }

 private:
  const Reading& r_;
};

bool turns(const Model& model, const model::Motion& m) {
  if (m.freedom.given()) return m.freedom == model::Freedom::rotation;
  if (m.direction.given()) return m.direction.value() >= model::Motion::Direction::b1;
  const model::Joint* joint = model.find(m.joint);
  return joint && joint->type == model::Joint::Type::revolute;
}

Dimension value_of(const Model& model, const model::Schema& schema, const model::Argument& argument,
                   const model::Statement& statement) {
  if (!argument.unit.empty()) return dimension_named(argument.unit).value_or(Dimension{});
  if (schema.kind == model::kind_of<model::Sforce>()) {
    const bool torque = static_cast<const model::Sforce&>(statement).type == model::Freedom::rotation;
    return {torque ? 1 : 0, 0, 1};
  }
  if (schema.kind == model::kind_of<model::Motion>()) {
    const auto& m = static_cast<const model::Motion&>(statement);
    const int level = static_cast<int>(m.level.value_or(model::Motion::Level::displacement));
    return {turns(model, m) ? 0 : 1, -level};
  }
  if (schema.kind == model::kind_of<model::Diff>()) return {0, -1};
  return {};
}

bool convertible(const Model& model) {
  const auto none = [&]<class... T>() { return (model.all<T>().empty() && ...); };
  if (!none.template
       operator()<model::Nforce, model::Curve, model::Lse, model::Tfsiso, model::Gse, model::Sensor,
                  model::Friction, model::Contact, model::Mrequest, model::Beam, model::Field>())
    return false;
  for (const model::Coupler& c : model.all<model::Coupler>()) {
    if (c.type.given()) return false;
  }
  for (const model::Joint& j : model.all<model::Joint>()) {
    if (!j.ic.empty()) return false;
  }
  for (const model::Motion& m : model.all<model::Motion>()) {
    if (m.icdisp || m.icvel) return false;
  }
  for (const model::Request& r : model.all<model::Request>()) {
    if (r.quantity.given()) return false;
  }
  return true;
}

}  // namespace

std::optional<Variant> in_other_units(const Model& from, Random& random) {
  if (!convertible(from)) return std::nullopt;
  using U = model::Units;
  const model::UnitSystem old = model::units_of(from);
  if (!old.named()) return std::nullopt;
  Variant v{from, {}};
  model::Units units;
  constexpr U::Length lengths[] = {U::Length::millimeter, U::Length::centimeter, U::Length::inch,
                                   U::Length::foot};
  constexpr U::Mass masses[] = {U::Mass::gram, U::Mass::pound_mass, U::Mass::slug, U::Mass::tonne};
  constexpr U::Time times[] = {U::Time::second, U::Time::millisecond};
  constexpr U::Force forces[] = {U::Force::newton, U::Force::dyne, U::Force::pound_force, U::Force::knewton};
  units.length = lengths[whole(random, 0, 3)];
  units.mass = masses[whole(random, 0, 3)];
  units.time = times[whole(random, 0, 1)];
  units.force = forces[whole(random, 0, 3)];
  if (v.model.all<U>().empty()) v.model.add(units);
  else v.model.all<U>()[0] = units;
  const model::UnitSystem now = model::units_of(v.model);
  v.reading.length = old.length_si / now.length_si;
  v.reading.mass = old.mass_si / now.mass_si;
  v.reading.time = old.time_si / now.time_si;
  v.reading.force = old.force_si / now.force_si;
  const Conversion convert(v.reading);
  bool known = true;
  each_number(v.model, [&](const model::Schema& schema, const model::Statement&, const model::Argument& a,
                           std::size_t k, double& value) {
    if (schema.kind == model::kind_of<model::Diff>() && k == 1) value /= v.reading.time;
    if (a.unit.empty()) return;
    const auto d = dimension_named(one_of(a.unit, k));
    known = known && d;
    if (d) value *= convert.factor(*d);
  });
  each_expression(v.model, [&](const model::Schema& schema, const model::Argument& a,
                               const model::Statement& statement, model::Expression& e) {
    e.text = convert.expression(e.text, value_of(from, schema, a, statement));
  });
  // r1·q1 + r2·q2 = 0 of angles and lengths.
  for (model::Coupler& c : v.model.all<model::Coupler>()) {
    for (std::size_t k = 0; k < c.scales.size() && c.scales.size() == c.joints.ids.size(); ++k) {
      const model::Joint* joint = from.find(model::Ref<model::Joint>(c.joints.ids[k]));
      if (joint && joint->type == model::Joint::Type::translational) c.scales[k] /= v.reading.length;
    }
  }
  // ERROR is a length where coordinates are below 1.
  for (model::Integrator& in : v.model.all<model::Integrator>()) {
    if (in.error) *in.error *= std::min(1.0, v.reading.length);
  }
  if (!known) return std::nullopt;
  return v;
}

Variant with_spinner(const Model& from, double spin) {
  Variant v{from, {}};
  Model& m = v.model;
  const int ground = ground_of(m), part = free_id(m, model::kind_of<model::Part>());
  const int marker = free_id(m, model::kind_of<model::Marker>());
  model::Marker seat, pin;
  seat.id = marker;
  seat.part = ground;
  seat.qp = {0.3, -0.2, 0.4};
  pin.id = marker + 1;
  pin.part = part;
  model::Part rotor;
  rotor.id = part;
  rotor.mass = 1;
  rotor.cm = pin.id;
  rotor.ip = {0.01, 0.01, 0.02};
  rotor.qg = seat.qp;
  rotor.wz = spin;
  model::Joint joint;
  joint.id = free_id(m, model::kind_of<model::Joint>());
  joint.type = model::Joint::Type::revolute;
  joint.i = pin.id;
  joint.j = seat.id;
  m.add(rotor);
  m.add(seat);
  m.add(pin);
  m.add(joint);
  model::Variable angle;
  angle.id = free_id(m, model::kind_of<model::Variable>());
  angle.function = fmt::format("AZ({},{})", pin.id, seat.id);
  m.add(angle);
  model::Request read;
  read.id = free_id(m, model::kind_of<model::Request>());
  read.f2 = angle.function;
  m.add(read);
  return v;
}

// The markers between which a MOTION turns; none where whole turns of it would be read by what is not a torsion spring.
static std::optional<std::pair<int, int>> turned_pair(const Model& m, const model::Motion& motion) {
  if (!turns(m, motion) || !motion.joint.given() ||
      motion.level.value_or(model::Motion::Level::displacement) != model::Motion::Level::displacement)
    return std::nullopt;
  const model::Joint& joint = *m.find(motion.joint);
  const int i = joint.i.id, j = joint.j.id;
  const auto same = [&](const auto& f) { return f.i.id == i && f.j.id == j; };
  bool read = false;
  for (const model::Bushing& b : m.all<model::Bushing>()) read = read || same(b);
  for (const model::Field& f : m.all<model::Field>()) read = read || same(f);
  for (const Model::Entry entry : m.order) {
    for (const model::Argument& a : model::schema_of(entry.kind).arguments) {
      if (a.kind == model::ValueKind::expression)
        read = read ||
               model::field<model::Expression>(a, m.at(entry)).text.find(fmt::format("Z({},{})", i, j)) !=
                   std::string::npos;
    }
  }
  return read ? std::nullopt : std::optional(std::pair(i, j));
}

Variant wound(const Model& from, int turns_more) {
  Variant v{from, {}};
  const double more = 2 * std::numbers::pi * turns_more;
  for (model::Part& part : v.model.all<model::Part>()) {
    if (part.reuler.size() == 3) part.reuler[0] += more;
  }
  for (model::Motion& m : v.model.all<model::Motion>()) {
    const auto pair = turned_pair(from, m);
    if (!pair) continue;
    m.function.text = "(" + m.function.text + ")+" + number(more);
    // Its angle starts at so many turns: a spring there has its free angle moved alike.
    for (model::SpringDamper& s : v.model.all<model::SpringDamper>()) {
      if (s.type == model::Freedom::rotation && s.i.id == pair->first && s.j.id == pair->second)
        s.angle = s.angle.value_or(0) + more;
    }
  }
  return v;
}

Variant jittered(const Model& from, double relative, Random& random) {
  Variant v{from, {}};
  each_number(v.model,
              [&](const model::Schema& schema, const auto&, const auto&, std::size_t, double& value) {
                if (schema.group == "Settings" || schema.kind == model::kind_of<model::Integrator>()) return;
                value *= 1 + relative * uniform(random, -1, 1);
              });
  return v;
}

Variant placed_at(const Model& from, const History& history, std::size_t row) {
  Variant v{from, {}};
  core::Diagnostics none;
  system::Frames frames(from, none);
  for (model::Part& part : v.model.all<model::Part>()) {
    if (part.ground) continue;
    const auto find = [&](const char* channel) -> const double* {
      const std::string name = fmt::format("PART/{}.{}", part.id, channel);
      for (const Quantity& q : history.quantities) {
        if (q.name == name) return history.value(row, q);
      }
      return nullptr;
    };
    const double *x = find("X"), *psi = find("PSI");
    if (!x || !psi) continue;
    const Frame X_GC{Vec3(x[0], x[1], x[2]), math::rotation_from_euler_313({psi[0], psi[1], psi[2]})};
    const Frame X_BC = part.cm.given() ? frames.marker_on_body(part.cm.id) : Frame{};
    const Frame here = X_GC * X_BC.inverse();
    part.qg = list(here.p);
    part.reuler = angles_of(here.R);
    part.zg.clear();
    part.xg.clear();
    part.vx = part.vy = part.vz = part.wx = part.wy = part.wz = std::nullopt;
  }
  for (model::PointMass& mass : v.model.all<model::PointMass>()) {
    for (const Quantity& q : history.quantities) {
      if (q.name != fmt::format("POINT_MASS/{}.X", mass.id)) continue;
      const double* x = history.value(row, q);
      mass.qg = {x[0], x[1], x[2]};
      mass.vx = mass.vy = mass.vz = std::nullopt;
    }
  }
  return v;
}

History read_as_first(History history, const Reading& r) {
  const Mat3 R = r.X.R.transpose();
  for (double& t : history.t) t = (t - r.later) / r.time;
  const double speed = r.length / r.time;
  const double by[kSorts] = {
      r.length, 1, speed, 1 / r.time, speed / r.time, 1 / (r.time * r.time), r.force, r.force * r.length, 1};
  for (std::vector<double>& row : history.rows) {
    for (const Quantity& q : history.quantities) {
      if (q.sort == Sort::state) continue;
      Eigen::Map<Vec3> v(row.data() + q.at);
      if (q.sort == Sort::orientation) {
        const math::EulerAngles a =
            math::euler_313(Mat3(R * math::rotation_from_euler_313({v[0], v[1], v[2]})));
        v = Vec3(a.first, a.second, a.third);
        continue;
      }
      v /= by[static_cast<std::size_t>(q.sort)];
      v = R * (q.sort == Sort::position ? Vec3(v - r.X.p / r.length) : Vec3(v));
    }
  }
  return history;
}

}  // namespace trunnion::metamorphic
