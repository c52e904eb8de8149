#include "system/swept_solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/curve.hpp"
#include "math/mesh.hpp"
#include "math/outline.hpp"
#include "model/model.hpp"

namespace trunnion::system {

using Type = model::Graphics::Type;

int corners_for(const model::Model& model, const model::Graphics& g) {
  const auto* preferences = model.single<model::Preferences>();
  constexpr double kUsual = 300.0;
  const double usual = preferences ? preferences->contact_faceting_tolerance.value_or(kUsual) : kUsual;
  const double fineness = g.faceting_tolerance.value_or(usual);
  const int fours =
      static_cast<int>(std::lround(16.0 * std::sqrt(std::clamp(fineness / kUsual, 0.1, 100.0))));
  return 4 * fours;
}

bool is_swept(const model::Graphics& g) {
  return g.type.given() && (g.type == Type::extrusion || g.type == Type::revolution);
}

namespace {

bool is_area(const math::Outline& outline, double size, std::string& why) {
  constexpr double kThin = 1e-9;
  if (outline.size() < 3 || std::abs(math::area_of(outline)) < kThin * size * size)
    why = "has a curve that bounds no area";
  else if (math::meets_itself(outline))
    why = "has a curve that meets itself, at the fineness of FACETING_TOLERANCE";
  return why.empty();
}

// An open curve ends on the axis, or is led to it straight across.
bool close_on_axis(math::FlatCurve& flat, std::string& why) {
  constexpr double kOnAxis = 1e-6;
  for (auto& at : flat.corners) {
    if (at.x() < -kOnAxis * flat.size) {
      why = "has a curve on both sides of z, about which it goes round: x must not be negative";
      return false;
    }
    if (at.x() < kOnAxis * flat.size) at.x() = 0;
  }
  if (flat.closed) return true;
  if (flat.corners.front().x() > 0) flat.corners.insert(flat.corners.begin(), {0, flat.corners.front().y()});
  if (flat.corners.back().x() > 0) flat.corners.emplace_back(0, flat.corners.back().y());
  return true;
}

std::shared_ptr<const math::Mesh> if_closed(std::shared_ptr<const math::Mesh> mesh, std::string& why) {
  if (mesh->findings().open_edges == 0) return mesh;
  why = "sweeps no closed surface, at the fineness of FACETING_TOLERANCE";
  return nullptr;
}

}  // namespace

std::shared_ptr<const math::Mesh> swept_solid(const model::Graphics& g, const math::Curve& curve, int corners,
                                              std::string& why) {
  math::FlatCurve flat;
  if (g.type == Type::extrusion) {
    if (!math::flatten(curve, {0, 1, 2}, corners, flat, why)) return nullptr;
    const double length = g.length.value_or(0);
    if (length == 0.0) why = g.length ? "has a LENGTH of 0" : "has no LENGTH";
    else if (!flat.closed) why = "has a curve that is not closed";
    if (!why.empty() || !is_area(flat.corners, flat.size, why)) return nullptr;
    return if_closed(math::extruded(std::move(flat.corners), flat.across, length), why);
  }
  if (!math::flatten(curve, {0, 2, 1}, corners, flat, why)) return nullptr;
  constexpr double kFlat = 1e-6, kLeast = 1e-3, kTurn = 2 * std::numbers::pi;
  const double angle = g.rangle.value_or(kTurn);
  if (std::abs(flat.across) > kFlat * flat.size) why = "has a curve that is not in the xz plane of CM";
  else if (std::abs(angle) < kLeast || std::abs(angle) > kTurn * (1 + kFlat))
    why = "needs RANGLE between a thousandth and a full turn";
  if (!why.empty() || !close_on_axis(flat, why) || !is_area(flat.corners, flat.size, why)) return nullptr;
  return if_closed(math::revolved(std::move(flat.corners), angle, corners), why);
}

}  // namespace trunnion::system
