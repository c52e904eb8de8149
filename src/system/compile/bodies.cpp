#include <algorithm>

#include <fmt/format.h>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

using math::Mat3;
using math::Vec3;
using model::kind_of;

void Compiler::bodies() {
  for (const model::Part& p : model_.all<model::Part>()) part(p);
  for (const model::PointMass& p : model_.all<model::PointMass>()) point_mass(p);
  flex_bodies();
  for (const model::FePart& p : model_.all<model::FePart>()) fe_part(p);
}

namespace {

constexpr const char* kVelocityWords[] = {"VX", "VY", "VZ", "WX", "WY", "WZ"};

Vec3 gravity(const model::Model& model) {
  const model::Accgrav* g = model.single<model::Accgrav>();
  return g ? Vec3(g->igrav.value_or(0), g->jgrav.value_or(0), g->kgrav.value_or(0)) : Vec3::Zero();
}

}  // namespace

void Compiler::part(const model::Part& p) {
  const core::Words owner = name(p);
  const std::pair key{kind_of<model::Part>().index, p.id};
  const std::string channel = fmt::format("PART/{}", p.id);
  if (p.ground) {
    blocks_[key] = assembly::kGround;
    return;
  }
  const Frame X_GB = frames_.body({kind_of<model::Part>(), p.id});
  const Frame X_BC = p.cm.given() ? frames_.marker_on_body(p.cm.id) : Frame{};
  p_BC_[p.id] = X_BC.p;
  elements::Body body;
  body.mass = p.mass.value_or(0);
  body.gravity = gravity(model_);
  if (!p.ip.empty()) {
    double ip[6] = {0, 0, 0, 0, 0, 0};
    for (std::size_t k = 0; k < std::min<std::size_t>(6, p.ip.size()); ++k) ip[k] = p.ip[k];
    const Frame X_BI = p.im.given() ? frames_.marker_on_body(p.im.id) : X_BC;
    body.J = elements::inertia_about_mass_centre(ip, body.mass, X_BI.R, X_BC.p - X_BI.p);
  }
  const Vec3 p_GC = X_GB.p + X_GB.R * X_BC.p;
  const math::Quat quaternion(X_GB.R);
  if (p.planar) {
    const assembly::Plane plane = assembly::make_plane(p_GC, quaternion, Vec3::UnitZ());
    body.block = system_->layout_.add_planar(owner, plane);
    planar_start(p, body.block, plane);
  } else {
    body.block = system_->layout_.add_rigid(owner);
    poses_.emplace_back(body.block, assembly::Pose{p_GC, quaternion.normalized()});
    exact(p, body.block, X_GB, p_GC);
    velocities(p, body.block, X_GB);
  }
  blocks_[key] = body.block;
  system_->body_info_.push_back({owner, channel, body.block, {}, X_BC.R, X_BC.p});
  system_->elements_->bodies.push_back(std::move(body));
}

void Compiler::point_mass(const model::PointMass& p) {
  const core::Words owner = name(p);
  const Frame X_GB = frames_.body({kind_of<model::PointMass>(), p.id});
  const Frame X_BC = p.cm.given() ? frames_.marker_on_body(p.cm.id) : Frame{};
  elements::Body body;
  body.mass = p.mass.value_or(0);
  body.gravity = gravity(model_);
  body.block = system_->layout_.add_point(owner);
  const Vec3 p_GC = X_GB.p + X_GB.R * X_BC.p;
  blocks_[{kind_of<model::PointMass>().index, p.id}] = body.block;
  poses_.emplace_back(body.block, assembly::Pose{p_GC, math::Quat::Identity()});
  Eigen::VectorXd speed = Vec3(p.vx.value_or(0), p.vy.value_or(0), p.vz.value_or(0));
  speeds_.emplace_back(body.block, speed);
  const int offset = system_->layout_.block(body.block).offset;
  const auto keep = [&](std::vector<Weight>& list, int axis) {
    Weight w;
    w.offset = offset;
    w.size = 3;
    w.c[axis] = 1;
    w.word = kVelocityWords[axis];
    list.push_back(w);
  };
  if (p.vx) keep(system_->exact_velocities_, 0);
  if (p.vy) keep(system_->exact_velocities_, 1);
  if (p.vz) keep(system_->exact_velocities_, 2);
  for (int axis = 0; axis < 3; ++axis) {
    if (p.exact.has(static_cast<model::Coordinate>(axis))) keep(system_->exact_coordinates_, axis);
  }
  system_->body_info_.push_back(
      {owner, fmt::format("POINT_MASS/{}", p.id), body.block, {}, X_GB.R * X_BC.R, X_GB.R * X_BC.p});
  system_->elements_->bodies.push_back(std::move(body));
}

// EXACT names coordinates of the body frame: its origin and its 3-1-3 angles. The weight of the least-change problem
// acts along the gradient of each with respect to (δx of the mass centre, δθ).
void Compiler::exact(const model::Part& p, assembly::BlockId block, const Frame& X_GB, const Vec3& p_GC) {
  using model::Coordinate;
  const int offset = system_->layout_.block(block).offset;
  const Vec3 arm = X_GB.p - p_GC;  // from the mass centre to the body frame's origin
  const Mat3 turn = -math::hat(arm) * X_GB.R;
  const math::EulerAngles angles = math::euler_313(X_GB.R);
  // Columns: axes of psi, theta and phi in body axes; δθ = A (δψ, δθ, δφ).
  Mat3 A;
  const double st = std::sin(angles.second), ct = std::cos(angles.second);
  const double sp = std::sin(angles.third), cp = std::cos(angles.third);
  A << st * sp, cp, 0, st * cp, -sp, 0, ct, 0, 1;
  constexpr double kSingular = 1e-6;  // psi and phi turn about one axis: keep the turns themselves
  const Mat3 rows = std::abs(st) > kSingular ? Mat3(A.inverse()) : Mat3(A.transpose());
  for (int k = 0; k < 6; ++k) {
    if (!p.exact.has(static_cast<Coordinate>(k))) continue;
    Weight w;
    w.offset = offset;
    if (k < 3) {
      w.c[k] = 1;
      w.c.tail<3>() = turn.row(k).transpose();
    } else {
      w.c.tail<3>() = rows.row(k - 3).transpose().normalized();
    }
    system_->exact_coordinates_.push_back(w);
  }
}

// VX … WZ along the axes of VM and WM, or the global ones. What is given is to be kept.
void Compiler::velocities(const model::Part& p, assembly::BlockId block, const Frame& X_GB) {
  const int offset = system_->layout_.block(block).offset;
  const Mat3 R_GV = p.vm.given() ? frames_.marker(p.vm.id).R : Mat3(Mat3::Identity());
  const Mat3 R_GW = p.wm.given() ? frames_.marker(p.wm.id).R : Mat3(Mat3::Identity());
  const std::optional<double> given[6] = {p.vx, p.vy, p.vz, p.wx, p.wy, p.wz};
  Eigen::VectorXd speed = Eigen::VectorXd::Zero(6);
  for (int k = 0; k < 6; ++k) {
    if (!given[k]) continue;
    Weight w;
    w.offset = offset;
    w.word = kVelocityWords[k];
    if (k < 3) {
      w.c.head<3>() = R_GV.col(k);
    } else {
      w.c.tail<3>() = X_GB.R.transpose() * R_GW.col(k - 3);
    }
    speed += *given[k] * w.c;
    system_->exact_velocities_.push_back(w);
  }
  speeds_.emplace_back(block, speed);
}

// A planar part moves in the global x-y plane: what is given across it cannot be kept.
void Compiler::planar_start(const model::Part& p, assembly::BlockId block, const assembly::Plane& plane) {
  if (p.vm.given() || p.wm.given()) {
    error(p.span, name(p), "VM and WM do not go with PLANAR", "give VX, VY and WZ along the global axes");
  }
  if (p.vz.value_or(0) != 0 || p.wx.value_or(0) != 0 || p.wy.value_or(0) != 0) {
    error(p.span, name(p), "a PLANAR part has no VZ, WX or WY", "leave them out, or make it a part in space");
  }
  const int offset = system_->layout_.block(block).offset;
  Eigen::VectorXd speed = Eigen::VectorXd::Zero(3);
  const auto keep = [&](std::vector<Weight>& list, const Vec3& c, const char* word = "") {
    Weight w;
    w.offset = offset;
    w.size = 3;
    w.c.head<3>() = c;
    w.word = word;
    list.push_back(w);
  };
  const Vec3 along_x(plane.axes(0, 0), plane.axes(0, 1), 0), along_y(plane.axes(1, 0), plane.axes(1, 1), 0);
  const auto velocity = [&](const std::optional<double>& value, const Vec3& c, int word) {
    if (!value) return;
    keep(system_->exact_velocities_, c, kVelocityWords[word]);
    speed += *value * c;
  };
  velocity(p.vx, along_x, 0);
  velocity(p.vy, along_y, 1);
  velocity(p.wz, Vec3::UnitZ(), 5);
  speeds_.emplace_back(block, speed);
  using model::Coordinate;
  if (p.exact.has(Coordinate::x)) keep(system_->exact_coordinates_, along_x);
  if (p.exact.has(Coordinate::y)) keep(system_->exact_coordinates_, along_y);
  const bool angle = p.exact.has(Coordinate::psi) || p.exact.has(Coordinate::phi);
  if (angle) keep(system_->exact_coordinates_, Vec3::UnitZ());
}

void Compiler::markers() {
  System& s = *system_;
  for (const model::Marker& m : model_.all<model::Marker>()) {
    if (m.floating) continue;
    const Owner owner = frames_.owners().of(m);
    if (owner.kind == kind_of<model::FePart>()) fe_marker(m, owner.id);
    const auto block = blocks_.find({owner.kind.index, owner.id});
    if (block == blocks_.end()) continue;  // on a body the solver does not have
    const Frame X_BM = frames_.marker_on_body(m.id);
    assembly::MarkerDef def;
    def.body = block->second;
    def.p_BM = X_BM.p;
    def.R_BM = X_BM.R;
    if (owner.kind == kind_of<model::Part>() && def.body.valid()) {
      def.p_BM -= p_BC_.at(owner.id);
    } else if (owner.kind == kind_of<model::PointMass>()) {
      // A point mass keeps the ground's axes; its frame's orientation is folded into the marker.
      const model::PointMass& mass = *model_.find<model::PointMass>(owner.id);
      const Frame X_GB = frames_.body(owner);
      const Vec3 p_BC = mass.cm.given() ? frames_.marker_on_body(mass.cm.id).p : Vec3::Zero();
      def.p_BM = X_GB.R * (X_BM.p - p_BC);
      def.R_BM = X_GB.R * X_BM.R;
    } else if (owner.kind == kind_of<model::FlexBody>()) {
      flex_marker(m, owner.id, def);
    }
    s.marker_ids_[m.id] = s.markers_.add(def);
  }
  for (BodyInfo& info : s.body_info_) {
    info.cm = s.markers_.add({info.block, Vec3::Zero(), info.R_BC});
  }
}

void Compiler::set_start() {
  System& s = *system_;
  s.start_ = assembly::make_state(s.layout_);
  for (const auto& [block, pose] : poses_) assembly::set_pose(s.layout_, block, pose, s.start_.q);
  for (const auto& [block, speed] : speeds_)
    s.start_.v.segment(s.layout_.block(block).offset, speed.size()) = speed;
  for (const auto& [block, value] : parameters_) s.start_.q[s.layout_.block(block).pose_offset] = value;
  for (const ScalarStart& start : scalars_) {
    const assembly::Block& block = s.layout_.block(start.block);
    s.start_.q.segment(block.pose_offset, block.size) = start.value;
    if (start.rate.size() != 0) s.start_.v.segment(block.offset, block.size) = start.rate;
  }
  s.start_.memory = memory_;
  s.start_.t = time_;
  s.begin_drives(s.start_, std::vector<bool>(memory_.size(), true));
}

std::optional<assembly::MarkerId> Compiler::marker(int id, const core::Words& owner, core::Span span) {
  const auto found = system_->marker_ids_.find(id);
  if (found != system_->marker_ids_.end()) return found->second;
  const Owner body = frames_.owners().of(id);
  const model::Marker* m = model_.find<model::Marker>(id);
  const std::string marker_name = label(model_, kind_of<model::Marker>(), id);
  if (m && m->floating) {
    error(span, owner, fmt::format("{} is a FLOATING marker, which has no fixed position", marker_name));
  } else if (body.known()) {
    rests_on(body, id, owner, span);
  } else {
    error(span, owner, fmt::format("{} is on no body", marker_name));
  }
  return std::nullopt;
}

void Compiler::rests_on(Owner body, int marker_id, const core::Words& owner, core::Span span) {
  const auto [at, first] = resting_.try_emplace({body.kind.index, body.id});
  Resting& r = at->second;
  if (first) {
    r.body = body;
    r.marker = marker_id;
    r.span = span;
  }
  if (std::find(r.statements.begin(), r.statements.end(), owner) == r.statements.end())
    r.statements.push_back(owner);
}

// To the error of the body itself; where none has its name the first statement on it gets one.
void Compiler::count_resting() {
  if (resting_.empty()) return;
  std::map<std::string, std::string> also;
  for (const auto& [key, r] : resting_) {
    const std::string who = label(model_, r.body.kind, r.body.id);
    const auto is_of = [&](const core::Diagnostic& d) {
      return d.severity == core::Severity::error && d.subject == who;
    };
    const auto& all = diagnostics_.all();
    if (std::none_of(all.begin(), all.end(), is_of))
      error(r.span, r.statements.front(),
            fmt::format("{} is on {}, which is in error itself",
                        label(model_, kind_of<model::Marker>(), r.marker), who));
    const std::size_t n = r.statements.size();
    also[who] = n == 1 ? fmt::format("; {} rests on it", std::string(r.statements.front()))
                       : fmt::format("; {} statements rest on it, {} the first", n,
                                     std::string(r.statements.front()));
  }
  core::Diagnostics told;
  for (const core::Diagnostic& d : diagnostics_.all()) {
    if (d.severity == core::Severity::warning) {
      told.warning(d.span, d.subject, d.message, d.hint);
      continue;
    }
    const auto at = also.find(d.subject);
    told.error(d.span, d.subject, d.message + (at == also.end() ? "" : at->second), d.hint);
    if (at != also.end()) also.erase(at);
  }
  // Those beyond the limit are counted and no more.
  while (told.error_count() < diagnostics_.error_count()) told.error({}, {}, {});
  diagnostics_ = std::move(told);
}

int Compiler::memory(double value, std::string key) {
  memory_.push_back(value);
  system_->memory_keys_.push_back(std::move(key));
  return static_cast<int>(memory_.size()) - 1;
}

}  // namespace trunnion::system
