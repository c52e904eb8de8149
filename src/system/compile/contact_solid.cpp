// CONTACT: what each GRAPHICS is as a solid.

#include "system/compile/contact_solid.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "elements/contact.hpp"
#include "math/mesh.hpp"
#include "math/plane_curve.hpp"
#include "math/shell.hpp"
#include "system/compile/compiler.hpp"
#include "system/swept_solid.hpp"

namespace trunnion::system {

using math::Shape;
using math::Vec3;
using model::kind_of;
using Solid = ContactSolid;
using Type = model::Graphics::Type;

int marker_of(const model::Graphics& g) {
  switch (g.type.given() ? g.type.value() : Type::spdp) {
    case Type::box: return g.corner.id;
    case Type::plane:
    case Type::point:
    case Type::external: return g.rm.id;
    case Type::curve: return g.crm.id;
    default: return g.cm.id;
  }
}

namespace {

Solid refused(std::string why) { return {{}, std::move(why), false}; }

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

// With RANGLE: a part of the circle.
Solid wedge(const model::Graphics& g, double length, double low, double high, int corners) {
  const double angle = *g.rangle;
  if (!(std::abs(length) > 0) || !(std::max(low, high) > 0)) return refused("has no size");
  constexpr double kLeast = 1e-3;  // rad
  if (std::abs(angle) < kLeast || std::abs(angle) > 2 * std::numbers::pi)
    return refused("needs RANGLE between a thousandth and a full turn");
  Solid s;
  s.shape.kind = Shape::Kind::mesh;
  s.shape.mesh = math::wedge_of(length, low, high, angle, corners);
  return s;
}

// Without what needs a file or a curve.
Solid primitive(const model::Graphics& g, int corners) {
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
      const bool cylinder = g.type == Type::cylinder;
      const double length = value(g.length), low = value(cylinder ? g.radius : g.bottom),
                   high = value(cylinder ? g.radius : g.top);
      if (!whole) return wedge(g, length, low, high, corners);
      s = frustum(length, low, high);
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
    case Type::external:
    case Type::extrusion:
    case Type::revolution: s.shape.kind = Shape::Kind::mesh; return s;
    case Type::arc:
    case Type::circle:
    case Type::curve: s.shape.kind = Shape::Kind::curve; return s;
    default: return refused("is no solid");
  }
}

// Uniform and of this mass and inertia about its centre, in the axes of R: ⅕ m (b² + c²) = J_x, and so on. A rod or a plate would have no
// thickness: it gets a little.
bool ellipsoid_of(double mass, const math::Mat3& J, Shape& shape) {
  constexpr double kThinnest = 0.02;  // of the longest
  if (!(mass > 0) || !J.allFinite()) return false;
  const Eigen::SelfAdjointEigenSolver<math::Mat3> principal(J);
  const Vec3 moments = principal.eigenvalues();
  const Vec3 squares = 2.5 / mass * (Vec3::Constant(moments.sum()) - 2.0 * moments);
  if (!(squares.maxCoeff() > 0)) return false;
  const double longest = std::sqrt(squares.maxCoeff());
  for (int k = 0; k < 3; ++k)
    shape.half[k] = std::max(std::sqrt(std::max(squares[k], 0.0)), kThinnest * longest);
  shape.kind = Shape::Kind::ellipsoid;
  shape.R = principal.eigenvectors();
  if (shape.R.determinant() < 0) shape.R.col(0) = -shape.R.col(0);
  return true;
}

}  // namespace

// In place of geometry that cannot be read: the ellipsoid that has its part's mass and inertia, in the part's body frame.
bool Compiler::stand_in(const model::Graphics& g, Owner owner, Shape& shape) {
  const auto block = blocks_.find({owner.kind.index, owner.id});
  if (!(owner.kind == kind_of<model::Part>()) || block == blocks_.end()) return false;
  for (const elements::Body& body : system_->elements_->bodies) {
    if (!(body.block == block->second)) continue;
    shape = {};
    if (!ellipsoid_of(body.mass, body.J, shape)) return false;
    shape.p = p_BC_[owner.id];
    shape.id = g.id;
    return true;
  }
  return false;
}

std::shared_ptr<const math::Mesh> Compiler::shell_mesh(const model::Graphics& g, std::string& why,
                                                       bool& unreadable) {
  unreadable = false;
  if (const auto known = meshes_.find(g.id); known != meshes_.end()) return known->second;
  namespace fs = std::filesystem;
  const std::string file = g.file.value_or("");
  fs::path path = fs::path(libraries_.user().folder) / file;
  std::error_code code;
  if (!fs::exists(path, code)) path = file;
  math::Shell shell;
  if (!math::read_shell(path.string(), shell, why)) {
    why = "EXTERNAL geometry cannot be read: " + why;
    unreadable = true;
    return nullptr;
  }
  const auto mesh = math::mesh_of(shell);
  const math::Mesh::Findings& found = mesh->findings();
  if (mesh->triangles().empty() || !(found.volume > 0))
    why = fmt::format("EXTERNAL geometry encloses no volume: {}", file);
  else if (found.open_edges > 0)
    why = fmt::format("EXTERNAL geometry is not closed: {} edges of {} do not join two triangles",
                      found.open_edges, file);
  if (!why.empty()) return nullptr;
  if (found.inverted)
    system_->idle_.push_back(
        {name(g), fmt::format("the triangles of {} face inwards: taken the other way round", file)});
  return meshes_[g.id] = mesh;
}

// EXTRUSION, REVOLUTION.
std::shared_ptr<const math::Mesh> Compiler::swept_mesh(const model::Graphics& g, const core::Words& owner,
                                                       std::string& why) {
  if (const auto known = meshes_.find(g.id); known != meshes_.end()) return known->second;
  const math::Curve* path = contact_curve(g, owner, why);
  if (!path) return nullptr;
  const auto mesh = swept_solid(g, *path, corners_for(model_, g), why);
  if (mesh) meshes_[g.id] = mesh;
  return mesh;
}

// The CURVE that a GRAPHICS names.
const math::Curve* Compiler::contact_curve(const model::Graphics& g, const core::Words& owner,
                                           std::string& why) {
  if (lost_curve(g.cid)) {
    why = fmt::format("has no user code for {}: {}", label(model_, kind_of<model::Curve>(), g.cid.id),
                      lost_curves_.at(g.cid.id));
    return nullptr;
  }
  const math::Curve* found = curve(g.cid.id, owner, argument_span(g, "CID"));
  if (!found) why = "has no CURVE";
  return found;
}

// Of one file there may be many GRAPHICS: the reason is told without their names.
ContactSolid Compiler::contact_solid(const model::Contact& contact, const model::Graphics& g, bool turned,
                                     char side, Owner body) {
  Solid solid = primitive(g, corners_for(model_, g));
  const auto named = [&](Solid it) {
    if (!it.why.empty()) it.why = fmt::format("{} {}", name(g), it.why);
    return it;
  };
  if (!solid.why.empty()) return named(std::move(solid));
  const bool line = solid.shape.kind == Shape::Kind::curve;
  if (turned && !line)
    system_->idle_.push_back(
        {name(contact),
         fmt::format("{}FLIP turns curves inside out and leaves {} as it is: a solid has one inside", side,
                     name(g))});
  if (line) curve_shape(g, turned, name(contact), solid.shape, solid.why);
  if (line || solid.shape.kind != Shape::Kind::mesh || solid.shape.mesh) return named(std::move(solid));
  if (libraries_.user().for_drawing) {  // which only asks whether there is a contact
    solid.shape.kind = Shape::Kind::sphere;
    solid.shape.radius = 1;
    return solid;
  }
  if (is_swept(g)) {
    solid.shape.mesh = swept_mesh(g, name(contact), solid.why);
    return named(std::move(solid));
  }
  bool unreadable = false;
  solid.shape.mesh = shell_mesh(g, solid.why, unreadable);
  solid.stands_in = unreadable && stand_in(g, body, solid.shape);
  if (solid.stands_in) solid.why.clear();
  return solid;
}

bool Compiler::curve_shape(const model::Graphics& g, bool turned, const core::Words& owner, Shape& shape,
                           std::string& why) {
  if (g.type == Type::circle) {
    shape.kind = Shape::Kind::circle;
    shape.radius = g.radius.value_or(0);
    shape.hole = turned;
    if (!(shape.radius > 0)) why = "has no size";
    return why.empty();
  }
  shape.kind = Shape::Kind::curve;
  std::optional<math::Curve> arc;
  const math::Curve* one = nullptr;
  if (g.type == Type::arc) {
    const double r = g.radius.value_or(0), angle = g.rangle.value_or(0);
    if (!(r > 0) || angle == 0.0) {
      why = "has no size";
      return false;
    }
    arc = math::Curve::from_function(0, angle > 0 ? angle : -angle, false, [r, angle](double a) {
      const double way = angle > 0 ? 1 : -1, c = r * std::cos(a), s = r * std::sin(a);
      return std::array<math::Derivatives, 3>{
          math::Derivatives{c, -s, -c, s, c},
          math::Derivatives{way * s, way * c, -way * s, -way * c, way * s}, math::Derivatives{}};
    });
    one = &*arc;
  } else {
    one = contact_curve(g, owner, why);
  }
  if (!one) return false;
  shape.curve = math::PlaneCurve::make(*one, Vec3::UnitZ(), turned, why);
  if (!shape.curve) return false;
  shape.p = shape.curve->p();
  shape.R = shape.curve->R();
  return true;
}

// Solids that meet others by volume need a surface; made once for each GRAPHICS, whatever the number of CONTACTs it is in.
void Compiler::give_meshes(std::vector<Shape>& side, const std::vector<Shape>& others) {
  for (Shape& shape : side) {
    const bool by_volume = std::any_of(others.begin(), others.end(),
                                       [&](const Shape& other) { return !math::by_points(shape, other); });
    if (shape.mesh || !by_volume) continue;
    const auto& g = *model_.find<model::Graphics>(shape.id);
    if (g.type == Type::external) {  // a stand-in, not what is in its file
      shape.mesh = math::mesh_of(shape, corners_for(model_, g));
      continue;
    }
    std::shared_ptr<const math::Mesh>& mesh = meshes_[shape.id];
    if (!mesh) mesh = math::mesh_of(shape, corners_for(model_, g));
    shape.mesh = mesh;
  }
}

}  // namespace trunnion::system
