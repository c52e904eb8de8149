// CONTACT: the GRAPHICS of both sides as solids in the frames of two markers, and the law between them.

#include "elements/contact.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "math/mesh.hpp"
#include "math/shell.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using math::Shape;
using math::Vec3;
using model::kind_of;
using Type = model::Graphics::Type;

namespace {

int marker_of(const model::Graphics& g) {
  switch (g.type.given() ? g.type.value() : Type::spdp) {
    case Type::box: return g.corner.id;
    case Type::plane:
    case Type::point:
    case Type::external: return g.rm.id;
    default: return g.cm.id;
  }
}

// A circle's corners by the fineness the language has for it: 64 at its default.
int corners_for(const model::Model& model, const model::Graphics& g) {
  const auto* preferences = model.single<model::Preferences>();
  constexpr double kUsual = 300.0;
  const double usual = preferences ? preferences->contact_faceting_tolerance.value_or(kUsual) : kUsual;
  const double fineness = g.faceting_tolerance.value_or(usual);
  const int fours =
      static_cast<int>(std::lround(16.0 * std::sqrt(std::clamp(fineness / kUsual, 0.1, 100.0))));
  return 4 * fours;
}

// The solid in the axes of its marker, without what needs a file; or why there is none.
struct Solid {
  Shape shape;
  std::string why;
};

Solid refused(std::string why) { return {{}, std::move(why)}; }

Solid frustum(double length, double low, double high) {
  if (length < 0) return frustum(-length, high, low);
  Solid s;
  if (!(length > 0) || !(std::max(low, high) > 0)) return refused("has no size");
  s.shape.kind = Shape::Kind::frustum;
  s.shape.half.z() = length / 2;
  s.shape.low = low;
  s.shape.high = high;
  return s;
}

Solid primitive(const model::Graphics& g) {
  if (!g.type.given()) return refused("is an OUTLINE; CONTACT of lines is not simulated");
  const auto value = [](const std::optional<double>& x) { return x.value_or(0.0); };
  Solid s;
  const bool whole = !g.rangle || std::abs(std::abs(*g.rangle) - 2 * std::numbers::pi) < 1e-6;
  switch (g.type.value()) {
    case Type::point: s.shape.kind = Shape::Kind::point; return s;
    case Type::plane: s.shape.kind = Shape::Kind::plane; return s;
    case Type::box: {
      const Vec3 edges(value(g.x), value(g.y), value(g.z));
      if (!(edges.cwiseAbs().minCoeff() > 0)) return refused("has no volume");
      s.shape.kind = Shape::Kind::box;
      s.shape.half = edges.cwiseAbs() / 2;
      s.shape.p = edges / 2;
      return s;
    }
    case Type::cylinder:
    case Type::frustum: {
      if (!whole) return refused("covers a part of the circle only (RANGLE)");
      const double length = value(g.length);
      s = g.type == Type::cylinder ? frustum(length, value(g.radius), value(g.radius))
                                   : frustum(length, value(g.bottom), value(g.top));
      s.shape.p.z() = length / 2;
      return s;
    }
    case Type::ellipsoid: {
      const Vec3 axes(value(g.xscale), value(g.yscale), value(g.zscale));
      if (!(axes.minCoeff() > 0)) return refused("has no volume");
      const bool round = axes.x() == axes.y() && axes.y() == axes.z();
      s.shape.kind = round ? Shape::Kind::sphere : Shape::Kind::ellipsoid;
      s.shape.radius = axes.x() / 2;
      s.shape.half = axes / 2;
      return s;
    }
    case Type::torus:
      s.shape.kind = Shape::Kind::torus;
      s.shape.major = value(g.major_radius);
      s.shape.minor = value(g.minor_radius);
      if (!(s.shape.minor > 0) || !(s.shape.major > s.shape.minor))
        return refused("needs MAJOR_RADIUS above MINOR_RADIUS above 0");
      return s;
    case Type::external: s.shape.kind = Shape::Kind::mesh; return s;
    case Type::arc:
    case Type::circle:
    case Type::curve: return refused("is a curve; CONTACT of curves is not simulated");
    default: return refused("is no solid");
  }
}

}  // namespace

std::shared_ptr<const math::Mesh> Compiler::shell_mesh(const model::Graphics& g, std::string& why) {
  if (const auto known = meshes_.find(g.id); known != meshes_.end()) return known->second;
  namespace fs = std::filesystem;
  const std::string file = g.file.value_or("");
  fs::path path = fs::path(libraries_.user().folder) / file;
  std::error_code code;
  if (!fs::exists(path, code)) path = file;
  math::Shell shell;
  if (!math::read_shell(path.string(), shell, why)) {
    why = "EXTERNAL geometry cannot be read: " + why;
    return nullptr;
  }
  std::vector<Vec3> points;
  for (std::size_t k = 0; k + 2 < shell.points.size(); k += 3)
    points.emplace_back(shell.points[k], shell.points[k + 1], shell.points[k + 2]);
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (std::size_t k = 0; k + 2 < shell.faces.size(); k += 3)
    faces.push_back({shell.faces[k], shell.faces[k + 1], shell.faces[k + 2]});
  auto mesh = std::make_shared<math::Mesh>(std::move(points), faces);
  const math::Mesh::Findings& found = mesh->findings();
  if (mesh->triangles().empty() || !(found.volume > 0))
    why = fmt::format("EXTERNAL geometry encloses no volume: {}", file);
  else if (found.open_edges > 0)
    why = fmt::format("EXTERNAL geometry is not closed: {} edges of {} do not join two triangles",
                      found.open_edges, file);
  if (!why.empty()) return nullptr;
  return meshes_[g.id] = mesh;
}

// The solids of one side in the frame of the first one's marker. Empty: said why.
std::vector<Shape> Compiler::contact_side(const model::Contact& contact,
                                          const model::RefList<model::Graphics>& list,
                                          std::string_view argument, int& frame_id, std::string& why) {
  std::vector<Shape> shapes;
  frame_id = 0;
  for (const int id : list.ids) {
    const auto* g = model_.find<model::Graphics>(id);
    if (!g) continue;
    const std::string who = name(*g);
    Solid solid = primitive(*g);
    if (solid.why.empty() && solid.shape.kind == Shape::Kind::mesh)
      solid.shape.mesh = shell_mesh(*g, solid.why);
    if (!solid.why.empty()) {
      // Of one file there may be many: they are told together.
      const bool file = solid.shape.kind == Shape::Kind::mesh;
      why = file ? solid.why : fmt::format("{} {}", who, solid.why);
      return {};
    }
    const int marker_id = marker_of(*g);
    if (frame_id == 0) frame_id = marker_id;
    const Owner body = frames_.owners().of(marker_id), first = frames_.owners().of(frame_id);
    if (!(body.kind == first.kind) || body.id != first.id) {
      error(argument_span(contact, argument), name(contact),
            fmt::format("{} must lie on one part; {} is on another", argument, who),
            "write one CONTACT for each part");
      why = "said";
      return {};
    }
    const auto node = [&](int marker_id_of) { return model_.find<model::Marker>(marker_id_of)->node_id; };
    if (body.kind == kind_of<model::FlexBody>() && node(marker_id) != node(frame_id)) {
      error(argument_span(contact, argument), name(contact),
            fmt::format("{} must lie on one node of a flexible body; {} is on another", argument, who),
            "write one CONTACT for each node");
      why = "said";
      return {};
    }
    const Frame at = frames_.marker_on_body(frame_id).inverse() * frames_.marker_on_body(marker_id);
    Shape& shape = solid.shape;
    shape.p = at.p + at.R * shape.p;
    shape.R = at.R;
    shape.id = id;
    math::set_bound(shape);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

// Solids that meet others by volume need a surface; made once for each GRAPHICS, whatever the number of CONTACTs it is in.
void Compiler::give_meshes(std::vector<Shape>& side, const std::vector<Shape>& others) {
  for (Shape& shape : side) {
    const bool by_volume = std::any_of(others.begin(), others.end(),
                                       [&](const Shape& other) { return !math::by_points(shape, other); });
    if (shape.mesh || !by_volume) continue;
    std::shared_ptr<const math::Mesh>& mesh = meshes_[shape.id];
    if (!mesh) mesh = math::mesh_of(shape, corners_for(model_, *model_.find<model::Graphics>(shape.id)));
    shape.mesh = mesh;
  }
}

bool Compiler::contact_law(const model::Contact& c, elements::ContactData& data, std::string& why) {
  using L = model::Contact::Law;
  if (!(c.law == L::impact)) {
    why = c.normal_function.given() ? "NORMAL_FUNCTION is not simulated"
                                    : "POISSON is not simulated; IMPACT is";
    return false;
  }
  if (c.friction_function.given()) {
    why = "FRICTION_FUNCTION is not simulated; COULOMB_FRICTION is";
    return false;
  }
  data.stiffness = c.stiffness.value_or(0);
  data.exponent = c.exponent.value_or(1);
  data.damping = c.damping.value_or(0);
  data.dmax = c.dmax.value_or(0);
  using C = model::Contact::Coulomb;
  const C coulomb = c.coulomb_friction.value_or(C::off);
  if (coulomb == C::off) return true;
  const core::Words owner = name(c);
  for (const auto& [given, word] : {std::pair{&c.mu_static, "MU_STATIC"},
                                    {&c.mu_dynamic, "MU_DYNAMIC"},
                                    {&c.stiction_transition_velocity, "STICTION_TRANSITION_VELOCITY"},
                                    {&c.friction_transition_velocity, "FRICTION_TRANSITION_VELOCITY"}}) {
    if (given->has_value()) continue;
    error(c.span, owner, fmt::format("COULOMB_FRICTION needs {}", word));
    why = "said";
    return false;
  }
  data.friction = true;
  data.dynamics_only = coulomb == C::dynamics_only;
  data.mu_static = *c.mu_static;
  data.mu_dynamic = *c.mu_dynamic;
  data.stiction_velocity = *c.stiction_transition_velocity;
  data.friction_velocity = *c.friction_transition_velocity;
  if (data.friction_velocity <= data.stiction_velocity) {
    error(argument_span(c, "FRICTION_TRANSITION_VELOCITY"), owner,
          "FRICTION_TRANSITION_VELOCITY must be above STICTION_TRANSITION_VELOCITY");
    why = "said";
    return false;
  }
  return true;
}

void Compiler::contact(const model::Contact& c) {
  elements::ContactData data;
  std::string why;
  int i_id = 0, j_id = 0;
  const auto leave = [&] {
    if (why != "said") leave_idle(kind_of<model::Contact>(), c.id, name(c), why);
  };
  if (c.iflex.given() || c.jflex.given()) why = "contact of flexible bodies is not simulated";
  if (!why.empty() || !contact_law(c, data, why)) return leave();
  data.i = contact_side(c, c.igeom, "IGEOM", i_id, why);
  if (why.empty()) data.j = contact_side(c, c.jgeom, "JGEOM", j_id, why);
  if (!why.empty()) return leave();
  if (data.i.empty() || data.j.empty()) return;  // a missing GRAPHICS has been reported
  const Owner i_body = frames_.owners().of(i_id), j_body = frames_.owners().of(j_id);
  if (i_body.kind == j_body.kind && i_body.id == j_body.id) {
    why = "IGEOM and JGEOM are on the same part";
    return leave();
  }
  give_meshes(data.i, data.j);
  give_meshes(data.j, data.i);
  for (const Shape& a : data.i) {
    for (const Shape& b : data.j) {
      if (math::by_points(a, b) || (a.mesh && b.mesh) || (a.mesh && b.kind == Shape::Kind::plane) ||
          (b.mesh && a.kind == Shape::Kind::plane))
        continue;
      why = fmt::format("{} and {} cannot touch: points and planes need a solid",
                        label(model_, kind_of<model::Graphics>(), a.id),
                        label(model_, kind_of<model::Graphics>(), b.id));
      return leave();
    }
  }
  const core::Words owner = name(c);
  const auto i = marker(i_id, owner, argument_span(c, "IGEOM")),
             j = marker(j_id, owner, argument_span(c, "JGEOM"));
  if (!i || !j) return;
  const assembly::Layout& layout = system_->layout_;
  elements::Load load = elements::make_load(*i, *j, *j, {0, 1, 2, 3, 4, 5}, layout, system_->markers_);
  for (elements::Signal& signal : elements::contact_signals(*i, *j, layout, system_->markers_))
    load.response.signals.add(std::move(signal), layout, load.columns);
  const bool rubs = data.friction;
  const auto law = std::make_shared<elements::Contact>(std::move(data));
  load.response.law = law;
  load.reach = law;
  load.passive = true;
  add_load(std::move(load), c, *i, *j);
  if (rubs && c.stiction == model::Switch::on)
    system_->idle_.push_back(
        {owner,
         "STICTION=ON is simulated as sliding friction, which creeps below STICTION_TRANSITION_VELOCITY"});
}

}  // namespace trunnion::system
