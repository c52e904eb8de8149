// FE_PART, its markers, and FE_LOAD. A node is a body like any other; the elements between nodes are elements/beam_element.hpp.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "assembly/chart.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using math::Mat3;
using math::Vec3;
using model::kind_of;

namespace {

Vec3 weight_of(const model::Model& model) {
  const model::Accgrav* g = model.single<model::Accgrav>();
  return g ? Vec3(g->igrav.value_or(0), g->jgrav.value_or(0), g->kgrav.value_or(0)) : Vec3::Zero();
}

// The mass centre as the statement's nodes and sections put it; masses off the axis left out, they do not matter for a start.
Vec3 mass_centre(const BeamMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (std::size_t k = 0; k + 1 < mesh.nodes.size(); ++k) {
    const BeamNode &a = mesh.nodes[k], &b = mesh.nodes[k + 1];
    const double m = (b.s - a.s) * (a.section.mass + b.section.mass);
    sum += m * (a.pose.x + b.pose.x) / 2;
    mass += m;
  }
  return mass > 0 ? Vec3(sum / mass) : mesh.nodes.front().pose.x;
}

}  // namespace

void Compiler::fe_part(const model::FePart& p) {
  auto mesh = make_beam_mesh(model_, p, frames_.body({kind_of<model::FePart>(), p.id}),
                             libraries_.user().folder, diagnostics_);
  if (!mesh) return;
  BeamPart& beam = beams_[p.id];
  beam.mesh = std::move(*mesh);
  const Vec3 centre = mass_centre(beam.mesh);
  BeamInfo info{p.id, name(p), system_->elements_->beams.size(), 0, {}, beam.mesh.length};
  for (const BeamNode& node : beam.mesh.nodes) {
    beam.blocks.push_back(fe_node(p, node, centre));
    info.node_names.push_back(node.name);
  }
  info.count = beam.blocks.size() - 1;
  const double ratio = p.cratiok ? *p.cratiok : p.cratio.value_or(0);
  const auto order = static_cast<std::size_t>(beam.mesh.order);
  for (std::size_t k = 0; k < info.count; k += order) {
    const BeamNode &a = beam.mesh.nodes[k], &b = beam.mesh.nodes[k + order];
    elements::BeamElement element =
        order == 1 ? elements::make_beam_element(a.pose, b.pose, a.section, b.section, ratio)
                   : elements::make_beam_element(a.pose, beam.mesh.nodes[k + 1].pose, b.pose, a.section,
                                                 b.section, ratio);
    for (std::size_t n = 0; n <= order; ++n) element.nodes[n] = beam.blocks[k + n];
    element.mass_damping = p.cratiom.value_or(0);
    element.gravity = weight_of(model_);
    element.owner = core::words("{}, nodes {} and {}", info.label, a.name, b.name);
    element.troubles = system_->troubles_;
    system_->elements_->beams.push_back(std::move(element));
  }
  system_->beam_info_.push_back(std::move(info));
}

// A node moves at the start as the whole beam does: VX … of its mass centre, WX … about it.
assembly::BlockId Compiler::fe_node(const model::FePart& p, const BeamNode& node, const Vec3& centre) {
  const core::Words owner = core::words("{} node {}", name(p), node.name);
  const Mat3 R_GV = p.vm.given() ? frames_.marker(p.vm.id).R : Mat3(Mat3::Identity());
  const Mat3 R_GW = p.wm.given() ? frames_.marker(p.wm.id).R : Mat3(Mat3::Identity());
  const Vec3 w = R_GW * Vec3(p.wx.value_or(0), p.wy.value_or(0), p.wz.value_or(0));
  const Vec3 v =
      R_GV * Vec3(p.vx.value_or(0), p.vy.value_or(0), p.vz.value_or(0)) + w.cross(node.pose.x - centre);
  const bool travels = p.vx || p.vy || p.vz || p.wx || p.wy || p.wz, turns = p.wx || p.wy || p.wz;
  assembly::BlockId block;
  Eigen::Matrix<double, 6, 1> twist;
  twist << v, node.pose.R.conjugate() * w;
  assembly::TwistMap S;
  if (const auto normal = plane_of(p)) {
    block = system_->layout_.add_planar(owner, assembly::make_plane(node.pose.x, node.pose.R, *normal));
    S = assembly::twist_map(system_->layout_, system_->layout_.block(block));
  } else {
    block = system_->layout_.add_rigid(owner);
    poses_.emplace_back(block, node.pose);
    S = Eigen::Matrix<double, 6, 6>::Identity();
  }
  const Eigen::VectorXd speed = S.transpose() * twist;
  const int size = static_cast<int>(speed.size()), shifts = size == 6 ? 3 : 2;
  for (int k = 0; k < size; ++k) {
    Weight keep;
    keep.offset = system_->layout_.block(block).offset;
    keep.size = size;
    keep.c[k] = 1;
    if (k < shifts ? travels : turns) system_->exact_velocities_.push_back(keep);
    // EXACT names coordinates of the whole: all nodes stay, or none.
    if (p.exact.given()) system_->exact_coordinates_.push_back(keep);
  }
  speeds_.emplace_back(block, speed);
  system_->body_info_.push_back(
      {owner, fmt::format("FE_PART/{}.{}", p.id, node.name), block, {}, Mat3::Identity()});
  return block;
}

namespace {

// What puts a marker on a node, from the frame of the part.
std::string place_text(const Frame& X_GB, const Vec3& node) {
  Vec3 p = X_GB.R.transpose() * (node - X_GB.p);
  constexpr double kRounding = 1e-12;
  for (double& x : p) x = std::abs(x) > kRounding * p.norm() ? x : 0.0;
  return fmt::format("QP = {:.9g}, {:.9g}, {:.9g} puts it on the node", p.x(), p.y(), p.z());
}

}  // namespace

// Rides on its node rigidly, where the model puts it. On a node that an FE_NODE added, and without a place of its own, it is at the
// node.
void Compiler::fe_marker(const model::Marker& m, int part) {
  const auto beam = beams_.find(part);
  if (beam == beams_.end()) return;  // said before
  const std::string body = label(model_, kind_of<model::FePart>(), part);
  const BeamNode* node = beam->second.mesh.find(m.node_label.value_or(0));
  if (!node) {
    if (m.node_label)
      error(argument_span(m, "NODE_LABEL"), name(m), fmt::format("{} has no node {}", body, *m.node_label),
            "a label of its NODE_LABELS, or of an FE_NODE with S");
    else
      error(m.span, name(m), fmt::format("a marker on {} rides on one of its nodes, and none is named", body),
            "NODE_LABEL; an FE_NODE with S puts a node anywhere");
    return;
  }
  const bool placed = !m.qp.empty() || !m.reuler.empty() || !m.zp.empty() || !m.xp.empty() || m.rm.given();
  const Mat3 R_GN = node->pose.R.toRotationMatrix();
  Frame X_GM{node->pose.x, R_GN};
  if (!node->added || placed) X_GM = frames_.marker(m.id);
  // One that does not say where it is stands at the origin of the part, which need not be its node.
  const double off = (X_GM.p - node->pose.x).norm();
  constexpr double kRoundedInFile = 1e-3;
  if (m.qp.empty() && !m.rm.given() && off > kRoundedInFile * beam->second.mesh.length)
    diagnostics_.warning(m.span, name(m),
                         fmt::format("without QP it is at the origin of {}, {:.4g} from node {}; it is "
                                     "carried by the node as on a rigid arm",
                                     body, off, node->name),
                         place_text(frames_.body({kind_of<model::FePart>(), part}), node->pose.x));
  assembly::MarkerDef def;
  def.body = beam->second.blocks[static_cast<std::size_t>(node - beam->second.mesh.nodes.data())];
  def.p_BM = R_GN.transpose() * (X_GM.p - node->pose.x);
  def.R_BM = R_GN.transpose() * X_GM.R;
  system_->marker_ids_[m.id] = system_->markers_.add(def);
}

// A load along the axis as the shapes of the axis share it out: half of each element on either of its two nodes, at a sixth of the
// length towards the other; of three nodes two thirds on the middle one.
void Compiler::fe_load(const model::FeLoad& f) {
  const auto found = beams_.find(f.fe_part.id);
  if (found == beams_.end()) return;
  const core::Words owner = name(f);
  if (f.function.given()) {
    error(argument_span(f, "FUNCTION"), owner, "FUNCTION=USER of FE_LOAD is not simulated",
          "FX … TZ as functions, or GFORCEs at nodes");
    return;
  }
  const auto rm = f.rm.given() ? marker(f.rm.id, owner, argument_span(f, "RM"))
                               : std::optional(assembly::MarkerTable::kGroundMarker);
  if (!rm) return;
  const BeamPart& beam = found->second;
  const BeamInfo& info = *std::find_if(system_->beam_info_.begin(), system_->beam_info_.end(),
                                       [&](const BeamInfo& b) { return b.id == f.fe_part.id; });
  std::vector<elements::LoadShare> shares(beam.blocks.size());
  const auto order = static_cast<std::size_t>(beam.mesh.order);
  for (std::size_t k = 0; k < info.count; k += order) {
    const elements::BeamElement& e = system_->elements_->beams[info.first + k / order];
    for (std::size_t n = 0; n <= order; ++n) {
      const elements::LoadShare part = elements::load_share(e, static_cast<int>(n));
      shares[k + n].length += part.length;
      shares[k + n].moment += part.moment;
    }
  }
  const model::Expression* const given[6] = {&f.fx, &f.fy, &f.fz, &f.tx, &f.ty, &f.tz};
  for (std::size_t n = 0; n < beam.blocks.size(); ++n) {
    const elements::LoadShare& share = shares[n];
    const assembly::MarkerId at =
        system_->markers_.add({beam.blocks[n], share.moment / share.length, Mat3::Identity()});
    std::vector<int> axes;
    for (int k = 0; k < 6; ++k) {
      if (given[k]->given()) axes.push_back(k);
    }
    elements::Load load = elements::make_load(at, assembly::MarkerTable::kGroundMarker, *rm, axes,
                                              system_->layout_, system_->markers_);
    load.reaction = false;
    int output = 0;
    for (const int k : axes) {
      model::Expression scaled = *given[k];
      scaled.text = fmt::format("({:.17g})*({})", share.length, scaled.text);
      const core::Span span = scaled.span.known() ? scaled.span : f.span;
      const auto compiled = program(scaled, owner, span);
      auto inputs = compiled ? signals(*compiled, owner, span) : std::nullopt;
      if (!inputs) return;
      load.response.add(*compiled, std::move(*inputs), output++, system_->layout_, load.columns);
    }
    add_load(std::move(load), f, at, assembly::MarkerTable::kGroundMarker, 0,
             fmt::format(".{}", beam.mesh.nodes[n].name));
  }
}

void Compiler::gather_outlines() {
  Elements& e = *system_->elements_;
  std::map<int, std::size_t> nodes;  // block → place in the list
  for (const elements::BeamElement& beam : e.beams) {
    for (int n = 0; n < beam.count; ++n) {
      const assembly::BlockId block = beam.nodes[static_cast<std::size_t>(n)];
      const auto [place, fresh] = nodes.try_emplace(block.index, e.beam_nodes.size());
      if (fresh) {
        e.beam_nodes.emplace_back();
        e.beam_nodes.back().block = block;
        e.beam_nodes.back().gravity = beam.gravity;
      }
      const elements::NodeInertia part = elements::node_inertia(beam, n);
      e.beam_nodes[place->second].mass += part.mass;
      e.beam_nodes[place->second].J += part.J;
    }
  }
  e.outlines.insert(e.outlines.begin(), e.bodies.begin(), e.bodies.end());
  e.outlines.insert(e.outlines.end(), e.beam_nodes.begin(), e.beam_nodes.end());
}

}  // namespace trunnion::system
