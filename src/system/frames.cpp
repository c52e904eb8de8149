#include "system/frames.hpp"

namespace trunnion::system {

using math::Mat3;
using math::Vec3;

namespace {

Vec3 vector(const std::vector<double>& values) {
  return values.size() >= 3 ? Vec3(values[0], values[1], values[2]) : Vec3::Zero();
}

// Axes from angles, or from points; a point that is left out lies along the outer frame's own axis.
bool axes(const Vec3& origin, const std::vector<double>& euler, const std::vector<double>& z_point,
          const std::vector<double>& x_point, bool use_xp, Mat3& R) {
  if (euler.size() >= 3) {
    R = math::rotation_from_euler_313({euler[0], euler[1], euler[2]});
    return true;
  }
  if (z_point.empty() && x_point.empty()) {
    R.setIdentity();
    return true;
  }
  const Vec3 z = z_point.empty() ? Vec3(origin + Vec3::UnitZ()) : vector(z_point);
  const Vec3 x = x_point.empty() ? Vec3(origin + Vec3::UnitX()) : vector(x_point);
  if (math::rotation_from_points(origin, z, x, use_xp, R)) return true;
  // z given along the outer x axis: any perpendicular direction will do, as the vendor's rule leaves it open.
  return x_point.empty() && math::rotation_from_points(origin, z, origin + Vec3::UnitY(), use_xp, R);
}

}  // namespace

Frames::Frames(const model::Model& model, core::Diagnostics& diagnostics)
    : model_(model), diagnostics_(diagnostics), owners_(model) {
  for (const model::Part& part : model.all<model::Part>())
    parts_[part.id] = part.ground ? Frame{} : placed(part);
  for (const model::PointMass& p : model.all<model::PointMass>()) point_masses_[p.id] = placed(p);
  for (const model::FlexBody& p : model.all<model::FlexBody>()) flex_bodies_[p.id] = placed(p);
  for (const model::FePart& p : model.all<model::FePart>()) {
    Frame& frame = fe_parts_[p.id];
    frame.p = vector(p.qg);
    axes(frame.p, p.reuler, {}, {}, false, frame.R);
  }
}

template <class T> Frame Frames::placed(const T& body) {
  Frame frame;
  frame.p = vector(body.qg);
  if (!axes(frame.p, body.reuler, body.zg, body.xg, false, frame.R)) {
    diagnostics_.error(body.span, label(model::schema_of(model::kind_of<T>()), body),
                       "ZG and XG lie on one line through the origin, so they give no axes");
  }
  return frame;
}

Frame Frames::body(Owner owner) const {
  if (owner.kind == model::kind_of<model::Part>()) return parts_.at(owner.id);
  if (owner.kind == model::kind_of<model::PointMass>()) return point_masses_.at(owner.id);
  if (owner.kind == model::kind_of<model::FlexBody>()) return flex_bodies_.at(owner.id);
  if (owner.kind == model::kind_of<model::FePart>()) return fe_parts_.at(owner.id);
  return {};
}

Frame Frames::local(const model::Marker& m) {
  Frame frame;
  frame.p = vector(m.qp);
  if (!axes(frame.p, m.reuler, m.zp, m.xp, m.usexp, frame.R)) {
    diagnostics_.error(m.span, label(model::schema_of(model::kind_of<model::Marker>()), m),
                       "ZP and XP lie on one line through the origin, so they give no axes");
  }
  return frame;
}

Frame Frames::marker(int id) {
  const model::Marker* m = model_.find<model::Marker>(id);
  if (!m || m->floating) return {};
  if (const auto found = markers_.find(id); found != markers_.end()) return found->second;
  constexpr int kDeepest = 50;
  Frame frame;
  if (m->rm.given() && m->rm.id != id) {
    if (++depth_ > kDeepest) {
      diagnostics_.error(m->span, label(model_, model::kind_of<model::Marker>(), id),
                         "its RM markers refer to each other in a circle");
    } else {
      frame = marker(m->rm.id) * local(*m);
    }
    --depth_;
  } else {
    frame = body(owners_.of(*m)) * local(*m);
  }
  markers_[id] = frame;
  return frame;
}

Frame Frames::marker_on_body(int id) { return body(owners_.of(id)).inverse() * marker(id); }

}  // namespace trunnion::system
