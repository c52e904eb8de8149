// CONTACT: the GRAPHICS of both sides as solids in the frames of two markers, and the law between them.

#include "elements/contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "math/mesh.hpp"
#include "math/plane_curve.hpp"
#include "system/compile/compiler.hpp"
#include "system/compile/contact_solid.hpp"
#include "system/swept_solid.hpp"

namespace trunnion::system {

using math::Shape;
using math::Vec3;
using model::kind_of;
using Solid = ContactSolid;

// Of the GRAPHICS of one side: the solids in the frame of the first one's marker, and which of them stand in for geometry that is not there.
struct Compiler::ContactSide {
  std::vector<Shape> shapes;
  std::vector<char> stands_in;
  std::vector<int> not_read;  // GRAPHICS that they stand in for
  int frame_id = 0;

  bool any_stands_in() const { return std::find(stands_in.begin(), stands_in.end(), 1) != stands_in.end(); }
  bool is_floor() const {
    using K = Shape::Kind;
    return std::all_of(shapes.begin(), shapes.end(), [](const Shape& s) {
      return s.kind == K::box || s.kind == K::plane || s.kind == K::sphere || s.kind == K::point;
    });
  }
};

// One side on one other.
struct Compiler::ContactPair {
  ContactSide i, j;
  core::Words owner;
  std::string nodes;  // which of a flexible body's, where there are several
};

namespace {

void resize(Shape& shape, double factor, int corners) {
  shape.half *= factor;
  if (shape.mesh) shape.mesh = math::mesh_of(shape, corners);
  math::set_bound(shape);
}

// Whether two solids overlap where the model was drawn.
bool overlap(const Frame& X_JI, const Shape& i, const Shape& j) {
  struct Any final : math::TouchSink {
    void take(const math::Touch&) override { found = true; }
    bool found = false;
  } any;
  const math::Placed first{&i, X_JI.p + X_JI.R * i.p, X_JI.R * i.R}, second{&j, j.p, j.R};
  math::touch(first, second, math::Wanted::touches, any);
  return any.found;
}

}  // namespace

// An ellipsoid is larger than a wheel of its inertia: where a stand-in overlaps the solid it meets in the model as it was drawn it is made
// smaller until it does not. Against other stand-ins, or what works in narrow places as cams and pins do, it would say nothing of when they touch.
bool Compiler::fit_stand_ins(const core::Words& owner, ContactSide& i, ContactSide& j, std::string& why) {
  if ((i.any_stands_in() && !j.is_floor()) || (j.any_stands_in() && !i.is_floor())) {
    why =
        "EXTERNAL geometry cannot be read, and an ellipsoid stands in for it only against BOX, PLANE, sphere "
        "and POINT";
    return false;
  }
  const Frame X_JI = frames_.marker(j.frame_id).inverse() * frames_.marker(i.frame_id);
  const ContactSide whole_i = i, whole_j = j;
  const auto overlaps = [&](double factor) {
    const auto sized = [&](const ContactSide& whole, ContactSide& side) {
      for (std::size_t k = 0; k < side.shapes.size(); ++k) {
        if (!side.stands_in[k]) continue;
        side.shapes[k] = whole.shapes[k];
        if (factor < 1)
          resize(side.shapes[k], factor,
                 corners_for(model_, *model_.find<model::Graphics>(side.shapes[k].id)));
      }
    };
    sized(whole_i, i);
    sized(whole_j, j);
    for (std::size_t a = 0; a < i.shapes.size(); ++a) {
      for (std::size_t b = 0; b < j.shapes.size(); ++b) {
        if ((i.stands_in[a] || j.stands_in[b]) && overlap(X_JI, i.shapes[a], j.shapes[b])) return true;
      }
    }
    return false;
  };
  if (!overlaps(1)) return true;
  constexpr double kLeast = 0.5;
  constexpr int kHalvings = 12;
  if (overlaps(kLeast)) {
    why = "the ellipsoid that would stand in for EXTERNAL geometry overlaps the other side at the start";
    return false;
  }
  double fits = kLeast, large = 1;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (fits + large);
    (overlaps(middle) ? large : fits) = middle;
  }
  overlaps(fits);
  system_->idle_.push_back(
      {owner,
       "the ellipsoid in place of EXTERNAL geometry is made smaller, so that nothing overlaps "
       "at the start"});
  return true;
}

// The node of a FLEX_BODY or FE_PART that a marker rides on; none on other bodies.
std::optional<int> Compiler::node_of(int marker_id) const {
  const auto* marker = model_.find<model::Marker>(marker_id);
  const Owner body = frames_.owners().of(marker_id);
  if (body.kind == kind_of<model::FlexBody>()) return marker->node_id;
  if (body.kind == kind_of<model::FePart>()) return marker->node_label;
  return std::nullopt;
}

// A part is one side; each node of a flexible body or beam moves on its own and is a side for itself. None: it does not act, for what
// `why` says or, where that is empty, for an error that was reported.
std::optional<std::vector<Compiler::ContactSide>> Compiler::contact_sides(
    const model::Contact& contact, const model::RefList<model::Graphics>& list, std::string_view argument,
    std::string& why) {
  std::vector<ContactSide> sides;
  const std::vector<int>& flips = (argument == "IGEOM" ? contact.iflip : contact.jflip).indices;
  for (std::size_t place = 0; place < list.ids.size(); ++place) {
    const int id = list.ids[place];
    // One word for all, or one for each.
    const bool turned =
        !flips.empty() && flips[std::min(place, flips.size() - 1)] == static_cast<int>(model::Switch::on);
    const auto* g = model_.find<model::Graphics>(id);
    if (!g) continue;
    const std::string who = name(*g);
    const int marker_id = marker_of(*g);
    const Owner body = frames_.owners().of(marker_id);
    Solid solid = contact_solid(contact, *g, turned, argument[0], body);
    if (!solid.why.empty()) {
      why = solid.why;
      return std::nullopt;
    }
    const Owner first = frames_.owners().of(sides.empty() ? marker_id : sides.front().frame_id);
    if (!(body.kind == first.kind) || body.id != first.id) {
      error(argument_span(contact, argument), name(contact),
            fmt::format("{} must lie on one part; {} is on another", argument, who),
            "write one CONTACT for each part");
      return std::nullopt;
    }
    auto with = std::find_if(sides.begin(), sides.end(), [&](const ContactSide& one) {
      return node_of(one.frame_id) == node_of(marker_id);
    });
    if (with == sides.end()) {
      with = sides.insert(sides.end(), ContactSide());
      with->frame_id = marker_id;
    }
    ContactSide& side = *with;
    const bool stands_in = solid.stands_in;
    if (stands_in) side.not_read.push_back(id);
    if (stands_in && side.any_stands_in()) continue;  // one of them is the whole part
    Shape& shape = solid.shape;
    const Frame of_side = frames_.marker_on_body(side.frame_id).inverse();
    const Frame at = of_side * (stands_in ? Frame{} : frames_.marker_on_body(marker_id));
    shape.p = at.p + at.R * shape.p;
    shape.R = at.R * shape.R;
    shape.id = id;
    math::set_bound(shape);
    side.shapes.push_back(std::move(shape));
    side.stands_in.push_back(stands_in ? 1 : 0);
  }
  return sides;
}

void Compiler::say_stand_ins(const std::vector<int>& graphics) {
  for (const int id : graphics) {
    if (!stood_in_.insert(id).second) continue;
    system_->idle_.push_back({label(model_, kind_of<model::Graphics>(), id),
                              "EXTERNAL geometry that cannot be read (STL, OBJ and SHL can) touches as the "
                              "ellipsoid of its part's mass "
                              "and inertia"});
  }
}

bool Compiler::contact_law(const model::Contact& c, elements::ContactData& data) {
  using L = model::Contact::Law;
  if (c.normal_function.given()) {
    if (!user_call(c, 0)) {
      error(argument_span(c, "NORMAL_FUNCTION"), name(c), "NORMAL_FUNCTION must be USER(…)");
      return false;
    }
  }
  if (c.friction_function.given() && !user_call(c, 1)) {
    error(argument_span(c, "FRICTION_FUNCTION"), name(c), "FRICTION_FUNCTION must be USER(…)");
    return false;
  }
  data.poisson = c.law == L::poisson;
  if (data.poisson) {
    data.stiffness = c.penalty.value_or(0);
    data.restitution = c.restitution_coefficient.value_or(1);
    constexpr double kRebound = 1e-3;  // m/s
    data.rebound_velocity = kRebound * system_->units_.time_si / system_->units_.length_si;
  } else {
    data.stiffness = c.stiffness.value_or(0);
    data.exponent = c.exponent.value_or(1);
    data.damping = c.damping.value_or(0);
    data.dmax = c.dmax.value_or(0);
  }
  using C = model::Contact::Coulomb;
  const C coulomb = c.coulomb_friction.value_or(C::off);
  if (coulomb == C::off) {
    if (!c.coulomb_friction.given() && (c.mu_static || c.mu_dynamic))
      system_->idle_.push_back(
          {name(c), "MU_STATIC and MU_DYNAMIC have no effect without COULOMB_FRICTION=ON: it slides freely"});
    return true;
  }
  const core::Words owner = name(c);
  for (const auto& [given, word] : {std::pair{&c.mu_static, "MU_STATIC"},
                                    {&c.mu_dynamic, "MU_DYNAMIC"},
                                    {&c.stiction_transition_velocity, "STICTION_TRANSITION_VELOCITY"},
                                    {&c.friction_transition_velocity, "FRICTION_TRANSITION_VELOCITY"}}) {
    if (given->has_value()) continue;
    error(c.span, owner, fmt::format("COULOMB_FRICTION needs {}", word));
    return false;
  }
  data.friction = true;
  data.dynamics_only = coulomb == C::dynamics_only;
  data.rubs.mu_static = *c.mu_static;
  data.rubs.mu_dynamic = *c.mu_dynamic;
  data.rubs.stiction_velocity = *c.stiction_transition_velocity;
  data.rubs.friction_velocity = *c.friction_transition_velocity;
  if (data.rubs.friction_velocity <= data.rubs.stiction_velocity) {
    error(argument_span(c, "FRICTION_TRANSITION_VELOCITY"), owner,
          "FRICTION_TRANSITION_VELOCITY must be above STICTION_TRANSITION_VELOCITY");
    return false;
  }
  return true;
}

// What is tightly bound to either part moves with it: contact then takes longer, never shorter.
double Compiler::contact_time(const elements::ContactData& data, Owner i, Owner j) const {
  double inverse = 0;
  for (const Owner& owner : {i, j}) {
    const auto block = blocks_.find({owner.kind.index, owner.id});
    if (block == blocks_.end()) continue;
    for (const elements::Body& body : system_->elements_->bodies) {
      if (body.block == block->second && body.mass > 0) inverse += 1 / body.mass;
    }
  }
  const double stiffness = data.stiffness * system_->units_.ucf;
  return inverse > 0 && stiffness > 0 ? 0.5 * std::numbers::pi / std::sqrt(stiffness * inverse) : 0;
}

// The places in memory of the creep of all points that may touch.
void Compiler::add_stiction(const model::Contact& c, const core::Words& owner, elements::ContactData& data) {
  if (!data.friction || !(c.stiction == model::Switch::on)) return;
  constexpr double kCreep = 1e-5;  // m
  data.rubs.creep = c.max_stiction_deformation.value_or(kCreep / system_->units_.length_si);
  keep_points(owner, data);
}

void Compiler::keep_points(const core::Words& owner, elements::ContactData& data) {
  if (data.memory >= 0) return;
  for (int k = 0; k < data.memory_size(); ++k) {
    const int place = memory(0, fmt::format("{} creep {}", owner, k));
    if (k == 0) data.memory = place;
  }
}

// Ten vibrations in contact, or a time that is long for most.
void Compiler::add_refining(const model::Contact& c, const core::Words& owner, elements::ContactData& data) {
  if (!c.augmented_lagrangian_formulation || !data.poisson) return;
  constexpr double kQuarters = 40, kUsual = 0.02;  // s
  data.refining = data.time > 0 ? kQuarters * data.time : kUsual / system_->units_.time_si;
  keep_points(owner, data);
}

bool Compiler::can_touch(const Shape& a, const Shape& b, const Frame& X_JI, std::string& why) const {
  using K = Shape::Kind;
  const auto words = [&](const Shape& s) { return label(model_, kind_of<model::Graphics>(), s.id); };
  const auto is_line = [](const Shape& s) { return s.kind == K::circle || s.kind == K::curve; };
  if (is_line(a) || is_line(b)) {
    if (a.kind == K::point || b.kind == K::point) return true;
    if (!is_line(a) || !is_line(b)) {
      why = fmt::format("{} and {} cannot touch: curves touch curves and points", words(a), words(b));
      return false;
    }
    if (a.kind == K::circle && b.kind == K::circle && a.hole && b.hole) {
      why = fmt::format("{} and {} are both turned inside out", words(a), words(b));
      return false;
    }
    const auto disc = [](const Shape& s) { return s.kind == K::circle && !s.hole; };
    const bool corners = (a.curve && a.curve->has_corners()) || (b.curve && b.curve->has_corners());
    if (corners && !disc(a) && !disc(b)) {
      why = fmt::format("{} or {} has corners: curves with corners touch CIRCLE and POINT only", words(a),
                        words(b));
      return false;
    }
    constexpr double kInPlane = 1e-3;
    const Vec3 z = b.R.col(2), at = X_JI.p + X_JI.R * a.p - b.p;
    const double tilt = z.cross(X_JI.R * a.R.col(2)).norm(), off = std::abs(z.dot(at));
    if (tilt > kInPlane || off > kInPlane * (a.bound + b.bound)) {
      why = fmt::format("{} and {} do not lie in one plane", words(a), words(b));
      return false;
    }
    return true;
  }
  if (math::by_points(a, b) || (a.mesh && b.mesh) || (a.mesh && b.kind == K::plane) ||
      (b.mesh && a.kind == K::plane))
    return true;
  why = fmt::format("{} and {} cannot touch: points and planes need a solid", words(a), words(b));
  return false;
}

bool Compiler::can_touch(const ContactPair& pair, std::string& why) {
  const Frame X_JI = frames_.marker(pair.j.frame_id).inverse() * frames_.marker(pair.i.frame_id);
  for (const Shape& a : pair.i.shapes) {
    for (const Shape& b : pair.j.shapes) {
      if (!can_touch(a, b, X_JI, why)) return false;
    }
  }
  return true;
}

bool Compiler::user_forces(const model::Contact& c, elements::ContactData& data, elements::Load& load) {
  if (user_call(c, 0)) {
    data.user_normal = user_touch(c, 0, 1, elements::kNormalValues, load);
    if (!data.user_normal) return false;
  }
  if (!user_call(c, 1)) return true;
  data.user_friction = user_touch(c, 1, 3, elements::kFrictionValues, load);
  return data.user_friction != nullptr;
}

// With surfaces where both meet by volume, and stand-ins of a size that fits; else `why` not.
void Compiler::prepare(ContactPair& pair, std::string& why) {
  give_meshes(pair.i.shapes, pair.j.shapes);
  give_meshes(pair.j.shapes, pair.i.shapes);
  if (can_touch(pair, why)) fit_stand_ins(pair.owner, pair.i, pair.j, why);
}

void Compiler::touch(const model::Contact& c, ContactPair pair, elements::ContactData data) {
  const core::Words& owner = pair.owner;
  say_stand_ins(pair.i.not_read);
  say_stand_ins(pair.j.not_read);
  data.i = std::move(pair.i.shapes);
  data.j = std::move(pair.j.shapes);
  const auto i = marker(pair.i.frame_id, owner, argument_span(c, "IGEOM")),
             j = marker(pair.j.frame_id, owner, argument_span(c, "JGEOM"));
  if (!i || !j) return;
  add_stiction(c, owner, data);
  add_refining(c, owner, data);
  const assembly::Layout& layout = system_->layout_;
  elements::Load load = elements::make_load(*i, *j, *j, {0, 1, 2, 3, 4, 5}, layout, system_->markers_);
  for (elements::Signal& signal : elements::contact_signals(*i, *j, data, layout, system_->markers_))
    load.response.signals.add(std::move(signal), layout, load.columns);
  if (!user_forces(c, data, load)) return;
  load.passive = !data.user_normal && !data.user_friction && data.refining == 0;  // λ lifts what it carries
  const auto law = std::make_shared<elements::Contact>(std::move(data));
  load.response.law = law;
  load.reach = law;
  add_load(std::move(load), Force{kind_of<model::Contact>(), c.id, owner, {}, 0, *i, *j, 0},
           pair.nodes.empty() ? "" : "." + pair.nodes);
  if (law->data().refining > 0 && !law->refines_all())
    system_->idle_.push_back(
        {owner,
         "AUGMENTED_LAGRANGIAN_FORMULATION is simulated as a penalty alone between "
         "meshes, curves, and of a POINT on a PLANE: the depth there is the force over PENALTY"});
}

// Each side on each other one. Of several nodes each is told by its number.
std::vector<Compiler::ContactPair> Compiler::contact_pairs(const core::Words& owner,
                                                           const std::vector<ContactSide>& i_sides,
                                                           const std::vector<ContactSide>& j_sides,
                                                           bool one_body) const {
  const auto same = [](const ContactSide& a, const ContactSide& b) {
    return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(),
                      [](const Shape& x, const Shape& y) { return x.id == y.id; });
  };
  std::vector<ContactPair> pairs;
  for (const ContactSide& i : i_sides) {
    for (const ContactSide& j : j_sides) {
      if (one_body && node_of(i.frame_id) == node_of(j.frame_id)) continue;
      // What both lists name meets once, not once each way round.
      if (std::any_of(pairs.begin(), pairs.end(),
                      [&](const ContactPair& one) { return same(one.i, j) && same(one.j, i); }))
        continue;
      std::string nodes;
      if (i_sides.size() > 1) nodes = std::to_string(node_of(i.frame_id).value_or(0));
      if (j_sides.size() > 1)
        nodes += (nodes.empty() ? "" : "-") + std::to_string(node_of(j.frame_id).value_or(0));
      pairs.push_back({i, j, nodes.empty() ? owner : owner + " at node " + nodes, nodes});
    }
  }
  return pairs;
}

void Compiler::contact(const model::Contact& c) {
  elements::ContactData data;
  std::string why;
  const core::Words owner = name(c);
  const auto leave = [&] {
    if (!why.empty()) leave_idle(kind_of<model::Contact>(), c.id, owner, why);
  };
  if (c.iflex.given() || c.jflex.given())
    why =
        "the surface of a flexible body does not touch (IFLEX, JFLEX); POINTs or ELLIPSOIDs on markers of "
        "its nodes do, named in IGEOM or JGEOM";
  if (!why.empty() || !contact_law(c, data)) return leave();
  std::optional<std::vector<ContactSide>> i_found = contact_sides(c, c.igeom, "IGEOM", why), j_found;
  if (i_found) j_found = contact_sides(c, c.jgeom, "JGEOM", why);
  if (!i_found || !j_found) return leave();
  std::vector<ContactSide>&i_sides = *i_found, &j_sides = *j_found;
  if (i_sides.empty() || j_sides.empty()) return;  // a missing GRAPHICS has been reported
  const Owner i_body = frames_.owners().of(i_sides.front().frame_id),
              j_body = frames_.owners().of(j_sides.front().frame_id);
  const bool one_body = i_body.kind == j_body.kind && i_body.id == j_body.id;
  data.time = contact_time(data, i_body, j_body);
  std::vector<ContactPair> pairs = contact_pairs(owner, i_sides, j_sides, one_body);
  if (pairs.empty()) why = "IGEOM and JGEOM are on the same part";
  // All or none.
  for (ContactPair& pair : pairs) {
    if (why.empty()) prepare(pair, why);
  }
  if (!why.empty()) return leave();
  for (ContactPair& pair : pairs) touch(c, std::move(pair), data);
}

}  // namespace trunnion::system
